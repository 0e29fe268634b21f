//! What becomes of each link: its name, its joint, its place in the file.

use std::collections::{BTreeMap, HashSet};

use crate::io::save::Output;
use crate::io::urdf::joint::{FREE, plane};
use crate::math::{Inertia, Pose};
use crate::robot::{Joint, JointKind, Link, LinkId, LinkMotion, Robot};

/// How a robot is laid out in a file.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) has_klampt: bool,
    pub(super) root: Root,
    /// One name per link, each once.
    pub(super) names: Vec<String>,
    /// The joint that each link hangs on.
    pub(super) joint_names: Vec<String>,
    pub(super) roles: Vec<Role>,
    /// The links that are written, as a reader will number them.
    pub(super) order: Vec<usize>,
    /// The place of each link in that order; of a virtual link, that of the one that ends its chain.
    pub(super) ranks: Vec<usize>,
}

/// What the links of the file hang on.
#[derive(Debug, PartialEq)]
pub(super) enum Root {
    /// A link of the robot that is fixed to the world.
    Link,
    /// A link of this name that the file has more than the robot.
    Extra(String),
    /// A link of the robot that floats as Klampt has it.
    Floating,
}

/// What a link is in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// The root itself: it hangs on nothing.
    Root,
    /// It hangs on a joint of its own.
    Scalar,
    /// It ends the chain of a planar or floating joint, which begins at this link.
    Chain(JointKind, usize),
    /// It is a virtual link of such a chain.
    Virtual,
}

impl Plan {
    pub(super) fn new(robot: &Robot, output: &mut Output) -> Self {
        let links = robot.links();
        let has_klampt = !links.iter().any(|link| link.motion().is_fixed());
        let mut roles = vec![Role::Scalar; links.len()];
        let mut root = None;
        for joint in robot.joints() {
            let Some(virtual_links) = chain(robot, joint, has_klampt) else {
                if joint.kind.dofs() != Some(1) {
                    output.lose(format!(
                        "the {} joint of link `{}` is written as one joint per coordinate",
                        joint.kind.name(),
                        robot.link(joint.link).name()
                    ));
                }
                continue;
            };
            let is_root = joint.base.is_none() && virtual_links == Virtual::Base;
            let first = joint.links[0].index();
            for link in &joint.links {
                roles[link.index()] = Role::Virtual;
            }
            roles[joint.link.index()] = if is_root {
                root = Some(Root::Floating);
                Role::Root
            } else {
                Role::Chain(joint.kind, first)
            };
        }
        let mut roots = (0..links.len()).filter(|&i| links[i].parent().is_none());
        if let (Some(first), None) = (roots.next(), roots.next())
            && links[first].motion().is_fixed()
            && *links[first].placement() == Pose::identity()
        {
            roles[first] = Role::Root;
            root = Some(Root::Link);
        }
        // other links that hang on the world have nothing to hang on beside a floating root
        let n_roots = links.iter().filter(|link| link.parent().is_none()).count();
        if root == Some(Root::Floating) && n_roots > 1 {
            let floating = roles.iter().position(|role| *role == Role::Root);
            if let Some(i) = floating {
                roles[i] = Role::Chain(JointKind::Floating, 0);
            }
            root = None;
        }
        let names = unique(links, output);
        let root = root.unwrap_or_else(|| {
            let taken: HashSet<&str> = names.iter().map(String::as_str).collect();
            let mut name = "world".to_owned();
            while taken.contains(name.as_str()) {
                name.push('_');
            }
            if !has_klampt {
                output.lose(format!(
                    "a URDF has one root: the link `{name}` comes in front"
                ));
            }
            Root::Extra(name)
        });
        let (joint_names, order) = order(robot, &names, &roles);
        if !order.is_sorted() {
            output.lose("links and coordinates come in another order: depth first");
        }
        let mut ranks = vec![0; links.len()];
        for (rank, &i) in order.iter().enumerate() {
            ranks[i] = rank;
        }
        for joint in robot.joints() {
            for link in &joint.links {
                ranks[link.index()] = match roles[link.index()] {
                    Role::Virtual => ranks[joint.link.index()],
                    _ => ranks[link.index()],
                };
            }
        }
        Self {
            has_klampt,
            root,
            names,
            joint_names,
            roles,
            order,
            ranks,
        }
    }

    /// The link of the robot that a link hangs on in the file.
    pub(super) fn parent(&self, robot: &Robot, i: usize) -> Option<LinkId> {
        match self.roles[i] {
            Role::Chain(_, first) => robot.links()[first].parent(),
            _ => robot.links()[i].parent(),
        }
    }
}

/// How the virtual links of a chain are called.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Virtual {
    /// After the last link.
    Suffixed,
    /// `base0` to `base4`.
    Base,
}

/// Whether a reader makes exactly this chain of a planar or floating joint.
fn chain(robot: &Robot, joint: &Joint, has_klampt: bool) -> Option<Virtual> {
    let suffixes: &[&str] = match joint.kind {
        JointKind::Floating => &["_tx", "_ty", "_tz", "_rz", "_ry"],
        JointKind::FloatingPlanar => &["_tx", "_ty"],
        _ => return None,
    };
    let links: Vec<&Link> = joint.links.iter().map(|&id| robot.link(id)).collect();
    let (last, virtual_links) = links.split_last()?;
    let motions: Vec<LinkMotion> = match (joint.kind, last.motion()) {
        (JointKind::Floating, _) => FREE.to_vec(),
        (_, LinkMotion::Revolute(axis)) if axis.norm() > 0.0 => {
            let (x, y) = plane(axis);
            vec![
                LinkMotion::Prismatic(x),
                LinkMotion::Prismatic(y),
                *last.motion(),
            ]
        }
        _ => return None,
    };
    let is_bare = |link: &&Link| {
        link.inertia() == &Inertia::zero()
            && link.collision().is_empty()
            && link.visual().is_empty()
    };
    let limits = |link: &Link| link.dof().map(|dof| robot.limits()[dof.index()]);
    let is_standard = links.iter().map(|link| *link.motion()).eq(motions)
        && virtual_links.iter().all(is_bare)
        && links
            .iter()
            .skip(1)
            .all(|link| *link.placement() == Pose::identity())
        && links.iter().all(|link| limits(link) == limits(last))
        && limits(last).is_some_and(|l| {
            l.q_min.is_infinite() && l.q_max.is_infinite() && l.a_max.is_infinite()
        });
    if !is_standard || virtual_links.len() != suffixes.len() {
        return None;
    }
    let named = |k: usize, name: String| virtual_links[k].name() == name;
    let mut all = 0..suffixes.len();
    if all
        .clone()
        .all(|k| named(k, format!("{}{}", last.name(), suffixes[k])))
    {
        return Some(Virtual::Suffixed);
    }
    let is_klampts = has_klampt
        && joint.base.is_none()
        && joint.kind == JointKind::Floating
        && joint
            .links
            .iter()
            .enumerate()
            .all(|(k, id)| id.index() == k)
        && *links[0].placement() == Pose::identity()
        && limits(last).is_some_and(|l| l.tau_max == 0.0 && l.v_max.is_infinite());
    (is_klampts && all.all(|k| named(k, format!("base{k}")))).then_some(Virtual::Base)
}

/// The names of the links, with numbers where they repeat.
fn unique(links: &[Link], output: &mut Output) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut changed = 0;
    let mut name = |link: &Link| {
        let wish = if link.name().trim().is_empty() {
            "link"
        } else {
            link.name().trim()
        };
        let mut name = wish.to_owned();
        let mut k = 1;
        while !taken.insert(name.clone()) {
            k += 1;
            name = format!("{wish}_{k}");
        }
        changed += usize::from(name != link.name());
        name
    };
    let names = links.iter().map(&mut name).collect();
    if changed > 0 {
        output.lose(format!(
            "{changed} links get other names: in a URDF each has one of its own"
        ));
    }
    names
}

/// Names of joints that make a reader number the children of each link as they are, and the order that results.
fn order(robot: &Robot, names: &[String], roles: &[Role]) -> (Vec<String>, Vec<usize>) {
    let n = names.len();
    let first = |i: usize| match roles[i] {
        Role::Chain(_, first) => first,
        _ => i,
    };
    let written: Vec<usize> = (0..n).filter(|&i| roles[i] != Role::Virtual).collect();
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for &i in &written {
        if roles[i] != Role::Root {
            let parent = robot.links()[first(i)].parent().map(LinkId::index);
            children.entry(parent).or_default().push(i);
        }
    }
    let wish = |i: usize| {
        let property = robot.properties().get(&format!("urdf.joint.{}", names[i]));
        property.map_or_else(|| format!("{}_joint", names[i]), String::clone)
    };
    let mut joint_names: Vec<String> = (0..n).map(wish).collect();
    let is_unique = written
        .iter()
        .map(|&i| &joint_names[i])
        .collect::<HashSet<_>>()
        .len()
        == written.len();
    let is_good = |name: &String| !name.trim().is_empty() && name.trim() == name;
    let is_sorted = |siblings: &Vec<usize>| siblings.is_sorted_by_key(|&i| &joint_names[i]);
    if !is_unique || !joint_names.iter().all(is_good) || !children.values().all(is_sorted) {
        let width = n.to_string().len();
        joint_names = (0..n)
            .map(|i| format!("j{i:0width$}_{}", names[i]))
            .collect();
    }

    // depth first, as a reader goes
    let mut order = Vec::with_capacity(written.len());
    let mut stack: Vec<usize> = children.get(&None).cloned().unwrap_or_default();
    stack.reverse();
    stack.extend(written.iter().filter(|&&i| roles[i] == Role::Root));
    while let Some(i) = stack.pop() {
        order.push(i);
        stack.extend(children.get(&Some(i)).into_iter().flatten().rev());
    }
    (joint_names, order)
}
