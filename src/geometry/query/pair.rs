//! Shapes at their poses, ready to be compared.

use std::cmp::Ordering;

use super::{At, Distance};
use crate::geometry::check::orthonormal;
use crate::geometry::narrow::{self, Body, Core, Frame, Near, Part, Piece};
use crate::geometry::{Geometry, Shape};
use crate::math::{Point, Pose, Vector};

/// A shape at an orthonormal pose.
pub(super) struct Placement<'a> {
    pub(super) geometry: &'a Geometry,
    pub(super) body: &'a Body,
    pub(super) pose: Pose,
}

/// Two shapes in canonical order, so that results are symmetric to the last bit.
pub(super) struct Pair<'a> {
    pub(super) a: Placement<'a>,
    pub(super) b: Placement<'a>,
    pub(super) frame: Frame,
    /// True if `a` is the second argument of the query.
    pub(super) swapped: bool,
}

impl<'a> Placement<'a> {
    #[inline]
    pub(super) fn new((geometry, pose): At<'a>) -> Self {
        Self {
            geometry,
            body: geometry.body(),
            pose: orthonormal(pose),
        }
    }

    /// Returns whether a point in the world is inside a solid or on its surface.
    pub(super) fn contains(&self, point: &Point) -> bool {
        let p = self.pose.inverse_transform_point(point);
        let world = point.coords.norm() + self.pose.translation.vector.norm();
        let tolerance =
            f64::EPSILON * (16.0 * (self.body.bounding_radius + p.coords.norm()) + 2.0 * world);
        let filled = |piece: &Piece| match piece.core {
            Core::Convex(_) => true,
            Core::Triangle(_) => self.is_solid_mesh(&self.body.parts[piece.part as usize]),
            Core::Point(_) | Core::Segment(_) => piece.radius > 0.0,
        };
        self.encloses(&p) || self.body.any_at(&p, tolerance, filled)
    }

    /// Indices of the group member and of the element of a piece.
    #[inline]
    pub(super) fn element(&self, piece: &Piece) -> (usize, usize) {
        let member = self.body.parts[piece.part as usize].member;
        (member as usize, piece.element as usize)
    }

    /// Returns whether a point in the shape's frame is enclosed by a mesh that is marked as solid.
    fn encloses(&self, p: &Point) -> bool {
        (0_u32..).zip(&self.body.parts).any(|(i, part)| {
            self.is_solid_mesh(part)
                && part.bounds.is_some_and(|b| b.contains(p))
                && self.body.winding_number(i, p).abs() > 0.5
        })
    }

    #[inline]
    fn is_solid_mesh(&self, part: &Part) -> bool {
        // a mesh of its own is marked on the handle, a member of a group within the body
        part.solid || matches!(self.geometry.shape(), Shape::Mesh(_)) && self.geometry.is_solid()
    }

    /// Returns whether a connected part of another shape, whose surface does not touch this one, is inside a solid
    /// mesh.
    fn holds_a_part_of(&self, other: &Self) -> bool {
        if !self.body.parts.iter().any(|part| self.is_solid_mesh(part)) {
            return false;
        }
        let x = self.pose.inv_mul(&other.pose);
        other.body.anchors().iter().any(|p| self.encloses(&(x * p)))
    }
}

impl<'a> Pair<'a> {
    #[inline]
    pub(super) fn new(a: At<'a>, b: At<'a>) -> Self {
        let (a, b) = (Placement::new(a), Placement::new(b));
        let swapped = order(&a, &b) == Ordering::Greater;
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        let margins = a.geometry.margin() + b.geometry.margin();
        let frame = Frame::new((a.body, &a.pose), (b.body, &b.pose), margins);
        Self {
            a,
            b,
            frame,
            swapped,
        }
    }

    /// Returns whether the distance is at most `d`, which must not be negative.
    #[inline]
    pub(super) fn is_within(&self, d: f64) -> bool {
        self.judge(d, |limit| {
            narrow::any_near(&self.frame, self.a.body, self.b.body, limit)
        })
    }

    /// [`is_within`](Self::is_within) with a cached separating direction: faster where the shapes are still separated
    /// along `last`, a unit vector in the world from the first shape to the second, or zero. `last` is updated where a
    /// new direction had to be computed.
    #[inline]
    pub(super) fn is_within_from(&self, d: f64, last: &mut Vector) -> bool {
        let sign = if self.swapped { -1.0 } else { 1.0 };
        let rotation = &self.a.pose.rotation;
        let in_a = rotation.inverse_transform_vector(last) * sign;
        self.judge(d, |limit| {
            let (a, b) = (self.a.body, self.b.body);
            let found = narrow::any_near_from(&self.frame, a, b, limit, &in_a);
            if let Err(Some(direction)) = found {
                *last = rotation * direction * sign;
            }
            found.ok()
        })
    }

    /// Returns whether the distance is at most `d`, given a function that finds two pieces within a limit and returns
    /// their separation.
    fn judge(&self, d: f64, any_near: impl FnOnce(f64) -> Option<f64>) -> bool {
        // an empty shape is infinitely far from everything, and yet within an infinite distance
        if d.is_infinite() {
            return true;
        }
        let tolerance = self.frame.tolerance;
        let limit = tolerance.max(d);
        match any_near(limit) {
            None => self.is_nested(),
            Some(separation)
                if separation <= tolerance || separation <= limit - 4.0 * tolerance =>
            {
                true
            }
            // so close to the limit the distance decides, which may be that of another pair
            Some(_) => self.distance().distance <= d,
        }
    }

    pub(super) fn distance(&self) -> Distance {
        let (tolerance, body_a, body_b) = (self.frame.tolerance, self.a.body, self.b.body);
        let answer = |distance: f64, points: Option<[Point; 2]>| Distance {
            distance,
            on_a: points.map(|p| p[0]),
            on_b: points.map(|p| p[1]),
        };
        match narrow::nearest(&self.frame, body_a, body_b, tolerance) {
            None => answer(f64::INFINITY, None),
            Some(near) if near.separation <= tolerance || self.is_nested() => answer(0.0, None),
            Some(near) => answer(near.separation, Some(self.in_world(&near))),
        }
    }

    /// The closest points in the world, in the order of the arguments.
    #[inline]
    pub(super) fn in_world(&self, near: &Near) -> [Point; 2] {
        let (on_a, on_b) = (self.a.pose * near.on_a, self.a.pose * near.on_b);
        if self.swapped {
            [on_b, on_a]
        } else {
            [on_a, on_b]
        }
    }

    /// Returns whether a part of one shape is inside a solid mesh of the other, surfaces disjoint.
    #[inline]
    pub(super) fn is_nested(&self) -> bool {
        self.a.holds_a_part_of(&self.b) || self.b.holds_a_part_of(&self.a)
    }
}

/// Canonical order: any total order in which only equal shapes at equal poses tie.
fn order(a: &Placement<'_>, b: &Placement<'_>) -> Ordering {
    let numbers = |p: &Placement<'_>| {
        let (x, bounds) = (p.pose, p.body.bounds());
        let t = x.translation.vector;
        let r = x.rotation.matrix();
        let ends = bounds.map_or([0.0; 6], |b| {
            [b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z]
        });
        (
            [t.x, t.y, t.z, p.geometry.margin()],
            [
                r[(0, 0)],
                r[(1, 0)],
                r[(2, 0)],
                r[(0, 1)],
                r[(1, 1)],
                r[(2, 1)],
            ],
            ends,
        )
    };
    let compare = |x: &[f64], y: &[f64]| {
        let differ = x.iter().zip(y).map(|(x, y)| x.total_cmp(y));
        differ
            .into_iter()
            .find(|o| o.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    a.body.pieces.len().cmp(&b.body.pieces.len()).then_with(|| {
        let ((ta, ra, ca), (tb, rb, cb)) = (numbers(a), numbers(b));
        compare(&ta, &tb)
            .then_with(|| compare(&ra, &rb))
            .then_with(|| compare(&ca, &cb))
    })
}

#[cfg(test)]
mod tests {
    use crate::geometry::query::{distance_at, within_distance_at, within_distance_from};
    use crate::geometry::{ConvexHull, Geometry, Primitive};
    use crate::math::{Point, Pose, SplitMix, Vector};

    fn vector(random: &mut SplitMix, size: f64) -> Vector {
        Vector::from([0, 1, 2].map(|_| size * (2.0 * random.uniform() - 1.0)))
    }

    /// A shape of one piece, or of two.
    fn shape(random: &mut SplitMix, kind: usize) -> Geometry {
        let mut point = || Point::from(vector(random, 0.5));
        let shape = match kind {
            0 => ConvexHull::new(&[(); 30].map(|()| point())).map(Geometry::from),
            1 => Primitive::capsule(point(), point(), 0.1).map(Geometry::from),
            2 => Primitive::sphere(point(), 0.3).map(Geometry::from),
            3 => {
                let pose = Pose::new(vector(random, 0.3), vector(random, 3.0));
                Primitive::cuboid(pose, Vector::new(0.4, 0.8, 0.2)).map(Geometry::from)
            }
            4 => {
                let (center, axis) = (point(), vector(random, 1.0).normalize());
                Primitive::cylinder(center, axis, 0.3, 0.7).map(Geometry::from)
            }
            _ => {
                let halves = [3, 1].map(|kind| (Pose::identity(), shape(random, kind)));
                Ok(Geometry::group(halves.to_vec()))
            }
        };
        shape.unwrap()
    }

    #[test]
    fn whatever_is_remembered_the_answer_is_the_same() {
        let mut random = SplitMix::new(5);
        let (mut near, mut far, mut sooner) = (0, 0, 0);
        for i in 0..crate::draws(720, 1500) {
            let [a, b] = [i % 6, i / 6 % 6].map(|kind| shape(&mut random, kind));
            let mut pose = || Pose::new(vector(&mut random, 0.8), vector(&mut random, 3.0));
            let (x, y) = (pose(), pose());
            let (a, b) = ((&a, &x), (&b, &y));
            let exact = distance_at(a, b).distance;
            let (mut learnt, mut other) = (Vector::zeros(), vector(&mut random, 1.0).normalize());
            for d in [
                0.99 * exact,
                0.0,
                0.05,
                exact,
                exact * (1.0 - 4e-16),
                exact * (1.0 + 4e-16),
                0.7 * exact,
            ] {
                let expected = within_distance_at(a, b, d);
                let before = learnt;
                for last in [&mut learnt, &mut other, &mut Vector::zeros()] {
                    assert_eq!(within_distance_from(a, b, d, last), expected);
                    let mut reversed = -*last;
                    assert_eq!(within_distance_from(b, a, d, &mut reversed), expected);
                }
                near += usize::from(expected);
                far += usize::from(!expected);
                sooner += usize::from(!expected && learnt == before && before != Vector::zeros());
            }
        }
        // otherwise the test would show nothing
        assert!(
            near > 720 && far > 720 && sooner > 720,
            "{near} {far} {sooner}"
        );
    }

    #[test]
    fn groups_of_solids_are_as_far_apart_as_their_closest_members() {
        let mut random = SplitMix::new(9);
        let (mut near, mut far) = (0, 0);
        for i in 0..240 {
            let mut group = |n: usize| -> Vec<(Pose, Geometry)> {
                let mut member = |k: usize| {
                    let pose = Pose::new(vector(&mut random, 1.0), vector(&mut random, 3.0));
                    (pose, shape(&mut random, k % 5))
                };
                (0..n).map(&mut member).collect()
            };
            let (a, b) = (group(1 + i % 13), group(1 + i / 13));
            let mut pose = || Pose::new(vector(&mut random, 1.5), vector(&mut random, 3.0));
            let (x, y) = (pose(), pose());
            let each = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
            let each =
                each.map(|((xp, p), (yq, q))| distance_at((p, &(x * xp)), (q, &(y * yq))).distance);
            let expected = each.fold(f64::INFINITY, f64::min);
            let (a, b) = (Geometry::group(a.clone()), Geometry::group(b.clone()));
            let found = distance_at((&a, &x), (&b, &y)).distance;
            assert!((found - expected).abs() < 1e-9, "{i}: {found} {expected}");
            assert!(within_distance_at((&a, &x), (&b, &y), expected + 1e-9));
            if expected > 1e-6 {
                assert!(!within_distance_at((&a, &x), (&b, &y), expected - 1e-9));
                far += 1;
            }
            near += usize::from(expected == 0.0);
        }
        assert!(near > 20 && far > 20, "{near} {far}");
    }
}
