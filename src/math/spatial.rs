//! Spatial (6-D) vectors after Featherstone, angular part first.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use nalgebra::Vector6;

use super::{Pose, Vector};

/// Spatial velocity: angular velocity, and linear velocity of the body's point at the frame's origin.
///
/// The same six numbers serve for accelerations and small displacements. It is made with its halves by name, so that
/// they cannot be swapped silently:
///
/// ```
/// use kinworld::Vector;
/// use kinworld::math::Motion;
///
/// let turning = Motion { angular: Vector::z(), ..Motion::default() };
/// assert_eq!(turning.to_angular_first(), [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "Twist")]
pub struct Motion {
    /// rad/s.
    pub angular: Vector,
    /// m/s.
    pub linear: Vector,
}

/// Spatial force: moment about the frame's origin, and force.
///
/// The same six numbers serve for momentum and impulse. It is made with its halves by name, so that they cannot be
/// swapped silently:
///
/// ```
/// use kinworld::Vector;
/// use kinworld::math::Wrench;
///
/// let weight = Wrench { force: Vector::z() * -9.81, ..Wrench::default() };
/// assert_eq!(weight.to_linear_first(), [0.0, 0.0, -9.81, 0.0, 0.0, 0.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "Force")]
pub struct Wrench {
    /// N·m.
    pub moment: Vector,
    /// N.
    pub force: Vector,
}

impl Motion {
    /// The same motion in a frame in which its own frame has the pose `x`: Featherstone's `X v`.
    #[must_use]
    #[inline]
    pub fn transformed(&self, x: &Pose) -> Self {
        let angular = x.rotation * self.angular;
        Self {
            angular,
            linear: x.rotation * self.linear + x.translation.vector.cross(&angular),
        }
    }

    /// The same motion in the frame that has the pose `x` in its own: the inverse of [`transformed`](Self::transformed).
    ///
    /// A raw rotation is inverted by its transpose.
    #[must_use]
    #[inline]
    pub fn inverse_transformed(&self, x: &Pose) -> Self {
        let linear = self.linear - x.translation.vector.cross(&self.angular);
        Self {
            angular: x.rotation.inverse_transform_vector(&self.angular),
            linear: x.rotation.inverse_transform_vector(&linear),
        }
    }

    /// Motion cross product `v × m`: the rate of `other`, fixed in a frame that moves with `self`.
    #[must_use]
    #[inline]
    pub fn cross(&self, other: &Self) -> Self {
        Self {
            angular: self.angular.cross(&other.angular),
            linear: self.angular.cross(&other.linear) + self.linear.cross(&other.angular),
        }
    }

    /// Force cross product `v ×* f`: the rate of a wrench fixed in a frame that moves with `self`.
    #[must_use]
    #[inline]
    pub fn cross_force(&self, f: &Wrench) -> Wrench {
        Wrench {
            moment: self.angular.cross(&f.moment) + self.linear.cross(&f.force),
            force: self.angular.cross(&f.force),
        }
    }

    /// Power of a wrench on a body that moves with `self`, W.
    #[must_use]
    #[inline]
    pub fn dot(&self, f: &Wrench) -> f64 {
        self.angular.dot(&f.moment) + self.linear.dot(&f.force)
    }
}

impl Wrench {
    /// The same wrench in a frame in which its own frame has the pose `x`: Featherstone's `X* f`.
    #[must_use]
    #[inline]
    pub fn transformed(&self, x: &Pose) -> Self {
        let force = x.rotation * self.force;
        Self {
            moment: x.rotation * self.moment + x.translation.vector.cross(&force),
            force,
        }
    }

    /// The same wrench in the frame that has the pose `x` in its own: the inverse of [`transformed`](Self::transformed).
    ///
    /// A raw rotation is inverted by its transpose.
    #[must_use]
    #[inline]
    pub fn inverse_transformed(&self, x: &Pose) -> Self {
        let moment = self.moment - x.translation.vector.cross(&self.force);
        Self {
            moment: x.rotation.inverse_transform_vector(&moment),
            force: x.rotation.inverse_transform_vector(&self.force),
        }
    }
}

/// The arithmetic of a pair of vectors, and its six numbers in order.
macro_rules! pair_of_vectors {
    ($pair:ident, $first:ident, $second:ident, $angular:literal, $linear:literal) => {
        impl Add for $pair {
            type Output = Self;
            #[inline]
            fn add(self, other: Self) -> Self {
                Self { $first: self.$first + other.$first, $second: self.$second + other.$second }
            }
        }

        impl AddAssign for $pair {
            #[inline]
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        impl Sub for $pair {
            type Output = Self;
            #[inline]
            fn sub(self, other: Self) -> Self {
                Self { $first: self.$first - other.$first, $second: self.$second - other.$second }
            }
        }

        impl SubAssign for $pair {
            #[inline]
            fn sub_assign(&mut self, other: Self) {
                *self = *self - other;
            }
        }

        impl Neg for $pair {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self { $first: -self.$first, $second: -self.$second }
            }
        }

        impl Mul<f64> for $pair {
            type Output = Self;
            #[inline]
            fn mul(self, factor: f64) -> Self {
                Self { $first: self.$first * factor, $second: self.$second * factor }
            }
        }

        impl $pair {
            #[doc = concat!("From six numbers, the ", $angular, " part first: the order of this crate.")]
            #[must_use]
            pub fn from_angular_first([a, b, c, d, e, f]: [f64; 6]) -> Self {
                Self { $first: Vector::new(a, b, c), $second: Vector::new(d, e, f) }
            }

            #[doc = concat!("From six numbers, the ", $linear, " part first, as in Pinocchio, ROS and Exudyn.")]
            #[must_use]
            pub fn from_linear_first([a, b, c, d, e, f]: [f64; 6]) -> Self {
                Self { $first: Vector::new(d, e, f), $second: Vector::new(a, b, c) }
            }

            #[doc = concat!("The six numbers, the ", $angular, " part first.")]
            #[must_use]
            pub fn to_angular_first(&self) -> [f64; 6] {
                let (a, b) = (self.$first, self.$second);
                [a.x, a.y, a.z, b.x, b.y, b.z]
            }

            #[doc = concat!("The six numbers, the ", $linear, " part first.")]
            #[must_use]
            pub fn to_linear_first(&self) -> [f64; 6] {
                let (a, b) = (self.$first, self.$second);
                [b.x, b.y, b.z, a.x, a.y, a.z]
            }
        }

        impl From<$pair> for Vector6<f64> {
            #[inline]
            fn from(pair: $pair) -> Self {
                let (a, b) = (pair.$first, pair.$second);
                Self::new(a.x, a.y, a.z, b.x, b.y, b.z)
            }
        }

        impl From<$pair> for [f64; 6] {
            fn from(pair: $pair) -> Self {
                Vector6::from(pair).into()
            }
        }

        impl From<[f64; 6]> for $pair {
            fn from(numbers: [f64; 6]) -> Self {
                Vector6::from(numbers).into()
            }
        }

        impl From<Vector6<f64>> for $pair {
            #[inline]
            fn from(v: Vector6<f64>) -> Self {
                Self { $first: Vector::new(v[0], v[1], v[2]), $second: Vector::new(v[3], v[4], v[5]) }
            }
        }
    };
}
pair_of_vectors!(Motion, angular, linear, "angular", "linear");
pair_of_vectors!(Wrench, moment, force, "moment (angular)", "force (linear)");
