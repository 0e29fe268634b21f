//! Degrees of freedom that stay while others move.

use std::sync::Arc;

use super::limits::Limits;
use super::robot_cspace::Member;
use super::{CSpace, Obstacle, RobotCSpace};
use crate::robot::{DofId, DriverKind};
use crate::{Error, Result};

impl RobotCSpace {
    /// With some degrees of freedom only: all others stay where the world has them, and a configuration that moves one is not
    /// free. Samples, and so paths between free configurations, move the active ones alone.
    ///
    /// Configurations keep all numbers; ids count through those of all robots. Degrees of freedom that a driver couples are
    /// active together. The last call counts.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for an id that is too large, and for none at all.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{Budget, RobotCSpace, plan};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?;
    /// let wrist = [3, 4, 5].map(kinworld::DofId::new);
    /// let space = RobotCSpace::new(&world, &[arm.id()])?.with_active(&wrist)?;
    ///
    /// let mut goal = arm.config().to_vec();
    /// goal[4] = 0.5;
    /// let found = plan(&space, arm.config(), &goal, &Budget::default())?;
    /// assert!(found.path.is_some());
    ///
    /// goal[0] = 0.5;
    /// let error = plan(&space, arm.config(), &goal, &Budget::default()).unwrap_err();
    /// assert_eq!(error.to_string(), "goal: joint `shoulder` of `arm` stays at 0.3, and is at 0.5");
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_active(mut self, active: &[DofId]) -> Result<Self> {
        let n = self.n_dofs();
        if let Some(id) = active.iter().find(|id| id.index() >= n) {
            let problem = format!("there is no {}; there are {n}", id.index());
            return Err(Error::invalid("active degree of freedom", problem));
        }
        if active.is_empty() {
            return Err(Error::invalid(
                "active degrees of freedom",
                "there are none",
            ));
        }
        let mut moves = vec![false; n];
        active.iter().for_each(|id| moves[id.index()] = true);
        for member in self.members() {
            move_together(member, &mut moves);
        }
        let current = self.current();
        let fixed = moves.iter().zip(current);
        let fixed = fixed.map(|(moves, q)| (!moves).then_some(q)).collect();
        self.fix(fixed);
        Ok(self)
    }

    /// With the values of `q` for the degrees of freedom that are not [active](Self::with_active).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for what is not a configuration.
    pub fn with_inactive_at(mut self, q: &[f64]) -> Result<Self> {
        self.check_values(q)?;
        let fixed = self.snapshot.fixed.iter().zip(q);
        let fixed = fixed.map(|(old, q)| old.map(|_| *q)).collect();
        self.fix(fixed);
        Ok(self)
    }

    /// The degrees of freedom that move.
    pub fn active(&self) -> impl Iterator<Item = DofId> + '_ {
        let fixed = &self.snapshot.fixed;
        let moves = |i: &usize| fixed.get(*i).is_none_or(Option::is_none);
        (0..self.n_dofs()).filter(moves).map(DofId::new)
    }

    pub(super) fn fix(&mut self, fixed: Vec<Option<f64>>) {
        let snapshot = Arc::make_mut(&mut self.snapshot);
        snapshot.plain = Limits::plain(&snapshot.members, &fixed);
        snapshot.fixed = fixed;
        snapshot.renew();
    }

    /// Writes the values of those that stay.
    pub(super) fn hold(&self, q: &mut [f64]) {
        for (q, fixed) in q.iter_mut().zip(&self.snapshot.fixed) {
            *q = fixed.unwrap_or(*q);
        }
    }

    /// The first that stays and is further than `slack` from its value.
    pub(super) fn moved(&self, q: &[f64], slack: f64) -> Option<Obstacle> {
        let fixed = self.snapshot.fixed.iter().zip(q).enumerate();
        let mut moved = fixed.filter_map(|(i, (fixed, q))| {
            let at = (*fixed)?;
            ((q - at).abs() > slack).then_some((i, at, *q))
        });
        let (i, at, value) = moved.next()?;
        let has = |member: &&Member| member.range.contains(&i);
        let member = self.members().iter().find(has)?;
        Some(Obstacle::Inactive {
            robot: member.id,
            dof: DofId::new(i - member.range.start),
            value,
            at,
        })
    }
}

/// Marks the degrees of freedom that a driver moves with one that is marked.
fn move_together(member: &Member, moves: &mut [bool]) {
    let robot = &member.robot;
    // a driver may couple to one that another couples
    for _ in robot.drivers() {
        let before = moves.iter().filter(|moves| **moves).count();
        for driver in robot.drivers() {
            let DriverKind::Affine { links, .. } = &driver.kind else {
                continue;
            };
            let dofs = links.iter().filter_map(|&link| robot.link(link).dof());
            let dofs: Vec<usize> = dofs.map(|dof| member.range.start + dof.index()).collect();
            if dofs.iter().any(|&i| moves[i]) {
                dofs.iter().for_each(|&i| moves[i] = true);
            }
        }
        if moves.iter().filter(|moves| **moves).count() == before {
            break;
        }
    }
}
