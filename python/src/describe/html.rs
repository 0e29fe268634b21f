//! Tables of HTML.

use kinworld::Diagnostic;

use super::count;

/// Rows that a table shows before it leaves out the rest.
const ROWS: usize = 200;

/// A text as HTML shows it, in elements and in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// A table under a title; all texts are escaped.
pub(crate) fn table<const N: usize>(
    title: &str,
    header: [&str; N],
    rows: impl ExactSizeIterator<Item = [String; N]>,
) -> String {
    let left_out = rows.len().saturating_sub(ROWS);
    let row = |cells: &[String], tag: &str| {
        let cells: String = cells
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    let head = row(&header.map(str::to_owned), "th");
    let body: String = rows.take(ROWS).map(|cells| row(&cells, "td")).collect();
    let rest = if left_out > 0 {
        format!("<p>… {left_out} more</p>")
    } else {
        String::new()
    };
    format!(
        "<p><b>{}</b></p><table>{head}{body}</table>{rest}",
        escape(title)
    )
}

/// Warnings and errors as a table.
pub(crate) fn diagnostics(problems: &[&Diagnostic]) -> String {
    let title = count(problems.len(), "diagnostic");
    let header = ["severity", "position", "element", "message", "help"];
    table(
        &title,
        header,
        problems.iter().map(|problem| {
            let path = problem.path.as_ref().map(|path| path.display().to_string());
            let position = [
                path,
                problem.line.map(|n| n.to_string()),
                problem.column.map(|n| n.to_string()),
            ];
            let position: Vec<String> = position.into_iter().flatten().collect();
            [
                problem.severity.to_string(),
                position.join(":"),
                problem.element.clone().unwrap_or_default(),
                problem.message.clone(),
                problem.help.clone().unwrap_or_default(),
            ]
        }),
    )
}
