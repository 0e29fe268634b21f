//! Balls in place of a shape: around all of it, and inside of it.

mod ball;
mod cells;
mod cluster;
mod inner;

use super::{Geometry, PrimitiveKind, Shape, query};
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// A ball: a centre and a radius in metres, in the frame of the shape that it stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// The centre.
    pub center: Point,
    /// The radius.
    pub radius: f64,
}

/// Balls that hold all of a shape.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SphereCover {
    /// The balls; every point of the shape, its inside included where it is solid, is in one of them.
    pub spheres: Vec<Sphere>,
    /// How far the balls reach beyond the shape, m: the farthest of 128 points on each of them.
    pub overshoot: f64,
}

/// The most balls for one shape.
const MOST: usize = 4096;

impl Geometry {
    /// At most `most` balls that together hold the whole shape, its margin included.
    ///
    /// The shape is cut into small cells; what lies in a cell is the hull of a few points, and a ball that holds those
    /// holds it. Neighbouring cells are joined, the smallest ball first, until few enough are left, and then change
    /// between balls as long as that makes these smaller. Around a shape that *is* balls these are returned as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for `most` of 0 or above 4096, and for a shape that reaches out of the numbers.
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
    /// // balls around five pieces of 0.2 m would reach 7.2 cm beyond their faces
    /// assert!(cover.overshoot < 0.072);
    /// let corner = Point::new(0.5, 0.05, 0.05);
    /// assert!(cover.spheres.iter().any(|s| (corner - s.center).norm() <= s.radius));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn outer_spheres(&self, most: usize) -> Result<SphereCover> {
        let spheres = self.cover(most)?;
        let overshoot = match self.as_spheres() {
            Some(_) => 0.0,
            None => self.overshoot(&spheres)?,
        };
        Ok(SphereCover { spheres, overshoot })
    }

    /// The balls of [`outer_spheres`](Self::outer_spheres), without a measure of how well they fit.
    pub(crate) fn cover(&self, most: usize) -> Result<Vec<Sphere>> {
        if !(1..=MOST).contains(&most) {
            let problem = format!("must be from 1 to {MOST}, got {most}");
            return Err(Error::invalid("the number of spheres", problem));
        }
        if let Some(spheres) = self.as_spheres() {
            return Ok(spheres);
        }
        Ok(match self.aabb(&Pose::identity()) {
            None => Vec::new(),
            Some(bounds) if bounds.min.coords.amax().max(bounds.max.coords.amax()) > FARTHEST => {
                let problem = format!("reaches farther than {FARTHEST:e} m");
                return Err(Error::invalid("a shape for spheres", problem));
            }
            Some(_) => cluster::cover(&cells::cells(self, most), most),
        })
    }

    /// At most `most` balls that lie wholly inside a solid shape, its margin included, the largest first; none in a
    /// surface.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](Self::outer_spheres).
    pub fn inner_spheres(&self, most: usize) -> Result<Vec<Sphere>> {
        if let Some(spheres) = self.as_spheres() {
            return Ok(spheres);
        }
        if !self.is_solid() {
            return Ok(Vec::new());
        }
        inner::inner(self, most)
    }

    /// The balls that the shape is, `None` where it is something else.
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

    /// How far balls reach beyond the shape.
    fn overshoot(&self, spheres: &[Sphere]) -> Result<f64> {
        let here = Pose::identity();
        let mut farthest = 0.0_f64;
        for sphere in spheres {
            for direction in directions() {
                let p = sphere.center + direction * sphere.radius;
                let point = Self::from(super::Primitive::point(p)?);
                let gap = query::distance((self, &here), (&point, &here))?.distance;
                farthest = farthest.max(gap);
            }
        }
        Ok(farthest)
    }
}

/// Directions spread evenly over all: a Fibonacci lattice.
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
