//! Expanded file: plain XML, one element a line, and the origin of each line.

use crate::io::position::Position;

/// Origin of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) file: usize,
    pub(super) position: Position,
    /// The call of the macro that made it.
    pub(super) call: Option<usize>,
}

/// An element without macros in it.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) text: String,
    pub(super) children: Vec<Self>,
    pub(super) origin: Origin,
}

impl Node {
    /// Replaces an attribute, or adds it.
    pub(super) fn set(&mut self, name: String, value: String) {
        match self.attributes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name, value)),
        }
    }
}

/// The text of an element, and the origin of each of its lines.
pub(super) fn write(root: &Node) -> (String, Vec<Origin>) {
    let mut page = Page {
        text: "<?xml version=\"1.0\"?>\n".to_owned(),
        origins: vec![root.origin],
    };
    page.node(root, 0);
    (page.text, page.origins)
}

struct Page {
    text: String,
    origins: Vec<Origin>,
}

impl Page {
    // as deep as the expansion that made the tree
    fn node(&mut self, node: &Node, depth: usize) {
        self.text.extend(std::iter::repeat_n("  ", depth));
        self.text.push('<');
        self.text.push_str(&node.name);
        for (name, value) in &node.attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.escaped(value, node.origin, true);
            self.text.push('"');
        }
        let text = node.text.trim();
        if node.children.is_empty() && text.is_empty() {
            self.text.push_str("/>");
            return self.end_line(node.origin);
        }
        self.text.push('>');
        if node.children.is_empty() {
            self.escaped(&node.text, node.origin, false);
        } else {
            self.escaped(text, node.origin, false);
            self.end_line(node.origin);
            for child in &node.children {
                self.node(child, depth + 1);
            }
            self.text.extend(std::iter::repeat_n("  ", depth));
        }
        self.text.push_str("</");
        self.text.push_str(&node.name);
        self.text.push('>');
        self.end_line(node.origin);
    }

    fn end_line(&mut self, origin: Origin) {
        self.text.push('\n');
        self.origins.push(origin);
    }

    fn escaped(&mut self, text: &str, origin: Origin, is_attribute: bool) {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' if is_attribute => self.text.push_str("&quot;"),
                '\n' if is_attribute => self.text.push_str("&#10;"),
                '\t' if is_attribute => self.text.push_str("&#9;"),
                '\r' => self.text.push_str("&#13;"),
                '\n' => self.end_line(origin),
                c => self.text.push(c),
            }
        }
    }
}
