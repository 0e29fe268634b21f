//! Inverse dynamics.

use crate::kernel::{self, Frame, Rnea, Tree};
use crate::math::linear::constant3;
use crate::math::{Lanes as Wide, Level, Number, outlined};

/// [`kernel::forward_pass`].
pub(in crate::batch) fn forward_pass<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    bodies: &[Frame<Wide<N, L, T>>],
    dq: &[Wide<N, L, T>],
    ddq: &[Wide<N, L, T>],
    gravity: &[f64; 3],
    out: &mut Rnea<Wide<N, L, T>>,
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::forward_pass(tree, bodies, dq, ddq, constant3(gravity), out),
    );
}

/// [`kernel::backward_pass`].
pub(in crate::batch) fn backward_pass<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    bodies: &[Frame<Wide<N, L, T>>],
    ddq: &[Wide<N, L, T>],
    scratch: &mut Rnea<Wide<N, L, T>>,
    tau: &mut [Wide<N, L, T>],
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::backward_pass(tree, bodies, ddq, scratch, tau),
    );
}
