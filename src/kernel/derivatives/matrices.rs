//! Matrices of one configuration, eight rows of a column at a time.
//!
//! In column `k`, rows up to `k` are projections of the wrenches of coordinate `k` on their axes, and rows beyond are
//! projections of their wrenches on the axis of `k`. Rows on other branches are zero.

use super::PackedDerivatives;
use super::layout::{
    INERTIAL, read_motion, read_wrench, splat_motion, splat_products, splat_wrench,
};
use super::terms::{Motion, Products};
use crate::kernel::pack::read3;
use crate::kernel::spatial::Wrench;
use crate::kernel::tree::Tree;
use crate::math::{Lanes, Level, Ring, outlined};

impl PackedDerivatives {
    /// The mass matrix, column after column.
    #[inline(always)]
    pub(super) fn mass_matrix<const N: usize, L: Level>(&self, tree: &Tree, out: &mut [f64]) {
        let n = tree.len();
        let out = &mut out[..n * n];
        self.fill::<Masses, 1, N, L>(n, &mut [&mut *out]);
        for (k, node) in tree.nodes().iter().enumerate() {
            out[k * n + k] += node.armature;
        }
    }

    /// The partials by configuration and velocity, column after column.
    pub(super) fn partials<const N: usize, L: Level>(
        &self,
        tree: &Tree,
        wrt_q: &mut [f64],
        wrt_v: &mut [f64],
    ) {
        outlined::<L, _>(
            #[inline(always)]
            || self.partials_here::<N, L>(tree, wrt_q, wrt_v),
        );
    }

    #[inline(always)]
    fn partials_here<const N: usize, L: Level>(
        &self,
        tree: &Tree,
        wrt_q: &mut [f64],
        wrt_v: &mut [f64],
    ) {
        let n = tree.len();
        let out = &mut [&mut wrt_q[..n * n], &mut wrt_v[..n * n]];
        self.fill::<Partials, 2, N, L>(n, out);
    }

    /// Blocks of rows from the last to the first, and in each the columns from the first to the last: what a block
    /// writes below the end of a column, where `n` is no multiple of `N`, is the top of the next, which comes later.
    #[inline(always)]
    fn fill<M: Matrices<COUNT>, const COUNT: usize, const N: usize, L: Level>(
        &self,
        n: usize,
        out: &mut [&mut [f64]; COUNT],
    ) {
        for block in (0..n.div_ceil(N)).rev() {
            let first = block * N;
            let rows = Rows::<N, L>::read(self, first);

            // rows of descendants of `k`, and of coordinates on other branches
            for k in 0..first {
                let mask = self.branches.mask(n, k, first);
                let entries = M::descendant_rows(self, &rows, k);
                for m in 0..COUNT {
                    store(mask * entries[m], k * n + first, out[m]);
                }
            }

            // rows of both kinds, and that of `k` itself, which counts as its own ancestor
            for k in first..n.min(first + N) {
                let [before, beyond] = self.branches.masks_at(n, k, first);
                let (ancestors, descendants) = (
                    M::ancestor_rows(self, &rows, k),
                    M::descendant_rows(self, &rows, k),
                );
                for m in 0..COUNT {
                    let both = before.mul_add(ancestors[m], beyond * descendants[m]);
                    store(both, k * n + first, out[m]);
                }
            }

            // rows of ancestors of `k`, and of coordinates on other branches
            for k in first + N..n {
                let mask = self.branches.mask(n, k, first);
                let entries = M::ancestor_rows(self, &rows, k);
                for m in 0..COUNT {
                    store(mask * entries[m], k * n + first, out[m]);
                }
            }
        }
    }
}

/// Terms of the `N` coordinates of some rows.
struct Rows<const N: usize, L: Level> {
    s: Motion<Lanes<N, L>>,
    inertial: Wrench<Lanes<N, L>>,
    drift: [Lanes<N, L>; 3],
}

impl<const N: usize, L: Level> Rows<N, L> {
    #[inline(always)]
    fn read(from: &PackedDerivatives, first: usize) -> Self {
        let (m, part) = (first / 8, first % 8 / N);
        let products = &from.products[m];
        Self {
            s: read_motion(&from.s[m], 0, part),
            inertial: read_wrench(products, INERTIAL, part),
            drift: read3(products, 18, part),
        }
    }
}

/// The entries of column `k` of `COUNT` matrices.
trait Matrices<const COUNT: usize> {
    /// In rows of ancestors of `k`.
    fn ancestor_rows<const N: usize, L: Level>(
        from: &PackedDerivatives,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; COUNT];

    /// In rows of descendants of `k`.
    fn descendant_rows<const N: usize, L: Level>(
        from: &PackedDerivatives,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; COUNT];
}

/// The mass matrix.
struct Masses;

impl Matrices<1> for Masses {
    #[inline(always)]
    fn ancestor_rows<const N: usize, L: Level>(
        from: &PackedDerivatives,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; 1] {
        [splat_wrench(&from.products[k / 8], INERTIAL, k % 8).power(rows.s)]
    }

    #[inline(always)]
    fn descendant_rows<const N: usize, L: Level>(
        from: &PackedDerivatives,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; 1] {
        [rows.inertial.power(splat_motion(&from.s[k / 8], 0, k % 8))]
    }
}

/// The partials of the forces by configuration and by velocity.
struct Partials;

impl Matrices<2> for Partials {
    #[inline(always)]
    fn ancestor_rows<const N: usize, L: Level>(
        from: &PackedDerivatives,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; 2] {
        splat_products(&from.products[k / 8], k % 8).column(rows.s)
    }

    #[inline(always)]
    fn descendant_rows<const N: usize, L: Level>(
        from: &PackedDerivatives,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; 2] {
        let (m, lane) = (k / 8, k % 8);
        Products::row(
            &rows.inertial,
            rows.drift,
            splat_motion(&from.s[m], 0, lane),
            splat_motion(&from.s_dot[m], 0, lane),
            splat_motion(&from.s_ddot[m], 0, lane),
        )
    }
}

/// Writes lanes from index `first` on, up to the end of `out`.
#[inline(always)]
pub(super) fn store<const N: usize, L: Level>(lanes: Lanes<N, L>, first: usize, out: &mut [f64]) {
    // the last lanes may lie beyond the end as a whole
    let (out, values) = (out.get_mut(first..).unwrap_or_default(), lanes.values());
    if let Some(out) = out.first_chunk_mut() {
        *out = *values;
    } else {
        out.copy_from_slice(&values[..out.len()]);
    }
}
