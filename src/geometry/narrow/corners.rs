//! The corners of a convex hull, laid out to find the farthest one in a direction.

use std::collections::BTreeSet;

use crate::math::{Block, Lanes, Level, Point, Scalar, Simd, Vector, Work};

/// The corners of a hull, and which of them edges join.
#[derive(Debug, Clone)]
pub(in crate::geometry) struct Corners {
    points: Vec<Point>,
    /// The middle of the box around them.
    center: Point,
    simd: Simd,
    /// x, y and z in lanes, [`GROUP`] registers of each one after the other; the last corner is repeated to the end.
    lanes: Vec<Block>,
    /// The neighbours of all corners one after the other, and where those of each begin.
    neighbours: Vec<u32>,
    starts: Vec<u32>,
}

/// Registers of corners that are compared at once: a branch for each costs more than the comparison.
const GROUP: usize = 4;
/// From so many corners on it is quicker to climb from one to the next than to look at all.
const CLIMBS: usize = 1024;

impl Corners {
    pub(in crate::geometry) fn new(points: Vec<Point>, triangles: &[[u32; 3]]) -> Self {
        let (low, high) = points.iter().fold(
            (
                Vector::repeat(f64::INFINITY),
                Vector::repeat(f64::NEG_INFINITY),
            ),
            |(low, high), p| (low.inf(&p.coords), high.sup(&p.coords)),
        );
        let simd = Simd::chosen();
        let mut lanes = Vec::new();
        let group = GROUP * simd.lanes();
        for first in (0..points.len()).step_by(group) {
            for axis in 0..3 {
                let at = |i: usize| points[(first + i).min(points.len() - 1)][axis];
                lanes.extend(
                    (0..group)
                        .step_by(8)
                        .map(|i| Block([0, 1, 2, 3, 4, 5, 6, 7].map(|k| at(i + k)))),
                );
            }
        }
        let edges: BTreeSet<(u32, u32)> = triangles
            .iter()
            .flat_map(|&[a, b, c]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)])
            .collect();
        let mut starts = vec![0_u32; points.len() + 1];
        for &(from, _) in &edges {
            starts[from as usize + 1] += 1;
        }
        for i in 0..points.len() {
            starts[i + 1] += starts[i];
        }
        Self {
            center: Point::from((low + high) * 0.5),
            points,
            simd,
            lanes,
            neighbours: edges.into_iter().map(|(_, to)| to).collect(),
            starts,
        }
    }

    pub(in crate::geometry) fn points(&self) -> &[Point] {
        &self.points
    }

    pub(super) fn center(&self) -> Point {
        self.center
    }

    /// Whether [`climbed`](Self::climbed) is quicker than [`farthest`](Self::farthest).
    pub(super) fn is_large(&self) -> bool {
        self.points.len() >= CLIMBS
    }

    /// The corner farthest in a direction.
    pub(super) fn farthest(&self, direction: &Vector) -> u32 {
        let mut best = 0;
        self.simd.run(Scan {
            corners: self,
            direction,
            best: &mut best,
        });
        best
    }

    /// A corner whose neighbours are no farther in a direction, from one that may be near it.
    ///
    /// On a hull that is convex to the last bit it is the farthest.
    pub(super) fn climbed(&self, direction: &Vector, from: u32) -> u32 {
        let along = |i: u32| self.points[i as usize].coords.dot(direction);
        let (mut at, mut most) = (from, along(from));
        loop {
            let range = self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize;
            let before = at;
            for &next in &self.neighbours[range] {
                let d = along(next);
                if d > most {
                    (at, most) = (next, d);
                }
            }
            if at == before {
                return at;
            }
        }
    }
}

/// A look at all corners.
struct Scan<'a> {
    corners: &'a Corners,
    direction: &'a Vector,
    best: &'a mut u32,
}

impl Work for Scan<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let lanes = Block::as_lanes::<N, L, f64>(&self.corners.lanes);
        let [x, y, z] = [self.direction.x, self.direction.y, self.direction.z];
        let (x, y, z) = (Lanes::<N, L>::splat(x), Lanes::splat(y), Lanes::splat(z));
        let mut most = Lanes::<N, L>::splat(f64::NEG_INFINITY);
        let mut best = 0;
        for (i, group) in lanes.chunks_exact(3 * GROUP).enumerate() {
            let mut farthest = Lanes::<N, L>::splat(f64::NEG_INFINITY);
            for k in 0..GROUP {
                let along = x.mul_add(
                    group[k],
                    y.mul_add(group[GROUP + k], z * group[2 * GROUP + k]),
                );
                farthest = farthest.max(along);
            }
            if farthest.above(most) != 0 {
                best = i;
                let values = farthest.values();
                let top = (1..N).fold(
                    values[0],
                    |top, k| if values[k] > top { values[k] } else { top },
                );
                most = most.max(Lanes::splat(top));
            }
        }
        // of the group that has it, the first that is as far
        let group = &lanes[3 * GROUP * best..][..3 * GROUP];
        for k in 0..GROUP {
            let along = x.mul_add(
                group[k],
                y.mul_add(group[GROUP + k], z * group[2 * GROUP + k]),
            );
            let as_far = most.not_above(along);
            if as_far != 0 {
                let at = (best * GROUP + k) * N + as_far.trailing_zeros() as usize;
                *self.best = at.min(self.corners.points.len() - 1) as u32;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::ConvexHull;
    use crate::math::SplitMix;

    #[test]
    fn scan_and_climb_find_the_farthest_corner() {
        let mut random = SplitMix::new(3);
        for n in [4, 5, 17, 64, 1000] {
            let mut vector = || Vector::from([0, 1, 2].map(|_| 2.0 * random.uniform() - 1.0));
            let points: Vec<Point> = (0..n).map(|_| Point::from(vector().normalize())).collect();
            let hull = ConvexHull::new(&points).unwrap();
            let corners = Corners::new(hull.vertices().to_vec(), hull.surface().triangles());
            let mut last = 0;
            for _ in 0..200 {
                let direction = vector();
                let along = |i: u32| corners.points()[i as usize].coords.dot(&direction);
                let most = corners
                    .points()
                    .iter()
                    .map(|p| p.coords.dot(&direction))
                    .fold(f64::MIN, f64::max);
                assert!((along(corners.farthest(&direction)) - most).abs() < 1e-15);
                last = corners.climbed(&direction, last);
                assert!((along(last) - most).abs() < 1e-14);
            }
        }
    }
}
