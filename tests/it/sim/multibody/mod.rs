//! Bodies in redundant coordinates: against trees and planar bodies, against the references, and loops.

mod loops;
mod refused;
mod runs;
mod same_as_trees;
