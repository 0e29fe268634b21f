//! Lexer of `.rob` text into statements: comments, quotes, and lines joined by a backslash.

use super::keyword;
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::report::FileReport;
use crate::io::words::{OpenQuote, Word, Words, before_comment};

/// A keyword and the words after it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Statement<'a> {
    pub(super) keyword: Word<'a>,
    /// For a property: its key, then the rest of each line.
    pub(super) words: Vec<Word<'a>>,
}

/// The statements of a text.
pub(super) fn statements<'a>(
    text: &'a str,
    file: FileReport<'_>,
) -> Result<Vec<Statement<'a>>, Diagnostic> {
    let mut found: Vec<Statement<'a>> = Vec::new();
    let mut joins = Join::No;
    for (number, line) in (1..).zip(text.lines()) {
        let (code, has_comment) = before_comment(line.strip_suffix('\r').unwrap_or(line));
        let (code, next_joins) = match (code.strip_suffix('\\'), code.trim_end().strip_suffix('\\'))
        {
            (Some(code), _) if !has_comment => (code, Join::Yes),
            (_, Some(code)) => {
                let column = u32::try_from(code.chars().count() + 1).unwrap_or(u32::MAX);
                let position = Position {
                    line: number,
                    column,
                };
                (code, Join::Perhaps(position))
            }
            _ => (code, Join::No),
        };

        let mut words = Words::new(code, number);
        let mut goes_on = joins == Join::Yes && !found.is_empty();
        if let Join::Perhaps(position) = joins {
            // probably a mistake; a keyword on the next line starts a new statement
            let first = words.clone().next();
            goes_on = !matches!(first, Some(Ok(word)) if keyword::is_known(word.text))
                && !found.is_empty();
            let what = if goes_on { "read as" } else { "not read as" };
            let message = format!(
                "something follows a backslash; {what} a line that continues on the next one"
            );
            let warning = Diagnostic::warning(message).help(
                "remove the spaces or the comment after the backslash, or the backslash itself",
            );
            file.add(file.at(position, warning));
        }
        joins = next_joins;

        let open = |OpenQuote(position)| {
            let error = Diagnostic::error("a quote is opened and not closed on its line");
            file.at(position, error)
        };
        if !goes_on {
            let Some(keyword) = words.next() else {
                // a lone backslash starts no statement
                joins = Join::No;
                continue;
            };
            found.push(Statement {
                keyword: keyword.map_err(open)?,
                words: Vec::new(),
            });
        }
        let Some(statement) = found.last_mut() else {
            continue;
        };
        if statement.keyword.text.eq_ignore_ascii_case("property") {
            if statement.words.is_empty() {
                statement
                    .words
                    .extend(words.next().transpose().map_err(open)?);
            }
            if words.quote_is_next() {
                statement
                    .words
                    .extend(words.next().transpose().map_err(open)?);
            } else {
                statement.words.extend(words.rest());
            }
            continue;
        }
        for word in words {
            statement.words.push(word.map_err(open)?);
        }
    }
    Ok(found)
}

/// Continuation of a line on the next one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Join {
    No,
    Yes,
    /// A backslash, with spaces or a comment after it.
    Perhaps(Position),
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::io::report::Report;

    fn lexed(text: &str) -> (Vec<String>, Vec<String>) {
        let report = Report::default();
        let statements = statements(text, report.of_file(Path::new("x.rob")));
        let statements = statements.expect("no open quote");
        let words = |s: &Statement<'_>| {
            let words: Vec<&str> = s.words.iter().map(|w| w.text).collect();
            format!("{}({})", s.keyword.text, words.join("|"))
        };
        let said = report
            .into_warnings()
            .into_diagnostics()
            .iter()
            .map(ToString::to_string)
            .collect();
        (statements.iter().map(words).collect(), said)
    }

    #[test]
    fn a_backslash_joins_lines_and_a_comment_does_not() {
        let (found, said) = lexed("a 1 \\\n2\\\r\n3 # a \\ here\nb \"x y\" # c\n\n  c");
        assert_eq!(found, ["a(1|2|3)", "b(x y)", "c()"]);
        assert!(said.is_empty(), "{said:?}");
    }

    #[test]
    fn spaces_after_a_backslash_join_unless_a_keyword_follows() {
        let (found, said) = lexed("axis 0 0 1 \\ \n0 0 1 \\\t\nmass 1 1");
        assert_eq!(found, ["axis(0|0|1|0|0|1)", "mass(1|1)"]);
        assert_eq!(said.len(), 2);
        assert!(said[0].starts_with("x.rob:1:12: warning:"), "{}", said[0]);
        assert!(said[1].contains("not read as"), "{}", said[1]);
    }

    #[test]
    fn a_property_keeps_the_rest_of_its_line() {
        let (found, _) = lexed("property sensors <a b=\"c d\" />  \nproperty x \"a \\\" b\" c");
        let expected = ["property(sensors|<a b=\"c d\" />)", "property(x|a \\\" b)"];
        assert_eq!(found, expected);
    }
}
