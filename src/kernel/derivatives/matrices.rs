//! The matrices of one configuration, eight rows of a column at a time.
//!
//! In column `k`, rows up to `k` are projections of what coordinate `k` makes on their axes, and rows beyond of what they
//! make on its. Rows on other branches are zero.

use super::Abreast;
use super::layout::{
    INERTIAL, read_motion, read_wrench, spread_motion, spread_products, spread_wrench,
};
use super::terms::{Motion, Products};
use crate::kernel::eight::read3;
use crate::kernel::spatial::Wrench;
use crate::kernel::tree::Tree;
use crate::math::{Lanes, Level, Scalar};

impl Abreast {
    /// The mass matrix, column after column.
    #[inline(always)]
    pub(super) fn masses<const N: usize, L: Level>(&self, tree: &Tree, out: &mut [f64]) {
        let n = tree.len();
        let out = &mut out[..n * n];
        self.fill::<N, L>(n, &mut Masses(out));
        for (k, node) in tree.nodes().iter().enumerate() {
            out[k * n + k] += node.armature;
        }
    }

    /// The slopes by configuration and velocity, column after column.
    #[inline(always)]
    pub(super) fn slopes<const N: usize, L: Level>(
        &self,
        tree: &Tree,
        by_config: &mut [f64],
        by_velocity: &mut [f64],
    ) {
        let n = tree.len();
        let mut matrices = Slopes {
            by_config: &mut by_config[..n * n],
            by_velocity: &mut by_velocity[..n * n],
        };
        self.fill::<N, L>(n, &mut matrices);
    }

    /// Blocks of rows from the last to the first, and in each the columns from the first to the last: what a block
    /// writes below the end of a column, where `n` is no multiple of `N`, is the top of the next, which comes later.
    #[inline(always)]
    fn fill<const N: usize, L: Level>(&self, n: usize, out: &mut impl Matrices) {
        for block in (0..n.div_ceil(N)).rev() {
            let first = block * N;
            let rows = Rows::<N, L>::read(self, first);
            for k in 0..first {
                let mask = self.branches.with(n, k, first);
                out.beyond(self, &rows, k, mask, k * n + first);
            }
            for k in first..n.min(first + N) {
                let masks = self.branches.around(n, k, first);
                out.around(self, &rows, k, masks, k * n + first);
            }
            for k in first + N..n {
                let mask = self.branches.with(n, k, first);
                out.before(self, &rows, k, mask, k * n + first);
            }
        }
    }
}

/// What `N` coordinates bring along to meet another.
struct Rows<const N: usize, L: Level> {
    s: Motion<Lanes<N, L>>,
    inertial: Wrench<Lanes<N, L>>,
    drift: [Lanes<N, L>; 3],
}

impl<const N: usize, L: Level> Rows<N, L> {
    #[inline(always)]
    fn read(from: &Abreast, first: usize) -> Self {
        let (m, part) = (first / 8, first % 8 / N);
        let products = &from.products[m];
        Self {
            s: read_motion(&from.s[m], 0, part),
            inertial: read_wrench(products, INERTIAL, part),
            drift: read3(products, 18, part),
        }
    }
}

/// What is written into column `k`, from number `at` on.
trait Matrices {
    /// In rows of coordinates that carry `k`.
    fn before<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        mask: Lanes<N, L>,
        at: usize,
    );

    /// In rows of coordinates that `k` carries.
    fn beyond<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        mask: Lanes<N, L>,
        at: usize,
    );

    /// Where rows of both kinds and that of `k` itself, which counts as carrying, stand side by side.
    fn around<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        masks: [Lanes<N, L>; 2],
        at: usize,
    );
}

struct Masses<'a>(&'a mut [f64]);

impl Masses<'_> {
    #[inline(always)]
    fn carrying<const N: usize, L: Level>(
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
    ) -> Lanes<N, L> {
        spread_wrench(&from.products[k / 8], INERTIAL, k % 8).power(rows.s)
    }

    #[inline(always)]
    fn carried<const N: usize, L: Level>(
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
    ) -> Lanes<N, L> {
        rows.inertial.power(spread_motion(&from.s[k / 8], 0, k % 8))
    }
}

impl Matrices for Masses<'_> {
    #[inline(always)]
    fn before<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        mask: Lanes<N, L>,
        at: usize,
    ) {
        store(mask * Self::carrying(from, rows, k), at, self.0);
    }

    #[inline(always)]
    fn beyond<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        mask: Lanes<N, L>,
        at: usize,
    ) {
        store(mask * Self::carried(from, rows, k), at, self.0);
    }

    #[inline(always)]
    fn around<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        [before, beyond]: [Lanes<N, L>; 2],
        at: usize,
    ) {
        let beyond = beyond * Self::carried(from, rows, k);
        let both = before.mul_add(Self::carrying(from, rows, k), beyond);
        store(both, at, self.0);
    }
}

struct Slopes<'a> {
    by_config: &'a mut [f64],
    by_velocity: &'a mut [f64],
}

impl Slopes<'_> {
    #[inline(always)]
    fn carrying<const N: usize, L: Level>(
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; 2] {
        spread_products(&from.products[k / 8], k % 8).column(rows.s)
    }

    #[inline(always)]
    fn carried<const N: usize, L: Level>(
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
    ) -> [Lanes<N, L>; 2] {
        let (m, lane) = (k / 8, k % 8);
        Products::row(
            &rows.inertial,
            rows.drift,
            spread_motion(&from.s[m], 0, lane),
            spread_motion(&from.s_dot[m], 0, lane),
            spread_motion(&from.s_ddot[m], 0, lane),
        )
    }
}

impl Matrices for Slopes<'_> {
    #[inline(always)]
    fn before<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        mask: Lanes<N, L>,
        at: usize,
    ) {
        let [q, v] = Self::carrying(from, rows, k);
        store(mask * q, at, self.by_config);
        store(mask * v, at, self.by_velocity);
    }

    #[inline(always)]
    fn beyond<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        mask: Lanes<N, L>,
        at: usize,
    ) {
        let [q, v] = Self::carried(from, rows, k);
        store(mask * q, at, self.by_config);
        store(mask * v, at, self.by_velocity);
    }

    #[inline(always)]
    fn around<const N: usize, L: Level>(
        &mut self,
        from: &Abreast,
        rows: &Rows<N, L>,
        k: usize,
        [before, beyond]: [Lanes<N, L>; 2],
        at: usize,
    ) {
        let [q, v] = Self::carrying(from, rows, k);
        let [p, u] = Self::carried(from, rows, k);
        store(before.mul_add(q, beyond * p), at, self.by_config);
        store(before.mul_add(v, beyond * u), at, self.by_velocity);
    }
}

/// Writes lanes from number `first` on, as far as there is room.
#[inline(always)]
pub(super) fn store<const N: usize, L: Level>(lanes: Lanes<N, L>, first: usize, out: &mut [f64]) {
    if first + N <= out.len() {
        out[first..first + N].copy_from_slice(lanes.values());
    } else {
        for (out, lane) in out.iter_mut().skip(first).zip(lanes.values()) {
            *out = *lane;
        }
    }
}
