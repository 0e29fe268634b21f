//! Groups, states and end effectors of an SRDF, by the links and joints of a robot. Unknown names are reported.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{EndEffector, GroupState, Srdf, SrdfGroup};
use crate::io::position::Position;
use crate::io::report::FileReport;
use crate::robot::{self, JointKind, LinkId, RobotBuilder};

/// Adds groups, states and end effectors to a robot.
pub(super) fn add(srdf: &Srdf, robot: &mut RobotBuilder, report: FileReport<'_>) {
    let (groups, states, end_effectors) = {
        let names = Names::of(srdf, robot, report);
        let groups = srdf.groups.iter().map(|group| names.links_of(group));
        let states = srdf.states.iter().map(|state| names.state(state));
        let effectors = srdf.end_effectors.iter();
        let effectors = effectors.filter_map(|effector| names.end_effector(effector));
        let groups: Vec<_> = groups.collect();
        (
            groups,
            states.collect::<Vec<_>>(),
            effectors.collect::<Vec<_>>(),
        )
    };
    robot.groups.extend(groups);
    robot.named_states.extend(states);
    robot.end_effectors.extend(end_effectors);
}

/// Links, joints and groups by name.
struct Names<'a> {
    srdf: &'a Srdf,
    robot: &'a RobotBuilder,
    report: FileReport<'a>,
    links: HashMap<&'a str, LinkId>,
    /// The link that a joint moves; `None` for a virtual joint.
    joints: HashMap<&'a str, Option<LinkId>>,
}

impl<'a> Names<'a> {
    fn of(srdf: &'a Srdf, robot: &'a RobotBuilder, report: FileReport<'a>) -> Self {
        let numbered = || robot.links.iter().enumerate().rev();
        let virtual_joints = srdf.virtual_joints.iter();
        let virtual_joints = virtual_joints.map(|joint| (joint.name.as_str(), None));
        let mut joints: HashMap<_, _> = virtual_joints.collect();
        // a .rob names links only
        let names_joints = robot.links.iter().any(|link| !link.joint.is_empty());
        joints.extend(numbered().filter_map(|(i, link)| {
            let name = if names_joints {
                &link.joint
            } else {
                &link.name
            };
            (!name.is_empty()).then(|| (name.as_str(), Some(LinkId::new(i))))
        }));
        Self {
            srdf,
            robot,
            report,
            links: numbered()
                .map(|(i, link)| (link.name.as_str(), LinkId::new(i)))
                .collect(),
            joints,
        }
    }

    /// The links of a group: those that it lists, the child links of its joints, and those of its chains below their base;
    /// nested groups included.
    fn links_of(&self, group: &SrdfGroup) -> robot::Group {
        let mut links = BTreeSet::new();
        let (mut open, mut seen) = (vec![group], HashSet::from([group.name.as_str()]));
        while let Some(part) = open.pop() {
            // each group reports its own names
            let is_own = part.name == group.name;
            let lost = |kind: &str, name: &str| {
                if is_own {
                    let problem = format!("group `{}`: no {kind} is named `{name}`", group.name);
                    self.report.warn(part.position, "srdf", problem);
                }
            };
            for name in &part.links {
                match self.links.get(name.as_str()) {
                    Some(&link) => drop(links.insert(link)),
                    None => lost("link", name),
                }
            }
            for [base, tip] in &part.chains {
                let [start, end] = [base, tip].map(|name| self.links.get(name.as_str()).copied());
                // a link `world` of a URDF is the world itself
                if start.is_none() && base != "world" {
                    lost("link", base);
                    continue;
                }
                let Some(end) = end else {
                    lost("link", tip);
                    continue;
                };
                match self.chain(start, end) {
                    Some(chain) => links.extend(chain),
                    None if is_own => {
                        let problem = format!(
                            "group `{}`: link `{base}` is not an ancestor of link `{tip}`; the chain is ignored",
                            group.name
                        );
                        self.report.warn(part.position, "srdf", problem);
                    }
                    None => {}
                }
            }
            for name in &part.joints {
                match self.joints.get(name.as_str()) {
                    Some(link) => links.extend(*link),
                    None => lost("joint", name),
                }
            }
            for name in &part.groups {
                let mut known = self.srdf.groups.iter();
                match known.find(|group| group.name == *name) {
                    Some(inner) if seen.insert(&inner.name) => open.push(inner),
                    Some(_) => {}
                    None => lost("group", name),
                }
            }
        }
        robot::Group::new(&group.name, links.into_iter().collect())
    }

    /// The links below `start`, down to `end`; `None` where it is not an ancestor.
    fn chain(&self, start: Option<LinkId>, end: LinkId) -> Option<Vec<LinkId>> {
        let mut links = Vec::new();
        let mut next = Some(end);
        while next != start {
            // a cycle is an error of the robot
            if links.len() > self.robot.links.len() {
                return None;
            }
            let link = next?;
            links.push(link);
            next = self.robot.links.get(link.index())?.parent;
        }
        Some(links)
    }

    fn state(&self, state: &GroupState) -> robot::NamedState {
        let warn = |problem: String| {
            let problem = format!("state `{}`: {problem}", state.name);
            self.report.warn(state.position, "srdf", problem);
        };
        let group = state.group.as_ref().filter(|name| {
            let is_known = self.srdf.groups.iter().any(|group| group.name == **name);
            if !is_known {
                warn(format!(
                    "no group is named `{name}`; it is one of the joints that it names"
                ));
            }
            is_known
        });
        if state.group.is_none() {
            warn("it names no group; it is one of the joints that it names".to_owned());
        }
        let mut values = Vec::new();
        for (joint, given) in &state.joints {
            let Some(link) = self.joints.get(joint.as_str()) else {
                warn(format!("no joint is named `{joint}`; its value is ignored"));
                continue;
            };
            let Some(dofs) = link.map(|link| self.dofs(link)) else {
                continue;
            };
            if dofs.len() == given.len() {
                values.extend(dofs.into_iter().zip(given.iter().copied()));
            } else {
                warn(format!(
                    "joint `{joint}` has {} degrees of freedom, {} are given; they are ignored",
                    dofs.len(),
                    given.len()
                ));
            }
        }
        robot::NamedState::new(&state.name, group.cloned(), values)
    }

    /// The links of the joint above a link, those with a degree of freedom.
    fn dofs(&self, link: LinkId) -> Vec<LinkId> {
        let joints = self.robot.joints.iter().flatten();
        let kind = |kind: JointKind| kind.dofs().filter(|&n| n > 1);
        let joint = joints.into_iter().find(|joint| joint.link == link);
        let n = joint.and_then(|joint| kind(joint.kind)).unwrap_or(1);
        let spec = |id: LinkId| self.robot.links.get(id.index());
        let chain = std::iter::successors(Some(link), |&id| spec(id)?.parent);
        let has_dof = |id: &LinkId| spec(*id).is_some_and(|link| !link.motion.is_fixed());
        let mut links: Vec<LinkId> = chain.take(n).filter(has_dof).collect();
        links.reverse();
        links
    }

    fn end_effector(&self, effector: &EndEffector) -> Option<robot::EndEffector> {
        let warn = |problem: String| {
            let problem = format!("end effector `{}`: {problem}", effector.name);
            self.report.warn(Position::default(), "srdf", problem);
        };
        let Some(&parent) = self.links.get(effector.parent_link.as_str()) else {
            warn(format!(
                "no link is named `{}`; it is ignored",
                effector.parent_link
            ));
            return None;
        };
        let is_known = |name: &&String| self.srdf.groups.iter().any(|group| group.name == **name);
        for name in [Some(&effector.group), effector.parent_group.as_ref()] {
            if let Some(name) = name.filter(|name| !is_known(name)) {
                warn(format!("no group is named `{name}`"));
            }
        }
        let mut found = robot::EndEffector::new(&effector.name, &effector.group, parent);
        found.parent_group = effector.parent_group.as_ref().filter(is_known).cloned();
        Some(found)
    }
}
