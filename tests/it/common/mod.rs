//! What tests of several rooms share.

pub mod files;
pub mod numbers;
pub mod robots;
