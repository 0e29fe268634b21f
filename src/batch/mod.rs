//! Kinematics and dynamics of one robot in many configurations at once. Layer 3.
//!
//! | | one configuration | many, from slices to slices | many, from lanes to lanes |
//! |---|---|---|---|
//! | poses of links | [`State::pose`](crate::State::pose) | [`poses`], [`poses_into`], [`pose_matrices_into`]; [`poses_f32`], [`poses_f32_into`] | [`poses_lanes`] |
//! | random configurations | [`sample`](crate::kinematics::sample) | [`sample`], [`sample_into`] | |
//! | Jacobian of a point | [`jacobian`](crate::kinematics::jacobian) | [`jacobians`], [`jacobians_into`] | [`jacobians_lanes`] |
//! | `τ` | [`inverse_dynamics`](crate::dynamics::inverse_dynamics) | [`inverse_dynamics`], [`inverse_dynamics_into`] | [`inverse_dynamics_lanes`] |
//! | `C q̇ + G` | [`bias_forces`](crate::dynamics::bias_forces) | [`bias_forces`], [`bias_forces_into`] | [`bias_forces_lanes`] |
//! | `M` | [`mass_matrix`](crate::dynamics::mass_matrix) | [`mass_matrices`], [`mass_matrices_into`] | [`mass_matrices_lanes`] |
//! | `q̈` | [`forward_dynamics`](crate::dynamics::forward_dynamics) | [`forward_dynamics`], [`forward_dynamics_into`] | [`forward_dynamics_lanes`] |
//! | `∂τ/∂q`, `∂τ/∂q̇`, `M` | [`inverse_dynamics_derivatives`](crate::dynamics::inverse_dynamics_derivatives) | [`inverse_dynamics_derivatives`], [`inverse_dynamics_derivatives_into`] | [`inverse_dynamics_derivatives_lanes`] |
//! | `∂q̈/∂q`, `∂q̈/∂q̇`, `M⁻¹` | [`forward_dynamics_derivatives`](crate::dynamics::forward_dynamics_derivatives) | [`forward_dynamics_derivatives`], [`forward_dynamics_derivatives_into`] | [`forward_dynamics_derivatives_lanes`] |
//!
//! Slices hold a row of numbers per configuration, and results have the same order. Internally four or eight
//! configurations are computed at once, with AVX-512, with AVX2 and FMA, or with the instructions that every processor of
//! the target has, chosen at run time. Reordering numbers takes as long as some of the computations: [`Lanes`] keep them in
//! the order of vector registers from one function to the next, and still give access to each configuration. In single
//! precision (`…_f32`) eight or sixteen configurations are computed at once.
//!
//! Functions that end in `_into` or `_lanes` take a [`Workspace`] and do not allocate. With the feature `parallel` the
//! threads of the current pool of `rayon` share large batches.
//!
//! Results agree with those of [`kinematics`](crate::kinematics) and [`dynamics`](crate::dynamics) to rounding. On one
//! machine they depend, to the last bit, neither on the number of threads nor on the other configurations of the batch;
//! another set of instructions may round differently. The environment variable `KINWORLD_SIMD` selects one, to compare:
//! `baseline`, `avx2`, `avx512`. Where the processor lacks it, the best below it is taken; other values are ignored. Without
//! the feature `vectors`, and in builds without optimisation, there is only the first.
//!
//! # Examples
//!
//! ```
//! use kinworld::batch::{self, Lanes, Workspace};
//! use kinworld::math::Inertia;
//! use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
//! use kinworld::{Point, Vector};
//!
//! let mut bob = LinkSpec::new("bob", None, LinkMotion::Revolute(Vector::y()));
//! bob.inertia = Inertia { mass: 2.0, com: Point::new(1.5, 0.0, 0.0), ..Inertia::zero() };
//! let mut pendulum = RobotBuilder::new("pendulum");
//! pendulum.add_link(bob);
//! let pendulum = pendulum.build()?;
//! let gravity = Vector::new(0.0, 0.0, -10.0);
//!
//! // a hundred pendulums are released at different angles
//! let angles: Vec<f64> = (0..100).map(|k| 0.02 * f64::from(k)).collect();
//! let (q, still) = (Lanes::from_rows(1, &angles)?, Lanes::zeros(100, 1));
//! let (mut ddq, mut tau) = (Lanes::default(), Lanes::default());
//! let mut ws = Workspace::new(&pendulum);
//! batch::forward_dynamics_lanes(&pendulum, &q, &still, &still, &gravity, &mut ws, &mut ddq)?;
//! assert!((ddq.get(50, 0) - 10.0 / 1.5 * 1.0_f64.cos()).abs() < 1e-12);
//!
//! // free fall needs no force
//! batch::inverse_dynamics_lanes(&pendulum, &q, &still, &ddq, &gravity, &mut ws, &mut tau)?;
//! assert!(tau.to_rows().iter().all(|tau| tau.abs() < 1e-12));
//! # Ok::<(), kinworld::Error>(())
//! ```

mod drive;
mod forward;
mod forward_derivatives;
mod inverse;
mod inverse_derivatives;
mod jacobians;
mod kernels;
mod lanes;
mod layout;
mod mass_matrices;
mod motions;
mod poses;
mod sample;
mod workspace;

pub use forward::{forward_dynamics, forward_dynamics_into, forward_dynamics_lanes};
pub use forward_derivatives::{
    forward_dynamics_derivatives, forward_dynamics_derivatives_into,
    forward_dynamics_derivatives_lanes,
};
pub use inverse::{
    bias_forces, bias_forces_into, bias_forces_lanes, inverse_dynamics, inverse_dynamics_into,
    inverse_dynamics_lanes,
};
pub use inverse_derivatives::{
    inverse_dynamics_derivatives, inverse_dynamics_derivatives_into,
    inverse_dynamics_derivatives_lanes,
};
pub use jacobians::{jacobians, jacobians_into, jacobians_lanes};
pub use lanes::Lanes;
pub use mass_matrices::{mass_matrices, mass_matrices_into, mass_matrices_lanes};
pub use poses::{pose_matrices_into, poses, poses_f32, poses_f32_into, poses_into, poses_lanes};
pub use sample::{sample, sample_into, sample_part_into, sample_seed};
pub use workspace::Workspace;

pub(crate) use kernels::forward;
