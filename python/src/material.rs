//! Materials and other data of meshes and point clouds.

use kinworld::geometry::{Appearance as Inner, Mesh, Shape};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, PoseIn, array1, array2, points};
use crate::error::call_detached;
use crate::geometry::{Geometry, IDENTITY};
use crate::world::{cloud_of, with_cloud};

/// The material of a shape.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Appearance(pub(crate) Inner);

#[pymethods]
impl Appearance {
    /// The name in the file.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Red, green, blue and opacity, 0 to 1.
    #[getter]
    fn color(&self) -> Option<[f64; 4]> {
        self.0.color
    }

    /// The file of the texture.
    #[getter]
    fn texture(&self) -> Option<&str> {
        self.0.texture.as_deref()
    }

    fn __repr__(&self) -> String {
        match self.0.color {
            Some([r, g, b, a]) => format!("Appearance '{}': {r} {g} {b} {a}", self.0.name),
            None => format!("Appearance '{}'", self.0.name),
        }
    }
}

impl Geometry {
    fn mesh_of(&self) -> Option<&Mesh> {
        match self.0.shape() {
            Shape::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }
}

#[pymethods]
impl Geometry {
    /// Whether a mesh is closed: each edge has a triangle on either side; ``None`` for other shapes.
    #[getter]
    fn is_closed(&self) -> Option<bool> {
        self.mesh_of().map(Mesh::is_closed)
    }

    /// Number of triangles of a mesh that have no area; ``None`` for other shapes.
    #[getter]
    fn degenerate_triangles(&self) -> Option<usize> {
        self.mesh_of().map(Mesh::degenerate_triangles)
    }

    /// Volume of a convex hull, m³; ``None`` for other shapes.
    #[getter]
    fn volume(&self) -> Option<f64> {
        match self.0.shape() {
            Shape::Hull(hull) => Some(hull.volume()),
            _ => None,
        }
    }

    /// The materials of a mesh.
    #[getter]
    fn materials(&self) -> Vec<Appearance> {
        let materials = self.mesh_of().and_then(Mesh::materials);
        materials.map_or_else(Vec::new, |materials| {
            materials
                .materials
                .iter()
                .cloned()
                .map(Appearance)
                .collect()
        })
    }

    /// Ranges of triangles of a mesh: first, one past the last, and the index in ``materials``.
    #[getter]
    fn material_ranges(&self) -> Vec<(usize, usize, usize)> {
        let materials = self.mesh_of().and_then(Mesh::materials);
        materials.map_or_else(Vec::new, |materials| {
            let ranges = materials.ranges.iter();
            ranges
                .map(|range| (range.triangles.start, range.triangles.end, range.material))
                .collect()
        })
    }

    /// Colours (V × 4) of the vertices of a mesh; ``None`` where it has none.
    #[getter]
    fn vertex_colors<'py>(&self, py: Python<'py>) -> Option<Array2<'py>> {
        let colors = &self.mesh_of()?.materials()?.vertex_colors;
        if colors.is_empty() {
            return None;
        }
        Some(array2(py, colors.len(), 4, |out| {
            for (row, color) in out.chunks_exact_mut(4).zip(colors) {
                for (number, &part) in row.iter_mut().zip(color) {
                    *number = f64::from(part);
                }
            }
        }))
    }

    /// The points (N × 3) of a cloud; ``None`` for other shapes.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> Option<Array2<'py>> {
        match self.0.shape() {
            Shape::Cloud(cloud) => Some(points(py, cloud.points())),
            _ => None,
        }
    }

    /// Properties of a point cloud by name, an array (N) each.
    #[getter]
    fn point_properties<'py>(
        &self,
        py: Python<'py>,
    ) -> std::collections::BTreeMap<String, Array1<'py>> {
        let Shape::Cloud(cloud) = self.0.shape() else {
            return std::collections::BTreeMap::new();
        };
        let names = cloud.property_names();
        names
            .filter_map(|name| {
                let values = cloud.property(name)?;
                Some((name.to_owned(), array1(py, values)))
            })
            .collect()
    }

    /// A cloud with fewer points: every one that is left out is within ``spacing`` metres of one that is kept.
    fn thinned(&self, py: Python<'_>, spacing: f64) -> PyResult<Self> {
        let cloud = cloud_of(self)?;
        call_detached(py, || with_cloud(self, cloud.thinned(spacing)?))
    }

    /// The smallest box (2 × 3) along the axes of the world around the shape at a pose, without its margin.
    #[pyo3(signature = (pose=IDENTITY))]
    fn aabb_tight<'py>(&self, py: Python<'py>, pose: PoseIn) -> Option<Array2<'py>> {
        let aabb = self.0.aabb_tight(&pose.0)?;
        Some(array2(py, 2, 3, |out| {
            out[..3].copy_from_slice(aabb.min.coords.as_slice());
            out[3..].copy_from_slice(aabb.max.coords.as_slice());
        }))
    }

    /// The bounding box along the axes of the shape's frame, as a shape; ``None`` for an empty shape.
    fn to_bounding_box(&self) -> Option<Self> {
        self.0.to_bounding_box().map(|aabb| Self(aabb.into()))
    }

    /// The spheres (k × 4, centre and radius) that the shape consists of; ``None`` where it is not made of spheres.
    fn as_spheres<'py>(&self, py: Python<'py>) -> Option<Array2<'py>> {
        let spheres = self.0.as_spheres()?;
        Some(array2(py, spheres.len(), 4, |out| {
            for (row, sphere) in out.chunks_exact_mut(4).zip(&spheres) {
                row[..3].copy_from_slice(sphere.center.coords.as_slice());
                row[3] = sphere.radius;
            }
        }))
    }

    /// Builds what queries need, which the first one would do otherwise.
    fn prepare(&self) {
        self.0.prepare();
    }
}
