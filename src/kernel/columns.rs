//! Products of the inverse of the mass matrix with many columns, O(n) for each: `M⁻¹ X`.
//!
//! Forward dynamics by articulated bodies ([`aba`](super::aba)) is linear in the generalised forces. The articulated
//! inertias depend on none of them, so that they are computed once; what is left for a column is a wrench `p` on the way
//! to the root and an acceleration `a` on the way back: Carpentier (2018), "Analytical inverse of the joint space inertia
//! matrix", whose columns are those of the identity; and Carpentier, Mansard (2018).
//!
//! ```text
//! from the leaves:  w_i = (x_i − S_iᵀ p_i) / D_i     p_λ += p_i + U_i w_i
//! from the root:    ẍ_i = w_i − U_iᵀ a_λ / D_i       a_i = a_λ + S_i ẍ_i
//! ```
//!
//! Everything is about one common point, so that nothing is shifted from body to body: a pass over a body and a column is
//! twelve products. Columns are the lanes, in tiles: what a tile needs of each body lies together. On a branch one `p` and one
//! `a` are enough ([`Order`]). Where columns are those of the identity, a body that no column belongs to is left out, and
//! so is the half that is the other one mirrored. [`factor`](super::factor) does the same in O(n d) per column.

use std::ops::Range;

use super::order::{Order, Step};
use super::pack::Pack8;
use super::tree::Tree;
use crate::math::{Lanes, Level, Ring, Scalar};

/// Number of columns in a tile.
pub(super) const TILE: usize = 32;
const PACKS: usize = TILE / 8;

/// One number of each column of a tile.
pub(super) type TileRow = [Pack8; PACKS];

const ZERO_ROW: TileRow = [Pack8::ZERO; PACKS];

/// The terms of a coordinate, about the common point: angular half, linear half.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Joint {
    /// `S`; the last two are zero.
    pub(super) s: Pack8,
    /// `U = I^A S`.
    pub(super) u: Pack8,
    /// `1 / D`.
    pub(super) d_inverse: f64,
    /// Effective inertia with all beyond it free, and an upper bound of it with all beyond it locked.
    pub(super) d: f64,
    pub(super) locked: f64,
}

impl Joint {
    pub(super) const ZERO: Self = Self {
        s: Pack8::ZERO,
        u: Pack8::ZERO,
        d_inverse: 0.0,
        d: 0.0,
        locked: 0.0,
    };
}

/// A tile of columns, a row per position of [`Order`].
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(super) x: Vec<TileRow>,
    // of each slot
    wrenches: Vec<[TileRow; 6]>,
    motions: Vec<[TileRow; 6]>,
}

/// Which entries of a tile are known to be zero, or not asked for.
#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Columns of the identity, for the coordinates at these positions: rows up to the diagonal are computed.
    Identity(Range<usize>),
    /// Columns that belong to the coordinates at these positions, each to one: zero in rows of other branches.
    Branches(Range<usize>),
}

impl Columns {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let (n, slots) = (tree.len(), Order::slots(tree.len()));
        Self {
            x: vec![ZERO_ROW; n.next_multiple_of(4)],
            wrenches: vec![[ZERO_ROW; 6]; slots],
            motions: vec![[ZERO_ROW; 6]; slots],
        }
    }

    /// Makes the tile the columns of the identity for the coordinates at some positions.
    #[inline(always)]
    pub(super) fn set_identity(&mut self, positions: &Range<usize>) {
        self.x[..positions.end].fill(ZERO_ROW);
        for (k, p) in positions.clone().enumerate() {
            self.x[p][k / 8].0[k % 8] = 1.0;
        }
    }

    /// Replaces the first `width` columns of the tile by their products with the inverse.
    #[inline(always)]
    pub(super) fn multiply<const N: usize, L: Level>(
        &mut self,
        tree: &Tree,
        joints: &[Joint],
        content: &Content,
        width: usize,
    ) {
        let steps = tree.order().steps();
        let (positions, n) = match content {
            Content::Identity(positions) => (positions, positions.end),
            Content::Branches(positions) => (positions, steps.len()),
        };
        let (first, all) = (positions.start, 0..width.div_ceil(N));
        let is_identity = matches!(content, Content::Identity(_));

        // bodies that are on no branch with a column pass nothing on
        let reach = steps[positions.clone()].iter().map(|step| step.end).max();
        let mut started = 0;
        for p in (0..reach.unwrap_or(0).min(n)).rev() {
            let step = &steps[p];
            if step.end <= first {
                continue;
            }
            let lanes = if is_identity {
                let end = step.end.min(positions.end) - first;
                p.saturating_sub(first) / N..end.div_ceil(N)
            } else {
                all.clone()
            };
            self.up::<N, L>(p, step, &joints[step.coordinate], lanes, &mut started);
        }
        for p in 0..n {
            let step = &steps[p];
            let mut lanes = all.clone();
            if is_identity {
                lanes.start = p.saturating_sub(first) / N;
            }
            self.down::<N, L>(p, step, &joints[step.coordinate], lanes);
        }
    }

    /// From the leaves to the root: `w` into the row, and the wrench to the parent. `started` has a bit per slot whose
    /// wrench is not zero.
    #[inline(always)]
    fn up<const N: usize, L: Level>(
        &mut self,
        p: usize,
        step: &Step,
        joint: &Joint,
        lanes: Range<usize>,
        started: &mut u64,
    ) {
        for slot in [Some(step.slot), step.parent_slot].into_iter().flatten() {
            if *started >> slot & 1 == 0 {
                self.wrenches[slot] = [ZERO_ROW; 6];
                *started |= 1 << slot;
            }
        }
        let (s, u) = (splat(&joint.s), splat(&joint.u));
        let d_inverse = Lanes::<N, L>::constant(joint.d_inverse);
        let x = &mut self.x[p];
        match step.parent_slot {
            Some(to) if to != step.slot => {
                let [to, own] = self
                    .wrenches
                    .get_disjoint_mut([to, step.slot])
                    .expect("two slots");
                for k in lanes {
                    let wrench = read6(own, k);
                    let w = (read(x, k) - dot6(&s, &wrench)) * d_inverse;
                    write(x, k, w);
                    let sum = read6(to, k);
                    for c in 0..6 {
                        let passed = u[c].mul_add(w, wrench[c]);
                        write(&mut to[c], k, sum[c] + passed);
                    }
                }
                // the next branch of the slot is another
                *started &= !(1 << step.slot);
            }
            Some(_) => {
                let own = &mut self.wrenches[step.slot];
                for k in lanes {
                    let wrench = read6(own, k);
                    let w = (read(x, k) - dot6(&s, &wrench)) * d_inverse;
                    write(x, k, w);
                    for c in 0..6 {
                        write(&mut own[c], k, u[c].mul_add(w, wrench[c]));
                    }
                }
            }
            None => {
                let own = &self.wrenches[step.slot];
                for k in lanes {
                    let w = (read(x, k) - dot6(&s, &read6(own, k))) * d_inverse;
                    write(x, k, w);
                }
                *started &= !(1 << step.slot);
            }
        }
    }

    /// From the root to the leaves: the acceleration of the coordinate into the row, and that of the body into its slot.
    #[inline(always)]
    fn down<const N: usize, L: Level>(
        &mut self,
        p: usize,
        step: &Step,
        joint: &Joint,
        lanes: Range<usize>,
    ) {
        let s = splat(&joint.s);
        let x = &mut self.x[p];
        let Some(parent) = step.parent_slot else {
            for k in lanes {
                let a: Lanes<N, L> = read(x, k);
                for c in 0..6 {
                    write(&mut self.motions[step.slot][c], k, s[c] * a);
                }
            }
            return;
        };
        let u = splat(&joint.u);
        let d_inverse = Lanes::<N, L>::constant(-joint.d_inverse);
        if p + 1 == step.end {
            let from = &self.motions[parent];
            for k in lanes {
                let taken = dot6(&u, &read6(from, k));
                write(x, k, d_inverse.mul_add(taken, read(x, k)));
            }
            return;
        }
        for k in lanes {
            let a = read6(&self.motions[parent], k);
            let ddq = d_inverse.mul_add(dot6(&u, &a), read(x, k));
            write(x, k, ddq);
            let own = &mut self.motions[step.slot];
            for c in 0..6 {
                write(&mut own[c], k, s[c].mul_add(ddq, a[c]));
            }
        }
    }
}

/// The accelerations `M⁻¹ τ` of one column, in place.
pub(super) fn multiply_one(tree: &Tree, joints: &[Joint], x: &mut [f64], motions: &mut [[f64; 6]]) {
    let nodes = tree.nodes();
    // first the wrenches, which pass through the same memory
    let (x, passed) = (&mut x[..nodes.len()], &mut motions[..nodes.len()]);
    passed.fill([0.0; 6]);
    for (i, node) in nodes.iter().enumerate().rev() {
        let joint = &joints[i];
        let mut wrench = passed[i];
        let w = (x[i] - dot(&joint.s, &wrench)) * joint.d_inverse;
        x[i] = w;
        if let Some(to) = passed.get_mut(node.parent as usize) {
            for c in 0..6 {
                wrench[c] += joint.u.0[c] * w;
                to[c] += wrench[c];
            }
        }
    }
    for (i, node) in nodes.iter().enumerate() {
        let joint = &joints[i];
        let mut motion = *passed.get(node.parent as usize).unwrap_or(&[0.0; 6]);
        x[i] -= dot(&joint.u, &motion) * joint.d_inverse;
        for c in 0..6 {
            motion[c] += joint.s.0[c] * x[i];
        }
        passed[i] = motion;
    }
}

#[inline(always)]
fn dot(a: &Pack8, b: &[f64; 6]) -> f64 {
    let a = &a.0;
    (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])
}

type Six<const N: usize, L> = [Lanes<N, L>; 6];

#[inline(always)]
fn splat<const N: usize, L: Level>(numbers: &Pack8) -> Six<N, L> {
    let [a, b, c, d, e, f, ..] = numbers.0;
    [
        Lanes::constant(a),
        Lanes::constant(b),
        Lanes::constant(c),
        Lanes::constant(d),
        Lanes::constant(e),
        Lanes::constant(f),
    ]
}

/// Register `k` of a row.
#[inline(always)]
fn read<const N: usize, L: Level>(row: &TileRow, k: usize) -> Lanes<N, L> {
    row[k * N / 8].read(k * N % 8 / N)
}

#[inline(always)]
fn write<const N: usize, L: Level>(row: &mut TileRow, k: usize, lanes: Lanes<N, L>) {
    row[k * N / 8].write(k * N % 8 / N, lanes);
}

#[inline(always)]
fn read6<const N: usize, L: Level>(rows: &[TileRow; 6], k: usize) -> Six<N, L> {
    let [a, b, c, d, e, f] = rows;
    [
        read(a, k),
        read(b, k),
        read(c, k),
        read(d, k),
        read(e, k),
        read(f, k),
    ]
}

#[inline(always)]
fn dot6<const N: usize, L: Level>(a: &Six<N, L>, b: &Six<N, L>) -> Lanes<N, L> {
    let angular = a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]));
    let linear = a[5].mul_add(b[5], a[4].mul_add(b[4], a[3] * b[3]));
    angular + linear
}
