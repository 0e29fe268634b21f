//! Groups of joints, named states and end effectors.

use super::{DofId, JointKind, LinkId, Robot};
use crate::{Error, Result};

/// A named set of joints, such as an arm.
///
/// A joint is given by the link that it moves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Group {
    /// The name.
    pub name: String,
    /// The links that its joints move, and fixed links among them.
    pub links: Vec<LinkId>,
}

/// A named configuration of some joints, such as `home`.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NamedState {
    /// The name.
    pub name: String,
    /// The group that it belongs to; `None` for the robot.
    pub group: Option<String>,
    /// Links with a degree of freedom, and the values of those, rad or m.
    pub values: Vec<(LinkId, f64)>,
}

/// A group that grasps or touches objects, such as a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct EndEffector {
    /// The name.
    pub name: String,
    /// The group of its own links.
    pub group: String,
    /// The link that it is attached to.
    pub parent: LinkId,
    /// The group of the arm that moves it.
    pub parent_group: Option<String>,
}

impl Group {
    /// A group of the joints that move these links.
    #[must_use]
    pub fn new(name: impl Into<String>, links: Vec<LinkId>) -> Self {
        Self {
            name: name.into(),
            links,
        }
    }
}

impl NamedState {
    /// A state of the joints that move these links.
    #[must_use]
    pub fn new(name: impl Into<String>, group: Option<String>, values: Vec<(LinkId, f64)>) -> Self {
        Self {
            name: name.into(),
            group,
            values,
        }
    }
}

impl EndEffector {
    /// The links of a group, attached to a link.
    #[must_use]
    pub fn new(name: impl Into<String>, group: impl Into<String>, parent: LinkId) -> Self {
        Self {
            name: name.into(),
            group: group.into(),
            parent,
            parent_group: None,
        }
    }
}

impl Robot {
    /// The groups of joints.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The first group of this name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn group(&self, name: &str) -> Result<&Group> {
        let found = self.groups.iter().find(|group| group.name == name);
        let names = || self.groups.iter().map(|group| group.name.as_str());
        found.ok_or_else(|| Error::not_found("group", name, names()))
    }

    /// The degrees of freedom of a group, in order; welded ones are left out.
    ///
    /// # Panics
    ///
    /// If the group belongs to a larger robot.
    #[must_use]
    pub fn dofs_of(&self, group: &Group) -> Vec<DofId> {
        let mut dofs = Vec::new();
        for &link in &group.links {
            match self.joint_of(link) {
                Some(joint) if joint.kind == JointKind::Weld => {}
                Some(joint) => dofs.extend(joint.links.iter().filter_map(|&l| self.link(l).dof())),
                None => dofs.extend(self.link(link).dof()),
            }
        }
        dofs.sort_unstable();
        dofs.dedup();
        dofs
    }

    /// The named states, of groups and of the robot.
    #[must_use]
    pub fn named_states(&self) -> &[NamedState] {
        &self.named_states
    }

    /// The end effectors.
    #[must_use]
    pub fn end_effectors(&self) -> &[EndEffector] {
        &self.end_effectors
    }

    /// The [initial configuration](Self::initial_config) with the values of a named state.
    ///
    /// # Errors
    ///
    /// As [`set_named_state`](Self::set_named_state).
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::io::{LoadOptions, Loader};
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots");
    /// let options = LoadOptions::default().with_srdf(Some(format!("{data}/../srdf/arm6.srdf").into()));
    /// let arm = Loader::with_options(options).robot(format!("{data}/arm6.urdf"))?.value;
    /// assert_eq!(arm.groups()[0].name, "arm");
    /// assert_eq!(arm.named_config("up", None)?, [0.0, 0.0, 0.0, 0.0, -0.7, 0.0]);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn named_config(&self, name: &str, group: Option<&str>) -> Result<Vec<f64>> {
        let mut q = self.initial.clone();
        self.set_named_state(name, group, &mut q)?;
        Ok(q)
    }

    /// Writes the values of a named state into a configuration; other joints keep theirs.
    ///
    /// Without a group, the states of this name of all groups are taken together: `home` of both arms.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist, [`Error::Length`] for a `q` that does not fit the robot, and
    /// [`Error::Invalid`] where states of this name contradict each other. `q` does not change then.
    pub fn set_named_state(&self, name: &str, group: Option<&str>, q: &mut [f64]) -> Result<()> {
        self.check_config_length(q)?;
        let of_group =
            |state: &&NamedState| group.is_none_or(|g| state.group.as_deref() == Some(g));
        let states = || self.named_states.iter().filter(of_group);
        let mut values: Vec<Option<f64>> = vec![None; q.len()];
        let mut is_known = false;
        for state in states().filter(|state| state.name == name) {
            is_known = true;
            for &(link, value) in &state.values {
                let Some(dof) = self.link(link).dof() else {
                    continue;
                };
                let old = values[dof.index()].replace(value);
                if old.is_some_and(|old| old.to_bits() != value.to_bits()) {
                    let groups = states().filter(|state| state.name == name);
                    let groups = groups.filter_map(|state| state.group.as_deref());
                    let groups: Vec<&str> = groups.collect();
                    let problem = format!(
                        "groups give joint `{}` different values: choose one of {}",
                        self.dof_name(dof),
                        groups.join(", ")
                    );
                    return Err(Error::invalid(format!("state `{name}`"), problem));
                }
            }
        }
        if !is_known {
            if let Some(group) = group {
                self.group(group)?;
            }
            let mut names: Vec<&str> = states().map(|state| state.name.as_str()).collect();
            names.dedup();
            return Err(Error::not_found("state", name, names));
        }
        for (q, value) in q.iter_mut().zip(values) {
            *q = value.unwrap_or(*q);
        }
        Ok(())
    }
}
