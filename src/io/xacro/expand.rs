//! Expansion of a file: plain elements are copied, those of `xacro:` are evaluated.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Expanded;
use super::scope::Scopes;
use super::value::Value;
use super::write::{Node, write};
use crate::io::context::Context;
use crate::io::position::Position;
use crate::io::xml::{self, Attribute, Element};
use crate::{Diagnostic, Error};

/// A file during expansion.
pub(super) struct Expander<'c, 'o> {
    pub(super) context: &'c mut Context<'o>,
    pub(super) scopes: Scopes,
    /// The values of `$(arg …)`.
    pub(super) args: BTreeMap<String, String>,
    /// The arguments that the files declare or use.
    pub(super) known_args: BTreeSet<String>,
    /// Names inside `[… for name in …]`, innermost last.
    pub(super) locals: Vec<(String, Value)>,
    /// Steps of expressions so far, and properties that depend on one another.
    pub(super) steps: usize,
    pub(super) waiting: usize,
    /// The files read so far, the current one, and those that include one another, innermost last.
    pub(super) files: Vec<PathBuf>,
    pub(super) file: usize,
    pub(super) open: Vec<usize>,
    /// The calls so far, and the current one.
    pub(super) calls: Vec<Call>,
    pub(super) call: Option<usize>,
    /// Position of the current expression.
    position: Position,
    depth: usize,
    elements: usize,
    bytes: u64,
}

/// A call of a macro, for messages.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) file: usize,
    pub(super) position: Position,
    /// The call that it is part of.
    pub(super) outer: Option<usize>,
}

/// Expands the text of a file.
pub(super) fn expand(
    context: &mut Context<'_>,
    path: &Path,
    text: &str,
) -> Result<Expanded, Diagnostic> {
    let args = context.options().xacro_args.iter().cloned().collect();
    let mut expander = Expander {
        context,
        scopes: Scopes::new(),
        args,
        known_args: BTreeSet::new(),
        locals: Vec::new(),
        steps: 0,
        waiting: 0,
        files: Vec::new(),
        file: 0,
        open: Vec::new(),
        calls: Vec::new(),
        call: None,
        position: Position { line: 1, column: 1 },
        depth: 0,
        elements: 0,
        bytes: 0,
    };
    let root = expander.parse(path, text)?;
    expander.open.push(0);
    let mut node = expander.node(&root);
    expander.attributes(&root, 0, &mut node)?;
    expander.inside(&root, 0, &mut node)?;
    expander.warn_of_unknown_args(path);
    let (text, origins) = write(&node);
    Ok(Expanded {
        text,
        origins,
        files: expander.files,
        calls: expander.calls,
    })
}

impl Expander<'_, '_> {
    /// The root of a file, which becomes the current file.
    pub(super) fn parse(&mut self, path: &Path, text: &str) -> Result<Element, Diagnostic> {
        let limits = self.context.options().limits;
        let report = self.context.report().of_file(path);
        let root = xml::parse(text, report, &limits)?;
        self.files.push(path.to_path_buf());
        self.file = self.files.len() - 1;
        Ok(root)
    }

    /// The file that relative names are relative to.
    pub(super) fn open_file(&self) -> &Path {
        let file = self.open.last().and_then(|&file| self.files.get(file));
        file.map_or(Path::new(""), PathBuf::as_path)
    }

    /// An error at a position of the current file; its help names the macros that led there.
    pub(super) fn error(&self, position: Position, problem: impl Into<String>) -> Diagnostic {
        let path = self
            .files
            .get(self.file)
            .map_or(Path::new(""), PathBuf::as_path);
        let error = Diagnostic::error(problem).at(path, position.line, position.column);
        match super::trace(&self.calls, &self.files, self.call) {
            Some(trace) => error.help(trace),
            None => error,
        }
    }

    /// Reports the arguments that the caller gave and no file asks for.
    fn warn_of_unknown_args(&mut self, path: &Path) {
        let known = || self.known_args.iter().map(String::as_str);
        let given = self.context.options().xacro_args.iter();
        let unknown: Vec<Diagnostic> = given
            .filter(|(name, _)| !self.known_args.contains(name))
            .map(|(name, _)| {
                // the error has the words for what was meant
                let error = Error::not_found("argument", name, known());
                Diagnostic::warning(format!("xacro: {error}; it changes nothing")).in_file(path)
            })
            .collect();
        for warning in unknown {
            self.context.warn(warning);
        }
    }

    /// Reports a warning about the current expression.
    pub(super) fn warn(&mut self, problem: String) {
        let mut warning = self.error(self.position, problem);
        warning.severity = crate::Severity::Warning;
        self.context.warn(warning);
    }

    /// Counts elements of the result.
    pub(super) fn spend(&mut self, elements: usize, at: &Element) -> Result<(), Diagnostic> {
        self.elements = self.elements.saturating_add(elements);
        let limit = self.context.options().limits.elements;
        if self.elements <= limit {
            return Ok(());
        }
        let error = self.error(
            at.position,
            format!("the macros make more than {limit} elements"),
        );
        Err(error.help("raise `limits.elements` of the load options"))
    }

    /// Counts bytes of the result.
    fn spend_bytes(&mut self, bytes: usize, position: Position) -> Result<(), Diagnostic> {
        self.bytes = self.bytes.saturating_add(bytes as u64);
        let limit = self.context.options().limits.text_size;
        if self.bytes <= limit {
            return Ok(());
        }
        let error = self.error(position, format!("the macros make more than {limit} bytes"));
        Err(error.help("raise `limits.text_size` of the load options"))
    }

    /// Goes one level deeper: into an element, a macro or a file.
    pub(super) fn enter<T>(
        &mut self,
        element: &Element,
        work: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        let limit = self.context.options().limits.nesting;
        if self.depth >= limit {
            let problem = format!("elements, macros and files are nested more than {limit} deep");
            let error = self.error(element.position, problem);
            return Err(error.help("a macro that calls itself needs an <xacro:if> that ends it; or raise `limits.nesting` of the load options"));
        }
        self.depth += 1;
        let outcome = work(self);
        self.depth -= 1;
        outcome
    }

    /// The value of a text at a position.
    pub(super) fn value(
        &mut self,
        text: &str,
        position: Position,
        scope: usize,
    ) -> Result<Value, Diagnostic> {
        self.position = position;
        let value = self.text(text, scope);
        value.map_err(|problem| self.error(position, problem))
    }

    /// A mandatory attribute.
    pub(super) fn required<'e>(
        &self,
        element: &'e Element,
        name: &str,
    ) -> Result<&'e Attribute, Diagnostic> {
        let missing = || {
            self.error(
                element.position,
                format!("<{}> needs the attribute `{name}`", element.name),
            )
        };
        element.attribute(name).ok_or_else(missing)
    }

    /// The value of an attribute with its expressions evaluated; `None` if it is missing.
    pub(super) fn word(
        &mut self,
        element: &Element,
        name: &str,
        scope: usize,
    ) -> Result<Option<String>, Diagnostic> {
        match element.attribute(name) {
            Some(attribute) => {
                let value = self.value(&attribute.value, attribute.position, scope)?;
                Ok(Some(value.to_text()))
            }
            None => Ok(None),
        }
    }

    /// The truth of a condition.
    pub(super) fn holds(&self, value: &Value, attribute: &Attribute) -> Result<bool, Diagnostic> {
        let Value::Text(text) = value else {
            return Ok(value.is_true());
        };
        match Value::literal(text) {
            Value::Bool(holds) => Ok(holds),
            Value::Int(i) => Ok(i != 0),
            _ => {
                let shown = super::evaluate::shortened(text);
                let problem = format!("`{shown}` is neither true nor false");
                Err(self
                    .error(attribute.position, problem)
                    .help("a condition is true, false, or a whole number"))
            }
        }
    }

    /// Copies the attributes of a plain element.
    pub(super) fn attributes(
        &mut self,
        element: &Element,
        scope: usize,
        out: &mut Node,
    ) -> Result<(), Diagnostic> {
        for attribute in &element.attributes {
            if attribute.name.starts_with("xacro:") || attribute.name == "xmlns:xacro" {
                continue;
            }
            let value = self
                .value(&attribute.value, attribute.position, scope)?
                .to_text();
            self.spend_bytes(attribute.name.len() + value.len(), attribute.position)?;
            out.set(attribute.name.clone(), value);
        }
        Ok(())
    }

    /// Expands the contents of an element in order, and appends them to `out`.
    pub(super) fn inside(
        &mut self,
        element: &Element,
        scope: usize,
        out: &mut Node,
    ) -> Result<(), Diagnostic> {
        for child in &element.children {
            self.enter(child, |this| this.child(child, scope, out))?;
        }

        // text may use definitions of the elements in it
        if !element.text.trim().is_empty() {
            let text = self
                .value(&element.text, element.position, scope)?
                .to_text();
            self.spend_bytes(text.len(), element.position)?;
            out.text.push_str(&text);
        }
        Ok(())
    }

    fn child(&mut self, child: &Element, scope: usize, out: &mut Node) -> Result<(), Diagnostic> {
        let Some(name) = child.name.strip_prefix("xacro:") else {
            return self.plain(child, child.name.clone(), scope, out);
        };
        match name {
            "arg" => self.argument_of(child, scope),
            "attribute" => {
                let name = self.required(child, "name")?;
                let name = self.value(&name.value, name.position, scope)?.to_text();
                let value = self.required(child, "value")?;
                let value = self.value(&value.value, value.position, scope)?.to_text();
                self.check_name(&name, child)?;
                out.set(name, value);
                Ok(())
            }
            "call" => {
                let called = self.required(child, "macro")?;
                let name = self.value(&called.value, called.position, scope)?.to_text();
                self.call_macro(&name, child, scope, out)
            }
            "element" => {
                let name = self.required(child, "xacro:name")?;
                let name = self.value(&name.value, name.position, scope)?.to_text();
                self.check_name(&name, child)?;
                self.plain(child, name, scope, out)
            }
            "if" | "unless" => {
                let condition = self.required(child, "value")?;
                let value = self.value(&condition.value, condition.position, scope)?;
                if self.holds(&value, condition)? == (name == "if") {
                    self.inside(child, scope, out)?;
                }
                Ok(())
            }
            "include" => self.include(child, scope, out),
            "insert_block" => self.insert(child, scope, out),
            "macro" => self.define(child, scope),
            "property" => self.define_property(child, scope),
            name => self.call_macro(name, child, scope, out),
        }
    }

    /// An element that is not a macro.
    fn plain(
        &mut self,
        element: &Element,
        name: String,
        scope: usize,
        out: &mut Node,
    ) -> Result<(), Diagnostic> {
        self.spend(1, element)?;
        self.spend_bytes(name.len(), element.position)?;
        let mut node = self.node(element);
        node.name = name;
        self.attributes(element, scope, &mut node)?;
        self.inside(element, scope, &mut node)?;
        out.children.push(node);
        Ok(())
    }

    /// Refuses a computed name that is not one of XML.
    fn check_name(&self, name: &str, element: &Element) -> Result<(), Diagnostic> {
        let is_letter = |c: char| c.is_alphanumeric() || "_-.:".contains(c);
        if name.starts_with(|c: char| c.is_alphabetic() || c == '_') && name.chars().all(is_letter)
        {
            return Ok(());
        }
        let shown = super::evaluate::shortened(name);
        Err(self.error(element.position, format!("`{shown}` is not a name in XML")))
    }
}
