//! From a [`Document`] to a robot: the order of the steps, and their shared state.

use std::collections::HashMap;
use std::path::Path;

use super::count;
use super::document::Document;
use crate::io::context::Context;
use crate::io::position::Position;
use crate::io::words::Word;
use crate::robot::{LinkId, Part, RobotBuilder};
use crate::{Diagnostic, Error, LoadError};

/// The robot of a document.
pub(super) fn build(
    ctx: &mut Context<'_>,
    path: &Path,
    doc: &Document<'_>,
) -> Result<RobotBuilder, LoadError> {
    let mut build = Build {
        ctx,
        path,
        doc,
        n: count::links(doc, path)?,
        robot: RobotBuilder::new(crate::io::name(path)),
        by_name: HashMap::new(),
        n_named: 0,
    };
    build.ctx.check_links(build.n, path)?;
    count::check(&mut build)?;
    build.add_links()?;
    build.add_joints()?;
    build.add_drivers()?;
    build.add_shapes()?;
    build.mount_shapes()?;
    build.weigh()?;
    build.warn_of_links();
    build.add_properties()?;
    let later = build.add_pairs()?;
    build.mount_robots()?;
    build.add_later_pairs(later)?;
    Ok(build.robot)
}

/// A robot that is being built.
#[derive(Debug)]
pub(super) struct Build<'b, 'c> {
    pub(super) ctx: &'b mut Context<'c>,
    pub(super) path: &'b Path,
    pub(super) doc: &'b Document<'b>,
    /// The number of links, without those of mounted robots.
    pub(super) n: usize,
    pub(super) robot: RobotBuilder,
    /// The first link of each name, of the first `n_named` links.
    by_name: HashMap<String, LinkId>,
    n_named: usize,
}

impl Build<'_, '_> {
    /// Registers the names of the links that were added since the last call.
    pub(super) fn name_links(&mut self) {
        for (i, link) in self.robot.links.iter().enumerate().skip(self.n_named) {
            let id = LinkId::new(i);
            self.by_name.entry(link.name.clone()).or_insert(id);
        }
        self.n_named = self.robot.links.len();
    }

    /// An error at a position.
    pub(super) fn error(&self, position: Position, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(message).at(self.path, position.line, position.column)
    }

    /// Reports a warning at a position.
    pub(super) fn warn(&mut self, position: Position, message: impl Into<String>, help: &str) {
        let warning = Diagnostic::warning(message).at(self.path, position.line, position.column);
        self.ctx.warn(warning.help(help));
    }

    /// An error of the library about a word.
    pub(super) fn refused(&self, position: Position, error: Error) -> LoadError {
        match error {
            Error::Load(error) => error,
            error => self.error(position, error.to_string()).into(),
        }
    }

    /// The link of a word, an index or else a name; `None` for -1, the world.
    pub(super) fn link_or_world(&self, word: &Word<'_>) -> Result<Option<LinkId>, Diagnostic> {
        if word.text == "-1" {
            return Ok(None);
        }
        self.link(word).map(Some)
    }

    /// The link of a word, an index or else a name.
    pub(super) fn link(&self, word: &Word<'_>) -> Result<LinkId, Diagnostic> {
        let n = self.robot.links.len();
        if let Some(id) = self.known_link(word) {
            return Ok(id);
        }
        let message = match (word.text.parse::<i64>(), n) {
            (Err(_), _) => format!("there is no link named `{}`", word.text),
            (Ok(index), 0) => format!("there is no link {index}: there is none at all"),
            (Ok(index), n) => format!("there is no link {index}: the last one is {}", n - 1),
        };
        Err(self.error(word.position, message))
    }

    /// The link of an optional word.
    pub(super) fn known_link(&self, word: &Word<'_>) -> Option<LinkId> {
        match word.text.parse::<usize>() {
            Ok(index) => (index < self.robot.links.len()).then(|| LinkId::new(index)),
            Err(_) => self.by_name.get(word.text).copied(),
        }
    }

    /// Warns of doubtful links, each at its position.
    fn warn_of_links(&mut self) {
        let doc = self.doc;
        let warnings: Vec<_> = self.robot.warnings().collect();
        for (link, part, warning) in warnings {
            let position = match part {
                Part::Axis => doc.axis.items.get(link).map(|item| item.position),
                Part::Inertia => doc.inertia.items.get(link).map(|item| item.position),
                Part::Limits => doc.q_max.items.get(link).map(|item| item.position),
                Part::Placement => doc.t_parent.items.get(link).map(|item| item.position),
            };
            self.ctx.warn(match position {
                Some(position) => warning.at(self.path, position.line, position.column),
                None => warning.in_file(self.path),
            });
        }
    }
}
