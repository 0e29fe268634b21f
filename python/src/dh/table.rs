//! Denavit-Hartenberg tables of robots.

use std::sync::Arc;

use kinworld::Pose;
use kinworld::robot::dh::{self, DhParameters, DhRow as Row, DhTable as Table};
use pyo3::prelude::*;

use super::row::DhRow;
use crate::builder::pose_or_identity;
use crate::convert::{Array1, ArrayN, LinkKey, PoseIn, Reals, Rows, array_n, array1, write_pose};
use crate::error::{call, error};
use crate::robot::Robot;

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
