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
        let away = |[x, y, z, pad]: [f64; 4]| {
            let d = [x - from.x, y - from.y, z - from.z];
            (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() + pad
        };
        let rows = [x, y, z, &self.pads].map(|row| row.as_chunks::<LANES>());
        let [(x, _), (y, _), (z, _), (pads, _)] = rows;

        // of each lane; indices are numbers, too, which are selected alike
        let (mut most, mut at) = ([f64::NEG_INFINITY; LANES], [0.0; LANES]);
        for (i, (((x, y), z), pads)) in x.iter().zip(y).zip(z).zip(pads).enumerate() {
            for k in 0..LANES {
                let this = away([x[k], y[k], z[k], pads[k]]);
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
        let [(_, x), (_, y), (_, z), (_, pads)] = rows;
        let whole = self.pads.len() - pads.len();
        for (i, (((x, y), z), pad)) in x.iter().zip(y).zip(z).zip(pads).enumerate() {
            let this = away([*x, *y, *z, *pad]);
            if this > best.0 {
                best = (this, whole + i);
            }
        }
        best
    }
}

/// Points whose distances are computed at once.
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
    let distance = (b.center - a.center).norm();
    (0.5 * (distance + a.radius + b.radius))
        .max(a.radius)
        .max(b.radius)
}

const STEPS: u32 = 60;
