//! Coulomb's friction.

use std::f64::consts::TAU;

use crate::math::Vector;
use crate::{Error, Result};

/// The forces that a contact can exert: no pull, and across the normal at most the friction times what is along it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionCone {
    /// Length 1.
    normal: Vector,
    friction: f64,
}

impl FrictionCone {
    /// The cone about a normal, of any length, for a coefficient of friction.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a normal without a direction, or a coefficient that is negative or not finite.
    pub fn new(normal: Vector, friction: f64) -> Result<Self> {
        // by its largest number first: squares of tiny and of huge ones are no numbers
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

    /// The direction without friction, of length 1.
    #[must_use]
    pub fn normal(&self) -> &Vector {
        &self.normal
    }

    /// The coefficient of friction.
    #[must_use]
    pub fn friction(&self) -> f64 {
        self.friction
    }

    /// How far a force may lean from the normal, rad.
    #[must_use]
    pub fn angle(&self) -> f64 {
        self.friction.atan()
    }

    /// The same cone the other way round.
    #[must_use]
    pub fn reflected(&self) -> Self {
        Self {
            normal: -self.normal,
            ..*self
        }
    }

    /// Two directions of length 1 across the normal and each other; with the normal they are right-handed.
    #[must_use]
    pub fn tangents(&self) -> [Vector; 2] {
        // beside the axis that is farthest from the normal
        let mut axis = Vector::zeros();
        axis[self.normal.iamin()] = 1.0;
        let first = axis.cross(&self.normal).normalize();
        [first, self.normal.cross(&first)]
    }

    /// By how much friction is asked for more than there is, N: `|f_t| − μ f_n`, not positive inside the cone.
    #[must_use]
    pub fn excess(&self, force: &Vector) -> f64 {
        let along = self.normal.dot(force);
        (force - self.normal * along).norm() - self.friction * along
    }

    /// Whether a force is in the cone, up to rounding.
    #[must_use]
    pub fn contains(&self, force: &Vector) -> bool {
        let rounding = 1e-12 * force.amax() * (1.0 + self.friction);
        self.normal.dot(force) >= -rounding && self.excess(force) <= rounding
    }

    /// The force in the cone that is nearest to one.
    #[must_use]
    pub fn project(&self, force: &Vector) -> Vector {
        let along = self.normal.dot(force);
        let across = force - self.normal * along;
        let size = across.norm();
        if size <= self.friction * along {
            return *force;
        }
        // onto the side of the cone, or onto its tip from where all of it is behind
        let length = (along + self.friction * size) / (1.0 + self.friction * self.friction);
        if length <= 0.0 {
            return Vector::zeros();
        }
        let lean = if size > 0.0 {
            across / size
        } else {
            Vector::zeros()
        };
        (self.normal + lean * self.friction) * length
    }

    /// The edges of a pyramid inside the cone, each with 1 along the normal; one edge without friction.
    ///
    /// The pyramid has less friction than the cone, by a share of `1 − cos(π / n)` half way between two edges.
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
