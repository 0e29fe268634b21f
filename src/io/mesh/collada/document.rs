//! The elements of a file by their ids, and diagnostics about them.

use std::collections::HashMap;

use crate::Diagnostic;
use crate::io::mesh::page::Page;
use crate::io::xml::Element;

/// A file whose elements can be found by id.
#[derive(Debug)]
pub(super) struct Document<'a> {
    pub(super) root: &'a Element,
    page: Page<'a>,
    ids: HashMap<(&'a str, &'a str), &'a Element>,
}

impl<'a> Document<'a> {
    pub(super) fn new(root: &'a Element, page: Page<'a>) -> Self {
        let mut ids = HashMap::new();
        let mut rest = vec![root];
        while let Some(element) = rest.pop() {
            if let Some(id) = element.attribute("id") {
                ids.insert((element.name.as_str(), id.value.as_str()), element);
            }
            // elements are popped in reverse order, so that the first of several with one id is inserted last
            rest.extend(&element.children);
        }
        Self { root, page, ids }
    }

    /// The element with a name and an id: real files give one id to elements of several kinds.
    pub(super) fn by_id(&self, name: &str, id: &str) -> Option<&'a Element> {
        self.ids.get(&(name, id)).copied()
    }

    /// The element of this name that an attribute such as `url="#id"` refers to.
    pub(super) fn target(
        &self,
        element: &Element,
        attribute: &str,
        name: &str,
    ) -> Result<&'a Element, Diagnostic> {
        let Some(reference) = element.attribute(attribute) else {
            let message = format!("<{}> has no `{attribute}`", element.name);
            return Err(self.error(element, message));
        };
        let refuse = |message: String| {
            let position = reference.position;
            self.page.file.at(position, Diagnostic::error(message))
        };
        let Some(id) = reference.value.strip_prefix('#') else {
            let message = format!("`{}` refers to another file", reference.value);
            return Err(refuse(message).help("other files are not read: join them in one"));
        };
        let found = self.by_id(name, id);
        found.ok_or_else(|| refuse(format!("there is no <{name}> of id `{id}`")))
    }

    /// The numbers that are the text of an element.
    pub(super) fn numbers(&self, element: &Element) -> Result<Vec<f64>, Diagnostic> {
        // a number and the blank behind it are two characters at least
        let mut numbers = Vec::with_capacity(element.text.len() / 8);
        for word in element.text.split_ascii_whitespace() {
            match word.parse::<f64>() {
                Ok(x) if x.is_finite() => numbers.push(x),
                Ok(_) => return Err(self.error_in(element, word, "is not finite")),
                Err(_) => return Err(self.error_in(element, word, "is not a number")),
            }
        }
        Ok(numbers)
    }

    /// A whole number in an attribute; `None` if the attribute is missing.
    pub(super) fn count(&self, element: &Element, name: &str) -> Result<Option<usize>, Diagnostic> {
        let Some(attribute) = element.attribute(name) else {
            return Ok(None);
        };
        let wrong = |_| {
            let message = format!("`{name}` is `{}`, which is not a count", attribute.value);
            let position = attribute.position;
            self.page.file.at(position, Diagnostic::error(message))
        };
        attribute.value.trim().parse().map(Some).map_err(wrong)
    }

    /// An error about an element.
    pub(super) fn error(&self, element: &Element, message: impl Into<String>) -> Diagnostic {
        let position = element.position;
        self.page.file.at(position, Diagnostic::error(message))
    }

    /// Reports a warning about an element.
    pub(super) fn warn(&self, element: &Element, message: impl Into<String>) {
        let warning = Diagnostic::warning(message);
        self.add(self.page.file.at(element.position, warning));
    }

    /// Reports a warning.
    pub(super) fn add(&self, warning: Diagnostic) {
        self.page.file.add(warning);
    }

    /// An error about a word of an element's text.
    pub(super) fn error_in(&self, element: &Element, word: &str, problem: &str) -> Diagnostic {
        let message = format!("`{word}` in <{}> {problem}", element.name);
        // the text is a copy of the file's, unless a character reference in it was resolved
        let inside = (word.as_ptr() as usize).saturating_sub(element.text.as_ptr() as usize);
        let raw = self.page.text.get(element.span.clone()).unwrap_or("");
        let start = raw.find(&element.text).map(|at| at + inside);
        match start.and_then(|start| raw.get(start..)) {
            Some(at) => self.page.error(at, message),
            None => self.error(element, message),
        }
    }
}

/// The first child with a name.
pub(super) fn child<'a>(element: &'a Element, name: &str) -> Option<&'a Element> {
    element.children.iter().find(|child| child.name == name)
}

/// All children with a name.
pub(super) fn children<'a>(
    element: &'a Element,
    name: &'a str,
) -> impl Iterator<Item = &'a Element> {
    let is_meant = move |child: &&Element| child.name == name;
    element.children.iter().filter(is_meant)
}

/// The descendant along a path of names; the first child of each name.
pub(super) fn descend<'a>(element: &'a Element, path: &[&str]) -> Option<&'a Element> {
    path.iter().try_fold(element, |at, name| child(at, name))
}
