//! The flat tree of moving bodies and the algorithms on it. Floor 1: plain numbers, no robot.
//!
//! Algorithms are written once over [`Scalar`](crate::math::Scalar), with plain arrays inside.

mod aba;
mod com;
mod crba;
mod derivatives;
#[cfg(test)]
mod dual;
mod eight;
mod factor;
mod floating;
mod forward;
mod jacobian;
mod linear;
#[cfg(test)]
mod link_by_link;
mod momentum;
mod rnea;
pub(crate) mod single;
mod spatial;
mod tree;
mod velocity;

pub(crate) use aba::{Aba, Resisted, aba};
pub(crate) use com::{first_moment, first_moment_curvature, first_moment_jacobian, moment_about};
pub(crate) use crba::{Crba, crba, momentum_columns};
pub(crate) use derivatives::{
    Abreast, Asked, Composites, Coriolis, Derivatives, ForwardDerivatives, InverseDerivatives,
    PointSlopes, Push, Slopes, aba_derivatives, point_slopes, rnea_derivatives,
};
pub(crate) use factor::{factorize, solve};
pub(crate) use forward::{Frame, Frames, forward};
pub(crate) use jacobian::{column, jacobian};
pub(crate) use linear::constant3;
pub(crate) use momentum::{kinetic_energy, momentum};
pub(crate) use rnea::{Rnea, inwards, outwards};
pub(crate) use spatial::Wrench;
pub(crate) use tree::{Along, Body, Kind, Tree};
pub(crate) use velocity::{bias, jacobian_dot, velocity};
