//! What tests of several modules share.

pub(crate) mod allocations;
pub(crate) mod errors;
pub(crate) mod files;
pub(crate) mod numbers;
pub(crate) mod random;
pub(crate) mod robots;
pub(crate) mod states;
