//! Samples of an edge.

use super::{Edge, EdgeCollision};
use crate::planning::robot_cspace::ROUNDING;
use crate::planning::workspace::Poses;
use crate::planning::{RobotCSpace, configuration};
use crate::{Error, Result, kinematics, world};

/// The most samples of one edge: a resolution that needs more is a mistake.
pub(in crate::planning) const MAX_STEPS: f64 = 1e7;

/// The numbers from 0 to `n`, the ends first and then the middle of each interval that is left: collisions show early.
pub(in crate::planning) fn coarse_to_fine(n: usize) -> impl Iterator<Item = usize> {
    let strides = std::iter::successors(Some(n.next_power_of_two()), |s| (*s > 2).then_some(s / 2));
    let between = strides.flat_map(move |stride| (stride / 2..n).step_by(stride.max(1)));
    [0, n].into_iter().chain(between.filter(|i| *i > 0))
}

impl RobotCSpace {
    /// An edge of so many steps, or else as many as the resolution needs.
    pub(super) fn edge<'a>(
        &self,
        a: &'a [f64],
        b: &'a [f64],
        steps: Option<usize>,
    ) -> Result<Edge<'a>> {
        self.check_values(a)?;
        self.check_values(b)?;
        let steps = match steps {
            Some(steps) => steps,
            None => self.steps_of(self.largest_change(a, b)?)?,
        };
        Ok(Edge { a, b, steps })
    }

    /// Number of steps of an edge along which the largest change of a joint is this; at least one.
    pub(super) fn steps_of(&self, change: f64) -> Result<usize> {
        let steps = (change / self.resolution()).ceil();
        if steps > MAX_STEPS {
            let problem = format!(
                "takes {steps} samples at a resolution of {}; choose a coarser one",
                self.resolution()
            );
            return Err(Error::invalid(
                "the edge between two configurations",
                problem,
            ));
        }
        Ok(steps.max(1.0) as usize)
    }

    /// Sets the robots to a step of an edge.
    pub(super) fn set_step(&self, edge: &Edge<'_>, i: usize, poses: &mut Poses) -> Result<()> {
        self.at_step(edge, i, poses, |q, _, ws| self.set_robots(q, ws))
    }

    /// Runs `check` with the configuration of a step and how much wider its limits are; the ends are taken as they are.
    fn at_step<R>(
        &self,
        edge: &Edge<'_>,
        i: usize,
        poses: &mut Poses,
        check: impl FnOnce(&[f64], f64, &mut world::Workspace) -> Result<R>,
    ) -> Result<R> {
        let Poses { world, between, .. } = poses;
        if i == 0 || i == edge.steps {
            return check(if i == 0 { edge.a } else { edge.b }, 0.0, world);
        }
        let u = edge.position(i);
        self.between_into(edge.a, edge.b, u, between)?;
        check(between, ROUNDING, world)
    }

    /// The largest change of a joint from `a` to `b`, rad or m.
    fn largest_change(&self, a: &[f64], b: &[f64]) -> Result<f64> {
        let mut largest = 0.0_f64;
        for member in self.members() {
            let (a, b) = (&a[member.range.clone()], &b[member.range.clone()]);
            let changes = kinematics::changes(&member.robot, a, b)?;
            largest = changes.into_iter().fold(largest, f64::max);
        }
        Ok(largest)
    }
}

/// The first collision at these steps of an edge.
pub(super) fn edge_collision(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    order: impl IntoIterator<Item = usize>,
    poses: &mut Poses,
) -> Result<Option<EdgeCollision>> {
    for i in order {
        let found = space.at_step(edge, i, poses, |q, slack, ws| {
            configuration::obstacle(space, q, slack, ws)
        })?;
        if let Some(obstacle) = found {
            let t = edge.position(i);
            return Ok(Some(EdgeCollision { t, obstacle }));
        }
    }
    Ok(None)
}

/// The first of these steps of an edge that is not free.
pub(super) fn blocked_step(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    order: impl IntoIterator<Item = usize>,
    poses: &mut Poses,
) -> Result<Option<usize>> {
    for i in order {
        let is_free = |q: &[f64], slack, ws: &mut _| configuration::is_free(space, q, slack, ws);
        if !space.at_step(edge, i, poses, is_free)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::coarse_to_fine;

    #[test]
    fn every_step_comes_once_and_the_middle_comes_early() {
        for n in 1..70 {
            let mut order: Vec<usize> = coarse_to_fine(n).collect();
            assert_eq!(order[..2], [0, n]);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..=n), "{n}");
        }
        assert_eq!(
            coarse_to_fine(8).collect::<Vec<_>>(),
            [0, 8, 4, 2, 6, 1, 3, 5, 7]
        );
    }
}
