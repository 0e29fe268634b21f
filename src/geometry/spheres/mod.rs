//! Approximation of a shape by spheres: around all of it, and inside it.

mod bounding;
mod cells;
mod cluster;
mod inner;

use super::{Geometry, PrimitiveKind, Shape, query};
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// Sphere: a centre and a radius in metres, in the frame of its shape.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The centre.
    pub center: Point,
    /// The radius.
    pub radius: f64,
}

/// Spheres that together contain a shape.
#[doc(alias = "sphere_tree")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SphereCover {
    /// The spheres; every point of the shape, its inside included where it is solid, is in one of them.
    pub spheres: Vec<Sphere>,
    /// Largest distance of the spheres from the shape, m, over 128 points on each of them.
    pub overshoot: f64,
}

/// The largest number of spheres for one shape.
const MAX: usize = 4096;

impl Geometry {
    /// At most `max` spheres that together contain the whole shape, its margin included.
    ///
    /// The shape is cut into small cells, each the hull of a few points: a sphere around those contains the cell.
    /// Neighbouring cells are merged, the smallest sphere first, until at most `max` are left, and then reassigned as
    /// long as that makes the spheres smaller. A shape that *is* spheres is returned as it is.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for `max` of 0 or above 4096, and for a shape farther than 1e50 m from its origin.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::{Geometry, Primitive};
    /// use kinworld::{Point, Pose, Vector};
    ///
    /// let plank = Primitive::cuboid(Pose::identity(), Vector::new(1.0, 0.1, 0.1))?;
    /// let cover = Geometry::from(plank).outer_spheres(10)?;
    /// assert_eq!(cover.spheres.len(), 10);
    ///
    /// // spheres around five pieces of 0.2 m would exceed their faces by 7.2 cm
    /// assert!(cover.overshoot < 0.072);
    /// let corner = Point::new(0.5, 0.05, 0.05);
    /// assert!(cover.spheres.iter().any(|s| (corner - s.center).norm() <= s.radius));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "sphere_tree")]
    #[doc(alias = "spherize")]
    #[doc(alias = "foam")]
    pub fn outer_spheres(&self, max: usize) -> Result<SphereCover> {
        let spheres = self.cover(max)?;
        let overshoot = match self.as_spheres() {
            Some(_) => 0.0,
            None => self.overshoot(&spheres)?,
        };
        Ok(SphereCover { spheres, overshoot })
    }

    /// The spheres of [`outer_spheres`](Self::outer_spheres), without the overshoot.
    pub(crate) fn cover(&self, max: usize) -> Result<Vec<Sphere>> {
        if !(1..=MAX).contains(&max) {
            let problem = format!("must be from 1 to {MAX}, got {max}");
            return Err(Error::invalid("the number of spheres", problem));
        }
        if let Some(spheres) = self.as_spheres() {
            return Ok(spheres);
        }
        Ok(match self.aabb(&Pose::identity()) {
            None => Vec::new(),
            Some(bounds) if bounds.min.coords.amax().max(bounds.max.coords.amax()) > FARTHEST => {
                let problem = format!("extends beyond {FARTHEST:e} m");
                return Err(Error::invalid("a shape for spheres", problem));
            }
            Some(_) => cluster::cover(&cells::cells(self, max), max),
        })
    }

    /// At most `max` spheres that lie wholly inside a solid shape, its margin included, the largest first; none in a
    /// surface, nor in a mesh with holes.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](Self::outer_spheres).
    pub fn inner_spheres(&self, max: usize) -> Result<Vec<Sphere>> {
        if let Some(spheres) = self.as_spheres() {
            return Ok(spheres);
        }
        if !self.is_solid() {
            return Ok(Vec::new());
        }
        inner::inner(self, max)
    }

    /// [`inner_spheres`](Self::inner_spheres), also those inside closed meshes of a surface: a connected body that reaches from one
    /// of these to outside of the shape touches it.
    pub(crate) fn enclosed_spheres(&self, max: usize) -> Result<Vec<Sphere>> {
        inner::inner(self, max)
    }

    /// The spheres that the shape consists of, `None` where it is anything else.
    #[must_use]
    pub fn as_spheres(&self) -> Option<Vec<Sphere>> {
        match self.shape() {
            Shape::Primitive(primitive) => match *primitive.kind() {
                PrimitiveKind::Sphere { center, radius } => Some(vec![Sphere {
                    center,
                    radius: radius + self.margin(),
                }]),
                _ => None,
            },
            Shape::Group(members) => {
                let of_member = |(pose, member): &(Pose, Self)| {
                    let mut spheres = member.as_spheres()?;
                    for sphere in &mut spheres {
                        sphere.center = pose * sphere.center;
                        sphere.radius += self.margin();
                    }
                    Some(spheres)
                };
                let spheres: Option<Vec<_>> = members.iter().map(of_member).collect();
                Some(spheres?.concat())
            }
            _ => None,
        }
    }

    /// Largest distance of spheres from the shape.
    fn overshoot(&self, spheres: &[Sphere]) -> Result<f64> {
        let here = Pose::identity();
        let mut farthest = 0.0_f64;
        for sphere in spheres {
            for direction in directions() {
                let p = sphere.center + direction * sphere.radius;
                let point = Self::from(super::Primitive::point(p)?);
                let distance = query::distance((self, &here), (&point, &here))?.distance;
                farthest = farthest.max(distance);
            }
        }
        Ok(farthest)
    }
}

/// Evenly distributed unit vectors: a Fibonacci lattice.
pub(super) fn directions() -> impl Iterator<Item = Vector> {
    (0..DIRECTIONS).map(|i| {
        let z = 1.0 - (2.0 * i as f64 + 1.0) / DIRECTIONS as f64;
        let (sin, cos) = (i as f64 * std::f64::consts::PI * (3.0 - 5.0_f64.sqrt())).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vector::new(r * cos, r * sin, z)
    })
}

const DIRECTIONS: usize = 128;

/// Lengths are cubed here.
const FARTHEST: f64 = 1e50;
