//! What a format cannot hold: each kind once, with the names of what has it.

use super::Output;
use crate::robot::{LoopClosure, LoopFrame, RobotBuilder};

/// Most names that a warning lists.
const SHOWN: usize = 3;

/// Losses of a save by kind.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    all: Vec<(String, Vec<String>)>,
}

impl Losses {
    /// Adds a loss of a subject.
    pub(crate) fn add(&mut self, what: impl Into<String>, subject: impl Into<String>) {
        let (what, subject) = (what.into(), subject.into());
        match self.all.iter_mut().find(|(known, _)| *known == what) {
            Some((_, subjects)) => subjects.push(subject),
            None => self.all.push((what, vec![subject])),
        }
    }

    /// Adds a loss of the whole.
    pub(crate) fn say(&mut self, what: impl Into<String>) {
        self.all.push((what.into(), Vec::new()));
    }

    /// One warning for each kind.
    pub(crate) fn report(self, output: &mut Output) {
        for (what, subjects) in self.all {
            let names: Vec<String> = subjects
                .iter()
                .take(SHOWN)
                .map(|subject| format!("`{subject}`"))
                .collect();
            let more = match subjects.len().saturating_sub(SHOWN) {
                0 => String::new(),
                1 => " and one more".to_owned(),
                n => format!(" and {n} more"),
            };
            output.warn(match names.is_empty() {
                true => what,
                false => format!("{what}: {}{more}", names.join(", ")),
            });
        }
    }
}

/// The name of a closure, or of its links.
pub(crate) fn loop_name(closure: &LoopClosure, spec: &RobotBuilder) -> String {
    if !closure.name.is_empty() {
        return closure.name.clone();
    }
    let name = |frame: &LoopFrame| {
        let link = frame.link.and_then(|link| spec.links.get(link.index()));
        link.map_or("world", |link| &link.name).to_owned()
    };
    format!("{} and {}", name(&closure.a), name(&closure.b))
}
