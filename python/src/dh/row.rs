//! Rows of Denavit-Hartenberg tables.

use kinworld::math::Inertia as Mass;
use kinworld::robot::Servo;
use kinworld::robot::dh::{self, DhParameters, DhParent, DhRow as Row};
use pyo3::prelude::*;

use crate::builder::{limits_of, pose_or_identity};
use crate::convert::{Array1, PoseIn, Vec3, array1};
use crate::error::error;
use crate::inertia::Inertia;

/// Numbers of a row: standard (theta, d, a, alpha), modified (alpha, d, theta, r), or a general joint.
///
/// The standard convention is Rz(theta) Tz(d) Tx(a) Rx(alpha), the modified one Rx(alpha) Tx(d) Rz(theta) Tz(r); the
/// joint's value adds to theta or, where the joint is prismatic, to d or r.
#[derive(Clone)]
#[pyclass(frozen, from_py_object, module = "kinworld.dh")]
pub(crate) struct Parameters(DhParameters);

#[pymethods]
impl Parameters {
    /// Standard parameters, rad and m.
    #[staticmethod]
    #[pyo3(signature = (*, theta=0.0, d=0.0, a=0.0, alpha=0.0))]
    fn standard(theta: f64, d: f64, a: f64, alpha: f64) -> Self {
        Self(dh::Standard { theta, d, a, alpha }.into())
    }

    /// Modified parameters, rad and m.
    #[staticmethod]
    #[pyo3(signature = (*, alpha=0.0, d=0.0, theta=0.0, r=0.0))]
    fn modified(alpha: f64, d: f64, theta: f64, r: f64) -> Self {
        Self(dh::Modified { alpha, d, theta, r }.into())
    }

    /// Modified parameters in Craig's symbols: alpha and a of the link before, d and theta of the joint.
    #[staticmethod]
    #[pyo3(signature = (*, alpha=0.0, a=0.0, d=0.0, theta=0.0))]
    fn from_craig(alpha: f64, a: f64, d: f64, theta: f64) -> Self {
        Self(dh::Modified::from_craig(alpha, a, d, theta).into())
    }

    /// A joint about or along any axis (3) between two constant frames (4 × 4).
    #[staticmethod]
    #[pyo3(signature = (*, before=None, axis=Vec3([0.0, 0.0, 1.0]), after=None))]
    fn general(before: Option<PoseIn>, axis: Vec3, after: Option<PoseIn>) -> Self {
        Self(DhParameters::General(dh::General {
            before: pose_or_identity(before),
            axis: axis.vector(),
            after: pose_or_identity(after),
        }))
    }

    /// ``"standard"``, ``"modified"`` or ``"general"``.
    #[getter]
    fn convention(&self) -> &'static str {
        match self.0 {
            DhParameters::Standard(_) => "standard",
            DhParameters::Modified(_) => "modified",
            _ => "general",
        }
    }

    /// The four numbers in the order of their convention; ``None`` for a general joint.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        match self.0 {
            DhParameters::Standard(row) => Some(array1(py, &[row.theta, row.d, row.a, row.alpha])),
            DhParameters::Modified(row) => Some(array1(py, &[row.alpha, row.d, row.theta, row.r])),
            _ => None,
        }
    }

    fn __repr__(&self) -> String {
        match self.0 {
            DhParameters::Standard(row) => format!(
                "Parameters.standard(theta={}, d={}, a={}, alpha={})",
                row.theta, row.d, row.a, row.alpha
            ),
            DhParameters::Modified(row) => format!(
                "Parameters.modified(alpha={}, d={}, theta={}, r={})",
                row.alpha, row.d, row.theta, row.r
            ),
            _ => "Parameters.general(...)".to_owned(),
        }
    }
}

/// A row of a table: a joint and its link. ``parent`` is ``"previous"``, ``"base"`` or the index of a row.
#[pyclass(frozen, from_py_object, module = "kinworld.dh")]
#[derive(Clone)]
pub(crate) struct DhRow(pub(super) Row);

#[derive(FromPyObject)]
enum ParentIn {
    Name(String),
    Row(usize),
}

#[pymethods]
impl DhRow {
    #[new]
    #[pyo3(signature = (name, parameters, *, prismatic=false, parent=None, inertia=None, limits=None, velocity=None,
        acceleration=None, torque=None, initial=0.0, gains=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn new(
        name: String,
        parameters: Parameters,
        prismatic: bool,
        parent: Option<ParentIn>,
        inertia: Option<Inertia>,
        limits: Option<[f64; 2]>,
        velocity: Option<f64>,
        acceleration: Option<f64>,
        torque: Option<f64>,
        initial: f64,
        gains: Option<[f64; 3]>,
    ) -> PyResult<Self> {
        let row = if prismatic {
            Row::prismatic(name, parameters.0)
        } else {
            Row::revolute(name, parameters.0)
        };
        let parent = match parent {
            None => DhParent::Previous,
            Some(ParentIn::Row(row)) => DhParent::Row(row),
            Some(ParentIn::Name(name)) => match name.as_str() {
                "previous" => DhParent::Previous,
                "base" => DhParent::Base,
                other => {
                    return Err(error(format!(
                        "parent is \"previous\", \"base\" or the index of a row, not {other:?}"
                    )));
                }
            },
        };
        let mut row = row
            .with_parent(parent)
            .with_inertia(inertia.map_or_else(Mass::zero, |inertia| inertia.0))
            .with_limits(limits_of(limits, velocity, acceleration, torque))
            .with_initial(initial);
        if let Some([p, i, d]) = gains {
            row = row.with_servo(Servo::default().with_gains(p, i, d));
        }
        Ok(Self(row))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The numbers.
    #[getter]
    fn parameters(&self) -> Parameters {
        Parameters(self.0.parameters)
    }

    /// Whether the joint is prismatic.
    #[getter]
    fn prismatic(&self) -> bool {
        self.0.prismatic
    }

    /// Mass properties of the link.
    #[getter]
    fn inertia(&self) -> Inertia {
        Inertia(self.0.inertia)
    }

    fn __repr__(&self) -> String {
        format!("DhRow('{}', {})", self.0.name, self.parameters().__repr__())
    }
}
