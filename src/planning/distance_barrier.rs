//! Distances that robots keep from obstacles and from themselves, as constraints on their velocity.

use super::{CSpace, RobotCSpace, Workspace};
use crate::kinematics::ik::VelocityConstraints;
use crate::world::WorldDistance;
use crate::{Error, Result};

/// A distance that all pairs of a space keep while robots move: it falls no faster than `gain · (distance − margin)`.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::kinematics::ik::{DifferentialOptions, DifferentialSolver, JointVelocityTask, VelocityProblem};
/// use kinworld::planning::{CSpace, DistanceBarrier, NearPairs, RobotCSpace};
///
/// let world = WorldModel::load("data/worlds/cell.xml")?.value;
/// let arm = world.robot("arm")?;
/// let space = RobotCSpace::new(&world, &[arm.id()])?;
/// let (mut ws, mut pairs) = (space.workspace(), NearPairs::default());
///
/// let q = arm.state().config();
/// let mut problem = VelocityProblem::new(arm.model(), []).with_joints([JointVelocityTask::new(vec![0.5; q.len()])]);
/// let barrier = DistanceBarrier::new(0.02);
/// space.distance_barrier_with(q, &barrier, &mut ws, &mut problem.constraints, &mut pairs)?;
/// let mut solver = DifferentialSolver::new(arm.model(), &DifferentialOptions::default())?;
/// assert!(solver.solve(arm.state(), &problem)?.is_feasible());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "CollisionAvoidanceLimit")]
#[doc(alias = "SelfCollisionBarrier")]
pub struct DistanceBarrier {
    /// Least distance, m, not negative.
    pub margin: f64,
    /// Share of the distance beyond the margin that may be lost per second, above 0, 1/s; at most 1 / period in a control loop.
    pub gain: f64,
    /// Distance, m, from which on a pair does not count: at least what two links approach each other by in one step.
    pub within: f64,
}

impl DistanceBarrier {
    /// A barrier with a gain of 10/s for pairs nearer than the margin and 0.2 m.
    #[must_use]
    pub fn new(margin: f64) -> Self {
        Self {
            margin,
            gain: 10.0,
            within: margin + 0.2,
        }
    }

    /// Sets the gain, above 0, 1/s.
    #[must_use]
    pub fn with_gain(mut self, gain: f64) -> Self {
        self.gain = gain;
        self
    }

    /// Sets the distance from which on a pair does not count, m; infinite for all pairs.
    #[must_use]
    pub fn with_within(mut self, within: f64) -> Self {
        self.within = within;
        self
    }

    fn check(&self) -> Result<()> {
        let problem = if !(self.margin >= 0.0 && self.margin.is_finite()) {
            format!(
                "its margin is {}, it must be finite and not negative",
                self.margin
            )
        } else if !(self.gain > 0.0 && self.gain.is_finite()) {
            format!("its gain is {}, it must be finite and above 0", self.gain)
        } else if self.within.is_nan() || self.within <= self.margin {
            let (within, margin) = (self.within, self.margin);
            format!(
                "it counts pairs within {within} m, which must be above its margin of {margin} m"
            )
        } else {
            return Ok(());
        };
        Err(Error::invalid("distance barrier", problem))
    }
}

/// The pairs of a [`DistanceBarrier`] at one configuration.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearPairs {
    /// The pair of each row, in the order of the rows.
    pub pairs: Vec<WorldDistance>,
    /// Pairs that overlap or touch: they have no nearest points, thus no row, and nothing keeps them from going deeper.
    pub overlapping: Vec<WorldDistance>,
}

impl RobotCSpace {
    /// Adds a row over the degrees of freedom of the space for each pair nearer than [`within`](DistanceBarrier::within), of those that
    /// [`clearance`](Self::clearance) counts: `−∂d/∂q · dq ≤ gain · (d − margin)`, with the gradient from the Jacobians of
    /// the nearest points. Margins of the [filter](crate::world::PairFilter::with_margin) are not taken off.
    ///
    /// The gradient is exact where the nearest points are the only ones; where faces or edges are parallel it may jump from
    /// step to step. Between two steps a distance falls below the margin at most by the curvature of the motion and by such
    /// jumps.
    ///
    /// # Errors
    ///
    /// As [`clearance`](Self::clearance); [`Error::Invalid`] for a barrier whose numbers are no distances, [`Error::Length`]
    /// for constraints of another number of degrees of freedom. Then no row is added.
    pub fn distance_barrier_with(
        &self,
        q: &[f64],
        barrier: &DistanceBarrier,
        ws: &mut Workspace,
        constraints: &mut VelocityConstraints,
        out: &mut NearPairs,
    ) -> Result<()> {
        barrier.check()?;
        let n = self.n_dofs();
        constraints.check(n)?;
        ws.update(&self.snapshot)?;
        self.check_values(q)?;
        let poses = &mut ws.poses;
        self.set_robots(q, &mut poses.world)?;
        out.overlapping.clear();
        let (collider, world) = (&self.snapshot.collider, &mut poses.world);
        collider.near_pairs_with(&self.ids(), barrier.within, world, &mut out.pairs)?;
        let mut row = std::mem::take(&mut poses.between);
        let before = constraints.len();
        let mut added = Ok(());
        out.pairs.retain(|nearest| {
            row.clear();
            row.resize(n, 0.0);
            match self.add_gradient(nearest, &poses.world, &mut row) {
                Ok(true) => {
                    row.iter_mut().for_each(|a| *a = -*a);
                    let bound = barrier.gain * (nearest.distance - barrier.margin);
                    if added.is_ok() {
                        added = constraints.add(&row, bound);
                    }
                    true
                }
                Ok(false) => {
                    out.overlapping.push(*nearest);
                    false
                }
                Err(error) => {
                    added = Err(error);
                    true
                }
            }
        });
        poses.between = row;
        if added.is_err() {
            constraints.truncate(before);
        }
        added
    }
}
