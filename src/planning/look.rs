//! A look at one configuration: what is in the way, or only whether something is.

use super::robot_cspace::{Member, ROUNDING};
use super::{Obstacle, RobotCSpace};
use crate::robot::DofId;
use crate::{Result, kinematics};

impl RobotCSpace {
    /// Why a configuration is not free, the first reason that is found; `None` where it is.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) and [`Error::Invalid`](crate::Error::Invalid) for what is not a
    /// configuration.
    pub fn obstacle(&mut self, q: &[f64]) -> Result<Option<Obstacle>> {
        self.check(q)?;
        self.obstacle_within(q, 0.0)
    }

    /// What is in the way at `u` from `a` to `b`, both of them configurations.
    pub(super) fn obstacle_between(
        &mut self,
        a: &[f64],
        b: &[f64],
        u: f64,
    ) -> Result<Option<Obstacle>> {
        self.look_between(a, b, u, |space, q| space.obstacle_within(q, ROUNDING))
    }

    /// What is in the way at one step of a way; the ends are taken as they are.
    pub(super) fn at_step(
        &mut self,
        a: &[f64],
        b: &[f64],
        i: usize,
        steps: usize,
    ) -> Result<Option<Obstacle>> {
        if i == 0 || i == steps {
            return self.obstacle(if i == 0 { a } else { b });
        }
        self.obstacle_between(a, b, i as f64 / steps as f64)
    }

    /// Whether a configuration is free: whether [`obstacle`](Self::obstacle) names nothing.
    pub(super) fn is_clear(&mut self, q: &[f64]) -> Result<bool> {
        self.check(q)?;
        self.is_clear_within(q, 0.0)
    }

    /// Whether one step of a way is free: whether [`at_step`](Self::at_step) names nothing.
    pub(super) fn is_step_clear(
        &mut self,
        a: &[f64],
        b: &[f64],
        i: usize,
        steps: usize,
    ) -> Result<bool> {
        if i == 0 || i == steps {
            return self.is_clear(if i == 0 { a } else { b });
        }
        let u = i as f64 / steps as f64;
        self.look_between(a, b, u, |space, q| space.is_clear_within(q, ROUNDING))
    }

    /// Whether anything collides where the robots are.
    pub(super) fn collides(&mut self) -> Result<bool> {
        for i in 0..self.members().len() {
            let id = self.members()[i].id;
            let (collider, ws) = self.collider();
            if collider.robot_collides_with(id, ws)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks at the configuration at `u` from `a` to `b`.
    fn look_between<R>(
        &mut self,
        a: &[f64],
        b: &[f64],
        u: f64,
        look: impl FnOnce(&mut Self, &[f64]) -> Result<R>,
    ) -> Result<R> {
        let mut q = std::mem::take(&mut self.between);
        let found = self
            .between_into(a, b, u, &mut q)
            .and_then(|()| look(self, &q));
        self.between = q;
        found
    }

    /// Limits first, then drivers, then collisions: cheapest first.
    fn obstacle_within(&mut self, q: &[f64], slack: f64) -> Result<Option<Obstacle>> {
        if let Some(obstacle) = self.forbidden(q, slack)? {
            return Ok(Some(obstacle));
        }
        self.put(q)?;
        for i in 0..self.members().len() {
            let id = self.members()[i].id;
            let (collider, ws) = self.collider();
            if let Some((a, b)) = collider.robot_collision_with(id, ws)? {
                return Ok(Some(Obstacle::of_pair(a, b)));
            }
        }
        Ok(None)
    }

    fn is_clear_within(&mut self, q: &[f64], slack: f64) -> Result<bool> {
        if self.forbidden(q, slack)?.is_some() {
            return Ok(false);
        }
        self.put(q)?;
        self.collides().map(|collides| !collides)
    }

    /// What a robot does not allow, wherever it is.
    fn forbidden(&self, q: &[f64], slack: f64) -> Result<Option<Obstacle>> {
        for member in self.members() {
            let (robot, q) = (&member.robot, &q[member.range.clone()]);
            if let Some(dof) = kinematics::first_beyond_limits(robot, q, slack)? {
                return Ok(Some(beyond(member, dof, q)));
            }
            if let Some(driver) = member.coupling.broken(robot, q)? {
                let robot = member.id;
                return Ok(Some(Obstacle::Driver { robot, driver }));
            }
        }
        Ok(None)
    }
}

/// A coordinate that is beyond its limits.
fn beyond(member: &Member, dof: DofId, q: &[f64]) -> Obstacle {
    let limits = &member.robot.limits()[dof.index()];
    Obstacle::Limit {
        robot: member.id,
        dof,
        value: q[dof.index()],
        range: [limits.q_min, limits.q_max],
    }
}
