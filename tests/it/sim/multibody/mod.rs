//! Multibody systems: against trees, planar bodies and the references, and with loops.

mod loops;
mod refused;
mod runs;
mod same_as_trees;
