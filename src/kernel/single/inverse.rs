//! The inverse of the mass matrix, as sparse as the tree: see [`kernel::factor`](mod@crate::kernel::factor).
//!
//! `M = Lᵀ D L` takes the coordinates from the leaves to the root, and so does `V = (L⁻¹)ᵀ`: row `j` of it is
//! nonzero only at `j` and its descendants. Then `M⁻¹ = Vᵀ D⁻¹ V`, of which half is computed: `n³ / 6` products for each
//! of the three on a chain, far fewer where there are branches, four in a register.

use super::crba::{self, Crba};
use super::tiles::{MirrorTiles, StoreTiles, Tile, Tiles};
use crate::kernel::aba::EffectiveInertia;
use crate::kernel::forward::Frame;
use crate::kernel::tree::Tree;
use crate::math::{Quad, QuadWork, Row, Simd};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Inverse {
    effective_inertias: Vec<EffectiveInertia<f64>>,
    // of the mass matrix, row of tiles by row of tiles, as far as the diagonal
    tiles: Vec<Tile>,
    // row by row of `V`, from the block of the diagonal to that of the last descendant
    v_rows: Vec<Row>,
    // the last descendant of each coordinate
    last: Vec<usize>,
    d_inverse: Vec<f64>,
    // one row of `M`
    row: Vec<Row>,
    // ancestors of one of four coordinates, and their entries of those four in `D⁻¹ V`
    shares: Vec<(usize, Row)>,
}

impl Inverse {
    /// Memory for the bodies of a tree; for the most that can have ancestor_masks, where it has more.
    pub(crate) fn new(tree: &Tree) -> Self {
        let n = tree.len().min(Tree::MAX_MASKED_BODIES);
        Self {
            effective_inertias: vec![
                EffectiveInertia {
                    d: 0.0,
                    locked: 0.0
                };
                n
            ],
            tiles: vec![[Row::ZERO; 4]; n.div_ceil(4).pow(2)],
            v_rows: vec![Row::ZERO; n * n.div_ceil(4)],
            last: vec![0; n],
            d_inverse: vec![0.0; n],
            row: vec![Row::ZERO; n.div_ceil(4)],
            shares: vec![(0, Row::ZERO); n],
        }
    }

    /// Effective inertia of each coordinate, with all beyond it free, and locked.
    pub(crate) fn effective_inertias(
        &self,
        tree: &Tree,
    ) -> impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator {
        let pair = |moved: &EffectiveInertia<f64>| (moved.d, moved.locked);
        self.effective_inertias[..tree.len()].iter().map(pair)
    }

    /// Computes `D` and `V`; check [`effective_inertias`](Self::effective_inertias) before writing the inverse.
    #[inline]
    pub(crate) fn factorize(&mut self, tree: &Tree, bodies: &[Frame<f64>], crba: &mut Crba) {
        Simd::chosen().run_quad_wide(Factorize {
            tree,
            bodies,
            crba,
            scratch: self,
        });
    }

    /// Writes the symmetric n × n inverse.
    #[inline]
    pub(crate) fn write(&mut self, tree: &Tree, out: &mut [f64]) {
        let scratch = self;
        Simd::chosen().run_quad_wide(Write { tree, scratch, out });
    }
}

struct Factorize<'a> {
    tree: &'a Tree,
    bodies: &'a [Frame<f64>],
    crba: &'a mut Crba,
    scratch: &'a mut Inverse,
}

impl QuadWork for Factorize<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        factorize::<Q>(self.tree, self.bodies, self.crba, self.scratch);
    }
}

struct Write<'a> {
    tree: &'a Tree,
    scratch: &'a mut Inverse,
    out: &'a mut [f64],
}

impl QuadWork for Write<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        write::<Q>(self.tree, self.scratch, self.out);
    }
}

/// `D` and `V`.
#[inline(always)]
pub(super) fn factorize<Q: Quad>(
    tree: &Tree,
    bodies: &[Frame<f64>],
    mass: &mut Crba,
    scratch: &mut Inverse,
) {
    let n = tree.len();
    let tiles = &mut scratch.tiles[..];
    crba::tiles::<Q>(tree, bodies, mass, &mut StoreTiles { n, tiles });
    let (nodes, across) = (&tree.nodes()[..n], n.div_ceil(4));
    let (v_rows, last) = (&mut scratch.v_rows[..n * across], &mut scratch.last[..n]);
    let (effective_inertias, row) = (
        &mut scratch.effective_inertias[..n],
        &mut scratch.row[..across],
    );
    for (k, row) in v_rows.chunks_exact_mut(across.max(1)).enumerate() {
        row[k / 4..].fill(Row::ZERO);
        row[k / 4].0[k % 4] = 1.0;
        last[k] = k;
        effective_inertias[k].locked = tiles[k / 4 * across + k / 4][k % 4].0[k % 4];
    }
    for k in (0..n).rev() {
        let of_row = &tiles[k / 4 * across..][..=k / 4];
        for block in 0..=k / 4 {
            row[block] = of_row[block][k % 4];
        }
        let d = row[k / 4].0[k % 4];
        let d_inverse = 1.0 / d;
        effective_inertias[k].d = d;
        scratch.d_inverse[k] = d_inverse;
        let (before, own) = v_rows.split_at_mut(k * across);
        let own = &own[k / 4..=last[k] / 4];

        // up the branch: an ancestor has a lower index, the world a higher one
        let mut i = nodes[k].parent as usize;
        while i < k {
            let factor = Q::splat(row[i / 4].0[i % 4] * -d_inverse);
            let ancestor = &mut tiles[i / 4 * across..][..=i / 4];
            let x = &row[..=i / 4];
            for block in 0..=i / 4 {
                let y = &mut ancestor[block][i % 4];
                y.store(factor.mul_add(x[block].load(), y.load()));
            }
            let ancestor = &mut before[i * across + k / 4..][..own.len()];
            for block in 0..own.len() {
                let y = &mut ancestor[block];
                y.store(factor.mul_add(own[block].load(), y.load()));
            }
            last[i] = last[i].max(last[k]);
            i = nodes[i].parent as usize;
        }
    }
}

/// `Vᵀ D⁻¹ V`.
#[inline(always)]
pub(super) fn write<Q: Quad>(tree: &Tree, scratch: &mut Inverse, out: &mut [f64]) {
    let n = tree.len();
    let across = n.div_ceil(4);
    let (v_rows, d_inverse) = (&scratch.v_rows[..n * across], &scratch.d_inverse[..n]);
    let mut out = MirrorTiles::<Q>::new(n, out);
    for i in (0..across).rev() {
        // ancestors of one of four coordinates
        let mut set = (4 * i..n.min(4 * i + 4)).fold(0, |set, k| set | tree.ancestor_masks()[k]);
        let mut count = 0;
        while set != 0 {
            let j = set.trailing_zeros() as usize;
            let share = v_rows[j * across + i].load::<Q>() * Q::splat(d_inverse[j]);
            scratch.shares[count].0 = j;
            scratch.shares[count].1.store(share);
            count += 1;
            set &= set - 1;
        }
        let shares = &scratch.shares[..count];
        for block in (0..=i).rev() {
            let mut sum = [Q::splat(0.0); 4];
            for (j, share) in shares {
                if j / 4 > block {
                    break;
                }
                let x = v_rows[j * across + block].load::<Q>();
                let [a, b, c, d] = share.0;
                sum[0] = Q::splat(a).mul_add(x, sum[0]);
                sum[1] = Q::splat(b).mul_add(x, sum[1]);
                sum[2] = Q::splat(c).mul_add(x, sum[2]);
                sum[3] = Q::splat(d).mul_add(x, sum[3]);
            }
            out.put(i, block, sum);
        }
    }
}
