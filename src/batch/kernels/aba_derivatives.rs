//! Derivatives of forward dynamics.

use crate::kernel::{self, Derivatives, Partials, Tree};
use crate::math::{Lanes as Wide, Level, Number, outlined};

/// [`kernel::aba_derivatives`].
pub(in crate::batch) fn aba_derivatives<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    scratch: &mut Derivatives<Wide<N, L, T>>,
    out: &mut Partials<'_, Wide<N, L, T>>,
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::aba_derivatives(tree, scratch, out),
    );
}
