//! A world file as written: no defaults, no references resolved, every position kept.

use std::collections::BTreeMap;

pub(super) use crate::io::position::{At, Position};

/// `<world>`.
#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    pub(super) robots: Vec<Robot>,
    pub(super) objects: Vec<Object>,
    pub(super) terrains: Vec<Terrain>,
    /// Elements and attributes of other programs, as properties.
    pub(super) rest: BTreeMap<String, String>,
}

/// `<robot>`.
#[derive(Debug, Clone)]
pub(super) struct Robot {
    pub(super) name: Option<String>,
    pub(super) file: At<String>,
    pub(super) config: Option<At<Vec<f64>>>,
    pub(super) config_file: Option<At<String>>,
    pub(super) transform: Transform,
    /// The file that `<sensors file="…">` names.
    pub(super) sensors_file: Option<At<String>>,
    pub(super) rest: BTreeMap<String, String>,
}

/// `<rigidObject>`.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub(super) name: Option<String>,
    pub(super) position: Position,
    pub(super) file: Option<At<String>>,
    pub(super) transform: Transform,
    pub(super) geometry: Option<Geometry>,
    pub(super) physics: Option<Physics>,
    pub(super) rest: BTreeMap<String, String>,
}

/// `<rigidObject><geometry>`.
#[derive(Debug, Clone)]
pub(super) struct Geometry {
    pub(super) mesh: Option<At<String>>,
    pub(super) fit: Fit,
}

/// Transformation of a shape: scaled, then rotated, then translated, with a margin.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) position: Position,
    pub(super) scale: Option<[f64; 3]>,
    pub(super) transform: Transform,
    pub(super) margin: Option<f64>,
}

/// `<rigidObject><physics>`.
#[derive(Debug, Clone)]
pub(super) struct Physics {
    pub(super) position: Position,
    pub(super) mass: Option<f64>,
    pub(super) com: Option<[f64; 3]>,
    /// Row by row.
    pub(super) inertia: Option<[f64; 9]>,
    pub(super) auto_mass: bool,
    pub(super) surface_fraction: Option<f64>,
    pub(super) friction: Option<f64>,
    pub(super) restitution: Option<f64>,
    pub(super) stiffness: Option<f64>,
    pub(super) damping: Option<f64>,
}

/// `<terrain>`.
#[derive(Debug, Clone)]
pub(super) struct Terrain {
    pub(super) name: Option<String>,
    pub(super) file: At<String>,
    pub(super) fit: Fit,
    pub(super) friction: Option<f64>,
    pub(super) rest: BTreeMap<String, String>,
}

/// The attributes of a pose.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Transform {
    pub(super) translation: Option<[f64; 3]>,
    /// Roll, pitch, yaw.
    pub(super) rpy: Option<[f64; 3]>,
    /// Axis times angle.
    pub(super) moment: Option<[f64; 3]>,
    /// Angles about x, y and z.
    pub(super) about: [Option<f64>; 3],
}
