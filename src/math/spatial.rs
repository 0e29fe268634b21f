//! Spatial (6-D) algebra after Featherstone, angular part first.

use nalgebra::Matrix3;

use super::{Point, Pose};

/// Mass, centre of mass and moment of inertia of a rigid body.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Inertia {
    /// kg.
    pub mass: f64,
    /// Centre of mass in the body's frame, m.
    pub com: Point,
    /// Moment of inertia about the centre of mass, in the body's axes, kg·m².
    pub moment: Matrix3<f64>,
}

impl Inertia {
    /// A body without mass.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            mass: 0.0,
            com: Point::origin(),
            moment: Matrix3::zeros(),
        }
    }

    /// The same body, seen from a frame in which its own frame has the pose `x`.
    #[must_use]
    pub fn transformed(&self, x: &Pose) -> Self {
        let r = x.rotation.matrix();
        Self {
            mass: self.mass,
            com: x * self.com,
            moment: r * self.moment * r.transpose(),
        }
    }

    /// Both bodies as one, each in the same frame.
    ///
    /// The moments are shifted to the common centre of mass by the parallel axis theorem.
    #[must_use]
    pub fn merged(&self, other: &Self) -> Self {
        let mass = self.mass + other.mass;
        if mass <= 0.0 {
            return Self {
                moment: self.moment + other.moment,
                ..*self
            };
        }
        let com = Point::from((self.com.coords * self.mass + other.com.coords * other.mass) / mass);
        let about_com = |body: &Self| {
            let d = body.com - com;
            body.moment
                + body.mass * (Matrix3::from_diagonal_element(d.norm_squared()) - d * d.transpose())
        };
        Self {
            mass,
            com,
            moment: about_com(self) + about_com(other),
        }
    }
}
