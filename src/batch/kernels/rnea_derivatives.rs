//! Derivatives of inverse dynamics.

use crate::kernel::{self, Derivatives, Frame, Partials, Tree};
use crate::math::linear::constant3;
use crate::math::{Lanes as Wide, Level, Number, outlined};

/// [`kernel::rnea_derivatives`].
pub(in crate::batch) fn rnea_derivatives<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    bodies: &[Frame<Wide<N, L, T>>],
    dq: &[Wide<N, L, T>],
    ddq: &[Wide<N, L, T>],
    gravity: &[f64; 3],
    scratch: &mut Derivatives<Wide<N, L, T>>,
    out: &mut Partials<'_, Wide<N, L, T>>,
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::rnea_derivatives(tree, bodies, dq, ddq, constant3(gravity), scratch, out),
    );
}
