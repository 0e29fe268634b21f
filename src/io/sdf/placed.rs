//! The contents of a world with their poses: what robots, objects and terrains are made of.

use super::document::{Axis, Kind, Link, Place};
use crate::math::{Pose, Vector};

/// Links, joints and frames of a world at zero configuration, with full names such as `arm::elbow`.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) links: Vec<PlacedLink>,
    pub(super) joints: Vec<PlacedJoint>,
    pub(super) frames: Vec<PlacedFrame>,
    pub(super) models: Vec<TopModel>,
    /// Of the world, m/s².
    pub(super) gravity: Option<([f64; 3], Place)>,
}

/// A model that is in no other.
#[derive(Debug)]
pub(super) struct TopModel {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) is_static: bool,
    pub(super) extras: Vec<String>,
}

/// A link, with its shapes.
#[derive(Debug)]
pub(super) struct PlacedLink {
    pub(super) name: String,
    /// Index of its model.
    pub(super) model: usize,
    /// In the world.
    pub(super) pose: Pose,
    pub(super) link: Link,
    /// Poses of its collision shapes and of its visual ones, in the frame of the link.
    pub(super) collision: Vec<Pose>,
    pub(super) visual: Vec<Pose>,
}

/// A joint between links; `None` is the world.
#[derive(Debug)]
pub(super) struct PlacedJoint {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) kind: Kind,
    pub(super) parent: Option<usize>,
    pub(super) child: Option<usize>,
    /// In the world.
    pub(super) pose: Pose,
    /// Directions in the frame of the joint.
    pub(super) axes: Vec<(Vector, Axis)>,
    /// Full name of the joint that each axis mimics.
    pub(super) leaders: Vec<Option<String>>,
    pub(super) pitch: f64,
}

/// A frame that a file names.
#[derive(Debug)]
pub(super) struct PlacedFrame {
    pub(super) name: String,
    pub(super) link: Option<usize>,
    pub(super) pose: Pose,
}
