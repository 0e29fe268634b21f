//! How the library is built, what its numbers mean, which files it reads, and how fast it is.

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("conventions.md")]
pub mod conventions {}

#[doc = include_str!("formats.md")]
pub mod formats {}

#[doc = include_str!("performance.md")]
pub mod performance {}
