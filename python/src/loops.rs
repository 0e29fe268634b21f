//! Joints that close loops, and springs of joints.

use kinworld::robot::{JointSpring, LoopClosure as Model, LoopFrame, LoopKind};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::builder::{PartKey, RobotBuilder};
use crate::convert::{Array1, Array2, PoseIn, array1, matrix, pose_array};
use crate::robot::{Link, Robot};
use crate::state::State;
use crate::wrench::pose_or_identity;

/// A joint that closes a loop of a robot: it holds a frame ``a`` on one link to a frame ``b`` on another.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct LoopClosure(Model);

#[pymethods]
impl LoopClosure {
    /// The name in the file, often empty.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// ``"spherical"``, ``"revolute"`` (about z) or ``"fixed"``: what the two frames may still do.
    #[getter]
    fn kind(&self) -> &'static str {
        self.0.kind.name()
    }

    /// The number of locked motions.
    #[getter]
    fn n_rows(&self) -> usize {
        self.0.kind.n_rows()
    }

    /// The index of the first link; ``None`` for the world.
    #[getter]
    fn a(&self) -> Option<usize> {
        self.0.a.link.map(|link| link.index())
    }

    /// The index of the second link; ``None`` for the world.
    #[getter]
    fn b(&self) -> Option<usize> {
        self.0.b.link.map(|link| link.index())
    }

    /// The first frame (4 × 4) in its link.
    #[getter]
    fn a_pose<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, &self.0.a.pose)
    }

    /// The second frame (4 × 4) in its link.
    #[getter]
    fn b_pose<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, &self.0.b.pose)
    }

    fn __repr__(&self) -> String {
        format!("LoopClosure '{}' ({})", self.0.name, self.0.kind.name())
    }
}

#[pymethods]
impl Robot {
    /// The joints that close loops.
    #[getter]
    fn loop_closures(&self) -> Vec<LoopClosure> {
        let closures = self.model.loop_closures().iter();
        closures.cloned().map(LoopClosure).collect()
    }
}

#[pymethods]
impl RobotBuilder {
    /// Adds a joint that closes a loop: ``"spherical"``, ``"revolute"`` (about z) or ``"fixed"``, between frames (4 × 4) on
    /// two links; ``None`` is the world.
    #[pyo3(signature = (kind, a, b=None, *, a_pose=None, b_pose=None, name=String::new()))]
    fn add_loop_closure(
        &mut self,
        kind: &str,
        a: Option<PartKey>,
        b: Option<PartKey>,
        a_pose: Option<PoseIn>,
        b_pose: Option<PoseIn>,
        name: String,
    ) -> PyResult<()> {
        let kinds = [LoopKind::Spherical, LoopKind::Revolute, LoopKind::Fixed];
        let Some(kind) = kinds.into_iter().find(|known| known.name() == kind) else {
            return Err(PyValueError::new_err(format!(
                "unknown kind '{kind}' of a loop closure; there are spherical, revolute, fixed"
            )));
        };
        let a = LoopFrame::new(self.find_some(a)?, pose_or_identity(a_pose));
        let b = LoopFrame::new(self.find_some(b)?, pose_or_identity(b_pose));
        let closures = &mut self.model_mut().loop_closures;
        closures.push(Model::new(name, kind, a, b));
        Ok(())
    }

    /// Gives the joint of a link a spring of a stiffness, N·m/rad or N/m, that rests at a value, rad or m.
    #[pyo3(signature = (link, stiffness, rest=0.0))]
    fn set_spring(&mut self, link: PartKey, stiffness: f64, rest: f64) -> PyResult<()> {
        let link = self.find(&link)?;
        let spec = &mut self.model_mut().links[link.index()];
        spec.spring = Some(JointSpring::new(stiffness, rest));
        Ok(())
    }
}

#[pymethods]
impl Link {
    /// Stiffness, N·m/rad or N/m, and value at rest, rad or m, of the spring of its joint; ``None`` without one.
    #[getter]
    fn spring(&self) -> Option<(f64, f64)> {
        let spring = self.model().spring()?;
        Some((spring.stiffness, spring.rest))
    }
}

#[pymethods]
impl State {
    /// Errors (k) of the loop closures, 0 where they are closed, rad and m; rotations before positions.
    fn loop_errors<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(kinworld::kinematics::loop_errors(r, s)))
            .map(|errors| array1(py, &errors))
    }

    /// Jacobian (k × n) of the loop closures: rows for `constrained_dynamics`.
    fn loop_jacobian<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.ask(py, |r, s| Ok(kinworld::kinematics::loop_jacobian(r, s)))
            .map(|jacobian| matrix(py, &jacobian))
    }

    /// Drift (k) of the loop closures: the derivative of `loop_jacobian` times the velocity.
    fn loop_drift<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| Ok(kinworld::kinematics::loop_drift(r, s)))
            .map(|drift| array1(py, &drift))
    }

    /// Forces (n) of the springs of the joints.
    fn spring_forces<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.ask(py, |r, s| kinworld::dynamics::spring_forces(r, s))
            .map(|forces| array1(py, &forces))
    }
}
