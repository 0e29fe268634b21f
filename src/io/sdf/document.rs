//! The models of an SDF file and of those that it includes: no frames resolved, every place kept.

use crate::geometry::{Appearance, Geometry};
use crate::io::position::Position;
use crate::math::{Inertia, Rotation, Vector};

/// A place in one of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// Index of the file.
    pub(super) file: usize,
    pub(super) position: Position,
}

/// A name and its place.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) place: Place,
}

/// A file with its worlds and models.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub(super) worlds: Vec<Model>,
    pub(super) models: Vec<Model>,
}

/// `<model>`, an `<include>` of one, or a `<world>`, which holds models and frames.
#[derive(Debug, Clone, Default)]
pub(super) struct Model {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) is_static: bool,
    /// Its links, joints and frames belong to the model around it, as with `<include merge="true">`.
    pub(super) is_merged: bool,
    pub(super) pose: Option<Located>,
    pub(super) placement_frame: Option<Name>,
    pub(super) canonical_link: Option<Name>,
    /// Of a world, m/s².
    pub(super) gravity: Option<([f64; 3], Place)>,
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<Joint>,
    pub(super) frames: Vec<Frame>,
    pub(super) models: Vec<Self>,
    /// Elements of other programs, verbatim.
    pub(super) extras: Vec<String>,
}

/// Version of the format, such as 1.7.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Version(pub(super) u32, pub(super) u32);

/// `<pose>`.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub(super) translation: Vector,
    pub(super) rotation: Rotation,
    pub(super) relative_to: Option<Name>,
}

/// `<link>`.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) name: Name,
    pub(super) pose: Option<Located>,
    /// In the frame of the link.
    pub(super) inertia: Weight,
    pub(super) collision: Vec<Shape>,
    pub(super) visual: Vec<Shape>,
}

/// Mass and moments of a link.
#[derive(Debug, Clone, Copy)]
pub(super) enum Weight {
    Given(Inertia),
    /// Of its collision shapes, at a density in kg/m³.
    Auto(f64),
}

/// `<collision>` or `<visual>`.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) name: Name,
    pub(super) pose: Option<Located>,
    /// `None` for one that cannot be read.
    pub(super) geometry: Option<Geometry>,
    /// True for `<empty/>`.
    pub(super) is_empty: bool,
    pub(super) appearance: Option<Appearance>,
    /// Coefficient of friction, of collision shapes.
    pub(super) friction: Option<f64>,
    /// Density for the inertia of the link, kg/m³.
    pub(super) density: Option<f64>,
}

/// `<frame>`.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) name: Name,
    pub(super) attached_to: Option<Name>,
    pub(super) pose: Option<Located>,
}

/// `<joint>`.
#[derive(Debug, Clone)]
pub(super) struct Joint {
    pub(super) name: Name,
    pub(super) kind: Kind,
    pub(super) parent: Name,
    pub(super) child: Name,
    pub(super) pose: Option<Located>,
    /// One, or two of a universal joint.
    pub(super) axes: Vec<Axis>,
    /// Travel of a screw joint per turn, m.
    pub(super) pitch: f64,
}

/// The `type` of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Revolute,
    Continuous,
    Prismatic,
    Fixed,
    Ball,
    Universal,
    Screw,
    /// Known, and without a counterpart here.
    Other,
}

/// `<axis>` or `<axis2>`.
#[derive(Debug, Clone)]
pub(super) struct Axis {
    pub(super) place: Place,
    pub(super) xyz: Vector,
    pub(super) expressed_in: Option<Name>,
    /// In the frame of the model, as before version 1.5.
    pub(super) is_of_model: bool,
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) velocity: f64,
    pub(super) effort: f64,
    pub(super) damping: f64,
    pub(super) friction: f64,
    /// Stiffness and value at rest.
    pub(super) spring: Option<[f64; 2]>,
    pub(super) mimic: Option<Mimic>,
}

/// `<mimic>`: `q = multiplier (q_leader − reference) + offset`.
#[derive(Debug, Clone)]
pub(super) struct Mimic {
    pub(super) joint: Name,
    pub(super) multiplier: f64,
    pub(super) offset: f64,
}
