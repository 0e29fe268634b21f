//! Helpers shared by the tests of several modules.

pub(crate) mod allocations;
pub(crate) mod errors;
pub(crate) mod files;
pub(crate) mod numbers;
pub(crate) mod random;
pub(crate) mod states;
