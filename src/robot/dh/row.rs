//! Denavit-Hartenberg parameters and their transforms.

use crate::math::{Pose, Vector};

/// Row of the standard convention: `Rz(θ) Tz(d) Tx(a) Rx(α)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Standard {
    /// θ, rad: rotation about z of the previous link, added to the value of a revolute joint.
    pub theta: f64,
    /// d, m: translation along z of the previous link, added to the value of a prismatic joint.
    pub d: f64,
    /// a, m: translation along the new x.
    pub a: f64,
    /// α, rad: rotation about the new x.
    pub alpha: f64,
}

/// Row of the modified convention: `Rx(α) Tx(d) Rz(θ) Tz(r)`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Modified {
    /// α, rad: rotation about x of the previous link.
    pub alpha: f64,
    /// d, m: translation along x of the previous link; Craig's a.
    pub d: f64,
    /// θ, rad: rotation about the new z, added to the value of a revolute joint.
    pub theta: f64,
    /// r, m: translation along the new z, added to the value of a prismatic joint; Craig's d.
    pub r: f64,
}

/// Row of either convention.
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

    /// Transform after the motion of the joint: `Tz(d) Tx(a) Rx(α)`.
    fn after_joint(&self) -> Pose {
        Pose::translation(self.a, 0.0, self.d) * about_x(self.alpha)
    }
}

impl Modified {
    /// A row in Craig's symbols: α and a of the previous link, d and θ of the joint.
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

    /// Transforms before and after the motion of the joint: `Rx(α) Tx(d)` and `Rz(θ) Tz(r)`.
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
    /// Transforms before and after the motion of the joint, which is about or along z.
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
