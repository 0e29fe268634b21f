//! Motions in a space.

use kinworld::planning::Smoothing;
use pyo3::prelude::*;

use super::{CartesianPath, GeometricPath, MotionLimits, SmoothTrajectory, dynamics, within};
use crate::convert::{LinkKey, Reals, Rows, Vec3};
use crate::error::{call, call_detached};
use crate::inertia::Inertia;
use crate::planning::Space;
use crate::robot::Robot;
use crate::state::GRAVITY;

/// A path as far as it goes, the parameter that is reached, the largest deviation, and where and why it ends early.
type Followed = (Option<GeometricPath>, f64, f64, Option<(f64, String)>);

#[pymethods]
impl Space {
    /// Configurations of which a link follows a Cartesian path, in steps of ``step`` m: the path as far as it goes, the parameter
    /// that is reached, the largest distance from the Cartesian path, and where and why it ends early.
    fn follow(
        &self,
        py: Python<'_>,
        path: &Bound<'_, CartesianPath>,
        start: Reals,
        step: f64,
    ) -> PyResult<Followed> {
        let path = &path.get().0;
        call_detached(py, || self.inner.follow(path, &start, step)).map(followed)
    }

    /// The same for Cartesian paths of several links of one robot that begin and end together: the parameter is that of the
    /// longest; a path without pieces keeps its link where it is.
    fn follow_together(
        &self,
        py: Python<'_>,
        paths: Vec<Bound<'_, CartesianPath>>,
        start: Reals,
        step: f64,
    ) -> PyResult<Followed> {
        let paths: Vec<_> = paths.iter().map(|path| path.get().0.clone()).collect();
        call_detached(py, || self.inner.follow_together(&paths, &start, step)).map(followed)
    }

    /// Waypoints (k × n) with corners rounded where that is free, by ``deviation`` at most.
    fn rounded(&self, waypoints: Rows, deviation: f64) -> PyResult<GeometricPath> {
        call(|| {
            self.inner
                .rounded(&waypoints.to_vecs(), deviation)
                .map(GeometricPath)
        })
    }

    /// The fastest free motion along waypoints (k × n) with rounded corners; torques count with a robot.
    #[pyo3(signature = (waypoints, limits, *, deviation=0.05, robot=None, gravity=GRAVITY, friction=true, payload=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn motion_along(
        &self,
        py: Python<'_>,
        waypoints: Rows,
        limits: &Bound<'_, MotionLimits>,
        deviation: f64,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
    ) -> PyResult<SmoothTrajectory> {
        let dynamics = dynamics(robot, gravity, friction, payload)?;
        let time = within(&limits.get().0, dynamics.as_ref());
        let waypoints = waypoints.to_vecs();
        call_detached(py, || self.inner.motion_along(&waypoints, deviation, &time))
            .map(SmoothTrajectory)
    }

    /// A cubic B-spline beside waypoints (k × n) that is free: short, evenly bent along ``bending_length`` rad or m, and at a
    /// distance of ``margin`` m from obstacles where it can. ``None`` where no such curve is free.
    #[pyo3(signature = (waypoints, *, margin=0.01, bending_length=2.0, max_iterations=10))]
    fn smoothed(
        &self,
        py: Python<'_>,
        waypoints: Rows,
        margin: f64,
        bending_length: f64,
        max_iterations: usize,
    ) -> PyResult<Option<GeometricPath>> {
        let smoothing = smoothing(margin, bending_length, max_iterations);
        let waypoints = waypoints.to_vecs();
        let found = call_detached(py, || self.inner.smoothed(&waypoints, &smoothing))?;
        Ok(found.map(GeometricPath))
    }

    /// The fastest free motion along a ``smoothed`` curve beside waypoints (k × n); torques count with a robot. ``None`` where no
    /// such curve is free.
    #[pyo3(signature = (waypoints, limits, *, margin=0.01, bending_length=2.0, max_iterations=10, robot=None, gravity=GRAVITY,
        friction=true, payload=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn smooth_motion_along(
        &self,
        py: Python<'_>,
        waypoints: Rows,
        limits: &Bound<'_, MotionLimits>,
        margin: f64,
        bending_length: f64,
        max_iterations: usize,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
    ) -> PyResult<Option<SmoothTrajectory>> {
        let dynamics = dynamics(robot, gravity, friction, payload)?;
        let time = within(&limits.get().0, dynamics.as_ref());
        let smoothing = smoothing(margin, bending_length, max_iterations);
        let waypoints = waypoints.to_vecs();
        let found = call_detached(py, || {
            self.inner
                .smooth_motion_along(&waypoints, &smoothing, &time)
        })?;
        Ok(found.map(SmoothTrajectory))
    }

    /// The fastest free motion along waypoints (k × n), and whether it follows a smooth curve beside them: that is asked for by its
    /// ``smooth`` margin (m), and corners are rounded where none is free. Torques count with a robot.
    #[pyo3(signature = (waypoints, limits, *, smooth=None, deviation=0.05, robot=None, gravity=GRAVITY, friction=true, payload=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn fastest_motion_along(
        &self,
        py: Python<'_>,
        waypoints: Rows,
        limits: &Bound<'_, MotionLimits>,
        smooth: Option<f64>,
        deviation: f64,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
    ) -> PyResult<(SmoothTrajectory, bool)> {
        let dynamics = dynamics(robot, gravity, friction, payload)?;
        let time = within(&limits.get().0, dynamics.as_ref());
        let smoothing = smooth.map(|margin| Smoothing::default().with_margin(margin));
        let waypoints = waypoints.to_vecs();
        let found = call_detached(py, || {
            self.inner
                .fastest_motion_along(&waypoints, smoothing.as_ref(), deviation, &time)
        })?;
        Ok((SmoothTrajectory(found.motion), found.is_smooth))
    }

    /// The first time at which a motion is not free, and the reason; ``None`` where it is free.
    fn motion_collision(
        &self,
        py: Python<'_>,
        motion: &Bound<'_, SmoothTrajectory>,
    ) -> PyResult<Option<(f64, String)>> {
        let motion = &motion.get().0;
        let found = call_detached(py, || self.inner.motion_collision(motion))?;
        Ok(found.map(|(time, obstacle)| (time, obstacle.display(self.inner.world()).to_string())))
    }
}

fn smoothing(margin: f64, bending_length: f64, max_iterations: usize) -> Smoothing {
    Smoothing::default()
        .with_margin(margin)
        .with_bending_length(bending_length)
        .with_max_iterations(max_iterations)
}

fn followed(found: kinworld::planning::Followed) -> Followed {
    (
        found.path.map(GeometricPath),
        found.reached,
        found.deviation,
        found.stop.map(|stop| (stop.at, stop.reason)),
    )
}
