//! Architecture, conventions, controllers, glossary, changed names, file formats, performance, the Python package and pages for browsers.

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("conventions.md")]
pub mod conventions {}

#[doc = include_str!("control.md")]
pub mod control {}

#[doc = include_str!("formats.md")]
pub mod formats {}

#[doc = include_str!("glossary.md")]
pub mod glossary {}

#[doc = include_str!("renames.md")]
pub mod renames {}

#[doc = include_str!("performance.md")]
pub mod performance {}

#[doc = include_str!("viewer.md")]
pub mod viewer {}

#[doc = include_str!("python.md")]
pub mod python {}
