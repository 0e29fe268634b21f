//! One robot at one configuration, with the numbers of a vector side by side in a register: x, y, z and one to spare.
//!
//! The algorithms are those of the files of the same names one folder up, which are the ones to read, and which each is
//! tested against. Here they are arranged for registers:
//!
//! * a symmetric matrix is its diagonal and the numbers off it, any other is its three cyclic diagonals
//!   ([`matrix`]), so that products and transposes take rotations of x, y, z and no sums across a register;
//! * all that does not depend on the body before runs ahead of what does, because a chain of links waits for the
//!   latency of each link, not for the number of operations;
//! * for the mass matrix four bodies go abreast where each computes alone, and four coordinates of a row ([`crba`]).

mod aba;
mod articulated;
mod crba;
mod forward;
mod inverse;
mod matrix;
mod packed;
mod rnea;
#[cfg(test)]
mod tests;
mod tiles;

pub(crate) use aba::Aba;
pub(crate) use crba::Crba;
pub(crate) use forward::{forward, forward_some};
pub(crate) use inverse::Inverse;
pub(crate) use rnea::Rnea;
