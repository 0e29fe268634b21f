//! Wrenches about points in the axes of frames.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::wrench as kw;
use pyo3::prelude::*;

use super::frames::{FrameIn, Frames, SiteIn, frame_of, name_of, site_of};
use crate::convert::{Array1, array1};
use crate::error::call;

/// A wrench about a point, in the axes of a frame. ``Frames.wrench`` makes one.
#[pyclass(frozen, from_py_object, module = "kinworld.wrench")]
#[derive(Clone)]
pub(crate) struct AppliedWrench {
    pub(super) wrench: kw::AppliedWrench,
    pub(super) robot: Arc<Model>,
}

impl AppliedWrench {
    fn wrap(&self, wrench: kw::AppliedWrench) -> Self {
        Self {
            wrench,
            robot: self.robot.clone(),
        }
    }
}

#[pymethods]
impl AppliedWrench {
    /// Force (3), N.
    #[getter]
    fn force<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.wrench.wrench.force.as_slice())
    }

    /// Moment (3), N·m.
    #[getter]
    fn moment<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.wrench.wrench.moment.as_slice())
    }

    /// Moment and force (6).
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.wrench.wrench.to_angular_first())
    }

    /// The same wrench about another site.
    #[pyo3(signature = (point, frames))]
    fn translated(&self, point: Option<SiteIn>, frames: &Frames) -> PyResult<Self> {
        let point = site_of(point.as_ref(), &frames.robot)?;
        frames
            .with(|frames| self.wrench.translated(&point, frames))
            .map(|wrench| self.wrap(wrench))
    }

    /// The same wrench in the axes of another frame.
    #[pyo3(signature = (frame, frames))]
    fn expressed(&self, frame: Option<FrameIn>, frames: &Frames) -> PyResult<Self> {
        let frame = frame_of(frame.as_ref(), &frames.robot)?;
        frames
            .with(|frames| self.wrench.expressed(frame, frames))
            .map(|wrench| self.wrap(wrench))
    }

    /// The wrench that is missing to make the others sum up to this one.
    fn equate(&self, others: Vec<Self>) -> PyResult<Self> {
        let others: Vec<_> = others.iter().map(|other| other.wrench).collect();
        call(|| self.wrench.equate(&others)).map(|wrench| self.wrap(wrench))
    }

    fn __add__(&self, other: &Self) -> PyResult<Self> {
        call(|| self.wrench.sum(&other.wrench)).map(|wrench| self.wrap(wrench))
    }

    fn __sub__(&self, other: &Self) -> PyResult<Self> {
        call(|| self.wrench.difference(&other.wrench)).map(|wrench| self.wrap(wrench))
    }

    fn __neg__(&self) -> Self {
        self.wrap(-self.wrench)
    }

    fn __mul__(&self, factor: f64) -> Self {
        self.wrap(self.wrench * factor)
    }

    fn __rmul__(&self, factor: f64) -> Self {
        self.__mul__(factor)
    }

    fn __repr__(&self) -> String {
        format!(
            "<AppliedWrench {} in axes of {}>",
            self.wrench,
            name_of(self.wrench.frame, Some(&self.robot))
        )
    }
}
