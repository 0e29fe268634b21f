//! Kernels for lanes: each is a function of its own, compiled once for every set of instructions and kind of number.
//!
//! Inlined into the stages that call them they would be compiled several times. In a build without optimisation, in which
//! every value is on the stack, a stage would need more of it than a thread has.
//!
//! Each has a module of its own, because the compiler puts all code of a module into one codegen unit, and units are compiled
//! side by side.

mod aba;
mod aba_derivatives;
mod crba;
mod poses;
mod rnea;
mod rnea_derivatives;

pub(super) use aba::aba;
pub(super) use aba_derivatives::aba_derivatives;
pub(super) use crba::crba;
pub(crate) use poses::forward;
pub(super) use rnea::{backward_pass, forward_pass};
pub(super) use rnea_derivatives::rnea_derivatives;
