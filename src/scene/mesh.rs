//! Meshes of a scene: triangles in runs of one material, or points.

use std::ops::Range;

use crate::geometry::{Appearance, Geometry, Mesh, Shape};
#[cfg(feature = "viewer")]
use crate::math::Point;

/// A mesh, or a cloud of points.
#[derive(Debug)]
pub(crate) struct SceneMesh {
    /// Keeps the shape alive, so that no other gets its identity.
    _shape: Geometry,
    /// The triangles; those of a cloud of points are none.
    pub(crate) mesh: Mesh,
    /// Runs of triangles with the index of their material, all triangles in order; `None` where the mesh has none.
    pub(crate) runs: Vec<(Range<usize>, Option<usize>)>,
}

impl SceneMesh {
    /// The mesh of a shape that is no group; `material` gives the index of a material. Errors with the reason why it cannot
    /// be drawn.
    pub(super) fn of(
        shape: &Geometry,
        mut material: impl FnMut(&Appearance) -> Option<usize>,
    ) -> Result<Self, String> {
        let mesh = match shape.shape() {
            Shape::Cloud(cloud) => {
                Mesh::new(cloud.points().to_vec(), Vec::new()).map_err(|error| error.to_string())?
            }
            _ => shape.to_mesh().map_err(|error| error.to_string())?,
        };
        let mut runs: Vec<(Range<usize>, Option<usize>)> = Vec::new();
        let mut end = 0;
        if let Some(materials) = mesh.materials() {
            for range in &materials.ranges {
                let Range { start, end: next } = range.triangles;
                if start > end {
                    runs.push((end..start, None));
                }
                let own = materials.materials.get(range.material);
                runs.push((start..next, own.and_then(&mut material)));
                end = next;
            }
        }
        if end < mesh.triangles().len() {
            runs.push((end..mesh.triangles().len(), None));
        }
        Ok(Self {
            _shape: shape.clone(),
            mesh,
            runs,
        })
    }

    /// True for a cloud of points.
    #[cfg(feature = "viewer")]
    pub(crate) fn is_cloud(&self) -> bool {
        self.mesh.triangles().is_empty()
    }

    /// Smallest and largest coordinates of the vertices; zeros for an empty mesh.
    #[cfg(feature = "viewer")]
    pub(crate) fn bounds(&self) -> (Point, Point) {
        let mut points = self.mesh.vertices().iter();
        let Some(&first) = points.next() else {
            return (Point::origin(), Point::origin());
        };
        points.fold((first, first), |(low, high), p| {
            (
                low.coords.inf(&p.coords).into(),
                high.coords.sup(&p.coords).into(),
            )
        })
    }
}
