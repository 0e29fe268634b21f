//! Contacts with friction: friction cones, equilibrium, force closure, support polygons. Layer 3, beside `kinematics` and
//! `dynamics`.
//!
//! A [`ContactPoint`] exerts a unilateral force on a body: any force along its normal, and tangential forces within Coulomb's
//! friction cone. All is in world axes. Functions that need a solver (small second-order cone programs, by the crate
//! `clarabel`) are behind the feature `contact`.
//!
//! | result | item | solver |
//! |---|---|---|
//! | admissible contact forces, and projection on them | [`FrictionCone`] | |
//! | net wrench of contact forces, and its matrix | [`net_wrench`], [`grasp_matrix`] | |
//! | generalised forces of contact forces, `Σ Jᵀ f` | [`joint_forces`] | |
//! | support polygon on level ground | [`level_support`] | |
//! | support polygon on any ground | `support_polygon` | yes |
//! | contact forces that balance a load | `equilibrium` | yes |
//! | force closure of a grasp | `force_closure` | yes |
//! | static equilibrium of a robot, with motor forces | `robot_equilibrium` | yes |
//!
//! Sources: Murray, Li, Sastry, "A Mathematical Introduction to Robotic Manipulation" (1994), chapter 5; Bretl, Lall, "Testing
//! static equilibrium for legged robots" (2008).
//!
//! # Examples
//!
//! ```
//! use kinworld::contact::{ContactPoint, level_support};
//! use kinworld::{Point, Vector};
//!
//! // a foot on rubber: contact forces up to 45° from the normal
//! let foot = ContactPoint::new(Point::origin(), Vector::z(), 1.0)?;
//! assert!(foot.cone.contains(&Vector::new(3.0, -4.0, 5.0)));
//! assert!(!foot.cone.contains(&Vector::new(3.0, -4.0, 4.9)));
//!
//! // a stool stands while its centre of mass is above the triangle of its feet
//! let feet = [(0.0, 0.0), (0.3, 0.0), (0.0, 0.4)];
//! let feet = feet.map(|(x, y)| ContactPoint::new(Point::new(x, y, 0.0), Vector::z(), 0.5));
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
pub use closure::{GraspSpace, closure_margin, force_closure};
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

/// A point contact on a body, with its friction cone.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ContactPoint {
    /// Position, m in the world.
    pub point: Point,
    /// Forces that it can exert on the body.
    pub cone: FrictionCone,
}

impl ContactPoint {
    /// A contact whose normal points into the body that it acts on; the length of the normal does not matter.
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

    /// The contact by which the first of two shapes acts on the second, midway between their surfaces;
    /// [`reflected`](Self::reflected) gives that of the second on the first.
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
    /// use kinworld::contact::{ContactPoint, level_support};
    /// use kinworld::geometry::{Geometry, Primitive, query};
    /// use kinworld::{Pose, Vector};
    ///
    /// let cuboid = |size| Primitive::cuboid(Pose::identity(), size).map(Geometry::from);
    /// let (ground, freight) = (cuboid(Vector::new(9.0, 9.0, 1.0))?, cuboid(Vector::new(0.6, 0.4, 1.0))?);
    /// let (here, above) = (Pose::identity(), Pose::translation(1.0, 2.0, 1.0));
    /// let touching = query::contacts((&ground, &here), (&freight, &above), 1e-6, 8)?;
    /// let feet = touching.iter().map(|pair| ContactPoint::between(pair, 0.5));
    /// let support = level_support(&feet.collect::<Result<Vec<_>, _>>()?)?;
    /// assert!((support.area() - 0.24).abs() < 1e-9 && support.contains(1.0, 2.0));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn between(pair: &query::ContactPair, friction: f64) -> Result<Self> {
        let middle = nalgebra::center(&pair.point_a, &pair.point_b);
        Self::new(middle, pair.normal, friction)
    }

    /// The same contact, acting on the other body.
    #[must_use]
    pub fn reflected(&self) -> Self {
        Self {
            point: self.point,
            cone: self.cone.reflected(),
        }
    }
}
