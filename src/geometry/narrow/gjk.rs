//! The distance of convex solids: Gilbert, Johnson and Keerthi (1988).

use super::near::Apart;
use super::simplex::Closest;
use crate::math::{Point, Vector};

/// A corner of the difference of two shapes, and the points that it comes from.
#[derive(Clone, Copy)]
struct Corner {
    w: Vector,
    a: Point,
    b: Point,
}

/// A simplex of up to four corners, and the weights of its point nearest to the origin.
#[derive(Clone, Copy)]
struct Simplex {
    corners: [Corner; 4],
    weights: [f64; 4],
    len: usize,
}

/// A convex set, known by its farthest points.
pub(in crate::geometry) trait Support {
    /// The farthest point in a unit direction.
    fn support(&self, direction: &Vector) -> Point;

    /// A far point in a unit direction, and mostly the farthest.
    fn quick_support(&self, direction: &Vector) -> Point {
        self.support(direction)
    }

    /// Whether the quick point may not be the farthest.
    fn is_hasty(&self) -> bool {
        false
    }

    /// Some point of the set or near it, to begin with.
    fn center(&self) -> Point;

    /// Whether the surface is curved, so that the search never ends exactly.
    fn is_round(&self) -> bool;
}

/// How far a search has come.
struct Progress {
    simplex: Simplex,
    /// The nearest point of the difference that was found.
    v: Vector,
    /// No point of the difference is nearer than this.
    bound: f64,
}

/// What a search can end with.
enum Found {
    /// The set is proved to lie beyond the limit, along this unit vector from b to a.
    Beyond(Vector),
    /// The set holds the origin, as far as numbers can tell.
    Overlap(Simplex),
    Point(Progress),
}

/// The closest points of two convex sets, unless they are proved to be farther apart than `limit`.
///
/// The distance is 0 where they overlap, and otherwise exact to `tolerance`, or to rounding.
pub(super) fn closest(
    a: &impl Support,
    b: &impl Support,
    limit: f64,
    tolerance: f64,
) -> Result<Closest, Apart> {
    let start = b.center() - a.center();
    let shifted = |shift: Vector, limit: f64| {
        let is_hasty = a.is_hasty() || b.is_hasty();
        let corner = |direction: &Vector, surely: bool| {
            if surely || !is_hasty {
                Corner::of(a, b, direction, &shift)
            } else {
                Corner::quick(a, b, direction, &shift)
            }
        };
        search((corner, is_hasty), &start, limit, tolerance)
    };
    let found = match shifted(Vector::zeros(), limit) {
        Found::Beyond(direction) => return Err(Apart(-direction)),
        Found::Overlap(simplex) => return Ok(simplex.closest(0.0)),
        Found::Point(found) => found,
    };
    // a plane between the sets has the last word, here as where it ends the search early
    let distance = found.v.norm().max(found.bound);
    if !(a.is_round() || b.is_round()) || distance <= tolerance {
        return Ok(found.simplex.closest(distance));
    }

    // near a curved surface the direction is lost in rounding, so look from farther off: with one set moved away by
    // `step` the distance grows by no more than that, and by just that along the true direction
    let (mut best, mut direction) = (found.bound, found.v.normalize());
    let mut points = found.simplex;
    let step = 0.25 * (a.support(&direction) - b.support(&-direction) + found.v).norm();
    for _ in 0..MOST_LOOKS {
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

/// Searches the difference of two sets, by its corners, for its point nearest to the origin.
///
/// `start` is roughly the direction from a to b, of any length. Corners that are found in haste lead the way; what is
/// concluded rests on those that are surely the farthest.
fn search(
    (corner, is_hasty): (impl Fn(&Vector, bool) -> Corner, bool),
    start: &Vector,
    limit: f64,
    tolerance: f64,
) -> Found {
    let start = start.try_normalize(0.0).unwrap_or_else(Vector::x);
    let mut simplex = Simplex::single(corner(&start, false));
    let mut v = simplex.corners[0].w;
    let mut best = 0.0_f64;
    let mut surely = !is_hasty;
    for _ in 0..MOST_STEPS {
        let distance = v.norm();
        if distance == 0.0 {
            break;
        }
        let next = corner(&(-v / distance), surely);
        // all of the difference lies beyond this plane
        let bound = v.dot(&next.w) / distance;
        let known = simplex.corners[..simplex.len].iter().any(|c| c.w == next.w);
        let is_over = bound > limit + tolerance || known || distance - bound <= tolerance * 0.25;
        if is_over && !surely {
            surely = true;
            continue;
        }
        if bound > limit + tolerance {
            return Found::Beyond(v / distance);
        }
        if surely {
            best = best.max(bound);
        }
        if is_over {
            break;
        }
        let Some(reduced) = simplex.with(next).nearest() else {
            // a plane between the sets outweighs a flat tetrahedron that seems to hold the origin
            if best > tolerance {
                break;
            }
            if !surely {
                surely = true;
                continue;
            }
            return Found::Overlap(simplex);
        };
        let nearer = reduced.point();
        // rounding has the last word: keep the better of the two
        let is_nearer = nearer.norm_squared() < v.norm_squared();
        if !is_nearer && !surely {
            surely = true;
            continue;
        }
        if !is_nearer {
            break;
        }
        (simplex, v) = (reduced, nearer);
        surely = !is_hasty;
    }
    Found::Point(Progress {
        simplex,
        v,
        bound: best,
    })
}

/// A search for the direction between two sets whose farthest points somebody else finds: that between their convex hulls.
pub(super) struct Aim {
    simplex: Option<Simplex>,
}

impl Aim {
    pub(super) fn new() -> Self {
        Self { simplex: None }
    }

    /// Takes the farthest points of a and b towards each other along the last direction, and says where to look next.
    pub(super) fn next(&mut self, a: Point, b: Point) -> Next {
        let corner = Corner { w: a - b, a, b };
        let simplex = match &self.simplex {
            None => Simplex::single(corner),
            Some(old) => {
                let v = old.point();
                // no point of the difference is nearer than its part along the direction
                let is_known = old.corners[..old.len].iter().any(|c| c.w == corner.w);
                if is_known || v.norm_squared() - v.dot(&corner.w) <= 0.01 * v.norm_squared() {
                    return Next::Found;
                }
                match old.with(corner).nearest() {
                    Some(simplex) => simplex,
                    None => return Next::Overlap,
                }
            }
        };
        let Some(direction) = simplex.point().try_normalize(0.0) else {
            return Next::Overlap;
        };
        self.simplex = Some(simplex);
        Next::Towards(-direction)
    }
}

/// What an [`Aim`] says.
pub(super) enum Next {
    /// Look along this unit vector from a to b.
    Towards(Vector),
    /// The last direction is right to a hundredth.
    Found,
    /// The hulls overlap.
    Overlap,
}

/// Polytopes end after a dozen steps, round shapes after some fifty.
const MOST_STEPS: usize = 256;
/// Each look brings the direction several times nearer.
const MOST_LOOKS: usize = 8;

impl Corner {
    /// The corner of a − b + shift that is farthest in a unit direction.
    fn of(a: &impl Support, b: &impl Support, direction: &Vector, shift: &Vector) -> Self {
        let (a, b) = (a.support(direction), b.support(&-direction));
        Self {
            w: a - b + shift,
            a,
            b,
        }
    }
}

impl Corner {
    /// A corner that is far in a unit direction.
    fn quick(a: &impl Support, b: &impl Support, direction: &Vector, shift: &Vector) -> Self {
        let (a, b) = (a.quick_support(direction), b.quick_support(&-direction));
        Self {
            w: a - b + shift,
            a,
            b,
        }
    }
}

impl Simplex {
    fn single(corner: Corner) -> Self {
        Self {
            corners: [corner; 4],
            weights: [1.0, 0.0, 0.0, 0.0],
            len: 1,
        }
    }

    fn with(mut self, corner: Corner) -> Self {
        self.corners[self.len] = corner;
        self.len += 1;
        self
    }

    /// The weighted point of the difference.
    fn point(&self) -> Vector {
        (0..self.len)
            .map(|i| self.corners[i].w * self.weights[i])
            .sum()
    }

    /// The weighted points of the two shapes.
    fn points(&self) -> (Point, Point) {
        let sum = |get: fn(&Corner) -> Point| {
            let weighted = (0..self.len).map(|i| get(&self.corners[i]).coords * self.weights[i]);
            Point::from(weighted.sum::<Vector>())
        };
        (sum(|c| c.a), sum(|c| c.b))
    }

    /// How far the weighted points are apart.
    fn length(&self) -> f64 {
        let (on_a, on_b) = self.points();
        (on_b - on_a).norm()
    }

    /// The answer with this distance.
    fn closest(&self, distance: f64) -> Closest {
        let (on_a, on_b) = self.points();
        Closest {
            distance,
            on_a,
            on_b,
        }
    }

    /// The part of the simplex that holds its point nearest to the origin, `None` where the origin is inside.
    fn nearest(&self) -> Option<Self> {
        let w = [0, 1, 2, 3].map(|i| self.corners[i].w);
        let part = match self.len {
            1 => return Some(*self),
            2 => on_segment(&w, [0, 1]),
            3 => on_triangle(&w, [0, 1, 2]),
            _ => on_tetrahedron(&w)?,
        };
        let mut simplex = *self;
        simplex.len = part.len;
        for i in 0..part.len {
            simplex.corners[i] = self.corners[part.which[i]];
            simplex.weights[i] = part.weights[i];
        }
        Some(simplex)
    }
}

/// Some corners of a simplex and their weights, and the point that they make.
#[derive(Clone, Copy)]
struct Part {
    which: [usize; 3],
    weights: [f64; 3],
    len: usize,
    point: Vector,
}

impl Part {
    fn corner(w: &[Vector; 4], i: usize) -> Self {
        Self {
            which: [i; 3],
            weights: [1.0, 0.0, 0.0],
            len: 1,
            point: w[i],
        }
    }

    fn nearer(self, other: Self) -> Self {
        if other.point.norm_squared() < self.point.norm_squared() {
            other
        } else {
            self
        }
    }
}

fn on_segment(w: &[Vector; 4], [i, j]: [usize; 2]) -> Part {
    let ab = w[j] - w[i];
    let t = -w[i].dot(&ab) / ab.norm_squared();
    if t >= 1.0 {
        Part::corner(w, j)
    } else if t > 0.0 {
        Part {
            which: [i, j, j],
            weights: [1.0 - t, t, 0.0],
            len: 2,
            point: w[i] * (1.0 - t) + w[j] * t,
        }
    } else {
        Part::corner(w, i)
    }
}

/// Ericson (2005), section 5.1.5, for the origin.
fn on_triangle(w: &[Vector; 4], [i, j, k]: [usize; 3]) -> Part {
    let (a, b, c) = (&w[i], &w[j], &w[k]);
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Part::corner(w, i);
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return Part::corner(w, j);
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return Part::corner(w, k);
    }
    // weights from areas in the plane, of the foot of the origin seen from a: far from the origin, too, they are exact
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    let foot = normal * (normal.dot(a) / square) - a;
    let (of_b, of_c) = (
        normal.dot(&foot.cross(&ac)) / square,
        normal.dot(&ab.cross(&foot)) / square,
    );
    let of_a = 1.0 - of_b - of_c;
    if of_a > 0.0 && of_b > 0.0 && of_c > 0.0 {
        return Part {
            which: [i, j, k],
            weights: [of_a, of_b, of_c],
            len: 3,
            point: a * of_a + b * of_b + c * of_c,
        };
    }
    // outside the face: the nearest of the edges, which also settles flat triangles
    on_segment(w, [i, j])
        .nearer(on_segment(w, [i, k]))
        .nearer(on_segment(w, [j, k]))
}

fn on_tetrahedron(w: &[Vector; 4]) -> Option<Part> {
    let mut best: Option<Part> = None;
    for [i, j, k, l] in [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]] {
        let (u, v) = (w[j] - w[i], w[k] - w[i]);
        let normal = u.cross(&v);
        let (origin, opposite) = (-normal.dot(&w[i]), normal.dot(&(w[l] - w[i])));
        let flat = 1e-13 * normal.norm() * (w[l] - w[i]).norm();
        if opposite.abs() > flat && origin * opposite > 0.0 {
            continue;
        }
        let face = on_triangle(w, [i, j, k]);
        best = Some(best.map_or(face, |best| best.nearer(face)));
    }
    best
}
