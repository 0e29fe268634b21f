//! Messages on standard error; errors of writing are ignored.

use kinworld::{Diagnostic, Error, Severity};

use crate::Failure;
use crate::excerpt::Excerpts;
use crate::grouping::{Group, groups};
use crate::hints::Hints;
use crate::request::{Refusal, place};
use crate::style;
use crate::table::printable;

/// Prints diagnostics of loaders.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Excerpts of files, if diagnostics show them.
    excerpts: Option<Excerpts>,
    /// True if each warning is printed by itself.
    lists_all: bool,
    /// What was reported, if that is kept.
    kept: Option<Vec<Diagnostic>>,
}

impl Report {
    /// One line per diagnostic, and one for help; three or more warnings of a kind are one, unless `--verbose` asks for all.
    pub(crate) fn short() -> Self {
        Self {
            lists_all: style::messages().verbose,
            ..Self::default()
        }
    }

    /// Every diagnostic by itself.
    pub(crate) fn full() -> Self {
        Self {
            lists_all: true,
            ..Self::default()
        }
    }

    /// Every diagnostic by itself, with excerpts of the files.
    pub(crate) fn with_excerpts() -> Self {
        Self {
            excerpts: Some(Excerpts::default()),
            ..Self::full()
        }
    }

    /// The same report, which also keeps what it prints.
    #[cfg(feature = "view")]
    pub(crate) fn keeping(mut self) -> Self {
        self.kept = Some(Vec::new());
        self
    }

    /// What was reported, in order.
    #[cfg(feature = "view")]
    pub(crate) fn into_kept(self) -> Vec<Diagnostic> {
        self.kept.unwrap_or_default()
    }

    /// Prints diagnostics; of a quiet run only the errors.
    pub(crate) fn diagnostics<'a>(&mut self, list: impl IntoIterator<Item = &'a Diagnostic>) {
        let list: Vec<&Diagnostic> = list.into_iter().collect();
        if let Some(kept) = &mut self.kept {
            kept.extend(list.iter().copied().cloned());
        }
        let is_quiet = style::messages().quiet;
        let shown = |item: &&Diagnostic| !is_quiet || item.severity != Severity::Warning;
        let list = list.into_iter().filter(shown);
        let text: String = if self.lists_all {
            list.map(|item| self.render(item)).collect()
        } else {
            groups(list)
                .iter()
                .map(|group| self.render_group(group))
                .collect()
        };
        style::print(&text);
    }

    /// Prints the error of a file, after its warnings.
    pub(crate) fn error(&mut self, error: &Error) {
        match error {
            Error::Load(error) => {
                self.diagnostics(&error.warnings);
                self.diagnostics([&*error.diagnostic]);
            }
            error => {
                self.refuse(&Refusal(error.to_string()));
            }
        }
    }

    /// Prints an error that is in no file.
    pub(crate) fn refuse(&mut self, Refusal(problem): &Refusal) -> Failure {
        if let Some(kept) = &mut self.kept {
            kept.push(Diagnostic::error(problem.as_str()));
        }
        refusal(problem);
        Failure::Refused
    }

    fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let message = printable(&diagnostic.message);
        let before = printable(&place(diagnostic));
        let severity = style::severity(diagnostic.severity);
        let mut text = format!("{before}{severity}: {message}\n");
        if let Some(excerpts) = &mut self.excerpts {
            text += &excerpts.of(diagnostic).unwrap_or_default();
        }
        let element = diagnostic.element.as_ref();
        if let Some(element) = element.filter(|name| !diagnostic.message.contains(*name)) {
            text += &format!("  in: {}\n", printable(element));
        }
        if let Some(help) = &diagnostic.help {
            text += &format!("  {}: {}\n", style::help(), printable(help));
        }
        text
    }

    fn render_group(&mut self, group: &Group<'_>) -> String {
        let mut text = self.render(group.first);
        if !group.others.is_empty() {
            let shown = group.others.iter().take(NAMED).map(|name| printable(name));
            let shown = shown.collect::<Vec<_>>().join(", ");
            let rest = if group.others.len() > NAMED {
                ", …"
            } else {
                ""
            };
            let n = group.others.len();
            text += &format!("  and {n} more of this kind: {shown}{rest} (--verbose lists all)\n");
        }
        text
    }
}

/// Largest number of names in a group.
const NAMED: usize = 8;

/// Prints hints on an answer, unless the run is quiet.
pub(crate) fn hints(hints: &Hints) {
    Report::short().diagnostics(&hints.warnings);
    for sentence in &hints.sentences {
        note(sentence);
    }
}

/// Prints an error.
pub(crate) fn refusal(message: &str) {
    let severity = style::severity(Severity::Error);
    style::print(&format!("{severity}: {}\n", printable(message)));
}

/// Prints lines beside an answer, unless the run is quiet.
pub(crate) fn lines(lines: &str) {
    print(lines);
}

/// Prints what is worth knowing beside a result, unless the run is quiet.
pub(crate) fn note(message: &str) {
    print(&format!("note: {}\n", printable(message)));
}

fn print(text: &str) {
    if !style::messages().quiet {
        style::print(text);
    }
}
