//! Point clouds without the robots that a sensor sees.

use kinworld::geometry::{PointCloud, Shape};
use kinworld::world::RobotId;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::World;
use crate::convert::{ElementKey, PoseIn};
use crate::error::call_detached;
use crate::geometry::{Geometry, IDENTITY};

/// The cloud that a shape is; a `TypeError` for other shapes.
pub(crate) fn cloud_of(geometry: &Geometry) -> PyResult<PointCloud> {
    match geometry.0.shape() {
        Shape::Cloud(cloud) => Ok(cloud.clone()),
        _ => Err(PyTypeError::new_err(
            "only a point cloud has points to leave out: make one by `to_cloud`",
        )),
    }
}

/// Another cloud as a shape, with the margin of this one.
pub(crate) fn with_cloud(geometry: &Geometry, cloud: PointCloud) -> kinworld::Result<Geometry> {
    let shape = kinworld::Geometry::from(cloud);
    Ok(Geometry(shape.with_margin(geometry.0.margin())?))
}

#[pymethods]
impl World {
    /// The points of a cloud farther than ``margin`` from robots and from what is attached to them, as another cloud.
    ///
    /// ``pose`` (4 × 4) is that of the cloud in the world; without names all robots count.
    #[pyo3(signature = (cloud, pose=IDENTITY, *, robots=Vec::new(), margin=0.0))]
    fn without_robots(
        &self,
        py: Python<'_>,
        cloud: &Geometry,
        pose: PoseIn,
        robots: Vec<ElementKey>,
        margin: f64,
    ) -> PyResult<Geometry> {
        let points = cloud_of(cloud)?;
        let ids: Vec<RobotId> = if robots.is_empty() {
            self.model.robots().map(|robot| robot.id()).collect()
        } else {
            let find = |key: &ElementKey| super::robot_id(&self.model, key);
            robots.iter().map(find).collect::<PyResult<_>>()?
        };
        call_detached(py, || {
            let rest = self.model.without_robots(&points, &pose.0, &ids, margin)?;
            with_cloud(cloud, rest)
        })
    }
}
