//! Eight bodies packed as the lanes of one configuration.
//!
//! Terms of each body alone are computed for eight at once, as configurations of a batch are. Only sums along branches
//! go from body to body.

use super::forward::Frame;
use super::tree::{BodyInertia, Node, ROOT, Tree};
use crate::math::linear::{first_numbers, set_first_numbers};
use crate::math::{Lanes, Level, Scalar};

/// One number of each of eight bodies.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Pack8(pub(super) [f64; 8]);

impl Pack8 {
    pub(super) const ZERO: Self = Self([0.0; 8]);

    /// Part `part` of `8 / N`.
    #[inline(always)]
    pub(super) fn read<const N: usize, L: Level>(&self, part: usize) -> Lanes<N, L> {
        Lanes::new(first_numbers(&self.0[part * N..]))
    }

    #[inline(always)]
    pub(super) fn write<const N: usize, L: Level>(&mut self, part: usize, lanes: Lanes<N, L>) {
        set_first_numbers(&mut self.0[part * N..], lanes.values());
    }
}

/// Number of packs for `n` bodies.
pub(super) fn n_packs(n: usize) -> usize {
    n.div_ceil(8)
}

// Numbers are named one by one and not by loops: of a loop the compiler would make a copy in memory.

/// Three numbers of part `part` of a pack, from number `at` on.
#[inline(always)]
pub(super) fn read3<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    part: usize,
) -> [Lanes<N, L>; 3] {
    [
        from[at].read(part),
        from[at + 1].read(part),
        from[at + 2].read(part),
    ]
}

#[inline(always)]
pub(super) fn write3<const N: usize, L: Level, const K: usize>(
    to: &mut [Pack8; K],
    at: usize,
    part: usize,
    [x, y, z]: [Lanes<N, L>; 3],
) {
    to[at].write(part, x);
    to[at + 1].write(part, y);
    to[at + 2].write(part, z);
}

/// Three numbers of one body, in every lane.
#[inline(always)]
pub(super) fn splat3<const N: usize, L: Level, const K: usize>(
    from: &[Pack8; K],
    at: usize,
    lane: usize,
) -> [Lanes<N, L>; 3] {
    let [x, y, z] = lane3(from, at, lane);
    [Lanes::constant(x), Lanes::constant(y), Lanes::constant(z)]
}

/// Three numbers of one body.
#[inline(always)]
pub(super) fn lane3<const K: usize>(from: &[Pack8; K], at: usize, lane: usize) -> [f64; 3] {
    [from[at].0[lane], from[at + 1].0[lane], from[at + 2].0[lane]]
}

/// Forward recursion over the tree: the value of the parent, or `start` at the world, plus the numbers of the body times
/// the rate of its coordinate, for each of `K` terms.
#[inline(always)]
pub(super) fn propagate<const K: usize>(
    tree: &Tree,
    start: [f64; 6],
    steps: [(&[f64], &[[Pack8; 6]]); K],
    out: &mut [[Pack8; 6]],
) {
    // the sum before this one stays in registers: it is most often the parent's
    let mut last = start;
    for (i, node) in tree.nodes().iter().enumerate() {
        let parent = node.parent as usize;
        if node.parent == ROOT {
            last = start;
        } else if parent + 1 != i {
            for k in 0..6 {
                last[k] = out[parent / 8][k].0[parent % 8];
            }
        }
        for (rates, own) in steps {
            let (rate, own) = (rates[i], &own[i / 8]);
            for k in 0..6 {
                last[k] += rate * own[k].0[i % 8];
            }
        }
        let sum = &mut out[i / 8];
        for k in 0..6 {
            sum[k].0[i % 8] = last[k];
        }
    }
}

/// Adds the numbers of each body to those of its parent, from the leaves to the root.
#[inline(always)]
pub(super) fn accumulate_to_parents<const K: usize>(tree: &Tree, numbers: &mut [[Pack8; K]]) {
    // the sum for the previous body stays in registers
    let mut running = [0.0; K];
    for (i, node) in tree.nodes().iter().enumerate().rev() {
        let own = &mut numbers[i / 8];
        for k in 0..K {
            running[k] += own[k].0[i % 8];
            own[k].0[i % 8] = running[k];
        }
        let parent = node.parent as usize;
        if parent + 1 == i {
            continue;
        }
        if node.parent != ROOT {
            let sum = &mut numbers[parent / 8];
            for k in 0..K {
                sum[k].0[parent % 8] += running[k];
            }
        }
        running = [0.0; K];
    }
}

/// Packs the rows of rotation and origin of all bodies; padding is at the world's origin.
#[inline(always)]
pub(super) fn pack_frames(bodies: &[Frame<f64>], out: &mut [[Pack8; 12]]) {
    for (bodies, out) in bodies.chunks(8).zip(out) {
        for (lane, frame) in bodies.iter().enumerate() {
            for (k, row) in frame.rows().iter().enumerate() {
                for c in 0..4 {
                    out[4 * k + c].0[lane] = row[c];
                }
            }
        }
    }
}

/// Constants of eight bodies: mass, centre of mass (3), moment of inertia (xx, xy, yy, xz, yz, zz), length of a
/// revolute axis, length of a prismatic axis.
#[derive(Debug, Clone)]
pub(super) struct Constants(pub(super) [Pack8; 12]);

impl Constants {
    /// Packs all bodies; padding has no mass and does not move.
    pub(super) fn of(nodes: &[Node], inertias: &[BodyInertia]) -> Vec<Self> {
        let mut out = vec![Self([Pack8::ZERO; 12]); n_packs(nodes.len())];
        for (i, (node, inertia)) in nodes.iter().zip(inertias).enumerate() {
            let (c, m) = (&inertia.com, &inertia.moment);
            let numbers = [
                inertia.mass,
                c[0],
                c[1],
                c[2],
                m[0],
                m[3],
                m[4],
                m[6],
                m[7],
                m[8],
                node.revolute,
                node.prismatic,
            ];
            for (pack, number) in out[i / 8].0.iter_mut().zip(numbers) {
                pack.0[i % 8] = number;
            }
        }
        out
    }
}
