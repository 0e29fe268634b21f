//! Convex pieces, of which every shape is composed.

use super::gjk::Support;
use super::hull_vertices::HullVertices;
use crate::geometry::Aabb;
use crate::math::{Point, Pose, Rotation, Vector};

/// A convex core inflated by a radius, in the frame of its body.
#[derive(Debug, Clone)]
pub(in crate::geometry) struct Piece {
    pub(in crate::geometry) core: Core,
    /// Inflation of the core that belongs to the shape.
    pub(in crate::geometry) radius: f64,
    /// Sum of the margins of group members.
    pub(in crate::geometry) margin: f64,
    /// The index in [`Body::parts`](super::Body::parts).
    pub(in crate::geometry) part: u32,
    /// The triangle of a mesh, or the point of a cloud.
    pub(in crate::geometry) element: u32,
}

/// The core of a piece.
#[derive(Debug, Clone)]
pub(in crate::geometry) enum Core {
    Point([Point; 1]),
    Segment([Point; 2]),
    Triangle([Point; 3]),
    Convex(Box<Convex>),
}

/// A convex solid, given by its support mapping.
#[derive(Debug, Clone)]
pub(in crate::geometry) enum Convex {
    Cuboid {
        center: Point,
        axes: Rotation,
        half: Vector,
    },
    Cylinder {
        center: Point,
        axis: Vector,
        radius: f64,
        half: f64,
    },
    Ellipsoid {
        center: Point,
        axes: Rotation,
        radii: Vector,
    },
    Hull {
        vertices: HullVertices,
        /// Outward unit normals and offsets: inside is `n · p <= d`.
        planes: Vec<(Vector, f64)>,
    },
}

impl Piece {
    /// Radius plus margin.
    #[inline]
    pub(super) fn inflation(&self) -> f64 {
        self.radius + self.margin
    }

    /// The farthest point of the shape in a unit direction, margin excluded.
    #[inline]
    pub(in crate::geometry) fn support(&self, direction: &Vector) -> Point {
        self.core.support(direction) + direction * self.radius
    }

    /// The centre of its box.
    pub(in crate::geometry) fn middle(&self) -> Point {
        self.aabb().center()
    }

    /// Returns whether the piece is a point, a segment or a triangle, and no convex solid.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.core.vertices().is_some()
    }

    /// A box around the piece with its margin.
    pub(super) fn aabb(&self) -> Aabb {
        let far = |k: usize, sign: f64| self.core.support(&(Vector::ith(k, sign)))[k];
        let aabb = Aabb {
            min: [0, 1, 2].map(|k| far(k, -1.0)).into(),
            max: [0, 1, 2].map(|k| far(k, 1.0)).into(),
        };
        aabb.inflated(self.inflation())
    }
}

impl Core {
    /// The vertices of a point, segment or triangle, `None` for a convex solid.
    #[inline]
    pub(in crate::geometry) fn vertices(&self) -> Option<&[Point]> {
        match self {
            Self::Point(p) => Some(p),
            Self::Segment(p) => Some(p),
            Self::Triangle(p) => Some(p),
            Self::Convex(_) => None,
        }
    }
}

impl Core {
    /// Support value: the largest coordinate along a direction.
    #[inline]
    pub(super) fn support_value(&self, direction: &Vector) -> f64 {
        match self {
            Self::Triangle([p, q, r]) => {
                let along = |p: &Point| direction.dot(&p.coords);
                let [p, q, r] = [along(p), along(q), along(r)];
                p.max(q).max(r)
            }
            _ => direction.dot(&self.support(direction).coords),
        }
    }
}

impl Support for Core {
    #[inline]
    fn center(&self) -> Point {
        match self {
            Self::Point([p]) | Self::Segment([p, _]) | Self::Triangle([p, _, _]) => *p,
            Self::Convex(convex) => match &**convex {
                Convex::Cuboid { center, .. }
                | Convex::Cylinder { center, .. }
                | Convex::Ellipsoid { center, .. } => *center,
                Convex::Hull { vertices, .. } => vertices.center(),
            },
        }
    }

    #[inline]
    fn is_round(&self) -> bool {
        match self {
            Self::Convex(convex) => {
                matches!(**convex, Convex::Cylinder { .. } | Convex::Ellipsoid { .. })
            }
            _ => false,
        }
    }

    #[inline]
    fn support(&self, direction: &Vector) -> Point {
        match self {
            Self::Point([p]) => *p,
            Self::Segment(vertices) => farthest(vertices, direction),
            Self::Triangle(vertices) => farthest(vertices, direction),
            Self::Convex(convex) => convex.support(direction),
        }
    }
}

impl Convex {
    /// A box from the frame at its centre and its edge lengths.
    pub(super) fn cuboid(pose: &Pose, size: &Vector) -> Self {
        Self::Cuboid {
            center: pose.translation.vector.into(),
            axes: pose.rotation,
            half: size * 0.5,
        }
    }

    #[inline]
    fn support(&self, direction: &Vector) -> Point {
        match self {
            Self::Cuboid { center, axes, half } => {
                let local = axes.inverse_transform_vector(direction);
                center + axes * local.zip_map(half, |d, h| h.copysign(d))
            }
            Self::Cylinder {
                center,
                axis,
                radius,
                half,
            } => {
                let along = axis.dot(direction);
                let across = direction - axis * along;
                // orthogonalized twice: of a direction along the axis only rounding is left, which may point anywhere
                let across = across - axis * axis.dot(&across);
                let length = across.norm();
                let rim = if length > 0.0 {
                    across * (radius / length)
                } else {
                    Vector::zeros()
                };
                center + axis * half.copysign(along) + rim
            }
            Self::Ellipsoid {
                center,
                axes,
                radii,
            } => {
                let on_sphere = axes
                    .inverse_transform_vector(direction)
                    .component_mul(radii);
                let length = on_sphere.norm().max(f64::MIN_POSITIVE);
                center + axes * on_sphere.component_mul(radii) / length
            }
            Self::Hull { vertices, .. } => vertices.points()[vertices.farthest(direction) as usize],
        }
    }
}

#[inline]
fn farthest(points: &[Point], direction: &Vector) -> Point {
    let (mut best, mut most) = (points[0], f64::NEG_INFINITY);
    for p in points {
        let d = p.coords.dot(direction);
        if d > most {
            (best, most) = (*p, d);
        }
    }
    best
}
