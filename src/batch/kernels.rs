//! Kernels for lanes: each is a function of its own, compiled once for every set of instructions and kind of number.
//!
//! Inlined into the stages that call them they would be compiled several times. In a build without optimisation, in which
//! every value is on the stack, a stage would need more of it than a thread has.

use crate::kernel::{self, Aba, Crba, Derivatives, Frame, Frames, Partials, Rnea, Wrench};
use crate::kernel::{Tree, constant3};
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

/// [`kernel::forward_pass`].
pub(super) fn forward_pass<const N: usize, L: Level, T: Number>(
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
pub(super) fn backward_pass<const N: usize, L: Level, T: Number>(
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

/// [`kernel::crba`].
pub(super) fn crba<const N: usize, L: Level, T: Number>(
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

/// [`kernel::aba`].
pub(super) fn aba<const N: usize, L: Level, T: Number>(
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

/// [`kernel::rnea_derivatives`].
pub(super) fn rnea_derivatives<const N: usize, L: Level, T: Number>(
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

/// [`kernel::aba_derivatives`].
pub(super) fn aba_derivatives<const N: usize, L: Level, T: Number>(
    tree: &Tree,
    scratch: &mut Derivatives<Wide<N, L, T>>,
    out: &mut Partials<'_, Wide<N, L, T>>,
) {
    outlined::<L, _>(
        #[inline(always)]
        || kernel::aba_derivatives(tree, scratch, out),
    );
}
