//! Tasks: directions of motion, for control and for contacts.

use nalgebra::DMatrixView;

use super::Workspace;
use super::mass_matrix::factors;
use crate::kernel;
use crate::kinematics::{State, check_values};
use crate::robot::Robot;
use crate::{Error, Result};

/// A set of directions of motion: k rows of a Jacobian, with `ẋ = J q̇` and `ẍ = J q̈ + J̇ q̇`.
///
/// For the control of an end effector, see [`task_dynamics`](super::task_dynamics). A rigid contact is a task with zero
/// acceleration, see [`constrained_dynamics`](super::constrained_dynamics).
///
/// # Examples
///
/// ```
/// use kinworld::dynamics::{self, Task};
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{Point, State, Vector, kinematics};
///
/// // a beam that rotates about its end: 3 kg, 2 m from there
/// let mut beam = LinkSpec::new("beam", None, LinkMotion::Revolute(Vector::z()));
/// beam.inertia = Inertia { mass: 3.0, com: Point::new(2.0, 0.0, 0.0), ..Inertia::zero() };
/// let mut robot = RobotBuilder::new("beam");
/// let beam = robot.add_link(beam);
/// let robot = robot.build()?;
/// let state = State::new(&robot);
///
/// // halfway to its centre of mass, it resists a sideways force as 12 kg would
/// let j = kinematics::position_jacobian(&robot, &state, beam, &Point::new(1.0, 0.0, 0.0));
/// let sideways = j.rows(1, 1);
/// let inertia = dynamics::operational_space_inertia(&robot, &state, &Task::new(&sideways, &[0.0]))?;
/// assert!((inertia[(0, 0)] - 12.0).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Task<'a> {
    /// Jacobian `J` (k × n).
    pub jacobian: DMatrixView<'a, f64>,
    /// Drift `J̇ q̇` (k), the acceleration at `q̈ = 0`, see
    /// [`jacobian_dot_times_velocity`](crate::kinematics::jacobian_dot_times_velocity). To prescribe the acceleration of
    /// a contact, subtract it from the drift.
    pub drift: &'a [f64],
    /// Damping, added to the diagonal of `J M⁻¹ Jᵀ` so that it is invertible for any `J`; 0 for none.
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

    /// Sets the [damping](Self::damping).
    #[must_use]
    pub fn with_damping(self, damping: f64) -> Self {
        Self { damping, ..self }
    }

    /// Number of rows, k.
    #[must_use]
    pub fn len(&self) -> usize {
        self.jacobian.nrows()
    }

    /// Returns whether there are no rows.
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

    /// Writes `J x` into `out`.
    pub(super) fn times(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (column, x) in self.jacobian.column_iter().zip(x) {
            for (out, j) in out.iter_mut().zip(column.iter()) {
                *out += j * x;
            }
        }
    }
}

/// Computes `J M⁻¹` (k × n, column-major) in `ws.solved` and the factor of `J M⁻¹ Jᵀ` in `ws.gram`; leaves the factors of
/// `M` in `ws.matrix`.
pub(super) fn project(
    robot: &Robot,
    state: &State,
    task: &Task<'_>,
    ws: &mut Workspace,
) -> Result<()> {
    state.check_robot(robot)?;
    task.check(robot)?;
    factors(robot, state, ws)?;
    let (n, k) = (robot.n_dofs(), task.len());

    // column-major J is row-major Jᵀ with k values per dof, the layout that `solve` takes
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

/// Squared remainder below which a direction counts as dependent on others: an angle of some 3e-6 rad.
const DEPENDENT: f64 = 1e-11;
