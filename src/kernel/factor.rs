//! The factors of the mass matrix, as sparse as the tree: Featherstone (2008), tables 6.3 and 6.4; O(n d²), O(n d).
//!
//! `M = Lᵀ D L` from the leaves inwards fills in nothing: row `k` of the unit lower triangular `L` holds numbers only
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

        // up the branch: an ancestor comes before, the world does not
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

/// Replaces `x` by `M⁻¹ x`, with the rows that [`factorize`] has left.
#[inline(always)]
pub(crate) fn solve<T: Scalar>(tree: &Tree, rows: &[T], x: &mut [T]) {
    let (n, nodes) = (tree.len(), tree.nodes());

    // Lᵀ, from the leaves inwards
    for k in (0..n).rev() {
        let mut j = nodes[k].parent as usize;
        while j < k {
            x[j] = x[j] - rows[k * n + j] * x[k];
            j = nodes[j].parent as usize;
        }
    }

    // D, and L from the root outwards
    for k in 0..n {
        let mut sum = x[k] * rows[k * n + k].recip();
        let mut j = nodes[k].parent as usize;
        while j < k {
            sum = sum - rows[k * n + j] * x[j];
            j = nodes[j].parent as usize;
        }
        x[k] = sum;
    }
}
