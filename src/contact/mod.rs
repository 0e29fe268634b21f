//! Contacts that push and rub: friction cones, balance, grasps, support. Floor 3, beside `kinematics` and `dynamics`.
//!
//! A [`Contact`] pushes a body at a point: along its normal as hard as it must, across it as far as friction goes. All is in
//! world axes. What needs a solver – a small second-order cone program, by the crate `clarabel` – is behind the feature
//! `contact`.
//!
//! | ask | with | solver |
//! |---|---|---|
//! | whether a force can be had, and the nearest one that can | [`FrictionCone`] | |
//! | what forces at contacts add up to | [`net_wrench`], [`grasp_matrix`] | |
//! | what forces on links ask of the joints, `Σ Jᵀ f` | [`joint_forces`] | |
//! | where the weight may be on level ground | [`level_support`] | |
//! | where it may be on any ground | `support_polygon` | yes |
//! | whether contacts can hold a load, and how | `equilibrium` | yes |
//! | whether they hold against every load | `force_closure` | yes |
//! | whether a robot can stand, and what its motors do | `robot_equilibrium` | yes |
//!
//! Sources: Murray, Li, Sastry, "A Mathematical Introduction to Robotic Manipulation" (1994), chapter 5; Bretl, Lall, "Testing
//! static equilibrium for legged robots" (2008).
//!
//! # Examples
//!
//! ```
//! use kinworld::contact::{Contact, level_support};
//! use kinworld::{Point, Vector};
//!
//! // a foot pushes up through a floor of rubber: at most 45° from the normal
//! let foot = Contact::new(Point::origin(), Vector::z(), 1.0)?;
//! assert!(foot.cone.contains(&Vector::new(3.0, -4.0, 5.0)));
//! assert!(!foot.cone.contains(&Vector::new(3.0, -4.0, 4.9)));
//!
//! // a stool stands where its weight is between its feet
//! let feet = [(0.0, 0.0), (0.3, 0.0), (0.0, 0.4)];
//! let feet = feet.map(|(x, y)| Contact::new(Point::new(x, y, 0.0), Vector::z(), 0.5));
//! let feet = feet.into_iter().collect::<Result<Vec<_>, _>>()?;
//! let support = level_support(&feet)?;
//! assert!((support.area() - 0.06).abs() < 1e-15);
//! assert!(support.contains(0.1, 0.1) && !support.contains(0.2, 0.2));
//! # Ok::<(), kinworld::Error>(())
//! ```

#[cfg(feature = "contact")]
mod closure;
mod cone;
#[cfg(feature = "contact")]
mod equilibrium;
#[cfg(feature = "contact")]
mod forces;
mod map;
#[cfg(feature = "contact")]
mod program;
#[cfg(feature = "contact")]
mod robot;
#[cfg(feature = "contact")]
mod stance;
mod support;

#[cfg(feature = "contact")]
pub use closure::{Grip, closure_margin, force_closure};
pub use cone::FrictionCone;
#[cfg(feature = "contact")]
pub use equilibrium::{Equilibrium, equilibrium};
#[cfg(feature = "contact")]
pub use forces::Friction;
pub use map::{grasp_matrix, joint_forces, net_wrench};
#[cfg(feature = "contact")]
pub use robot::{RobotEquilibrium, robot_equilibrium};
#[cfg(feature = "contact")]
pub use stance::support_polygon;
pub use support::{SupportPolygon, level_support};

use crate::geometry::query;
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// A point where something pushes a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// Where, m in the world.
    pub point: Point,
    /// Which forces it can exert on the body.
    pub cone: FrictionCone,
}

impl Contact {
    /// A contact whose normal leads into the body that is pushed; its length does not matter.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where something is not finite, the normal has no direction, or the friction is negative.
    pub fn new(point: Point, normal: Vector, friction: f64) -> Result<Self> {
        if !point.iter().all(|x| x.is_finite()) {
            return Err(Error::invalid("point of a contact", "must be finite"));
        }
        Ok(Self {
            point,
            cone: FrictionCone::new(normal, friction)?,
        })
    }

    /// What the first of two shapes can do to the second where they touch, half way between their surfaces;
    /// [`reflected`](Self::reflected) is what the second can do to the first.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// A crate on the ground stands on its four lower corners:
    ///
    /// ```
    /// use kinworld::contact::{Contact, level_support};
    /// use kinworld::geometry::{Geometry, Primitive, query};
    /// use kinworld::{Pose, Vector};
    ///
    /// let cuboid = |size| Primitive::cuboid(Pose::identity(), size).map(Geometry::from);
    /// let (ground, freight) = (cuboid(Vector::new(9.0, 9.0, 1.0))?, cuboid(Vector::new(0.6, 0.4, 1.0))?);
    /// let (here, above) = (Pose::identity(), Pose::translation(1.0, 2.0, 1.0));
    /// let touching = query::contacts((&ground, &here), (&freight, &above), 1e-6, 8)?;
    /// let feet = touching.iter().map(|touch| Contact::between(touch, 0.5));
    /// let support = level_support(&feet.collect::<Result<Vec<_>, _>>()?)?;
    /// assert!((support.area() - 0.24).abs() < 1e-9 && support.contains(1.0, 2.0));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn between(touch: &query::ContactPair, friction: f64) -> Result<Self> {
        let middle = nalgebra::center(&touch.point_a, &touch.point_b);
        Self::new(middle, touch.normal, friction)
    }

    /// The same contact as the other body feels it.
    #[must_use]
    pub fn reflected(&self) -> Self {
        Self {
            point: self.point,
            cone: self.cone.reflected(),
        }
    }
}
