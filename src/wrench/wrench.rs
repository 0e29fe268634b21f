//! A force and a moment that know where they are given.

use std::ops::{Mul, Neg};

use nalgebra::Vector6;

use super::{FrameId, Frames, Site};
use crate::math::Vector;
use crate::{Error, Result};

/// A force and a moment about a point, in the axes of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Wrench {
    /// N, in the axes of [`frame`](Self::frame).
    pub force: Vector,
    /// About [`point`](Self::point), N·m, in the same axes.
    pub moment: Vector,
    /// Where it applies.
    pub point: Site,
    /// Whose axes the components are along.
    pub frame: FrameId,
}

impl Wrench {
    /// A wrench from its halves.
    #[must_use]
    pub fn new(force: Vector, moment: Vector, point: Site, frame: FrameId) -> Self {
        Self {
            force,
            moment,
            point,
            frame,
        }
    }

    /// A force without moment.
    #[must_use]
    pub fn pure_force(force: Vector, point: Site, frame: FrameId) -> Self {
        Self::new(force, Vector::zeros(), point, frame)
    }

    /// Nothing.
    #[must_use]
    pub fn zero(point: Site, frame: FrameId) -> Self {
        Self::pure_force(Vector::zeros(), point, frame)
    }

    /// A wrench from six numbers, force first.
    #[must_use]
    pub fn from_vector6(v: &Vector6<f64>, point: Site, frame: FrameId) -> Self {
        Self::new(
            Vector::new(v[0], v[1], v[2]),
            Vector::new(v[3], v[4], v[5]),
            point,
            frame,
        )
    }

    /// Its six numbers, force first.
    #[must_use]
    pub fn to_vector6(&self) -> Vector6<f64> {
        let (f, m) = (self.force, self.moment);
        Vector6::new(f.x, f.y, f.z, m.x, m.y, m.z)
    }

    /// The same about another point: `M' = M + (P − P') × F`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn translated(&self, point: &Site, frames: &Frames<'_>) -> Result<Self> {
        let arm = frames.position(&self.point)? - frames.position(point)?;
        let arm = frames
            .motion(self.frame)?
            .pose
            .inverse_transform_vector(&arm);
        Ok(Self {
            moment: self.moment + arm.cross(&self.force),
            point: *point,
            ..*self
        })
    }

    /// The same in other axes; the point stays.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that is not there.
    pub fn expressed(&self, frame: FrameId, frames: &Frames<'_>) -> Result<Self> {
        let r = frames.rotation(frame, self.frame)?;
        Ok(Self {
            force: r * self.force,
            moment: r * self.moment,
            frame,
            ..*self
        })
    }

    /// Both together.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where they are given at different points or in different axes.
    pub fn sum(&self, other: &Self) -> Result<Self> {
        self.check_like(other)?;
        Ok(Self {
            force: self.force + other.force,
            moment: self.moment + other.moment,
            ..*self
        })
    }

    /// What is left when the other is taken away.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where they are given at different points or in different axes.
    pub fn difference(&self, other: &Self) -> Result<Self> {
        self.sum(&-*other)
    }

    /// What is missing for the others to add up to this one: the one wrench that an equation does not know, zero where
    /// they are in balance already.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where they are given at different points or in different axes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Vector;
    /// use kinworld::wrench::{FrameId, Site, Wrench};
    ///
    /// // a cup at rest: what the table does to it
    /// let force = |z| Wrench::pure_force(Vector::new(0.0, 0.0, z), Site::WORLD, FrameId::World);
    /// let (dynamic, weight) = (force(0.0), force(-3.0));
    /// assert_eq!(dynamic.equate([&weight])?.force.z, 3.0);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn equate<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Result<Self> {
        let mut others = others.into_iter();
        others.try_fold(*self, |missing, other| missing.difference(other))
    }

    fn check_like(&self, other: &Self) -> Result<()> {
        let differ = |what: &str, a: &dyn std::fmt::Debug, b: &dyn std::fmt::Debug, how: &str| {
            let problem = format!("are given {what} {a:?} and {b:?}: {how} one of them first");
            Err(Error::invalid("two wrenches", problem))
        };
        if self.frame != other.frame {
            return differ("in the axes of", &self.frame, &other.frame, "express");
        }
        if self.point != other.point {
            return differ("at", &self.point, &other.point, "translate");
        }
        Ok(())
    }
}

impl Neg for Wrench {
    type Output = Self;

    /// The reaction.
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Mul<f64> for Wrench {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            force: self.force * factor,
            moment: self.moment * factor,
            ..self
        }
    }
}
