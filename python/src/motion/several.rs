//! Motions of several robots on one clock.

use kinworld::planning::{self, PrioritizedOptions, RobotCSpace, Separation, Smoothing};
use kinworld::world::RobotId;
use pyo3::prelude::*;

use super::MotionLimits;
use crate::convert::{Array1, Reals, array1};
use crate::describe::{count, names, number};
use crate::error::{call, call_detached};
use crate::interrupt::Watch;
use crate::planning::{Space, budget, termination};
use crate::trajectory::Trajectory;

/// A motion of several robots on one clock, from 0 to its ``duration``: each moves in pieces, from rest to rest, and waits between.
///
/// Configurations list the coordinates of the robots one after the other, as those of their space. Lists by robot are in the
/// order of ``space.robots``.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct JointMotion {
    inner: planning::JointMotion,
    robots: Vec<RobotId>,
}

#[pymethods]
impl JointMotion {
    /// Number of coordinates of all robots, n.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.inner.n_dofs()
    }

    /// Duration until the last robot arrives, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.inner.duration()
    }

    /// Time at which each robot arrives, s.
    #[getter]
    fn arrivals(&self) -> Vec<f64> {
        let each = self.robots.iter();
        each.filter_map(|id| self.inner.arrival(*id)).collect()
    }

    /// The waits of each robot before it arrives, from and to, s.
    #[getter]
    fn waits(&self) -> Vec<Vec<(f64, f64)>> {
        let pairs = |id: &RobotId| {
            let waits = self.inner.waits(*id).into_iter();
            waits.map(|[from, to]| (from, to)).collect()
        };
        self.robots.iter().map(pairs).collect()
    }

    /// Times between which it is smooth, s.
    #[getter]
    fn knots<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.knots())
    }

    /// The configuration (n) at a time.
    fn at<'py>(&self, py: Python<'py>, time: f64) -> Array1<'py> {
        array1(py, &self.inner.at(time))
    }

    /// The velocity (n) at a time.
    fn velocity_at<'py>(&self, py: Python<'py>, time: f64) -> Array1<'py> {
        array1(py, &self.inner.velocity_at(time))
    }

    /// Configuration, velocity and acceleration (n each) at a time.
    fn state_at<'py>(&self, py: Python<'py>, time: f64) -> (Array1<'py>, Array1<'py>, Array1<'py>) {
        let [q, dq, ddq] = self.inner.state_at(time);
        (array1(py, &q), array1(py, &dq), array1(py, &ddq))
    }

    /// A trajectory of all robots with a milestone every ``step`` s.
    fn discretized(&self, step: f64) -> PyResult<Trajectory> {
        call(|| self.inner.discretized(step).map(Trajectory))
    }

    /// The first limit of velocity, acceleration or jerk that it violates, in words; ``None`` where it holds all.
    fn check(&self, limits: &Bound<'_, MotionLimits>) -> PyResult<Option<String>> {
        let found = call(|| self.inner.check(&limits.get().0))?;
        Ok(found.map(|violation| violation.to_string()))
    }

    fn __repr__(&self) -> String {
        format!(
            "JointMotion: {}, {}, {} s",
            count(self.robots.len(), "robot"),
            count(self.inner.n_dofs(), "dof"),
            number(self.inner.duration())
        )
    }
}

/// Result of ``space.plan_prioritized``.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct PrioritizedPlan {
    /// The motion of all robots; ``None`` where none was found.
    #[pyo3(get)]
    motion: Option<Py<JointMotion>>,
    /// The names of the robots in the order in which they were planned; empty where they were planned in the joint space, or no
    /// motion was found.
    #[pyo3(get)]
    order: Vec<String>,
    /// Whether no order worked and the motion was planned in the joint space.
    #[pyo3(get)]
    is_joint: bool,
    /// Names of the robots that go along lines with rounded corners in a part of their motion or in all of it, for no smooth curve
    /// is free there; empty where none was asked for.
    #[pyo3(get)]
    rounded: Vec<String>,
    /// Orders that failed before, up to the robot that found no motion, and why it found none.
    #[pyo3(get)]
    failed: Vec<(Vec<String>, String)>,
    /// ``"found"``, ``"iterations"``, ``"time"``, ``"cancelled"`` or ``"too thin"``.
    #[pyo3(get)]
    termination: &'static str,
    /// Number of samples.
    #[pyo3(get)]
    iterations: usize,
}

#[pymethods]
impl PrioritizedPlan {
    fn __bool__(&self) -> bool {
        self.motion.is_some()
    }

    fn __repr__(&self) -> String {
        let how = match (&self.motion, self.is_joint) {
            (None, _) => format!("none found ({})", self.termination),
            (Some(_), true) => "in the joint space".to_owned(),
            (Some(_), false) => format!("in the order [{}]", names(&self.order)),
        };
        let failed = count(self.failed.len(), "failed order");
        format!("PrioritizedPlan: {how}, {failed}")
    }
}

fn names_of(space: &RobotCSpace, ids: &[RobotId]) -> Vec<String> {
    let robots = ids.iter().filter_map(|id| space.world().robot(*id).ok());
    robots.map(|robot| robot.name().to_owned()).collect()
}

#[pymethods]
impl Space {
    /// Motions of all robots on one clock from ``start`` to ``goal`` (n each), planned one after the other: each waits on its path for
    /// those before it. Where one finds no motion, other orders are tried, and at last the joint space.
    ///
    /// With ``swept``, a spacing in m, robots keep out of the volumes that those before them sweep instead: then each may begin when it
    /// likes. ``iterations`` are those of one search for one robot's path, ``joint_iterations`` those in the joint space, 0 for
    /// none. ``time`` ends all together. ``limits`` are those of all robots (``MotionLimits.joined``).
    ///
    /// With ``smooth``, a margin in m, motions follow smooth curves beside the paths, in place of corners rounded by ``deviation``;
    /// ``rounded`` of the result lists the robots for which none is free.
    ///
    /// >>> import kinworld as kw
    /// >>> world = kw.load("data/robots/arm6.urdf")
    /// >>> _ = world.add(world.placed(kw.se3.from_translation((1.3, 0, 0))))
    /// >>> limits = kw.MotionLimits.of(world.robot(0).robot).with_acceleration([5] * 6)
    /// >>> both = kw.MotionLimits.joined([limits, limits])
    /// >>> plan = world.space().plan_prioritized([0] * 12, [1.0, 0.3, 0, 0, 0, 0] * 2, both)
    /// >>> plan.is_joint, plan.motion.check(both), len(plan.motion.arrivals)
    /// (False, None, 2)
    #[pyo3(signature = (start, goal, limits, *, swept=None, deviation=0.05, smooth=None, max_orders=24, time=None, seed=0, iterations=10_000,
        joint_iterations=100_000, range=1.0, shortcuts=200, progress=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn plan_prioritized(
        &self,
        py: Python<'_>,
        start: Reals,
        goal: Reals,
        limits: &Bound<'_, MotionLimits>,
        swept: Option<f64>,
        deviation: f64,
        smooth: Option<f64>,
        max_orders: usize,
        time: Option<f64>,
        seed: u64,
        iterations: usize,
        joint_iterations: usize,
        range: f64,
        shortcuts: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<PrioritizedPlan> {
        let one = budget(time, seed, Some(iterations), range, shortcuts)?;
        let joint = (joint_iterations > 0).then(|| one.max_iterations(joint_iterations));
        let separation = swept.map_or(Separation::Timed, |spacing| Separation::SweptVolumes {
            spacing,
        });
        let options = PrioritizedOptions::default()
            .with_budget(one)
            .with_max_orders(max_orders)
            .with_separation(separation)
            .with_deviation(deviation)
            .with_smoothing(smooth.map(|margin| Smoothing::default().with_margin(margin)))
            .with_joint(joint);
        let limits = &limits.get().0;
        let mut watch = Watch::new(progress);
        let plan = call_detached(py, || {
            let goes_on = |done| watch.goes_on(done);
            planning::plan_prioritized(&self.inner, &start, &goal, limits, &options, goes_on)
        });
        watch.finish()?;
        let plan = plan?;
        let robots: Vec<RobotId> = self.inner.robots().collect();
        let motion = plan
            .motion
            .map(|inner| Py::new(py, JointMotion { inner, robots }));
        let failed = plan.failed.into_iter();
        Ok(PrioritizedPlan {
            motion: motion.transpose()?,
            order: names_of(&self.inner, &plan.order),
            is_joint: plan.is_joint,
            rounded: names_of(&self.inner, &plan.rounded),
            failed: failed
                .map(|failed| (names_of(&self.inner, &failed.order), failed.reason))
                .collect(),
            termination: termination(plan.termination),
            iterations: plan.iterations,
        })
    }

    /// The first time at which a motion of all robots is not free, and the reason; ``None`` where it is free.
    fn joint_motion_collision(
        &self,
        py: Python<'_>,
        motion: &Bound<'_, JointMotion>,
    ) -> PyResult<Option<(f64, String)>> {
        let motion = &motion.get().inner;
        let found = call_detached(py, || self.inner.joint_motion_collision(motion))?;
        Ok(found.map(|(time, obstacle)| (time, obstacle.display(self.inner.world()).to_string())))
    }
}
