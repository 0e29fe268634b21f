//! Packed boxes of static parts: up to a few hundred, a linear scan in lanes is faster than a tree.

use super::tree::LEAF;
use crate::geometry::Aabb;
use crate::math::{Block, Lanes, Level, Simd, Work};

/// Largest number of boxes for a linear scan.
const MAX_BOXES: usize = 256;

/// Boxes in single precision, rounded outwards.
#[derive(Debug, Clone)]
pub(super) struct BoxScan {
    simd: Simd,
    /// Sixteen boxes per group: on each axis the lower ends and then the negated upper ends; padded with boxes that overlap
    /// nothing.
    ends: Vec<Block>,
}

/// Boxes per group.
const GROUP: usize = 16;
/// Blocks per group.
const BLOCKS: usize = 6;

impl BoxScan {
    /// A scan of boxes; `None` where a tree is as fast: for too many, or so few that they are one leaf of it.
    pub(super) fn new(boxes: &[Aabb]) -> Option<Self> {
        (LEAF < boxes.len() && boxes.len() <= MAX_BOXES).then(|| Self::of(boxes))
    }

    fn of(boxes: &[Aabb]) -> Self {
        let mut ends = Vec::new();
        for group in boxes.chunks(GROUP) {
            let first = ends.len();
            ends.resize(first + BLOCKS, NOWHERE);
            for (i, bounds) in group.iter().enumerate() {
                for (block, end) in ends[first..].iter_mut().zip(ends_of(bounds)) {
                    block.set_single(i, end);
                }
            }
        }
        let simd = Simd::chosen();
        Self { simd, ends }
    }

    /// Appends the pairs of an index of a box of the scan and the number, counted from `first`, of another box that overlaps
    /// it, up to rounding.
    pub(super) fn overlapping(&self, others: &[Aabb], first: usize, out: &mut Vec<(u32, u32)>) {
        self.simd.run(Scan {
            ends: &self.ends,
            others,
            first: first as u32,
            out,
        });
    }
}

/// Two single-precision infinities per number: a box with these ends overlaps nothing.
const NOWHERE: Block = Block::new([f64::from_bits(0x7f80_0000_7f80_0000); 8]);

/// Lower end and negated upper end on each axis, rounded outwards.
#[inline(always)]
fn ends_of(bounds: &Aabb) -> [f32; 6] {
    let (min, max) = (&bounds.min, &bounds.max);
    [
        at_most(min.x),
        at_most(-max.x),
        at_most(min.y),
        at_most(-max.y),
        at_most(min.z),
        at_most(-max.z),
    ]
}

/// Rounds down to a finite single-precision number; clamps at ±[`LARGEST`].
#[inline(always)]
fn at_most(x: f64) -> f32 {
    let near = x.clamp(-LARGEST, LARGEST) as f32;
    near - near.abs() * f32::EPSILON - f32::MIN_POSITIVE
}

/// Sums of numbers up to this are finite in single precision.
const LARGEST: f64 = 1e38;

struct Scan<'a> {
    ends: &'a [Block],
    others: &'a [Aabb],
    first: u32,
    out: &'a mut Vec<(u32, u32)>,
}

impl Work for Scan<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let lanes = Block::as_lanes::<N, L, f32>(self.ends);
        let step = GROUP / N;
        for (number, bounds) in (self.first..).zip(self.others) {
            // two boxes overlap unless one ends before the other begins on some axis
            let own = ends_of(bounds);
            let low = splat::<N, L>(&[own[0], own[2], own[4]]);
            let high = splat::<N, L>(&[own[1], own[3], own[5]]);
            for (group, ends) in lanes.chunks_exact(BLOCKS * step).enumerate() {
                for part in 0..step {
                    let mut separated = 0;
                    for k in 0..3 {
                        separated |= ends[2 * k * step + part].gt(high[k])
                            | ends[(2 * k + 1) * step + part].gt(low[k]);
                    }
                    let mut met = !separated & (u32::MAX >> (32 - N));
                    while met != 0 {
                        let index = group * GROUP + part * N + met.trailing_zeros() as usize;
                        met &= met - 1;
                        self.out.push((index as u32, number));
                    }
                }
            }
        }
    }
}

/// The negated numbers, each in all lanes.
#[inline(always)]
fn splat<const N: usize, L: Level>(&[x, y, z]: &[f32; 3]) -> [Lanes<N, L, f32>; 3] {
    [Lanes::splat(-x), Lanes::splat(-y), Lanes::splat(-z)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Point, SplitMix};

    #[test]
    fn every_overlap_is_found_and_hardly_anything_else() {
        let mut random = SplitMix::new(8);
        for count in [0, 1, 15, 16, 17, 256] {
            let mut boxes = |n: usize, size: f64| -> Vec<Aabb> {
                let mut number = || (2.0 * random.uniform() - 1.0) * size;
                let mut corner = || Point::new(number(), number(), number());
                let around = |_| Aabb::around([corner(), corner()]).unwrap();
                (0..n).map(around).collect()
            };
            let (still, queries) = (boxes(count, 1.0), boxes(20, 1.0));
            let mut found = Vec::new();
            BoxScan::of(&still).overlapping(&queries, 7, &mut found);
            for (i, query) in (7..).zip(&queries) {
                for (j, bounds) in (0..).zip(&still) {
                    if query.overlaps(bounds) {
                        assert!(found.contains(&(j, i)));
                    } else if found.contains(&(j, i)) {
                        assert!(query.inflated(1e-6).overlaps(bounds));
                    }
                }
            }
            assert!(found.iter().all(|&(j, _)| (j as usize) < still.len()));
        }
    }

    #[test]
    fn boxes_that_touch_or_are_huge_are_found() {
        let cube = |center: [f64; 3], half: f64| {
            let center = Point::from(center);
            let half = crate::math::Vector::repeat(half);
            let (min, max) = (center - half, center + half);
            Aabb { min, max }
        };
        let still = [
            cube([0.1, 0.2, 0.3], 0.1),
            cube([1e45, 0.0, 0.0], 1e44),
            cube([0.0; 3], 1e50),
        ];
        let queries = [
            cube([0.3, 0.2, 0.3], 0.1),
            cube([1e45, 0.0, 0.0], 1.0),
            cube([-1e45, 0.0, 0.0], 1.0),
        ];
        let mut found = Vec::new();
        BoxScan::of(&still).overlapping(&queries, 0, &mut found);
        found.retain(|&(j, i)| queries[i as usize].overlaps(&still[j as usize]));
        assert_eq!(found, [(0, 0), (2, 0), (1, 1), (2, 1), (2, 2)]);
    }
}
