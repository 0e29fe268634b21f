//! Poses of links.

use crate::kernel::{self, Frames, Tree};
use crate::math::{Lanes as Wide, Level, Number, outlined};

/// [`kernel::forward`].
pub(crate) fn forward<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    q: &[Wide<N, L, T>],
    out: &mut Frames<Wide<N, L, T>>,
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::forward(tree, q, out),
    );
}
