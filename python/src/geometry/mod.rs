//! Shapes, and queries of two of them.

mod octree;
mod query;

use kinworld::geometry::{Mesh, PartOptions, PointCloud, Primitive, Shape};
use kinworld::{Geometry as Inner, Point, Pose};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(crate) use octree::Octree;
pub(crate) use query::ContactPair;

use crate::convert::{
    Array1, Array2, Indices, PoseIn, Reals, Rows, Vec3, array1, array2, matrix, points,
};
use crate::error::{Diagnostics, call, call_detached, diagnostics, loaded};
use crate::interrupt::in_background;
use crate::load::LoadOptions;

pub(crate) const IDENTITY: PoseIn = PoseIn(Pose {
    rotation: kinworld::Rotation::from_matrix_unchecked(kinworld::nalgebra::Matrix3::new(
        1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0,
    )),
    translation: kinworld::nalgebra::Translation3 {
        vector: kinworld::Vector::new(0.0, 0.0, 0.0),
    },
});

/// A shape that can collide, in its own frame: a primitive, a mesh, a convex hull, a point cloud or a group.
///
/// >>> import kinworld as kw
/// >>> box = kw.Geometry.box((0.2, 0.2, 0.2))
/// >>> ball = kw.Geometry.sphere(0.1)
/// >>> box.distance(ball, other_pose=kw.se3.from_translation((1, 0, 0)))
/// 0.8
#[pyclass(frozen, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Geometry(pub(crate) Inner);

#[pymethods]
impl Geometry {
    /// Loads a mesh, a height map or a point cloud.
    #[staticmethod]
    #[pyo3(signature = (path, *, options=None))]
    fn load(
        py: Python<'_>,
        path: std::path::PathBuf,
        options: Option<&LoadOptions>,
    ) -> PyResult<Self> {
        let mut loader = LoadOptions::loader(options);
        loaded(py, in_background(py, None, move |_| loader.geometry(path))?)
            .map(|(geometry, _)| Self(geometry))
    }

    /// Saves the shape as a mesh. Returns warnings about what is lost.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: std::path::PathBuf, force: bool) -> PyResult<Diagnostics> {
        let options = kinworld::io::SaveOptions::default().with_force(force);
        call_detached(py, || self.0.save_with(path, &options)).map(|lost| diagnostics(&lost))
    }

    /// A box of a size (3), m, centred at the pose (4 × 4).
    #[staticmethod]
    #[pyo3(signature = (size, pose=IDENTITY))]
    fn r#box(size: Vec3, pose: PoseIn) -> PyResult<Self> {
        call(|| Ok(Self(Primitive::cuboid(pose.0, size.vector())?.into())))
    }

    /// A sphere.
    #[staticmethod]
    #[pyo3(signature = (radius, center=Vec3([0.0; 3])))]
    fn sphere(radius: f64, center: Vec3) -> PyResult<Self> {
        call(|| Ok(Self(Primitive::sphere(center.point(), radius)?.into())))
    }

    /// A cylinder around an axis (3), centred.
    #[staticmethod]
    #[pyo3(signature = (radius, height, center=Vec3([0.0; 3]), axis=Vec3([0.0, 0.0, 1.0])))]
    fn cylinder(radius: f64, height: f64, center: Vec3, axis: Vec3) -> PyResult<Self> {
        call(|| {
            Ok(Self(
                Primitive::cylinder(center.point(), axis.vector(), radius, height)?.into(),
            ))
        })
    }

    /// A capsule: all points within ``radius`` of the segment from ``a`` to ``b``.
    #[staticmethod]
    fn capsule(a: Vec3, b: Vec3, radius: f64) -> PyResult<Self> {
        call(|| {
            Ok(Self(
                Primitive::capsule(a.point(), b.point(), radius)?.into(),
            ))
        })
    }

    /// An ellipsoid with three radii, centred at the pose (4 × 4).
    #[staticmethod]
    #[pyo3(signature = (radii, pose=IDENTITY))]
    fn ellipsoid(radii: Vec3, pose: PoseIn) -> PyResult<Self> {
        call(|| Ok(Self(Primitive::ellipsoid(pose.0, radii.vector())?.into())))
    }

    /// A point.
    #[staticmethod]
    fn point(p: Vec3) -> PyResult<Self> {
        call(|| Ok(Self(Primitive::point(p.point())?.into())))
    }

    /// The segment between two points.
    #[staticmethod]
    fn segment(a: Vec3, b: Vec3) -> PyResult<Self> {
        call(|| Ok(Self(Primitive::segment(a.point(), b.point())?.into())))
    }

    /// The triangle of three points.
    #[staticmethod]
    fn triangle(a: Vec3, b: Vec3, c: Vec3) -> PyResult<Self> {
        call(|| {
            Ok(Self(
                Primitive::triangle(a.point(), b.point(), c.point())?.into(),
            ))
        })
    }

    /// A flat convex polygon with these vertices (N × 3) in turn.
    #[staticmethod]
    fn polygon(vertices: Rows) -> PyResult<Self> {
        let vertices = to_points(&vertices, "vertices")?;
        call(|| Ok(Self(Primitive::polygon(vertices)?.into())))
    }

    /// A triangle mesh: vertices (V × 3) and indices of vertices (T × 3).
    #[staticmethod]
    fn mesh(vertices: Rows, triangles: Rows) -> PyResult<Self> {
        let vertices = to_points(&vertices, "vertices")?;
        let count = vertices.len();
        let triangles = triangles
            .of_width(3, "triangles")?
            .chunks_exact(3)
            .map(|row| -> PyResult<[u32; 3]> {
                let mut triangle = [0; 3];
                for (index, &number) in triangle.iter_mut().zip(row) {
                    if number.fract().abs() > 0.0 || number < 0.0 || number >= count as f64 {
                        return Err(PyValueError::new_err(format!(
                            "triangles hold indices of {count} vertices, found {number}"
                        )));
                    }
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "checked above"
                    )]
                    {
                        *index = number as u32;
                    }
                }
                Ok(triangle)
            })
            .collect::<PyResult<Vec<_>>>()?;
        call(|| Ok(Self(Mesh::new(vertices, triangles)?.into())))
    }

    /// A cloud of points (N × 3), with properties of the points: name and N numbers each.
    #[staticmethod]
    #[pyo3(signature = (points, properties=None))]
    fn point_cloud(
        points: Rows,
        properties: Option<std::collections::BTreeMap<String, Reals>>,
    ) -> PyResult<Self> {
        let points = to_points(&points, "points")?;
        call(|| {
            let mut cloud = PointCloud::new(points)?;
            for (name, values) in properties.unwrap_or_default() {
                cloud = cloud.with_property(name, values.to_vec())?;
            }
            Ok(Self(cloud.into()))
        })
    }

    /// The convex hull of points (N × 3).
    #[staticmethod]
    fn convex_hull(py: Python<'_>, points: Rows) -> PyResult<Self> {
        let points = to_points(&points, "points")?;
        in_background(py, None, move |_| {
            Ok(Self(kinworld::geometry::ConvexHull::new(&points)?.into()))
        })
    }

    /// Several shapes, each at a pose (4 × 4).
    #[staticmethod]
    fn group(members: Vec<(PoseIn, PyRef<'_, Self>)>) -> Self {
        Self(Inner::group(
            members
                .into_iter()
                .map(|(pose, member)| (pose.0, member.0.clone()))
                .collect(),
        ))
    }

    /// ``"primitive"``, ``"mesh"``, ``"hull"``, ``"cloud"`` or ``"group"``.
    #[getter]
    fn kind(&self) -> &'static str {
        match self.0.shape() {
            Shape::Cloud(_) => "cloud",
            Shape::Group(_) => "group",
            Shape::Hull(_) => "hull",
            Shape::Mesh(_) => "mesh",
            Shape::Primitive(_) => "primitive",
            _ => "other",
        }
    }

    /// Number of triangles of a mesh, and of the meshes of a group.
    #[getter]
    fn n_triangles(&self) -> usize {
        self.0.n_triangles()
    }

    /// Distance from the shape that still counts as touching, m.
    #[getter]
    fn margin(&self) -> f64 {
        self.0.margin()
    }

    /// The shape with another margin, m.
    fn with_margin(&self, margin: f64) -> PyResult<Self> {
        call(|| self.0.clone().with_margin(margin).map(Self))
    }

    /// Whether a closed mesh counts as solid.
    #[getter]
    fn is_solid(&self) -> bool {
        self.0.is_solid()
    }

    /// The shape as a solid, or as a surface.
    fn with_solid(&self, solid: bool) -> Self {
        Self(self.0.clone().with_solid(solid))
    }

    /// The shape as a mesh: vertices (V × 3) and indices of vertices (T × 3).
    fn to_mesh<'py>(&self, py: Python<'py>) -> PyResult<(Array2<'py>, Indices<'py>)> {
        let mesh = call(|| self.0.to_mesh())?;
        let numbers: Vec<u32> = mesh.triangles().iter().flatten().copied().collect();
        let triangles =
            numpy::ndarray::Array2::from_shape_vec((mesh.triangles().len(), 3), numbers)
                .map_err(|problem| PyValueError::new_err(problem.to_string()))?;
        Ok((
            points(py, mesh.vertices()),
            Indices(triangles.into_pyarray(py)),
        ))
    }

    /// The convex hull.
    fn to_hull(&self, py: Python<'_>) -> PyResult<Self> {
        let shape = self.0.clone();
        in_background(py, None, move |_| Ok(Self(shape.to_hull()?.into())))
    }

    /// The vertices (N × 3) as a cloud.
    fn to_cloud(&self) -> PyResult<Self> {
        call(|| Ok(Self(self.0.to_cloud()?.into())))
    }

    /// Convex parts that together contain the shape.
    #[pyo3(signature = (max_parts=None))]
    fn to_convex_parts(&self, py: Python<'_>, max_parts: Option<usize>) -> PyResult<Vec<Self>> {
        let mut options = PartOptions::default();
        if let Some(most) = max_parts {
            options = options.with_max_parts(most);
        }
        let shape = self.0.clone();
        let parts = in_background(py, None, move |_| shape.to_convex_parts(&options))?;
        Ok(parts
            .hulls
            .into_iter()
            .map(|hull| Self(hull.into()))
            .collect())
    }

    /// At most ``count`` spheres that together contain the shape: rows of centre (3) and radius.
    fn outer_spheres<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Array2<'py>> {
        let shape = self.0.clone();
        let cover = in_background(py, None, move |_| shape.outer_spheres(count))?;
        Ok(sphere_rows(py, &cover.spheres))
    }

    /// At most ``count`` spheres inside the shape: rows of centre (3) and radius.
    fn inner_spheres<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Array2<'py>> {
        let shape = self.0.clone();
        let spheres = in_background(py, None, move |_| shape.inner_spheres(count))?;
        Ok(sphere_rows(py, &spheres))
    }

    /// The shape scaled along its axes.
    fn scaled(&self, factors: Vec3) -> PyResult<Self> {
        call(|| self.0.scaled(factors.0).map(Self))
    }

    /// The shape moved to a pose (4 × 4) in its own frame.
    fn transformed(&self, pose: PoseIn) -> PyResult<Self> {
        call(|| self.0.transformed(&pose.0.to_matrix()).map(Self))
    }

    /// A box along the axes of the world around the shape with its margin, rows minimum and maximum (2 × 3).
    ///
    /// It is quick to make and may be larger than that of `aabb_tight`; ``None`` for an empty shape.
    #[pyo3(signature = (pose=IDENTITY))]
    fn aabb<'py>(&self, py: Python<'py>, pose: PoseIn) -> Option<Array2<'py>> {
        let bounds = self.0.aabb(&pose.0)?;
        Some(points(py, &[bounds.min, bounds.max]))
    }

    /// Centre of mass (3) and moment of inertia (3 × 3) about it for a mass, kg.
    ///
    /// ``surface_fraction`` of the mass is on the surface, the rest fills the volume.
    #[pyo3(signature = (mass, surface_fraction=0.0))]
    fn mass_properties<'py>(
        &self,
        py: Python<'py>,
        mass: f64,
        surface_fraction: f64,
    ) -> PyResult<(Array1<'py>, Array2<'py>)> {
        let inertia = call(|| self.0.mass_properties(mass, surface_fraction))?;
        Ok((
            array1(py, inertia.com.coords.as_slice()),
            matrix(py, &inertia.moment),
        ))
    }

    fn __repr__(&self) -> String {
        format!("Geometry: {}", crate::describe::shape(&self.0))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = crate::pickle::to_bytes(&slf.get().0)?;
        Ok((
            slf.get_type().getattr("_from_bytes")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        crate::pickle::from_bytes(bytes).map(Self)
    }
}

/// Rows of three numbers as points.
pub(crate) fn to_points(rows: &Rows, what: &str) -> PyResult<Vec<Point>> {
    Ok(rows
        .of_width(3, what)?
        .chunks_exact(3)
        .map(|p| Point::new(p[0], p[1], p[2]))
        .collect())
}

fn sphere_rows<'py>(py: Python<'py>, spheres: &[kinworld::geometry::Sphere]) -> Array2<'py> {
    array2(py, spheres.len(), 4, |out| {
        for (row, sphere) in out.chunks_exact_mut(4).zip(spheres) {
            row[..3].copy_from_slice(sphere.center.coords.as_slice());
            row[3] = sphere.radius;
        }
    })
}
