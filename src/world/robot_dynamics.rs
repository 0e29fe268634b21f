//! Dynamics of a robot in a world.

use nalgebra::{DMatrix, Matrix6xX};

use super::RobotRef;
use crate::Result;
use crate::dynamics::{
    self, ConstrainedDynamics, ForwardDynamicsDerivatives, Impact, InverseDynamicsDerivatives,
    Loads, Task, TaskDynamics, Terms,
};
use crate::math::{Inertia, Vector, Wrench};
use crate::robot::DofId;

/// Each method is one call of [`dynamics`](crate::dynamics), at the configuration and velocity of the robot.
impl RobotRef<'_> {
    /// Mass matrix (n × n), see [`dynamics::mass_matrix`].
    #[must_use]
    #[doc(alias("crba", "getMassMatrix"))]
    pub fn mass_matrix(&self) -> DMatrix<f64> {
        dynamics::mass_matrix(self.model(), self.state())
    }

    /// The inverse of the mass matrix (n × n).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid), naming the link of a
    /// [dof that moves no mass](dynamics#singular-dofs).
    pub fn mass_matrix_inverse(&self) -> Result<DMatrix<f64>> {
        dynamics::mass_matrix_inverse(self.model(), self.state())
    }

    /// Coriolis and centrifugal forces (n): `C(q, q̇) q̇`.
    #[must_use]
    #[doc(alias = "getCoriolisForces")]
    pub fn coriolis_forces(&self) -> Vec<f64> {
        dynamics::coriolis_forces(self.model(), self.state())
    }

    /// The Coriolis matrix (n × n) of Christoffel's symbols, see [`dynamics::coriolis_matrix`].
    #[must_use]
    pub fn coriolis_force_matrix(&self) -> DMatrix<f64> {
        dynamics::coriolis_matrix(self.model(), self.state())
    }

    /// Partial derivative of the mass matrix (n × n) with respect to one dof, see [`dynamics::mass_matrix_derivative`].
    ///
    /// # Panics
    ///
    /// If the dof belongs to a larger robot.
    #[must_use]
    pub fn mass_matrix_derivative(&self, dof: DofId) -> DMatrix<f64> {
        dynamics::mass_matrix_derivative(self.model(), self.state(), dof)
    }

    /// The rate of the mass matrix (n × n), see [`dynamics::mass_matrix_dot`].
    #[must_use]
    pub fn mass_matrix_dot(&self) -> DMatrix<f64> {
        dynamics::mass_matrix_dot(self.model(), self.state())
    }

    /// Gravity forces (n): `+∂U/∂q`, which balance gravity.
    #[must_use]
    #[doc(alias = "getGravityForces")]
    pub fn gravity_forces(&self, gravity: &Vector) -> Vec<f64> {
        dynamics::gravity_forces(self.model(), self.state(), gravity)
    }

    /// Bias forces (n): Coriolis, centrifugal and gravity forces.
    #[must_use]
    #[doc(alias("nonLinearEffects", "qfrc_bias"))]
    pub fn bias_forces(&self, gravity: &Vector) -> Vec<f64> {
        dynamics::bias_forces(self.model(), self.state(), gravity)
    }

    /// Joint forces (n) for the accelerations `ddq`, under a gravity vector or other [`Loads`].
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
    /// [`Error::Invalid`](crate::Error::Invalid).
    #[doc(alias("rnea", "mj_rne"))]
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
    #[doc(alias = "aba")]
    pub fn forward_dynamics<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        tau: &[f64],
    ) -> Result<Vec<f64>> {
        dynamics::forward_dynamics(self.model(), self.state(), loads, tau)
    }

    /// Partial derivatives of the inverse dynamics, see [`dynamics::inverse_dynamics_derivatives`].
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

    /// Partial derivatives of the forward dynamics, see [`dynamics::forward_dynamics_derivatives`].
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
    #[doc(alias = "torquesFromAccel")]
    pub fn torques_from_accel(&self, ddq: &[f64]) -> Result<Vec<f64>> {
        self.inverse_dynamics(Loads::default(), ddq)
    }

    /// [`forward_dynamics`](Self::forward_dynamics) *without gravity*, as Klampt's `accelFromTorques`.
    ///
    /// # Errors
    ///
    /// As [`forward_dynamics`](Self::forward_dynamics).
    #[doc(alias = "accelFromTorques")]
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

    /// Centroidal momentum matrix (6 × n): times the velocity it is the momentum about the centre of mass.
    #[must_use]
    pub fn centroidal_momentum_matrix(&self) -> Matrix6xX<f64> {
        dynamics::centroidal_momentum_matrix(self.model(), self.state())
    }

    /// Inertia of the robot as one rigid body, in the world.
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

    /// Wrenches that the joints transmit to their links (n), see [`dynamics::joint_wrenches`].
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

    /// Wrench that the world transmits to the robot, about the world's origin.
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn base_wrench<'l>(&self, loads: impl Into<Loads<'l>>, ddq: &[f64]) -> Result<Wrench> {
        dynamics::base_wrench(self.model(), self.state(), loads, ddq)
    }

    /// Inertial regressor (n × 10 · links): times the inertial parameters of the links it is the joint forces, see
    /// [`dynamics::inertial_regressor`].
    ///
    /// # Errors
    ///
    /// As [`inverse_dynamics`](Self::inverse_dynamics).
    pub fn inertial_regressor(&self, gravity: &Vector, ddq: &[f64]) -> Result<DMatrix<f64>> {
        dynamics::inertial_regressor(self.model(), self.state(), gravity, ddq)
    }

    /// Friction forces of the drivers (n), see [`dynamics::friction_forces`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where `slip` is negative or not finite.
    pub fn friction_forces(&self, slip: f64) -> Result<Vec<f64>> {
        dynamics::friction_forces(self.model(), self.state(), slip)
    }

    /// Operational-space inertia along the rows of a task (k × k).
    ///
    /// # Errors
    ///
    /// As [`dynamics::operational_space_inertia`].
    pub fn operational_space_inertia(&self, task: &Task<'_>) -> Result<DMatrix<f64>> {
        dynamics::operational_space_inertia(self.model(), self.state(), task)
    }

    /// Operational-space dynamics along the rows of a task.
    ///
    /// # Errors
    ///
    /// As [`dynamics::task_dynamics`].
    pub fn task_dynamics(&self, gravity: &Vector, task: &Task<'_>) -> Result<TaskDynamics> {
        dynamics::task_dynamics(self.model(), self.state(), gravity, task)
    }

    /// Acceleration under the forces `tau` with contact constraints, and the contact forces.
    ///
    /// # Errors
    ///
    /// As [`dynamics::constrained_dynamics`].
    pub fn constrained_dynamics<'l>(
        &self,
        loads: impl Into<Loads<'l>>,
        tau: &[f64],
        contacts: &Task<'_>,
    ) -> Result<ConstrainedDynamics> {
        dynamics::constrained_dynamics(self.model(), self.state(), loads, tau, contacts)
    }

    /// Velocity after an impact with contact constraints, and the impulses.
    ///
    /// # Errors
    ///
    /// As [`dynamics::impulse_dynamics`].
    pub fn impulse_dynamics(&self, contacts: &Task<'_>, restitution: f64) -> Result<Impact> {
        dynamics::impulse_dynamics(self.model(), self.state(), contacts, restitution)
    }
}
