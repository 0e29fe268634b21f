//! Wrenches about points in the axes of frames, their balances on links, and limbs of segments.

mod applied;
mod balances;
mod frames;
mod segment;

pub(crate) use applied::AppliedWrench;
pub(crate) use balances::{Balance, balance, chain, table};
pub(crate) use frames::{Frame, Frames};
pub(crate) use segment::{Segment, limb};
