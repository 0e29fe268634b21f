//! Pushes that keep their size and their axes in the world while the body that they push moves.
//!
//! The formulas of [`derivatives`](super) take every force to turn with its body. A push does not: what it does less is
//! `E(w) = w ×* f − ∂f`, which depends on how the body turns only, and adds over everything that hangs on a body.

use super::Abreast;
use super::terms::Kept;
use crate::kernel::linear::{dot, sub};
use crate::kernel::spatial::Wrench;
use crate::kernel::tree::{ROOT, Tree};

/// A wrench on a body, in world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Push {
    pub(crate) body: usize,
    /// The world point where it pushes.
    pub(crate) at: [f64; 3],
    /// About that point.
    pub(crate) wrench: Wrench<f64>,
}

/// Lessens what bodies need by what they are given.
#[inline(always)]
pub(super) fn take_off(pushes: &[Push], p_w: [f64; 3], scratch: &mut Abreast) {
    for push in pushes {
        let given = push.wrench.seen_from(sub(push.at, p_w));
        let forces = &mut scratch.forces[push.body / 8];
        let lane = push.body % 8;
        for k in 0..3 {
            forces[k].0[lane] -= given.moment[k];
            forces[3 + k].0[lane] -= given.force[k];
        }
    }
}

/// Adds to the slope by configuration what pushes do not turn with their bodies.
pub(super) fn keep_axes(
    tree: &Tree,
    pushes: &[Push],
    p_w: [f64; 3],
    scratch: &mut Abreast,
    by_config: &mut [f64],
) {
    if pushes.is_empty() {
        return;
    }
    let n = tree.len();
    let nodes = tree.nodes();
    scratch.kept[..n].fill(Kept::zero());
    for push in pushes {
        let Wrench { moment, force } = push.wrench;
        let own = Kept::new(moment, force, sub(push.at, p_w));
        scratch.kept[push.body] = scratch.kept[push.body].add(&own);
    }
    for i in (0..n).rev() {
        let sum = scratch.kept[i];
        let s = scratch.axis(i);
        let (column, row) = (sum.times(s[0]), sum.transposed_times(s));
        let mut j = i;
        while j <= i {
            let ancestor = scratch.axis(j);
            by_config[i * n + j] += column.power(ancestor);
            if j < i {
                by_config[j * n + i] += dot(row, ancestor[0]);
            }
            j = nodes[j].parent as usize;
        }
        if nodes[i].parent != ROOT {
            let parent = nodes[i].parent as usize;
            scratch.kept[parent] = scratch.kept[parent].add(&sum);
        }
    }
}
