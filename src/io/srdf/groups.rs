//! Links and named configurations of an SRDF's groups in a robot.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::apply::joints;
use super::{GroupState, Srdf, SrdfGroup};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

impl Srdf {
    /// The links of a group, parents first: those that it lists, the child links of its joints, and those of its chains
    /// below their base; nested groups included.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown name, [`Error::Invalid`] where a chain does not lead from its base
    /// to its tip.
    pub fn links_of(&self, robot: &Robot, group: &str) -> Result<Vec<LinkId>> {
        let names = Names::of(self, robot);
        let mut links = BTreeSet::new();
        let (mut open, mut seen) = (vec![group], HashSet::from([group]));
        while let Some(name) = open.pop() {
            let group = names.group(self, name)?;
            for link in &group.links {
                links.insert(robot.link_id(link)?);
            }
            for joint in &group.joints {
                links.extend(names.link_of(joint)?);
            }
            for [base, tip] in &group.chains {
                links.extend(chain(robot, base, tip)?);
            }
            let inner = group.groups.iter().map(String::as_str);
            open.extend(inner.filter(|&name| seen.insert(name)));
        }
        Ok(links.into_iter().collect())
    }

    /// The configuration of a named state of a group; joints that it does not name keep their initial position.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown name, [`Error::Invalid`] for a wrong number of values.
    pub fn config_of(&self, robot: &Robot, group: &str, state: &str) -> Result<Vec<f64>> {
        let of_group = |s: &&GroupState| s.group == group;
        let found = self
            .states
            .iter()
            .filter(of_group)
            .find(|s| s.name == state);
        let Some(found) = found else {
            let known = self.states.iter().filter(of_group);
            let known = known.map(|s| s.name.as_str());
            return Err(Error::not_found("group state", state, known));
        };
        let names = Names::of(self, robot);
        let mut q = robot.initial_config().to_vec();
        for (joint, values) in &found.joints {
            let Some(link) = names.link_of(joint)? else {
                continue;
            };
            let dofs: Vec<usize> = match robot.joint_of(link) {
                Some(joint) => joint
                    .links
                    .iter()
                    .filter_map(|&link| index(robot, link))
                    .collect(),
                None => index(robot, link).into_iter().collect(),
            };
            if dofs.len() != values.len() {
                let problem = format!(
                    "it has {} degrees of freedom, the state gives {}",
                    dofs.len(),
                    values.len()
                );
                return Err(Error::invalid(format!("joint `{joint}`"), problem));
            }
            for (dof, value) in dofs.into_iter().zip(values) {
                *q.get_mut(dof).expect("dofs are below the robot's number") = *value;
            }
        }
        Ok(q)
    }
}

fn index(robot: &Robot, link: LinkId) -> Option<usize> {
    robot.link(link).dof().map(|dof| dof.index())
}

/// Joints and groups by name.
struct Names<'a> {
    groups: HashMap<&'a str, usize>,
    /// The child link of a joint; `None` for a virtual joint.
    links: HashMap<&'a str, Option<LinkId>>,
}

impl<'a> Names<'a> {
    fn of(srdf: &'a Srdf, robot: &'a Robot) -> Self {
        let groups = srdf.groups.iter().enumerate();
        let virtual_joints = srdf.virtual_joints.iter();
        let mut links: HashMap<_, _> = virtual_joints
            .map(|joint| (joint.name.as_str(), None))
            .collect();
        let named = joints(robot.properties());
        links.extend(
            named.filter_map(|(joint, child)| Some((joint, Some(robot.link_id(child).ok()?)))),
        );
        Self {
            groups: groups.map(|(i, group)| (group.name.as_str(), i)).collect(),
            links,
        }
    }

    fn group<'s>(&self, srdf: &'s Srdf, name: &str) -> Result<&'s SrdfGroup> {
        let group = self.groups.get(name).and_then(|&i| srdf.groups.get(i));
        let known = || srdf.groups.iter().map(|group| group.name.as_str());
        group.ok_or_else(|| Error::not_found("group", name, known()))
    }

    fn link_of(&self, joint: &str) -> Result<Option<LinkId>> {
        let found = self.links.get(joint).copied();
        found.ok_or_else(|| {
            let mut known: Vec<&str> = self.links.keys().copied().collect();
            known.sort_unstable();
            Error::not_found("joint", joint, known)
        })
    }
}

/// The links below `base`, down to `tip`.
fn chain(robot: &Robot, base: &str, tip: &str) -> Result<Vec<LinkId>> {
    let (start, end) = (robot.link_id(base)?, robot.link_id(tip)?);
    let mut links = Vec::new();
    let mut next = Some(end);
    while let Some(link) = next {
        if link == start {
            return Ok(links);
        }
        links.push(link);
        next = robot.link(link).parent();
    }
    let problem = format!("link `{base}` is not an ancestor of link `{tip}`");
    Err(Error::invalid("chain", problem))
}
