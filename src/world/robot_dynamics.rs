//! What it takes to move a robot of a world, and how it moves when pushed.

use nalgebra::{DMatrix, Matrix6xX};

use super::RobotRef;
use crate::Result;
use crate::dynamics::{
    self, Constrained, ForwardDynamicsDerivatives, Impact, InverseDynamicsDerivatives, Loads, Task,
    TaskDynamics, Terms,
};
use crate::math::{Inertia, Vector, Wrench};
use crate::robot::DofId;

/// Each method is one call of [`dynamics`](crate::dynamics), at the configuration and velocity of the robot.
impl RobotRef<'_> {
    /// The mass matrix (n × n), see [`dynamics::mass_matrix`].
    #[must_use]
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        dynamics::mass_matrix(self.model(), self.state())
    }

    /// The inverse of the mass matrix (n × n).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid), naming the link of a
    /// [coordinate that moves no mass](dynamics#singular-coordinates).
    pub fn mass_matrix_inverse(&self) -> Result<DMatrix<f64>> {
        dynamics::mass_matrix_inverse(self.model(), self.state())
    }

    /// What velocity alone takes (n): `C(q, q̇) q̇`.
    #[must_use]
    pub fn coriolis_forces(&self) -> Vec<f64> {
        dynamics::coriolis_forces(self.model(), self.state())
    }

    /// The Coriolis matrix (n × n) of Christoffel's symbols, see [`dynamics::coriolis_matrix`].
    #[must_use]
    pub fn coriolis_force_matrix(&self) -> DMatrix<f64> {
        dynamics::coriolis_matrix(self.model(), self.state())
    }

    /// How the mass matrix (n × n) changes with one coordinate, see [`dynamics::mass_matrix_derivative`].
    ///
    /// # Panics
    ///
    /// If the coordinate belongs to a larger robot.
    #[must_use]
    pub fn mass_matrix_derivative(&self, dof: DofId) -> DMatrix<f64> {
        dynamics::mass_matrix_derivative(self.model(), self.state(), dof)
    }

    /// The rate of the mass matrix (n × n), see [`dynamics::mass_matrix_dot`].
    #[must_use]
    pub fn mass_matrix_dot(&self) -> DMatrix<f64> {
        dynamics::mass_matrix_dot(self.model(), self.state())
    }

    /// The forces (n) that hold the robot still against gravity: `+∂U/∂q`.
    #[must_use]
    pub fn gravity_forces(&self, gravity: &Vector) -> Vec<f64> {
        dynamics::gravity_forces(self.model(), self.state(), gravity)
    }

    /// What the robot needs (n) to move on without acceleration: Coriolis and gravity forces.
    #[must_use]
    pub fn bias_forces(&self, gravity: &Vector) -> Vec<f64> {
        dynamics::bias_forces(self.model(), self.state(), gravity)
    }

    /// The forces (n) that make the robot accelerate with `ddq`, under a gravity vector or other [`Loads`].
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
    /// [`Error::Invalid`](crate::Error::Invalid).
    pub fn inverse_dynamics<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        ddq: &[f64],
    ) -> Result<Vec<f64>> {
        dynamics::inverse_dynamics(self.model(), self.state(), loads, ddq)
    }

    /// The accelerations (n) under the forces `tau`, and a gravity vector or other [`Loads`].
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics) and [`mass_matrix_inverse`](Self::mass_matrix_inverse).
    pub fn forward_dynamics<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        tau: &[f64],
    ) -> Result<Vec<f64>> {
        dynamics::forward_dynamics(self.model(), self.state(), loads, tau)
    }

    /// How the forces of a motion change with it, see [`dynamics::inverse_dynamics_derivatives`].
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn inverse_dynamics_derivatives<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        ddq: &[f64],
    ) -> Result<InverseDynamicsDerivatives> {
        dynamics::inverse_dynamics_derivatives(self.model(), self.state(), loads, ddq)
    }

    /// How accelerations change with the motion and the forces, see [`dynamics::forward_dynamics_derivatives`].
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn forward_dynamics_derivatives<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        tau: &[f64],
    ) -> Result<ForwardDynamicsDerivatives> {
        dynamics::forward_dynamics_derivatives(self.model(), self.state(), loads, tau)
    }

    /// [`inverse_dynamics`](Self::inverse_dynamics) *without gravity*, as Klampt's `torquesFromAccel`.
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn torques_from_accel(&self, ddq: &[f64]) -> Result<Vec<f64>> {
        self.inverse_dynamics(Loads::default(), ddq)
    }

    /// [`forward_dynamics`](Self::forward_dynamics) *without gravity*, as Klampt's `accelFromTorques`.
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    pub fn accel_from_torques(&self, tau: &[f64]) -> Result<Vec<f64>> {
        self.forward_dynamics(Loads::default(), tau)
    }

    /// The kinetic energy, J.
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        dynamics::kinetic_energy(self.model(), self.state())
    }

    /// The potential energy, J, zero where the centre of mass is at the world's origin.
    #[must_use]
    pub fn potential_energy(&self, gravity: &Vector) -> f64 {
        dynamics::potential_energy(self.model(), self.state(), gravity)
    }

    /// The linear momentum in world axes, kg·m/s.
    #[must_use]
    pub fn linear_momentum(&self) -> Vector {
        dynamics::linear_momentum(self.model(), self.state())
    }

    /// The angular momentum about the centre of mass in world axes, kg·m²/s, see [`dynamics::angular_momentum`].
    #[must_use]
    pub fn angular_momentum(&self) -> Vector {
        dynamics::angular_momentum(self.model(), self.state())
    }

    /// The matrix (6 × n) that makes its product with the velocity the momentum about the centre of mass.
    #[must_use]
    pub fn centroidal_momentum_matrix(&self) -> Matrix6xX<f64> {
        dynamics::centroidal_momentum_matrix(self.model(), self.state())
    }

    /// The whole robot as one rigid body, in the world.
    #[must_use]
    pub fn composite_inertia(&self) -> Inertia {
        dynamics::composite_inertia(self.model(), self.state())
    }

    /// Every term of the equation of motion at once, see [`Terms`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where gravity is not finite.
    pub fn all_terms(&self, gravity: &Vector) -> Result<Terms> {
        dynamics::all_terms(self.model(), self.state(), gravity)
    }

    /// What each joint passes on to its link (n), see [`dynamics::joint_wrenches`].
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn joint_wrenches<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        ddq: &[f64],
    ) -> Result<Vec<Wrench>> {
        dynamics::joint_wrenches(self.model(), self.state(), loads, ddq)
    }

    /// What the world passes on to the robot, about the world's origin.
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn base_wrench<'l>(&self, loads: impl Into<Loads<'l>>, ddq: &[f64]) -> Result<Wrench> {
        dynamics::base_wrench(self.model(), self.state(), loads, ddq)
    }

    /// The matrix (n × 10 · links) that makes its product with what the links weigh the forces of a motion, see
    /// [`dynamics::inertial_regressor`].
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn inertial_regressor(&self, gravity: &Vector, ddq: &[f64]) -> Result<DMatrix<f64>> {
        dynamics::inertial_regressor(self.model(), self.state(), gravity, ddq)
    }

    /// What rubs in the drivers (n), see [`dynamics::friction_forces`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where `slip` is negative or not finite.
    pub fn friction_forces(&self, slip: f64) -> Result<Vec<f64>> {
        dynamics::friction_forces(self.model(), self.state(), slip)
    }

    /// How heavy the robot feels along the rows of a task (k × k).
    ///
    /// # Errors
    ///
    /// As [`dynamics::operational_space_inertia`].
    pub fn operational_space_inertia(&self, task: &Task<'_>) -> Result<DMatrix<f64>> {
        dynamics::operational_space_inertia(self.model(), self.state(), task)
    }

    /// What the robot is along the rows of a task.
    ///
    /// # Errors
    ///
    /// As [`dynamics::task_dynamics`].
    pub fn task_dynamics(&self, gravity: &Vector, task: &Task<'_>) -> Result<TaskDynamics> {
        dynamics::task_dynamics(self.model(), self.state(), gravity, task)
    }

    /// The acceleration under the forces `tau` while contacts hold the robot, and their forces.
    ///
    /// # Errors
    ///
    /// As [`dynamics::constrained_dynamics`].
    pub fn constrained_dynamics<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        tau: &[f64],
        contacts: &Task<'_>,
    ) -> Result<Constrained> {
        dynamics::constrained_dynamics(self.model(), self.state(), loads, tau, contacts)
    }

    /// The velocity after contacts are made, and the impulses that it takes.
    ///
    /// # Errors
    ///
    /// As [`dynamics::impulse_dynamics`].
    pub fn impulse_dynamics(&self, contacts: &Task<'_>, restitution: f64) -> Result<Impact> {
        dynamics::impulse_dynamics(self.model(), self.state(), contacts, restitution)
    }
}
