//! Differential inverse kinematics with priorities and constraints.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::kinematics::ik::{self, Bound as Limit};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{Array1, DofKey, LinkKey, Reals, Rows, Vec3, array1};
use crate::describe::{count, numbers};
use crate::error::call;
use crate::state::State;

/// A target velocity of a link or of the joints, for `velocity`.
#[pyclass(frozen, module = "kinworld.ik")]
pub(crate) struct VelocityTask {
    target: Target,
    weight: f64,
    level: usize,
}

enum Target {
    Link {
        link: LinkKey,
        point: Vec3,
        linear: Option<Vec3>,
        angular: Option<Vec3>,
    },
    Joints {
        dq: Vec<f64>,
        weights: Option<Vec<f64>>,
    },
}

#[pymethods]
impl VelocityTask {
    fn __repr__(&self) -> String {
        let what = match &self.target {
            Target::Link { link, .. } => format!("link {link}"),
            Target::Joints { dq, .. } => count(dq.len(), "dof"),
        };
        format!("VelocityTask: {what}, level {}", self.level)
    }
}

/// A target velocity of a link, for `velocity`.
///
/// ``linear`` is the velocity of the point ``local`` of the link, m/s, ``angular`` the angular velocity of the link, rad/s, both
/// in world axes; what is not given is free. ``weight`` compares with tasks of the same level, and each ``level`` moves only what
/// leaves those before it as they are.
#[pyfunction]
#[pyo3(signature = (link, *, linear=None, angular=None, local=Vec3([0.0; 3]), weight=1.0, level=0))]
pub(crate) fn velocity_task(
    link: LinkKey,
    linear: Option<Vec3>,
    angular: Option<Vec3>,
    local: Vec3,
    weight: f64,
    level: usize,
) -> PyResult<VelocityTask> {
    if linear.is_none() && angular.is_none() {
        let problem = "a velocity task needs `linear`, `angular`, or both";
        return Err(PyValueError::new_err(problem));
    }
    let target = Target::Link {
        link,
        point: local,
        linear,
        angular,
    };
    Ok(VelocityTask {
        target,
        weight,
        level,
    })
}

/// A target velocity of the joints (n), such as a return to a posture, for `velocity`; ``weights`` (n) of 0 leave a joint out.
#[pyfunction]
#[pyo3(signature = (dq, *, weights=None, level=0))]
pub(crate) fn joint_velocity_task(dq: Reals, weights: Option<Reals>, level: usize) -> VelocityTask {
    let target = Target::Joints {
        dq: dq.to_vec(),
        weights: weights.map(|weights| weights.to_vec()),
    };
    VelocityTask {
        target,
        weight: 1.0,
        level,
    }
}

/// The row (n) and the bound of a constraint for `velocity`, which keeps the point ``local`` of a link in the half-space ``normal · p
/// ≥ offset`` of the world.
///
/// The distance falls no faster than ``gain`` (1/s) times itself, and rises at that rate where it is negative.
#[pyfunction]
#[pyo3(signature = (state, link, normal, offset, *, local=Vec3([0.0; 3]), gain=10.0))]
pub(crate) fn position_barrier<'py>(
    py: Python<'py>,
    state: &State,
    link: LinkKey,
    normal: Vec3,
    offset: f64,
    local: Vec3,
    gain: f64,
) -> PyResult<(Array1<'py>, f64)> {
    let model = state.model(py)?;
    let barrier = ik::PositionBarrier::new(link.of(&model)?, normal.0.into(), offset)
        .with_point(local.0.into())
        .with_gain(gain);
    let constraints = state.ask(py, |robot, state| {
        let mut constraints = ik::VelocityConstraints::new(robot.n_dofs());
        barrier.add_to(robot, state, &mut constraints)?;
        Ok(constraints)
    })?;
    let (row, bound) = constraints.rows().next().expect("one row was added");
    Ok((array1(py, row), bound))
}

/// Joint velocity within all limits that best meets tasks, level by level, under constraints.
///
/// ``tasks`` is a list of `velocity_task` and `joint_velocity_task`. ``constraints`` are rows (k × n) and bounds (k) with ``row · dq ≤
/// bound``, as `position_barrier` and `kinworld.Space.distance_barrier` give them; they come before all tasks. Where they cannot be
/// met together, the sum of the squares of what they are violated by is the least possible, and the solution says so.
///
/// ``dt`` is the time after which positions are still within their limits; ``velocity_limits`` (n × 2) replace those of the robot.
#[pyfunction]
#[pyo3(signature = (state, tasks, *, constraints=None, dt=None, damping=None, velocity_limits=None, active=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn velocity(
    py: Python<'_>,
    state: &State,
    tasks: Vec<PyRef<'_, VelocityTask>>,
    constraints: Option<(Rows, Reals)>,
    dt: Option<f64>,
    damping: Option<f64>,
    velocity_limits: Option<Vec<[f64; 2]>>,
    active: Option<Vec<DofKey>>,
) -> PyResult<VelocitySolution> {
    let model = state.model(py)?;
    let options = super::differential_ik::options(&model, dt, damping, velocity_limits, active)?;
    let mut problem = ik::VelocityProblem::new(&model, []);
    for task in &tasks {
        match &task.target {
            Target::Link {
                link,
                point,
                linear,
                angular,
            } => {
                let link = link.of(&model)?;
                let wanted = match (linear, angular) {
                    (Some(v), None) => ik::VelocityTask::point(link, point.0.into(), v.0.into()),
                    (Some(v), Some(w)) => ik::VelocityTask::point(link, point.0.into(), v.0.into())
                        .with_angular(w.0.into()),
                    (None, Some(w)) => ik::VelocityTask::rotation(link, w.0.into()),
                    (None, None) => continue,
                };
                let wanted = wanted.with_weight(task.weight).with_level(task.level);
                problem.tasks.push(wanted);
            }
            Target::Joints { dq, weights } => {
                let mut joints = ik::JointVelocityTask::new(dq.clone()).with_level(task.level);
                if let Some(weights) = weights {
                    joints = joints.with_weights(weights.clone());
                }
                problem.joints.push(joints);
            }
        }
    }
    if let Some((rows, bounds)) = &constraints {
        let (n_rows, n_bounds) = (rows.count, bounds.len());
        if n_rows != n_bounds {
            let problem = format!("constraints have {n_rows} rows and {n_bounds} bounds");
            return Err(PyValueError::new_err(problem));
        }
        for (row, bound) in rows.to_vecs().iter().zip(bounds.iter()) {
            call(|| problem.constraints.add(row, *bound))?;
        }
    }
    let inner = state.ask(py, |robot, state| {
        let mut solver = ik::DifferentialSolver::new(robot, &options)?;
        solver.solve(state, &problem).cloned()
    })?;
    Ok(VelocitySolution {
        robot: model,
        inner,
    })
}

/// Joint velocity, and what it achieves.
#[pyclass(frozen, module = "kinworld.ik")]
pub(crate) struct VelocitySolution {
    robot: Arc<Model>,
    inner: ik::VelocitySolution,
}

#[pymethods]
impl VelocitySolution {
    /// The velocity (n), rad/s or m/s.
    #[getter]
    fn dq<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.dq)
    }

    /// Achieved minus target velocity: of each link task, linear rows first, then of each joint task.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.residual)
    }

    /// The joints at a velocity limit, or slowed by a position limit, each with ``"lower"`` or ``"upper"``.
    #[getter]
    fn active_limits(&self) -> Vec<(&str, &'static str)> {
        let name = |limit: &ik::ActiveLimit| {
            let bound = match limit.bound {
                Limit::Lower => "lower",
                Limit::Upper => "upper",
            };
            (self.robot.dof_name(limit.dof), bound)
        };
        self.inner.active_limits.iter().map(name).collect()
    }

    /// Indices of the constraints that hold with equality.
    #[getter]
    fn active_constraints(&self) -> Vec<usize> {
        self.inner.active_constraints.clone()
    }

    /// Indices of the constraints that cannot be met together within the limits.
    #[getter]
    fn violated_constraints(&self) -> Vec<usize> {
        self.inner.violated_constraints.clone()
    }

    /// Largest ``row · dq − bound`` of the violated constraints; 0 where there are none.
    #[getter]
    fn violation(&self) -> f64 {
        self.inner.violation
    }

    /// Whether every constraint is satisfied.
    #[getter]
    fn feasible(&self) -> bool {
        self.inner.is_feasible()
    }

    /// Whether every level is at its minimum; otherwise rounding ended a search early, with all limits and constraints kept.
    #[getter]
    fn is_optimal(&self) -> bool {
        self.inner.is_optimal
    }

    fn __repr__(&self) -> String {
        let missed = count(self.inner.violated_constraints.len(), "violated constraint");
        format!("VelocitySolution: {}, {missed}", numbers(&self.inner.dq))
    }
}
