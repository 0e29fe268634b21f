//! Words of a line with their positions, for the text formats of Klampt.

use super::position::Position;
pub(crate) use crate::error::closest;

/// A word, or the text between quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) position: Position,
    pub(crate) is_quoted: bool,
}

/// A quote that is opened and not closed on its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenQuote(pub(crate) Position);

/// A line without its comment, and true if it had one. Quotes do not protect a `#`.
pub(crate) fn before_comment(line: &str) -> (&str, bool) {
    match line.split_once('#') {
        Some((code, _)) => (code, true),
        None => (line, false),
    }
}

/// Reads words off a line.
#[derive(Debug, Clone)]
pub(crate) struct Words<'a> {
    rest: &'a str,
    position: Position,
}

impl<'a> Words<'a> {
    /// The words of a line of this number.
    pub(crate) fn new(line: &'a str, number: u32) -> Self {
        let position = Position {
            line: number,
            column: 1,
        };
        Self {
            rest: line,
            position,
        }
    }

    /// The rest of the line, trimmed.
    pub(crate) fn rest(mut self) -> Option<Word<'a>> {
        self.skip_blanks();
        let text = self.rest.trim_end();
        (!text.is_empty()).then_some(Word {
            text,
            position: self.position,
            is_quoted: false,
        })
    }

    /// True if a quoted word comes next.
    pub(crate) fn quote_is_next(&mut self) -> bool {
        self.skip_blanks();
        self.rest.starts_with('"')
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.len() - self.rest.trim_start().len();
        self.take(blanks);
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        let columns = if taken.is_ascii() {
            taken.len()
        } else {
            taken.chars().count()
        };
        let columns = u32::try_from(columns).unwrap_or(u32::MAX);
        self.position.column = self.position.column.saturating_add(columns);
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Result<Word<'a>, OpenQuote>;

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_blanks();
        if self.rest.is_empty() {
            return None;
        }
        let position = self.position;
        let Some(inside) = self.rest.strip_prefix('"') else {
            let end = self.rest.find(char::is_whitespace);
            let text = self.take(end.unwrap_or(self.rest.len()));
            return Some(Ok(Word {
                text,
                position,
                is_quoted: false,
            }));
        };

        // `\"` does not end it; both characters stay
        let mut escaped = false;
        let end = inside.find(|c: char| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let Some((text, _)) = end.and_then(|end| inside.split_at_checked(end)) else {
            self.take(self.rest.len());
            return Some(Err(OpenQuote(position)));
        };
        // with both quotes
        self.take(text.len() + 2);
        Some(Ok(Word {
            text,
            position,
            is_quoted: true,
        }))
    }
}

/// A number with its noun, in the singular or plural.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// Up to a dozen names, and how many more there are.
pub(crate) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    match names.split_at_checked(SHOWN) {
        Some((shown, more)) if !more.is_empty() => {
            format!("{} and {} more", shown.join(", "), more.len())
        }
        _ if names.is_empty() => "none".to_owned(),
        _ => names.join(", "),
    }
}

/// Quoted text without its escapes: `\n`, `\t`, `\"` and `\\` are one character each, and `\x23` is a `#`.
pub(crate) fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            plain.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => plain.push('\n'),
            Some('t') => plain.push('\t'),
            Some('r') => plain.push('\r'),
            Some(c @ ('"' | '\\' | '\'')) => plain.push(c),
            Some('x') if chars.as_str().starts_with("23") => {
                chars.nth(1);
                plain.push('#');
            }
            Some(c) => plain.extend(['\\', c]),
            None => plain.push('\\'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_columns_in_characters() {
        let words: Vec<_> = Words::new("\tgeometry \"π a\\\"b.off\"\"\" x", 7).collect();
        let expected = [
            ("geometry", 2, false),
            ("π a\\\"b.off", 11, true),
            ("", 23, true),
            ("x", 26, false),
        ];
        assert_eq!(words.len(), expected.len());
        for (word, (text, column, is_quoted)) in words.iter().zip(expected) {
            let position = Position { line: 7, column };
            assert_eq!(
                *word,
                Ok(Word {
                    text,
                    position,
                    is_quoted
                })
            );
        }
    }

    #[test]
    fn a_quote_left_open_is_found() {
        let position = Position { line: 1, column: 3 };
        let words: Vec<_> = Words::new("a \"b c", 1).collect();
        assert_eq!(words[1], Err(OpenQuote(position)));
        assert_eq!(words.len(), 2);
    }
}
