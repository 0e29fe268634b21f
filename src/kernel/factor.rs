//! Factorisation of the mass matrix, as sparse as the tree: Featherstone (2008), tables 6.3 and 6.4; O(n d²), O(n d).
//!
//! `M = Lᵀ D L` from the leaves to the root fills in nothing: row `k` of the unit lower triangular `L` holds numbers only
//! for the ancestors of `k`. The usual `L Lᵀ` would fill every row.

use super::tree::Tree;
use crate::math::Scalar;

/// Replaces `M` by its factors, in the row of each coordinate: `D` at the coordinate, `L` at its ancestors.
///
/// Nothing else of `rows` (n × n) is read or written.
#[inline(always)]
pub(crate) fn factorize<T: Scalar>(tree: &Tree, rows: &mut [T]) {
    let (n, nodes) = (tree.len(), tree.nodes());
    for k in (0..n).rev() {
        let (before, row) = rows.split_at_mut(k * n);
        let d_inverse = row[k].recip();

        // up the branch: an ancestor has a lower index, the world a higher one
        let mut i = nodes[k].parent as usize;
        while i < k {
            let factor = row[i] * d_inverse;
            let mut j = i;
            while j < k {
                before[i * n + j] = before[i * n + j] - factor * row[j];
                j = nodes[j].parent as usize;
            }
            row[i] = factor;
            i = nodes[i].parent as usize;
        }
    }
}

/// Replaces `X` by `M⁻¹ X`, with the rows that [`factorize`] has left.
///
/// `X` has a row of `width` numbers per coordinate: row by row the compiler takes several columns at once.
#[inline(always)]
pub(crate) fn solve<T: Scalar>(tree: &Tree, rows: &[T], width: usize, x: &mut [T]) {
    let (n, nodes) = (tree.len(), tree.nodes());

    // Lᵀ, from the leaves to the root
    for k in (0..n).rev() {
        let (before, row) = x.split_at_mut(k * width);
        let mut j = nodes[k].parent as usize;
        while j < k {
            let ancestor = &mut before[j * width..][..width];
            subtract(rows[k * n + j], &row[..width], ancestor);
            j = nodes[j].parent as usize;
        }
    }

    // D, and L from the root to the leaves
    for k in 0..n {
        let (before, row) = x.split_at_mut(k * width);
        let (row, d_inverse) = (&mut row[..width], rows[k * n + k].recip());
        for x in &mut *row {
            *x = *x * d_inverse;
        }
        let mut j = nodes[k].parent as usize;
        while j < k {
            subtract(rows[k * n + j], &before[j * width..][..width], row);
            j = nodes[j].parent as usize;
        }
    }
}

/// Writes the symmetric n × n inverse, with the rows that [`factorize`] has left.
#[inline(always)]
pub(crate) fn invert<T: Scalar>(tree: &Tree, rows: &[T], out: &mut [T]) {
    let n = tree.len();
    out.fill(T::constant(0.0));
    for i in 0..n {
        out[i * n + i] = T::constant(1.0);
    }
    solve(tree, rows, n, out);

    // both halves are right to rounding; make them equal
    for i in 0..n {
        for j in 0..i {
            out[j * n + i] = out[i * n + j];
        }
    }
}

/// `y − s x` into `y`.
#[inline(always)]
fn subtract<T: Scalar>(s: T, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y = *y - s * x;
    }
}
