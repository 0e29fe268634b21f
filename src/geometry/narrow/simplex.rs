//! Distances between points, segments and triangles, in closed form.

use super::near::Separated;
use crate::math::linear::array3;
use crate::math::{Point, Vector};

/// The closest points of two shapes, both in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(in crate::geometry) struct Closest {
    pub(in crate::geometry) distance: f64,
    pub(in crate::geometry) on_a: Point,
    pub(in crate::geometry) on_b: Point,
}

impl Closest {
    #[inline]
    fn between(on_a: Point, on_b: Point) -> Self {
        Self {
            distance: (on_b - on_a).norm(),
            on_a,
            on_b,
        }
    }
}

/// The closest points of two simplices with one to three vertices each.
///
/// The result is always the distance of two points that belong to the simplices; it is 0 where they cross.
pub(super) fn closest(a: &[Point], b: &[Point]) -> Closest {
    let faces = [Face::new(a), Face::new(b)];
    // crossing simplices are the fastest to detect
    crossing(a, b, &faces).unwrap_or_else(|| closest_disjoint(a, b, faces))
}

/// The closest points of two triangles, unless a direction proves that they are farther apart than `limit`.
pub(super) fn triangles(a: &[Point; 3], b: &[Point; 3], limit: f64) -> Result<Closest, Separated> {
    // most end at the face planes; of the others, crossings are faster to detect than separations
    let projected = Projected::new(a, b);
    projected.beyond_faces(limit).map_or(Ok(()), Err)?;
    let faces = [Face::new(a), Face::new(b)];
    if let Some(x) = crossing(a, b, &faces) {
        return Ok(x);
    }
    projected.beyond_edges(limit).map_or(Ok(()), Err)?;
    Ok(closest_disjoint(a, b, faces))
}

/// A point where two simplices cross.
#[inline]
fn crossing(a: &[Point], b: &[Point], [face_a, face_b]: &[Option<Face<'_>>; 2]) -> Option<Closest> {
    let of_a = || face_b.as_ref().and_then(|face| face.pierced_by(a));
    let of_b = || face_a.as_ref().and_then(|face| face.pierced_by(b));
    of_a().or_else(of_b).map(|x| Closest::between(x, x))
}

/// The closest points of two simplices that do not cross.
fn closest_disjoint(a: &[Point], b: &[Point], [face_a, face_b]: [Option<Face<'_>>; 2]) -> Closest {
    let mut best = Feet::at(a[0], b[0]);
    match (edges(a), edges(b)) {
        (0, 0) => {}
        (0, m) => (0..m).for_each(|j| best.keep_nearer(point_segment(&a[0], edge(b, j)))),
        (n, 0) => (0..n).for_each(|i| best.keep_nearer(point_segment(&b[0], edge(a, i)).swapped())),
        (n, m) => {
            for i in 0..n {
                for j in 0..m {
                    best.keep_nearer(segments(edge(a, i), edge(b, j)));
                }
            }
        }
    }
    // not covered by edges: a vertex over a face
    if let Some(face) = face_b {
        face.keep_nearest_vertex(a, &mut best);
    }
    if let Some(face) = face_a {
        let mut swapped = best.swapped();
        face.keep_nearest_vertex(b, &mut swapped);
        best = swapped.swapped();
    }
    Closest {
        distance: best.square.sqrt(),
        on_a: best.on_a,
        on_b: best.on_b,
    }
}

/// Two points and their squared distance, which is enough for comparisons.
#[derive(Debug, Clone, Copy)]
struct Feet {
    square: f64,
    on_a: Point,
    on_b: Point,
}

impl Feet {
    #[inline]
    fn at(on_a: Point, on_b: Point) -> Self {
        Self {
            square: (on_b - on_a).norm_squared(),
            on_a,
            on_b,
        }
    }

    #[inline]
    fn keep_nearer(&mut self, other: Self) {
        if other.square < self.square {
            *self = other;
        }
    }

    #[inline]
    fn swapped(self) -> Self {
        Self {
            on_a: self.on_b,
            on_b: self.on_a,
            ..self
        }
    }
}

/// Two triangles, ready to be projected on axes.
///
/// The tests only save work: where no axis separates, [`closest_disjoint`] decides.
struct Projected {
    edges: [[Vector; 3]; 2],
    /// Relative to one of the vertices.
    vertices: [[Vector; 3]; 2],
}

impl Projected {
    #[inline]
    fn new(a: &[Point; 3], b: &[Point; 3]) -> Self {
        let edges = |t: &[Point; 3]| [t[1] - t[0], t[2] - t[1], t[0] - t[2]];
        Self {
            edges: [edges(a), edges(b)],
            vertices: [array3(|k| a[k] - a[0]), array3(|k| b[k] - a[0])],
        }
    }

    /// Proof by a face plane that they are farther apart than `limit`.
    #[inline]
    fn beyond_faces(&self, limit: f64) -> Option<Separated> {
        let [a, b] = &self.edges;
        self.beyond(a[0].cross(&a[1]), limit)
            .or_else(|| self.beyond(b[0].cross(&b[1]), limit))
    }

    /// Proof by the cross product of two edges.
    #[inline]
    fn beyond_edges(&self, limit: f64) -> Option<Separated> {
        let [a, b] = &self.edges;
        for u in a {
            for v in b {
                let separated = self.beyond(u.cross(v), limit);
                if separated.is_some() {
                    return separated;
                }
            }
        }
        None
    }

    #[inline]
    fn beyond(&self, axis: Vector, limit: f64) -> Option<Separated> {
        let project = |t: &[Vector; 3]| array3(|k| axis.dot(&t[k]));
        let (a, b) = (project(&self.vertices[0]), project(&self.vertices[1]));
        let (ahead, behind) = (min(&b) - max(&a), min(&a) - max(&b));
        let separation = ahead.max(behind);
        let square = axis.norm_squared();
        (separation > 0.0 && separation * separation > limit * limit * square)
            .then(|| Separated(axis * (separation.copysign(ahead) / (separation * square.sqrt()))))
    }
}

#[inline]
fn min(d: &[f64; 3]) -> f64 {
    d[0].min(d[1]).min(d[2])
}

#[inline]
fn max(d: &[f64; 3]) -> f64 {
    d[0].max(d[1]).max(d[2])
}

/// The number of edges of a simplex.
#[inline]
fn edges(vertices: &[Point]) -> usize {
    [0, 0, 1, 3][vertices.len()]
}

#[inline]
fn edge(vertices: &[Point], i: usize) -> [&Point; 2] {
    [&vertices[i], &vertices[(i + 1) % vertices.len()]]
}

#[inline]
fn point_segment(p: &Point, [a, b]: [&Point; 2]) -> Feet {
    let d = b - a;
    let length = d.norm_squared();
    let t = if length > 0.0 {
        (d.dot(&(p - a)) / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Feet::at(*p, a + d * t)
}

/// Ericson (2005), section 5.1.9, with the ends tested one by one where the segments are nearly parallel.
#[inline]
fn segments([p1, q1]: [&Point; 2], [p2, q2]: [&Point; 2]) -> Feet {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (a, e) = (d1.norm_squared(), d2.norm_squared());
    if a == 0.0 {
        return point_segment(p1, [p2, q2]);
    }
    if e == 0.0 {
        return point_segment(p2, [p1, q1]).swapped();
    }
    let (b, c, f) = (d1.dot(&d2), d1.dot(&r), d2.dot(&r));
    let denominator = a * e - b * b;
    let s = if denominator > 0.0 {
        ((b * f - c * e) / denominator).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (b * s + f) / e;
    let (s, t) = if t < 0.0 {
        ((-c / a).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((b - c) / a).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    };
    let mut best = Feet::at(p1 + d1 * s, p2 + d2 * t);
    if denominator <= 1e-6 * a * e {
        best.keep_nearer(point_segment(p1, [p2, q2]));
        best.keep_nearer(point_segment(q1, [p2, q2]));
        best.keep_nearer(point_segment(p2, [p1, q1]).swapped());
        best.keep_nearer(point_segment(q2, [p1, q1]).swapped());
    }
    best
}

/// A triangle with an area, with the numbers that tests need.
struct Face<'a> {
    vertices: &'a [Point; 3],
    normal: Vector,
    /// Squared length of the normal.
    square: f64,
    /// Inward normals of the sides.
    walls: [Vector; 3],
}

impl<'a> Face<'a> {
    /// The face of three vertices, `None` for fewer or collinear ones.
    #[inline]
    fn new(vertices: &'a [Point]) -> Option<Self> {
        let vertices = <&[Point; 3]>::try_from(vertices).ok()?;
        let [a, b, c] = vertices;
        let sides = [b - a, c - b, a - c];
        let normal = sides[0].cross(&sides[1]);
        let square = normal.norm_squared();
        (square != 0.0).then(|| Self {
            vertices,
            normal,
            square,
            walls: array3(|k| normal.cross(&sides[k])),
        })
    }

    /// Signed distance of a point from the plane, times the length of the normal.
    #[inline]
    fn height(&self, p: &Point) -> f64 {
        self.normal.dot(&(p - self.vertices[0]))
    }

    /// Returns whether a point projects into the triangle.
    #[inline]
    fn is_below(&self, p: &Point) -> bool {
        (0..3).all(|k| self.walls[k].dot(&(p - self.vertices[k])) >= 0.0)
    }

    /// Intersection with an edge of `other`.
    #[inline]
    fn pierced_by(&self, other: &[Point]) -> Option<Point> {
        (0..edges(other)).find_map(|i| {
            let [p, q] = edge(other, i);
            let (hp, hq) = (self.height(p), self.height(q));
            if (hp < 0.0) == (hq < 0.0) {
                return None;
            }
            let x = p + (q - p) * (hp / (hp - hq));
            self.is_below(&x).then_some(x)
        })
    }

    /// Considers the vertices of `other` over the inside.
    #[inline]
    fn keep_nearest_vertex(&self, other: &[Point], best: &mut Feet) {
        for p in other {
            let h = self.height(p);
            // no point of the face is nearer than its plane
            if h * h < best.square * self.square && self.is_below(p) {
                best.keep_nearer(Feet {
                    square: h * h / self.square,
                    on_a: *p,
                    on_b: p - self.normal * (h / self.square),
                });
            }
        }
    }
}
