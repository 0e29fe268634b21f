//! Readers of numbers, words and children of XML elements, with messages that name the position.

use std::collections::BTreeMap;

use super::position::{At, Position};
use super::xml::{Attribute, Element};
use crate::Diagnostic;
use crate::io::report::FileReport;

/// Reads fields of elements, and reports what it skips or repairs.
pub(super) struct Fields<'a> {
    /// The text of the file.
    text: &'a str,
    report: FileReport<'a>,
    /// The element being read, such as ``link `elbow` ``; starts every message.
    pub(super) subject: String,
    /// Unused parts: the first position of each kind, and their number.
    unused: BTreeMap<String, (Position, usize)>,
}

impl<'a> Fields<'a> {
    /// A reader of the elements of one file.
    pub(super) fn new(text: &'a str, report: FileReport<'a>) -> Self {
        Self {
            text,
            report,
            subject: String::new(),
            unused: BTreeMap::new(),
        }
    }

    /// An error at a position.
    pub(super) fn error(&self, position: Position, problem: impl AsRef<str>) -> Diagnostic {
        self.report.error(position, &self.subject, problem)
    }

    /// Adds a warning at a position.
    pub(super) fn warn(&self, position: Position, problem: impl AsRef<str>) {
        self.report.warn(position, &self.subject, problem);
    }

    /// Collects unknown attributes.
    pub(super) fn only(&mut self, element: &Element, known: &[&str]) {
        for attribute in &element.attributes {
            let name = attribute.name.as_str();
            // a prefix belongs to another program
            if !known.contains(&name) && !name.contains(':') && name != "xmlns" {
                let what = format!("attribute `{name}` of <{}> is not known", element.name);
                self.unused(what, attribute.position);
            }
        }
    }

    /// Collects a part that is skipped; [`warn_of_unused`](Self::warn_of_unused) reports each kind once.
    pub(super) fn unused(&mut self, what: String, position: Position) {
        self.unused.entry(what).or_insert((position, 0)).1 += 1;
    }

    /// One warning about `subject`, the file, for each kind of part that was skipped.
    pub(super) fn warn_of_unused(&mut self, subject: &str) {
        for (what, (position, count)) in std::mem::take(&mut self.unused) {
            let often = match count {
                1 => String::new(),
                count => format!(" ({count} times)"),
            };
            self.report
                .warn(position, subject, format!("{what} and ignored{often}"));
        }
    }

    /// The only child of this name; further ones are ignored with a warning.
    pub(super) fn child<'e>(&mut self, element: &'e Element, name: &str) -> Option<&'e Element> {
        let mut children = element.children.iter().filter(|child| child.name == name);
        let first = children.next()?;
        for extra in children {
            let problem = format!("a second <{name}>; it is ignored, the first one counts");
            self.warn(extra.position, problem);
        }
        Some(first)
    }

    /// A mandatory word.
    pub(super) fn required(&self, element: &Element, name: &str) -> Result<At<String>, Diagnostic> {
        let missing = || format!("<{}> needs the attribute `{name}`", element.name);
        let word = self.word(element, name);
        word.ok_or_else(|| self.error(element.position, missing()))
    }

    /// A word, without the spaces around it.
    pub(super) fn word(&self, element: &Element, name: &str) -> Option<At<String>> {
        element.attribute(name).map(|attribute| At {
            value: attribute.value.trim().to_owned(),
            position: attribute.position,
        })
    }

    /// The words in an attribute, between spaces or in double quotes.
    pub(super) fn words(&self, attribute: &Attribute) -> Vec<String> {
        let mut words = Vec::new();
        let mut rest = attribute.value.trim_start();
        while !rest.is_empty() {
            let (word, after) = match rest.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
            };
            words.push(word.to_owned());
            rest = after.trim_start();
        }
        words
    }

    /// A finite number.
    pub(super) fn number(&self, element: &Element, name: &str) -> Result<Option<f64>, Diagnostic> {
        Ok(self.numbers::<1>(element, name)?.map(|[number]| number))
    }

    /// A mandatory number.
    pub(super) fn required_number(&self, element: &Element, name: &str) -> Result<f64, Diagnostic> {
        let missing = || format!("<{}> needs the attribute `{name}`", element.name);
        let number = self.number(element, name)?;
        number.ok_or_else(|| self.error(element.position, missing()))
    }

    /// A number that may be infinite; the largest `f64` means infinity, since other readers refuse `inf`.
    pub(super) fn bound(&self, element: &Element, name: &str) -> Result<Option<f64>, Diagnostic> {
        let Some(attribute) = element.attribute(name) else {
            return Ok(None);
        };
        let number = self.parse(element, attribute, attribute.value.trim())?;
        if number.is_nan() {
            return Err(self.not_finite(element, attribute, &attribute.value));
        }
        let is_bounded = number.abs() < f64::MAX;
        Ok(Some(if is_bounded {
            number
        } else {
            f64::INFINITY.copysign(number)
        }))
    }

    /// `N` finite numbers; what follows a list of them is left out with a warning.
    pub(super) fn numbers<const N: usize>(
        &self,
        element: &Element,
        name: &str,
    ) -> Result<Option<[f64; N]>, Diagnostic> {
        let Some(attribute) = element.attribute(name) else {
            return Ok(None);
        };
        let mut numbers = self.all_numbers(element, attribute)?;
        let found = numbers.len();
        // a place with four numbers is more likely wrong than long
        let is_place = matches!(name, "xyz" | "rpy");
        if N > 1 && found > N && !is_place {
            let what = format!("`{name}` of <{}>", element.name);
            let problem = format!("{what} needs {N} numbers, got {found}; the first {N} are used");
            self.warn(attribute.position, problem);
            numbers.truncate(N);
        }
        let array = <[f64; N]>::try_from(numbers).map_err(|_| {
            let plural = if N == 1 { "" } else { "s" };
            let what = format!("`{name}` of <{}>", element.name);
            self.error(
                attribute.position,
                format!("{what} needs {N} number{plural}, got {found}"),
            )
        })?;
        Ok(Some(array))
    }

    /// All finite numbers of an attribute.
    pub(super) fn all_numbers(
        &self,
        element: &Element,
        attribute: &Attribute,
    ) -> Result<Vec<f64>, Diagnostic> {
        let words = attribute.value.split_whitespace();
        let finite = words.map(|word| {
            let bare = word.trim_matches(',');
            let is_slip = bare.len() < word.len() && bare.parse::<f64>().is_ok();
            if is_slip {
                let what = format!("`{}` of <{}>", attribute.name, element.name);
                let problem = format!("{what}: the comma of `{}` is ignored", shortened(word));
                self.warn(attribute.position, problem);
            }
            let word = if is_slip { bare } else { word };
            let number = self.parse(element, attribute, word)?;
            let problem = || self.not_finite(element, attribute, word);
            number.is_finite().then_some(number).ok_or_else(problem)
        });
        finite.collect()
    }

    /// `0`, `1`, `true` or `false`.
    pub(super) fn boolean(
        &self,
        element: &Element,
        name: &str,
    ) -> Result<Option<bool>, Diagnostic> {
        let Some(attribute) = element.attribute(name) else {
            return Ok(None);
        };
        match attribute.value.trim().to_ascii_lowercase().as_str() {
            "1" | "true" => Ok(Some(true)),
            "0" | "false" => Ok(Some(false)),
            other => {
                let what = format!("`{name}` of <{}>", element.name);
                let problem = format!("{what} must be 0, 1, true or false, got `{other}`");
                Err(self.error(attribute.position, problem))
            }
        }
    }

    /// The source text of an element.
    pub(super) fn verbatim(&self, element: &Element) -> String {
        let text = self.text.get(element.span.clone());
        text.unwrap_or_default().to_owned()
    }

    fn parse(
        &self,
        element: &Element,
        attribute: &Attribute,
        word: &str,
    ) -> Result<f64, Diagnostic> {
        word.parse().map_err(|_| {
            let what = format!("`{}` of <{}>", attribute.name, element.name);
            let error = self.error(
                attribute.position,
                format!("{what}: `{}` is not a number", shortened(word)),
            );
            if word.contains("${") || word.contains("$(") {
                return error.help("this is xacro, not URDF: run `xacro` on the file first");
            }
            error
        })
    }

    fn not_finite(&self, element: &Element, attribute: &Attribute, word: &str) -> Diagnostic {
        let what = format!("`{}` of <{}>", attribute.name, element.name);
        let problem = format!(
            "{what}: `{}` is not a finite number",
            shortened(word.trim())
        );
        self.error(attribute.position, problem)
    }
}

/// A word short enough for a message.
pub(crate) fn shortened(word: &str) -> String {
    const SHOWN: usize = 40;
    if word.chars().count() <= SHOWN {
        return word.to_owned();
    }
    let start: String = word.chars().take(SHOWN).collect();
    format!("{start}…")
}
