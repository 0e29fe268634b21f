//! Multibody systems in redundant coordinates: constrained rigid bodies, with closed loops.

mod assemble;
mod body_state;
mod constraints;
mod dense;
mod derivative;
mod forces;
mod implicit;
mod joint;
mod measure;
mod parts;
mod plan;
mod rate_rows;
mod robot;
mod robot_motion;
mod rows;
mod solver;
mod tangent;

use std::fmt;
use std::sync::Arc;

pub use assemble::{Redundancy, Residual};
pub use constraints::{Coupling, DistanceConstraint, GenericJoint, JointId, Marker};
pub use forces::{Drive, Load, Spring};
pub use joint::Axes;
pub use measure::SystemEvaluation;
pub use robot::RobotBodies;

use self::parts::{Attachment, Body, Link};
use self::plan::{Plan, Scratch};
use super::integrator::{ImplicitEnd, ImplicitStep, IntegratorState, Ode};
use super::tree::{Base, BaseMotion};
use crate::math::{GRAVITY, Inertia, Motion, Pose, Vector, so3};
use crate::robot::LinkId;
use crate::world::RigidObject;
use crate::{Error, Result};

/// Multibody system: rigid bodies in redundant coordinates, connected to each other and to the ground by constraints.
///
/// Each body has a position and a rotation, on R³ × SO(3); [joints](GenericJoint), [distances](DistanceConstraint) and
/// [couplings](Coupling) are constraints: `M v̇ + Gᵀ λ = f` with `Φ(x, t) = 0`. Loops and trees are treated alike.
/// Where a robot has no loop, a [`KinematicTree`](super::KinematicTree) describes it with fewer values.
///
/// # Values
///
/// First the poses of all bodies, then their velocities: of body *i* of n
///
/// | values | what | in |
/// |---|---|---|
/// | `y[7 i..][..3]` | centre of mass, m | the world |
/// | `y[7 i + 3..][..4]` | rotation, a quaternion w, x, y, z | from body to world |
/// | `y[7 n + 6 i..][..3]` | velocity of the centre of mass, m/s | the world |
/// | `y[7 n + 6 i + 3..][..3]` | angular velocity, rad/s | the body |
///
/// [`initial_state`](Self::initial_state) makes them from the poses that bodies were added with, corrected until all
/// constraints hold; [`pose`](Self::pose) and [`velocity`](Self::velocity) read them. The system also keeps the number
/// of revolutions of each joint: pass a state from run to run, and to start elsewhere make a new one or
/// [`assemble`](Self::assemble) it.
///
/// # Methods
///
/// [`GeneralizedAlpha`](super::Method::GeneralizedAlpha) solves for positions that satisfy the constraints (index 3),
/// on the Lie group, after Arnold and Brüls (2007) and Brüls, Cardona and Arnold (2012), and then projects the
/// velocities. [`Trapezoidal`](super::Method::Trapezoidal) solves for velocities that satisfy them (index 2), and then
/// projects the positions. The Newton matrix is analytic and complete: masses, gyroscopic moments, the tangent of the
/// rotations, springs, dampers and rotors, and the rotation with the bodies of the forces of joints, distances,
/// couplings and loads (geometric stiffness), so that iterations converge quadratically. The first iteration of a step,
/// and velocity iterations that converge fast anyway, leave the geometric stiffness out. Every other method integrates
/// accelerations that satisfy the constraints (index 1); the drift is projected back after each step.
///
/// Linear equations are solved body by body from the leaves to the roots of a spanning tree; loop constraints,
/// couplings and springs between branches add a small dense system. Steps do not allocate. Redundant constraint rows
/// are left out, see [`redundancies`](Self::redundancies).
///
/// # Examples
///
/// A rod of 3 kg swings about a pin at its end; small swings have the period of a pendulum of ⅔ of its length:
///
/// ```
/// use std::f64::consts::PI;
///
/// use kinworld::math::Inertia;
/// use kinworld::sim::{Axes, GenericJoint, Integrator, Marker, Method, MultibodySystem, Steps};
/// use kinworld::{Point, Pose, Vector};
/// use nalgebra::Matrix3;
///
/// let mut system = MultibodySystem::new();
/// system.gravity = Vector::new(0.0, -9.81, 0.0);
/// let rod = Inertia {
///     mass: 3.0,
///     com: Point::new(0.0, -0.5, 0.0),
///     moment: Matrix3::from_diagonal(&Vector::new(0.25, 1e-3, 0.25)),
/// };
/// let rod = system.add_body("rod", &rod, &Pose::rotation(Vector::z() * 1e-3))?;
/// system.add_joint(GenericJoint::new("pin", Axes::REVOLUTE, Marker::GROUND, Marker::on(rod)))?;
///
/// let mut state = system.initial_state(0.0)?;
/// let half = PI * (1.0 / (1.5 * 9.81_f64)).sqrt();
/// let method = Method::GeneralizedAlpha { rho: 0.9 };
/// Integrator::new(method, Steps::Count(1000))?.run(&mut system, &mut state, half, &mut ())?;
/// let angle = system.pose(&state.y, rod)?.rotation.scaled_axis().z;
/// assert!((angle + 1e-3).abs() < 1e-8);
/// assert!(system.residual(state.t, &state.y)?.position < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Clone)]
pub struct MultibodySystem {
    /// Acceleration of gravity, m/s² in world axes; [`GRAVITY`] by default.
    pub gravity: Vector,
    /// External loads on bodies.
    pub loads: Vec<Load>,
    /// Actuators of joints.
    pub drives: Vec<Drive>,
    /// Springs and dampers between points.
    pub springs: Vec<Spring>,
    bodies: Vec<Body>,
    links: Vec<Link>,
    joints: Vec<GenericJoint>,
    distances: Vec<DistanceConstraint>,
    couplings: Vec<Coupling>,
    base: Base,

    // depends on all of the above but the base; `None` after a change
    plan: Option<Plan>,
    // depends on time and values
    scratch: Scratch,
    outputs: measure::Outputs,
}

impl Default for MultibodySystem {
    fn default() -> Self {
        Self::new()
    }
}

impl MultibodySystem {
    /// Empty system in [gravity](GRAVITY), on a ground fixed at the world's origin.
    #[must_use]
    pub fn new() -> Self {
        Self {
            gravity: GRAVITY,
            loads: Vec::new(),
            drives: Vec::new(),
            springs: Vec::new(),
            bodies: Vec::new(),
            links: Vec::new(),
            joints: Vec::new(),
            distances: Vec::new(),
            couplings: Vec::new(),
            base: Base::Fixed(BaseMotion::at(Pose::identity())),
            plan: None,
            scratch: Scratch::default(),
            outputs: measure::Outputs::default(),
        }
    }

    /// Adds a body whose frame has this initial pose in the world; returns its link.
    ///
    /// A body may have zero mass where its joints leave no motion without inertia.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a negative mass.
    pub fn add_body(
        &mut self,
        name: impl Into<String>,
        inertia: &Inertia,
        pose: &Pose,
    ) -> Result<LinkId> {
        let name = name.into();
        let refuse = |problem| Err(Error::invalid(format!("body `{name}`"), problem));
        let numbers = inertia.parameters();
        if numbers.iter().any(|x| !x.is_finite()) || inertia.mass < 0.0 {
            return refuse("its inertia must be finite, its mass not negative");
        }
        if !parts::is_finite(pose) {
            return refuse("its pose must be finite");
        }
        let attachment = Attachment::Body {
            body: self.bodies.len(),
            pose: Pose::identity(),
        };
        self.bodies.push(Body {
            name: name.clone(),
            mass: inertia.mass,
            com: inertia.com.coords,
            moment: inertia.moment,
            pose: Pose::from_parts(pose.translation, so3::orthonormalized(&pose.rotation)),
            velocity: Motion::default(),
        });
        Ok(self.add_link(Link { name, attachment }))
    }

    /// Adds a rigid object of a world as a body, with its pose and velocity.
    ///
    /// # Errors
    ///
    /// As [`add_body`](Self::add_body).
    pub fn add_object(&mut self, object: &RigidObject) -> Result<LinkId> {
        let link = self.add_body(&object.name, &object.inertia, &object.pose)?;
        let velocity = Motion {
            angular: object.angular_velocity,
            linear: object.velocity,
        };
        self.set_velocity(link, &velocity)?;
        Ok(link)
    }

    /// Adds a named frame on a link, or on the ground, as a link of its own: for sensors and joints.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for an unknown link, or a pose that is not finite.
    pub fn add_frame(&mut self, name: impl Into<String>, at: &Marker) -> Result<LinkId> {
        let name = name.into();
        let (attachment, what) = (self.attachment(at)?, format!("frame `{name}`"));
        if !parts::is_finite(&at.pose) {
            return Err(Error::invalid(what, "its pose must be finite"));
        }
        Ok(self.add_link(Link { name, attachment }))
    }

    fn add_link(&mut self, link: Link) -> LinkId {
        self.plan = None;
        self.links.push(link);
        LinkId::new(self.links.len() - 1)
    }

    /// Sets the initial velocity of a body: its angular velocity, and the velocity of its frame's origin, in world
    /// axes.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link that is not a body, or a number that is not finite.
    pub fn set_velocity(&mut self, link: LinkId, velocity: &Motion) -> Result<()> {
        let body = self.body_of(link)?;
        let numbers = velocity.angular.iter().chain(&velocity.linear);
        if !numbers.copied().all(f64::is_finite) {
            let what = format!("velocity of body `{}`", self.bodies[body].name);
            return Err(Error::invalid(what, "must be finite"));
        }
        self.bodies[body].velocity = *velocity;
        Ok(())
    }

    /// Sets the pose of the ground.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a pose that is not finite.
    pub fn set_base(&mut self, pose: &Pose) -> Result<()> {
        let rotation = so3::orthonormalized(&pose.rotation);
        let base = Base::Fixed(BaseMotion::at(Pose::from_parts(pose.translation, rotation)));
        base.at(0.0)?;
        self.base = base;
        Ok(())
    }

    /// Sets the motion of the ground as a function of time; all that is attached to it moves with it.
    pub fn set_moving_base(&mut self, base: impl Fn(f64) -> BaseMotion + Send + Sync + 'static) {
        self.base = Base::Moving(Arc::new(base));
    }

    /// Number of bodies.
    #[must_use]
    pub fn n_bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Number of constraints, one for each locked motion.
    #[must_use]
    pub fn n_constraints(&self) -> usize {
        let locked: usize = self.joints.iter().map(|joint| joint.axes.n_locked()).sum();
        locked + self.distances.len() + self.couplings.len()
    }

    /// First link of this name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn link_id(&self, name: &str) -> Result<LinkId> {
        let names = || self.links.iter().map(|link| link.name.as_str());
        match names().position(|n| n == name) {
            Some(index) => Ok(LinkId::new(index)),
            None => Err(Error::not_found("link", name, names())),
        }
    }

    /// Joints, in the order in which they were added.
    #[must_use]
    pub fn joints(&self) -> &[GenericJoint] {
        &self.joints
    }

    /// First joint of this name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn joint_id(&self, name: &str) -> Result<JointId> {
        let names = || self.joints.iter().map(|joint| joint.name.as_str());
        match names().position(|n| n == name) {
            Some(index) => Ok(JointId::new(index)),
            None => Err(Error::not_found("joint", name, names())),
        }
    }

    /// Body of a link, the link's pose on it, and the body's motion at these values.
    fn kin_of(&self, y: &[f64], link: LinkId) -> Result<(usize, Pose, body_state::Kin)> {
        crate::kinematics::check_length("values", 13 * self.bodies.len(), y)?;
        match self.link(link)?.attachment {
            Attachment::Body { body, pose } => {
                Ok((body, pose, plan::kin(y, body, self.bodies.len())))
            }
            _ => {
                let what = format!("link `{}`", self.links[link.index()].name);
                Err(Error::invalid(what, "it is not on a body"))
            }
        }
    }

    /// Pose of a link in the world at these values.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], or [`Error::Invalid`] for a link that is not on a body.
    pub fn pose(&self, y: &[f64], link: LinkId) -> Result<Pose> {
        let (body, pose, at) = self.kin_of(y, link)?;
        let rotation = crate::math::Rotation::from_matrix_unchecked(at.r);
        let origin = at.point(&-self.bodies[body].com);
        Ok(Pose::from_parts(origin.into(), rotation) * pose)
    }

    /// Angular velocity of a link and velocity of its origin, in world axes, at these values.
    ///
    /// # Errors
    ///
    /// As [`pose`](Self::pose).
    pub fn velocity(&self, y: &[f64], link: LinkId) -> Result<Motion> {
        let (_, _, at) = self.kin_of(y, link)?;
        let origin = self.pose(y, link)?.translation.vector;
        Ok(Motion {
            angular: at.w,
            linear: at.velocity_at(&origin),
        })
    }

    /// Initial state at time `t`: the poses and velocities that bodies were added with, with the smallest mass-weighted
    /// correction that satisfies the constraints.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] with the joint and the remaining violation where the constraints contradict each other or
    /// cannot be satisfied from there; [`Error::Invalid`] for invalid input.
    pub fn initial_state(&mut self, t: f64) -> Result<IntegratorState> {
        let n = self.bodies.len();
        let mut y = vec![0.0; 13 * n];
        for (i, body) in self.bodies.iter().enumerate() {
            let r = &body.pose.rotation;
            let com = body.pose * crate::math::Point::from(body.com);
            y[7 * i..][..3].copy_from_slice(com.coords.as_slice());
            y[7 * i + 3..][..4].copy_from_slice(&so3::to_wxyz(r));
            let arm = r * body.com;
            let v = body.velocity.linear + body.velocity.angular.cross(&arm);
            let w = r.inverse_transform_vector(&body.velocity.angular);
            y[7 * n + 6 * i..][..3].copy_from_slice(v.as_slice());
            y[7 * n + 6 * i + 3..][..3].copy_from_slice(w.as_slice());
        }
        let mut state = IntegratorState::new(t, y);
        self.assemble(&mut state)?;
        Ok(state)
    }
}

impl Ode for MultibodySystem {
    fn size(&self) -> usize {
        13 * self.bodies.len()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.find_rates(t, y, dy)
    }

    fn label(&self, i: usize) -> String {
        let n = self.bodies.len();
        let (what, body) = match i.checked_sub(7 * n) {
            None if i % 7 < 3 => ("position", i / 7),
            None => ("rotation", i / 7),
            Some(j) if j % 6 < 3 => ("velocity", j / 6),
            Some(j) => ("angular velocity", j / 6),
        };
        let name = self.bodies.get(body).map_or("", |body| &body.name);
        format!("{what} of body `{name}`")
    }

    fn post_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool> {
        self.project_drift(t, y)
    }

    fn n_implicit_accelerations(&self) -> Option<usize> {
        Some(6 * self.bodies.len())
    }

    fn implicit_step(&mut self, step: &ImplicitStep<'_>, end: &mut ImplicitEnd<'_>) -> Result<()> {
        self.step(step, end)
    }
}

impl fmt::Debug for MultibodySystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |n: &mut dyn Iterator<Item = &str>| n.map(str::to_owned).collect::<Vec<_>>();
        f.debug_struct("MultibodySystem")
            .field(
                "bodies",
                &names(&mut self.bodies.iter().map(|b| b.name.as_str())),
            )
            .field(
                "joints",
                &names(&mut self.joints.iter().map(|j| j.name.as_str())),
            )
            .field("base", &self.base)
            .finish_non_exhaustive()
    }
}
