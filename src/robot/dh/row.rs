//! Four numbers and the transforms that they stand for.

use crate::math::{Pose, Vector};

/// A row of the classic convention: `Rz(θ) Tz(d) Tx(a) Rx(α)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Standard {
    /// θ, rad: about z of the link before, added to the degree of freedom of a revolute joint.
    pub theta: f64,
    /// m, along z of the link before, added to the degree of freedom of a prismatic joint.
    pub d: f64,
    /// m, along the new x.
    pub a: f64,
    /// α, rad: about the new x.
    pub alpha: f64,
}

/// A row of the modified convention: `Rx(α) Tx(d) Rz(θ) Tz(r)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Modified {
    /// α, rad: about x of the link before.
    pub alpha: f64,
    /// m, along x of the link before; Craig's a.
    pub d: f64,
    /// θ, rad: about the new z, added to the degree of freedom of a revolute joint.
    pub theta: f64,
    /// m, along the new z, added to the degree of freedom of a prismatic joint; Craig's d.
    pub r: f64,
}

/// A row of either convention.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DhParameters {
    /// The joint comes first.
    Standard(Standard),
    /// The joint comes last.
    Modified(Modified),
}

impl Standard {
    /// From the frame of the link to that of the link before, at q = 0.
    #[must_use]
    pub fn transform(&self) -> Pose {
        about_z(self.theta) * self.after_joint()
    }

    /// What follows the motion of the joint: `Tz(d) Tx(a) Rx(α)`.
    fn after_joint(&self) -> Pose {
        Pose::translation(self.a, 0.0, self.d) * about_x(self.alpha)
    }
}

impl Modified {
    /// A row in Craig's letters: α and a of the link before, d and θ of the joint.
    #[must_use]
    pub fn from_craig(alpha: f64, a: f64, d: f64, theta: f64) -> Self {
        Self {
            alpha,
            d: a,
            theta,
            r: d,
        }
    }

    /// From the frame of the link to that of the link before, at q = 0.
    #[must_use]
    pub fn transform(&self) -> Pose {
        let (before, after) = self.transforms();
        before * after
    }

    /// What comes before the motion of the joint, `Rx(α) Tx(d)`, and the rest, `Rz(θ) Tz(r)`.
    #[must_use]
    pub fn transforms(&self) -> (Pose, Pose) {
        let before = about_x(self.alpha) * Pose::translation(self.d, 0.0, 0.0);
        (
            before,
            about_z(self.theta) * Pose::translation(0.0, 0.0, self.r),
        )
    }
}

impl DhParameters {
    /// What comes before the joint, and what comes after it. The joint turns about z or slides along it.
    pub(super) fn around_joint(&self) -> (Pose, Pose) {
        match self {
            Self::Standard(row) => (Pose::identity(), row.transform()),
            Self::Modified(row) => row.transforms(),
        }
    }
}

impl From<Standard> for DhParameters {
    fn from(row: Standard) -> Self {
        Self::Standard(row)
    }
}

impl From<Modified> for DhParameters {
    fn from(row: Modified) -> Self {
        Self::Modified(row)
    }
}

fn about_x(angle: f64) -> Pose {
    Pose::rotation(Vector::x() * angle)
}

fn about_z(angle: f64) -> Pose {
    Pose::rotation(Vector::z() * angle)
}
