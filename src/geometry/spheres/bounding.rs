//! Bounding spheres of points.

use super::Sphere;
use crate::math::{Point, Quad, QuadWork, Simd};

/// Points, each with the inflation of the shape around it, axis by axis.
#[derive(Debug, Clone, Default)]
pub(super) struct Padded {
    coordinates: [Vec<f64>; 3],
    pads: Vec<f64>,
}

impl Padded {
    pub(super) fn push(&mut self, p: &Point, pad: f64) {
        for (row, x) in self.coordinates.iter_mut().zip(p.iter()) {
            row.push(*x);
        }
        self.pads.push(pad);
    }

    pub(super) fn extend(&mut self, other: &Self) {
        for (row, more) in self.coordinates.iter_mut().zip(&other.coordinates) {
            row.extend_from_slice(more);
        }
        self.pads.extend_from_slice(&other.pads);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pads.is_empty()
    }

    fn point(&self, i: usize) -> Point {
        let [x, y, z] = &self.coordinates;
        Point::new(x[i], y[i], z[i])
    }

    /// The largest distance of the padded points from a point, and the first that has it.
    #[inline(always)]
    pub(super) fn farthest(&self, from: &Point) -> (f64, usize) {
        let [x, y, z] = &self.coordinates;
        largest(
            [x, y, z, &self.pads],
            #[inline(always)]
            |[x, y, z, pad]| distance([x, y, z], from) + pad,
        )
    }
}

/// The distance of two points.
#[inline(always)]
pub(super) fn distance([x, y, z]: [f64; 3], from: &Point) -> f64 {
    let d = [x - from.x, y - from.y, z - from.z];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// The largest value over the columns of rows of equal length, and the first that has it; `-∞` where there is none.
#[inline(always)]
pub(super) fn largest(rows: [&[f64]; 4], value: impl Fn([f64; 4]) -> f64) -> (f64, usize) {
    let rows = rows.map(|row| row.as_chunks::<LANES>());
    let [(x, _), (y, _), (z, _), (w, _)] = rows;

    // of each lane; indices are numbers, too, which are selected alike
    let (mut most, mut at) = ([f64::NEG_INFINITY; LANES], [0.0; LANES]);
    for (i, (((x, y), z), w)) in x.iter().zip(y).zip(z).zip(w).enumerate() {
        for k in 0..LANES {
            let this = value([x[k], y[k], z[k], w[k]]);
            let is_more = this > most[k];
            most[k] = if is_more { this } else { most[k] };
            at[k] = if is_more { i as f64 } else { at[k] };
        }
    }
    let mut best = (f64::NEG_INFINITY, 0);
    for k in 0..LANES {
        let i = at[k] as usize * LANES + k;
        if most[k] > best.0 || (most[k] >= best.0 && i < best.1) {
            best = (most[k], i);
        }
    }
    let whole = LANES * x.len();
    let [(_, x), (_, y), (_, z), (_, w)] = rows;
    for (i, (((x, y), z), w)) in x.iter().zip(y).zip(z).zip(w).enumerate() {
        let this = value([*x, *y, *z, *w]);
        if this > best.0 {
            best = (this, whole + i);
        }
    }
    best
}

/// Columns that are looked at together.
const LANES: usize = 4;

/// Bounding sphere of padded points, nearly the smallest: its centre moves towards the farthest of them in ever smaller
/// steps (Bădoiu and Clarkson 2003). `None` where there are no points.
pub(super) fn around(points: &Padded) -> Option<Sphere> {
    let mut sphere = None;
    Simd::chosen().run_quad(Around {
        points,
        sphere: &mut sphere,
    });
    sphere
}

struct Around<'a> {
    points: &'a Padded,
    sphere: &'a mut Option<Sphere>,
}

impl QuadWork for Around<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let points = self.points;
        if points.is_empty() {
            return;
        }
        let n = points.pads.len();
        let mut center = Point::origin();
        for i in 0..n {
            center += points.point(i).coords / n as f64;
        }
        let mut best = Sphere {
            center,
            radius: f64::INFINITY,
        };
        for step in 0..STEPS {
            let (radius, farthest) = points.farthest(&center);
            if radius < best.radius {
                best = Sphere { center, radius };
            }
            center += (points.point(farthest) - center) / f64::from(step + 2);
        }

        // covers the rounding
        best.radius += 1e-12 * (best.radius + best.center.coords.amax());
        *self.sphere = Some(best);
    }
}

/// Radius of the smallest sphere around two.
pub(super) fn around_two(a: &Sphere, b: &Sphere) -> f64 {
    let [x, y, z] = [b.center.x, b.center.y, b.center.z];
    radius_around(distance([x, y, z], &a.center), [a.radius, b.radius])
}

/// Radius of the smallest sphere around two whose centres are at a distance.
#[inline(always)]
pub(super) fn radius_around(distance: f64, [a, b]: [f64; 2]) -> f64 {
    let across = 0.5 * (distance + a + b);
    let most = if across > a { across } else { a };
    if most > b { most } else { b }
}

const STEPS: u32 = 60;
