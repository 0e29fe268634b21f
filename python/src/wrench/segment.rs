//! Limbs of segments, from the tables of biomechanics.

use kinworld::wrench as kw;
use pyo3::prelude::*;

use crate::builder::joint_kind;
use crate::convert::Rows;
use crate::error::call;
use crate::inertia::matrix3;
use crate::robot::Robot;

/// A segment of a limb along y from its upper joint: m, kg; ``center`` is the place of the centre of mass relative to
/// the length, ``moment`` (3 × 3) is about it.
#[pyclass(frozen, from_py_object, module = "kinworld.wrench")]
#[derive(Clone)]
pub(crate) struct Segment(kw::Segment);

#[pymethods]
impl Segment {
    #[new]
    #[pyo3(signature = (name, length, mass, *, center=0.5, moment=None))]
    fn new(
        name: String,
        length: f64,
        mass: f64,
        center: f64,
        moment: Option<Rows>,
    ) -> PyResult<Self> {
        let segment = kw::Segment::new(name, length, mass).with_center(center);
        Ok(Self(match moment {
            Some(moment) => segment.with_moment(matrix3(&moment, "moment")?),
            None => segment,
        }))
    }

    fn __repr__(&self) -> String {
        format!(
            "Segment '{}': {} m, {} kg",
            self.0.name, self.0.length, self.0.mass
        )
    }
}

/// A limb attached to the world: planar (``"normal"`` joints about z) or spatial (``"ballandsocket"``).
#[pyfunction]
#[pyo3(signature = (name, segments, *, joint="normal"))]
pub(crate) fn limb(name: &str, segments: Vec<Segment>, joint: &str) -> PyResult<Robot> {
    let kind = joint_kind(joint)?;
    let segments: Vec<_> = segments.into_iter().map(|segment| segment.0).collect();
    call(|| kw::limb(name, kind, &segments)).map(Robot::new)
}
