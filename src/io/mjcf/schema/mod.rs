//! What a model may hold, as MuJoCo checks it before it reads one: elements, how often they occur, and their attributes.

mod list;

use self::list::{Element, Often, Rule, RuleKind, elements};
use super::document::{Node, Place};
use super::notes::Notes;
use crate::Diagnostic;
use crate::error::closest;
use crate::io::fields::shortened;

/// Refuses elements and attributes that MJCF does not have, elements that occur too often, and attributes that exclude
/// or need each other.
pub(super) fn check(root: &Node, notes: &mut Notes<'_>) -> Result<(), Diagnostic> {
    let model = elements();
    Check { notes }.element(root, model, model, Depth::Root)
}

/// Where an element stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Root,
    Inside,
    /// In a `<frame>` or a `<replicate>`, where MuJoCo checks the elements alone.
    Frame,
}

struct Check<'c, 'r> {
    notes: &'c mut Notes<'r>,
}

impl Check<'_, '_> {
    /// Checks an element by its entry, and what is in it by that of an element that may hold the same.
    fn element(
        &mut self,
        node: &Node,
        own: &'static Element,
        holds: &'static Element,
        depth: Depth,
    ) -> Result<(), Diagnostic> {
        self.attributes(node, own, depth)?;
        if depth != Depth::Frame {
            own.rules
                .iter()
                .try_for_each(|rule| self.rule(node, rule))?;
        }
        let mut singles: Vec<&str> = Vec::new();
        for child in &node.children {
            let name = child.name.as_str();
            // of MuJoCo before 4
            if name == "composite" && holds.name == "body" {
                continue;
            }
            let Some(next) = entry(holds, name) else {
                return Err(self.unknown_element(child, node, holds));
            };
            if next.often == Often::Once && depth != Depth::Frame {
                if singles.contains(&name) {
                    let problem = format!("<{}> has another one already", node.name);
                    return Err(self.notes.error(child.place, name, problem));
                }
                singles.push(name);
            }
            let is_frame = matches!(name, "frame" | "replicate");
            let inside = match depth {
                Depth::Frame => Depth::Frame,
                _ if is_frame => Depth::Frame,
                _ => Depth::Inside,
            };
            let holds_next = match name {
                "worldbody" => entry(holds, "body").unwrap_or(next),
                _ if is_frame => holds,
                _ => next,
            };
            self.element(child, next, holds_next, inside)?;
        }
        Ok(())
    }

    fn attributes(
        &mut self,
        node: &Node,
        element: &Element,
        depth: Depth,
    ) -> Result<(), Diagnostic> {
        for attribute in &node.attributes {
            let name = attribute.name.as_str();
            // a prefix belongs to another program
            let is_foreign = depth == Depth::Root && (name == "xmlns" || name.contains(':'));
            if is_foreign || element.attributes.binary_search(&name).is_ok() {
                continue;
            }
            let place = Place {
                position: attribute.position,
                ..node.place
            };
            let shown = shortened(name);
            if depth == Depth::Frame {
                let what = format!("attribute `{shown}` of <{}> is left out", node.name);
                self.notes.leave_out(what, place);
                continue;
            }
            let problem = format!("<{}> has no attribute `{shown}` in MJCF", node.name);
            let error = self.notes.error(place, &node.name, problem);
            return Err(match closest(name, element.attributes.iter().copied()) {
                Some(meant) => error.help(format!("did you mean `{meant}`?")),
                None => error,
            });
        }
        Ok(())
    }

    fn rule(&self, node: &Node, rule: &Rule) -> Result<(), Diagnostic> {
        let has = |name: &&str| node.attribute(name).is_some();
        let groups = rule.groups.iter();
        let problem = match rule.kind {
            RuleKind::AtMostOne => {
                let mut given = groups.filter_map(|group| group.iter().find(|name| has(name)));
                match (given.next(), given.next()) {
                    (Some(one), Some(other)) => format!("it has both `{one}` and `{other}`"),
                    _ => return Ok(()),
                }
            }
            RuleKind::AtLeastOne => {
                if rule.groups.iter().any(|group| group.iter().all(has)) {
                    return Ok(());
                }
                let groups: Vec<_> = groups.map(|group| joined(group)).collect();
                format!("it needs {}", groups.join(", or "))
            }
            RuleKind::Together => {
                let names = || groups.clone().flatten();
                match (
                    names().find(|name| has(name)),
                    names().find(|name| !has(name)),
                ) {
                    (Some(given), Some(missing)) => format!("`{given}` needs `{missing}`"),
                    _ => return Ok(()),
                }
            }
        };
        Err(self.notes.error(node.place, &node.name, problem))
    }

    fn unknown_element(&self, child: &Node, node: &Node, element: &Element) -> Diagnostic {
        let name = shortened(&child.name);
        let problem = format!("<{}> has no element <{name}> in MJCF", node.name);
        let error = self.notes.error(child.place, &node.name, problem);
        let known = element.children.iter().map(|child| child.name);
        match closest(&name, known) {
            Some(meant) => error.help(format!("did you mean <{meant}>?")),
            None => error,
        }
    }
}

/// The entry of a child.
fn entry(element: &'static Element, name: &str) -> Option<&'static Element> {
    if element.often == Often::Recursive && element.name == name {
        return Some(element);
    }
    element.children.iter().find(|child| child.name == name)
}

/// Names in backticks, as in "`a` and `b`".
fn joined(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" and ")
}
