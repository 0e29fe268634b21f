//! Chains of virtual links that are one joint in formats of robots.

use std::collections::HashSet;

use super::Losses;
use crate::math::{Inertia, Pose, Vector};
use crate::robot::{Joint, JointKind, LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder};

/// Kind of a joint of several degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChainKind {
    Free,
    Ball,
}

/// The links of a free or ball joint, from base to tip.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) kind: ChainKind,
    pub(crate) links: Vec<usize>,
}

/// The links below each link.
#[derive(Debug)]
pub(crate) struct Children {
    pub(crate) of: Vec<Vec<usize>>,
    /// Number of links without a parent.
    pub(crate) n_roots: usize,
}

impl Children {
    pub(crate) fn new(links: &[LinkSpec]) -> Self {
        let mut children = Self {
            of: vec![Vec::new(); links.len()],
            n_roots: 0,
        };
        for (i, link) in links.iter().enumerate() {
            let parent = link.parent.map(LinkId::index);
            match parent.and_then(|parent| children.of.get_mut(parent)) {
                Some(siblings) => siblings.push(i),
                None => children.n_roots += 1,
            }
        }
        children
    }
}

/// The links with a degree of freedom that is welded, which robots of other formats do not have: they are fixed there.
pub(crate) fn welds(robot: &Robot, losses: &mut Losses) -> HashSet<usize> {
    let joints = robot.joints().iter();
    let welds: HashSet<usize> = joints
        .filter(|joint| joint.kind == JointKind::Weld)
        .flat_map(|joint| joint.links.iter().map(|link| link.index()))
        .collect();
    if !welds.is_empty() {
        losses.say(format!(
            "{} welded degrees of freedom are not kept: their links are fixed",
            welds.len()
        ));
    }
    welds
}

/// Returns whether a link has neither mass nor shape.
pub(crate) fn is_bare(link: &LinkSpec) -> bool {
    link.inertia == Inertia::zero() && link.collision.is_empty() && link.visual.is_empty()
}

/// The root of a robot where it is the world itself: a link of that name that stands there, with one child and nothing else.
pub(crate) fn world_link(links: &[LinkSpec], children: &[Vec<usize>]) -> Option<usize> {
    let mut roots = links
        .iter()
        .enumerate()
        .filter(|(_, link)| link.parent.is_none());
    let ((root, link), None) = (roots.next()?, roots.next()) else {
        return None;
    };
    let is_world = link.name == "world"
        && link.motion == LinkMotion::Fixed
        && is_bare(link)
        && link.placement == Pose::identity()
        && children.get(root).is_some_and(|below| below.len() == 1);
    is_world.then_some(root)
}

/// The free and ball joints of a robot. Others of several degrees of freedom become one joint each.
pub(crate) fn chains(
    robot: &Robot,
    spec: &RobotBuilder,
    children: &[Vec<usize>],
    may_be_free: bool,
    losses: &mut Losses,
) -> Vec<Chain> {
    let world = world_link(&spec.links, children);
    let mut chains = Vec::new();
    for joint in robot.joints() {
        let kind = match joint.kind {
            JointKind::Floating if may_be_free => ChainKind::Free,
            JointKind::BallAndSocket => ChainKind::Ball,
            JointKind::Floating | JointKind::FloatingPlanar => {
                say(joint, spec, losses);
                continue;
            }
            JointKind::Closed => {
                losses.add("closed joints are not kept", name(joint, spec));
                continue;
            }
            _ => continue,
        };
        match links(joint, kind, spec, children, world) {
            Some(links) => chains.push(Chain { kind, links }),
            None => say(joint, spec, losses),
        }
    }
    chains
}

fn name(joint: &Joint, spec: &RobotBuilder) -> String {
    let link = spec.links.get(joint.link.index());
    link.map_or_else(String::new, |link| link.name.clone())
}

fn say(joint: &Joint, spec: &RobotBuilder, losses: &mut Losses) {
    let kind = joint.kind.name();
    losses.add(
        format!("{kind} joints are written as one joint per degree of freedom"),
        name(joint, spec),
    );
}

/// The links of a joint, where they move as MuJoCo's joint does.
fn links(
    joint: &Joint,
    kind: ChainKind,
    spec: &RobotBuilder,
    children: &[Vec<usize>],
    world: Option<usize>,
) -> Option<Vec<usize>> {
    let (x, y, z) = (Vector::x(), Vector::y(), Vector::z());
    let turns = [z, y, x].map(LinkMotion::Revolute);
    let shifts = [x, y, z].map(LinkMotion::Prismatic);
    let motions: Vec<LinkMotion> = match kind {
        ChainKind::Free => shifts.into_iter().chain(turns).collect(),
        _ => turns.to_vec(),
    };
    let indices: Vec<usize> = joint.links.iter().map(|link| link.index()).collect();
    let links: Option<Vec<&LinkSpec>> = indices.iter().map(|i| spec.links.get(*i)).collect();
    let links = links?;
    let (first, (_, virtual_links)) = (links.first()?, links.split_last()?);
    let is_straight = indices.windows(2).all(|pair| match *pair {
        [a, b] => children.get(a).is_some_and(|below| *below == [b]),
        _ => false,
    });
    let mut behind = links.iter().skip(1);
    let is_standard = links.iter().map(|link| link.motion).eq(motions)
        && is_straight
        && virtual_links.iter().all(|link| is_bare(link))
        && behind.all(|link| link.placement == Pose::identity());
    // the pose of a free joint is that in the world
    let is_in_world = first
        .parent
        .is_none_or(|parent| Some(parent.index()) == world);
    let is_placed = kind != ChainKind::Free || (is_in_world && first.placement == Pose::identity());
    (is_standard && is_placed).then_some(indices)
}
