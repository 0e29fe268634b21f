//! Paths of a link's frame.

use kinworld::planning;
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, PoseIn, Vec3, array1, matrix};
use crate::describe::{count, number};
use crate::error::call;

/// A path of a link's frame: lines, arcs and screws, one after the other.
///
/// Its parameter grows with the distance of the frame's origin, m, or with 0.2 m per rad where that is more.
///
/// >>> import numpy as np, kinworld as kw
/// >>> path = kw.CartesianPath(6, np.eye(4)).moved((0, 0, 0.2)).arc((0, 0.1, 0.2), (1, 0, 0), np.pi)
/// >>> path.end[:3, 3].round(9).tolist()
/// [0.0, 0.2, 0.2]
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct CartesianPath(pub(super) planning::CartesianPath);

#[pymethods]
impl CartesianPath {
    /// A path of a link, by index, that begins at a pose (4 × 4) in the world.
    #[new]
    fn new(link: usize, start: PoseIn) -> Self {
        Self(planning::CartesianPath::new(
            kinworld::LinkId::new(link),
            &start.0,
        ))
    }

    /// On along a straight line to a pose (4 × 4).
    fn line(&self, to: PoseIn) -> PyResult<Self> {
        call(|| self.0.clone().line(&to.0).map(Self))
    }

    /// On along a straight line by a vector (3) in world axes, m.
    fn moved(&self, by: Vec3) -> PyResult<Self> {
        call(|| self.0.clone().moved(&by.vector()).map(Self))
    }

    /// On along a straight line by a vector (3) in the axes of the link, m.
    fn moved_locally(&self, by: Vec3) -> PyResult<Self> {
        call(|| self.0.clone().moved_locally(&by.vector()).map(Self))
    }

    /// On along an arc about an axis (3) through a point (3), by an angle in rad; the rotation stays.
    fn arc(&self, center: Vec3, axis: Vec3, angle: f64) -> PyResult<Self> {
        let path = self.0.clone();
        call(|| path.arc(&center.point(), &axis.vector(), angle).map(Self))
    }

    /// On by a screw about an axis (3) through a point (3): an angle in rad and a shift in m.
    fn screw(&self, through: Vec3, axis: Vec3, angle: f64, advance: f64) -> PyResult<Self> {
        let path = self.0.clone();
        call(|| {
            path.screw(&through.point(), &axis.vector(), angle, advance)
                .map(Self)
        })
    }

    /// With rounded corners: within a radius in m of a corner along the path, at most half of each piece, the link goes over from
    /// one piece to the next on a curve, so that a motion need not stop there; 0 for corners as they are.
    ///
    /// Between straight lines the curve passes the corner at half of the radius at most.
    ///
    /// >>> import numpy as np, kinworld as kw
    /// >>> corner = kw.CartesianPath(6, np.eye(4)).moved((0.2, 0, 0)).moved((0, 0.2, 0))
    /// >>> corner.with_blend(0.05).stops, corner.stops
    /// (array([0.4]), array([0.2, 0.4]))
    fn with_blend(&self, radius: f64) -> PyResult<Self> {
        call(|| self.0.clone().with_blend(radius).map(Self))
    }

    /// Index of the link.
    #[getter]
    fn link(&self) -> usize {
        self.0.link().index()
    }

    /// Pose (4 × 4) of the link at the end.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.0.end().to_homogeneous())
    }

    /// Length: the parameter at the end.
    #[getter]
    fn length(&self) -> f64 {
        self.0.length()
    }

    /// Parameters at the ends of its pieces.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.ends())
    }

    /// Parameters where a motion has to stop: corners that are not rounded, and the end.
    #[getter]
    fn stops<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.stops())
    }

    /// Pose (4 × 4) of the link at a parameter.
    fn at<'py>(&self, py: Python<'py>, s: f64) -> Array2<'py> {
        matrix(py, &self.0.at(s).to_homogeneous())
    }

    fn __repr__(&self) -> String {
        format!(
            "CartesianPath: {}, length {}",
            count(self.0.ends().len(), "piece"),
            number(self.0.length())
        )
    }
}
