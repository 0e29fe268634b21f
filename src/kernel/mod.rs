//! The flat tree of moving bodies and the algorithms on it. Floor 1: plain numbers, no robot.

mod tree;

pub(crate) use tree::{Body, Kind, Tree};
