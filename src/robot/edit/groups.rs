//! Groups, named states and end effectors through edits.

use crate::robot::{EndEffector, Group, LinkId, NamedState, RobotBuilder};
use crate::{Error, Result};

impl RobotBuilder {
    /// Refuses links that do not exist, and values that are not finite.
    pub(in crate::robot) fn check_groups(&self) -> Result<()> {
        let n = self.links.len();
        let refuse = |what: &str, name: &str, problem: String| {
            Err(Error::invalid(format!("{what} `{name}`"), problem))
        };
        let lost = |id: LinkId| format!("there is no link {}; there are {n}", id.index());
        for Group { name, links } in &self.groups {
            if let Some(&id) = links.iter().find(|id| id.index() >= n) {
                return refuse("group", name, lost(id));
            }
        }
        for NamedState { name, values, .. } in &self.named_states {
            for &(id, value) in values {
                let Some(link) = self.links.get(id.index()) else {
                    return refuse("state", name, lost(id));
                };
                if link.motion.is_fixed() {
                    let problem = format!("link `{}` has no degree of freedom", link.name);
                    return refuse("state", name, problem);
                }
                if !value.is_finite() {
                    let problem = format!("the value of link `{}` is not finite", link.name);
                    return refuse("state", name, problem);
                }
            }
        }
        for EndEffector { name, parent, .. } in &self.end_effectors {
            if parent.index() >= n {
                return refuse("end effector", name, lost(*parent));
            }
        }
        Ok(())
    }

    /// Renumbers the links.
    pub(in crate::robot) fn renumber_groups(&mut self, new_id: &dyn Fn(LinkId) -> LinkId) {
        for group in &mut self.groups {
            group.links.iter_mut().for_each(|id| *id = new_id(*id));
        }
        let values = self.named_states.iter_mut().flat_map(|s| &mut s.values);
        values.for_each(|(id, _)| *id = new_id(*id));
        for effector in &mut self.end_effectors {
            effector.parent = new_id(effector.parent);
        }
    }

    /// Renumbers the links that stay, and drops what has none left.
    pub(super) fn keep_groups(
        &mut self,
        link_of: &dyn Fn(LinkId) -> Option<LinkId>,
        holder_of: &dyn Fn(LinkId) -> Option<LinkId>,
    ) {
        let dof_of = |links: &[crate::robot::LinkSpec], id: LinkId| {
            let id = link_of(id)?;
            let spec = links.get(id.index())?;
            (!spec.motion.is_fixed()).then_some(id)
        };
        for group in &mut self.groups {
            group.links = group.links.iter().filter_map(|&id| link_of(id)).collect();
        }
        self.groups.retain(|group| !group.links.is_empty());
        for state in &mut self.named_states {
            let values = state.values.iter();
            let kept = values.filter_map(|&(id, value)| Some((dof_of(&self.links, id)?, value)));
            state.values = kept.collect();
        }
        self.named_states.retain(|state| !state.values.is_empty());
        let effectors = std::mem::take(&mut self.end_effectors).into_iter();
        let kept = effectors.filter_map(|mut effector| {
            effector.parent = holder_of(effector.parent)?;
            Some(effector)
        });
        self.end_effectors = kept.collect();
    }

    /// Appends those of a mounted robot, renamed.
    pub(super) fn adopt_groups(
        &mut self,
        (groups, states, effectors): (Vec<Group>, Vec<NamedState>, Vec<EndEffector>),
        named: &dyn Fn(&str) -> String,
    ) {
        for mut group in groups {
            group.name = named(&group.name);
            self.groups.push(group);
        }
        for mut state in states {
            state.name = named(&state.name);
            state.group = state.group.as_deref().map(named);
            self.named_states.push(state);
        }
        for mut effector in effectors {
            effector.name = named(&effector.name);
            effector.group = named(&effector.group);
            effector.parent_group = effector.parent_group.as_deref().map(named);
            self.end_effectors.push(effector);
        }
    }
}
