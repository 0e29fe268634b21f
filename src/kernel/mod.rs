//! The flat tree of moving bodies and the algorithms on it. Layer 1: plain numbers, no robot.
//!
//! Algorithms are written over [`Scalar`](crate::math::Scalar), with plain arrays inside: the versions to read, which
//! batches run with lanes and tests with dual numbers. Five of them exist a second time in [`single`], for one configuration
//! with vectors in registers, and derivatives a second time with bodies packed in lanes; each is tested against the first.
//! How many times as fast the second is, for chains of 6 and 30 bodies and random trees of 44 and 66 (AMD Zen 5, AVX2,
//! minima of 15 interleaved rounds):
//!
//! | kernel | 6 | 30 | 44 | 66 |
//! |---|---|---|---|---|
//! | forward kinematics | 1.1 | 1.3 | 1.5 | 1.9 |
//! | inverse dynamics | 1.8 | 1.8 | 1.8 | 1.5 |
//! | mass matrix | 2.0 | 2.8 | 2.8 | 1.5 |
//! | forward dynamics | 1.8 | 1.8 | 1.7 | 2.1 |
//! | inverse of the mass matrix | 1.5 | 3.3 | 3.8 | 2.5 |
//!
//! On longer chains the inverse and the derivatives of forward dynamics come from a recursion of their own, whose time grows
//! with the square of the number of bodies: `columns`.
//!
//! With the baseline of x86-64 the second is no faster: 0.7 to 1.0, but for the mass matrix (0.9 to 1.4) and its inverse
//! (0.8 to 2.9).

mod aba;
mod columns;
mod com;
mod crba;
mod derivatives;
#[cfg(test)]
mod dual;
mod factor;
mod floating;
mod forward;
mod jacobian;
mod joint_armature;
#[cfg(test)]
mod link_by_link;
mod mass_inverse;
mod momentum;
mod order;
mod pack;
mod rnea;
pub(crate) mod single;
mod sparse;
mod spatial;
mod tree;
mod velocity;

pub(crate) use aba::{Aba, EffectiveInertia, aba};
pub(crate) use com::{first_moment, first_moment_curvature, first_moment_jacobian, moment_about};
pub(crate) use crba::{Crba, crba, momentum_columns};
pub(crate) use derivatives::{
    Composites, Coriolis, DerivativeQuery, Derivatives, ExternalWrench, InverseDerivatives,
    PackedDerivatives, Partials, PointPartials, aba_derivatives, forward_dynamics_derivatives,
    point_derivatives, rnea_derivatives,
};
pub(crate) use factor::{factorize, invert, solve};
pub(crate) use forward::{Frame, Frames, forward};
pub(crate) use jacobian::{column, jacobian};
pub(crate) use joint_armature::{
    BallArmature, add_ball_forces, add_ball_mass_derivative, ball_energy,
};
pub(crate) use mass_inverse::MassInverse;
pub(crate) use momentum::{kinetic_energy, momentum};
pub(crate) use rnea::{Rnea, backward_pass, forward_pass};
pub(crate) use sparse::SignedAxis;
pub(crate) use spatial::Wrench;
pub(crate) use tree::{Body, Kind, Tree};
pub(crate) use velocity::{bias, jacobian_dot, velocity};
