//! XML as a small tree with positions.
//!
//! Names keep their prefixes, comments and processing instructions are dropped, the standard entities are
//! resolved. Document type declarations are refused, and so is nesting deeper than the limits allow.

use std::collections::HashSet;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::errors::IllFormedError;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesStart, Event};

use super::options::LoadLimits;
use super::position::Position;
use super::report::FileReport;
use crate::Diagnostic;

/// An element and its contents.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) name: String,
    /// Position of its `<`.
    pub(crate) position: Position,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) children: Vec<Self>,
    /// Its own text, without that of its children.
    pub(crate) text: String,
    /// Its bytes in the file, tags included.
    pub(crate) span: Range<usize>,
}

/// An attribute with its entities resolved.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Position of its name.
    pub(crate) position: Position,
}

impl Element {
    /// The attribute of this name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes
            .iter()
            .find(|attribute| attribute.name == name)
    }
}

/// The root element of an XML file.
///
/// One mistake of real files is repaired with a warning: `<a> … <a/>` where `<a/>` was meant to be `</a>`.
pub(crate) fn parse(
    text: &str,
    file: FileReport<'_>,
    limits: &LoadLimits,
) -> Result<Element, Diagnostic> {
    // the byte order mark is not a character of the file
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut builder = Builder {
        text: body,
        file,
        limits,
        cursor: Cursor::new(body),
        open: Vec::new(),
        root: None,
        elements: 0,
    };
    let mut reader = Reader::from_str(body);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = reader.read_event().map_err(|error| {
            let at = usize::try_from(reader.error_position()).unwrap_or(usize::MAX);
            builder.error(at, readable(&error))
        })?;
        let end = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        match event {
            Event::Start(tag) => builder.open(&tag, start)?,
            Event::Empty(tag) => {
                builder.open(&tag, start)?;
                builder.close_innermost(end);
            }
            Event::End(tag) => builder.close(tag.name().as_ref(), start, end)?,
            Event::Text(piece) => builder.add_text(&piece, start)?,
            Event::CData(piece) => builder.add_text(&piece, start)?,
            Event::GeneralRef(name) => match name.resolve_char_ref() {
                Ok(Some(character)) => {
                    builder.add_text(character.encode_utf8(&mut [0; 4]), start)?
                }
                _ => match resolve_predefined_entity(&name) {
                    Some(resolved) => builder.add_text(resolved, start)?,
                    None => return Err(builder.error(start, unknown_entity(&name))),
                },
            },
            Event::DocType(_) => {
                let message = "document type declarations (`<!DOCTYPE`) are not allowed";
                return Err(builder.error(start, message.to_owned()));
            }
            Event::Decl(_) if start > 0 => builder.warn(
                start,
                "the XML declaration `<?xml …?>` is not at the very start of the file".to_owned(),
            ),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            Event::Eof => return builder.finish(),
        }
    }
}

/// The tree during parsing; a stack instead of recursion.
struct Builder<'a> {
    text: &'a str,
    file: FileReport<'a>,
    limits: &'a LoadLimits,
    cursor: Cursor<'a>,
    /// The elements that are not closed yet, outermost first.
    open: Vec<Element>,
    root: Option<Element>,
    elements: usize,
}

impl Builder<'_> {
    fn open(&mut self, tag: &BytesStart<'_>, start: usize) -> Result<(), Diagnostic> {
        self.elements += 1;
        let LoadLimits {
            elements, nesting, ..
        } = *self.limits;
        if self.elements > elements {
            let error = self.error(start, format!("more than {elements} elements"));
            return Err(error.help("raise `limits.elements` of the load options"));
        }
        if self.open.len() >= nesting {
            let message = format!("elements are nested more than {nesting} deep");
            let error = self.error(start, message);
            return Err(error.help("raise `limits.nesting` of the load options"));
        }
        if self.open.is_empty() && self.root.is_some() {
            let message = format!("`<{}>` comes after the end of the root element", name(tag));
            return Err(self.error(start, message));
        }
        let position = self.cursor.position(start);
        let attributes = self.attributes(tag, start)?;
        self.open.push(Element {
            name: name(tag),
            position,
            attributes,
            children: Vec::new(),
            text: String::new(),
            span: start..start,
        });
        Ok(())
    }

    fn attributes(
        &mut self,
        tag: &BytesStart<'_>,
        start: usize,
    ) -> Result<Vec<Attribute>, Diagnostic> {
        // offsets inside the tag count from after its `<`
        let inside = start + 1;
        let tag_start = tag.as_ptr() as usize;
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut seen = HashSet::new();
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| {
                let (at, message) = malformed_attribute(&error);
                self.error(inside + at, message)
            })?;
            let key = attribute.key.as_ref();
            let at = inside + (key.as_ptr() as usize).saturating_sub(tag_start);
            if !seen.insert(key.to_owned()) {
                let message = format!("attribute `{key}` is given twice");
                return Err(self.error(at, message));
            }
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| self.error(at, readable(&error)))?;
            attributes.push(Attribute {
                name: key.to_owned(),
                value: value.into_owned(),
                position: self.cursor.position(at),
            });
        }
        Ok(attributes)
    }

    fn add_text(&mut self, piece: &str, start: usize) -> Result<(), Diagnostic> {
        match self.open.last_mut() {
            Some(element) => element.text.push_str(piece),
            None if piece.trim().is_empty() => {}
            None => return Err(self.error(start, "text outside of the root element".to_owned())),
        }
        Ok(())
    }

    fn close(&mut self, name: &str, start: usize, end: usize) -> Result<(), Diagnostic> {
        let Some((innermost, outer)) = self.open.split_last() else {
            return Err(self.error(start, format!("`</{name}>` closes nothing")));
        };
        if innermost.name == name {
            self.close_innermost(end);
            return Ok(());
        }

        // `<a> … <a/> </outer>`: the empty element was meant to be the end
        let is_typo = innermost.children.last().is_some_and(|last| {
            last.name == innermost.name && last.attributes.is_empty() && last.children.is_empty()
        });
        if is_typo && outer.last().is_some_and(|outer| outer.name == name) {
            let innermost = self.open.last_mut();
            let typo = innermost.and_then(|innermost| innermost.children.pop());
            let typo = typo.expect("the innermost element ends with the empty one");
            let name = &typo.name;
            let message =
                format!("`<{name}>` is never closed; `<{name}/>` is taken as `</{name}>`");
            let warning = Diagnostic::warning(message);
            self.file.add(self.file.at(typo.position, warning));
            self.close_innermost(typo.span.end);
            self.close_innermost(end);
            return Ok(());
        }
        let message = format!(
            "`</{name}>` does not close `<{}>` of line {}",
            innermost.name, innermost.position.line
        );
        Err(self.error(start, message))
    }

    fn close_innermost(&mut self, end: usize) {
        let mut element = self.open.pop().expect("an element is open");
        element.span.end = end;
        // a large file has many of these
        element.children.shrink_to_fit();
        element.attributes.shrink_to_fit();
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
    }

    fn finish(self) -> Result<Element, Diagnostic> {
        if let Some(open) = self.open.last() {
            let message = format!("`<{}>` is never closed", open.name);
            return Err(self.error(open.span.start, message));
        }
        let nothing = "there is no XML element in this file";
        self.root
            .ok_or_else(|| Diagnostic::error(nothing).in_file(self.file.path))
    }

    fn warn(&mut self, at: usize, message: String) {
        let position = self.cursor.position(at);
        self.file
            .add(self.file.at(position, Diagnostic::warning(message)));
    }

    fn error(&self, at: usize, message: String) -> Diagnostic {
        let position = Cursor::new(self.text).position(at);
        self.file.at(position, Diagnostic::error(message))
    }
}

/// Converts growing byte offsets to positions, each byte read once.
struct Cursor<'a> {
    bytes: &'a [u8],
    offset: usize,
    position: Position,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            bytes: text.as_bytes(),
            offset: 0,
            position: Position { line: 1, column: 1 },
        }
    }

    fn position(&mut self, offset: usize) -> Position {
        let offset = offset.clamp(self.offset, self.bytes.len());
        let passed = self.bytes.get(self.offset..offset).unwrap_or_default();
        for byte in passed {
            match byte {
                b'\n' => {
                    self.position.line = self.position.line.saturating_add(1);
                    self.position.column = 1;
                }
                // the later bytes of a character
                0x80..=0xbf => {}
                _ => self.position.column = self.position.column.saturating_add(1),
            }
        }
        self.offset = offset;
        self.position
    }
}

fn name(tag: &BytesStart<'_>) -> String {
    tag.name().as_ref().to_owned()
}

fn unknown_entity(name: &str) -> String {
    format!("unknown entity `&{name};`; only lt, gt, amp, apos and quot are known")
}

/// Message of an error, without the name of the crate's type.
fn readable(error: &quick_xml::Error) -> String {
    use quick_xml::escape::EscapeError;
    match error {
        quick_xml::Error::Syntax(error) => error.to_string(),
        quick_xml::Error::IllFormed(IllFormedError::UnclosedReference)
        | quick_xml::Error::Escape(EscapeError::UnterminatedEntity(_)) => {
            "`&` without `;`; write `&amp;` for the character itself".to_owned()
        }
        quick_xml::Error::IllFormed(error) => error.to_string(),
        quick_xml::Error::Escape(EscapeError::UnrecognizedEntity(_, name)) => unknown_entity(name),
        other => other.to_string(),
    }
}

/// Offset in a tag, and message.
fn malformed_attribute(error: &AttrError) -> (usize, String) {
    match *error {
        AttrError::ExpectedEq(at) => (at, "an attribute needs `=\"value\"`".to_owned()),
        AttrError::ExpectedValue(at) => (at, "an attribute has no value after `=`".to_owned()),
        AttrError::UnquotedValue(at) => (at, "an attribute's value needs quotes".to_owned()),
        AttrError::ExpectedQuote(at, quote) => (
            at,
            format!(
                "an attribute's value lacks its closing {}",
                char::from(quote)
            ),
        ),
        AttrError::Duplicated(at, _) => (at, "an attribute is given twice".to_owned()),
    }
}
