//! Drivers: how a motor's value moves one or more coordinates.

use super::LinkId;

/// What a [`Driver`] moves.
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
        /// What it pushes against.
        base: Option<LinkId>,
    },
    /// A torque about the axis of `link`, relative to `base`.
    Rotation {
        /// The link.
        link: LinkId,
        /// What it pushes against.
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

    /// Every link that it has to do with: those that it [drives](Self::links), and the base of a thrust or torque.
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
pub struct DriverLimits {
    /// Of the value: rad or m.
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub position: [f64; 2],
    /// Of its velocity: rad/s or m/s.
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub velocity: [f64; 2],
    /// Of its acceleration: rad/s² or m/s².
    #[cfg_attr(feature = "serde", serde(with = "super::limits::infinite::pair"))]
    pub acceleration: [f64; 2],
    /// Of its torque or force: N·m or N.
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

/// Gains and friction of a driver.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

/// What turns in a motor, and the gear between it and the links.
///
/// Seen through the gear it is an inertia of [`reflected`](Self::reflected) on the driver's value. The driver's first
/// link whose scale is not 0 carries it; through the other links of an affine driver it is felt where the
/// links are held together.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rotor {
    /// About its axis, kg·m².
    pub inertia: f64,
    /// Turns of the rotor for one of the driver's value; radians per metre where that is a length.
    pub gear_ratio: f64,
}

impl Rotor {
    /// The inertia that the driver's value feels, kg·m² or kg: `gear_ratio² · inertia`.
    #[must_use]
    pub fn reflected(&self) -> f64 {
        self.gear_ratio * self.gear_ratio * self.inertia
    }
}

impl Default for Rotor {
    /// No rotor, and no gear.
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
pub struct Driver {
    /// The name; by default that of the first link.
    pub name: String,
    /// What it moves.
    pub kind: DriverKind,
    /// Its own limits; `None` where they follow from those of its links (see [`Robot::driver_limits`](super::Robot::driver_limits)).
    pub limits: Option<DriverLimits>,
    /// Gains and friction.
    pub servo: Servo,
    /// What turns in it.
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

    /// What the rotor adds to the entry of a link in the mass matrix: that link, kg·m² or kg.
    ///
    /// Where no scale of an affine driver differs from 0, the rotor moves nothing.
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
