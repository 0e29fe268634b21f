//! XML elements of attributes.

use crate::io::text::{number, numbers, xml_attribute};

/// An element that is being written.
#[derive(Debug)]
pub(crate) struct Tag {
    text: String,
}

impl Tag {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            text: format!("<{name}"),
        }
    }

    /// Adds an attribute.
    pub(crate) fn word(mut self, name: &str, value: &str) -> Self {
        self.text += &format!(" {name}={}", xml_attribute(value));
        self
    }

    /// Adds an attribute where it has a value.
    pub(crate) fn maybe(self, name: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.word(name, value),
            None => self,
        }
    }

    /// Adds numbers.
    pub(crate) fn numbers<'a>(
        mut self,
        name: &str,
        all: impl IntoIterator<Item = &'a f64>,
    ) -> Self {
        self.text += &format!(" {name}=\"{}\"", numbers(all));
        self
    }

    /// Adds a number that is not zero.
    pub(crate) fn nonzero(mut self, name: &str, x: f64) -> Self {
        if x != 0.0 {
            self.text += &format!(" {name}=\"{}\"", number(x));
        }
        self
    }

    /// The element without content.
    pub(crate) fn closed(self) -> String {
        self.text + "/>\n"
    }

    /// The start of an element with content.
    pub(crate) fn open(self) -> String {
        self.text + ">\n"
    }
}

/// Spaces before an element; deep trees are not indented further, so that a file grows with their size alone.
pub(crate) fn indent(depth: usize) -> &'static str {
    const SPACES: &str = "                                        ";
    SPACES.get(..2 * depth).unwrap_or(SPACES)
}
