//! Mass matrices.

use crate::kernel::{self, Crba, Frame, Tree};
use crate::math::{Lanes as Wide, Level, Number, outlined};

/// [`kernel::crba`].
pub(in crate::batch) fn crba<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    bodies: &[Frame<Wide<N, L, T>>],
    scratch: &mut Crba<Wide<N, L, T>>,
    mass_matrix: &mut [Wide<N, L, T>],
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::crba(tree, bodies, scratch, mass_matrix),
    );
}
