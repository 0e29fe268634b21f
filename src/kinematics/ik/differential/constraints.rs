//! Linear inequalities on joint velocities, and positions that points must keep.

use crate::kernel;
use crate::kinematics::{State, check_length, world_position};
use crate::math::{Point, Vector};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Linear inequalities on the velocity of all degrees of freedom: rows with `row · dq ≤ bound`.
///
/// This is what barriers become at one configuration: a [`PositionBarrier`], the distances of
/// [`RobotCSpace::distance_barrier_with`](crate::planning::RobotCSpace::distance_barrier_with), or what the caller measures.
/// A quantity `h(q)` that must stay above 0 has the row `−∂h/∂q` with the bound `gain · h`: it then falls no faster than
/// exponentially, and where it is below 0 it rises (a control barrier function: Ames et al. 2019, "Control barrier
/// functions: theory and applications").
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::VelocityConstraints;
///
/// // the second joint turns no faster than the first
/// let mut constraints = VelocityConstraints::new(3);
/// constraints.add(&[-1.0, 1.0, 0.0], 0.0)?;
/// assert_eq!(constraints.excess(&[0.5, 0.75, 0.0])?, [0.25]);
/// assert!(constraints.add(&[1.0], 0.0).is_err());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct VelocityConstraints {
    n_dofs: usize,
    rows: Vec<f64>,
    bounds: Vec<f64>,
}

/// The serialised form of constraints.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Parts {
    n_dofs: usize,
    rows: Vec<Vec<f64>>,
    bounds: Vec<f64>,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for VelocityConstraints {
    type Error = Error;

    fn try_from(parts: Parts) -> Result<Self> {
        check_length(
            "bounds of velocity constraints",
            parts.rows.len(),
            &parts.bounds,
        )?;
        let mut constraints = Self::new(parts.n_dofs);
        for (row, bound) in parts.rows.iter().zip(parts.bounds) {
            constraints.add(row, bound)?;
        }
        Ok(constraints)
    }
}

#[cfg(feature = "serde")]
impl From<VelocityConstraints> for Parts {
    fn from(constraints: VelocityConstraints) -> Self {
        Self {
            n_dofs: constraints.n_dofs,
            rows: constraints.rows().map(|(row, _)| row.to_vec()).collect(),
            bounds: constraints.bounds,
        }
    }
}

impl VelocityConstraints {
    /// No constraints yet, for a robot with `n_dofs` degrees of freedom.
    #[must_use]
    pub fn new(n_dofs: usize) -> Self {
        Self {
            n_dofs,
            ..Self::default()
        }
    }

    /// Removes all rows, and keeps their memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.bounds.clear();
    }

    /// Adds a row (n) with `row · dq ≤ bound`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a row of another length, [`Error::Invalid`] for a number that is not finite; then nothing is
    /// added.
    pub fn add(&mut self, row: &[f64], bound: f64) -> Result<()> {
        check_length("row of velocity constraints", self.n_dofs, row)?;
        let is_finite = row.iter().all(|x| x.is_finite()) && bound.is_finite();
        if !is_finite {
            let problem = format!("row {} has a number that is not finite", self.len());
            return Err(Error::invalid("velocity constraints", problem));
        }
        self.rows.extend_from_slice(row);
        self.bounds.push(bound);
        Ok(())
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bounds.len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bounds.is_empty()
    }

    /// Number of degrees of freedom, the length of a row.
    #[must_use]
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// The rows (n each) with their bounds.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = (&[f64], f64)> {
        let rows = (0..self.len()).map(|i| &self.rows[i * self.n_dofs..][..self.n_dofs]);
        rows.zip(self.bounds.iter().copied())
    }

    /// Excess `row · dq − bound` of each row at a velocity (n): above 0 where it is violated.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a velocity of another length.
    pub fn excess(&self, dq: &[f64]) -> Result<Vec<f64>> {
        check_length("velocity", self.n_dofs, dq)?;
        let excess = |(row, bound): (&[f64], f64)| {
            let value: f64 = row.iter().zip(dq).map(|(a, dq)| a * dq).sum();
            value - bound
        };
        Ok(self.rows().map(excess).collect())
    }
}

/// A half-space of the world in which a point of a link must stay: `normal · p ≥ offset`.
///
/// The distance `h = normal · p − offset` falls no faster than `gain · h`; where it is below 0 it rises at that rate.
/// Between steps of a control loop the point leaves the half-space at most by the curvature of its path over one step.
///
/// # Examples
///
/// A hand stays above a table, whatever its task says:
///
/// ```
/// use kinworld::kinematics::ik::{DifferentialOptions, DifferentialSolver, PositionBarrier, VelocityProblem, VelocityTask};
/// use kinworld::{Point, Robot, State, Vector};
///
/// let arm = Robot::load("data/robots/puma560.urdf")?.value;
/// let hand = arm.link_id("link6")?;
/// let mut state = State::new(&arm);
/// state.set_config(&arm, &[0.3, 0.5, -0.4, 0.3, 0.6, 0.2])?;
/// let height = state.pose(&arm, hand).translation.z;
///
/// let down = VelocityTask::point(hand, Point::origin(), -Vector::z());
/// let table = PositionBarrier::new(hand, Vector::z(), height - 0.1).with_gain(2.0);
/// let mut problem = VelocityProblem::new(&arm, [down]);
/// table.add_to(&arm, &state, &mut problem.constraints)?;
/// let mut solver = DifferentialSolver::new(&arm, &DifferentialOptions::default())?;
/// let found = solver.solve(&state, &problem)?;
/// assert!((found.residual[2] - 0.8).abs() < 1e-6); // down at 0.2 m/s, not at 1
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PositionBarrier {
    /// The link.
    pub link: LinkId,
    /// The point, in the link.
    pub p_link: Point,
    /// Normal of the plane, into the half-space, in the world; of any length but 0.
    pub normal: Vector,
    /// Smallest `normal · p`, m times the length of the normal.
    pub offset: f64,
    /// Share of the distance that may be lost per second, above 0, 1/s; at most 1 / period in a control loop.
    pub gain: f64,
}

impl PositionBarrier {
    /// A half-space for the origin of a link, with a gain of 10/s.
    #[must_use]
    pub fn new(link: LinkId, normal: Vector, offset: f64) -> Self {
        Self {
            link,
            p_link: Point::origin(),
            normal,
            offset,
            gain: 10.0,
        }
    }

    /// The six half-spaces of a box along the axes of the world, for the origin of a link.
    #[must_use]
    pub fn in_box(link: LinkId, min: &Point, max: &Point) -> [Self; 6] {
        std::array::from_fn(|i| {
            let axis = Vector::ith(i / 2, 1.0);
            if i % 2 == 0 {
                Self::new(link, axis, min[i / 2])
            } else {
                Self::new(link, -axis, -max[i / 2])
            }
        })
    }

    /// Sets the point, in the link.
    #[must_use]
    pub fn with_point(mut self, p_link: Point) -> Self {
        self.p_link = p_link;
        self
    }

    /// Sets the gain, above 0, 1/s.
    #[must_use]
    pub fn with_gain(mut self, gain: f64) -> Self {
        self.gain = gain;
        self
    }

    /// Adds its row at a state.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link that does not exist, a gain that is not above 0, and numbers that are not finite;
    /// [`Error::Length`] for constraints of another number of degrees of freedom. Then nothing is added.
    pub fn add_to(
        &self,
        robot: &Robot,
        state: &State,
        constraints: &mut VelocityConstraints,
    ) -> Result<()> {
        state.check_robot(robot)?;
        let n = robot.n_dofs();
        constraints.check(n)?;
        self.check(robot)?;
        let p_w = world_position(robot, state, self.link, &self.p_link);
        let bound = self.gain * (self.normal.dot(&p_w.coords) - self.offset);
        let first = constraints.rows.len();
        constraints.rows.resize(first + n, 0.0);
        let row = &mut constraints.rows[first..];
        let (tree, bodies) = (robot.tree(), state.bodies(robot));
        for body in tree.chain(robot.attachment(self.link).body) {
            let [_, v] = kernel::column(tree, bodies, body, p_w.coords.into());
            row[body] = -self.normal.dot(&Vector::from(v));
        }
        if !(bound.is_finite() && row.iter().all(|x| x.is_finite())) {
            constraints.rows.truncate(first);
            let what = format!(
                "position barrier of link `{}`",
                robot.link(self.link).name()
            );
            return Err(Error::invalid(what, "its numbers are too large"));
        }
        constraints.bounds.push(bound);
        Ok(())
    }

    fn check(&self, robot: &Robot) -> Result<()> {
        let n = robot.links().len();
        if self.link.index() >= n {
            let problem = format!("there is no link {}; there are {n}", self.link.index());
            return Err(Error::invalid("position barrier", problem));
        }
        let mut numbers = self.p_link.iter().chain(&self.normal).chain([&self.offset]);
        let problem = if !numbers.all(|x| x.is_finite()) {
            "its numbers must be finite".to_owned()
        } else if self.normal.norm() == 0.0 {
            "its normal has length 0".to_owned()
        } else if !(self.gain > 0.0 && self.gain.is_finite()) {
            format!("its gain is {}, it must be finite and above 0", self.gain)
        } else {
            return Ok(());
        };
        let what = format!(
            "position barrier of link `{}`",
            robot.link(self.link).name()
        );
        Err(Error::invalid(what, problem))
    }
}

impl VelocityConstraints {
    /// Removes all rows but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.rows.truncate(len * self.n_dofs);
        self.bounds.truncate(len);
    }

    /// Refuses another number of degrees of freedom.
    pub(crate) fn check(&self, n_dofs: usize) -> Result<()> {
        if self.n_dofs != n_dofs {
            return Err(Error::Length {
                what: "rows of velocity constraints",
                expected: n_dofs,
                found: self.n_dofs,
            });
        }
        Ok(())
    }
}
