//! Links of a robot.

use std::sync::Arc;

use kinworld::{LinkId, Robot as Model};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, array1, pose_array};

/// A link of a robot: its name, its place in the tree, its inertia.
#[pyclass(frozen, from_py_object, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) robot: Arc<Model>,
    pub(crate) id: LinkId,
}

impl Link {
    pub(crate) fn model(&self) -> &kinworld::robot::Link {
        self.robot.link(self.id)
    }
}

#[pymethods]
impl Link {
    /// The index in the robot's links.
    #[getter]
    fn index(&self) -> usize {
        self.id.index()
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        self.model().name()
    }

    /// The name of the joint that moves the link.
    #[getter]
    fn joint_name(&self) -> Option<&str> {
        self.model().joint_name()
    }

    /// The parent; ``None`` for a root.
    #[getter]
    fn parent(&self) -> Option<Self> {
        let parent = self.model().parent()?;
        Some(Self {
            robot: self.robot.clone(),
            id: parent,
        })
    }

    /// The children.
    #[getter]
    fn children(&self) -> Vec<Self> {
        self.robot
            .children(self.id)
            .map(|id| Self {
                robot: self.robot.clone(),
                id,
            })
            .collect()
    }

    /// The index of its degree of freedom in a configuration; ``None`` for a fixed link.
    #[getter]
    fn dof(&self) -> Option<usize> {
        self.model().dof().map(kinworld::DofId::index)
    }

    /// ``"fixed"``, ``"revolute"`` or ``"prismatic"``.
    #[getter]
    fn motion(&self) -> &'static str {
        self.model().motion().name()
    }

    /// The axis (3) of its motion in its own frame; ``None`` for a fixed link.
    #[getter]
    fn axis<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.model()
            .motion()
            .axis()
            .map(|axis| array1(py, axis.as_slice()))
    }

    /// Pose (4 × 4) in the parent where its coordinate is zero.
    #[getter]
    fn placement<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, self.model().placement())
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.model().inertia().mass
    }

    /// Centre of mass (3) in the link's frame, m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.model().inertia().com.coords.as_slice())
    }

    /// Moment of inertia (3 × 3) about the centre of mass in the link's axes, kg·m².
    #[getter]
    fn moment<'py>(&self, py: Python<'py>) -> Array2<'py> {
        crate::convert::matrix(py, &self.model().inertia().moment)
    }

    fn __repr__(&self) -> String {
        format!(
            "Link '{}' ({}) of '{}'",
            self.name(),
            self.id.index(),
            self.robot.name()
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.id == other.id && Arc::ptr_eq(&self.robot, &other.robot)
    }

    fn __hash__(&self) -> usize {
        Arc::as_ptr(&self.robot) as usize ^ self.id.index()
    }

    fn __index__(&self) -> usize {
        self.id.index()
    }
}
