//! Rigid-body dynamics: inverse and forward dynamics, mass matrix, derivatives, momentum, contacts. Layer 3, beside
//! `kinematics`.
//!
//! Algorithms are functions of a [`Robot`](crate::Robot) and its [`State`](crate::State), inputs first. Functions that
//! end in `_into` write into memory that the caller owns, take a [`Workspace`] where they need scratch, and do not
//! allocate.
//!
//! # The equation
//!
//! ```text
//! M(q) q̈ + C(q, q̇) q̇ + G(q) = τ + Σ Jᵀ f
//! ```
//!
//! | symbol | function | meaning |
//! |---|---|---|
//! | `M` | [`mass_matrix`] | n × n, symmetric; positive definite where every dof moves a mass |
//! | `C q̇` | [`coriolis_forces`] | Coriolis and centrifugal forces, quadratic in `q̇` |
//! | `G` | [`gravity_forces`] | `+∂U/∂q`: the forces that *hold* the robot against gravity, as in Klampt |
//! | `C` | [`coriolis_matrix`] | from the Christoffel symbols: `Ṁ − 2 C` is skew-symmetric |
//! | `Ṁ`, `∂M/∂q_k` | [`mass_matrix_dot`], [`mass_matrix_derivative`] | |
//! | `C q̇ + G` | [`bias_forces`] | |
//! | `τ` | [`inverse_dynamics`] | generalised forces for the acceleration `q̈` |
//! | `q̈` | [`forward_dynamics`] | acceleration under `τ` |
//! | `f` | [`Loads::wrenches`] | external wrenches on links |
//! | `Λ` | [`operational_space_inertia`] | inertia along a [`Task`]; see also [`task_dynamics`] |
//! | `q̈`, `f` | [`constrained_dynamics`] | acceleration and contact forces under rigid [`Contacts`]; [`impulse_dynamics`] for impacts |
//! | `∂τ/∂(q, q̇, q̈)` | [`inverse_dynamics_derivatives`] | exact, in closed form |
//! | `∂q̈/∂(q, q̇, τ)` | [`forward_dynamics_derivatives`] | through `M⁻¹` |
//!
//! Vectors have one value per dof: N·m where it is an angle, N where it is a length (times the length of the joint's axis,
//! where that is not 1). Gravity is an argument, (0, 0, −9.81) m/s² on earth with z up.
//!
//! A floating base at a root has six dofs, of six virtual links, and is computed as one joint.
//!
//! Friction, damping, springs, loops and joint limits are ignored, whatever the file says; add the [`friction_forces`] and
//! [`spring_forces`] where they matter, and close loops by [`Contacts::close_loops`].
//! Drivers are ignored too, so that each dof moves independently: the functions that begin with `driver_` work on the
//! drivers' dofs. [`all_terms`] computes the rows above together, and the [`inertial_regressor`] makes them linear in the
//! inertial parameters.
//!
//! # Armature
//!
//! A rotor behind a gear of ratio `k` rotates `k` times as fast as its joint and adds `k²` times its inertia. This
//! [armature](crate::Robot::armature) of each dof is added to the diagonal of `M`, and so enters all that follows from
//! `M`: forces, accelerations, kinetic energy. It comes from [`LinkSpec::armature`](crate::robot::LinkSpec::armature) and
//! from the [`Rotor`](crate::robot::Rotor) of a driver; MJCF has a field for it, and elsewhere it is 0. The rotation of the
//! rotor with the link that carries it is neglected, as usual: the rotor has no momentum and no gyroscopic moment.
//!
//! The armature `A` of a [ball joint](crate::robot::JointKind::BallAndSocket), that of its last link, acts on the angular
//! velocity `ω` of the joint, as in MuJoCo: it has the energy `½ A |ω|²`, and couples the three angles. Forward dynamics of
//! robots with one come from factors of the mass matrix, O(n d²) for trees of depth d, instead of articulated bodies.
//!
//! # Singular dofs
//!
//! A dof that moves no mass, or that only repeats the motion of others (yaw and roll of three angles where the pitch is a
//! right angle), has no acceleration of its own. Functions that divide by the mass matrix then fail with an
//! [`Error::Invalid`](crate::Error::Invalid) that names the link; the others are not affected.
//!
//! # Examples
//!
//! A pendulum of 2 kg, 1.5 m long:
//!
//! ```
//! use kinworld::math::Inertia;
//! use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
//! use kinworld::{Point, State, Vector, dynamics};
//!
//! let mut bob = LinkSpec::new("bob", None, LinkMotion::Revolute(Vector::y()));
//! bob.inertia = Inertia { mass: 2.0, com: Point::new(1.5, 0.0, 0.0), ..Inertia::zero() };
//! let mut pendulum = RobotBuilder::new("pendulum");
//! pendulum.add_link(bob);
//! let pendulum = pendulum.build()?;
//! let state = State::new(&pendulum);
//!
//! // released where it is level, its bob falls freely: positive angles rotate x down
//! let gravity = Vector::new(0.0, 0.0, -10.0);
//! let ddq = dynamics::forward_dynamics(&pendulum, &state, &gravity, &[0.0])?;
//! assert!((ddq[0] * 1.5 - 10.0).abs() < 1e-12);
//!
//! // 2 kg · 10 m/s² · 1.5 m hold it still
//! let tau = dynamics::inverse_dynamics(&pendulum, &state, &gravity, &[0.0])?;
//! assert_eq!(tau, [-30.0]);
//! # Ok::<(), kinworld::Error>(())
//! ```

mod base_wrench;
mod centroidal;
mod composite;
mod constrained;
mod contacts;
mod coriolis;
mod derivatives;
mod driven;
mod energy;
mod forward;
mod friction;
mod gram;
mod gravity;
mod inverse;
mod joint_wrenches;
mod loads;
mod mass_matrix;
mod momentum;
mod operational_space;
mod regressor;
mod singular;
mod springs;
mod statics;
mod task;
mod terms;
mod workspace;

pub use base_wrench::{base_wrench, base_wrench_with};
pub use centroidal::{
    centroidal_momentum_bias, centroidal_momentum_matrix_dot, centroidal_momentum_matrix_dot_into,
};
pub use composite::{composite_inertia, subtree_inertia, subtree_inertias_into};
pub use constrained::{
    ConstrainedDynamics, Impact, constrained_dynamics, constrained_dynamics_into, impulse_dynamics,
    impulse_dynamics_into,
};
pub use contacts::Contacts;
pub use coriolis::{
    coriolis_matrix, coriolis_matrix_into, mass_matrix_derivative, mass_matrix_derivative_into,
    mass_matrix_derivatives, mass_matrix_dot, mass_matrix_dot_into,
};
pub use derivatives::{
    ForwardDynamicsDerivatives, InverseDynamicsDerivatives, forward_dynamics_derivatives,
    forward_dynamics_derivatives_into, inverse_dynamics_derivatives,
    inverse_dynamics_derivatives_into,
};
pub use driven::{
    driver_bias_forces, driver_forward_dynamics, driver_forward_dynamics_into,
    driver_inverse_dynamics, driver_inverse_dynamics_into, driver_mass_matrix,
    driver_mass_matrix_into, driver_mass_matrix_inverse,
};
pub use energy::{kinetic_energy, kinetic_energy_with, potential_energy};
pub use forward::{forward_dynamics, forward_dynamics_into};
pub use friction::{friction_forces, friction_forces_into};
pub use gravity::{gravity_forces_derivative, gravity_forces_derivative_into};
pub use inverse::{
    bias_forces, bias_forces_into, coriolis_forces, coriolis_forces_into, gravity_forces,
    gravity_forces_into, inverse_dynamics, inverse_dynamics_into,
};
pub use joint_wrenches::{joint_wrenches, joint_wrenches_into};
pub use loads::Loads;
pub use mass_matrix::{
    mass_matrix, mass_matrix_cholesky, mass_matrix_cholesky_into, mass_matrix_into,
    mass_matrix_inverse, mass_matrix_inverse_into, mass_matrix_lower_into,
};
pub use momentum::{
    angular_momentum, centroidal_momentum_matrix, centroidal_momentum_matrix_into, linear_momentum,
    momentum, momentum_with,
};
pub use operational_space::{
    TaskDynamics, operational_space_inertia, operational_space_inertia_into, task_dynamics,
    task_dynamics_into,
};
pub use regressor::{
    base_wrench_regressor, base_wrench_regressor_into, inertial_parameters, inertial_regressor,
    inertial_regressor_into, kinetic_energy_regressor, link_regressor, potential_energy_regressor,
};
pub(crate) use singular::{no_acceleration, resists};
pub(crate) use springs::add_spring_forces;
pub use springs::{spring_forces, spring_forces_into};
pub use statics::{holding_torque, static_torques};
pub use task::Task;
pub use terms::{Terms, all_terms, all_terms_into};
pub use workspace::Workspace;
