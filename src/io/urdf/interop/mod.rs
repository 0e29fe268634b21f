//! Conversion of robots from and to the types of the crate `urdf-rs`.

mod from;
mod to;

pub(super) use from::document;
pub(super) use to::robot;
