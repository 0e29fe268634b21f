//! Elements outside of the tree, which name joints, bodies and geoms: of the main model and of attached ones.

use std::collections::HashMap;

use super::Loaded;
use super::bodies::Scope;
use super::document::{Document, Node};
use super::fields::Fields;
use super::model::Model;
use super::notes::Notes;
use super::settings::Settings;
use crate::Diagnostic;

/// Bodies and geoms by name.
#[derive(Debug)]
pub(super) struct Names<'m> {
    bodies: HashMap<&'m str, usize>,
    geoms: HashMap<&'m str, (usize, usize)>,
}

impl<'m> Names<'m> {
    /// The names of a model.
    pub(super) fn of(model: &'m Model) -> Self {
        let mut names = Self {
            bodies: HashMap::new(),
            geoms: HashMap::new(),
        };
        for (b, body) in model.bodies.iter().enumerate() {
            names.bodies.entry(&body.name).or_insert(b);
            for (g, geom) in body.geoms.iter().enumerate() {
                names.geoms.entry(&geom.name).or_insert((b, g));
            }
        }
        names
    }

    /// The index of a body.
    pub(super) fn body(&self, name: &str) -> Option<usize> {
        self.bodies.get(name).copied()
    }

    /// The body of a geom, and its index there.
    pub(super) fn geom(&self, name: &str) -> Option<(usize, usize)> {
        self.geoms.get(name).copied()
    }
}

/// An element with the scope that its names belong to.
#[derive(Clone, Copy)]
pub(super) struct Reference<'l> {
    pub(super) node: &'l Node,
    pub(super) scope: &'l Scope,
    pub(super) document: &'l Document,
    pub(super) settings: &'l Settings,
    /// True where a name that is not known is an error: nothing is attached or replicated.
    pub(super) is_plain: bool,
}

impl<'l> Reference<'l> {
    /// The name that an attribute gives, as the model has it.
    pub(super) fn named(self, attribute: &str) -> Option<String> {
        let name = self.node.word(attribute)?;
        Some(self.scope.full_name(name))
    }

    /// Its own name.
    pub(super) fn name(self) -> Option<String> {
        self.named("name")
    }

    /// Its fields with defaults.
    pub(super) fn fields<'a, 'r>(
        self,
        subject: &'a str,
        kinds: &'a [&'a str],
        notes: &'a Notes<'r>,
    ) -> Result<Fields<'a, 'r>, Diagnostic>
    where
        'l: 'a,
    {
        Fields::with_classes(self.node, subject, kinds, None, self.document, notes)
    }

    /// The refusal or the warning about a name that is not known.
    pub(super) fn unknown(
        self,
        attribute: &str,
        kind: &str,
        notes: &mut Notes<'_>,
    ) -> Result<(), Diagnostic> {
        let name = self.node.word(attribute).unwrap_or_default();
        if self.is_plain {
            let problem = format!("there is no {kind} `{name}`");
            return Err(notes.error(self.node.place, &self.node.name, problem));
        }
        let what = format!(
            "<{}> of a {kind} that is not attached, or is a replica, is left out",
            self.node.name
        );
        notes.leave_out(what, self.node.place);
        Ok(())
    }
}

impl Loaded {
    /// The elements of a section, in all models.
    pub(super) fn references<'l>(
        &'l self,
        section: impl Fn(&'l Document) -> &'l [Node] + 'l,
    ) -> impl Iterator<Item = Reference<'l>> {
        let is_plain = self.scopes.len() == 1 && !self.has_replicas;
        self.scopes.iter().flat_map(move |scope| {
            let document = self.documents.get(scope.document);
            let document = document.expect("scopes name documents that were read");
            let settings = self.settings.get(scope.document);
            let settings = settings.expect("each document has settings");
            section(document).iter().map(move |node| Reference {
                node,
                scope,
                document,
                settings,
                is_plain,
            })
        })
    }
}
