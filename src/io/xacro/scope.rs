//! Names and their values: properties, blocks and macros, each in the scope that defined it.

use std::collections::HashMap;
use std::rc::Rc;

use super::value::Value;
use super::write::Node;
use crate::io::xml::Element;

/// A property.
#[derive(Debug, Clone)]
pub(super) enum Slot {
    /// Text that is evaluated when it is needed.
    Raw(Rc<str>),
    /// It is being evaluated.
    Busy,
    Ready(Value),
}

/// XML that is inserted by name.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// Block of a property: as it was written, and its file.
    Raw(Rc<Element>, usize),
    /// Block of a call: expanded in the scope of the caller.
    Done(Rc<Node>),
}

/// A macro.
#[derive(Debug, Clone)]
pub(super) struct Macro {
    pub(super) name: String,
    pub(super) params: Vec<Param>,
    pub(super) body: Element,
    /// The file that it is from.
    pub(super) file: usize,
}

/// A parameter of a macro; a block's name begins with `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Param {
    pub(super) name: String,
    /// `:=^`: the value of the property of this name where the caller has one.
    pub(super) is_forwarded: bool,
    pub(super) default: Option<String>,
}

/// One scope: that of the file, of a call, or of a file that was included under a name.
#[derive(Debug, Default)]
struct Scope {
    slots: HashMap<String, Slot>,
    blocks: HashMap<String, Block>,
    macros: HashMap<String, Rc<Macro>>,
    parent: Option<usize>,
    is_namespace: bool,
}

/// All scopes; the first one is that of the file.
#[derive(Debug)]
pub(super) struct Scopes(Vec<Scope>);

impl Scopes {
    pub(super) fn new() -> Self {
        Self(vec![Scope::default()])
    }

    /// Opens a scope inside another one.
    pub(super) fn open(&mut self, parent: usize, is_namespace: bool) -> usize {
        self.0.push(Scope {
            parent: Some(parent),
            is_namespace,
            ..Scope::default()
        });
        self.0.len() - 1
    }

    /// Removes a scope and all that were opened after it.
    pub(super) fn close(&mut self, scope: usize) {
        self.0.truncate(scope);
    }

    fn open_scope(&mut self, scope: usize) -> &mut Scope {
        self.0.get_mut(scope).expect("the scope is open")
    }

    fn chain(&self, scope: usize) -> impl Iterator<Item = (usize, &Scope)> {
        let get = |i: usize| self.0.get(i).map(|scope| (i, scope));
        std::iter::successors(get(scope), move |(_, scope)| scope.parent.and_then(get))
    }

    /// The nearest scope that has a property, and the property.
    pub(super) fn slot(&self, scope: usize, name: &str) -> Option<(usize, &Slot)> {
        self.chain(scope)
            .find_map(|(i, scope)| Some((i, scope.slots.get(name)?)))
    }

    pub(super) fn set(&mut self, scope: usize, name: &str, slot: Slot) {
        let scope = self.open_scope(scope);
        scope.slots.insert(name.to_owned(), slot);
    }

    /// Removes a property from a scope and all around it.
    pub(super) fn remove(&mut self, scope: usize, name: &str) {
        let mut next = Some(scope);
        while let Some(scope) = next {
            let scope = self.open_scope(scope);
            scope.slots.remove(name);
            next = scope.parent;
        }
    }

    pub(super) fn block(&self, scope: usize, name: &str) -> Option<&Block> {
        self.chain(scope).find_map(|(_, s)| s.blocks.get(name))
    }

    pub(super) fn set_block(&mut self, scope: usize, name: String, block: Block) {
        self.open_scope(scope).blocks.insert(name, block);
    }

    pub(super) fn find_macro(&self, scope: usize, name: &str) -> Option<Rc<Macro>> {
        self.chain(scope)
            .find_map(|(_, s)| s.macros.get(name))
            .cloned()
    }

    pub(super) fn set_macro(&mut self, scope: usize, new: Macro) {
        let scope = self.open_scope(scope);
        scope.macros.insert(new.name.clone(), Rc::new(new));
    }

    /// The names of macros, nearest first.
    pub(super) fn macro_names(&self, scope: usize) -> Vec<&str> {
        self.chain(scope)
            .flat_map(|(_, s)| s.macros.keys().map(String::as_str))
            .collect()
    }

    /// The outermost scope.
    pub(super) fn top(&self, scope: usize) -> usize {
        self.chain(scope).last().map_or(0, |(i, _)| i)
    }

    /// The scope that a call was made from, past the names of files in between; `None` where there is none.
    pub(super) fn caller(&self, scope: usize) -> Option<usize> {
        let is_namespace = self.0.get(scope)?.is_namespace;
        let mut chain = self.chain(scope).skip(1);
        if is_namespace {
            return chain.next().map(|(i, _)| i);
        }
        chain.find(|(_, scope)| !scope.is_namespace).map(|(i, _)| i)
    }
}
