//! External wrenches that are constant in world axes while their body moves.
//!
//! The formulas of [`derivatives`](super) assume that every wrench rotates with its body. World-fixed external wrenches do
//! not; the correction is `E(w) = w ×* f − ∂f`, which depends on the rotation of the body only, and adds over descendants.

use super::PackedDerivatives;
use super::terms::FixedAxesCorrection;
use crate::kernel::spatial::Wrench;
use crate::kernel::tree::{ROOT, Tree};
use crate::math::linear::{dot, sub};

/// A wrench on a body, in world axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExternalWrench {
    pub(crate) body: usize,
    /// Point of application in the world.
    pub(crate) at: [f64; 3],
    /// About that point.
    pub(crate) wrench: Wrench<f64>,
}

/// Subtracts external wrenches from the net wrenches of their bodies.
#[inline(always)]
pub(super) fn subtract_external(
    external: &[ExternalWrench],
    p_w: [f64; 3],
    scratch: &mut PackedDerivatives,
) {
    for applied in external {
        let wrench = applied.wrench.shifted(sub(applied.at, p_w));
        let forces = &mut scratch.forces[applied.body / 8];
        let lane = applied.body % 8;
        for k in 0..3 {
            forces[k].0[lane] -= wrench.moment[k];
            forces[3 + k].0[lane] -= wrench.force[k];
        }
    }
}

/// Adds to the partial by configuration the correction for world-fixed axes.
pub(super) fn add_fixed_axes_correction(
    tree: &Tree,
    external: &[ExternalWrench],
    p_w: [f64; 3],
    scratch: &mut PackedDerivatives,
    wrt_q: &mut [f64],
) {
    if external.is_empty() {
        return;
    }
    let n = tree.len();
    let nodes = tree.nodes();
    scratch.corrections[..n].fill(FixedAxesCorrection::zero());
    for applied in external {
        let Wrench { moment, force } = applied.wrench;
        let own = FixedAxesCorrection::new(moment, force, sub(applied.at, p_w));
        scratch.corrections[applied.body] = scratch.corrections[applied.body].add(&own);
    }
    for i in (0..n).rev() {
        let sum = scratch.corrections[i];
        let s = scratch.axis(i);
        let (column, row) = (sum.times(s[0]), sum.transposed_times(s));
        let mut j = i;
        while j <= i {
            let ancestor = scratch.axis(j);
            wrt_q[i * n + j] += column.power(ancestor);
            if j < i {
                wrt_q[j * n + i] += dot(row, ancestor[0]);
            }
            j = nodes[j].parent as usize;
        }
        if nodes[i].parent != ROOT {
            let parent = nodes[i].parent as usize;
            scratch.corrections[parent] = scratch.corrections[parent].add(&sum);
        }
    }
}
