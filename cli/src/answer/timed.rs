//! A motion along a path, of `plan` and `cartesian`.

use kinworld::kinematics::Samples;
use kinworld::planning::{
    GeometricPath, LimitKind, MotionLimits, PathDynamics, RobotCSpace, SmoothTrajectory, Smoothing,
    TimeParameterization, Trajectory, Utilization,
};
#[cfg(not(target_family = "wasm"))]
use kinworld::viewer::Plot;
use kinworld::world::RobotRef;
use kinworld::{DofId, GRAVITY};
use serde_json::{Value, json};

use super::path::cell;
use crate::json::numbers;
use crate::request::{Refusal, Timing};
use crate::session::Session;

/// Limits of a motion, and the form of its answer.
#[derive(Debug)]
pub(super) struct Limits {
    pub(super) limits: MotionLimits,
    pub(super) has_torque: bool,
    pub(super) deviation: f64,
    /// How the path is made smooth; `None` for rounded corners.
    pub(super) smoothing: Option<Smoothing>,
    pub(super) step: f64,
}

/// By how much rounded corners leave a path, rad or m, and the time between two rows, s, if none is given.
const DEVIATION: f64 = 0.05;
const STEP: f64 = 0.01;

impl Limits {
    /// The limits of a request, which take precedence over those of a file, and these over those of the robot.
    pub(super) fn of(
        session: &Session,
        robot: RobotRef<'_>,
        timing: &Timing,
    ) -> Result<Self, Refusal> {
        let mut limits = match &timing.file {
            Some(file) => {
                let loaded = MotionLimits::load(robot.model(), file)?;
                session.warn(loaded.diagnostics);
                loaded.value
            }
            None => MotionLimits::of(robot.model()),
        };
        let n = limits.n_dofs();
        let all = |given: &Vec<f64>| match given[..] {
            [one] => vec![one; n],
            _ => given.clone(),
        };
        if let Some(given) = &timing.velocity {
            limits = limits.with_velocity(&all(given))?;
        }
        if let Some(given) = &timing.acceleration {
            limits = limits.with_acceleration(&all(given))?;
        }
        if let Some(given) = &timing.jerk {
            limits = limits.with_jerk(&all(given))?;
        }
        if let Some(given) = &timing.torque {
            limits = limits.with_torque(&all(given))?;
        }
        let step = timing.step.unwrap_or(STEP);
        if step <= 0.0 {
            return Err(Refusal(
                "the time between two rows must be above 0".to_owned(),
            ));
        }
        Ok(Self {
            limits,
            has_torque: timing.own_torque || timing.torque.is_some(),
            deviation: timing.deviation.unwrap_or(DEVIATION),
            smoothing: timing.smooth.map(|m| Smoothing::default().with_margin(m)),
            step,
        })
    }

    fn parameterization<'a>(&'a self, dynamics: &'a PathDynamics<'a>) -> TimeParameterization<'a> {
        let time = TimeParameterization::new(&self.limits);
        match self.has_torque {
            true => time.with_dynamics(dynamics),
            false => time,
        }
    }
}

/// A motion and its rows.
#[derive(Debug)]
pub(crate) struct Timed {
    motion: SmoothTrajectory,
    limits: MotionLimits,
    used: Utilization,
    /// Whether it follows a smooth curve; `None` where none was asked for.
    is_smooth: Option<bool>,
    times: Vec<f64>,
    /// Configurations, velocities, accelerations.
    rows: [Vec<Vec<f64>>; 3],
}

impl Timed {
    /// The fastest motion along a path; `None` for one of a single point.
    pub(super) fn along(
        robot: RobotRef<'_>,
        space: &RobotCSpace,
        path: &[Vec<f64>],
        limits: &Limits,
    ) -> Result<Option<Self>, Refusal> {
        if path.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(None);
        }
        let dynamics = PathDynamics::new(robot.model(), GRAVITY);
        let time = limits.parameterization(&dynamics);
        let smoothing = limits.smoothing.as_ref();
        let found = space.fastest_motion_along(path, smoothing, limits.deviation, &time)?;
        let is_smooth = smoothing.map(|_| found.is_smooth);
        let timed = Self::of(found.motion, limits, &dynamics)?;
        Ok(Some(Self { is_smooth, ..timed }))
    }

    /// The fastest motion along a path whose parameter is the length of that of a link, with a largest speed of it.
    pub(super) fn of_link(
        robot: RobotRef<'_>,
        space: &RobotCSpace,
        path: &GeometricPath,
        speed: f64,
        limits: &Limits,
    ) -> Result<Self, Refusal> {
        let dynamics = PathDynamics::new(robot.model(), GRAVITY);
        let time = limits.parameterization(&dynamics).with_path_speed(speed);
        let motion = time.solve(path)?;
        if let Some((at, obstacle)) = space.motion_collision(&motion)? {
            let obstacle = obstacle.display(space.world()).to_string();
            let problem = format!("the motion is not free at {at:.4} s: {obstacle}");
            return Err(Refusal(problem));
        }
        Self::of(motion, limits, &dynamics)
    }

    fn of(
        motion: SmoothTrajectory,
        limits: &Limits,
        dynamics: &PathDynamics<'_>,
    ) -> Result<Self, Refusal> {
        let dynamics = limits.has_torque.then_some(dynamics);
        let used = motion.utilization(&limits.limits, dynamics)?;
        let times = motion.discretized(limits.step)?.times().to_vec();
        let mut rows = [Vec::new(), Vec::new(), Vec::new()];
        for &time in &times {
            for (rows, row) in rows.iter_mut().zip(motion.state_at(time)) {
                rows.push(row);
            }
        }
        Ok(Self {
            motion,
            limits: limits.limits.clone(),
            used,
            is_smooth: None,
            times,
            rows,
        })
    }

    pub(super) fn json(&self) -> Value {
        let [q, dq, ddq] =
            [0, 1, 2].map(|i| -> Value { self.rows[i].iter().map(numbers).collect() });
        let mut answer = json!({
            "duration": self.motion.duration(),
            "times": numbers(&self.times),
            "q": q,
            "dq": dq,
            "ddq": ddq,
            "utilization": {
                "velocity": numbers(&self.used.velocity),
                "acceleration": numbers(&self.used.acceleration),
                "jerk": numbers(&self.used.jerk),
                "torque": numbers(&self.used.torque),
            },
        });
        if let Some(is_smooth) = self.is_smooth {
            answer["smooth"] = is_smooth.into();
        }
        answer
    }

    /// What differs from what was asked for, for people.
    pub(super) fn hint(&self) -> Option<String> {
        let hint = "no smooth curve beside the path is free: its corners are rounded";
        (self.is_smooth == Some(false)).then(|| hint.to_owned())
    }

    /// As CSV: a row per time, with the columns of a motion.
    pub(super) fn text(&self, columns: &[(String, f64)]) -> String {
        let mut text = "time".to_owned();
        for prefix in ["", "dq_", "ddq_"] {
            for (name, _) in columns {
                text += &format!(",{prefix}{name}");
            }
        }
        text.push('\n');
        for (i, time) in self.times.iter().enumerate() {
            text += &format!("{time:?}");
            for rows in &self.rows {
                for (x, (_, unit)) in rows[i].iter().zip(columns) {
                    text.push(',');
                    text += &cell(*x, *unit);
                }
            }
            text.push('\n');
        }
        text
    }

    /// The rows as a trajectory.
    pub(crate) fn trajectory(&self) -> Result<Trajectory, Refusal> {
        Ok(Trajectory::new(self.times.clone(), self.rows[0].clone())?)
    }

    /// The rows as a recorded motion; the last step may be too short for a time of its own.
    pub(crate) fn samples(&self) -> Samples {
        let [q, dq, ddq] = self.rows.clone();
        Samples::new(self.times.clone(), q)
            .with_velocities(dq)
            .with_accelerations(ddq)
    }

    /// How much of its limits each degree of freedom uses over time.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn plots(&self, robot: RobotRef<'_>) -> Vec<Plot> {
        let kinds = [
            (LimitKind::Velocity, "velocity / limit", &self.rows[1]),
            (
                LimitKind::Acceleration,
                "acceleration / limit",
                &self.rows[2],
            ),
        ];
        let mut plots = Vec::new();
        for (kind, title, rows) in kinds {
            let mut plot = Plot::new(title, "1");
            let mut has_curve = false;
            for dof in 0..self.limits.n_dofs() {
                let limit = match kind {
                    LimitKind::Velocity => self.limits.velocity()[dof][1],
                    _ => self.limits.acceleration()[dof],
                };
                if limit.is_finite() {
                    let name = robot.model().dof_name(DofId::new(dof));
                    let curve = rows.iter().map(|row| row[dof].abs() / limit).collect();
                    plot = plot.with_curve(name, curve);
                    has_curve = true;
                }
            }
            if has_curve {
                plots.push(plot);
            }
        }
        plots
    }
}
