//! Denavit-Hartenberg tables.

use std::sync::Arc;

use kinworld::Pose;
use kinworld::math::Inertia as Mass;
use kinworld::robot::dh::{self, DhParameters, DhParent, DhRow as Row, DhTable as Table};
use kinworld::robot::{Limits, Servo};
use pyo3::prelude::*;

use crate::convert::{
    Array1, ArrayN, LinkKey, PoseIn, Reals, Rows, Vec3, array_n, array1, write_pose,
};
use crate::error::{call, error};
use crate::inertia::Inertia;
use crate::robot::Robot;
use crate::wrench::pose_or_identity;

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
pub(crate) struct DhRow(Row);

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

/// Limits of a joint, unlimited where not given.
pub(crate) fn limits_of(
    position: Option<[f64; 2]>,
    velocity: Option<f64>,
    acceleration: Option<f64>,
    torque: Option<f64>,
) -> Limits {
    let mut limits = position.map_or_else(Limits::default, |[lower, upper]| {
        Limits::position(lower, upper)
    });
    if let Some(velocity) = velocity {
        limits = limits.with_velocity(velocity);
    }
    if let Some(acceleration) = acceleration {
        limits = limits.with_acceleration(acceleration);
    }
    if let Some(torque) = torque {
        limits = limits.with_torque(torque);
    }
    limits
}

/// A robot as a Denavit-Hartenberg table.
///
/// >>> import kinworld as kw
/// >>> row = lambda name: kw.dh.DhRow(name, kw.dh.Parameters.standard(a=1.0))
/// >>> kw.dh.DhTable("scara", [row("upper"), row("lower")]).link_frames([0, 0])[1][:3, 3]
/// array([2., 0., 0.])
#[pyclass(frozen, module = "kinworld.dh")]
pub(crate) struct DhTable(Table);

fn frames<'py>(py: Python<'py>, poses: &[Pose]) -> PyResult<ArrayN<'py>> {
    let mut numbers = vec![0.0; 16 * poses.len()];
    for (out, pose) in numbers.chunks_exact_mut(16).zip(poses) {
        write_pose(pose, out);
    }
    array_n(py, &[poses.len(), 4, 4], numbers)
}

#[pymethods]
impl DhTable {
    #[new]
    #[pyo3(signature = (name, rows, *, base=None, tool=None))]
    fn new(name: String, rows: Vec<DhRow>, base: Option<PoseIn>, tool: Option<PoseIn>) -> Self {
        let mut table = Table::new(name, rows.into_iter().map(|row| row.0).collect());
        table.base = pose_or_identity(base);
        table.tool = tool.map(|tool| tool.0);
        Self(table)
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The rows.
    #[getter]
    fn rows(&self) -> Vec<DhRow> {
        self.0.rows.iter().cloned().map(DhRow).collect()
    }

    /// The numbers (k × 4) in the order of the convention; fails where a row is general.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> PyResult<ArrayN<'py>> {
        let mut numbers = Vec::new();
        for row in &self.0.rows {
            match row.parameters {
                DhParameters::Standard(row) => numbers.extend([row.theta, row.d, row.a, row.alpha]),
                DhParameters::Modified(row) => numbers.extend([row.alpha, row.d, row.theta, row.r]),
                _ => return Err(error(format!("row '{}' has no four numbers", row.name))),
            }
        }
        array_n(py, &[self.0.rows.len(), 4], numbers)
    }

    /// Pose (4 × 4) of the base in the world.
    #[getter]
    fn base<'py>(&self, py: Python<'py>) -> crate::convert::Array2<'py> {
        crate::convert::pose_array(py, &self.0.base)
    }

    /// Pose (4 × 4) of the tool in the last link, if there is one.
    #[getter]
    fn tool<'py>(&self, py: Python<'py>) -> Option<crate::convert::Array2<'py>> {
        let tool = self.0.tool.as_ref()?;
        Some(crate::convert::pose_array(py, tool))
    }

    /// Whether each row is the child of the one before.
    #[getter]
    fn is_serial(&self) -> bool {
        self.0.is_serial()
    }

    /// Frames (k × 4 × 4) of the links at the rows' values (k), in the world.
    fn link_frames<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<ArrayN<'py>> {
        frames(py, &call(|| self.0.link_frames(&q))?)
    }

    /// Frames (k × 4 × 4) of the joints at the rows' values (k), in the world.
    fn joint_frames<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<ArrayN<'py>> {
        frames(py, &call(|| self.0.joint_frames(&q))?)
    }

    /// Frames (k × 4 × 4) of the centres of mass at the rows' values (k), in the world.
    fn com_frames<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<ArrayN<'py>> {
        frames(py, &call(|| self.0.com_frames(&q))?)
    }

    /// The robot: two links per row, the massless one that the joint moves and the one that carries the mass.
    fn build(&self) -> PyResult<Robot> {
        call(|| self.0.build()).map(Robot::new)
    }

    /// The indices of the two links that a row becomes.
    fn row_links(&self, row: usize) -> Option<(usize, usize)> {
        let links = self.0.row_links(row)?;
        Some((links.joint.index(), links.link.index()))
    }

    /// The index of the link of the tool.
    #[getter]
    fn tool_link(&self) -> Option<usize> {
        self.0.tool_link().map(kinworld::LinkId::index)
    }

    fn __len__(&self) -> usize {
        self.0.rows.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "DhTable '{}': {}",
            self.0.name,
            crate::describe::count(self.0.rows.len(), "row")
        )
    }
}

/// The standard table of the chain from the world to a link of a robot.
#[pyfunction]
pub(crate) fn standard(robot: &Bound<'_, Robot>, end: LinkKey) -> PyResult<DhTable> {
    let model = &robot.get().model;
    let end = end.of(model)?;
    call(|| dh::standard(model, end)).map(DhTable)
}

/// The modified table of the chain from the world to a link of a robot.
#[pyfunction]
pub(crate) fn modified(robot: &Bound<'_, Robot>, end: LinkKey) -> PyResult<DhTable> {
    let model = &robot.get().model;
    let end = end.of(model)?;
    call(|| dh::modified(model, end)).map(DhTable)
}

/// The degrees of freedom of a robot that the rows of its table have.
#[pyfunction]
pub(crate) fn row_dofs(robot: &Bound<'_, Robot>, end: LinkKey) -> PyResult<Vec<usize>> {
    let model = &robot.get().model;
    let end = end.of(model)?;
    call(|| dh::row_dofs(model, end))
        .map(|dofs| dofs.into_iter().map(kinworld::DofId::index).collect())
}

/// The values (k) of the rows of a robot's table at a configuration (n).
#[pyfunction]
pub(crate) fn row_values<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    end: LinkKey,
    q: Reals,
) -> PyResult<Array1<'py>> {
    let model = &robot.get().model;
    let end = end.of(model)?;
    call(|| dh::row_values(model, end, &q)).map(|values| array1(py, &values))
}

#[pymethods]
impl Robot {
    /// A robot of a table of numbers (k × 4) without masses: ``"standard"`` rows are theta, d, a, alpha, ``"modified"``
    /// ones alpha, d, theta, r. ``prismatic`` has an answer per row. ``kinworld.dh`` has tables with more.
    #[staticmethod]
    #[pyo3(signature = (rows, convention="standard", *, prismatic=None, name="robot", base=None, tool=None))]
    fn from_dh(
        rows: Rows,
        convention: &str,
        prismatic: Option<Vec<bool>>,
        name: &str,
        base: Option<PoseIn>,
        tool: Option<PoseIn>,
    ) -> PyResult<Self> {
        let numbers = rows.of_width(4, "a table")?;
        let prismatic = prismatic.unwrap_or_else(|| vec![false; rows.count]);
        if prismatic.len() != rows.count {
            let (a, b) = (rows.count, prismatic.len());
            return Err(error(format!(
                "the table has {a} rows, prismatic has {b} answers"
            )));
        }
        let mut table = Vec::with_capacity(rows.count);
        for (i, (row, prismatic)) in numbers.chunks_exact(4).zip(prismatic).enumerate() {
            let parameters = match convention {
                "standard" => DhParameters::from(dh::Standard {
                    theta: row[0],
                    d: row[1],
                    a: row[2],
                    alpha: row[3],
                }),
                "modified" => DhParameters::from(dh::Modified {
                    alpha: row[0],
                    d: row[1],
                    theta: row[2],
                    r: row[3],
                }),
                _ => {
                    return Err(error(format!(
                        "convention is \"standard\" or \"modified\", not {convention:?}"
                    )));
                }
            };
            let name = format!("link{}", i + 1);
            table.push(if prismatic {
                Row::prismatic(name, parameters)
            } else {
                Row::revolute(name, parameters)
            });
        }
        let mut table = Table::new(name, table);
        table.base = pose_or_identity(base);
        table.tool = tool.map(|tool| tool.0);
        call(|| table.build()).map(|robot| Self::new(Arc::new(robot)))
    }
}
