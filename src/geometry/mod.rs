//! Shapes and the questions asked about them. Floor 1; the only room that knows parry3d.

mod mesh;

pub use mesh::Mesh;

use crate::math::{Point, Pose};

/// A shape that can collide, in its own frame; cheap to clone.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Geometry {
    mesh: Mesh,
}

impl Geometry {
    /// Several geometries as one, each at its place.
    #[must_use]
    pub fn group(mut members: Vec<(Pose, Self)>) -> Self {
        members.remove(0).1
    }
}

impl From<Mesh> for Geometry {
    fn from(mesh: Mesh) -> Self {
        Self { mesh }
    }
}

/// How a shape looks: kept as data.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Appearance {
    /// The name of the material, often empty.
    pub name: String,
    /// Red, green, blue, opacity from 0 to 1.
    pub color: Option<[f64; 4]>,
    /// The image file, as the file names it.
    pub texture: Option<String>,
}

#[expect(dead_code, reason = "until the room is built")]
fn unused(_: Point) {}
