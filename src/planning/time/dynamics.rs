//! Torques along a path.

use std::borrow::Cow;

use super::limits::MotionLimits;
use super::path::GeometricPath;
use super::profile::{Grid, Profile};
use super::reachability::Rows;
use crate::dynamics::{self, Loads, Workspace};
use crate::kinematics::State;
use crate::math::{Inertia, Vector};
use crate::robot::{LinkId, Robot, RobotBuilder};
use crate::{Error, Result};

/// What the torques of a motion depend on: a robot with its inertias, gravity, joint friction, joint springs and a payload.
///
/// Friction is that of the robot's drivers, viscous and dry: see [`friction_forces`](dynamics::friction_forces).
///
/// # Examples
///
/// ```
/// use kinworld::planning::{GeometricPath, MotionLimits, PathDynamics, TimeParameterization};
/// use kinworld::{GRAVITY, Robot};
///
/// let arm = Robot::load("data/robots/arm6.urdf")?.value;
/// let path = GeometricPath::spline(&[[0.0; 6], [0.5, 0.8, -0.6, 0.2, 0.4, 0.1], [1.0; 6]])?;
/// let limits = MotionLimits::of(&arm).with_acceleration(&[10.0; 6])?;
/// let dynamics = PathDynamics::new(&arm, GRAVITY);
///
/// let free = TimeParameterization::new(&limits).solve(&path)?;
/// let held = TimeParameterization::new(&limits).with_dynamics(&dynamics).solve(&path)?;
/// assert!(held.duration() >= free.duration());
/// assert_eq!(held.check(&limits, Some(&dynamics))?, None);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PathDynamics<'a> {
    robot: Cow<'a, Robot>,
    gravity: Vector,
    has_friction: bool,
}

impl<'a> PathDynamics<'a> {
    /// The dynamics of a robot under gravity (m/s², world axes), with the friction of its joints.
    #[must_use]
    pub fn new(robot: &'a Robot, gravity: Vector) -> Self {
        Self {
            robot: Cow::Borrowed(robot),
            gravity,
            has_friction: true,
        }
    }

    /// Without friction.
    #[must_use]
    pub fn without_friction(mut self) -> Self {
        self.has_friction = false;
        self
    }

    /// With a body that a link carries, in the frame of the link.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link that does not exist and for an inertia that no body has.
    pub fn with_payload(mut self, link: LinkId, payload: &Inertia) -> Result<Self> {
        let mut builder = RobotBuilder::from(self.robot.as_ref());
        let Some(spec) = builder.links.get_mut(link.index()) else {
            let problem = format!("there is no link {}", link.index());
            return Err(Error::invalid("payload", problem));
        };
        spec.inertia = spec.inertia.merged(payload);
        self.robot = Cow::Owned(builder.build()?);
        Ok(self)
    }

    /// The robot, with its payload.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }
}

/// Scratch memory for the torques of one robot.
pub(super) struct Torques<'a> {
    robot: &'a Robot,
    gravity: Vector,
    has_friction: bool,
    has_springs: bool,
    state: State,
    workspace: Workspace,
    zero: Vec<f64>,
    /// Forces of friction or springs.
    passive: Vec<f64>,
}

impl<'a> Torques<'a> {
    pub(super) fn new(dynamics: &'a PathDynamics<'_>) -> Self {
        let robot = dynamics.robot();
        let friction = |driver: &crate::robot::Driver| {
            driver.servo.viscous_friction != 0.0 || driver.servo.dry_friction != 0.0
        };
        Self {
            robot,
            gravity: dynamics.gravity,
            has_friction: dynamics.has_friction && robot.drivers().iter().any(friction),
            has_springs: robot.links().iter().any(|link| link.spring().is_some()),
            state: State::new(robot),
            workspace: Workspace::new(robot),
            zero: vec![0.0; robot.n_dofs()],
            passive: vec![0.0; robot.n_dofs()],
        }
    }

    /// Torques of the motors (n) in a motion.
    pub(super) fn of(&mut self, q: &[f64], dq: &[f64], ddq: &[f64], out: &mut [f64]) -> Result<()> {
        self.state.set_config(self.robot, q)?;
        self.inverse(dq, ddq, self.gravity, out)?;
        self.subtract_springs(out)?;
        if self.has_friction {
            let friction = &mut self.passive;
            dynamics::friction_forces_into(self.robot, &self.state, 0.0, friction)?;
            for (out, friction) in out.iter_mut().zip(&self.passive) {
                *out -= friction;
            }
        }
        Ok(())
    }

    /// Subtracts the forces of the springs of joints at the configuration of the state.
    fn subtract_springs(&mut self, out: &mut [f64]) -> Result<()> {
        if self.has_springs {
            dynamics::spring_forces_into(self.robot, &self.state, &mut self.passive)?;
            for (out, force) in out.iter_mut().zip(&self.passive) {
                *out -= force;
            }
        }
        Ok(())
    }

    fn inverse(&mut self, dq: &[f64], ddq: &[f64], gravity: Vector, out: &mut [f64]) -> Result<()> {
        self.state.set_velocity(self.robot, dq)?;
        let loads = Loads::new(gravity);
        let Self { robot, state, .. } = self;
        dynamics::inverse_dynamics_into(robot, state, loads, ddq, &mut self.workspace, out)
    }

    /// Torques as a function of the path acceleration u and of x: a u + b x + c + v √x.
    fn terms(&mut self, path: &GeometricPath, piece: usize, local: f64) -> Result<Terms> {
        let n = path.n_dofs();
        let [mut q, mut derivative, mut curvature] = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        path.evaluate(piece, local, 0, &mut q);
        path.evaluate(piece, local, 1, &mut derivative);
        path.evaluate(piece, local, 2, &mut curvature);
        let mut terms = Terms {
            a: vec![0.0; n],
            b: vec![0.0; n],
            c: vec![0.0; n],
            v: vec![0.0; n],
        };
        let zero = std::mem::take(&mut self.zero);
        self.state.set_config(self.robot, &q)?;
        self.inverse(&zero, &derivative, Vector::zeros(), &mut terms.a)?;
        self.inverse(&derivative, &curvature, Vector::zeros(), &mut terms.b)?;
        self.inverse(&zero, &zero, self.gravity, &mut terms.c)?;
        self.subtract_springs(&mut terms.c)?;
        self.zero = zero;
        if self.has_friction {
            let mut single = vec![0.0; n];
            self.state.set_velocity(self.robot, &derivative)?;
            dynamics::friction_forces_into(self.robot, &self.state, 0.0, &mut single)?;
            let double: Vec<f64> = derivative.iter().map(|x| 2.0 * x).collect();
            self.state.set_velocity(self.robot, &double)?;
            dynamics::friction_forces_into(self.robot, &self.state, 0.0, &mut self.passive)?;
            for i in 0..n {
                let viscous = single[i] - self.passive[i];
                terms.v[i] = viscous;
                terms.c[i] -= single[i] + viscous;
            }
        }
        Ok(terms)
    }
}

/// Torques a u + b x + c + v √x at a point of a path.
#[derive(Debug, Clone)]
struct Terms {
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    v: Vec<f64>,
}

/// Torques along a path, at both ends of each interval of a grid.
pub(super) struct TorqueRows {
    ends: Vec<[Terms; 2]>,
    /// The degrees of freedom with a limit.
    limited: Vec<usize>,
    /// What is taken from the limit of each interval and dof, so that it is held between its ends.
    margins: Vec<f64>,
    pub(super) is_viscous: bool,
}

impl TorqueRows {
    /// The terms of all intervals.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a limit is too low to hold the robot, or to overcome its dry friction.
    pub(super) fn new(
        path: &GeometricPath,
        grid: &Grid,
        limits: &MotionLimits,
        torques: &mut Torques<'_>,
    ) -> Result<Self> {
        let mut ends: Vec<[Terms; 2]> = Vec::with_capacity(grid.len());
        for i in 0..grid.len() {
            let (piece, [from, to]) = (grid.pieces[i], grid.local(path, i));
            let continues = i > 0 && grid.pieces[i - 1] == piece;
            let first = match ends.last() {
                Some([_, last]) if continues => last.clone(),
                _ => torques.terms(path, piece, from)?,
            };
            let last = torques.terms(path, piece, to)?;
            ends.push([first, last]);
        }
        let limit = limits.torque();
        let limited: Vec<usize> = (0..limit.len())
            .filter(|&dof| limit[dof].is_finite())
            .collect();
        for (i, end) in ends.iter().enumerate() {
            for &dof in &limited {
                let needed = end[0].c[dof];
                if needed.abs() >= limit[dof] {
                    let what = format!(
                        "torque of {} at {} of the path",
                        limits.name(dof),
                        grid.s[i]
                    );
                    let problem = format!(
                        "{needed:.4} are needed against gravity, springs and friction, the limit is {}",
                        limit[dof]
                    );
                    return Err(Error::invalid(what, problem));
                }
            }
        }
        let is_viscous = ends
            .iter()
            .flatten()
            .any(|end| end.v.iter().any(|v| *v != 0.0));
        Ok(Self {
            margins: vec![0.0; grid.len() * limit.len()],
            ends,
            limited,
            is_viscous,
        })
    }

    /// These rows and those of the torques.
    ///
    /// Viscous friction grows with √x, which is no line: where it adds to a torque, its tangent at `near` (N + 1) is a bound;
    /// where it helps, the chord up to the largest x is.
    pub(super) fn added_to(
        &self,
        rows: &Rows,
        grid: &Grid,
        limits: &MotionLimits,
        near: &[f64],
    ) -> Rows {
        let mut all = Rows {
            starts: vec![0],
            x_max: rows.x_max.clone(),
            ..Rows::default()
        };
        let n = limits.n_dofs();
        for i in 0..grid.len() {
            let old = rows.starts[i]..rows.starts[i + 1];
            all.coefficient
                .extend_from_slice(&rows.coefficient[old.clone()]);
            all.low.extend_from_slice(&rows.low[old.clone()]);
            all.high.extend_from_slice(&rows.high[old]);
            for (end, terms) in self.ends[i].iter().enumerate() {
                let (near, most) = (near[i + end], rows.x_max[i + end]);
                for &dof in &self.limited {
                    let limit = limits.torque()[dof] - self.margins[i * n + dof];
                    let (a, c) = (terms.a[dof], terms.c[dof]);
                    let mut add = |[b, shift]: [f64; 2], range: [f64; 2]| {
                        // at the other end, x is x₀ + 2 Δ u
                        let step = if end == 1 { 2.0 * grid.step(i) } else { 0.0 };
                        let range = range.map(|r| r - c - shift);
                        all.add(i, [a + step * b, b], range);
                    };
                    let (b, v) = (terms.b[dof], terms.v[dof]);
                    if v == 0.0 {
                        add([b, 0.0], [-limit, limit]);
                        continue;
                    }
                    let root = near.sqrt();
                    let tangent = [b + 0.5 * v / root, 0.5 * v * root];
                    let chord = [b + v / most.sqrt(), 0.0];
                    let (upper, lower) = if v > 0.0 {
                        (tangent, chord)
                    } else {
                        (chord, tangent)
                    };
                    add(upper, [f64::NEG_INFINITY, limit]);
                    add(lower, [-limit, f64::INFINITY]);
                }
            }
            all.starts.push(all.coefficient.len());
        }
        all
    }

    /// Takes what is beyond a limit from the limit of its interval; returns whether any was.
    pub(super) fn tighten(&mut self, excess: &[Excess], n: usize, limits: &MotionLimits) -> bool {
        let mut tightened = false;
        for excess in excess {
            let at = excess.interval * n + excess.dof;
            let limit = limits.torque()[excess.dof];
            let most = TIGHTEST * (limit - excess.resting.abs());
            let margin = (self.margins[at] + OVER * (excess.torque.abs() - limit)).min(most);
            tightened |= margin > self.margins[at];
            self.margins[at] = self.margins[at].max(margin);
        }
        tightened
    }
}

/// How much more than the excess is taken from a limit, and the largest part of what is left beside the resting torque.
const OVER: f64 = 1.1;
const TIGHTEST: f64 = 0.5;

/// A torque beyond its limit.
pub(super) struct Excess {
    pub(super) interval: usize,
    pub(super) dof: usize,
    pub(super) torque: f64,
    /// That without motion.
    pub(super) resting: f64,
}

/// The torques beyond their limits within intervals: the largest of each interval and dof, at `samples` points of each.
pub(super) fn excesses(
    path: &GeometricPath,
    grid: &Grid,
    profile: &Profile,
    limits: &MotionLimits,
    torques: &mut Torques<'_>,
    samples: usize,
) -> Result<Vec<Excess>> {
    let n = path.n_dofs();
    let mut found: Vec<Excess> = Vec::new();
    let row = || vec![0.0; n];
    let (mut q, mut dq, mut ddq, mut curvature, mut tau) = (row(), row(), row(), row(), row());
    let zero = row();
    let mut resting = row();
    for i in 0..grid.len() {
        let [from, to] = grid.local(path, i);
        let first = found.len();
        for k in 0..=samples + 1 {
            let share = k as f64 / (samples + 1) as f64;
            let local = from + share * (to - from);
            let x = profile.x[i] + share * (profile.x[i + 1] - profile.x[i]);
            path.evaluate(grid.pieces[i], local, 0, &mut q);
            path.evaluate(grid.pieces[i], local, 1, &mut dq);
            path.evaluate(grid.pieces[i], local, 2, &mut curvature);
            for dof in 0..n {
                ddq[dof] = dq[dof] * profile.u[i] + curvature[dof] * x;
                dq[dof] *= x.max(0.0).sqrt();
            }
            torques.of(&q, &dq, &ddq, &mut tau)?;
            for dof in 0..n {
                let limit = limits.torque()[dof];
                if tau[dof].abs() <= limit * (1.0 + SLACK) {
                    continue;
                }
                let same = |excess: &&mut Excess| excess.dof == dof;
                match found[first..].iter_mut().find(same) {
                    Some(old) if old.torque.abs() >= tau[dof].abs() => {}
                    old => {
                        torques.of(&q, &zero, &zero, &mut resting)?;
                        let new = Excess {
                            interval: i,
                            dof,
                            torque: tau[dof],
                            resting: resting[dof],
                        };
                        match old {
                            Some(old) => *old = new,
                            None => found.push(new),
                        }
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Share of a limit that is rounding.
pub(super) const SLACK: f64 = 1e-9;
