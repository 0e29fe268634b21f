//! Primitives: shapes described by a few numbers.

use super::bounds::Aabb;
use super::check::{check_direction, check_points, check_pose, check_size};
use super::polygon;
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// Solid or flat shape described by a few numbers; always valid, since only the constructors create one.
///
/// Solids are closed: a body wholly inside one collides with it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "PrimitiveKind", into = "PrimitiveKind")
)]
#[doc(alias = "GeometricPrimitive")]
pub struct Primitive {
    kind: PrimitiveKind,
}

/// Kind of a [`Primitive`] with its parameters, in metres in the geometry's frame.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PrimitiveKind {
    /// A box along the axes of the frame.
    Aabb(Aabb),
    /// A box.
    Box {
        /// The frame at the centre of the box, along its edges.
        pose: Pose,
        /// The edge lengths.
        size: Vector,
    },
    /// All points within `radius` of a segment.
    Capsule {
        /// One end of the segment.
        a: Point,
        /// The other end.
        b: Point,
        /// The radius.
        radius: f64,
    },
    /// A circular cylinder with flat ends.
    Cylinder {
        /// The centre, halfway between the ends.
        center: Point,
        /// The direction of the axis, of length 1.
        axis: Vector,
        /// The radius.
        radius: f64,
        /// The distance between the ends.
        height: f64,
    },
    /// An ellipsoid.
    Ellipsoid {
        /// The frame at the centre, along the half-axes.
        pose: Pose,
        /// The half-axes.
        radii: Vector,
    },
    /// A point.
    Point(Point),
    /// A flat polygon, convex or not: a surface, not a volume.
    Polygon {
        /// The vertices in order, not repeated at the end.
        vertices: Vec<Point>,
    },
    /// A segment.
    Segment {
        /// One end.
        a: Point,
        /// The other end.
        b: Point,
    },
    /// A sphere.
    Sphere {
        /// The centre.
        center: Point,
        /// The radius.
        radius: f64,
    },
    /// A triangle.
    Triangle {
        /// The first vertex.
        a: Point,
        /// The second vertex.
        b: Point,
        /// The third vertex.
        c: Point,
    },
}

impl Primitive {
    /// The kind and its parameters, to match on.
    #[must_use]
    #[inline]
    pub fn kind(&self) -> &PrimitiveKind {
        &self.kind
    }

    /// Creates a point.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite.
    pub fn point(p: Point) -> Result<Self> {
        PrimitiveKind::Point(p).try_into()
    }

    /// Creates a segment; both ends may be the same point.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite.
    pub fn segment(a: Point, b: Point) -> Result<Self> {
        PrimitiveKind::Segment { a, b }.try_into()
    }

    /// Creates a triangle, which may be degenerate.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite.
    pub fn triangle(a: Point, b: Point, c: Point) -> Result<Self> {
        PrimitiveKind::Triangle { a, b, c }.try_into()
    }

    /// Creates a flat polygon from its vertices in order, convex or not.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, fewer than three vertices, vertices farther off their plane
    /// than a millionth of the polygon's size, no area, or edges that cross.
    pub fn polygon(vertices: Vec<Point>) -> Result<Self> {
        PrimitiveKind::Polygon { vertices }.try_into()
    }

    /// Creates a sphere.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a radius that is not positive.
    pub fn sphere(center: Point, radius: f64) -> Result<Self> {
        PrimitiveKind::Sphere { center, radius }.try_into()
    }

    /// Creates a box from the frame at its **centre** and its edge lengths, as in URDF.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, sizes that are not positive or a pose whose matrix is no
    /// rotation.
    #[doc(alias = "box")]
    pub fn cuboid(pose: Pose, size: Vector) -> Result<Self> {
        PrimitiveKind::Box { pose, size }.try_into()
    }

    /// Creates a box along the axes of the frame from two opposite corners.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a `min` above `max`.
    pub fn aabb(min: Point, max: Point) -> Result<Self> {
        PrimitiveKind::Aabb(Aabb { min, max }).try_into()
    }

    /// Creates a cylinder from its **centre**, the direction of its axis, its radius and its height.
    ///
    /// A URDF cylinder has its centre at the origin and the axis z; a `.geom` file gives the centre of the *base*
    /// instead.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, sizes that are not positive or an axis without a direction.
    pub fn cylinder(center: Point, axis: Vector, radius: f64, height: f64) -> Result<Self> {
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        }
        .try_into()
    }

    /// Creates a capsule: all points within `radius` of the segment from `a` to `b`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a radius that is not positive.
    pub fn capsule(a: Point, b: Point, radius: f64) -> Result<Self> {
        PrimitiveKind::Capsule { a, b, radius }.try_into()
    }

    /// Creates an ellipsoid from the frame at its centre and its half-axes.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, radii that are not positive or a pose whose matrix is no
    /// rotation.
    pub fn ellipsoid(pose: Pose, radii: Vector) -> Result<Self> {
        PrimitiveKind::Ellipsoid { pose, radii }.try_into()
    }

    /// Name of the kind in messages: `sphere`, `box`, ...
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }
}

impl PrimitiveKind {
    /// Name of the kind in messages: `sphere`, `box`, ...
    fn name(&self) -> &'static str {
        match self {
            Self::Aabb(_) => "axis-aligned box",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Ellipsoid { .. } => "ellipsoid",
            Self::Point(_) => "point",
            Self::Polygon { .. } => "polygon",
            Self::Segment { .. } => "segment",
            Self::Sphere { .. } => "sphere",
            Self::Triangle { .. } => "triangle",
        }
    }
}

impl TryFrom<PrimitiveKind> for Primitive {
    type Error = Error;

    /// Validates the parameters.
    fn try_from(mut kind: PrimitiveKind) -> Result<Self> {
        let what = kind.name();
        match &mut kind {
            PrimitiveKind::Point(p) => check_points(what, &[*p])?,
            PrimitiveKind::Segment { a, b } => check_points(what, &[*a, *b])?,
            PrimitiveKind::Triangle { a, b, c } => check_points(what, &[*a, *b, *c])?,
            PrimitiveKind::Polygon { vertices } => polygon::check(vertices)?,
            PrimitiveKind::Aabb(Aabb { min, max }) => {
                check_points(what, &[*min, *max])?;
                if (0..3).any(|k| min[k] > max[k]) {
                    return Err(Error::invalid(
                        what,
                        "its lower corner is above its upper one",
                    ));
                }
            }
            PrimitiveKind::Sphere { center, radius } => {
                check_points(what, &[*center])?;
                check_size(what, "radius", *radius)?;
            }
            PrimitiveKind::Capsule { a, b, radius } => {
                check_points(what, &[*a, *b])?;
                check_size(what, "radius", *radius)?;
            }
            PrimitiveKind::Box {
                pose,
                size: lengths,
            } => {
                check_pose(what, pose)?;
                lengths
                    .iter()
                    .try_for_each(|&l| check_size(what, "size", l))?;
            }
            PrimitiveKind::Ellipsoid { pose, radii } => {
                check_pose(what, pose)?;
                radii
                    .iter()
                    .try_for_each(|&r| check_size(what, "radius", r))?;
            }
            PrimitiveKind::Cylinder {
                center,
                axis,
                radius,
                height,
            } => {
                check_points(what, &[*center])?;
                check_size(what, "radius", *radius)?;
                check_size(what, "height", *height)?;
                *axis = check_direction(what, axis)?;
            }
        }
        Ok(Self { kind })
    }
}

impl From<Primitive> for PrimitiveKind {
    fn from(primitive: Primitive) -> Self {
        primitive.kind
    }
}
