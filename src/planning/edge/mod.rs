//! Checks of edges: the straight motions between two configurations.
//!
//! An edge is free where samples on it are that lie no further apart than the resolution of the space. Three strategies find
//! that out, with one answer:
//!
//! | strategy | where | checks |
//! |---|---|---|
//! | spheres | with a sphere pre-filter | all samples with spheres, packed; with the shapes those that are left |
//! | certified | else, on long edges of joints that move steadily | few samples, and certificates of the intervals between them |
//! | sampled | else | every sample |
//!
//! [`RobotCSpace::prove_edge`] is about all configurations on the edge instead of samples.

mod certain;
mod certified;
mod proof;
mod sampled;
mod speeds;
mod spheres;
mod swept;
#[cfg(test)]
mod tests;

pub(super) use certain::{Certainty, Intervals};
pub use proof::Proof;
pub(super) use sampled::{MAX_STEPS, coarse_to_fine};

use super::cspace::check_shares;
use super::robot_cspace::Member;
use super::{CSpace, Obstacle, RobotCSpace, Workspace, many};
use crate::robot::{JointKind, Robot};
use crate::{Error, Result};

/// The collision on an edge that a query looks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EdgeQuery {
    /// Any, the one that is found with the least work.
    #[default]
    Any,
    /// The first from the start of the edge.
    First,
}

/// A sample of an edge that is not free.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct EdgeCollision {
    /// Position of the sample on the edge, from 0 to 1.
    pub t: f64,
    /// The obstacle there.
    pub obstacle: Obstacle,
}

/// An edge that is split into equal steps.
#[derive(Debug, Clone, Copy)]
struct Edge<'a> {
    a: &'a [f64],
    b: &'a [f64],
    steps: usize,
}

impl Edge<'_> {
    /// Position of a step, from 0 to 1.
    fn position(&self, step: usize) -> f64 {
        step as f64 / self.steps as f64
    }
}

impl RobotCSpace {
    /// A collision on the edge from `a` to `b`, among samples of which no joint moves further than the
    /// [resolution](Self::with_resolution) from one to the next; `None` where all are free.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for what is not a configuration, and for an edge that is too long for the
    /// resolution (more than ten million samples).
    pub fn edge_collision(
        &self,
        a: &[f64],
        b: &[f64],
        query: EdgeQuery,
    ) -> Result<Option<EdgeCollision>> {
        self.with_workspace(|ws| self.edge_collision_with(a, b, query, ws))
    }

    /// [`edge_collision`](Self::edge_collision) in a workspace of the caller.
    ///
    /// # Errors
    ///
    /// As [`edge_collision`](Self::edge_collision).
    pub fn edge_collision_with(
        &self,
        a: &[f64],
        b: &[f64],
        query: EdgeQuery,
        ws: &mut Workspace,
    ) -> Result<Option<EdgeCollision>> {
        match query {
            EdgeQuery::Any => {
                if self.is_edge_free_with(a, b, ws)? {
                    return Ok(None);
                }
                let edge = self.edge(a, b, None)?;
                let order = coarse_to_fine(edge.steps);
                sampled::edge_collision(self, &edge, order, &mut ws.poses)
            }
            EdgeQuery::First => {
                ws.update(&self.snapshot)?;
                let edge = self.edge(a, b, None)?;
                if let Some(spheres) = &mut ws.spheres
                    && self.find_unresolved(&edge, 0.0, spheres)?
                {
                    let order = spheres.unresolved.steps();
                    return sampled::edge_collision(self, &edge, order, &mut ws.poses);
                }
                sampled::edge_collision(self, &edge, 0..=edge.steps, &mut ws.poses)
            }
        }
    }

    /// Returns whether the edge from `a` to `b` is free at so many equal steps, both ends included, whatever the
    /// [resolution](Self::with_resolution).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for what is not a configuration, and for no step or more than ten million.
    pub fn is_edge_free_in_steps(&self, a: &[f64], b: &[f64], steps: usize) -> Result<bool> {
        self.with_workspace(|ws| self.is_edge_free_in_steps_with(a, b, steps, ws))
    }

    /// [`is_edge_free_in_steps`](Self::is_edge_free_in_steps) in a workspace of the caller.
    ///
    /// # Errors
    ///
    /// As [`is_edge_free_in_steps`](Self::is_edge_free_in_steps).
    pub fn is_edge_free_in_steps_with(
        &self,
        a: &[f64],
        b: &[f64],
        steps: usize,
        ws: &mut Workspace,
    ) -> Result<bool> {
        Ok(self.free_share_in_steps_with(a, b, steps, &[], ws)? >= 1.0)
    }

    /// [`free_share_with`](CSpace::free_share_with) at so many equal steps: each part ends at the last of them in it.
    ///
    /// # Errors
    ///
    /// As [`is_edge_free_in_steps`](Self::is_edge_free_in_steps), and [`Error::Invalid`] for a share that is not between 0 and 1.
    pub fn free_share_in_steps_with(
        &self,
        a: &[f64],
        b: &[f64],
        steps: usize,
        shares: &[f64],
        ws: &mut Workspace,
    ) -> Result<f64> {
        if steps == 0 || steps as f64 > MAX_STEPS {
            let problem = format!("must be from 1 to {MAX_STEPS}, got {steps}");
            return Err(Error::invalid("the number of steps of an edge", problem));
        }
        free_share(self, (a, b), Some(steps), shares, ws)
    }

    /// Returns of each edge whether it is free, as [`is_edge_free`](CSpace::is_edge_free) does; with the feature `parallel` on
    /// the threads of `rayon`, whose number changes no answer.
    ///
    /// # Errors
    ///
    /// As [`is_edge_free`](CSpace::is_edge_free), for the first edge with one, which the error of an invalid value counts from 0.
    pub fn are_edges_free(&self, edges: &[(&[f64], &[f64])]) -> Result<Vec<bool>> {
        many::are_edges_free(self, edges)
    }
}

/// How much of an edge is free, by the first strategy that applies, at the resolution where no steps are given.
pub(super) fn free_share(
    space: &RobotCSpace,
    (a, b): (&[f64], &[f64]),
    steps: Option<usize>,
    shares: &[f64],
    ws: &mut Workspace,
) -> Result<f64> {
    check_shares(shares)?;
    ws.update(&space.snapshot)?;
    let Workspace {
        poses,
        spheres,
        counts,
        ..
    } = ws;
    match spheres {
        Some(spheres) if space.snapshot.is_steady => {
            spheres::free_share(space, (a, b), (steps, shares), spheres, counts, poses)
        }
        _ => {
            let edge = space.edge(a, b, steps)?;
            let mut end = Vec::new();
            first_free(&edge, shares, |steps| {
                if steps == edge.steps {
                    return certified::blocked_step(space, &edge, poses);
                }
                end.resize(b.len(), 0.0);
                space.between_into(a, b, edge.position(steps), &mut end)?;
                let part = Edge { a, b: &end, steps };
                certified::blocked_step(space, &part, poses)
            })
        }
    }
}

/// The share of an edge, 1 or one of some that descend, whose steps are all free; 0 where there is none. `blocked` returns one of so many
/// steps that is not; parts that have it are not asked for.
#[inline]
fn first_free(
    edge: &Edge<'_>,
    shares: &[f64],
    mut blocked: impl FnMut(usize) -> Result<Option<usize>>,
) -> Result<f64> {
    let Some(mut at) = blocked(edge.steps)? else {
        return Ok(1.0);
    };
    for share in shares {
        let steps = (share * edge.steps as f64) as usize;
        if steps == 0 || steps >= at {
            continue;
        }
        match blocked(steps)? {
            None => return Ok(edge.position(steps)),
            Some(before) => at = before,
        }
    }
    Ok(0.0)
}

/// Returns whether the degrees of freedom of a robot change steadily along an edge, and stay within their limits between two
/// configurations that are.
pub(super) fn is_steady(member: &Member) -> bool {
    let robot: &Robot = &member.robot;
    let limits = |link| {
        let dof = robot.link(link).dof()?;
        Some(&robot.limits()[dof.index()])
    };
    let is_free = |link| {
        limits(link)
            .is_none_or(|limits| limits.q_min == -f64::INFINITY && limits.q_max == f64::INFINITY)
    };
    robot.joints().iter().all(|joint| match joint.kind {
        JointKind::Floating | JointKind::BallAndSocket => false,
        JointKind::Spin => member.coupling.is_empty() && joint.links.iter().all(|&l| is_free(l)),
        JointKind::FloatingPlanar => {
            member.coupling.is_empty() && joint.links.get(2).is_none_or(|&l| is_free(l))
        }
        _ => true,
    })
}
