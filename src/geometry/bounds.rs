//! Bounding boxes of geometries.

use super::primitive::PrimitiveKind;
use super::{Geometry, Shape};
use crate::math::{Point, Pose, Vector};

/// Axis-aligned box in some frame.
#[doc(alias = "AABB")]
#[doc(alias = "bounding_box")]
#[doc(alias = "BoundingBox")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// The lower corner, m.
    pub min: Point,
    /// The upper corner, m.
    pub max: Point,
}

impl Aabb {
    /// The smallest box around points, `None` where there are none.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        // two boxes in turns: each comparison waits for the one before it
        let mut boxes = [Self::NOTHING; 2];
        boxes[0].extend(&first, &first);
        while let Some(p) = points.next() {
            boxes[1].extend(&p, &p);
            let Some(p) = points.next() else { break };
            boxes[0].extend(&p, &p);
        }
        let [mut around, other] = boxes;
        around.extend(&other.min, &other.max);
        Some(around)
    }

    /// The box around nothing, to be [extended](Self::extend).
    pub(super) const NOTHING: Self = Self {
        min: Point::new(f64::INFINITY, f64::INFINITY, f64::INFINITY),
        max: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY),
    };

    /// Takes in a box; a corner that is not a number is ignored.
    #[inline]
    pub(super) fn extend(&mut self, min: &Point, max: &Point) {
        for k in 0..3 {
            // comparisons that are an instruction each, unlike `f64::min`
            let (low, high) = (min[k], max[k]);
            self.min[k] = if low < self.min[k] { low } else { self.min[k] };
            self.max[k] = if high > self.max[k] {
                high
            } else {
                self.max[k]
            };
        }
    }

    /// The smallest box around both boxes.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// The centre.
    #[must_use]
    #[inline]
    pub fn center(&self) -> Point {
        nalgebra::center(&self.min, &self.max)
    }

    /// Half the edge lengths, m.
    #[must_use]
    #[inline]
    pub fn half_size(&self) -> Vector {
        (self.max - self.min) * 0.5
    }

    /// The eight corners.
    #[must_use]
    #[inline]
    pub fn corners(&self) -> [Point; 8] {
        let ends = [self.min, self.max];
        std::array::from_fn(|i| Point::from([0, 1, 2].map(|k| ends[i >> k & 1][k])))
    }

    /// The box inflated by `margin` on every side.
    #[doc(alias = "loosened")]
    #[doc(alias = "expand")]
    #[must_use]
    #[inline]
    pub fn inflated(&self, margin: f64) -> Self {
        let d = Vector::repeat(margin);
        Self {
            min: self.min - d,
            max: self.max + d,
        }
    }

    /// Distance between two boxes, m: 0 where they overlap or touch.
    #[must_use]
    #[inline]
    pub fn separation(&self, other: &Self) -> f64 {
        let difference = (self.min - other.max).sup(&(other.min - self.max));
        difference.map(|d| d.max(0.0)).norm()
    }

    /// Returns whether the boxes share a point; touching counts.
    #[doc(alias = "intersects")]
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Returns whether a point is inside or on the boundary.
    #[must_use]
    #[inline]
    pub fn contains(&self, p: &Point) -> bool {
        (0..3).all(|k| self.min[k] <= p[k] && p[k] <= self.max[k])
    }

    /// Axis-aligned box in the world around this box at a pose.
    #[must_use]
    #[inline]
    pub fn transformed(&self, pose: &Pose) -> Self {
        let c = pose * self.center();
        let h = pose.rotation.matrix().abs() * self.half_size();
        Self {
            min: c - h,
            max: c + h,
        }
    }
}

impl Geometry {
    /// Axis-aligned box in the world around the shape at a pose, its margin included; `None` for an empty shape.
    ///
    /// Fast and conservative rather than tight: the box of the rotated box, with room for rounding, so that shapes with
    /// disjoint boxes do not touch. See [`aabb_tight`](Self::aabb_tight).
    #[doc(alias = "getBB")]
    #[doc(alias = "computeLocalAABB")]
    #[must_use]
    #[inline]
    pub fn aabb(&self, pose: &Pose) -> Option<Aabb> {
        let (bounds, radius) = self.extent()?;
        let rounding = 32.0 * f64::EPSILON * (radius + pose.translation.vector.norm());
        let around = bounds.transformed(pose);
        Some(around.inflated(self.margin() + rounding))
    }

    /// A box around the shape in its own frame, margin excluded, and the largest distance of any point from the origin of the
    /// frame; that of a cloud needs no tree.
    #[inline]
    pub(super) fn extent(&self) -> Option<(Aabb, f64)> {
        if let Shape::Cloud(cloud) = self.shape() {
            let around = || Aabb::around(cloud.points().iter().copied());
            let bounds = (*self.inner.bounds.get_or_init(around))?;
            let corner = bounds.center().coords.abs() + bounds.half_size();
            return Some((bounds, corner.norm()));
        }
        let body = self.body();
        Some((body.bounds()?, body.bounding_radius))
    }

    /// The smallest axis-aligned box in the world around the shape at a pose, without margins; `None` for an empty
    /// shape.
    #[doc(alias = "getBBTight")]
    #[must_use]
    pub fn aabb_tight(&self, pose: &Pose) -> Option<Aabb> {
        match self.shape() {
            Shape::Mesh(mesh) => Aabb::around(mesh.triangle_vertices().flatten().map(|p| pose * p)),
            Shape::Hull(hull) => Aabb::around(hull.vertices().iter().map(|p| pose * p)),
            Shape::Cloud(cloud) => Aabb::around(cloud.points().iter().map(|p| pose * p)),
            Shape::Primitive(primitive) => Some(primitive_box(primitive.kind(), pose)),
            Shape::Group(members) => members
                .iter()
                .filter_map(|(x, member)| member.aabb_tight(&(pose * x)))
                .reduce(|a, b| a.union(&b)),
        }
    }
}

fn primitive_box(kind: &PrimitiveKind, pose: &Pose) -> Aabb {
    let r = pose.rotation.matrix();
    let around = |center: Point, half: Vector| Aabb {
        min: center - half,
        max: center + half,
    };
    let all = |points: &[Point]| {
        Aabb::around(points.iter().map(|p| pose * p)).expect("a primitive has a point")
    };
    match kind {
        PrimitiveKind::Point(p) => all(&[*p]),
        PrimitiveKind::Segment { a, b } => all(&[*a, *b]),
        PrimitiveKind::Triangle { a, b, c } => all(&[*a, *b, *c]),
        PrimitiveKind::Polygon { vertices } => all(vertices),
        PrimitiveKind::Sphere { center, radius } => around(pose * center, Vector::repeat(*radius)),
        PrimitiveKind::Capsule { a, b, radius } => all(&[*a, *b]).inflated(*radius),
        PrimitiveKind::Aabb(aabb) => aabb.transformed(pose),
        PrimitiveKind::Box { pose: x, size } => {
            let axes = r * x.rotation.matrix();
            around(
                pose * Point::from(x.translation.vector),
                axes.abs() * (size * 0.5),
            )
        }
        PrimitiveKind::Ellipsoid { pose: x, radii } => {
            let axes = r * x.rotation.matrix();
            let half = Vector::from_fn(|k, _| axes.row(k).transpose().component_mul(radii).norm());
            around(pose * Point::from(x.translation.vector), half)
        }
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => {
            let axis = pose * axis;
            // the extent of a disc is r·sin of the angle between its axis and the direction
            let half =
                axis.map(|c| radius * (1.0 - c * c).max(0.0).sqrt() + 0.5 * height * c.abs());
            around(pose * center, half)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Aabb;
    use crate::math::{Point, SplitMix};

    #[test]
    fn a_box_around_points_has_their_least_and_largest_coordinates() {
        assert!(Aabb::around([]).is_none());
        let mut random = SplitMix::new(5);
        for count in 1..20 {
            let mut point = |_| Point::from([(); 3].map(|()| 2.0 * random.uniform() - 1.0));
            let points: Vec<Point> = (0..count).map(&mut point).collect();
            let found = Aabb::around(points.iter().copied()).expect("there are points");
            for k in 0..3 {
                let mut along: Vec<f64> = points.iter().map(|p| p[k]).collect();
                along.sort_by(f64::total_cmp);
                let ends = [along[0], along[count - 1]].map(f64::to_bits);
                assert_eq!([found.min[k], found.max[k]].map(f64::to_bits), ends);
            }
        }
    }
}
