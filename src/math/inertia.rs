//! Inertia of a rigid body.

use nalgebra::{Matrix3, Matrix6};

use super::{Motion, Point, Pose, Wrench, so3};

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
    #[inline]
    pub fn zero() -> Self {
        Self {
            mass: 0.0,
            com: Point::origin(),
            moment: Matrix3::zeros(),
        }
    }

    /// The same body in a frame in which its own frame has the pose `x`.
    #[must_use]
    #[inline]
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
    /// The moments are shifted to the common centre of mass.
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
        Self {
            mass,
            com,
            moment: self.moment_about(&com) + other.moment_about(&com),
        }
    }

    /// The moment of inertia about a point of the frame, in the body's axes, kg·m²: the parallel axis theorem.
    #[must_use]
    #[inline]
    pub fn moment_about(&self, p: &Point) -> Matrix3<f64> {
        let d = self.com - p;
        self.moment
            + self.mass * (Matrix3::from_diagonal_element(d.norm_squared()) - d * d.transpose())
    }

    /// Momentum `I v` of the body at a velocity.
    #[must_use]
    #[inline]
    pub fn momentum(&self, v: &Motion) -> Wrench {
        let c = self.com.coords;
        let force = (v.linear + v.angular.cross(&c)) * self.mass;
        Wrench {
            moment: self.moment * v.angular + c.cross(&force),
            force,
        }
    }

    /// Kinetic energy of the body at a velocity, J.
    #[must_use]
    #[inline]
    pub fn kinetic_energy(&self, v: &Motion) -> f64 {
        0.5 * v.dot(&self.momentum(v))
    }

    /// The ten inertial parameters, in which forces are linear: mass, mass times centre of mass, and the moment of inertia
    /// about the origin of the frame, xx, xy, yy, xz, yz, zz.
    ///
    /// The order of Pinocchio's `toDynamicParameters`.
    #[must_use]
    pub fn parameters(&self) -> [f64; 10] {
        let (m, h) = (self.mass, self.com.coords * self.mass);
        let i = self.moment_about(&Point::origin());
        let upper = [i.m11, i.m12, i.m22, i.m13, i.m23, i.m33];
        let [xx, xy, yy, xz, yz, zz] = upper;
        [m, h.x, h.y, h.z, xx, xy, yy, xz, yz, zz]
    }

    /// The body with these [`parameters`](Self::parameters); without a mass, its centre is the origin.
    #[must_use]
    pub fn from_parameters(parameters: &[f64; 10]) -> Self {
        let [mass, x, y, z, xx, xy, yy, xz, yz, zz] = *parameters;
        let com = match mass {
            0.0 => Point::origin(),
            mass => Point::new(x, y, z) / mass,
        };
        let about_origin = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let point = Self {
            mass,
            com,
            moment: Matrix3::zeros(),
        };
        Self {
            moment: about_origin - point.moment_about(&Point::origin()),
            ..point
        }
    }

    /// The 6 × 6 matrix of `I`, angular rows and columns first.
    #[must_use]
    pub fn matrix(&self) -> Matrix6<f64> {
        let h = so3::skew(&self.com.coords) * self.mass;
        let mut out = Matrix6::zeros();
        out.fixed_view_mut::<3, 3>(0, 0)
            .copy_from(&self.moment_about(&Point::origin()));
        out.fixed_view_mut::<3, 3>(0, 3).copy_from(&h);
        out.fixed_view_mut::<3, 3>(3, 0).copy_from(&-h);
        out.fixed_view_mut::<3, 3>(3, 3)
            .copy_from(&Matrix3::from_diagonal_element(self.mass));
        out
    }
}
