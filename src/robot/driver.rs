//! Drivers: the coupling of a motor's value to one or more degrees of freedom.

use super::LinkId;

/// Coupling of a [`Driver`] to its links.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DriverKind {
    /// One link: `q = u`.
    Normal {
        /// The link.
        link: LinkId,
    },
    /// Several links, `q_i = scale_i · u + offset_i`.
    Affine {
        /// The links.
        links: Vec<LinkId>,
        /// One factor per link.
        scale: Vec<f64>,
        /// One offset per link.
        offset: Vec<f64>,
    },
    /// A thrust along the axis of `link`, relative to `base`.
    Translation {
        /// The link.
        link: LinkId,
        /// The link that takes the reaction; `None` for the world.
        base: Option<LinkId>,
    },
    /// A torque about the axis of `link`, relative to `base`.
    Rotation {
        /// The link.
        link: LinkId,
        /// The link that takes the reaction; `None` for the world.
        base: Option<LinkId>,
    },
}

impl DriverKind {
    /// The name in files: `normal`, `affine`, `translation`, `rotation`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Normal { .. } => "normal",
            Self::Affine { .. } => "affine",
            Self::Translation { .. } => "translation",
            Self::Rotation { .. } => "rotation",
        }
    }

    /// All links involved: those that it [drives](Self::links), and the base of a thrust or torque.
    #[must_use]
    pub fn affected_links(&self) -> Vec<LinkId> {
        let mut links = self.links().to_vec();
        if let Self::Translation { base, .. } | Self::Rotation { base, .. } = self {
            links.extend(*base);
        }
        links
    }

    /// The links that it drives.
    #[must_use]
    pub fn links(&self) -> &[LinkId] {
        match self {
            Self::Normal { link }
            | Self::Translation { link, .. }
            | Self::Rotation { link, .. } => std::slice::from_ref(link),
            Self::Affine { links, .. } => links,
        }
    }
}

/// Ranges of a driver's value and of its derivatives and effort, each `[min, max]`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DriverLimits {
    /// Range of the value, rad or m.
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub position: [f64; 2],
    /// Range of the velocity, rad/s or m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub velocity: [f64; 2],
    /// Range of the acceleration, rad/s² or m/s².
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub acceleration: [f64; 2],
    /// Range of the torque or force, N·m or N.
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub torque: [f64; 2],
}

impl Default for DriverLimits {
    fn default() -> Self {
        let all = [f64::NEG_INFINITY, f64::INFINITY];
        Self {
            position: all,
            velocity: all,
            acceleration: all,
            torque: all,
        }
    }
}

impl DriverLimits {
    /// Sets the range of the value, rad or m.
    #[must_use]
    pub fn with_position(mut self, position: [f64; 2]) -> Self {
        self.position = position;
        self
    }

    /// Sets the range of the velocity, rad/s or m/s.
    #[must_use]
    pub fn with_velocity(mut self, velocity: [f64; 2]) -> Self {
        self.velocity = velocity;
        self
    }

    /// Sets the range of the acceleration, rad/s² or m/s².
    #[must_use]
    pub fn with_acceleration(mut self, acceleration: [f64; 2]) -> Self {
        self.acceleration = acceleration;
        self
    }

    /// Sets the range of the torque or force, N·m or N.
    #[must_use]
    pub fn with_torque(mut self, torque: [f64; 2]) -> Self {
        self.torque = torque;
        self
    }
}

/// Gains and friction of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Servo {
    /// Proportional gain.
    pub p: f64,
    /// Integral gain.
    pub i: f64,
    /// Derivative gain.
    pub d: f64,
    /// Coulomb friction, N·m or N.
    pub dry_friction: f64,
    /// Friction per velocity, N·m·s/rad or N·s/m.
    pub viscous_friction: f64,
}

impl Servo {
    /// Sets the proportional, integral and derivative gain.
    #[must_use]
    pub fn with_gains(mut self, p: f64, i: f64, d: f64) -> Self {
        (self.p, self.i, self.d) = (p, i, d);
        self
    }

    /// Sets the Coulomb friction, N·m or N.
    #[must_use]
    pub fn with_dry_friction(mut self, dry_friction: f64) -> Self {
        self.dry_friction = dry_friction;
        self
    }

    /// Sets the viscous friction, N·m·s/rad or N·s/m.
    #[must_use]
    pub fn with_viscous_friction(mut self, viscous_friction: f64) -> Self {
        self.viscous_friction = viscous_friction;
        self
    }
}

/// Rotor of a motor and the gear between it and the links.
///
/// Through the gear it acts as an inertia of [`reflected`](Self::reflected) on the driver's value. It is added to
/// the armature of the driver's first link with a scale other than 0; the other links of an affine driver feel it
/// through the coupling.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Rotor {
    /// Moment of inertia about its axis, kg·m².
    pub inertia: f64,
    /// Rotation of the rotor per unit of the driver's value; rad/m where the value is a length.
    pub gear_ratio: f64,
}

impl Rotor {
    /// A rotor of this moment of inertia about its axis, kg·m², with a gear of this ratio.
    #[must_use]
    pub fn new(inertia: f64, gear_ratio: f64) -> Self {
        Self {
            inertia,
            gear_ratio,
        }
    }

    /// Inertia reflected to the driver's value, kg·m² or kg: `gear_ratio² · inertia`.
    #[must_use]
    pub fn reflected(&self) -> f64 {
        self.gear_ratio * self.gear_ratio * self.inertia
    }
}

impl Default for Rotor {
    /// No rotor and no gear.
    fn default() -> Self {
        Self {
            inertia: 0.0,
            gear_ratio: 1.0,
        }
    }
}

/// A motor or transmission: one value that moves one or more links.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Driver {
    /// The name; by default that of the first link.
    pub name: String,
    /// Coupling to its links.
    pub kind: DriverKind,
    /// Limits of its own; `None` where they follow from those of its links (see
    /// [`Robot::driver_limits`](super::Robot::driver_limits)).
    pub limits: Option<DriverLimits>,
    /// Gains and friction.
    pub servo: Servo,
    /// Rotor and gear.
    #[cfg_attr(feature = "serde", serde(default))]
    pub rotor: Rotor,
}

impl Driver {
    /// A driver without limits of its own, gains, friction or rotor.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: DriverKind) -> Self {
        Self {
            name: name.into(),
            kind,
            limits: None,
            servo: Servo::default(),
            rotor: Rotor::default(),
        }
    }

    /// Gives the driver limits of its own.
    #[must_use]
    pub fn with_limits(mut self, limits: DriverLimits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets gains and friction.
    #[must_use]
    pub fn with_servo(mut self, servo: Servo) -> Self {
        self.servo = servo;
        self
    }

    /// Sets rotor and gear.
    #[must_use]
    pub fn with_rotor(mut self, rotor: Rotor) -> Self {
        self.rotor = rotor;
        self
    }

    /// Armature that the rotor adds to a link, kg·m² or kg, with that link.
    ///
    /// `None` where all scales of an affine driver are 0: the rotor moves nothing.
    pub(super) fn armature(&self) -> Option<(LinkId, f64)> {
        let reflected = self.rotor.reflected();
        match &self.kind {
            DriverKind::Affine { links, scale, .. } => {
                let (&link, &scale) = links.iter().zip(scale).find(|(_, scale)| **scale != 0.0)?;
                Some((link, reflected / (scale * scale)))
            }
            kind => Some((*kind.links().first()?, reflected)),
        }
    }
}
