//! Spaces of rigid objects, and spaces of configurations that satisfy a constraint.

use kinworld::planning::{
    CSpace, ConstrainedSpace as Constrained, Constraint, RigidObjectCSpace, RobotCSpace,
    RobotConstraint, RrtConnect,
};
use pyo3::prelude::*;

use crate::convert::{
    Array1, Array2, DofKey, ElementKey, PoseIn, Reals, Rows, array1, array2, pose_array,
};
use crate::error::{call, call_detached, error, fail};
use crate::ik::Goals;
use crate::interrupt::Watch;
use crate::planning::{Plan, Space, budget};
use crate::world::{EntityIn, World, object_id};

/// The poses of a rigid object: which are free, and paths between them.
///
/// A configuration is (x, y, z, yaw, pitch, roll), m and rad; ``config`` and ``pose`` convert. ``space`` is the space of
/// a robot with the object as its one body, which answers all else.
///
/// >>> import kinworld as kw
/// >>> world = kw.load("data/terrains/table.env", "data/objects/crate.obj")
/// >>> crate = world.object_space("crate", [(0, 1.5), (-1, 1), (0, 1)])
/// >>> goal = crate.config(kw.se3.from_translation((0.7, -0.4, 0.3)))
/// >>> crate.space.plan(crate.current, goal).found
/// True
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct RigidObjectSpace(RigidObjectCSpace);

#[pymethods]
impl RigidObjectSpace {
    /// The configuration (6) of a pose (4 × 4).
    fn config<'py>(&self, py: Python<'py>, pose: PoseIn) -> PyResult<Array1<'py>> {
        call(|| self.0.config(&pose.0)).map(|q| array1(py, &q))
    }

    /// The pose (4 × 4) of a configuration (6).
    fn pose<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<Array2<'py>> {
        call(|| self.0.pose(&q)).map(|pose| pose_array(py, &pose))
    }

    /// The configuration (6) of the object in the world.
    #[getter]
    fn current<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.current())
    }

    /// The space of a robot with the object as its one body.
    #[getter]
    fn space(&self) -> Space {
        Space::new(self.0.robot_space().clone())
    }

    fn __repr__(&self) -> String {
        let world = self.0.robot_space().world();
        let name = world.robots().last().map(|robot| robot.name().to_owned());
        format!("RigidObjectSpace of '{}'", name.unwrap_or_default())
    }
}

#[pymethods]
impl World {
    /// The space of the poses of a rigid object, whose origin stays within ``bounds``: (lower, upper) for x, y and z, m.
    ///
    /// The object may touch the elements in ``touch``.
    #[pyo3(signature = (rigid_object, bounds, *, touch=Vec::new()))]
    fn object_space(
        &self,
        py: Python<'_>,
        rigid_object: ElementKey,
        bounds: [[f64; 2]; 3],
        touch: Vec<EntityIn>,
    ) -> PyResult<RigidObjectSpace> {
        let id = object_id(&self.model, &rigid_object)?;
        let touch = touch
            .iter()
            .map(|element| element.of(&self.model))
            .collect::<PyResult<Vec<_>>>()?;
        call_detached(py, || {
            RigidObjectCSpace::new(&self.model, id, bounds, &touch)
        })
        .map(RigidObjectSpace)
    }
}

/// The configurations of a space that keep goals of inverse kinematics: a hand that keeps a cup upright, or stays on a line.
///
/// >>> import kinworld as kw
/// >>> world = kw.load("data/robots/arm6.urdf")
/// >>> upright = kw.ik.objective("flange", axis=((0, 0, 1), (0, 0, 1)))
/// >>> space = world.space().constrained(upright)
/// >>> start = space.project([0, -0.2, 0.3, 0, -1.6, 0])
/// >>> goal = space.project([1.5, 0.3, 0, 0, -1.8, 1])
/// >>> plan = space.plan(start, goal)
/// >>> bool(space.error(space.discretized(plan.path)[3]) <= 1e-6)
/// True
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct ConstrainedSpace(Constrained<RobotCSpace, RobotConstraint>);

#[pymethods]
impl ConstrainedSpace {
    /// Number of coordinates of a configuration, n.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.0.n_dofs()
    }

    /// The space without the constraint.
    #[getter]
    fn ambient(&self) -> Space {
        Space::new(self.0.ambient().clone())
    }

    /// Number of equations of the constraint.
    #[getter]
    fn rows(&self) -> usize {
        self.0.constraint().rows()
    }

    /// Largest violation of the constraint at a configuration (n), m or rad.
    fn error(&self, q: Reals) -> PyResult<f64> {
        let n = self.0.n_dofs();
        if q.len() != n {
            let given = q.len();
            return Err(error(format!(
                "a configuration needs {n} values, got {given}"
            )));
        }
        Ok(self.0.constraint().error(&q))
    }

    /// The configuration (n) near ``q`` that satisfies the constraint; ``None`` where a descent finds none.
    fn project<'py>(&self, py: Python<'py>, q: Reals) -> PyResult<Option<Array1<'py>>> {
        let n = self.0.n_dofs();
        if q.len() != n {
            let given = q.len();
            return Err(error(format!(
                "a configuration needs {n} values, got {given}"
            )));
        }
        Ok(self.0.project(&q).map(|q| array1(py, &q)))
    }

    /// Whether a configuration satisfies the constraint and is free.
    fn is_free(&self, q: Reals) -> PyResult<bool> {
        call(|| self.0.is_free(&q))
    }

    /// Whether the edge between two configurations can be projected and is free.
    fn is_edge_free(&self, py: Python<'_>, a: Reals, b: Reals) -> PyResult<bool> {
        call_detached(py, || self.0.is_edge_free(&a, &b))
    }

    /// A path with the steps of its edges put into it: between them it leaves the constraint by the square of the step.
    fn discretized<'py>(&self, py: Python<'py>, path: Rows) -> PyResult<Array2<'py>> {
        let n = self.0.n_dofs();
        path.of_width(n, "path")?;
        let path = call_detached(py, || self.0.discretized(&path.to_vecs()))?;
        Ok(array2(py, path.len(), n, |out| {
            for (row, q) in out.chunks_exact_mut(n.max(1)).zip(&path) {
                row.copy_from_slice(q);
            }
        }))
    }

    /// A path from ``start`` (n) to ``goal`` (n), see `Space.plan`; both satisfy the constraint.
    #[pyo3(signature = (start, goal, *, time=None, seed=0, iterations=None, range=1.0, shortcuts=200, improve=0, progress=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn plan(
        &self,
        py: Python<'_>,
        start: Reals,
        goal: Reals,
        time: Option<f64>,
        seed: u64,
        iterations: Option<usize>,
        range: f64,
        shortcuts: usize,
        improve: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Plan> {
        let budget = budget(time, seed, iterations, range, shortcuts)?.improve(improve);
        let mut watch = Watch::new(progress);
        let plan = call_detached(py, || {
            RrtConnect::new(&budget)
                .solve_observed(&self.0, &start, &goal, |done| watch.goes_on(done))
        });
        watch.finish()?;
        Ok(Plan::new(plan?, self.0.n_dofs(), false))
    }

    fn __repr__(&self) -> String {
        format!(
            "ConstrainedSpace: {} dofs, {} equations",
            self.0.n_dofs(),
            self.0.constraint().rows()
        )
    }
}

#[pymethods]
impl Space {
    /// The configurations that also keep objectives of a robot, the first by default, along a path.
    ///
    /// ``tolerance`` is the largest violation, m or rad; ``step`` the distance between projections along an edge, in the
    /// metric of the space; ``active`` names the joints that a projection moves.
    #[pyo3(signature = (objectives, robot=None, *, tolerance=None, step=None, active=None))]
    fn constrained(
        &self,
        objectives: Goals<'_>,
        robot: Option<ElementKey>,
        tolerance: Option<f64>,
        step: Option<f64>,
        active: Option<Vec<DofKey>>,
    ) -> PyResult<ConstrainedSpace> {
        let world = self.inner.world();
        let key = |key: &ElementKey| {
            key.find(
                world.n_robots(),
                "robot",
                |i| world.robot(i).map(|robot| robot.id()),
                |name| world.robot(name).map(|robot| robot.id()),
            )
        };
        let id = match robot {
            Some(robot) => key(&robot)?,
            None => world.robot(0).map_err(fail)?.id(),
        };
        let model = world.robot(id).map_err(fail)?.model().clone();
        let goals = objectives.of(&model)?;
        let active = active
            .map(|active| DofKey::all_of(&active, &model))
            .transpose()?;
        call(|| {
            let mut constraint = RobotConstraint::new(&self.inner, id, &goals)?;
            if let Some(tolerance) = tolerance {
                constraint = constraint.with_tolerance(tolerance)?;
            }
            if let Some(active) = &active {
                constraint = constraint.with_active(id, active)?;
            }
            let space = Constrained::new(self.inner.clone(), constraint);
            Ok(ConstrainedSpace(match step {
                Some(step) => space.with_step(step)?,
                None => space,
            }))
        })
    }

    /// The space in which the degrees of freedom that do not move have these values, of a configuration (n).
    fn with_inactive_at(&self, q: Reals) -> PyResult<Self> {
        call(|| Ok(Self::new(self.inner.clone().with_inactive_at(&q)?)))
    }

    /// How much of the edge from ``a`` to ``b`` is free, from ``a`` on: 1 for all of it, or else the first of ``shares``, which descend,
    /// up to which it is, at the last sample before it; 0 where none is.
    ///
    /// With ``steps`` the edge is checked at so many equal steps, else at the resolution.
    #[pyo3(signature = (a, b, shares, steps=None))]
    fn free_share(
        &self,
        py: Python<'_>,
        a: Reals,
        b: Reals,
        shares: Vec<f64>,
        steps: Option<usize>,
    ) -> PyResult<f64> {
        call_detached(py, || match steps {
            None => self.inner.free_share(&a, &b, &shares),
            Some(steps) => (self.inner).with_workspace(|ws| {
                self.inner
                    .free_share_in_steps_with(&a, &b, steps, &shares, ws)
            }),
        })
    }

    /// Whether an edge is free, checked at ``steps`` equal steps.
    fn is_edge_free_in_steps(
        &self,
        py: Python<'_>,
        a: Reals,
        b: Reals,
        steps: usize,
    ) -> PyResult<bool> {
        call_detached(py, || self.inner.is_edge_free_in_steps(&a, &b, steps))
    }
}
