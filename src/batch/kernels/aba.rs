//! Forward dynamics.

use crate::kernel::{self, Aba, Frame, Tree, Wrench};
use crate::math::{Lanes as Wide, Level, Number, outlined};

/// [`kernel::aba`].
pub(in crate::batch) fn aba<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    bodies: &[Frame<Wide<N, L, T>>],
    forces: &mut [Wrench<Wide<N, L, T>>],
    tau: &[Wide<N, L, T>],
    scratch: &mut Aba<Wide<N, L, T>>,
    ddq: &mut [Wide<N, L, T>],
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::aba(tree, bodies, forces, tau, scratch, ddq),
    );
}
