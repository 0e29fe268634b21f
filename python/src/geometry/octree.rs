//! Octrees of occupancy.

use kinworld::geometry::{self, OctreeLeaf};
use pyo3::prelude::*;

use super::{Geometry, to_points};
use crate::convert::{Array1, Array2, Rows, Vec3, array1, points};
use crate::describe::{count, number};
use crate::error::{call, call_detached, loaded};

/// What is known of space from range measurements: cubes that are occupied, free or unknown, as in OctoMap.
///
/// >>> import kinworld as kw
/// >>> map = kw.Octree(0.05)
/// >>> map.insert_scan((0, 0, 0), [(2, 0, 0), (2, 0.1, 0), (2, 0, 0.1)])
/// >>> map.probability([(2.01, 0.01, 0.01), (1, 0, 0), (3, 0, 0)]).round(2)
/// array([0.7, 0.4, nan])
/// >>> map.boxes().distance(kw.Geometry.sphere(0.1), other_pose=kw.se3.from_translation((2.025, 0.025, -1)))
/// 0.9
#[pyclass(module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Octree(geometry::Octree);

#[pymethods]
impl Octree {
    /// An unknown space with finest cubes of a size, m.
    #[new]
    fn new(resolution: f64) -> PyResult<Self> {
        call(|| geometry::Octree::new(resolution).map(Self))
    }

    /// Loads a ``.bt`` file of OctoMap.
    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Self> {
        let map = call_detached(py, || geometry::Octree::load(path))?;
        loaded(py, map).map(|(map, _)| Self(map))
    }

    /// Saves a ``.bt`` file of OctoMap, which holds whether cubes are occupied or free, and not how surely.
    fn save(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        call_detached(py, || self.0.save(path))
    }

    /// Inserts a scan: the points (N × 3) that a sensor at ``origin`` has measured, both in the frame of the map.
    ///
    /// Points beyond ``max_range``, m, only free what is within it.
    #[pyo3(signature = (origin, points, max_range=f64::INFINITY))]
    fn insert_scan(
        &mut self,
        py: Python<'_>,
        origin: Vec3,
        points: Rows,
        max_range: f64,
    ) -> PyResult<()> {
        let points = to_points(&points, "points")?;
        call_detached(py, || {
            let cloud = geometry::PointCloud::new(points)?;
            self.0.insert_scan(&origin.0.into(), &cloud, max_range)
        })
    }

    /// Probability (N) that the cubes around points (N × 3) are occupied: occupied from 0.5 on, NaN where nothing is known.
    fn probability<'py>(&self, py: Python<'py>, points: Rows) -> PyResult<Array1<'py>> {
        let points = to_points(&points, "points")?;
        let each = points.iter().map(|point| self.0.probability(point));
        let each: Vec<f64> = each.map(|p| p.unwrap_or(f64::NAN)).collect();
        Ok(array1(py, &each))
    }

    /// The known cubes that are not divided: centres (k × 3), sizes (k), probabilities (k).
    fn leaves<'py>(&self, py: Python<'py>) -> (Array2<'py>, Array1<'py>, Array1<'py>) {
        let leaves: Vec<OctreeLeaf> = self.0.leaves().collect();
        let centers: Vec<_> = leaves.iter().map(|leaf| leaf.center).collect();
        let sizes: Vec<f64> = leaves.iter().map(|leaf| leaf.size).collect();
        let each: Vec<f64> = leaves.iter().map(|leaf| leaf.probability).collect();
        (points(py, &centers), array1(py, &sizes), array1(py, &each))
    }

    /// The occupied cubes as a group of boxes, for collision and distance.
    fn boxes(&self, py: Python<'_>) -> Geometry {
        Geometry(py.detach(|| self.0.boxes()))
    }

    /// The occupied cubes as a cloud of the centres of finest cubes with a margin that encloses these, for the sphere pre-filter.
    fn cloud(&self, py: Python<'_>) -> PyResult<Geometry> {
        call_detached(py, || self.0.cloud()).map(Geometry)
    }

    /// Size of the finest cubes, m.
    #[getter]
    fn resolution(&self) -> f64 {
        self.0.resolution()
    }

    /// Number of known and of divided cubes.
    #[getter]
    fn n_nodes(&self) -> usize {
        self.0.n_nodes()
    }

    fn __repr__(&self) -> String {
        let nodes = count(self.0.n_nodes(), "node");
        format!("Octree: {nodes}, {} m", number(self.0.resolution()))
    }
}
