//! Readers of the attributes of an element, behind which stand those of its default classes.

use super::document::{Class, Document, Node, Place};
use super::notes::Notes;
use crate::Diagnostic;
use crate::io::fields::shortened;
use crate::io::xml::Attribute;

/// An element with its default classes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a, 'r> {
    pub(super) node: &'a Node,
    /// Subject of messages, such as ``joint `elbow` ``.
    subject: &'a str,
    /// Elements of default classes that hold its defaults, the first one first.
    kinds: &'a [&'a str],
    document: &'a Document,
    class: Option<usize>,
    notes: &'a Notes<'r>,
}

impl<'a, 'r> Fields<'a, 'r> {
    /// An element without default classes.
    pub(super) fn plain(
        node: &'a Node,
        subject: &'a str,
        document: &'a Document,
        notes: &'a Notes<'r>,
    ) -> Self {
        Self {
            node,
            subject,
            kinds: &[],
            document,
            class: None,
            notes,
        }
    }

    /// An element with the defaults of its `class`, else of `childclass`, else of `main`.
    pub(super) fn with_classes(
        node: &'a Node,
        subject: &'a str,
        kinds: &'a [&'a str],
        childclass: Option<usize>,
        document: &'a Document,
        notes: &'a Notes<'r>,
    ) -> Result<Self, Diagnostic> {
        let plain = Self::plain(node, subject, document, notes);
        let class = plain.class_of("class")?;
        Ok(Self {
            kinds,
            class: Some(class.or(childclass).unwrap_or(0)),
            ..plain
        })
    }

    /// The class that an attribute names.
    pub(super) fn class_of(&self, name: &str) -> Result<Option<usize>, Diagnostic> {
        let Some(class) = self.node.word(name) else {
            return Ok(None);
        };
        let found = self.document.class_index.get(class).copied();
        let unknown = || {
            let known = self.document.class_index.keys().map(String::as_str);
            let problem = format!("there is no default class `{class}`");
            let error = self.error_at(name, problem);
            match crate::error::closest(class, known) {
                Some(meant) => error.help(format!("did you mean `{meant}`?")),
                None => error,
            }
        };
        found.map(Some).ok_or_else(unknown)
    }

    /// The nodes that may hold an attribute: the element, then those of its classes from the innermost.
    fn levels(self) -> impl Iterator<Item = &'a Node> {
        let class = |i: usize| self.document.classes.get(i);
        let chain = std::iter::successors(self.class.and_then(class), move |inner: &&Class| {
            inner.parent.and_then(class)
        });
        let kinds = self.kinds;
        let defaults = chain.flat_map(move |class| {
            kinds.iter().flat_map(move |kind| {
                let same = move |node: &&Node| node.name == *kind;
                class.elements.iter().rev().filter(same)
            })
        });
        std::iter::once(self.node).chain(defaults)
    }

    /// The first node that holds one of these attributes.
    pub(super) fn first_with(self, names: &[&str]) -> Option<&'a Node> {
        self.levels()
            .find(|node| names.iter().any(|name| node.attribute(name).is_some()))
    }

    fn found(self, name: &str) -> Option<(&'a Node, &'a Attribute)> {
        self.levels()
            .find_map(|node| node.attribute(name).map(|attribute| (node, attribute)))
    }

    /// True if the element or one of its classes has this attribute.
    pub(super) fn has(self, name: &str) -> bool {
        self.found(name).is_some()
    }

    /// A word, without the spaces around it; `None` where it is empty.
    pub(super) fn word(self, name: &str) -> Option<&'a str> {
        let (_, attribute) = self.found(name)?;
        Some(attribute.value.trim()).filter(|word| !word.is_empty())
    }

    /// The position of an attribute, or that of the element.
    pub(super) fn place(self, name: &str) -> Place {
        self.found(name).map_or(self.node.place, place_of)
    }

    /// An error about the element.
    pub(super) fn error(&self, problem: impl AsRef<str>) -> Diagnostic {
        self.notes.error(self.node.place, self.subject, problem)
    }

    /// An error about an attribute.
    pub(super) fn error_at(&self, name: &str, problem: impl AsRef<str>) -> Diagnostic {
        self.notes.error(self.place(name), self.subject, problem)
    }

    /// Adds a warning about the element.
    pub(super) fn warn(&self, problem: impl AsRef<str>) {
        self.notes.warn(self.node.place, self.subject, problem);
    }

    /// All finite numbers of an attribute of a node.
    fn parsed(&self, node: &Node, attribute: &Attribute) -> Result<Vec<f64>, Diagnostic> {
        let number = |word: &str| {
            let what = || format!("`{}` of <{}>", attribute.name, node.name);
            let refuse = |problem: String| {
                let place = place_of((node, attribute));
                self.notes.error(place, self.subject, problem)
            };
            let number: f64 = word.parse().map_err(|_| {
                refuse(format!("{}: `{}` is not a number", what(), shortened(word)))
            })?;
            if !number.is_finite() {
                let word = shortened(word);
                return Err(refuse(format!(
                    "{}: `{word}` is not a finite number",
                    what()
                )));
            }
            Ok(number)
        };
        attribute.value.split_whitespace().map(number).collect()
    }

    /// All numbers of an attribute.
    pub(super) fn list(self, name: &str) -> Result<Option<Vec<f64>>, Diagnostic> {
        self.found(name)
            .map(|(node, attribute)| self.parsed(node, attribute))
            .transpose()
    }

    /// Exactly `N` numbers.
    pub(super) fn numbers<const N: usize>(
        self,
        name: &str,
    ) -> Result<Option<[f64; N]>, Diagnostic> {
        let Some((node, attribute)) = self.found(name) else {
            return Ok(None);
        };
        let numbers = self.parsed(node, attribute)?;
        let found = numbers.len();
        let array = <[f64; N]>::try_from(numbers).map_err(|_| {
            let plural = if N == 1 { "" } else { "s" };
            let what = format!("`{name}` of <{}>", node.name);
            self.error_at(
                name,
                format!("{what} needs {N} number{plural}, got {found}"),
            )
        })?;
        Ok(Some(array))
    }

    /// One number.
    pub(super) fn number(self, name: &str) -> Result<Option<f64>, Diagnostic> {
        Ok(self.numbers::<1>(name)?.map(|[number]| number))
    }

    /// Up to `N` numbers: those that the element lacks are its classes', then those given here. Also whether any is given.
    pub(super) fn overlay<const N: usize>(
        self,
        name: &str,
        mut numbers: [f64; N],
    ) -> Result<([f64; N], bool), Diagnostic> {
        let levels: Vec<_> = self
            .levels()
            .filter_map(|node| Some((node, node.attribute(name)?)))
            .collect();
        for &(node, attribute) in levels.iter().rev() {
            let own = self.parsed(node, attribute)?;
            if own.len() > N {
                let what = format!("`{name}` of <{}>", node.name);
                let problem = format!("{what} takes {N} numbers at most, got {}", own.len());
                let place = place_of((node, attribute));
                return Err(self.notes.error(place, self.subject, problem));
            }
            for (number, own) in numbers.iter_mut().zip(own) {
                *number = own;
            }
        }
        Ok((numbers, !levels.is_empty()))
    }

    /// One of several words: its index.
    pub(super) fn choice(self, name: &str, words: &[&str]) -> Result<Option<usize>, Diagnostic> {
        let Some((node, attribute)) = self.found(name) else {
            return Ok(None);
        };
        let given = attribute.value.trim();
        let found = words.iter().position(|word| *word == given);
        let unknown = || {
            let what = format!("`{name}` of <{}>", node.name);
            let problem = format!(
                "{what} must be one of {}, got `{}`",
                words.join(", "),
                shortened(given)
            );
            self.error_at(name, problem)
        };
        found.map(Some).ok_or_else(unknown)
    }

    /// `true` or `false`.
    pub(super) fn flag(self, name: &str) -> Result<Option<bool>, Diagnostic> {
        Ok(self.choice(name, &["false", "true"])?.map(|i| i == 1))
    }

    /// Whether a range applies: `limited`, `auto` by default, together with `autolimits`.
    pub(super) fn is_limited(
        self,
        flag: &str,
        range: &str,
        autolimits: bool,
    ) -> Result<bool, Diagnostic> {
        match self.choice(flag, &["false", "true", "auto"])? {
            Some(0) => Ok(false),
            Some(1) => Ok(true),
            _ if !self.has(range) => Ok(false),
            _ if autolimits => Ok(true),
            _ => {
                let problem = format!(
                    "`{range}` needs `{flag}` here, because <compiler autolimits=\"false\"> infers nothing"
                );
                Err(self.error_at(range, problem))
            }
        }
    }
}

fn place_of((node, attribute): (&Node, &Attribute)) -> Place {
    Place {
        position: attribute.position,
        ..node.place
    }
}
