//! The flat tree of moving bodies and the algorithms on it. Layer 1: plain numbers, no robot.
//!
//! Algorithms are written over [`Scalar`](crate::math::Scalar), with plain arrays inside: the versions to read, which
//! batches run with lanes and tests with dual numbers. Forward kinematics, inverse dynamics, the mass matrix and forward
//! dynamics exist a second time in [`single`], for one configuration with vectors in registers, and derivatives a second
//! time with bodies packed in lanes; each is tested against the first.

mod aba;
mod com;
mod crba;
mod derivatives;
#[cfg(test)]
mod dual;
mod factor;
mod floating;
mod forward;
mod jacobian;
mod linear;
#[cfg(test)]
mod link_by_link;
mod momentum;
mod pack;
mod rnea;
pub(crate) mod single;
mod spatial;
mod tree;
mod velocity;

pub(crate) use aba::{Aba, EffectiveInertia, aba};
pub(crate) use com::{first_moment, first_moment_curvature, first_moment_jacobian, moment_about};
pub(crate) use crba::{Crba, crba, momentum_columns};
pub(crate) use derivatives::{
    Composites, Coriolis, DerivativeQuery, Derivatives, ExternalWrench, ForwardDerivatives,
    InverseDerivatives, PackedDerivatives, Partials, PointPartials, aba_derivatives,
    point_derivatives, rnea_derivatives,
};
pub(crate) use factor::{factorize, solve};
pub(crate) use forward::{Frame, Frames, forward};
pub(crate) use jacobian::{column, jacobian};
pub(crate) use linear::constant3;
pub(crate) use momentum::{kinetic_energy, momentum};
pub(crate) use rnea::{Rnea, backward_pass, forward_pass};
pub(crate) use spatial::Wrench;
pub(crate) use tree::{Body, Kind, SignedAxis, Tree};
pub(crate) use velocity::{bias, jacobian_dot, velocity};
