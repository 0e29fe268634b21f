//! A model with its defaults applied: bodies in MuJoCo's order, with their joints, geoms and frames, SI and radians.

use crate::geometry::{Appearance, Geometry};
use crate::io::mjcf::document::Place;
use crate::math::{Inertia, Pose, Vector};

/// A model.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) name: String,
    /// The world is the first; parents come before children, depth first.
    pub(super) bodies: Vec<Body>,
}

/// A body, or the world.
#[derive(Debug)]
pub(super) struct Body {
    /// Empty for a body without a name.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) parent: usize,
    /// The pose in the parent, before its joints.
    pub(super) pose: Pose,
    pub(super) mocap: bool,
    pub(super) gravcomp: f64,
    pub(super) joints: Vec<Joint>,
    pub(super) geoms: Vec<Geom>,
    /// Sites and cameras.
    pub(super) frames: Vec<Frame>,
    /// `<inertial>`.
    pub(super) inertial: Option<Inertia>,
    /// Mass, centre of mass and moment of inertia, by all rules.
    pub(super) inertia: Inertia,
}

/// Kind of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JointType {
    Free,
    Ball,
    Slide,
    Hinge,
}

/// A joint.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    /// Empty for a joint without a name.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) kind: JointType,
    pub(super) position: Vector,
    /// A unit vector.
    pub(super) axis: Vector,
    /// The value in the pose of the file.
    pub(super) reference: f64,
    /// Limits, rad or m; of a ball joint the second one limits the angle of rotation.
    pub(super) range: Option<[f64; 2]>,
    pub(super) armature: f64,
    pub(super) damping: f64,
    pub(super) frictionloss: f64,
    pub(super) stiffness: f64,
    pub(super) springref: f64,
    /// Largest force of all actuators.
    pub(super) force_range: Option<[f64; 2]>,
    /// `align` of a free joint.
    pub(super) align: Option<bool>,
}

/// Shape of a geom.
#[derive(Debug, Clone)]
pub(super) enum GeomShape {
    /// Infinite, whatever its size: that is what MuJoCo draws.
    Plane,
    Sphere(f64),
    /// Radius and half length of the cylindrical part.
    Capsule(f64, f64),
    /// Radii.
    Ellipsoid([f64; 3]),
    /// Radius and half length.
    Cylinder(f64, f64),
    /// Half sizes.
    Box([f64; 3]),
    /// `None` where it is not loaded.
    Mesh(Option<Geometry>),
    HeightField(Option<Geometry>),
    /// A signed distance field of a plugin.
    Unknown,
}

/// A geom.
#[derive(Debug)]
pub(super) struct Geom {
    pub(super) name: String,
    pub(super) place: Place,
    /// The pose in the body.
    pub(super) pose: Pose,
    pub(super) shape: GeomShape,
    /// Mass and moment in the body, where it has some.
    pub(super) inertia: Option<Inertia>,
    pub(super) group: f64,
    pub(super) contype: u32,
    pub(super) conaffinity: u32,
    /// True if a `<pair>` names it, whatever its masks.
    pub(super) is_paired: bool,
    /// Sliding friction.
    pub(super) friction: f64,
    pub(super) appearance: Appearance,
}

impl Geom {
    /// True if no other geom may collide with it.
    pub(super) fn is_visual(&self) -> bool {
        self.contype == 0 && self.conaffinity == 0 && !self.is_paired
    }
}

/// A site or a camera.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) name: String,
    pub(super) pose: Pose,
    /// `site` or `camera`.
    pub(super) kind: &'static str,
}
