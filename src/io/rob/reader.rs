//! Readers of lists of words, numbers and tuples, with a warning if one ends too early.

use super::document::{Item, Quantity};
use super::keyword;
use super::lex::Statement;
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::report::FileReport;
use crate::io::words::Word;

/// Reads the words of statements, and reports what it skips.
#[derive(Debug)]
pub(super) struct Reader<'r> {
    pub(super) file: FileReport<'r>,
}

/// Unit of numbers.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unit<'d> {
    /// The unit of the degree of freedom.
    Own,
    /// Degrees, for every link.
    Degrees,
    /// Degrees, except for links already declared prismatic.
    DegreesUnless(&'d [Item<bool>]),
}

impl Reader<'_> {
    /// An error at a position.
    pub(super) fn error(&self, position: Position, message: impl Into<String>) -> Diagnostic {
        self.file.at(position, Diagnostic::error(message))
    }

    /// Reports a warning at a position.
    pub(super) fn warn(&self, position: Position, message: impl Into<String>, help: &str) {
        let warning = self.file.at(position, Diagnostic::warning(message));
        let is_helpful = !help.is_empty();
        self.file.add(if is_helpful {
            warning.help(help)
        } else {
            warning
        });
    }

    /// Warns of unused words, given the first of them.
    pub(super) fn left_over(&self, s: &Statement<'_>, word: Option<&Word<'_>>) {
        let Some(word) = word else { return };
        let (text, keyword) = (word.text, s.keyword.text);
        if word.position.line > s.keyword.position.line && keyword::is_known(text) {
            // a backslash too many: this line became part of the one before
            let message = format!(
                "`{text}` is part of the `{keyword}` list from line {}, because the line before ends with a \
                 backslash; it and what follows are ignored",
                s.keyword.position.line
            );
            let help = "remove the backslash at the end of the line before";
            self.warn(word.position, message, help);
        } else {
            let message =
                format!("`{text}` does not belong to `{keyword}`; it and what follows are ignored");
            self.warn(word.position, message, "");
        }
    }

    /// The numbers up to the first other word; infinity and NaN are refused.
    pub(super) fn numbers(&self, s: &Statement<'_>) -> Result<Vec<Item<f64>>, Diagnostic> {
        let items: Vec<_> = s.words.iter().map_while(finite).collect();
        let rest = s.words.get(items.len());
        if let Some(word) = rest.filter(|word| word.text.parse::<f64>().is_ok()) {
            let message = format!(
                "`{}` needs finite numbers, got `{}`",
                s.keyword.text, word.text
            );
            return Err(self.error(word.position, message));
        }
        self.refuse_comma(rest)?;
        self.left_over(s, rest);
        Ok(items)
    }

    /// Refuses a number with a decimal comma, behind which the list would end.
    fn refuse_comma(&self, word: Option<&Word<'_>>) -> Result<(), Diagnostic> {
        let is_comma = |word: &&Word<'_>| {
            let commas = word.text.matches(',').count();
            commas == 1 && word.text.replace(',', ".").parse::<f64>().is_ok()
        };
        let Some(word) = word.filter(is_comma) else {
            return Ok(());
        };
        let message = format!("`{}` is not a number", word.text);
        let help = "write decimals with a point, and spaces between numbers";
        Err(self.error(word.position, message).help(help))
    }

    /// The numbers, converted from degrees.
    pub(super) fn angles(&self, s: &Statement<'_>) -> Result<Vec<Item<f64>>, Diagnostic> {
        let mut angles = self.numbers(s)?;
        for angle in &mut angles {
            angle.value = angle.value.to_radians();
        }
        Ok(angles)
    }

    /// Possibly infinite numbers up to the first other word.
    pub(super) fn quantities(
        &self,
        s: &Statement<'_>,
        unit: Unit<'_>,
    ) -> Result<Vec<Item<Quantity>>, Diagnostic> {
        let read = |(i, word): (usize, &Word<'_>)| {
            let number = any_number(word.text)?;
            let is_degrees = match unit {
                Unit::Own => false,
                Unit::Degrees => true,
                Unit::DegreesUnless(is_prismatic) => {
                    !is_prismatic.get(i).is_some_and(|item| item.value)
                }
            };
            let value = if is_degrees {
                number.to_radians()
            } else {
                number
            };
            Some(Item {
                value: Quantity { value, is_degrees },
                position: word.position,
            })
        };
        let items: Vec<_> = s.words.iter().enumerate().map_while(read).collect();
        let rest = s.words.get(items.len());
        self.refuse_comma(rest)?;
        self.left_over(s, rest);
        Ok(items)
    }

    /// Groups of `N` numbers.
    pub(super) fn tuples<const N: usize>(
        &self,
        s: &Statement<'_>,
    ) -> Result<Vec<Item<[f64; N]>>, Diagnostic> {
        let numbers = self.numbers(s)?;
        let (tuples, rest) = numbers.as_chunks::<N>();
        if let Some(first) = rest.first() {
            let (n, keyword) = (numbers.len(), s.keyword.text);
            let message = format!("`{keyword}` needs {N} numbers per link, got {n} in all");
            return Err(self.error(first.position, message));
        }
        let item = |tuple: &[Item<f64>; N]| Item {
            value: tuple.map(|item| item.value),
            position: tuple
                .first()
                .map_or(s.keyword.position, |item| item.position),
        };
        Ok(tuples.iter().map(item).collect())
    }

    /// Exactly one group of `N` numbers.
    pub(super) fn tuple<const N: usize>(
        &self,
        s: &Statement<'_>,
    ) -> Result<Item<[f64; N]>, Diagnostic> {
        let value = self.leading(s, &s.words)?;
        self.left_over(s, s.words.get(N));
        Ok(Item {
            value,
            position: s.keyword.position,
        })
    }

    /// The first `N` of some words as numbers.
    pub(super) fn leading<const N: usize>(
        &self,
        s: &Statement<'_>,
        words: &[Word<'_>],
    ) -> Result<[f64; N], Diagnostic> {
        let numbers: Vec<f64> = words
            .iter()
            .map_while(finite)
            .map(|i| i.value)
            .take(N)
            .collect();
        let found = numbers.len();
        numbers.try_into().map_err(|_| {
            let position = words
                .get(found)
                .map_or(s.keyword.position, |word| word.position);
            let plural = if N == 1 { "" } else { "s" };
            let message = match words.get(found) {
                Some(word) => format!(
                    "`{}` is not a number; `{}` needs {N}",
                    word.text, s.keyword.text
                ),
                None => format!("`{}` needs {N} number{plural}, got {found}", s.keyword.text),
            };
            self.error(position, message)
        })
    }

    /// The integers up to the first other word.
    pub(super) fn integers(&self, s: &Statement<'_>) -> Vec<Item<i64>> {
        let read = |word: &Word<'_>| {
            let value = word.text.parse().ok()?;
            let position = word.position;
            Some(Item { value, position })
        };
        let items: Vec<_> = s.words.iter().map_while(read).collect();
        self.left_over(s, s.words.get(items.len()));
        items
    }

    /// Pairs of words.
    pub(super) fn pairs<'a>(&self, s: &Statement<'a>) -> Vec<Item<[Word<'a>; 2]>> {
        let (pairs, rest) = s.words.as_chunks::<2>();
        if let [odd] = rest {
            let message = format!("`{}` has no partner and is ignored", odd.text);
            self.warn(odd.position, message, "write the two links of a pair");
        }
        let item = |&[a, b]: &[Word<'a>; 2]| Item {
            value: [a, b],
            position: a.position,
        };
        pairs.iter().map(item).collect()
    }
}

/// The words, unchanged.
pub(super) fn texts<'a>(s: &Statement<'a>) -> Vec<Item<&'a str>> {
    let item = |word: &Word<'a>| Item {
        value: word.text,
        position: word.position,
    };
    s.words.iter().map(item).collect()
}

/// A finite number.
pub(super) fn finite(word: &Word<'_>) -> Option<Item<f64>> {
    let value = word.text.parse::<f64>().ok().filter(|x| x.is_finite())?;
    let position = word.position;
    // `inf` and `nan` are not numbers here
    Some(Item { value, position })
}

/// A number, or `inf`, `infinity`, `nan` in any case, with a minus or without; a plus is not part of a number here.
pub(super) fn any_number(text: &str) -> Option<f64> {
    if text.starts_with('+') {
        return None;
    }
    let number = text.parse::<f64>().ok()?;
    let is_word = text.ends_with(|c: char| c.is_ascii_alphabetic());
    // digits that overflow are not taken for infinity
    (number.is_finite() || is_word).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_infinity_are_numbers_of_limits_only() {
        for (text, expected) in [
            ("inf", Some(f64::INFINITY)),
            ("-INF", Some(f64::NEG_INFINITY)),
            ("Infinity", Some(f64::INFINITY)),
            ("1e3", Some(1000.0)),
            ("-.5", Some(-0.5)),
            ("+inf", None),
            ("+1", None),
            ("1e999", None),
            ("1,5", None),
            ("", None),
        ] {
            assert_eq!(any_number(text), expected, "{text}");
        }
        assert!(any_number("-NaN").is_some_and(f64::is_nan));
        let word = |text| Word {
            text,
            position: Position::default(),
            is_quoted: false,
        };
        assert_eq!(finite(&word("+1")).map(|item| item.value), Some(1.0));
        assert!(
            ["inf", "nan", "1e999"]
                .iter()
                .all(|text| finite(&word(text)).is_none())
        );
    }
}
