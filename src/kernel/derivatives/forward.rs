//! Partials of forward dynamics for one configuration.
//!
//! From `τ = ID(q, q̇, q̈)`, by the implicit function theorem: `∂q̈/∂q = −M⁻¹ ∂τ/∂q`, `∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇`,
//! `∂q̈/∂τ = M⁻¹`, at the acceleration that `τ` causes (Carpentier, Mansard 2018, section IV).

use super::external::{add_fixed_axes_correction, subtract_external};
use super::matrices::store;
use super::{DerivativeQuery, PackedDerivatives, Partials};
use crate::kernel::factor::{factorize, solve};
use crate::kernel::linear::{dot, dot_add};
use crate::kernel::pack::{accumulate_to_parents, n_packs};
use crate::kernel::tree::Tree;
use crate::math::{Lanes, Level, Scalar, Work};

/// Partials of forward dynamics at the generalised forces in `input`.
///
/// A coordinate that moves no inertia divides by zero: check [`PackedDerivatives::effective_inertias`] before the result.
#[derive(Debug)]
pub(crate) struct ForwardDerivatives<'a>(pub(crate) DerivativeQuery<'a>);

impl Work for ForwardDerivatives<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let DerivativeQuery {
            tree,
            bodies,
            dq,
            input: tau,
            gravity,
            external,
            scratch,
            out,
        } = self.0;
        let Some(centre) = bodies.get(tree.centre()) else {
            return;
        };
        let (n, p_w) = (tree.len(), centre.origin());
        scratch.set_poses::<N, L>(tree, bodies, p_w);
        scratch.drift::<N, L>(tree, dq);

        // M, and τ minus bias forces
        scratch.branches.update(tree);
        scratch.inertial::<N, L>(tree);
        let mut rows = std::mem::take(&mut scratch.rows);
        let mut ddq = std::mem::take(&mut scratch.ddq);
        scratch.mass_matrix::<N, L>(tree, &mut rows);
        ddq[..n].fill(0.0);
        scratch.accelerate::<N, L>(tree, dq, &ddq[..n], gravity);
        subtract_external(external, p_w, scratch);
        accumulate_to_parents(tree, &mut scratch.forces);
        for i in 0..n {
            let (s, f) = (scratch.axis(i), scratch.force(i));
            ddq[i] = tau[i] - dot_add(s[0], f.moment, dot(s[1], f.force));
        }
        invert::<N, L>(tree, &mut rows, scratch);
        solve(tree, &rows, 1, &mut ddq[..n]);
        scratch.accelerate::<N, L>(tree, dq, &ddq[..n], gravity);
        (scratch.rows, scratch.ddq) = (rows, ddq);

        subtract_external(external, p_w, scratch);
        accumulate_to_parents(tree, &mut scratch.forces);
        scratch.multiply::<N, L>(tree);
        let Partials {
            wrt_q,
            wrt_v,
            wrt_input,
        } = out;
        scratch.partials::<N, L>(tree, wrt_q, wrt_v);
        add_fixed_axes_correction(tree, external, p_w, scratch, wrt_q);
        for k in (0..n).step_by(COLUMNS) {
            divide::<N, L>(scratch, n, k, wrt_q, wrt_v);
        }

        // both halves are right to rounding; make them equal
        let inverse = &scratch.inverse;
        let width = n_packs(n);
        for i in 0..n {
            for j in 0..=i {
                let number = inverse[i * width + j / 8][j % 8];
                wrt_input[i * n + j] = number;
                wrt_input[j * n + i] = number;
            }
        }
    }
}

/// Factorizes the mass matrix in `rows`, and computes its inverse: see [`factor`](crate::kernel::factor), here for
/// eight columns at a time.
#[inline(always)]
fn invert<const N: usize, L: Level>(
    tree: &Tree,
    rows: &mut [f64],
    scratch: &mut PackedDerivatives,
) {
    let (n, nodes) = (tree.len(), tree.nodes());
    for i in 0..n {
        scratch.effective_inertias[i].1 = rows[i * n + i];
    }
    factorize(tree, rows);
    let width = n_packs(n);
    let x = &mut scratch.inverse[..n * width];
    x.fill([0.0; 8]);
    for i in 0..n {
        scratch.effective_inertias[i].0 = rows[i * n + i];
        x[i * width + i / 8][i % 8] = 1.0;
    }

    // Lᵀ, from the leaves to the root: columns before that of the row are still zero
    for k in (0..n).rev() {
        for m in k / 8..width {
            for part in 0..8 / N {
                let row = read::<N, L>(&x[k * width + m], part);
                let mut j = nodes[k].parent as usize;
                while j < k {
                    let sum = &mut x[j * width + m];
                    let factor = Lanes::constant(-rows[k * n + j]);
                    write(sum, part, factor.mul_add(row, read(sum, part)));
                    j = nodes[j].parent as usize;
                }
            }
        }
    }

    // D, and L from the root to the leaves
    for k in 0..n {
        let d_inverse = Lanes::constant(rows[k * n + k].recip());
        for m in 0..width {
            for part in 0..8 / N {
                let mut row = d_inverse * read::<N, L>(&x[k * width + m], part);
                let mut j = nodes[k].parent as usize;
                while j < k {
                    let factor = Lanes::constant(-rows[k * n + j]);
                    row = factor.mul_add(read(&x[j * width + m], part), row);
                    j = nodes[j].parent as usize;
                }
                write(&mut x[k * width + m], part, row);
            }
        }
    }
}

/// `−M⁻¹ x` for four columns of each partial, from column `first` on: so many that sums need not wait for each other.
#[inline(always)]
fn divide<const N: usize, L: Level>(
    scratch: &mut PackedDerivatives,
    n: usize,
    first: usize,
    wrt_q: &mut [f64],
    wrt_v: &mut [f64],
) {
    let width = n_packs(n);
    let (columns, inverse) = (&mut scratch.columns[..2 * COLUMNS * n], &scratch.inverse);
    let last = n.min(first + COLUMNS);
    columns.fill(0.0);
    let (q, v) = columns.split_at_mut(COLUMNS * n);
    q[..(last - first) * n].copy_from_slice(&wrt_q[first * n..last * n]);
    v[..(last - first) * n].copy_from_slice(&wrt_v[first * n..last * n]);
    for x in &mut *columns {
        *x = -*x;
    }
    let (a, b, c, d) = (
        &columns[..n],
        &columns[n..2 * n],
        &columns[2 * n..3 * n],
        &columns[3 * n..4 * n],
    );
    let (e, f, g, h) = (
        &columns[4 * n..5 * n],
        &columns[5 * n..6 * n],
        &columns[6 * n..7 * n],
        &columns[7 * n..8 * n],
    );
    for block in 0..n.div_ceil(N) {
        let (m, part) = (block * N / 8, block * N % 8 / N);

        // named one by one and not in an array, so that they stay in registers
        let zero = Lanes::<N, L>::constant(0.0);
        let (mut q0, mut q1, mut q2, mut q3) = (zero, zero, zero, zero);
        let (mut v0, mut v1, mut v2, mut v3) = (zero, zero, zero, zero);
        for j in 0..n {
            let row = read(&inverse[j * width + m], part);
            q0 = row.mul_add(Lanes::constant(a[j]), q0);
            q1 = row.mul_add(Lanes::constant(b[j]), q1);
            q2 = row.mul_add(Lanes::constant(c[j]), q2);
            q3 = row.mul_add(Lanes::constant(d[j]), q3);
            v0 = row.mul_add(Lanes::constant(e[j]), v0);
            v1 = row.mul_add(Lanes::constant(f[j]), v1);
            v2 = row.mul_add(Lanes::constant(g[j]), v2);
            v3 = row.mul_add(Lanes::constant(h[j]), v3);
        }
        let sums = [(q0, v0), (q1, v1), (q2, v2), (q3, v3)];
        for (k, (q, v)) in (first..last).zip(sums) {
            store(q, block * N, &mut wrt_q[k * n..][..n]);
            store(v, block * N, &mut wrt_v[k * n..][..n]);
        }
    }
}

/// Number of columns of each partial that are divided together.
pub(super) const COLUMNS: usize = 4;

/// Part `part` of eight columns.
#[inline(always)]
fn read<const N: usize, L: Level>(from: &[f64; 8], part: usize) -> Lanes<N, L> {
    let mut values = [0.0; N];
    values.copy_from_slice(&from[part * N..][..N]);
    Lanes::new(values)
}

#[inline(always)]
fn write<const N: usize, L: Level>(to: &mut [f64; 8], part: usize, lanes: Lanes<N, L>) {
    to[part * N..][..N].copy_from_slice(lanes.values());
}
