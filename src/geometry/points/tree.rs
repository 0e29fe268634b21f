//! A tree of boxes over points.

use super::Centered;
use super::order::morton;
use crate::math::{Lanes, Level, Ring};

/// Points in Morton order, sixteen to a leaf, and boxes around sixteen leaves or nodes of the level below.
#[derive(Debug)]
pub(super) struct Tree {
    /// Of each leaf the coordinates of its points along x, along y and along z, and [`WIDTH`] numbers that nothing reads.
    leaves: Vec<f32>,
    /// From the boxes of leaves to the root.
    levels: Vec<Vec<Node>>,
}

/// Boxes: on each axis the lower ends, then on each the upper ones. Those that are missing repeat the last.
type Node = [[f32; WIDTH]; 6];

/// Points of a leaf, and children of a node.
const WIDTH: usize = 16;

/// Numbers of a leaf.
const LEAF: usize = 4 * WIDTH;

/// Levels over 2³² points.
const DEEPEST: usize = 8;

impl Tree {
    pub(super) fn new(set: &Centered<'_>) -> Self {
        // in place, for memory that is new takes longer than the work
        let mut leaves = morton(set, WIDTH).into_flattened();
        let last = set.points.len() - 1;
        for i in last + 1..leaves.len() / 4 {
            leaves.copy_within(4 * last..4 * last + 4, 4 * i);
        }
        let mut boxes = Vec::with_capacity(leaves.len() / LEAF);
        for leaf in leaves.as_chunks_mut::<LEAF>().0 {
            let points = *leaf;
            let leaf = leaf.as_chunks_mut::<WIDTH>().0;
            for i in 0..WIDTH {
                for k in 0..3 {
                    leaf[k][i] = points[4 * i + k];
                }
            }
            let mut around = NOTHING;
            for k in 0..3 {
                // lanes of four
                let mut low = [leaf[k][0], leaf[k][1], leaf[k][2], leaf[k][3]];
                let mut high = low;
                for four in leaf[k].chunks_exact(4) {
                    for (i, x) in four.iter().enumerate() {
                        low[i] = if *x < low[i] { *x } else { low[i] };
                        high[i] = if *x > high[i] { *x } else { high[i] };
                    }
                }
                let least = |a: f32, b: f32| if a < b { a } else { b };
                let most = |a: f32, b: f32| if a > b { a } else { b };
                around[k] = least(least(low[0], low[1]), least(low[2], low[3]));
                around[k + 3] = most(most(high[0], high[1]), most(high[2], high[3]));
            }
            boxes.push(around);
        }
        let mut levels = Vec::new();
        while boxes.len() > 1 || levels.is_empty() {
            let mut nodes = Vec::new();
            let mut above = Vec::new();
            for group in boxes.chunks(WIDTH) {
                let mut node = [[0.0; WIDTH]; 6];
                let mut around = NOTHING;
                for i in 0..WIDTH {
                    let b = &group[i.min(group.len() - 1)];
                    for k in 0..3 {
                        (node[k][i], node[k + 3][i]) = (b[k], b[k + 3]);
                        around[k] = around[k].min(b[k]);
                        around[k + 3] = around[k + 3].max(b[k + 3]);
                    }
                }
                nodes.push(node);
                above.push(around);
            }
            levels.push(nodes);
            boxes = above;
        }
        Self { leaves, levels }
    }

    /// The points in their order, and the last one perhaps several times.
    pub(super) fn points(&self) -> impl Iterator<Item = [f32; 3]> {
        let leaves = self.leaves.chunks_exact(LEAF);
        leaves.flat_map(|leaf| {
            let [x, y, z] = [0, 1, 2].map(|k| &leaf[k * WIDTH..][..WIDTH]);
            (0..WIDTH).map(|i| [x[i], y[i], z[i]])
        })
    }

    /// Returns whether a point is within a squared distance of a position.
    #[inline(always)]
    pub(super) fn is_within<const N: usize, L: Level>(&self, p: &[f32; 3], square: f32) -> bool {
        let p = [0, 1, 2].map(|k| Lanes::<N, L, f32>::splat(p[k]));
        // what is left of each level: the first of the children, and a bit for each that is near
        let mut stack = [(0_usize, 0_u32); DEEPEST];
        let mut level = self.levels.len() - 1;
        let (near, is_found) = self.near::<N, L>(level, 0, &p, square);
        if is_found {
            return true;
        }
        stack[level] = (0, near);
        loop {
            let (first, left) = &mut stack[level];
            if *left == 0 {
                level += 1;
                if level == self.levels.len() {
                    return false;
                }
                continue;
            }
            let child = *first + left.trailing_zeros() as usize;
            *left &= *left - 1;
            if level > 0 {
                level -= 1;
                let (near, is_found) = self.near::<N, L>(level, child, &p, square);
                if is_found {
                    return true;
                }
                stack[level] = (child * WIDTH, near);
            } else if is_any_within(&self.leaves[child * LEAF..][..3 * WIDTH], &p, square) {
                return true;
            }
        }
    }

    /// A bit for each child of a node whose box is within a squared distance, and whether all of a box is.
    #[inline(always)]
    fn near<const N: usize, L: Level>(
        &self,
        level: usize,
        node: usize,
        p: &[Lanes<N, L, f32>; 3],
        square: f32,
    ) -> (u32, bool) {
        let below = if level == 0 {
            self.leaves.len() / LEAF
        } else {
            self.levels[level - 1].len()
        };
        let count = (below - node * WIDTH).min(WIDTH);
        let boxes = &self.levels[level][node];
        let square = Lanes::splat(square);
        let (mut near, mut all) = (0, 0);
        for first in (0..WIDTH).step_by(N) {
            let (mut least, mut most) = (Lanes::splat(0.0), Lanes::splat(0.0));
            for k in 0..3 {
                let below = load::<N, L>(&boxes[k], first) - p[k];
                let above = p[k] - load(&boxes[k + 3], first);
                let gap = below.max(above).max(Lanes::splat(0.0));
                least = gap.mul_add(gap, least);
                let far = below.min(above);
                most = far.mul_add(far, most);
            }
            near |= least.not_gt(square) << first;
            all |= most.not_gt(square);
        }
        (near & u32::MAX >> (32 - count), all != 0)
    }
}

/// A box around nothing: lower ends, upper ends.
const NOTHING: [f32; 6] = [
    f32::INFINITY,
    f32::INFINITY,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NEG_INFINITY,
    f32::NEG_INFINITY,
];

#[inline(always)]
fn is_any_within<const N: usize, L: Level>(
    points: &[f32],
    p: &[Lanes<N, L, f32>; 3],
    square: f32,
) -> bool {
    let points = points.as_chunks::<WIDTH>().0;
    let square = Lanes::splat(square);
    let mut any = 0;
    for first in (0..WIDTH).step_by(N) {
        let mut sum = Lanes::splat(0.0);
        for k in 0..3 {
            let d = load::<N, L>(&points[k], first) - p[k];
            sum = d.mul_add(d, sum);
        }
        any |= sum.not_gt(square);
    }
    any != 0
}

#[inline(always)]
fn load<const N: usize, L: Level>(numbers: &[f32; WIDTH], first: usize) -> Lanes<N, L, f32> {
    let mut out = [0.0; N];
    out.copy_from_slice(&numbers[first..first + N]);
    Lanes::new(out)
}
