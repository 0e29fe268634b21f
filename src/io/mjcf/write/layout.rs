//! Layout of a robot in a file: bodies with their joints, and sites.

use std::collections::{HashMap, HashSet};

use crate::io::save::{Chain, ChainKind, Children, Losses, chains, is_bare, welds, world_link};
use crate::math::{Pose, Rotation, Vector};
use crate::robot::{LinkMotion, LinkSpec, Robot, RobotBuilder};

/// The bodies of a robot, depth first, and its sites.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) bodies: Vec<Body>,
    /// True where the links without a parent are held by a body of their own.
    pub(super) is_wrapped: bool,
}

/// A body.
#[derive(Debug)]
pub(super) struct Body {
    /// The link that it is.
    pub(super) link: usize,
    /// Index of the body that holds it.
    pub(super) parent: Option<usize>,
    pub(super) depth: usize,
    /// The pose in the parent, at the initial values.
    pub(super) pose: Pose,
    pub(super) parts: Vec<Part>,
    /// Fixed links in it that are no bodies.
    pub(super) sites: Vec<usize>,
}

/// A joint of a body.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) kind: PartKind,
    /// The links that it moves; the last one has its name.
    pub(super) links: Vec<usize>,
    /// Point and direction of the axis in the body.
    pub(super) anchor: Vector,
    pub(super) axis: Vector,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PartKind {
    Hinge,
    Slide,
    Ball,
    Free,
}

impl Part {
    /// The link that it is named after.
    pub(super) fn link(&self) -> usize {
        self.links.last().copied().unwrap_or_default()
    }

    fn dofs(&self) -> usize {
        self.links.len()
    }

    fn rotates(&self) -> bool {
        self.kind != PartKind::Slide
    }
}

/// Most degrees of freedom of a body.
const MOST_DOFS: usize = 6;

/// A link with the joint that moves it, before joints of massless links are merged.
struct Node {
    link: usize,
    first: usize,
    part: Option<Part>,
}

impl Layout {
    pub(super) fn new(robot: &Robot, spec: &RobotBuilder, losses: &mut Losses) -> Self {
        let links = &spec.links;
        let Children {
            of: children,
            n_roots,
        } = Children::new(links);
        let welds = welds(robot, losses);
        let world = world_link(links, &children);
        if world.is_some() {
            losses.say("the link `world` is not kept: it is the world itself");
        }
        let is_wrapped = n_roots > 1;
        if is_wrapped {
            losses
                .say("a model has one root: a body is added that holds the links without a parent");
        }
        let chains = chains(robot, spec, &children, !is_wrapped, losses);
        let sites = sites(links, &children, world);
        let mut grower = Grower {
            spec,
            children: &children,
            nodes: nodes(links, &chains, &welds, &sites, world),
            world,
            losses,
        };
        let next = grower.merges();
        let mut bodies = grower.bodies(&next, usize::from(is_wrapped));
        let body_of: HashMap<usize, usize> = bodies
            .iter()
            .enumerate()
            .map(|(k, body)| (body.link, k))
            .collect();
        for &site in &sites {
            let parent = links.get(site).and_then(|link| link.parent);
            let body = parent.and_then(|parent| body_of.get(&parent.index()));
            if let Some(body) = body.and_then(|&k| bodies.get_mut(k)) {
                body.sites.push(site);
            }
        }
        warn_of_order(links, &bodies, world, losses);
        Self { bodies, is_wrapped }
    }

    /// The movable body that each one is welded to, as MuJoCo counts: `None` for what cannot move.
    pub(super) fn welds(&self) -> Vec<Option<usize>> {
        let mut welds: Vec<Option<usize>> = Vec::with_capacity(self.bodies.len());
        for (k, body) in self.bodies.iter().enumerate() {
            let weld = match body.parts.is_empty() {
                true => body.parent.and_then(|parent| *welds.get(parent)?),
                false => Some(k),
            };
            welds.push(weld);
        }
        welds
    }
}

/// Fixed links behind all others that hold nothing.
fn sites(links: &[LinkSpec], children: &[Vec<usize>], world: Option<usize>) -> Vec<usize> {
    let is_site = |&(i, link): &(usize, &LinkSpec)| {
        link.parent
            .is_some_and(|parent| Some(parent.index()) != world)
            && link.motion == LinkMotion::Fixed
            && is_bare(link)
            && children.get(i).is_some_and(Vec::is_empty)
    };
    let mut sites: Vec<usize> = links
        .iter()
        .enumerate()
        .rev()
        .take_while(is_site)
        .map(|(i, _)| i)
        .collect();
    sites.reverse();
    sites
}

/// The links that are more than a virtual one, with their joints.
fn nodes(
    links: &[LinkSpec],
    chains: &[Chain],
    welds: &HashSet<usize>,
    sites: &[usize],
    world: Option<usize>,
) -> Vec<Node> {
    let by_last: HashMap<usize, &Chain> = chains
        .iter()
        .filter_map(|chain| Some((*chain.links.last()?, chain)))
        .collect();
    let in_chains: HashSet<usize> = chains
        .iter()
        .flat_map(|chain| chain.links.iter().copied())
        .collect();
    let first_site = sites.first().copied().unwrap_or(links.len());
    let mut nodes = Vec::new();
    for (i, link) in links.iter().enumerate().take(first_site) {
        let part = |kind, axis: Vector, links: Vec<usize>| Part {
            kind,
            links,
            anchor: Vector::zeros(),
            axis,
        };
        if let Some(chain) = by_last.get(&i) {
            let kind = match chain.kind {
                ChainKind::Free => PartKind::Free,
                ChainKind::Ball => PartKind::Ball,
            };
            nodes.push(Node {
                link: i,
                first: chain.links.first().copied().unwrap_or(i),
                part: Some(part(kind, Vector::z(), chain.links.clone())),
            });
        } else if !in_chains.contains(&i) && Some(i) != world {
            let part = match link.motion {
                _ if welds.contains(&i) => None,
                LinkMotion::Fixed => None,
                LinkMotion::Revolute(axis) => Some(part(PartKind::Hinge, axis, vec![i])),
                LinkMotion::Prismatic(axis) => Some(part(PartKind::Slide, axis, vec![i])),
            };
            nodes.push(Node {
                link: i,
                first: i,
                part,
            });
        }
    }
    nodes
}

/// Joints of a body, from one of them on.
#[derive(Debug, Clone, Copy, Default)]
struct Tail {
    dofs: usize,
    has_ball: bool,
    rotates: bool,
    is_merged: bool,
}

impl Tail {
    fn of(part: Option<&Part>) -> Self {
        Self {
            dofs: part.map_or(0, Part::dofs),
            has_ball: part.is_some_and(|part| part.kind == PartKind::Ball),
            rotates: part.is_some_and(Part::rotates),
            is_merged: false,
        }
    }

    fn and(self, behind: Self) -> Self {
        Self {
            dofs: self.dofs + behind.dofs,
            has_ball: self.has_ball || behind.has_ball,
            rotates: self.rotates || behind.rotates,
            is_merged: true,
        }
    }
}

struct Grower<'a> {
    spec: &'a RobotBuilder,
    children: &'a [Vec<usize>],
    nodes: Vec<Node>,
    /// The link that is the world.
    world: Option<usize>,
    losses: &'a mut Losses,
}

impl Grower<'_> {
    fn link(&self, i: usize) -> Option<&LinkSpec> {
        self.spec.links.get(i)
    }

    /// For each node the one whose body its joint becomes part of: MuJoCo wants a mass for every body that moves.
    fn merges(&self) -> Vec<Option<usize>> {
        let by_first: HashMap<usize, usize> = self
            .nodes
            .iter()
            .enumerate()
            .map(|(k, node)| (node.first, k))
            .collect();
        let mut next = vec![None; self.nodes.len()];
        // what is in the body from a node to its end
        let mut tails: Vec<Tail> = vec![Tail::default(); self.nodes.len()];
        for (k, node) in self.nodes.iter().enumerate().rev() {
            let mut tail = Tail::of(node.part.as_ref());
            if let Some(part) = &node.part
                && let Some(other) = self.follower(node, &by_first)
                && let Some(behind) = tails.get(other).copied()
                && let Some(end) = self.nodes.get(other)
                && (!self.link(end.link).is_some_and(is_bare) || behind.is_merged)
                && self.fits(part, end, behind)
            {
                tail = tail.and(behind);
                if let Some(next) = next.get_mut(k) {
                    *next = Some(other);
                }
            }
            if let Some(known) = tails.get_mut(k) {
                *known = tail;
            }
        }
        next
    }

    /// The only node below a massless one.
    fn follower(&self, node: &Node, by_first: &HashMap<usize, usize>) -> Option<usize> {
        let is_massless = self.link(node.link).is_some_and(is_bare);
        match self.children.get(node.link).map(Vec::as_slice) {
            Some(&[only]) if is_massless => by_first.get(&only).copied(),
            _ => None,
        }
    }

    /// Returns whether a joint may move the body of a node.
    fn fits(&self, part: &Part, end: &Node, behind: Tail) -> bool {
        match &end.part {
            _ if part.kind == PartKind::Free => false,
            Some(other) => {
                let is_ball = part.kind == PartKind::Ball;
                let clash = (is_ball && behind.rotates) || (part.rotates() && behind.has_ball);
                other.kind != PartKind::Free && !clash && part.dofs() + behind.dofs <= MOST_DOFS
            }
            // the frame of the joint is not that of the body
            None => self.link(end.link).is_some_and(|link| {
                link.motion == LinkMotion::Fixed
                    && link.placement.rotation == Rotation::identity()
                    && link.placement.translation.vector != Vector::zeros()
            }),
        }
    }

    /// The bodies, depth first, the children of a link in their order.
    fn bodies(&mut self, next: &[Option<usize>], depth: usize) -> Vec<Body> {
        // nodes by what holds them: the tip of the group of their parent
        let mut held: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        let mut is_merged = vec![false; self.nodes.len()];
        for other in next.iter().flatten() {
            if let Some(is_merged) = is_merged.get_mut(*other) {
                *is_merged = true;
            }
        }
        for (k, node) in self.nodes.iter().enumerate() {
            if is_merged.get(k) == Some(&false) {
                let parent = self.link(node.first).and_then(|link| link.parent);
                let holder = parent.map(crate::robot::LinkId::index);
                let holder = holder.filter(|_| holder != self.world);
                held.entry(holder).or_default().push(k);
            }
        }
        let mut stack: Vec<(usize, Option<usize>, usize)> = Vec::new();
        let push = |stack: &mut Vec<_>, holder: Option<usize>, parent, depth| {
            let below = held.get(&holder).into_iter().flatten().rev();
            stack.extend(below.map(|&k| (k, parent, depth)));
        };
        push(&mut stack, None, None, depth);
        let mut bodies = Vec::new();
        while let Some((k, parent, depth)) = stack.pop() {
            let mut group = vec![k];
            while let Some(Some(other)) = group.last().and_then(|last| next.get(*last)) {
                group.push(*other);
            }
            let body = self.body(&group, parent, depth);
            push(&mut stack, Some(body.link), Some(bodies.len()), depth + 1);
            bodies.push(body);
        }
        bodies
    }

    /// The body of a group of nodes: all joints act on the last one.
    fn body(&mut self, group: &[usize], parent: Option<usize>, depth: usize) -> Body {
        let nodes: Vec<&Node> = group.iter().filter_map(|k| self.nodes.get(*k)).collect();
        let mut behind = Pose::identity();
        let mut parts = Vec::new();
        let mut turned = Vec::new();
        for node in nodes.iter().rev() {
            let (Some(first), Some(link)) = (self.link(node.first), self.link(node.link)) else {
                continue;
            };
            let mut step = first.placement;
            match &node.part {
                Some(part) if part.kind == PartKind::Free => {
                    for &i in &part.links {
                        if let Some(link) = self.link(i) {
                            step *= link.motion.pose(link.initial);
                        }
                    }
                    parts.push(part.clone());
                }
                Some(part) => {
                    let back = behind.inverse();
                    if behind.rotation != Rotation::identity() {
                        turned.push(link.name.clone());
                    }
                    parts.push(Part {
                        anchor: back.translation.vector,
                        axis: back.rotation * part.axis,
                        ..part.clone()
                    });
                    if part.kind != PartKind::Ball {
                        step *= link.motion.pose(link.initial);
                    }
                }
                // a weld stays where it is
                None => step *= link.motion.pose(link.initial),
            }
            behind = step * behind;
        }
        parts.reverse();
        let link = nodes.last().map_or(0, |node| node.link);
        for name in turned {
            self.losses.add(
                "the frames of massless links take the directions of the body that they move",
                name,
            );
        }
        Body {
            link,
            parent,
            depth,
            pose: behind,
            parts,
            sites: Vec::new(),
        }
    }
}

/// Warns where a reader numbers links in another order.
fn warn_of_order(links: &[LinkSpec], bodies: &[Body], world: Option<usize>, losses: &mut Losses) {
    let mut order: Vec<usize> = world.into_iter().collect();
    for body in bodies {
        order.extend(
            body.parts
                .iter()
                .flat_map(|part| part.links.iter().copied()),
        );
        if order.last() != Some(&body.link) {
            order.push(body.link);
        }
    }
    order.extend(bodies.iter().flat_map(|body| body.sites.iter().copied()));
    let is_movable = |i: &usize| links.get(*i).is_some_and(|link| !link.motion.is_fixed());
    if !order.iter().filter(|i| is_movable(i)).is_sorted() {
        losses.say("links and degrees of freedom are reordered depth first");
    } else if !order.is_sorted() {
        losses.say("links are reordered depth first");
    }
}
