//! Parameters of rows and their transforms.

use crate::Result;
use crate::geometry::{check_direction, check_pose};
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

/// Row of no convention: a joint about or along any axis, between two constant frames; Exudyn's `RobotLink` with its `preHT`,
/// `jointType` and `localHT`.
///
/// ```
/// use kinworld::robot::dh::{DhRow, DhTable, General, Standard};
/// use kinworld::{Pose, Vector};
///
/// // a column 0.5 m high turns about z, an arm of 0.4 m on it about y
/// let arm = General {
///     before: Pose::translation(0.0, 0.0, 0.5),
///     axis: Vector::y(),
///     after: Pose::translation(0.4, 0.0, 0.0),
/// };
/// let rows = vec![DhRow::revolute("column", Standard::default()), DhRow::revolute("arm", arm)];
/// let table = DhTable::new("crane", rows);
/// let frames = table.link_frames(&[0.0, std::f64::consts::FRAC_PI_2])?;
/// assert!((frames[1].translation.vector - Vector::new(0.0, 0.0, 0.1)).norm() < 1e-15);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct General {
    /// Pose of the joint's frame at q = 0 in the link before.
    pub before: Pose,
    /// Direction of the axis in the joint's frame; its length has no meaning.
    pub axis: Vector,
    /// Pose of the link in the joint's frame.
    pub after: Pose,
}

impl Default for General {
    /// A joint about or along z without offsets.
    fn default() -> Self {
        Self {
            before: Pose::identity(),
            axis: Vector::z(),
            after: Pose::identity(),
        }
    }
}

/// Row of either convention, or of none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DhParameters {
    /// The joint comes first.
    Standard(Standard),
    /// The joint comes last.
    Modified(Modified),
    /// Any axis between two frames.
    General(General),
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
    /// Transform before the motion of the joint, its unit axis, and the transform after it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an axis without a direction, or a pose that is no pose.
    pub(super) fn around_joint(&self) -> Result<(Pose, Vector, Pose)> {
        let (before, after) = match self {
            Self::Standard(row) => (Pose::identity(), row.transform()),
            Self::Modified(row) => row.transforms(),
            Self::General(row) => {
                check_pose("the frame before a joint", &row.before)?;
                check_pose("the frame after a joint", &row.after)?;
                let axis = check_direction("axis of a joint", &row.axis)?;
                return Ok((row.before, axis, row.after));
            }
        };
        Ok((before, Vector::z(), after))
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

impl From<General> for DhParameters {
    fn from(row: General) -> Self {
        Self::General(row)
    }
}

fn about_x(angle: f64) -> Pose {
    Pose::rotation(Vector::x() * angle)
}

fn about_z(angle: f64) -> Pose {
    Pose::rotation(Vector::z() * angle)
}
