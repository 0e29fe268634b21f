//! Which link hangs on which: the tree of a [`Document`], checked.

use std::collections::HashMap;

use super::document::{Document, Joint, Link};
use super::notes::{Notes, listed};
use crate::Diagnostic;

/// A link and what it hangs on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'d> {
    pub(super) link: &'d Link,
    /// `None` at the root.
    pub(super) joint: Option<&'d Joint>,
    /// The position of the parent in the list of nodes.
    pub(super) parent: Option<usize>,
}

/// All links depth-first from the root, the children of a link by joint name.
///
/// An error where a name is used twice or does not exist, and where the links form no tree.
pub(super) fn tree<'d>(document: &'d Document, notes: &Notes) -> Result<Vec<Node<'d>>, Diagnostic> {
    let links = &document.links;
    let index = unique_links(links, notes)?;
    unique_joints(&document.joints, notes)?;

    // the joint that each link hangs on, and the joints that hang on each link
    let mut inward: Vec<Option<&Joint>> = vec![None; links.len()];
    let mut outward: Vec<Vec<(&Joint, usize)>> = vec![Vec::new(); links.len()];
    for joint in &document.joints {
        let subject = format!("joint `{}`", joint.name);
        let find = |end: &str, name: &super::document::At<String>| {
            index.get(name.value.as_str()).copied().ok_or_else(|| {
                let problem = format!("its {end} link `{}` does not exist", name.value);
                notes
                    .error(name.place, &subject, problem)
                    .help(format!("links are {}", listed(&names(links))))
            })
        };
        let parent = find("parent", &joint.parent)?;
        let child = find("child", &joint.child)?;
        if let Some(other) = inward[child].replace(joint) {
            let problem = format!(
                "link `{}` hangs on joint `{}` (line {}) already",
                joint.child.value, other.name, other.place.line
            );
            return Err(notes.error(joint.child.place, &subject, problem));
        }
        outward[parent].push((joint, child));
    }

    let mut roots = (0..links.len()).filter(|&i| inward[i].is_none());
    let Some(root) = roots.next() else {
        return match links.first() {
            Some(_) => Err(cycle(links, &inward, &index, 0, notes)),
            None => Ok(Vec::new()),
        };
    };
    if let Some(second) = roots.next() {
        let problem = format!(
            "it hangs on no joint, and neither does link `{}` (line {}); a robot has one root",
            links[root].name, links[root].place.line
        );
        let subject = format!("link `{}`", links[second].name);
        return Err(notes
            .error(links[second].place, &subject, problem)
            .help("join the parts with a joint, or load them from two files"));
    }

    // a stack instead of recursion: chains may be long
    let mut nodes = Vec::with_capacity(links.len());
    let mut stack = vec![(root, None)];
    let mut is_reached = vec![false; links.len()];
    while let Some((i, parent)) = stack.pop() {
        is_reached[i] = true;
        let children = &mut outward[i];
        children.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        let here = nodes.len();
        stack.extend(children.iter().rev().map(|&(_, child)| (child, Some(here))));
        nodes.push(Node {
            link: &links[i],
            joint: inward[i],
            parent,
        });
    }
    match is_reached.iter().position(|reached| !reached) {
        Some(lost) => Err(cycle(links, &inward, &index, lost, notes)),
        None => Ok(nodes),
    }
}

fn unique_links<'d>(
    links: &'d [Link],
    notes: &Notes,
) -> Result<HashMap<&'d str, usize>, Diagnostic> {
    let mut index = HashMap::with_capacity(links.len());
    for (i, link) in links.iter().enumerate() {
        let subject = format!("link `{}`", link.name);
        if link.name.is_empty() {
            return Err(notes.error(link.place, &subject, "its name is empty"));
        }
        if let Some(first) = index.insert(link.name.as_str(), i) {
            let line = links[first].place.line;
            let problem = format!("there is a link of this name in line {line} already");
            return Err(notes.error(link.place, &subject, problem));
        }
    }
    Ok(index)
}

fn unique_joints(joints: &[Joint], notes: &Notes) -> Result<(), Diagnostic> {
    let mut lines = HashMap::with_capacity(joints.len());
    for joint in joints {
        let subject = format!("joint `{}`", joint.name);
        if joint.name.is_empty() {
            return Err(notes.error(joint.place, &subject, "its name is empty"));
        }
        if let Some(line) = lines.insert(joint.name.as_str(), joint.place.line) {
            let problem = format!("there is a joint of this name in line {line} already");
            return Err(notes.error(joint.place, &subject, problem));
        }
    }
    Ok(())
}

/// The error about the cycle that `start` is on, or hangs on.
fn cycle(
    links: &[Link],
    inward: &[Option<&Joint>],
    index: &HashMap<&str, usize>,
    start: usize,
    notes: &Notes,
) -> Diagnostic {
    const SHOWN: usize = 8;
    let parent = |i: usize| {
        let name = inward[i].map(|joint| joint.parent.value.as_str());
        name.and_then(|name| index.get(name).copied()).unwrap_or(i)
    };

    // after n steps inwards we stand on the cycle itself
    let on_cycle = (0..links.len()).fold(start, |i, _| parent(i));
    let mut names = vec![links[on_cycle].name.as_str()];
    let mut i = parent(on_cycle);
    while i != on_cycle && names.len() < SHOWN {
        names.push(&links[i].name);
        i = parent(i);
    }
    let end = if i == on_cycle { names[0] } else { "…" };
    let problem = format!("it is its own ancestor: {} <- {end}", names.join(" <- "));
    let subject = format!("link `{}`", names[0]);
    notes.error(links[on_cycle].place, &subject, problem)
}

fn names(links: &[Link]) -> Vec<&str> {
    links.iter().map(|link| link.name.as_str()).collect()
}
