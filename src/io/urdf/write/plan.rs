//! Layout of a robot in a file: name, joint and element of each link.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::io::save::Output;
use crate::io::urdf::joint::{FREE, plane};
use crate::math::{Inertia, Pose};
use crate::robot::{Joint, JointKind, Link, LinkId, LinkMotion, Robot};

/// Layout of a robot in a file.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) has_klampt: bool,
    pub(super) root: Root,
    /// One name per link, each once.
    names: Vec<String>,
    /// The joint whose child each link is.
    joint_names: Vec<String>,
    /// Of the links that are more than `Scalar`.
    roles: HashMap<usize, Role>,
    /// The links that are written, as a reader will number them.
    pub(super) order: Vec<usize>,
    /// The index of each link in that order; for a virtual link, that of the last link of its chain.
    ranks: HashMap<usize, usize>,
}

/// Parent of the links without a parent.
#[derive(Debug, PartialEq)]
pub(super) enum Root {
    /// A link of the robot that is fixed to the world.
    Link,
    /// An additional link of this name.
    Extra(String),
    /// A link of the robot with Klampt's floating base.
    Floating,
}

/// Role of a link in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// The root itself, the child of no joint.
    Root,
    /// The child of a joint of its own.
    Scalar,
    /// The last link of the chain of a planar or floating joint that begins at this link.
    Chain(JointKind, LinkId),
    /// A virtual link of such a chain.
    Virtual,
}

impl Plan {
    pub(super) fn new(robot: &Robot, output: &mut Output) -> Self {
        let links = robot.links();
        let has_klampt = !links.iter().any(|link| link.motion().is_fixed());
        let mut roles = HashMap::new();
        let mut root = None;
        for joint in robot.joints() {
            let chain = chain(robot, joint, has_klampt);
            let (Some(virtual_links), Some(first)) = (chain, joint.links.first()) else {
                if joint.kind.dofs() != Some(1) {
                    output.warn(format!(
                        "the {} joint of link `{}` is written as one joint per degree of freedom",
                        joint.kind.name(),
                        robot.link(joint.link).name()
                    ));
                }
                continue;
            };
            let is_root = joint.base.is_none() && virtual_links == Virtual::Base;
            for link in &joint.links {
                roles.insert(link.index(), Role::Virtual);
            }
            let role = if is_root {
                root = Some(Root::Floating);
                Role::Root
            } else {
                Role::Chain(joint.kind, *first)
            };
            roles.insert(joint.link.index(), role);
        }
        let links_by_number = links.iter().enumerate();
        let mut roots = links_by_number.filter(|(_, link)| link.parent().is_none());
        let (one, another) = (roots.next(), roots.next());
        if let (Some((i, link)), None) = (one, another)
            && link.motion().is_fixed()
            && *link.placement() == Pose::identity()
        {
            roles.insert(i, Role::Root);
            root = Some(Root::Link);
        }
        // other links of the world have no parent beside a floating root
        if root == Some(Root::Floating) && another.is_some() {
            for role in roles.values_mut().filter(|role| **role == Role::Root) {
                *role = Role::Chain(JointKind::Floating, LinkId::new(0));
            }
            root = None;
        }
        let names = unique(links, output);
        let root = root.unwrap_or_else(|| {
            let name = world_name(&names);
            if !has_klampt {
                output.warn(format!(
                    "a URDF has one root: the link `{name}` is added as the root"
                ));
            }
            Root::Extra(name)
        });
        let (joint_names, order) = order(robot, &names, &roles);
        if !order.is_sorted() {
            output.warn("links and degrees of freedom are reordered depth first");
        }
        let by_rank = order.iter().enumerate();
        let mut ranks: HashMap<usize, usize> = by_rank.map(|(rank, &i)| (i, rank)).collect();
        for joint in robot.joints() {
            let last = ranks.get(&joint.link.index()).copied().unwrap_or_default();
            for link in &joint.links {
                ranks.entry(link.index()).or_insert(last);
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

    /// The name of the world, which no link but an added root has.
    pub(super) fn world_frame(&self) -> String {
        match &self.root {
            Root::Extra(name) => name.clone(),
            _ => world_name(&self.names),
        }
    }

    /// The name of a link in the file.
    pub(super) fn name(&self, link: usize) -> &str {
        self.names.get(link).map_or("", String::as_str)
    }

    /// The name of the joint whose child is a link.
    pub(super) fn joint_name(&self, link: usize) -> &str {
        self.joint_names.get(link).map_or("", String::as_str)
    }

    /// Role of a link in the file.
    pub(super) fn role(&self, link: usize) -> Role {
        role(&self.roles, link)
    }

    /// The index of a link in the file.
    pub(super) fn rank(&self, link: LinkId) -> usize {
        self.ranks.get(&link.index()).copied().unwrap_or_default()
    }
}

fn role(roles: &HashMap<usize, Role>, link: usize) -> Role {
    roles.get(&link).copied().unwrap_or(Role::Scalar)
}

/// Suffixes of the names of the virtual links of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Virtual {
    /// After the last link.
    Suffixed,
    /// `base0` to `base4`.
    Base,
}

/// True if a reader makes exactly this chain of a planar or floating joint.
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
    let limits = |link: &Link| robot.limits().get(link.dof()?.index());
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
    let mut suffixed = virtual_links.iter().zip(suffixes);
    if suffixed.all(|(link, suffix)| link.name().strip_prefix(last.name()) == Some(*suffix)) {
        return Some(Virtual::Suffixed);
    }
    let mut numbered = virtual_links.iter().enumerate();
    let is_klampts = has_klampt
        && joint.base.is_none()
        && joint.kind == JointKind::Floating
        && joint
            .links
            .iter()
            .enumerate()
            .all(|(k, id)| id.index() == k)
        && links
            .iter()
            .all(|link| *link.placement() == Pose::identity())
        && limits(last).is_some_and(|l| l.tau_max == 0.0 && l.v_max.is_infinite())
        && numbered.all(|(k, link)| link.name() == format!("base{k}"));
    is_klampts.then_some(Virtual::Base)
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
        output.warn(format!(
            "{changed} links are renamed: names in a URDF are unique"
        ));
    }
    names
}

/// Names of joints that make a reader keep the order of the children of each link, and the order of the links.
fn order(
    robot: &Robot,
    names: &[String],
    roles: &HashMap<usize, Role>,
) -> (Vec<String>, Vec<usize>) {
    let is_virtual = |i: &usize| role(roles, *i) == Role::Virtual;
    let written: Vec<usize> = (0..names.len()).filter(|i| !is_virtual(i)).collect();
    let mut root = None;
    let mut children: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for &i in &written {
        let first = match role(roles, i) {
            Role::Root => {
                root = Some(i);
                continue;
            }
            Role::Chain(_, first) => first,
            _ => LinkId::new(i),
        };
        let parent = robot.link(first).parent().map(LinkId::index);
        children.entry(parent).or_default().push(i);
    }
    let wish = |(link, name): (&Link, &String)| {
        let joint = link.joint_name().map(str::to_owned);
        joint.unwrap_or_else(|| format!("{name}_joint"))
    };
    let links = robot.links().iter();
    let mut joint_names: Vec<String> = links.zip(names).map(wish).collect();
    let mut taken = HashSet::new();
    let mut wishes = written.iter().map(|&i| joint_names.get(i));
    let is_unique = wishes.all(|name| taken.insert(name));
    let is_good = |name: &String| !name.trim().is_empty() && name.trim() == name;
    // names that a file gave are worth more than the order of siblings, which a reader takes from them
    let is_named = robot.links().iter().any(|link| link.joint_name().is_some());
    let is_sorted = |siblings: &Vec<usize>| siblings.is_sorted_by_key(|&i| joint_names.get(i));
    let is_valid = is_unique && joint_names.iter().all(is_good);
    if is_valid && is_named {
        for siblings in children.values_mut() {
            siblings.sort_by_key(|&i| joint_names.get(i));
        }
    } else if !is_valid || !children.values().all(is_sorted) {
        let width = names.len().to_string().len();
        let numbered = names.iter().enumerate();
        joint_names = numbered
            .map(|(i, name)| format!("j{i:0width$}_{name}"))
            .collect();
    }

    // depth first, as in a reader
    let mut order = Vec::with_capacity(written.len());
    let mut stack: Vec<usize> = children.get(&None).cloned().unwrap_or_default();
    stack.reverse();
    stack.extend(root);
    while let Some(i) = stack.pop() {
        order.push(i);
        stack.extend(children.get(&Some(i)).into_iter().flatten().rev());
    }
    (joint_names, order)
}

/// A name for the world that no link has.
fn world_name(names: &[String]) -> String {
    let mut name = "world".to_owned();
    while names.contains(&name) {
        name.push('_');
    }
    name
}
