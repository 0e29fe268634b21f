//! Friction cones.

use std::f64::consts::TAU;

use crate::math::Vector;
use crate::{Error, Result};

/// Coulomb friction cone: forces with `f_n ≥ 0` and `|f_t| ≤ μ f_n`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionCone {
    /// Unit normal.
    normal: Vector,
    friction: f64,
}

impl FrictionCone {
    /// The cone about a normal of any length, with a coefficient of friction.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a normal without a direction, or a coefficient that is negative or not finite.
    pub fn new(normal: Vector, friction: f64) -> Result<Self> {
        // scaled by its largest component first: squares of tiny and of huge ones under- and overflow
        let largest = normal.amax();
        if !(largest.is_finite() && largest > 0.0 && normal.iter().all(|x| x.is_finite())) {
            let problem = format!("{:?} has no direction", normal.as_slice());
            return Err(Error::invalid("normal of a contact", problem));
        }
        if !(friction.is_finite() && friction >= 0.0) {
            let problem = format!("{friction} must be finite and not negative");
            return Err(Error::invalid("friction of a contact", problem));
        }
        Ok(Self {
            normal: (normal / largest).normalize(),
            friction,
        })
    }

    /// Unit normal.
    #[must_use]
    pub fn normal(&self) -> &Vector {
        &self.normal
    }

    /// Coefficient of friction, `μ`.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// Angle of friction, rad: the largest between a force and the normal.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.friction.atan()
    }

    /// The cone about the opposite normal.
    #[must_use]
    pub fn reflected(&self) -> Self {
        Self {
            normal: -self.normal,
            ..*self
        }
    }

    /// Two unit tangents that are orthogonal; `(t, b, n)` is right-handed.
    #[must_use]
    pub fn tangents(&self) -> [Vector; 2] {
        // from the axis that is farthest from the normal
        let mut axis = Vector::zeros();
        axis[self.normal.iamin()] = 1.0;
        let first = axis.cross(&self.normal).normalize();
        [first, self.normal.cross(&first)]
    }

    /// Violation of the cone by a force, N: `|f_t| − μ f_n`, not positive inside the cone.
    #[must_use]
    pub fn excess(&self, force: &Vector) -> f64 {
        let along = self.normal.dot(force);
        (force - self.normal * along).norm() - self.friction * along
    }

    /// Returns whether a force is in the cone, up to rounding.
    #[must_use]
    pub fn contains(&self, force: &Vector) -> bool {
        let rounding = 1e-12 * force.amax() * (1.0 + self.friction);
        self.normal.dot(force) >= -rounding && self.excess(force) <= rounding
    }

    /// Projects a force on the cone: the nearest force in it.
    #[must_use]
    pub fn project(&self, force: &Vector) -> Vector {
        let along = self.normal.dot(force);
        let across = force - self.normal * along;
        let size = across.norm();
        if size <= self.friction * along {
            return *force;
        }
        // on the lateral surface, or on the apex from within the polar cone
        let length = (along + self.friction * size) / (1.0 + self.friction * self.friction);
        if length <= 0.0 {
            return Vector::zeros();
        }
        let tangent = if size > 0.0 {
            across / size
        } else {
            Vector::zeros()
        };
        (self.normal + tangent * self.friction) * length
    }

    /// Edges of a pyramid of n sides inside the cone, each with 1 along the normal; one edge without friction.
    ///
    /// The friction of the pyramid is smaller than that of the cone, by a factor of `cos(π / n)` midway between two edges.
    ///
    /// # Panics
    ///
    /// If there are fewer than three.
    #[must_use]
    pub fn edges(&self, n: usize) -> Vec<Vector> {
        assert!(n >= 3, "a pyramid has at least three edges");
        if self.friction <= 0.0 {
            return vec![self.normal];
        }
        let [t, b] = self.tangents();
        let edge = |k: usize| {
            let (s, c) = (TAU * k as f64 / n as f64).sin_cos();
            self.normal + (t * c + b * s) * self.friction
        };
        (0..n).map(edge).collect()
    }
}
