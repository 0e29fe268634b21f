//! Directions of motion: what a task is, and what a contact holds.

use nalgebra::DMatrixView;

use super::Workspace;
use super::mass_matrix::factors;
use crate::kernel;
use crate::kinematics::{State, check_values};
use crate::robot::Robot;
use crate::{Error, Result};

/// Some directions of motion: k rows of Jacobians, one below the other, with `ẋ = J q̇` and `ẍ = J q̈ + J̇ q̇`.
///
/// What a hand is to do is a task, see [`task_dynamics`](super::task_dynamics). So is what a contact holds: the task of
/// not accelerating, see [`constrained_dynamics`](super::constrained_dynamics).
///
/// # Examples
///
/// ```
/// use kinworld::dynamics::{self, Task};
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{Point, State, Vector, kinematics};
///
/// // a beam that turns about its end: 3 kg, 2 m from there
/// let mut beam = LinkSpec::new("beam", None, LinkMotion::Revolute(Vector::z()));
/// beam.inertia = Inertia { mass: 3.0, com: Point::new(2.0, 0.0, 0.0), ..Inertia::zero() };
/// let mut robot = RobotBuilder::new("beam");
/// let beam = robot.add_link(beam);
/// let robot = robot.build()?;
/// let state = State::new(&robot);
///
/// // pushed sideways at half its length, it resists as 12 kg would
/// let j = kinematics::position_jacobian(&robot, &state, beam, &Point::new(1.0, 0.0, 0.0));
/// let sideways = j.rows(1, 1);
/// let felt = dynamics::operational_space_inertia(&robot, &state, &Task::new(&sideways, &[0.0]))?;
/// assert!((felt[(0, 0)] - 12.0).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// `J` (k × n).
    pub jacobian: DMatrixView<'a, f64>,
    /// `J̇ q̇` (k): how it accelerates when no coordinate does, see
    /// [`jacobian_dot_times_velocity`](crate::kinematics::jacobian_dot_times_velocity). To ask a contact for an
    /// acceleration, take that off.
    pub drift: &'a [f64],
    /// Added to the diagonal of `J M⁻¹ Jᵀ`, which can then be inverted whatever `J` is: 0 for none.
    pub damping: f64,
}

impl<'a> Task<'a> {
    /// A task without damping, from any kind of matrix.
    pub fn new(jacobian: impl Into<DMatrixView<'a, f64>>, drift: &'a [f64]) -> Self {
        Self {
            jacobian: jacobian.into(),
            drift,
            damping: 0.0,
        }
    }

    /// The same with a damping.
    #[must_use]
    pub fn damped(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// How many rows there are, k.
    #[must_use]
    pub fn len(&self) -> usize {
        self.jacobian.nrows()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn check(&self, robot: &Robot) -> Result<()> {
        if self.jacobian.ncols() != robot.n_dofs() {
            return Err(Error::Length {
                what: "row of the task's Jacobian",
                expected: robot.n_dofs(),
                found: self.jacobian.ncols(),
            });
        }
        check_values("drift of the task", self.len(), self.drift)?;
        if self.jacobian.iter().any(|x| !x.is_finite()) {
            return Err(Error::invalid("Jacobian of the task", "must be finite"));
        }
        if !self.damping.is_finite() || self.damping < 0.0 {
            let problem = format!("is {}, it must be finite and not negative", self.damping);
            return Err(Error::invalid("damping of the task", problem));
        }
        Ok(())
    }

    /// `J x` into `out`.
    pub(super) fn times(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (column, x) in self.jacobian.column_iter().zip(x) {
            for (out, j) in out.iter_mut().zip(column.iter()) {
                *out += j * x;
            }
        }
    }
}

/// Leaves `J M⁻¹` (k × n, column-major) in `ws.solved` and `J M⁻¹ Jᵀ` with its factor in `ws.gram`; the factors of `M`
/// stay in `ws.matrix`.
pub(super) fn project(
    robot: &Robot,
    state: &State,
    task: &Task<'_>,
    ws: &mut Workspace,
) -> Result<()> {
    task.check(robot)?;
    factors(robot, state, ws)?;
    let (n, k) = (robot.n_dofs(), task.len());

    // column-major, J has a row of k numbers per coordinate: what `solve` wants of Jᵀ
    ws.solved.clear();
    ws.solved.extend(task.jacobian.iter());
    kernel::solve(robot.tree(), &ws.matrix[..n * n], k, &mut ws.solved);
    let entries = ws.gram.cleared(k);
    for (i, column) in task.jacobian.column_iter().enumerate() {
        let solved = &ws.solved[i * k..][..k];
        for (c, &j) in column.iter().enumerate().filter(|(_, j)| **j != 0.0) {
            for (entry, s) in entries[c * k..][..=c].iter_mut().zip(solved) {
                *entry += s * j;
            }
        }
    }
    for c in 0..k {
        entries[c * k + c] += task.damping;
    }
    ws.gram.factorize("Jacobian of the task", DEPENDENT)
}

/// What is left of the square of a direction where all but rounding is a sum of others: an angle of some 3e-6 rad.
const DEPENDENT: f64 = 1e-11;
