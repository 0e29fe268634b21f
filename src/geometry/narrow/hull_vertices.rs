//! Vertices of a convex hull, laid out for support queries.
//!
//! Neighbouring vertices make a patch; a scan of the boxes around all patches leaves a few whose vertices are compared.

use crate::geometry::Aabb;
use crate::math::{Block, Lanes, Level, Point, Ring, Simd, Vector, Work};

/// The vertices of a hull, in patches.
#[derive(Debug, Clone)]
pub(in crate::geometry) struct HullVertices {
    /// Patch after patch.
    points: Vec<Point>,
    /// The centre of the box around them.
    center: Point,
    simd: Simd,
    /// x, y and z in lanes, [`PATCH`] registers of each one after the other; the last vertex is repeated to the end.
    lanes: Vec<Block>,
    /// Centres and half-lengths of the boxes around patches, eight of each number one after the other; none where there
    /// are few patches.
    boxes: Vec<Block>,
}

/// Registers of vertices in a patch.
const PATCH: usize = 8;
/// Up to this number of patches all of them are scanned.
const FEW: usize = 4;
/// Relative rounding error of a box's support value.
const TOLERANCE: f64 = 8.0 * f64::EPSILON;

impl HullVertices {
    pub(in crate::geometry) fn new(mut points: Vec<Point>) -> Self {
        let simd = Simd::chosen();
        let patch = PATCH * simd.lanes();
        gather(&mut points, patch);
        let mut lanes = Vec::new();
        for first in (0..points.len()).step_by(patch) {
            for axis in 0..3 {
                let at = |i: usize| points[(first + i).min(points.len() - 1)][axis];
                lanes.extend(
                    (0..patch)
                        .step_by(8)
                        .map(|i| Block::new(eight(|k| at(i + k)))),
                );
            }
        }
        let around = |points: &[Point]| Aabb::around(points.iter().copied());
        let patches: Vec<Aabb> = points.chunks(patch).filter_map(around).collect();
        let mut boxes = Vec::new();
        for patches in patches.chunks(8).filter(|_| patches.len() > FEW) {
            // padding boxes have no support
            let center = |k: usize| {
                patches
                    .get(k)
                    .map_or(Vector::zeros(), |b| b.center().coords)
            };
            let half = |k: usize| {
                let inflated = |b: &Aabb| {
                    let half = b.half_size();
                    half + (b.center().coords.abs() + half) * TOLERANCE
                };
                patches.get(k).map_or(Vector::repeat(f64::MIN), inflated)
            };
            boxes.extend([0, 1, 2].map(|axis| Block::new(eight(|k| center(k)[axis]))));
            boxes.extend([0, 1, 2].map(|axis| Block::new(eight(|k| half(k)[axis]))));
        }
        Self {
            center: around(&points).map_or(Point::origin(), |b| b.center()),
            points,
            simd,
            lanes,
            boxes,
        }
    }

    #[inline]
    pub(in crate::geometry) fn points(&self) -> &[Point] {
        &self.points
    }

    #[inline]
    pub(super) fn center(&self) -> Point {
        self.center
    }

    /// Index of the vertex farthest in a direction.
    pub(in crate::geometry) fn farthest(&self, direction: &Vector) -> u32 {
        let mut best = 0;
        self.simd.run(Scan {
            vertices: self,
            direction,
            best: &mut best,
        });
        best
    }
}

fn eight(number: impl Fn(usize) -> f64) -> [f64; 8] {
    std::array::from_fn(number)
}

/// Sorts points so that consecutive runs of `patch` points are neighbours.
fn gather(points: &mut [Point], patch: usize) {
    let patches = points.len().div_ceil(patch);
    let Some(all) = Aabb::around(points.iter().copied()).filter(|_| patches > 1) else {
        return;
    };
    let axis = all.half_size().imax();
    let middle = patches / 2 * patch;
    points.select_nth_unstable_by(middle, |p, q| p[axis].total_cmp(&q[axis]));
    let (one, other) = points.split_at_mut(middle);
    gather(one, patch);
    gather(other, patch);
}

/// A scan for the farthest vertex.
struct Scan<'a> {
    vertices: &'a HullVertices,
    direction: &'a Vector,
    best: &'a mut u32,
}

impl Work for Scan<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let vertices = self.vertices;
        let patches = Block::as_lanes::<N, L, f64>(&vertices.lanes);
        let boxes = Block::as_lanes::<N, L, f64>(&vertices.boxes);
        let count = patches.len() / (3 * PATCH);
        let along = Along::<N, L>::new(self.direction);
        let mut best = Farthest::<N, L>::none();
        if boxes.is_empty() {
            for patch in 0..count {
                best = best.or(along.farthest(patches, patch));
            }
        } else {
            along.farthest_by_boxes(patches, boxes, count, &mut best);
        }
        *self.best = best.index().min(vertices.points.len() - 1) as u32;
    }
}

/// The farthest vertex in each lane.
#[derive(Clone, Copy)]
struct Farthest<const N: usize, L: Level> {
    support: Lanes<N, L>,
    /// The register that it is in: tracking it is cheaper than a search afterwards.
    register: Lanes<N, L>,
}

impl<const N: usize, L: Level> Farthest<N, L> {
    #[inline(always)]
    fn none() -> Self {
        Self {
            support: Lanes::splat(f64::NEG_INFINITY),
            register: Lanes::splat(0.0),
        }
    }

    /// The farther one in each lane.
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self {
            support: other.support.max(self.support),
            register: other
                .register
                .select_gt(&other.support, &self.support, &self.register),
        }
    }

    /// The index of the farthest of all.
    #[inline(always)]
    fn index(&self) -> usize {
        let support = Lanes::splat(self.support.reduce_max());
        let lane = support.not_gt(self.support).trailing_zeros() as usize % N;
        self.register.values()[lane] as usize * N + lane
    }
}

/// A direction, and its components without signs.
struct Along<const N: usize, L: Level> {
    direction: [Lanes<N, L>; 3],
    abs: [Lanes<N, L>; 3],
}

impl<const N: usize, L: Level> Along<N, L> {
    #[inline(always)]
    fn new(direction: &Vector) -> Self {
        let [x, y, z] = [direction.x, direction.y, direction.z];
        Self {
            direction: [Lanes::splat(x), Lanes::splat(y), Lanes::splat(z)],
            abs: [
                Lanes::splat(x.abs()),
                Lanes::splat(y.abs()),
                Lanes::splat(z.abs()),
            ],
        }
    }

    /// Scans the patch whose box has the largest support value, and then those whose boxes exceed its vertices.
    #[inline(always)]
    fn farthest_by_boxes(
        &self,
        patches: &[Lanes<N, L>],
        boxes: &[Lanes<N, L>],
        count: usize,
        best: &mut Farthest<N, L>,
    ) {
        let mut support = best.support;
        for first in (0..count).step_by(N) {
            support = support.max(self.box_supports(boxes, first));
        }
        let support = Lanes::splat(support.reduce_max());
        let mut likely = 0;
        for first in (0..count).step_by(N) {
            let as_far = support.not_gt(self.box_supports(boxes, first));
            if as_far != 0 {
                likely = (first + as_far.trailing_zeros() as usize).min(count - 1);
                break;
            }
        }
        *best = self.farthest(patches, likely);
        let mut highest = Lanes::splat(best.support.reduce_max());
        for first in (0..count).step_by(N) {
            let mut left = self.box_supports(boxes, first).gt(highest);
            while left != 0 {
                let patch = first + left.trailing_zeros() as usize;
                left &= left - 1;
                if patch != likely && patch < count {
                    let farthest = self.farthest(patches, patch);
                    if farthest.support.gt(highest) != 0 {
                        *best = best.or(farthest);
                        highest = Lanes::splat(best.support.reduce_max());
                    }
                }
            }
        }
    }

    /// Support values of the boxes from `first` on.
    #[inline(always)]
    fn box_supports(&self, boxes: &[Lanes<N, L>], first: usize) -> Lanes<N, L> {
        let step = 8 / N;
        let eight = &boxes[first / 8 * 6 * step..][..6 * step];
        let at = first % 8 / N;
        let [x, y, z] = self.direction;
        let [u, v, w] = self.abs;
        let center = x.mul_add(
            eight[at],
            y.mul_add(eight[step + at], z * eight[2 * step + at]),
        );
        let half = u.mul_add(
            eight[3 * step + at],
            v.mul_add(eight[4 * step + at], w * eight[5 * step + at]),
        );
        center + half
    }

    /// The farthest vertices of a patch.
    #[inline(always)]
    fn farthest(&self, patches: &[Lanes<N, L>], patch: usize) -> Farthest<N, L> {
        let vertices = &patches[3 * PATCH * patch..][..3 * PATCH];
        // as a tree, to shorten the chain of dependencies
        let at = [
            self.pair(vertices, 0),
            self.pair(vertices, 2),
            self.pair(vertices, 4),
            self.pair(vertices, 6),
        ];
        let mut farthest = at[0].or(at[1]).or(at[2].or(at[3]));
        farthest.register = farthest.register + Lanes::splat((patch * PATCH) as f64);
        farthest
    }

    /// The farther vertices of two registers.
    #[inline(always)]
    fn pair(&self, vertices: &[Lanes<N, L>], k: usize) -> Farthest<N, L> {
        self.one(vertices, k).or(self.one(vertices, k + 1))
    }

    /// The vertices of a register.
    #[inline(always)]
    fn one(&self, vertices: &[Lanes<N, L>], k: usize) -> Farthest<N, L> {
        let [x, y, z] = self.direction;
        let rest = y.mul_add(vertices[PATCH + k], z * vertices[2 * PATCH + k]);
        Farthest {
            support: x.mul_add(vertices[k], rest),
            register: Lanes::splat(k as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    #[test]
    fn the_farthest_corner_is_found_of_any_number() {
        let mut random = SplitMix::new(3);
        for n in [1, 4, 5, 17, 64, 100, 129, 300, 1000, 5000] {
            let mut vector = || Vector::from([0, 1, 2].map(|_| 2.0 * random.uniform() - 1.0));
            let shift = 10.0 * vector();
            // on a sphere most patches are pruned, of points on a grid many are equally far
            let sphere: Vec<Point> = (0..n)
                .map(|_| Point::from(vector().normalize() + shift))
                .collect();
            let grid: Vec<Point> = (0..n)
                .map(|_| Point::from(vector().map(|x| (3.0 * x).round())))
                .collect();
            for points in [sphere, grid] {
                let vertices = HullVertices::new(points.clone());
                assert_eq!(vertices.points().len(), n);
                for i in 0..200 {
                    let direction = match i {
                        0..6 => Vector::ith(i / 2, [1.0, -1.0][i % 2]),
                        _ => vector(),
                    };
                    let along = |p: &Point| p.coords.dot(&direction);
                    let highest = points.iter().map(along).fold(f64::MIN, f64::max);
                    let found = vertices.points()[vertices.farthest(&direction) as usize];
                    assert!(points.contains(&found));
                    assert!((along(&found) - highest).abs() < 1e-14 * (1.0 + highest.abs()));
                }
            }
        }
    }
}
