//! Macros: definitions, parameters and calls.

use std::rc::Rc;

use super::expand::{Call, Expander};
use super::scope::{Block, Macro, Param, Slot};
use super::value::Value;
use super::write::{Node, Origin};
use crate::Diagnostic;
use crate::io::words::closest;
use crate::io::xml::Element;

/// The parameters that a text declares: `name`, `name:=default`, `name:=^|default`, `*block`, `**block`.
pub(super) fn params(text: &str) -> Vec<Param> {
    let mut params = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c.is_whitespace() || c == ':' || c == '=');
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        let behind = after.trim_start();
        let assigned = behind
            .strip_prefix(":=")
            .or_else(|| behind.strip_prefix('='));
        if name.is_empty() || assigned.is_none() {
            // no default: all up to the next space
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (name, after) = rest.split_at(end);
            params.push(Param {
                name: name.to_owned(),
                is_forwarded: false,
                default: None,
            });
            rest = after.trim_start();
            continue;
        }
        let value = assigned.unwrap_or_default().trim_start();
        let forwarded = value.strip_prefix('^');
        let value = forwarded.map_or(value, |value| value.strip_prefix('|').unwrap_or(value));
        let (default, after) = value.split_at(length_of_default(value));
        params.push(Param {
            name: name.to_owned(),
            is_forwarded: forwarded.is_some(),
            default: (!default.is_empty()).then(|| default.to_owned()),
        });
        rest = after.trim_start();
    }
    params
}

/// The bytes of a default: an expression in brackets, or a word in which quotes protect spaces.
fn length_of_default(text: &str) -> usize {
    for (start, end) in [("${", '}'), ("$(", ')')] {
        if text.starts_with(start) {
            let ends = text.match_indices(end).map(|(at, _)| at + 1);
            let is_end = |at: &usize| {
                let next = text.get(*at..).and_then(|rest| rest.chars().next());
                next.is_none_or(char::is_whitespace)
            };
            if let Some(length) = ends.into_iter().find(is_end) {
                return length;
            }
        }
    }
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c.is_whitespace() => return at,
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None => {}
        }
    }
    text.len()
}

impl Expander<'_, '_> {
    /// `<xacro:macro>`: defines a macro.
    pub(super) fn define(&mut self, element: &Element, scope: usize) -> Result<(), Diagnostic> {
        let name = self.required(element, "name")?.value.clone();
        let name = name.strip_prefix("xacro:").unwrap_or(&name).to_owned();
        let params = element
            .attribute("params")
            .map_or("", |params| &params.value);
        self.spend(count(element), element)?;
        self.scopes.set_macro(
            scope,
            Macro {
                name,
                params: self::params(params),
                body: element.clone(),
                file: self.file,
            },
        );
        Ok(())
    }

    /// `<xacro:NAME …>`: expands the body of a macro into `out`.
    pub(super) fn call_macro(
        &mut self,
        name: &str,
        element: &Element,
        scope: usize,
        out: &mut Node,
    ) -> Result<(), Diagnostic> {
        let Some((definition, around)) = self.resolve(name, scope) else {
            let error = self.error(element.position, format!("no macro is named `{name}`"));
            let known = self.scopes.macro_names(scope);
            let advice = closest(name, known.iter().copied());
            return Err(match advice {
                Some(known) => error.help(format!("did you mean <xacro:{known}>?")),
                None => error.help(
                    "it is defined further down, in a file that is not included, or misspelt",
                ),
            });
        };
        self.spend(1, element)?;
        let inner = self.scopes.open(around, false);
        let called = self.fill(&definition, element, scope, inner);
        let outcome = called.and_then(|()| {
            self.enter(element, |this| {
                this.calls.push(Call {
                    name: definition.name.clone(),
                    file: this.file,
                    position: element.position,
                    outer: this.call,
                });
                let call = Some(this.calls.len() - 1);
                let outside = (
                    std::mem::replace(&mut this.call, call),
                    std::mem::replace(&mut this.file, definition.file),
                );
                let expanded = this.inside(&definition.body, inner, out);
                (this.call, this.file) = outside;
                expanded
            })
        });
        self.scopes.close(inner);
        outcome
    }

    /// The macro of a name, and the parent of its scope.
    fn resolve(&mut self, name: &str, scope: usize) -> Option<(Rc<Macro>, usize)> {
        if let Some(found) = self.scopes.find_macro(scope, name) {
            return Some((found, scope));
        }
        let (path, name) = name.rsplit_once('.')?;
        let mut around = scope;
        for part in path.split('.') {
            match self.scopes.slot(around, part)?.1 {
                Slot::Ready(Value::Scope(inner)) => around = *inner,
                _ => return None,
            }
        }
        Some((self.scopes.find_macro(around, name)?, around))
    }

    /// Gives the parameters their values: attributes and blocks of the call, then defaults.
    fn fill(
        &mut self,
        definition: &Macro,
        element: &Element,
        scope: usize,
        inner: usize,
    ) -> Result<(), Diagnostic> {
        let name = &definition.name;
        let mut open: Vec<&Param> = definition.params.iter().collect();
        for attribute in &element.attributes {
            if attribute.name.starts_with("xmlns")
                || (element.name == "xacro:call" && attribute.name == "macro")
            {
                continue;
            }
            let Some(at) = open.iter().position(|param| param.name == attribute.name) else {
                let known: Vec<&str> = definition
                    .params
                    .iter()
                    .map(|param| param.name.as_str())
                    .collect();
                let problem = format!("macro `{name}` has no parameter `{}`", attribute.name);
                let help = match known.is_empty() {
                    true => "it has none".to_owned(),
                    false => format!("its parameters are {}", known.join(", ")),
                };
                return Err(self.error(attribute.position, problem).help(help));
            };
            open.remove(at);
            let value = self.value(&attribute.value, attribute.position, scope)?;
            self.scopes
                .set(inner, &attribute.name, Slot::Ready(literal(value)));
        }

        // the contents of the call belong to the caller
        let mut blocks = self.node(element);
        self.inside(element, scope, &mut blocks)?;
        let mut blocks = blocks.children.into_iter();
        let is_block = |param: &&Param| param.name.starts_with('*');
        for param in open.iter().copied().filter(is_block) {
            let Some(block) = blocks.next() else {
                let problem = format!(
                    "macro `{name}` needs an element inside for its parameter `{}`",
                    param.name
                );
                return Err(self.error(element.position, problem));
            };
            self.scopes
                .set_block(inner, param.name.clone(), Block::Done(Rc::new(block)));
        }
        if let Some(block) = blocks.next() {
            let problem = format!(
                "macro `{name}` has no parameter for the <{}> inside",
                block.name
            );
            return Err(self
                .error(element.position, problem)
                .help("parameters for elements begin with `*`"));
        }

        open.retain(|param| !is_block(param));
        let mut missing = Vec::new();
        for param in open {
            let forwarded = param.is_forwarded && self.scopes.slot(scope, &param.name).is_some();
            let value = match &param.default {
                _ if forwarded => {
                    let text = format!("${{{}}}", param.name);
                    self.value(&text, element.position, scope)?
                }
                Some(default) => literal(self.value(default, element.position, scope)?),
                None => {
                    missing.push(param.name.as_str());
                    continue;
                }
            };
            self.scopes.set(inner, &param.name, Slot::Ready(value));
        }
        if missing.is_empty() {
            return Ok(());
        }
        let problem = format!("macro `{name}` needs values for {}", missing.join(", "));
        Err(self.error(element.position, problem))
    }

    /// An empty element of this name, from here.
    pub(super) fn node(&self, element: &Element) -> Node {
        Node {
            name: element.name.clone(),
            attributes: Vec::new(),
            text: String::new(),
            children: Vec::new(),
            origin: Origin {
                file: self.file,
                position: element.position,
                call: self.call,
            },
        }
    }
}

/// The elements in an element, itself included; no deeper than the XML reader allows.
fn count(element: &Element) -> usize {
    1 + element.children.iter().map(count).sum::<usize>()
}

fn literal(value: Value) -> Value {
    match value {
        Value::Text(text) => Value::literal(&text),
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_come_with_and_without_defaults() {
        let text = "a b:=1 c:=^ d:=^|${x + 1} e='one two' *f **g h:=${a}_${b} i := $(arg x)";
        let read: Vec<String> = params(text)
            .into_iter()
            .map(|p| {
                format!(
                    "{}{}{}",
                    p.name,
                    if p.is_forwarded { "^" } else { "" },
                    p.default.unwrap_or_default()
                )
            })
            .collect();
        let expected = [
            "a",
            "b1",
            "c^",
            "d^${x + 1}",
            "e'one two'",
            "*f",
            "**g",
            "h${a}_${b}",
            "i$(arg x)",
        ];
        assert_eq!(read, expected);
    }
}
