//! Checks of one configuration with the exact shapes.

use super::robot_cspace::Member;
use super::{CSpace, Obstacle, RobotCSpace, Workspace};
use crate::robot::DofId;
use crate::{Result, kinematics, world};

impl RobotCSpace {
    /// The reason why a configuration is not free, the first that is found; `None` where it is free.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) and [`Error::Invalid`](crate::Error::Invalid) for what is not a
    /// configuration.
    pub fn obstacle(&self, q: &[f64]) -> Result<Option<Obstacle>> {
        self.with_workspace(|ws| self.obstacle_with(q, ws))
    }

    /// [`obstacle`](Self::obstacle) in a workspace of the caller.
    ///
    /// # Errors
    ///
    /// As [`obstacle`](Self::obstacle).
    pub fn obstacle_with(&self, q: &[f64], ws: &mut Workspace) -> Result<Option<Obstacle>> {
        ws.update(&self.snapshot)?;
        self.check_values(q)?;
        obstacle(self, q, 0.0, &mut ws.poses.world)
    }

    /// Returns whether one of these pairs of parts collides where the robots are; without pairs, whether any that is tested
    /// does.
    pub(super) fn collides(
        &self,
        pairs: &[(usize, usize)],
        ws: &mut world::Workspace,
    ) -> Result<bool> {
        let collider = &self.snapshot.collider;
        if !pairs.is_empty() {
            return Ok(collider.any_collides_with(pairs, ws));
        }
        for Member { id, .. } in self.members() {
            if collider.robot_collides_with(*id, ws)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first limit or driver that a configuration violates.
    fn violated_limit(&self, q: &[f64], slack: f64) -> Result<Option<Obstacle>> {
        if let Some(moved) = self.moved(q, slack) {
            return Ok(Some(moved));
        }
        for member in self.members() {
            let (robot, q) = (&member.robot, &q[member.range.clone()]);
            if let Some(dof) = kinematics::first_beyond_limits(robot, q, slack)? {
                return Ok(Some(limit_obstacle(member, dof, q)));
            }
            if let Some(driver) = member.coupling.broken(robot, q)? {
                let robot = member.id;
                return Ok(Some(Obstacle::Driver { robot, driver }));
            }
        }
        Ok(None)
    }
}

/// The obstacle at a configuration, within limits that are wider by `slack`. Cheapest first: limits, drivers, collisions.
pub(super) fn obstacle(
    space: &RobotCSpace,
    q: &[f64],
    slack: f64,
    ws: &mut world::Workspace,
) -> Result<Option<Obstacle>> {
    if let Some(obstacle) = space.violated_limit(q, slack)? {
        return Ok(Some(obstacle));
    }
    space.set_robots(q, ws)?;
    for Member { id, .. } in space.members() {
        if let Some((a, b)) = space.snapshot.collider.robot_collision_with(*id, ws)? {
            return Ok(Some(Obstacle::of_pair(a, b)));
        }
    }
    Ok(None)
}

/// Returns whether [`obstacle`] is `None`, without a name for it.
pub(super) fn is_free(
    space: &RobotCSpace,
    q: &[f64],
    slack: f64,
    ws: &mut world::Workspace,
) -> Result<bool> {
    if space.violated_limit(q, slack)?.is_some() {
        return Ok(false);
    }
    space.set_robots(q, ws)?;
    space.collides(&[], ws).map(|collides| !collides)
}

/// The obstacle of a degree of freedom that is beyond its limits.
fn limit_obstacle(member: &Member, dof: DofId, q: &[f64]) -> Obstacle {
    let limits = &member.robot.limits()[dof.index()];
    Obstacle::Limit {
        robot: member.id,
        dof,
        value: q[dof.index()],
        range: [limits.q_min, limits.q_max],
    }
}
