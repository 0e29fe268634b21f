//! Wrenches together with the point and the axes that they are given in.

use std::ops::{Mul, Neg};

use super::{FrameId, Frames, Site};
use crate::math::{Vector, Wrench};
use crate::{Error, Result};

/// A wrench about a point, in the axes of a frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AppliedWrench {
    /// Moment about [`point`](Self::point), N·m, and force, N, in the axes of [`frame`](Self::frame).
    pub wrench: Wrench,
    /// Point of application.
    pub point: Site,
    /// Frame whose axes the components are along.
    pub frame: FrameId,
}

impl AppliedWrench {
    /// A wrench at a point, in the axes of a frame.
    #[must_use]
    pub fn new(wrench: Wrench, point: Site, frame: FrameId) -> Self {
        Self {
            wrench,
            point,
            frame,
        }
    }

    /// A force without moment.
    #[must_use]
    pub fn pure_force(force: Vector, point: Site, frame: FrameId) -> Self {
        Self::new(
            Wrench {
                moment: Vector::zeros(),
                force,
            },
            point,
            frame,
        )
    }

    /// The zero wrench.
    #[must_use]
    pub fn zero(point: Site, frame: FrameId) -> Self {
        Self::new(Wrench::default(), point, frame)
    }

    /// The same wrench about another point: `M' = M + (P − P') × F`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn translated(&self, point: &Site, frames: &Frames<'_>) -> Result<Self> {
        let arm = frames.position(&self.point)? - frames.position(point)?;
        let arm = frames
            .motion(self.frame)?
            .pose
            .inverse_transform_vector(&arm);
        let Wrench { moment, force } = self.wrench;
        Ok(Self {
            wrench: Wrench {
                moment: moment + arm.cross(&force),
                force,
            },
            point: *point,
            ..*self
        })
    }

    /// The same wrench in the axes of another frame; the point stays.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a link or a frame that does not exist.
    pub fn expressed(&self, frame: FrameId, frames: &Frames<'_>) -> Result<Self> {
        let r = frames.rotation(frame, self.frame)?;
        Ok(Self {
            wrench: Wrench {
                moment: r * self.wrench.moment,
                force: r * self.wrench.force,
            },
            frame,
            ..*self
        })
    }

    /// The sum of two wrenches at the same point, in the same axes.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where points or axes differ.
    pub fn sum(&self, other: &Self) -> Result<Self> {
        self.check_compatible(other)?;
        Ok(Self {
            wrench: self.wrench + other.wrench,
            ..*self
        })
    }

    /// The difference of two wrenches at the same point, in the same axes.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where points or axes differ.
    pub fn difference(&self, other: &Self) -> Result<Self> {
        self.sum(&-*other)
    }

    /// The one unknown wrench of a balance: this one minus the sum of the others.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where points or axes differ.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Vector;
    /// use kinworld::wrench::{AppliedWrench, FrameId, Site};
    ///
    /// // the table's force on a cup at rest
    /// let force = |z| AppliedWrench::pure_force(Vector::new(0.0, 0.0, z), Site::WORLD, FrameId::World);
    /// let (dynamic, weight) = (force(0.0), force(-3.0));
    /// assert_eq!(dynamic.equate([&weight])?.wrench.force.z, 3.0);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn equate<'a>(&self, others: impl IntoIterator<Item = &'a Self>) -> Result<Self> {
        let mut others = others.into_iter();
        others.try_fold(*self, |missing, other| missing.difference(other))
    }

    fn check_compatible(&self, other: &Self) -> Result<()> {
        let differ = |what: &str, [a, b]: [String; 2], how: &str| {
            let problem = format!("are given {what} {a} and {b}: {how} one of them first");
            Err(Error::invalid("two wrenches", problem))
        };
        if self.frame != other.frame {
            let names = [self.frame, other.frame].map(|frame| frame.to_string());
            return differ("in the axes of", names, "express");
        }
        if self.point != other.point {
            let names = [self.point, other.point].map(|point| point.to_string());
            return differ("at", names, "translate");
        }
        Ok(())
    }
}

impl Neg for AppliedWrench {
    type Output = Self;

    /// The reaction.
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl Mul<f64> for AppliedWrench {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            wrench: self.wrench * factor,
            ..self
        }
    }
}
