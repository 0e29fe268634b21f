//! Primitives: the shapes that a few numbers describe.

use super::bounds::Aabb;
use super::check::{check_direction, check_points, check_pose, check_size};
use super::polygon;
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// A solid or flat shape described by a few numbers; always valid, since only the constructors make one.
///
/// Solids are closed: a body wholly inside one collides with it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "PrimitiveKind", into = "PrimitiveKind")
)]
pub struct Primitive {
    kind: PrimitiveKind,
}

/// What a [`Primitive`] is, and its numbers in metres in the geometry's frame.
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
        /// The whole lengths of the edges.
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
        /// The middle of the axis: halfway between the ends.
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
    /// A flat polygon, convex or not, without its inside being a volume.
    Polygon {
        /// The corners in order, not repeated at the end.
        vertices: Vec<Point>,
    },
    /// A segment.
    Segment {
        /// One end.
        a: Point,
        /// The other end.
        b: Point,
    },
    /// A ball.
    Sphere {
        /// The centre.
        center: Point,
        /// The radius.
        radius: f64,
    },
    /// A triangle.
    Triangle {
        /// The first corner.
        a: Point,
        /// The second corner.
        b: Point,
        /// The third corner.
        c: Point,
    },
}

impl Primitive {
    /// What it is, to match on.
    #[must_use]
    pub fn kind(&self) -> &PrimitiveKind {
        &self.kind
    }

    /// A point.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite.
    pub fn point(p: Point) -> Result<Self> {
        PrimitiveKind::Point(p).try_into()
    }

    /// A segment; both ends may be the same point.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite.
    pub fn segment(a: Point, b: Point) -> Result<Self> {
        PrimitiveKind::Segment { a, b }.try_into()
    }

    /// A triangle, which may be degenerate.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite.
    pub fn triangle(a: Point, b: Point, c: Point) -> Result<Self> {
        PrimitiveKind::Triangle { a, b, c }.try_into()
    }

    /// A flat polygon from its corners in order, convex or not.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, fewer than three corners, corners farther off their plane
    /// than a millionth of the polygon's size, no area, or edges that cross.
    pub fn polygon(vertices: Vec<Point>) -> Result<Self> {
        PrimitiveKind::Polygon { vertices }.try_into()
    }

    /// A ball.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a radius that is not positive.
    pub fn sphere(center: Point, radius: f64) -> Result<Self> {
        PrimitiveKind::Sphere { center, radius }.try_into()
    }

    /// A box by the frame at its **centre** and the whole lengths of its edges, as URDF has it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, sizes that are not positive or a pose that does not rotate.
    pub fn cuboid(pose: Pose, size: Vector) -> Result<Self> {
        PrimitiveKind::Box { pose, size }.try_into()
    }

    /// A box along the axes of the frame, by two opposite corners.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a `min` above `max`.
    pub fn aabb(min: Point, max: Point) -> Result<Self> {
        PrimitiveKind::Aabb(Aabb { min, max }).try_into()
    }

    /// A cylinder by the **middle** of its axis, the direction of the axis, its radius and its whole height.
    ///
    /// A URDF cylinder has its middle at the origin and the axis z; a `.geom` file names the centre of the *base* instead.
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

    /// All points within `radius` of the segment from `a` to `b`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a radius that is not positive.
    pub fn capsule(a: Point, b: Point, radius: f64) -> Result<Self> {
        PrimitiveKind::Capsule { a, b, radius }.try_into()
    }

    /// An ellipsoid by the frame at its centre and its half-axes.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, radii that are not positive or a pose that does not rotate.
    pub fn ellipsoid(pose: Pose, radii: Vector) -> Result<Self> {
        PrimitiveKind::Ellipsoid { pose, radii }.try_into()
    }

    /// The name in messages: `sphere`, `box`, ...
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.name()
    }
}

impl PrimitiveKind {
    /// The name in messages: `sphere`, `box`, ...
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

    /// A primitive whose numbers are checked.
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
