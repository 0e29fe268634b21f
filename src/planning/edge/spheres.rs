//! Edges by the sphere pre-filter.

use super::{Edge, first_free};
use crate::planning::prefilter::{PrefilterCounts, Spheres};
use crate::planning::robot_cspace::Member;
use crate::planning::workspace::Poses;
use crate::planning::{CSpace, RobotCSpace};
use crate::{Result, kinematics};

/// How much of an edge is free: spheres decide, and the shapes about the steps that they leave.
///
/// The degrees of freedom change steadily.
pub(super) fn free_share(
    space: &RobotCSpace,
    (a, b): (&[f64], &[f64]),
    (steps, shares): (Option<usize>, &[f64]),
    spheres: &mut Spheres,
    counts: &mut PrefilterCounts,
    poses: &mut Poses,
) -> Result<f64> {
    let plain = space.snapshot.plain.as_ref();
    let is_within = plain.is_some_and(|limits| limits.contain_edge(a, b, &mut spheres.change));
    if !is_within {
        space.check_values(a)?;
        space.check_values(b)?;
        if !space.is_within_limits(a)? {
            return Ok(0.0);
        }
        space.changes_into(a, b, &mut spheres.change)?;
    }
    let steps = match steps {
        Some(steps) => steps,
        None => space.steps_of(spheres.change.iter().fold(0.0, |m, x| x.abs().max(m)))?,
    };
    let edge = Edge { a, b, steps };
    first_free(&edge, shares, |steps| {
        // what begins and ends within limits is within them
        if !is_within {
            let end = if steps == edge.steps {
                b
            } else {
                space.between_into(a, b, edge.position(steps), &mut poses.between)?;
                &poses.between
            };
            if !space.is_within_limits(end)? {
                return Ok(Some(steps));
            }
        }
        let (mut is_asked, mut failure) = (false, None);
        let ask = |step: usize, pairs: &[(usize, usize)]| {
            is_asked = true;
            let hit = space
                .set_step(&edge, step, poses)
                .and_then(|()| space.collides(pairs, &mut poses.world));
            hit.unwrap_or_else(|error| {
                failure = Some(error);
                true
            })
        };
        let part = (steps, edge.steps);
        let blocked = (spheres.checker).blocked_step(a, &spheres.change, part, ask);
        let count = match (is_asked, blocked) {
            (true, _) => &mut counts.exact,
            (false, None) => &mut counts.outer,
            (false, Some(_)) => &mut counts.inner,
        };
        *count += 1;
        failure.map_or(Ok(blocked), Err)
    })
}

impl RobotCSpace {
    /// Lists the steps of an edge that spheres do not decide to be free wherever bodies move by at most `travel`, m; `false`
    /// where spheres do not apply.
    pub(super) fn find_unresolved(
        &self,
        edge: &Edge<'_>,
        travel: f64,
        spheres: &mut Spheres,
    ) -> Result<bool> {
        if !self.snapshot.is_steady
            || !self.is_within_limits(edge.a)?
            || !self.is_within_limits(edge.b)?
        {
            return Ok(false);
        }
        self.changes_into(edge.a, edge.b, &mut spheres.change)?;
        let (change, out) = (&spheres.change, &mut spheres.unresolved);
        spheres
            .checker
            .unresolved_steps(edge.a, change, (edge.steps, travel), out);
        Ok(true)
    }

    /// Change of each degree of freedom from `a` to `b`.
    fn changes_into(&self, a: &[f64], b: &[f64], out: &mut Vec<f64>) -> Result<()> {
        if self.snapshot.plain.is_some() {
            out.clear();
            out.extend(a.iter().zip(b).map(|(a, b)| b - a));
            return Ok(());
        }
        out.resize(self.n_dofs(), 0.0);
        for Member { robot, range, .. } in self.members() {
            let (a, b) = (&a[range.clone()], &b[range.clone()]);
            kinematics::difference_into(robot, a, b, &mut out[range.clone()])?;
        }
        Ok(())
    }
}
