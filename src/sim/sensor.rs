//! What can be measured of things that move.

use super::integrator::Ode;
use crate::Result;
use crate::math::{Motion, Point, Pose, Rotation, Vector, so3};
use crate::robot::LinkId;

/// Something that moves and can be measured.
pub trait Mechanism: Ode {
    /// Brings everything below to a time and values, accelerations included.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length), and where there are no accelerations.
    fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<()>;

    /// How a point fixed to a link moves in the world. A body without links is its own link 0.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where there is no such link.
    fn point_motion(&self, link: LinkId, p_link: &Point) -> Result<PointMotion>;

    /// All coordinates, reference values included.
    fn positions(&self) -> &[f64];

    /// Their rates.
    fn velocities(&self) -> &[f64];

    /// The rates of those.
    fn accelerations(&self) -> &[f64];

    /// What forces would be needed beside those that act, if nothing accelerated: the left-hand side of the equation of
    /// motion without the mass matrix, `C q̇ + G − τ − Σ Jᵀ f`.
    fn residual_forces(&self) -> &[f64];

    /// What each coordinate belongs to, for the heads of tables.
    fn dof_names(&self) -> Vec<String>;

    /// The energy.
    fn energy(&self) -> Energy;
}

/// Energy, J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// Of place, in gravity: 0 where the centre of mass is at the world's origin.
    pub potential: f64,
}

impl Energy {
    /// Energy of these kinetic and potential parts, J.
    #[must_use]
    pub fn new(kinetic: f64, potential: f64) -> Self {
        Self { kinetic, potential }
    }

    /// Both.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// How a point of a link moves, in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PointMotion {
    /// The rotation of the link.
    pub rotation: Rotation,
    /// Where the point is.
    pub position: Point,
    /// Where it is in the reference configuration.
    pub reference: Point,
    /// The angular velocity of the link, and the velocity of the point.
    pub velocity: Motion,
    /// The angular acceleration of the link, and the acceleration of the point, as a clock and a rule see it: at rest it
    /// is 0, whatever gravity.
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

    /// The pose of the link's axes at the point, in the world.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position.coords.into(), self.rotation)
    }
}

/// What a sensor at a point of a link measures. *Local* is in the axes of the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Quantity {
    /// Where the point is, m (3).
    Position,
    /// How far from where it is in the reference configuration, m (3).
    Displacement,
    /// The Tait-Bryan angles of the link, rad (3): `R = Rx(a) Ry(b) Rz(c)`, see [`so3::to_xyz`].
    Rotation,
    /// The rotation matrix from the link to the world, row by row (9).
    RotationMatrix,
    /// The velocity of the point, m/s (3).
    Velocity,
    /// The same, local.
    VelocityLocal,
    /// The acceleration of the point, m/s² (3).
    Acceleration,
    /// The same, local.
    AccelerationLocal,
    /// The angular velocity of the link, rad/s (3).
    AngularVelocity,
    /// The same, local.
    AngularVelocityLocal,
    /// The angular acceleration of the link, rad/s² (3).
    AngularAcceleration,
    /// The same, local.
    AngularAccelerationLocal,
}

impl Quantity {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::Position,
        Self::Displacement,
        Self::Rotation,
        Self::RotationMatrix,
        Self::Velocity,
        Self::VelocityLocal,
        Self::Acceleration,
        Self::AccelerationLocal,
        Self::AngularVelocity,
        Self::AngularVelocityLocal,
        Self::AngularAcceleration,
        Self::AngularAccelerationLocal,
    ];

    /// The name in files, such as `velocity_local`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Displacement => "displacement",
            Self::Rotation => "rotation",
            Self::RotationMatrix => "rotation_matrix",
            Self::Velocity => "velocity",
            Self::VelocityLocal => "velocity_local",
            Self::Acceleration => "acceleration",
            Self::AccelerationLocal => "acceleration_local",
            Self::AngularVelocity => "angular_velocity",
            Self::AngularVelocityLocal => "angular_velocity_local",
            Self::AngularAcceleration => "angular_acceleration",
            Self::AngularAccelerationLocal => "angular_acceleration_local",
        }
    }

    /// The ends of the names of its columns.
    fn parts(self) -> &'static [&'static str] {
        match self {
            Self::RotationMatrix => &["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"],
            _ => &["x", "y", "z"],
        }
    }

    /// Appends the numbers of a motion.
    pub fn measure(self, motion: &PointMotion, out: &mut Vec<f64>) {
        let r = &motion.rotation;
        let (velocity, acceleration) = (&motion.velocity, &motion.acceleration);
        let local = |v: &Vector| r.inverse_transform_vector(v);
        let vector = match self {
            Self::RotationMatrix => {
                out.extend(r.matrix().transpose().iter());
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

/// Something to measure, with a name.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Sensor {
    /// What the columns begin with.
    pub name: String,
    /// What is measured.
    pub probe: Probe,
}

/// What is measured.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Probe {
    /// A quantity at a point of a link.
    Point {
        /// The link.
        link: LinkId,
        /// The point, in the link.
        point: Point,
        /// What of it.
        quantity: Quantity,
    },
    /// All coordinates, rad or m (n).
    Positions,
    /// Their velocities (n).
    Velocities,
    /// Their accelerations (n).
    Accelerations,
    /// The [forces left](Mechanism::residual_forces), N·m or N (n).
    Force,
    /// Kinetic, potential and total energy, J (3).
    Energy,
}

impl Sensor {
    /// A sensor of this name.
    #[must_use]
    pub fn new(name: impl Into<String>, probe: Probe) -> Self {
        Self {
            name: name.into(),
            probe,
        }
    }

    /// A sensor at a point of a link.
    #[must_use]
    pub fn at(name: impl Into<String>, link: LinkId, point: Point, quantity: Quantity) -> Self {
        Self::new(
            name,
            Probe::Point {
                link,
                point,
                quantity,
            },
        )
    }

    /// The names of its columns: `name_x` and so on.
    #[must_use]
    pub fn columns<M: Mechanism + ?Sized>(&self, mechanism: &M) -> Vec<String> {
        let named = |part: &str| format!("{}_{part}", self.name);
        match &self.probe {
            Probe::Point { quantity, .. } => {
                quantity.parts().iter().map(|part| named(part)).collect()
            }
            Probe::Energy => ["kinetic", "potential", "total"].map(named).to_vec(),
            Probe::Positions | Probe::Velocities | Probe::Accelerations | Probe::Force => {
                let names = mechanism.dof_names();
                names.iter().map(|name| named(name)).collect()
            }
        }
    }

    /// Appends what it measures where the mechanism was [looked at](Mechanism::evaluate).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where its link is not there.
    pub fn measure<M: Mechanism + ?Sized>(&self, mechanism: &M, out: &mut Vec<f64>) -> Result<()> {
        match &self.probe {
            Probe::Point {
                link,
                point,
                quantity,
            } => {
                quantity.measure(&mechanism.point_motion(*link, point)?, out);
            }
            Probe::Positions => out.extend(mechanism.positions()),
            Probe::Velocities => out.extend(mechanism.velocities()),
            Probe::Accelerations => out.extend(mechanism.accelerations()),
            Probe::Force => out.extend(mechanism.residual_forces()),
            Probe::Energy => {
                let energy = mechanism.energy();
                out.extend([energy.kinetic, energy.potential, energy.total()]);
            }
        }
        Ok(())
    }
}
