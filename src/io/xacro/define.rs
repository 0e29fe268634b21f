//! `<xacro:property>`, `<xacro:arg>`, `<xacro:include>` and `<xacro:insert_block>`.

use std::rc::Rc;

use super::evaluate::shortened;
use super::expand::Expander;
use super::scope::{Block, Slot};
use super::value::Value;
use super::write::Node;
use crate::Diagnostic;
use crate::io::resolve::Referrer;
use crate::io::xml::Element;

impl Expander<'_, '_> {
    /// `<xacro:property>`: defines a value, or a block of elements.
    pub(super) fn define_property(
        &mut self,
        element: &Element,
        scope: usize,
    ) -> Result<(), Diagnostic> {
        let name = self.required(element, "name")?;
        let name = self.value(&name.value, name.position, scope)?.to_text();
        if !is_identifier(&name) {
            let problem = format!("`{}` is not a name for a property", shortened(&name));
            let error = self.error(element.position, problem);
            return Err(
                error.help("names are letters, digits and _, and do not begin with a digit or __")
            );
        }
        if self.flag(element, "remove", scope)? == Some(true) {
            self.scopes.remove(scope, &name);
            return Ok(());
        }
        let value = match (element.attribute("value"), element.attribute("default")) {
            (Some(_), Some(default)) => {
                let problem = format!("the property `{name}` has both `value` and `default`");
                return Err(self.error(default.position, problem));
            }
            (None, Some(_)) if self.scopes.slot(scope, &name).is_some() => return Ok(()),
            (value, default) => value.or(default),
        };
        let is_lazy = self.flag(element, "lazy_eval", scope)? != Some(false);
        let within = self.word(element, "scope", scope)?;
        let home = match within.as_deref() {
            None => scope,
            Some("global") => self.scopes.top(scope),
            Some("parent") => match self.scopes.caller(scope) {
                Some(caller) => caller,
                None => return Ok(()),
            },
            Some(other) => {
                let problem = format!(
                    "`scope` is `parent` or `global`, got `{}`",
                    shortened(other)
                );
                return Err(self.error(element.position, problem));
            }
        };
        let Some(value) = value else {
            self.spend(element.children.len(), element)?;
            let block = Block::Raw(Rc::new(element.clone()), self.file);
            self.scopes.set_block(home, format!("**{name}"), block);
            return Ok(());
        };
        let slot = if is_lazy && within.is_none() {
            match Value::literal(&value.value) {
                Value::Text(text) => Slot::Raw(text),
                value => Slot::Ready(value),
            }
        } else {
            Slot::Ready(match self.value(&value.value, value.position, scope)? {
                Value::Text(text) => Value::literal(&text),
                value => value,
            })
        };
        self.scopes.set(home, &name, slot);
        Ok(())
    }

    fn flag(
        &mut self,
        element: &Element,
        name: &str,
        scope: usize,
    ) -> Result<Option<bool>, Diagnostic> {
        let Some(attribute) = element.attribute(name) else {
            return Ok(None);
        };
        let value = self.value(&attribute.value, attribute.position, scope)?;
        self.holds(&value, attribute).map(Some)
    }

    /// `<xacro:arg>`: the default of an argument.
    pub(super) fn argument_of(
        &mut self,
        element: &Element,
        scope: usize,
    ) -> Result<(), Diagnostic> {
        let name = self.required(element, "name")?.value.clone();
        self.known_args.insert(name.clone());
        if self.args.contains_key(&name) {
            return Ok(());
        }
        // without a default the caller must give it; its first use reports a missing one
        if let Some(default) = self.word(element, "default", scope)? {
            self.args.insert(name, default);
        }
        Ok(())
    }

    /// `<xacro:include>`: expands another file.
    pub(super) fn include(
        &mut self,
        element: &Element,
        scope: usize,
        out: &mut Node,
    ) -> Result<(), Diagnostic> {
        let attribute = self.required(element, "filename")?;
        let name = self
            .value(&attribute.value, attribute.position, scope)?
            .to_text();
        let is_optional = self.flag(element, "optional", scope)? == Some(true);
        let inner = match self.word(element, "ns", scope)? {
            Some(namespace) => {
                let inner = self.scopes.open(scope, true);
                self.scopes
                    .set(scope, &namespace, Slot::Ready(Value::Scope(inner)));
                inner
            }
            None => scope,
        };
        let from = self.open_file().to_path_buf();
        let found = self.context.find_optional(Referrer::new(&from), &name);
        let path = match found {
            Ok(Ok(path)) => path,
            Ok(Err(_)) if is_optional => return Ok(()),
            Ok(Err(missing)) | Err(missing) => {
                let error = self.error(attribute.position, missing.message);
                return Err(match missing.help {
                    Some(help) => error.help(help),
                    None => error,
                });
            }
        };
        let read = self.context.read_text(&path);
        let text = read.map_err(|error| {
            error.named_at(
                self.here(),
                attribute.position.line,
                attribute.position.column,
            )
        })?;
        self.enter(element, |this| {
            let outside = (this.file, this.call);
            this.call = None;
            let root = this.parse(&path, &text)?;
            this.open.push(this.file);
            let expanded = this.inside(&root, inner, out);
            this.open.pop();
            (this.file, this.call) = outside;
            expanded
        })
    }

    fn here(&self) -> &std::path::Path {
        self.files
            .get(self.file)
            .map_or(std::path::Path::new(""), |path| path)
    }

    /// `<xacro:insert_block>`: inserts a block of a call or of a property.
    pub(super) fn insert(
        &mut self,
        element: &Element,
        scope: usize,
        out: &mut Node,
    ) -> Result<(), Diagnostic> {
        let name = self.required(element, "name")?.value.clone();
        let contents = self.scopes.block(scope, &format!("**{name}"));
        let block = self.scopes.block(scope, &format!("*{name}"));
        let is_contents = contents.is_some();
        match contents.or(block).cloned() {
            Some(Block::Done(node)) => {
                self.spend(count(&node), element)?;
                match is_contents {
                    true => {
                        out.text.push_str(&node.text);
                        out.children.extend(node.children.iter().cloned());
                    }
                    false => out.children.push((*node).clone()),
                }
                Ok(())
            }
            Some(Block::Raw(block, file)) => {
                let outside = std::mem::replace(&mut self.file, file);
                let expanded = self.enter(element, |this| this.inside(&block, scope, out));
                self.file = outside;
                expanded
            }
            None => {
                let error =
                    self.error(element.position, format!("there is no block `{name}` here"));
                Err(error.help(format!("a block is a parameter `*{name}` of the macro, or a property with elements inside")))
            }
        }
    }
}

fn count(node: &Node) -> usize {
    1 + node.children.iter().map(count).sum::<usize>()
}

fn is_identifier(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !name.starts_with("__")
        && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}
