//! Rigid contacts as rows of a Jacobian.

use nalgebra::DMatrix;

use super::Task;
use crate::kinematics::{self, State};
use crate::math::Point;
use crate::robot::{LinkId, Robot};

/// Rigid contacts at a state of a robot: their stacked Jacobians, and the drift.
///
/// Rows may be linearly dependent: three points of one foot give nine rows, but a foot has six dofs.
#[derive(Debug, Clone)]
pub struct Contacts {
    jacobian: DMatrix<f64>,
    drift: Vec<f64>,
}

impl Contacts {
    /// An empty set of contacts.
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        Self {
            jacobian: DMatrix::zeros(0, robot.n_dofs()),
            drift: Vec::new(),
        }
    }

    /// Holds a point of a link, and leaves its orientation free: three rows, in world axes.
    ///
    /// # Panics
    ///
    /// If the link or the state belongs to a larger robot, or the contacts to another.
    pub fn hold_point(&mut self, robot: &Robot, state: &State, link: LinkId, p_link: &Point) {
        let jacobian = kinematics::position_jacobian(robot, state, link, p_link);
        let drift = kinematics::jacobian_dot_times_velocity(robot, state, link, p_link).linear;
        self.append(jacobian.as_view(), drift.as_slice());
    }

    /// Holds a link as if it were welded to the world: six rows about its origin, in world axes, orientation first.
    ///
    /// # Panics
    ///
    /// As [`hold_point`](Self::hold_point).
    pub fn hold_link(&mut self, robot: &Robot, state: &State, link: LinkId) {
        let origin = Point::origin();
        let jacobian = kinematics::jacobian(robot, state, link, &origin);
        let drift = kinematics::jacobian_dot_times_velocity(robot, state, link, &origin);
        let drift = nalgebra::Vector6::from(drift);
        self.append(jacobian.as_view(), drift.as_slice());
    }

    /// Closes the [loops](Robot::loop_closures) of the robot: the rows of [`kinematics::loop_jacobian`].
    ///
    /// # Panics
    ///
    /// If the state belongs to a larger robot, or the contacts to another.
    pub fn close_loops(&mut self, robot: &Robot, state: &State) {
        let jacobian = kinematics::loop_jacobian(robot, state);
        let drift = kinematics::loop_drift(robot, state);
        self.append(jacobian.as_view(), &drift);
    }

    /// Adds rows of any other kind, such as those of a locked joint.
    ///
    /// # Panics
    ///
    /// If the rows do not have one value per dof, or the drift one per row.
    pub fn append(&mut self, jacobian: nalgebra::DMatrixView<'_, f64>, drift: &[f64]) {
        let (before, n) = self.jacobian.shape();
        assert_eq!(jacobian.ncols(), n, "one column per dof");
        assert_eq!(jacobian.nrows(), drift.len(), "one drift per row");
        self.jacobian
            .resize_vertically_mut(before + drift.len(), 0.0);
        self.jacobian
            .rows_mut(before, drift.len())
            .copy_from(&jacobian);
        self.drift.extend_from_slice(drift);
    }

    /// The rows as a [`Task`], without damping.
    #[must_use]
    pub fn task(&self) -> Task<'_> {
        Task::new(&self.jacobian, &self.drift)
    }
}
