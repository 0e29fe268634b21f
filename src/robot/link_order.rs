//! Topological order of the links, parents before children.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{DriverKind, LinkId, LinkSpec, RobotBuilder};
use crate::{Error, Result};

impl RobotBuilder {
    /// Reorders the links so that parents come before their children, and returns the new id of each.
    ///
    /// The order is stable; a valid order does not change. All other ids in the builder are renumbered.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a parent does not exist or the parents form a cycle.
    pub fn sort_links(&mut self) -> Result<Vec<LinkId>> {
        let n = self.links.len();
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut ready = BinaryHeap::new();
        for (i, link) in self.links.iter().enumerate() {
            match link.parent {
                None => ready.push(Reverse(i)),
                Some(parent) if parent.index() < n => children[parent.index()].push(i),
                Some(parent) => {
                    return Err(Error::invalid(
                        format!("link `{}`", link.name),
                        format!(
                            "its parent has index {}, but there are {n} links",
                            parent.index()
                        ),
                    ));
                }
            }
        }

        // the ready link with the smallest index comes next: a stable order
        let mut order = Vec::with_capacity(n);
        while let Some(Reverse(i)) = ready.pop() {
            order.push(i);
            ready.extend(children[i].iter().map(|&child| Reverse(child)));
        }
        if order.len() < n {
            return Err(self.cycle(&order));
        }
        let mut new_id = vec![LinkId::new(0); n];
        for (new, &old) in order.iter().enumerate() {
            new_id[old] = LinkId::new(new);
        }
        if order.iter().enumerate().any(|(new, &old)| new != old) {
            let mut links: Vec<Option<LinkSpec>> = self.links.drain(..).map(Some).collect();
            self.links = order.iter().filter_map(|&old| links[old].take()).collect();
            self.renumber(&|id| new_id.get(id.index()).copied().unwrap_or(id));
        }
        Ok(new_id)
    }

    /// Refuses a link before its parent, so that no id changes.
    pub(super) fn check_order(&self) -> Result<()> {
        let is_late = |(i, link): (usize, &LinkSpec)| link.parent.is_some_and(|p| p.index() >= i);
        let Some(late) = self.links.iter().enumerate().position(is_late) else {
            return Ok(());
        };
        // names a parent that does not exist, or a cycle
        self.clone().sort_links()?;
        let link = &self.links[late];
        let parent = link
            .parent
            .map_or("", |p| self.links[p.index()].name.as_str());
        let problem = format!(
            "comes before its parent `{parent}`: `build_sorted` reorders links and returns their new ids"
        );
        Err(Error::invalid(format!("link `{}`", link.name), problem))
    }

    /// Renumbers every id.
    pub(super) fn renumber(&mut self, new_id: &dyn Fn(LinkId) -> LinkId) {
        for link in &mut self.links {
            link.parent = link.parent.map(new_id);
        }
        for joint in self.joints.iter_mut().flatten() {
            joint.link = new_id(joint.link);
            joint.base = joint.base.map(new_id);
        }
        for driver in self.drivers.iter_mut().flatten() {
            match &mut driver.kind {
                DriverKind::Normal { link } => *link = new_id(*link),
                DriverKind::Affine { links, .. } => {
                    links.iter_mut().for_each(|link| *link = new_id(*link))
                }
                DriverKind::Translation { link, base } | DriverKind::Rotation { link, base } => {
                    *link = new_id(*link);
                    *base = base.map(new_id);
                }
            }
        }
        for closure in &mut self.loop_closures {
            for frame in [&mut closure.a, &mut closure.b] {
                frame.link = frame.link.map(new_id);
            }
        }
        for sensor in &mut self.sensors {
            sensor.link = new_id(sensor.link);
        }
        self.renumber_groups(new_id);
        let pairs = self.self_collision.only.iter_mut().flatten();
        for (a, b) in pairs.chain(&mut self.self_collision.except) {
            (*a, *b) = (new_id(*a), new_id(*b));
        }
    }

    /// An error that names one cycle among the links that could not be ordered.
    fn cycle(&self, ordered: &[usize]) -> Error {
        let mut left = vec![true; self.links.len()];
        ordered.iter().for_each(|&i| left[i] = false);
        let parent = |i: usize| self.links[i].parent.map_or(i, LinkId::index);
        let mut on_cycle = left.iter().position(|&is_left| is_left).unwrap_or(0);

        // after n steps to the parent the link is on the cycle
        for _ in 0..self.links.len() {
            on_cycle = parent(on_cycle);
        }
        let mut names = vec![self.links[on_cycle].name.as_str()];
        let mut i = parent(on_cycle);
        while i != on_cycle && names.len() < 8 {
            names.push(&self.links[i].name);
            i = parent(i);
        }
        Error::invalid(
            format!("link `{}`", names[0]),
            format!("it is its own ancestor: {}", names.join(" <- ")),
        )
    }
}
