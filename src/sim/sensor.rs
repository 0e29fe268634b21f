//! Sensors and the mechanisms that they measure.

use super::integrator::Ode;
use crate::Result;
use crate::math::{Motion, Point, Pose, Rotation, Vector, so3};
use crate::robot::{FrameSensor, LinkId, Quantity};

/// Equation of motion whose motion sensors can measure.
///
/// # Examples
///
/// The energy and the motion of a link, at once and at any time:
///
/// ```
/// use kinworld::sim::{Evaluation, KinematicTree, Mechanism};
/// use kinworld::{LinkId, Point, Robot};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/arm6.urdf");
/// let mut tree = KinematicTree::new(Robot::load(path)?.value);
/// let state = tree.initial_state(0.0, &[0.0; 6], &[0.1; 6])?;
/// let now = tree.at(state.t, &state.y)?;
/// assert!(now.energy().kinetic > 0.0);
/// assert!(now.point_motion(LinkId::new(1), &Point::origin())?.velocity.angular.norm() > 0.09);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub trait Mechanism: Ode {
    /// Motion at one time, as [`at`](Self::at) returns it.
    type Evaluation<'a>: Evaluation
    where
        Self: 'a;

    /// Motion at a time and values, accelerations included. It borrows the mechanism, so that it is never out of date.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length), and where the accelerations are undefined.
    fn at(&mut self, t: f64, y: &[f64]) -> Result<Self::Evaluation<'_>>;

    /// Names of the degrees of freedom (n), for the columns of tables.
    fn dof_names(&self) -> Vec<String>;
}

/// Motion of a [`Mechanism`] at one time.
pub trait Evaluation {
    /// Motion of a point fixed to a link, in the world. A mechanism without links is its own link 0.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an unknown link.
    fn point_motion(&self, link: LinkId, p_link: &Point) -> Result<PointMotion>;

    /// Positions of all degrees of freedom, q (n), reference values included.
    fn positions(&self) -> &[f64];

    /// Velocities q̇ (n).
    fn velocities(&self) -> &[f64];

    /// Accelerations q̈ (n).
    fn accelerations(&self) -> &[f64];

    /// Residual generalized forces at zero acceleration: the left-hand side of the equation of motion without the mass
    /// matrix, `C q̇ + G − τ − Σ Jᵀ f` (n).
    fn residual_forces(&self) -> &[f64];

    /// Kinetic and potential energy.
    fn energy(&self) -> Energy;
}

/// Kinetic and potential energy, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Energy {
    /// Kinetic energy.
    pub kinetic: f64,
    /// Potential energy in gravity, 0 where the centre of mass is at the world's origin, and of the [stops of
    /// joints](crate::sim::JointStops).
    pub potential: f64,
}

impl Energy {
    /// Energy of these kinetic and potential parts, J.
    #[must_use]
    pub fn new(kinetic: f64, potential: f64) -> Self {
        Self { kinetic, potential }
    }

    /// Total energy, J.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Motion of a point of a link, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PointMotion {
    /// Rotation of the link.
    pub rotation: Rotation,
    /// Position of the point.
    pub position: Point,
    /// Position in the reference configuration.
    pub reference: Point,
    /// Angular velocity of the link, and velocity of the point.
    pub velocity: Motion,
    /// Angular acceleration of the link, and acceleration of the point: the time derivative of the velocity, so that it
    /// is 0 at rest, whatever gravity.
    pub acceleration: Motion,
}

impl PointMotion {
    /// Motion of a point at `position` on a link with this rotation; the other parts are zero, the reference position is
    /// `position`.
    #[must_use]
    pub fn new(rotation: Rotation, position: Point) -> Self {
        Self {
            rotation,
            position,
            reference: position,
            velocity: Motion::default(),
            acceleration: Motion::default(),
        }
    }

    /// Sets the position in the reference configuration.
    #[must_use]
    pub fn with_reference(mut self, reference: Point) -> Self {
        self.reference = reference;
        self
    }

    /// Sets the angular velocity of the link and the velocity of the point.
    #[must_use]
    pub fn with_velocity(mut self, velocity: Motion) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the angular acceleration of the link and the acceleration of the point.
    #[must_use]
    pub fn with_acceleration(mut self, acceleration: Motion) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Pose in the world of the frame at the point with the link's axes.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position.coords.into(), self.rotation)
    }
}

impl Quantity {
    /// Suffixes of its column names.
    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::RotationMatrix => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
            Self::Quaternion => &["w", "x", "y", "z"],
            _ => &["x", "y", "z"],
        }
    }

    /// Appends the values at a point that moves so, in the axes that [`PointMotion::rotation`] gives.
    pub fn measure(self, motion: &PointMotion, out: &mut Vec<f64>) {
        let r = &motion.rotation;
        let (velocity, acceleration) = (&motion.velocity, &motion.acceleration);
        let local = |v: &Vector| r.inverse_transform_vector(v);
        let vector = match self {
            Self::RotationMatrix => {
                out.extend(r.matrix().transpose().iter());
                return;
            }
            Self::Quaternion => {
                out.extend(so3::to_wxyz(r));
                return;
            }
            Self::Position => motion.position.coords,
            Self::Displacement => motion.position - motion.reference,
            Self::Rotation => so3::to_xyz(r).into(),
            Self::Velocity => velocity.linear,
            Self::VelocityLocal => local(&velocity.linear),
            Self::Acceleration => acceleration.linear,
            Self::AccelerationLocal => local(&acceleration.linear),
            Self::AngularVelocity => velocity.angular,
            Self::AngularVelocityLocal => local(&velocity.angular),
            Self::AngularAcceleration => acceleration.angular,
            Self::AngularAccelerationLocal => local(&acceleration.angular),
        };
        out.extend(vector.iter());
    }
}

/// Named probe: what to measure, and under which name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sensor {
    /// Prefix of the column names.
    pub name: String,
    /// Probe.
    pub probe: Probe,
}

/// Measured quantities of a mechanism.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Probe {
    /// Quantity at a frame of a link.
    Frame {
        /// Link.
        link: LinkId,
        /// Frame, in that of the link.
        frame: Pose,
        /// Quantity.
        quantity: Quantity,
    },
    /// Positions of all degrees of freedom, rad or m (n).
    Positions,
    /// Velocities of all degrees of freedom (n).
    Velocities,
    /// Accelerations of all degrees of freedom (n).
    Accelerations,
    /// [Residual forces](Evaluation::residual_forces), N·m or N (n).
    Force,
    /// Kinetic, potential and total energy, J (3).
    Energy,
}

impl Sensor {
    /// Sensor of this name.
    #[must_use]
    pub fn new(name: impl Into<String>, probe: Probe) -> Self {
        Self {
            name: name.into(),
            probe,
        }
    }

    /// Sensor at a point of a link, with the axes of the link.
    #[must_use]
    pub fn at(name: impl Into<String>, link: LinkId, point: Point, quantity: Quantity) -> Self {
        let frame = Pose::from_parts(point.coords.into(), Rotation::identity());
        FrameSensor::new(name, link, frame, quantity).into()
    }

    /// Names of its columns: `name_x` and so on.
    #[must_use]
    pub fn columns<M: Mechanism + ?Sized>(&self, mechanism: &M) -> Vec<String> {
        let named = |part: &str| format!("{}_{part}", self.name);
        match &self.probe {
            Probe::Frame { quantity, .. } => {
                quantity.parts().iter().map(|part| named(part)).collect()
            }
            Probe::Energy => ["kinetic", "potential", "total"].map(named).to_vec(),
            Probe::Positions | Probe::Velocities | Probe::Accelerations | Probe::Force => {
                let names = mechanism.dof_names();
                names.iter().map(|name| named(name)).collect()
            }
        }
    }

    /// Appends its values at the time of an [evaluation](Mechanism::at).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an unknown link.
    pub fn measure<E: Evaluation + ?Sized>(&self, now: &E, out: &mut Vec<f64>) -> Result<()> {
        match &self.probe {
            Probe::Frame {
                link,
                frame,
                quantity,
            } => {
                let mut motion = now.point_motion(*link, &frame.translation.vector.into())?;
                motion.rotation *= frame.rotation;
                quantity.measure(&motion, out);
            }
            Probe::Positions => out.extend(now.positions()),
            Probe::Velocities => out.extend(now.velocities()),
            Probe::Accelerations => out.extend(now.accelerations()),
            Probe::Force => out.extend(now.residual_forces()),
            Probe::Energy => {
                let energy = now.energy();
                out.extend([energy.kinetic, energy.potential, energy.total()]);
            }
        }
        Ok(())
    }
}

impl From<FrameSensor> for Sensor {
    fn from(sensor: FrameSensor) -> Self {
        let FrameSensor {
            name,
            link,
            frame,
            quantity,
        } = sensor;
        let probe = Probe::Frame {
            link,
            frame,
            quantity,
        };
        Self { name, probe }
    }
}
