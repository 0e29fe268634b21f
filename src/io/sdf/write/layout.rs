//! Layout of a robot in a file: links, frames and virtual links, with their names.

use std::collections::{HashMap, HashSet};

use super::allowed;
use crate::io::save::{
    Chain, ChainKind, Children, Losses, Names, chains, is_bare, welds, world_link,
};
use crate::robot::{LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder};

/// What a link is in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The world itself.
    World,
    Frame,
    /// A link with a joint of at most one degree of freedom.
    Link,
    /// A link with a ball joint, whose chain begins at this link.
    Ball(usize),
    /// The root of a model that nothing holds.
    Free,
    /// A link of a chain before the last.
    Virtual,
}

/// Layout of a robot.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) roles: Vec<Role>,
    /// The name of each link, and of the joint that moves it.
    pub(super) links: Vec<String>,
    pub(super) joints: Vec<String>,
    /// The name of the joint of each loop closure.
    pub(super) loops: Vec<String>,
    pub(super) welds: HashSet<usize>,
    /// The link that holds those without a parent; the world where it is `None`.
    pub(super) base: Option<String>,
    /// The chain of a free model.
    pub(super) free: Option<Vec<usize>>,
    /// The link of the ball joint of a link, where a fixed joint is between them.
    pub(super) sockets: HashMap<usize, usize>,
}

impl Layout {
    pub(super) fn new(robot: &Robot, spec: &RobotBuilder, losses: &mut Losses) -> Self {
        let links = &spec.links;
        let Children {
            of: children,
            n_roots,
        } = Children::new(links);
        let has_many = n_roots > 1;
        let chains = chains(robot, spec, &children, !has_many, losses);
        let mut roles = roles(links, &children, &chains);
        let mut free = None;
        let mut sockets = HashMap::new();
        for Chain { kind, links: chain } in chains {
            let (Some(&first), Some(&last)) = (chain.first(), chain.last()) else {
                continue;
            };
            // a reader holds the child of a ball joint by a link of the joint
            let child = match kind {
                ChainKind::Ball => socket(links, &children, last),
                ChainKind::Free => None,
            };
            if let Some(child) = child {
                sockets.insert(child, last);
            }
            if let Some(role) = roles.get_mut(child.unwrap_or(last)) {
                *role = match kind {
                    ChainKind::Ball => Role::Ball(first),
                    ChainKind::Free => Role::Free,
                };
            }
            if kind == ChainKind::Free {
                free = Some(chain);
            }
        }
        if let Some(role) = world_link(links, &children).and_then(|root| roles.get_mut(root)) {
            *role = Role::World;
        }
        let mut layout = Self {
            roles,
            links: Vec::new(),
            joints: Vec::new(),
            loops: Vec::new(),
            welds: welds(robot, losses),
            base: None,
            free,
            sockets,
        };
        let mut names = Names::without(&["world"]);
        layout.name(spec, &mut names, losses);
        if layout.free.is_some() && layout.roles.contains(&Role::World) {
            losses.say("the link `world` is not kept: it is the world itself");
        }
        let is_held = layout.free.is_none() && !layout.roles.contains(&Role::World);
        if has_many {
            let name = names.unique(&format!("{}_base", allowed(robot.name())), "base");
            losses.say(format!(
                "a model has one root: the link `{name}` is added as the root"
            ));
            layout.base = Some(name);
        }
        if is_held {
            losses.say("the link `world` is added as the root where the file is read");
        }
        layout.warn_of_order(spec, losses);
        layout
    }

    /// The role of a link.
    pub(super) fn role(&self, link: usize) -> Role {
        self.roles.get(link).copied().unwrap_or(Role::Link)
    }

    /// The name of a link, that of what holds it where there is none.
    pub(super) fn link(&self, link: Option<LinkId>) -> &str {
        let base = self.base.as_deref().unwrap_or("world");
        let Some(link) = link else {
            return base;
        };
        match self.role(link.index()) {
            Role::World => "world",
            _ => self.links.get(link.index()).map_or("", String::as_str),
        }
    }

    /// The name of the joint that moves a link.
    pub(super) fn joint(&self, link: usize) -> &str {
        self.joints.get(link).map_or("", String::as_str)
    }

    /// Gives all links and joints their names, which are of one kind in SDF.
    fn name(&mut self, spec: &RobotBuilder, names: &mut Names, losses: &mut Losses) {
        let is_written = |role: Option<&Role>| !matches!(role, Some(Role::Virtual | Role::World));
        for (i, link) in spec.links.iter().enumerate() {
            if !is_written(self.roles.get(i)) {
                self.links.push(String::new());
                continue;
            }
            let name = names.unique(&allowed(&link.name), "link");
            if name != link.name {
                losses.add(
                    "links are renamed: names are unique, and some are reserved",
                    &link.name,
                );
            }
            self.links.push(name);
        }
        for (i, link) in spec.links.iter().enumerate() {
            let has_joint = matches!(self.roles.get(i), Some(Role::Link | Role::Ball(_)));
            if !has_joint {
                let is_frame = self.roles.get(i) == Some(&Role::Frame);
                if is_frame && !link.joint.is_empty() {
                    losses.add("names of the joints of frames are not kept", &link.joint);
                }
                self.joints.push(String::new());
                continue;
            }
            let own = self.links.get(i).map_or("", String::as_str);
            let own = format!("{own}_joint");
            let socket = self.sockets.get(&i).and_then(|link| spec.links.get(*link));
            let link = socket.unwrap_or(link);
            let mut name = match names.free(&allowed(&link.joint)) {
                Some(name) => name,
                None => names.unique(&own, "joint"),
            };
            // a reader adds a link and a joint with names of their own
            if matches!(self.roles.get(i), Some(Role::Ball(_))) {
                let mut added = |name: &str| {
                    let ball = names.free(&format!("{name}_ball")).is_some();
                    names.free(&format!("{name}_fixed")).is_some() && ball
                };
                while !added(&name) {
                    name.push('_');
                }
            }
            if name != link.joint && !link.joint.is_empty() {
                losses.add(
                    "joints are renamed: links and joints have different names",
                    &link.joint,
                );
            }
            self.joints.push(name);
        }
        for closure in &spec.loop_closures {
            let name = names.unique(&allowed(&closure.name), "loop");
            if name != closure.name && !closure.name.is_empty() {
                losses.add("loop closures are renamed", &closure.name);
            }
            self.loops.push(name);
        }
    }

    /// Warns where a reader numbers links in another order: depth first, the children of a link by joint name.
    fn warn_of_order(&self, spec: &RobotBuilder, losses: &mut Losses) {
        let mut below: HashMap<Option<usize>, Vec<(String, usize)>> = HashMap::new();
        for (i, link) in spec.links.iter().enumerate() {
            let first = match self.role(i) {
                Role::Virtual => continue,
                Role::Ball(first) => spec.links.get(first),
                Role::Free => self
                    .free
                    .as_ref()
                    .and_then(|chain| spec.links.get(*chain.first()?)),
                _ => Some(link),
            };
            let parent = first.and_then(|link| link.parent).map(LinkId::index);
            let joint = match self.role(i) {
                Role::Frame => format!("{}_fixed", self.link(Some(LinkId::new(i)))),
                _ => self.joint(i).to_owned(),
            };
            below.entry(parent).or_default().push((joint, i));
        }
        for siblings in below.values_mut() {
            siblings.sort();
        }
        let mut order = Vec::new();
        let mut stack: Vec<usize> = Vec::new();
        let push = |stack: &mut Vec<usize>, parent: Option<usize>| {
            let siblings = below.get(&parent).into_iter().flatten().rev();
            stack.extend(siblings.map(|(_, i)| *i));
        };
        push(&mut stack, None);
        while let Some(i) = stack.pop() {
            order.push(i);
            push(&mut stack, Some(i));
        }
        let is_movable = |i: &usize| {
            let link = spec.links.get(*i);
            link.is_some_and(|link| !link.motion.is_fixed()) && !self.welds.contains(i)
        };
        if !order.iter().filter(|i| is_movable(i)).is_sorted() {
            losses.say(
                "links and degrees of freedom are reordered depth first, by the names of joints",
            );
        } else if !order.is_sorted() {
            losses.say("links are reordered depth first, by the names of joints");
        }
    }
}

/// The link that the last link of a ball joint holds, where both are as a reader makes them.
fn socket(links: &[LinkSpec], children: &[Vec<usize>], last: usize) -> Option<usize> {
    let link = links.get(last)?;
    let &[child] = children.get(last)?.as_slice() else {
        return None;
    };
    let held = links.get(child)?;
    let is_made = is_bare(link)
        && held.motion == LinkMotion::Fixed
        && !link.joint.is_empty()
        && link.name == format!("{}_ball", link.joint)
        && held.joint == format!("{}_fixed", link.joint);
    is_made.then_some(child)
}

fn roles(links: &[LinkSpec], children: &[Vec<usize>], chains: &[Chain]) -> Vec<Role> {
    let in_chains: HashSet<usize> = chains
        .iter()
        .flat_map(|chain| chain.links.iter().copied())
        .collect();
    let role = |(i, link): (usize, &LinkSpec)| {
        let is_frame = link.motion == LinkMotion::Fixed
            && link.parent.is_some()
            && is_bare(link)
            && children.get(i).is_some_and(Vec::is_empty);
        match in_chains.contains(&i) {
            true => Role::Virtual,
            false if is_frame => Role::Frame,
            false => Role::Link,
        }
    };
    links.iter().enumerate().map(role).collect()
}
