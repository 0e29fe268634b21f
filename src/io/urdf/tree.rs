//! The tree of the links of a [`Document`], checked.

use std::collections::{HashMap, HashSet};

use super::document::{Document, Joint, Link};
use crate::Diagnostic;
use crate::io::report::FileReport;
use crate::io::words::listed;

/// A link, its joint and its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'d> {
    pub(super) link: &'d Link,
    /// `None` at the root.
    pub(super) joint: Option<&'d Joint>,
    /// The index of the parent in the list of nodes.
    pub(super) parent: Option<usize>,
}

/// All links depth-first from the root, the children of a link by joint name.
///
/// An error where a name is used twice or does not exist, and where the links do not form a tree.
pub(super) fn tree<'d>(
    document: &'d Document,
    report: FileReport<'_>,
) -> Result<Vec<Node<'d>>, Diagnostic> {
    let links = &document.links;
    let index = unique_links(links, report)?;
    unique_joints(&document.joints, report)?;

    // the joint above each link, and the joints below it
    let mut inward: HashMap<usize, &Joint> = HashMap::with_capacity(links.len());
    let mut outward: HashMap<usize, Vec<(&Joint, usize)>> = HashMap::new();
    for joint in &document.joints {
        let subject = format!("joint `{}`", joint.name);
        let find = |end: &str, name: &super::document::At<String>| {
            index.get(name.value.as_str()).copied().ok_or_else(|| {
                let problem = format!("its {end} link `{}` does not exist", name.value);
                report
                    .error(name.position, &subject, problem)
                    .help(format!("links are {}", listed(&names(links))))
            })
        };
        let parent = find("parent", &joint.parent)?;
        let child = find("child", &joint.child)?;
        if let Some(other) = inward.insert(child, joint) {
            let problem = format!(
                "link `{}` is the child of joint `{}` (line {}) already",
                joint.child.value, other.name, other.position.line
            );
            return Err(report.error(joint.child.position, &subject, problem));
        }
        outward.entry(parent).or_default().push((joint, child));
    }

    let mut roots = links.iter().enumerate();
    let mut next_root = || roots.find(|(i, _)| !inward.contains_key(i));
    let Some((root, first)) = next_root() else {
        return match links.first() {
            Some(link) => Err(cycle(links, &inward, &index, (0, link), report)),
            None => Ok(Vec::new()),
        };
    };
    if let Some((_, second)) = next_root() {
        let problem = format!(
            "it is the child of no joint, and neither is link `{}` (line {}); a robot has one root",
            first.name, first.position.line
        );
        let subject = format!("link `{}`", second.name);
        return Err(report
            .error(second.position, &subject, problem)
            .help("join the parts with a joint, or load them from two files"));
    }

    // a stack instead of recursion: chains may be long
    let mut nodes = Vec::with_capacity(links.len());
    let mut stack = vec![(root, None)];
    let mut reached = HashSet::with_capacity(links.len());
    while let Some((i, parent)) = stack.pop() {
        reached.insert(i);
        let mut children = outward.remove(&i).unwrap_or_default();
        children.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        let here = nodes.len();
        stack.extend(children.iter().rev().map(|&(_, child)| (child, Some(here))));
        nodes.extend(links.get(i).map(|link| Node {
            link,
            joint: inward.get(&i).copied(),
            parent,
        }));
    }
    match links.iter().enumerate().find(|(i, _)| !reached.contains(i)) {
        Some(lost) => Err(cycle(links, &inward, &index, lost, report)),
        None => Ok(nodes),
    }
}

fn unique_links<'d>(
    links: &'d [Link],
    report: FileReport<'_>,
) -> Result<HashMap<&'d str, usize>, Diagnostic> {
    let mut index = HashMap::with_capacity(links.len());
    for (i, link) in links.iter().enumerate() {
        let subject = format!("link `{}`", link.name);
        if link.name.is_empty() {
            return Err(report.error(link.position, &subject, "its name is empty"));
        }
        let earlier = index.insert(link.name.as_str(), i);
        if let Some(first) = earlier.and_then(|first: usize| links.get(first)) {
            let line = first.position.line;
            let problem = format!("there is a link of this name in line {line} already");
            return Err(report.error(link.position, &subject, problem));
        }
    }
    Ok(index)
}

fn unique_joints(joints: &[Joint], report: FileReport<'_>) -> Result<(), Diagnostic> {
    let mut lines = HashMap::with_capacity(joints.len());
    for joint in joints {
        let subject = format!("joint `{}`", joint.name);
        if joint.name.is_empty() {
            return Err(report.error(joint.position, &subject, "its name is empty"));
        }
        if let Some(line) = lines.insert(joint.name.as_str(), joint.position.line) {
            let problem = format!("there is a joint of this name in line {line} already");
            return Err(report.error(joint.position, &subject, problem));
        }
    }
    Ok(())
}

/// The error about the cycle that a link is on, or that is among its ancestors.
fn cycle(
    links: &[Link],
    inward: &HashMap<usize, &Joint>,
    index: &HashMap<&str, usize>,
    start: (usize, &Link),
    report: FileReport<'_>,
) -> Diagnostic {
    const SHOWN: usize = 8;
    let parent = |(i, _): (usize, &Link)| {
        let i = *index.get(inward.get(&i)?.parent.value.as_str())?;
        Some((i, links.get(i)?))
    };
    let inwards = |start| std::iter::successors(Some(start), |&link| parent(link));

    // n steps towards the root end on the cycle itself
    let on_cycle = inwards(start).nth(links.len()).unwrap_or(start);
    let others = inwards(on_cycle).skip(1);
    let ring = others.take_while(|(i, _)| *i != on_cycle.0);
    let name = on_cycle.1.name.as_str();
    let mut names: Vec<&str> = vec![name];
    names.extend(ring.map(|(_, link)| link.name.as_str()).take(SHOWN));
    let end = if names.len() > SHOWN {
        names.pop();
        "…"
    } else {
        name
    };
    let problem = format!("it is its own ancestor: {} <- {end}", names.join(" <- "));
    report.error(on_cycle.1.position, &format!("link `{name}`"), problem)
}

fn names(links: &[Link]) -> Vec<&str> {
    links.iter().map(|link| link.name.as_str()).collect()
}
