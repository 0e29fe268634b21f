//! Torques of motions, many at once.

use std::borrow::Cow;

use super::path::GeometricPath;
use crate::kinematics::State;
use crate::math::{Inertia, Vector};
use crate::robot::{Driver, LinkId, Robot, RobotBuilder};
use crate::{Error, Result, batch, dynamics};

/// What the torques of a motion depend on: a robot with its inertias, gravity, joint friction, joint springs and a payload.
///
/// Friction is that of the robot's drivers, viscous and dry: see [`friction_forces`](crate::dynamics::friction_forces).
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

/// Motions one after the other: rows of n numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Motions {
    pub(super) q: Vec<f64>,
    pub(super) dq: Vec<f64>,
    pub(super) ddq: Vec<f64>,
}

impl Motions {
    pub(super) fn clear(&mut self) {
        for rows in [&mut self.q, &mut self.dq, &mut self.ddq] {
            rows.clear();
        }
    }

    pub(super) fn push(&mut self, q: &[f64], dq: &[f64], ddq: &[f64]) {
        self.q.extend_from_slice(q);
        self.dq.extend_from_slice(dq);
        self.ddq.extend_from_slice(ddq);
    }
}

/// Torques a u + b x + c + v √x at points of a path, as a function of the path acceleration u and of x: rows of n numbers.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    pub(super) a: Vec<f64>,
    pub(super) b: Vec<f64>,
    pub(super) c: Vec<f64>,
    pub(super) v: Vec<f64>,
}

/// The torques of one robot, with scratch memory.
pub(super) struct Torques<'a> {
    robot: &'a Robot,
    gravity: Vector,
    has_friction: bool,
    has_springs: bool,
    workspace: batch::Workspace,
    /// For forces of friction and springs.
    state: State,
    passive: Vec<f64>,
}

impl<'a> Torques<'a> {
    pub(super) fn new(dynamics: &'a PathDynamics<'_>) -> Self {
        let robot = dynamics.robot();
        let has_friction = |driver: &Driver| {
            driver.servo.viscous_friction != 0.0 || driver.servo.dry_friction != 0.0
        };
        Self {
            robot,
            gravity: dynamics.gravity,
            has_friction: dynamics.has_friction && robot.drivers().iter().any(has_friction),
            has_springs: robot.links().iter().any(|link| link.spring().is_some()),
            workspace: batch::Workspace::new(robot),
            state: State::new(robot),
            passive: vec![0.0; robot.n_dofs()],
        }
    }

    /// Torques of the motors in motions, in place of what `out` held.
    pub(super) fn of(
        &mut self,
        Motions { q, dq, ddq }: &Motions,
        out: &mut Vec<f64>,
    ) -> Result<()> {
        self.inverse([q, dq, ddq], self.gravity, out)?;
        self.subtract_springs(q, out)?;
        if self.has_friction {
            let n = self.robot.n_dofs();
            for (dq, out) in dq.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
                self.find_friction(dq)?;
                for (out, friction) in out.iter_mut().zip(&self.passive) {
                    *out -= friction;
                }
            }
        }
        Ok(())
    }

    fn inverse(
        &mut self,
        [q, dq, ddq]: [&[f64]; 3],
        gravity: Vector,
        out: &mut Vec<f64>,
    ) -> Result<()> {
        out.clear();
        out.resize(q.len(), 0.0);
        let ws = &mut self.workspace;
        batch::inverse_dynamics_into(self.robot, q, dq, ddq, &gravity, ws, out)
    }

    /// Subtracts the forces of the springs of joints.
    fn subtract_springs(&mut self, q: &[f64], out: &mut [f64]) -> Result<()> {
        if !self.has_springs {
            return Ok(());
        }
        let n = self.robot.n_dofs();
        for (q, out) in q.chunks_exact(n).zip(out.chunks_exact_mut(n)) {
            self.state.set_config(self.robot, q)?;
            dynamics::spring_forces_into(self.robot, &self.state, &mut self.passive)?;
            for (out, force) in out.iter_mut().zip(&self.passive) {
                *out -= force;
            }
        }
        Ok(())
    }

    /// Writes the forces of friction at a velocity into the scratch memory.
    fn find_friction(&mut self, dq: &[f64]) -> Result<()> {
        self.state.set_velocity(self.robot, dq)?;
        dynamics::friction_forces_into(self.robot, &self.state, 0.0, &mut self.passive)
    }

    /// The terms at points of a path, each in a piece.
    pub(super) fn terms(&mut self, path: &GeometricPath, points: &[(usize, f64)]) -> Result<Terms> {
        let n = path.n_dofs();
        let [q, first, second] = [0, 1, 2].map(|derivative| {
            let mut rows = vec![0.0; points.len() * n];
            for (row, (piece, local)) in rows.chunks_exact_mut(n).zip(points) {
                path.evaluate(*piece, *local, derivative, row);
            }
            rows
        });
        let zero = vec![0.0; q.len()];
        let [mut a, mut b, mut c] = [Vec::new(), Vec::new(), Vec::new()];
        self.inverse([&q, &zero, &first], Vector::zeros(), &mut a)?;
        self.inverse([&q, &first, &second], Vector::zeros(), &mut b)?;
        self.inverse([&q, &zero, &zero], self.gravity, &mut c)?;
        self.subtract_springs(&q, &mut c)?;
        let mut v = zero;
        if self.has_friction {
            let rows = v.chunks_exact_mut(n).zip(c.chunks_exact_mut(n));
            for ((v, c), first) in rows.zip(first.chunks_exact(n)) {
                self.find_friction(first)?;
                let single = self.passive.clone();
                let double: Vec<f64> = first.iter().map(|x| 2.0 * x).collect();
                self.find_friction(&double)?;
                for i in 0..n {
                    v[i] = single[i] - self.passive[i];
                    c[i] -= single[i] + v[i];
                }
            }
        }
        Ok(Terms { a, b, c, v })
    }
}
