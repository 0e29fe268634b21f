//! Kernels of one configuration, with vectors in registers: x, y, z and a spare lane.
//!
//! The algorithms are those of the files of the same names one folder up, which are the readable versions, and which each
//! is tested against. Here they are arranged for registers:
//!
//! * a symmetric matrix is its diagonal and the numbers off it, any other is its three cyclic diagonals
//!   ([`matrix`]), so that products and transposes take rotations of x, y, z and no sums across a register;
//! * everything that does not depend on the previous body is computed ahead, because the latency along a chain of links
//!   decides the time, not the number of operations;
//! * for the mass matrix four bodies are packed where each is computed alone, and four coordinates of a row ([`crba`]).

mod aba;
mod articulated;
mod columns;
mod crba;
mod forward;
mod inverse;
mod joints;
mod matrix;
mod packed;
mod product;
mod rnea;
#[cfg(test)]
mod tests;
mod tiles;

pub(crate) use aba::Aba;
pub(crate) use columns::{LoadNegated, StorePair, StoreSymmetric};
pub(crate) use crba::Crba;
pub(crate) use forward::{forward, forward_some};
pub(crate) use inverse::Inverse;
pub(crate) use joints::Joints;
pub(crate) use product::NegatedProduct;
pub(crate) use rnea::Rnea;
