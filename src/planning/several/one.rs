//! The space of one of several robots.

use std::sync::Arc;

use crate::Result;
use crate::planning::robot_cspace::Member;
use crate::planning::{CSpace, RobotCSpace, Workspace};
use crate::world::{EntityId, PairFilter, RobotId, WorldModel};

impl RobotCSpace {
    /// The space of one of the robots, among the others where the configuration `q` of all has them; pairs with those that are
    /// `ignored` do not count. `change` may add to the world and to its filter. It has no sphere pre-filter, whose spheres take
    /// longer to fit than most searches.
    pub(super) fn of_one(
        &self,
        member: usize,
        q: &[f64],
        ignored: &[usize],
        change: impl FnOnce(&mut WorldModel, PairFilter) -> Result<PairFilter>,
    ) -> Result<Self> {
        let mut world = self.world().clone();
        for other in self.members() {
            let own = &q[other.range.clone()];
            world.robot_mut(other.id)?.set_config(own)?;
        }
        let one = &self.members()[member];
        let mut filter = self.snapshot.filter.clone();
        for &other in ignored {
            let other = self.members()[other].id;
            for a in with_attached(&world, one.id) {
                for b in with_attached(&world, other) {
                    filter = filter.ignore_pair(a, b);
                }
            }
        }
        let filter = change(&mut world, filter)?;
        let mut space = Self::with_filter(&world, &[one.id], &filter)?;
        if let Some(fixed) = self.snapshot.fixed.get(one.range.clone())
            && fixed.iter().any(Option::is_some)
        {
            space.fix(fixed.to_vec());
        }
        if let Some(weights) = &self.weights {
            space = space.with_weights(&weights[one.range.clone()])?;
        }
        space.with_resolution(self.resolution())
    }

    /// With a sphere pre-filter as another space has it.
    pub(super) fn with_prefilter_of(self, other: &Self) -> Result<Self> {
        match other.snapshot.spheres {
            Some(most) => self.with_sphere_prefilter(most),
            None => Ok(self),
        }
    }

    /// The space of one robot with the others where the configuration `q` of all robots of `joint` has them.
    pub(super) fn with_others_at(mut self, joint: &Self, q: &[f64]) -> Result<Self> {
        let own = self.ids();
        let snapshot = Arc::make_mut(&mut self.snapshot);
        let ws = &mut snapshot.initial.poses.world;
        for Member { id, range, .. } in joint.members() {
            if !own.contains(id) {
                let q = &q[range.clone()];
                ws.set_config(*id, q)?;
                snapshot.world.robot_mut(*id)?.set_config(q)?;
            }
        }
        if let Some(spheres) = &mut snapshot.initial.spheres {
            spheres.set_obstacles(&snapshot.collider, ws);
        }
        snapshot.renew();
        Ok(self)
    }

    /// Checks each row of `block`, a configuration of all robots, and writes into `free` whether one of them is, within the limits
    /// of which it has to be; in lanes, where there are spheres, whether all are.
    pub(super) fn are_free_for(
        &self,
        member: usize,
        block: &[f64],
        free: &mut [bool],
        ws: &mut Workspace,
    ) -> Result<()> {
        if self.snapshot.initial.spheres.is_some() {
            return self.are_free_with(block, free, ws);
        }
        ws.update(&self.snapshot)?;
        let id = self.members()[member].id;
        let n = self.n_dofs();
        for (i, free) in free.iter_mut().enumerate() {
            let ws = &mut ws.poses.world;
            self.set_robots(&block[i * n..][..n], ws)?;
            *free = !self.snapshot.collider.robot_collides_with(id, ws)?;
        }
        Ok(())
    }
}

/// A robot and what is attached to it.
pub(super) fn with_attached(world: &WorldModel, robot: RobotId) -> Vec<EntityId> {
    let attached = world.attachments().filter(|(_, to)| to.robot() == robot);
    let attached = attached.map(|(object, _)| EntityId::from(object));
    [EntityId::from(robot)]
        .into_iter()
        .chain(attached)
        .collect()
}
