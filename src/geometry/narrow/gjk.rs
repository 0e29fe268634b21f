//! Distance of convex solids: Gilbert, Johnson and Keerthi (1988).

use super::near::Separated;
use super::simplex::Closest;
use crate::math::linear::array3;
use crate::math::{Point, Vector};

/// A vertex of the Minkowski difference of two shapes, and its points on both.
#[derive(Clone, Copy)]
struct SimplexVertex {
    w: Vector,
    a: Point,
    b: Point,
}

/// A simplex of up to three vertices, and the weights of its point nearest to the origin.
#[derive(Clone, Copy)]
struct Simplex {
    vertices: [SimplexVertex; 3],
    weights: [f64; 3],
    len: usize,
}

/// A convex set, given by its support mapping.
pub(in crate::geometry) trait Support {
    /// The farthest point in a unit direction.
    fn support(&self, direction: &Vector) -> Point;

    /// Some point of the set or near it, to start from.
    fn center(&self) -> Point;

    /// Returns whether the surface is curved, so that the search never ends exactly.
    fn is_round(&self) -> bool;
}

/// State of a search.
struct Progress {
    simplex: Simplex,
    /// The nearest point of the difference so far.
    v: Vector,
    /// Lower bound on the distance of the difference from the origin.
    bound: f64,
}

/// Outcome of a search.
enum Found {
    /// The set is proved to lie beyond the limit, along this unit vector from b to a.
    Beyond(Vector),
    /// The set contains the origin, to rounding.
    Overlap(Simplex),
    Point(Progress),
}

/// The closest points of two convex sets, unless they are proved to be farther apart than `limit`.
///
/// The distance is 0 where they overlap, and otherwise exact to `tolerance`, or to rounding.
#[inline]
pub(super) fn closest(
    a: &impl Support,
    b: &impl Support,
    limit: f64,
    tolerance: f64,
) -> Result<Closest, Separated> {
    let start = b.center() - a.center();
    let shifted = |shift: Vector, limit: f64| {
        let vertex = |direction: &Vector| SimplexVertex::of(a, b, direction, &shift);
        search(vertex, &start, limit, tolerance)
    };
    let found = match shifted(Vector::zeros(), limit) {
        Found::Beyond(direction) => return Err(Separated(-direction)),
        Found::Overlap(simplex) => return Ok(simplex.closest(0.0)),
        Found::Point(found) => found,
    };
    // the lower bound from a separating plane takes precedence, as where it ends the search early
    let distance = found.v.norm().max(found.bound);
    if !(a.is_round() || b.is_round()) || distance <= tolerance {
        return Ok(found.simplex.closest(distance));
    }

    // near a curved surface the direction is lost in rounding, so search from a greater distance: with one set moved
    // away by `step` the distance grows by at most that, and by exactly that along the true direction
    let (mut best, mut direction) = (found.bound, found.v.normalize());
    let mut points = found.simplex;
    let step = 0.25 * (a.support(&direction) - b.support(&-direction) + found.v).norm();
    for _ in 0..MAX_REFINEMENTS {
        if distance - best <= tolerance {
            break;
        }
        let Found::Point(seen) = shifted(direction * step, f64::INFINITY) else {
            break;
        };
        let bound = seen.bound - step;
        let grows = bound > best + 0.25 * tolerance;
        if !grows {
            break;
        }
        (best, direction) = (bound, seen.v.normalize());
        if seen.simplex.length() < points.length() {
            points = seen.simplex;
        }
    }
    Ok(points.closest(best.max(0.0)))
}

/// Searches the difference of two sets, by its vertices, for its point nearest to the origin.
///
/// `start` is roughly the direction from a to b, of any length.
fn search(
    vertex: impl Fn(&Vector) -> SimplexVertex,
    start: &Vector,
    limit: f64,
    tolerance: f64,
) -> Found {
    let start = start.try_normalize(0.0).unwrap_or_else(Vector::x);
    let mut simplex = Simplex::single(vertex(&start));
    let mut v = simplex.vertices[0].w;
    let mut best = 0.0_f64;
    for _ in 0..MAX_STEPS {
        let distance = v.norm();
        if distance == 0.0 {
            break;
        }
        let next = vertex(&(-v / distance));
        // all of the difference lies beyond this plane
        let bound = v.dot(&next.w) / distance;
        let known = simplex.has(&next.w);
        let is_over = bound > limit + tolerance || known || distance - bound <= tolerance * 0.25;
        if bound > limit + tolerance {
            return Found::Beyond(v / distance);
        }
        best = best.max(bound);
        if is_over {
            break;
        }
        let Some(part) = simplex.nearest_with(&next.w) else {
            // a separating plane takes precedence over a flat tetrahedron that seems to contain the origin
            if best > tolerance {
                break;
            }
            return Found::Overlap(simplex);
        };
        // rounding prevents progress: keep the better of the two
        if part.point.norm_squared() >= v.norm_squared() {
            break;
        }
        v = part.point;
        simplex.become_part(&part, next);
    }
    Found::Point(Progress {
        simplex,
        v,
        bound: best,
    })
}

/// A GJK search for the direction between two convex hulls, with support points from the caller.
pub(super) struct DirectionSearch {
    simplex: Option<Simplex>,
}

impl DirectionSearch {
    pub(super) fn new() -> Self {
        Self { simplex: None }
    }

    /// Takes the support points of a and b towards each other along the last direction, and returns the next direction.
    #[inline]
    pub(super) fn next(&mut self, a: Point, b: Point) -> Next {
        let vertex = SimplexVertex { w: a - b, a, b };
        let v = match &mut self.simplex {
            None => {
                self.simplex = Some(Simplex::single(vertex));
                vertex.w
            }
            Some(simplex) => {
                let v = simplex.point();
                // no point of the difference is nearer than its part along the direction
                let is_known = simplex.has(&vertex.w);
                if is_known || v.norm_squared() - v.dot(&vertex.w) <= 0.01 * v.norm_squared() {
                    return Next::Found;
                }
                let Some(part) = simplex.nearest_with(&vertex.w) else {
                    return Next::Overlap;
                };
                simplex.become_part(&part, vertex);
                part.point
            }
        };
        match v.try_normalize(0.0) {
            Some(direction) => Next::Towards(-direction),
            None => Next::Overlap,
        }
    }
}

/// Outcome of a step of a [`DirectionSearch`].
pub(super) enum Next {
    /// Continue along this unit vector from a to b.
    Towards(Vector),
    /// The last direction is accurate to a hundredth.
    Found,
    /// The hulls overlap.
    Overlap,
}

/// Polytopes end after a dozen steps, round shapes after some fifty.
const MAX_STEPS: usize = 256;
/// Each refinement improves the direction several times.
const MAX_REFINEMENTS: usize = 8;

impl SimplexVertex {
    /// The vertex of a − b + shift that is farthest in a unit direction.
    #[inline]
    fn of(a: &impl Support, b: &impl Support, direction: &Vector, shift: &Vector) -> Self {
        let (a, b) = (a.support(direction), b.support(&-direction));
        Self {
            w: a - b + shift,
            a,
            b,
        }
    }
}

impl Simplex {
    #[inline]
    fn single(vertex: SimplexVertex) -> Self {
        Self {
            vertices: [vertex; 3],
            weights: [1.0, 0.0, 0.0],
            len: 1,
        }
    }

    #[inline]
    fn has(&self, w: &Vector) -> bool {
        self.vertices[..self.len].iter().any(|c| c.w == *w)
    }

    /// The weighted point of the difference.
    #[inline]
    fn point(&self) -> Vector {
        let mut sum = Vector::zeros();
        for i in 0..self.len {
            sum += self.vertices[i].w * self.weights[i];
        }
        sum
    }

    /// The weighted points of the two shapes.
    #[inline]
    fn points(&self) -> (Point, Point) {
        let (mut a, mut b) = (Point::origin(), Point::origin());
        for i in 0..self.len {
            a += self.vertices[i].a.coords * self.weights[i];
            b += self.vertices[i].b.coords * self.weights[i];
        }
        (a, b)
    }

    /// Distance between the weighted points.
    #[inline]
    fn length(&self) -> f64 {
        let (on_a, on_b) = self.points();
        (on_b - on_a).norm()
    }

    /// The closest points with this distance.
    #[inline]
    fn closest(&self, distance: f64) -> Closest {
        let (on_a, on_b) = self.points();
        Closest {
            distance,
            on_a,
            on_b,
        }
    }

    /// The part of this simplex and one more vertex that contains their point nearest to the origin, `None` where the
    /// origin is inside.
    ///
    /// Only parts with the new vertex are tested: it lies before the plane through the nearest point of this simplex,
    /// so that the new nearest point is on such a part.
    #[inline]
    fn nearest_with(&self, w: &Vector) -> Option<Part> {
        let sides = array3(|i| self.vertices[i].w - w);
        match self.len {
            1 => Some(on_segments(w, &sides[..1])),
            2 => Some(on_triangle(w, &sides)),
            _ => on_tetrahedron(w, &sides),
        }
    }

    /// Keeps some vertices and adds one.
    #[inline]
    fn become_part(&mut self, part: &Part, vertex: SimplexVertex) {
        for (to, &from) in part.which[..part.len].iter().enumerate() {
            self.vertices[to] = self.vertices[from];
            self.weights[to] = part.weights[to];
        }
        self.vertices[part.len] = vertex;
        self.weights[part.len] = part.of_new;
        self.len = part.len + 1;
    }
}

/// A new vertex of a simplex, up to two of the others in order, their weights, and the weighted point.
#[derive(Clone, Copy)]
struct Part {
    of_new: f64,
    which: [usize; 2],
    weights: [f64; 2],
    len: usize,
    point: Vector,
}

impl Part {
    #[inline]
    fn keep_nearer(&mut self, other: Self) {
        if other.point.norm_squared() < self.point.norm_squared() {
            *self = other;
        }
    }
}

/// The nearest point on segments from a vertex `w`.
#[inline]
fn on_segments(w: &Vector, sides: &[Vector]) -> Part {
    let mut best = Part {
        of_new: 1.0,
        which: [0; 2],
        weights: [0.0; 2],
        len: 0,
        point: *w,
    };
    for (i, side) in sides.iter().enumerate() {
        let along = -w.dot(side);
        if along > 0.0 {
            let t = (along / side.norm_squared()).min(1.0);
            best.keep_nearer(Part {
                of_new: 1.0 - t,
                which: [i; 2],
                weights: [t, 0.0],
                len: 1,
                point: w + side * t,
            });
        }
    }
    best
}

/// The nearest point of a triangle, where it is inside.
#[inline]
fn in_face(w: &Vector, [i, j]: [usize; 2], [u, v]: [&Vector; 2], normal: &Vector) -> Option<Part> {
    // weights from areas in the plane, of the foot of the origin relative to w: accurate far from the origin, too
    let inverse = 1.0 / normal.norm_squared();
    let foot = normal * (normal.dot(w) * inverse) - w;
    let of_i = normal.dot(&foot.cross(v)) * inverse;
    let of_j = normal.dot(&u.cross(&foot)) * inverse;
    let of_new = 1.0 - of_i - of_j;
    (of_i > 0.0 && of_j > 0.0 && of_new > 0.0).then(|| Part {
        of_new,
        which: [i, j],
        weights: [of_i, of_j],
        len: 2,
        point: w + u * of_i + v * of_j,
    })
}

#[inline]
fn on_triangle(w: &Vector, sides: &[Vector; 3]) -> Part {
    let [u, v, _] = sides;
    // outside the face the nearest of the edges, which also handles flat triangles
    in_face(w, [0, 1], [u, v], &u.cross(v)).unwrap_or_else(|| on_segments(w, &sides[..2]))
}

fn on_tetrahedron(w: &Vector, sides: &[Vector; 3]) -> Option<Part> {
    let mut best: Option<Part> = None;
    let mut is_inside = true;
    for [i, j, opposite] in [[0, 1, 2], [0, 2, 1], [1, 2, 0]] {
        let (u, v, apex) = (&sides[i], &sides[j], &sides[opposite]);
        let normal = u.cross(v);
        let (origin, height) = (-normal.dot(w), normal.dot(apex));
        let flat = 1e-26 * normal.norm_squared() * apex.norm_squared();
        if height * height > flat && origin * height > 0.0 {
            continue;
        }
        is_inside = false;
        if let Some(face) = in_face(w, [i, j], [u, v], &normal) {
            match &mut best {
                Some(best) => best.keep_nearer(face),
                None => best = Some(face),
            }
        }
    }
    if is_inside {
        return None;
    }
    Some(best.unwrap_or_else(|| on_segments(w, sides)))
}
