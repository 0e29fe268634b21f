//! Robots as equations of motion.

mod base;
mod chart;
mod forces;
mod measure;
mod object;
mod stops;

use std::fmt;
use std::sync::Arc;

pub use base::BaseMotion;
pub use forces::{Forces, Pd};
pub use measure::TreeEvaluation;
pub use stops::JointStops;

use self::base::append_fictitious;
pub(super) use self::base::{Base, in_world};
use self::chart::Chart;
use self::forces::{UserForce, check_finite};
use super::integrator::{IntegratorState, Ode};
use crate::dynamics::{self, Loads, Workspace};
use crate::kinematics::{DriverDof, DriverSpace, State, check, velocity_to_drivers};
use crate::math::{Pose, Vector, Wrench};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Equation of motion of a robot: `M(q) q̈ = τ + Σ Jᵀ f − C(q, q̇) q̇ − G(q)`, solved by the articulated-body
/// algorithm.
///
/// Forces are given by [`forces`](Self::forces) and the function of [`with_user_force`](Self::with_user_force).
///
/// # Values
///
/// [`initial_state`](Self::initial_state) makes the values from a configuration and a velocity;
/// [`config`](Self::config) and [`velocity`](Self::velocity) convert them back. Where drivers couple links (gears,
/// mimic joints), the values are those of the [independent degrees of freedom](DriverSpace): the coupling needs no
/// constraint force and does not drift.
///
/// The angles of floating bases and ball joints are integrated in a chart that follows the motion, so that no
/// orientation is singular; [`config`](Self::config) returns them in world axes. A state belongs to the charts of its
/// tree: pass it from run to run, and make a new one to start elsewhere.
///
/// # Examples
///
/// A beam of 10 kg swings about its end, from horizontal to past the lowest point; Exudyn's example of a tree:
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::sim::{Integrator, KinematicTree, Method, Steps};
/// use kinworld::{Point, Vector};
/// use nalgebra::Matrix3;
///
/// let mut beam = LinkSpec::new("beam", None, LinkMotion::Revolute(Vector::z()));
/// let across = 10.0 * (1.0 + 0.1 * 0.1) / 12.0;
/// beam.inertia = Inertia {
///     mass: 10.0,
///     com: Point::new(0.5, 0.0, 0.0),
///     moment: Matrix3::from_diagonal(&Vector::new(10.0 * 0.02 / 12.0, across, across)),
/// };
/// let mut robot = RobotBuilder::new("pendulum");
/// robot.add_link(beam);
///
/// let mut tree = KinematicTree::new(robot.build()?);
/// tree.forces.gravity = Vector::new(0.0, -9.81, 0.0);
/// let mut state = tree.initial_state(0.0, &[0.0], &[0.0])?;
/// Integrator::new(Method::Rk67, Steps::Count(1000))?.run(&mut tree, &mut state, 1.0, &mut ())?;
/// assert!((tree.config(&state.y)[0] + 3.134_018_551_808_586).abs() < 1e-13);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Clone)]
pub struct KinematicTree {
    /// Forces.
    pub forces: Forces,
    robot: Arc<Robot>,
    // the robot with the references of its charts
    model: Robot,
    charts: Vec<Chart>,
    // independent degrees of freedom, where they differ from those of the robot
    space: Option<DriverSpace>,
    base: Base,
    user: Option<Arc<UserForce>>,
    reference: State,

    // depends on time and values
    state: State,
    q: Vec<f64>,
    dq: Vec<f64>,
    base_motion: BaseMotion,
    wrenches: Vec<(LinkId, Wrench)>,
    tau: Vec<f64>,
    // in the charts of the model
    ddq: Vec<f64>,

    // scratch
    ddz: Vec<f64>,
    rest: Vec<f64>,
    friction: Vec<f64>,
    u: Vec<f64>,
    ws: Workspace,
    // an evaluation: positions, velocities, accelerations, residual forces, kinetic energy
    outputs: [Vec<f64>; 4],
    kinetic: f64,
}

impl KinematicTree {
    /// Tree of a robot on a base fixed at the world's origin, in [gravity](crate::GRAVITY) and without other forces; the
    /// friction and the limits of its joints are [`Forces::of_robot`].
    #[must_use]
    pub fn new(robot: impl Into<Arc<Robot>>) -> Self {
        let robot = robot.into();
        let n = robot.n_dofs();
        let space = DriverSpace::new(&robot);
        let is_plain = space.len() == n
            && space.offset().iter().all(|x| *x == 0.0)
            && space
                .entries()
                .all(|(_, _, scale)| scale.to_bits() == 1.0_f64.to_bits());
        let numbers = || vec![0.0; n];
        Self {
            forces: Forces::default(),
            model: (*robot).clone(),
            charts: Chart::all(&robot),
            space: (!is_plain).then_some(space),
            base: Base::Fixed(BaseMotion::at(Pose::identity())),
            user: None,
            reference: State::new(&robot),
            state: State::new(&robot),
            q: numbers(),
            dq: numbers(),
            base_motion: BaseMotion::at(Pose::identity()),
            wrenches: Vec::with_capacity(robot.links().len()),
            tau: numbers(),
            ddq: numbers(),
            ddz: numbers(),
            rest: numbers(),
            friction: numbers(),
            u: numbers(),
            ws: Workspace::new(&robot),
            outputs: [numbers(), numbers(), numbers(), numbers()],
            kinetic: 0.0,
            robot,
        }
    }

    /// Sets a fixed base at this pose.
    #[must_use]
    pub fn with_base(mut self, pose: Pose) -> Self {
        self.base_motion = BaseMotion::at(pose);
        self.base = Base::Fixed(self.base_motion);
        self
    }

    /// Sets a moving base: its motion as a function of time.
    #[must_use]
    pub fn with_moving_base(
        mut self,
        base: impl Fn(f64) -> BaseMotion + Send + Sync + 'static,
    ) -> Self {
        self.base = Base::Moving(Arc::new(base));
        self
    }

    /// Sets a function that adds generalized forces: it takes time, positions (n), velocities (n), and the forces (n)
    /// to add to.
    ///
    /// Positions and velocities are those of the robot, floating bases included. Forces on the three angles of such a
    /// base have the power of a moment, which does not exist where the angles are singular.
    #[must_use]
    pub fn with_user_force(
        mut self,
        force: impl Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Self {
        self.user = Some(Arc::new(force));
        self
    }

    /// Sets the reference configuration of displacements; default: the initial one.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite, [`Error::Invalid`].
    pub fn with_reference(mut self, q: &[f64]) -> Result<Self> {
        self.reference.set_config(&self.robot, q)?;
        Ok(self)
    }

    /// Robot.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// Integrator state at time `t` with this configuration and velocity, n each.
    ///
    /// Where drivers couple links, components that violate the coupling are dropped.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite, [`Error::Invalid`].
    pub fn initial_state(&mut self, t: f64, q: &[f64], dq: &[f64]) -> Result<IntegratorState> {
        check("configuration", &self.robot, q)?;
        check("velocity", &self.robot, dq)?;
        for chart in &mut self.charts {
            chart.reset(&self.robot, &mut self.model);
        }
        let Some(space) = &self.space else {
            return Ok(IntegratorState::new(t, [q, dq].concat()));
        };
        let mut y = space.dof_values(&self.robot, q)?;
        let rates = velocity_to_drivers(&self.robot, dq)?;
        y.extend(space.dofs().iter().map(|coordinate| match *coordinate {
            DriverDof::Driver(d) => rates[d],
            DriverDof::Dof(dof) => dq[dof.index()],
        }));
        Ok(IntegratorState::new(t, y))
    }

    /// Configuration (n) of these values.
    ///
    /// # Panics
    ///
    /// If their number differs from that of an [`initial_state`](Self::initial_state).
    #[must_use]
    pub fn config(&self, y: &[f64]) -> Vec<f64> {
        self.to_user(y).0
    }

    /// Velocity (n) of these values.
    ///
    /// # Panics
    ///
    /// As [`config`](Self::config).
    #[must_use]
    pub fn velocity(&self, y: &[f64]) -> Vec<f64> {
        self.to_user(y).1
    }

    /// Writes the configuration and the velocity (n each) of these values, without allocation: for the observers that
    /// control a robot.
    ///
    /// # Panics
    ///
    /// As [`config`](Self::config), and where `q` or `dq` does not have one value per dof.
    pub fn config_into(&self, y: &[f64], q: &mut [f64], dq: &mut [f64]) {
        let n = self.robot.n_dofs();
        assert_eq!((q.len(), dq.len()), (n, n), "one value per dof");
        assert_eq!(
            y.len(),
            self.size(),
            "as many values as an initial state has"
        );
        expand(self.space.as_ref(), y, [&mut *q, &mut *dq]);
        for chart in &self.charts {
            chart.to_user(q, dq);
        }
    }

    fn to_user(&self, y: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut dq) = (
            vec![0.0; self.robot.n_dofs()],
            vec![0.0; self.robot.n_dofs()],
        );
        self.config_into(y, &mut q, &mut dq);
        (q, dq)
    }

    /// Updates kinematic state, base and the user's positions to a time and values.
    fn update(&mut self, t: f64, y: &[f64]) -> Result<()> {
        expand(self.space.as_ref(), y, [&mut self.q, &mut self.dq]);
        self.state.set_config(&self.model, &self.q)?;
        self.state.set_velocity(&self.model, &self.dq)?;
        for chart in &self.charts {
            chart.to_user(&mut self.q, &mut self.dq);
        }
        if let Base::Moving(_) = self.base {
            self.base_motion = self.base.at(t)?;
        }
        Ok(())
    }

    /// Computes the generalized forces `tau`, and the wrenches on links in the axes of the base.
    fn write_forces(&mut self, t: f64) -> Result<()> {
        self.tau.fill(0.0);
        let moved = [&self.q[..], &self.dq];
        let forces = &self.forces;
        forces.add(
            &self.robot,
            &self.state,
            moved,
            &mut self.friction,
            &mut self.tau,
        )?;
        if let Some(user) = &self.user {
            user(t, &self.q, &self.dq, &mut self.tau);
        }
        for chart in &self.charts {
            chart.force_from_user(&self.q, self.state.config(), &mut self.tau);
        }
        check_finite(&self.robot, &self.tau)?;
        self.wrenches.clear();
        let r = &self.base_motion.pose.rotation;
        self.wrenches
            .extend(self.forces.wrenches.iter().map(|(link, f)| {
                let rotated = |v| r.inverse_transform_vector(v);
                (
                    *link,
                    Wrench {
                        moment: rotated(&f.moment),
                        force: rotated(&f.force),
                    },
                )
            }));
        if let Base::Moving(_) = self.base {
            let links = self.robot.links().len();
            if let Some((link, _)) = self.wrenches.iter().find(|(link, _)| link.index() >= links) {
                let problem = format!("there is no link {}; there are {links}", link.index());
                return Err(Error::invalid("wrench", problem));
            }
            append_fictitious(
                &self.model,
                &self.state,
                &self.base_motion,
                &mut self.wrenches,
            );
        }
        Ok(())
    }

    /// Gravity in the accelerated frame of the base, in its axes.
    fn gravity_in_base(&self) -> Vector {
        let relative = self.forces.gravity - self.base_motion.acceleration.linear;
        self.base_motion
            .pose
            .rotation
            .inverse_transform_vector(&relative)
    }

    /// Computes the accelerations of the first half of the values.
    fn accelerate(&mut self, t: f64, ddz: &mut [f64]) -> Result<()> {
        self.write_forces(t)?;
        let loads = Loads {
            gravity: self.gravity_in_base(),
            wrenches: &self.wrenches,
        };
        let (model, state, ws) = (&self.model, &self.state, &mut self.ws);
        match &self.space {
            None => dynamics::forward_dynamics_into(model, state, loads, &self.tau, ws, ddz),
            Some(space) => {
                let u = &mut self.u[..space.len()];
                space.forces_into(&self.tau, u);
                dynamics::driver_forward_dynamics_into(model, state, loads, space, u, ws, ddz)
            }
        }
    }

    /// Index of the value of each degree of freedom of the robot, `None` for dependent ones.
    fn value_index(&self, dof: usize) -> Option<usize> {
        let Some(space) = &self.space else {
            return Some(dof);
        };
        let is_it = |c: &DriverDof| matches!(c, DriverDof::Dof(d) if d.index() == dof);
        space.dofs().iter().position(is_it)
    }
}

impl Ode for KinematicTree {
    fn size(&self) -> usize {
        2 * self
            .space
            .as_ref()
            .map_or(self.robot.n_dofs(), DriverSpace::len)
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.update(t, y)?;
        let m = y.len() / 2;
        let (dz, ddz) = dy.split_at_mut(m);
        dz.copy_from_slice(&y[m..]);
        self.accelerate(t, ddz)
    }

    fn is_second_order(&self) -> bool {
        true
    }

    fn label(&self, i: usize) -> String {
        let m = self.size() / 2;
        let what = if i < m { "coordinate" } else { "velocity" };
        let link = |dof: usize| {
            format!(
                "{what} of link `{}`",
                self.robot.link(self.robot.dofs()[dof]).name()
            )
        };
        match &self.space {
            None => link(i % m.max(1)),
            Some(space) => match space.dofs()[i % m.max(1)] {
                DriverDof::Driver(d) => {
                    format!("{what} of driver `{}`", self.robot.drivers()[d].name)
                }
                DriverDof::Dof(dof) => link(dof.index()),
            },
        }
    }

    fn post_step(&mut self, _: f64, y: &mut [f64]) -> Result<bool> {
        let mut has_changed = false;
        for k in 0..self.charts.len() {
            expand(self.space.as_ref(), y, [&mut self.q, &mut self.dq]);
            if !self.charts[k].is_near_singular(&self.q) {
                continue;
            }
            let motion = [&mut self.q[..], &mut self.dq[..]];
            self.charts[k].recenter(&self.robot, &mut self.model, motion);
            let m = y.len() / 2;
            for dof in self.charts[k].dofs() {
                if let Some(i) = self.value_index(dof) {
                    (y[i], y[m + i]) = (self.q[dof], self.dq[dof]);
                }
            }
            has_changed = true;
        }
        Ok(has_changed)
    }
}

impl fmt::Debug for KinematicTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KinematicTree")
            .field("robot", &self.robot.name())
            .field("forces", &self.forces)
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}

/// Positions and velocities of the robot from the values.
fn expand(space: Option<&DriverSpace>, y: &[f64], [q, dq]: [&mut [f64]; 2]) {
    let (z, dz) = y.split_at(y.len() / 2);
    let Some(space) = space else {
        q.copy_from_slice(z);
        dq.copy_from_slice(dz);
        return;
    };
    q.copy_from_slice(space.offset());
    dq.fill(0.0);
    for (i, k, scale) in space.entries() {
        q[i] += scale * z[k];
        dq[i] = scale * dz[k];
    }
}
