//! How the library is built, what its numbers mean, and which files it reads.

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("conventions.md")]
pub mod conventions {}

#[doc = include_str!("formats.md")]
pub mod formats {}
