//! The inverse of the mass matrix, and its product with the partials of inverse dynamics.

use std::ops::Range;

use super::columns::{Columns, Content, TILE, multiply_one};
use super::forward::Frame;
use super::single::{Joints, LoadNegated, StorePair, StoreSymmetric};
use super::tree::Tree;
use crate::math::{Level, Simd, Work};

/// Articulated inertias and a tile of columns: see [`columns`](super::columns).
#[derive(Debug, Clone)]
pub(crate) struct MassInverse {
    joints: Joints,
    columns: Columns,
    // of each body
    motions: Vec<[f64; 6]>,
}

impl MassInverse {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        Self {
            joints: Joints::new(tree),
            columns: Columns::new(tree),
            motions: vec![[0.0; 6]; tree.len()],
        }
    }

    /// Computes the articulated inertias; check [`effective_inertias`](Self::effective_inertias) before the rest.
    #[inline]
    pub(crate) fn factorize(&mut self, simd: Simd, tree: &Tree, bodies: &[Frame<f64>]) {
        self.joints.update(simd, tree, bodies);
    }

    /// Effective inertia of each coordinate, with all beyond it free, and locked.
    pub(crate) fn effective_inertias(
        &self,
        tree: &Tree,
    ) -> impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator {
        self.joints.effective_inertias(tree)
    }

    /// Writes the symmetric n × n inverse.
    pub(crate) fn write(&mut self, simd: Simd, tree: &Tree, out: &mut [f64]) {
        let n = tree.len();
        for first in (0..n).step_by(TILE).rev() {
            let positions = first..n.min(first + TILE);
            self.columns.set_identity(&positions);
            let width = positions.len();
            self.multiply(simd, tree, &Content::Identity(positions.clone()), width);
            simd.run_quad(StoreSymmetric {
                tree,
                x: &self.columns.x,
                positions,
                out: &mut *out,
            });
        }
    }

    /// Replaces two n × n matrices `X` (column after column) by `−M⁻¹ X`. Column `k` of each is zero in rows of other
    /// branches than that of coordinate `k`.
    pub(crate) fn divide(&mut self, simd: Simd, tree: &Tree, mut matrices: [&mut [f64]; 2]) {
        let n = tree.len();
        for first in (0..n).step_by(TILE / 2) {
            let positions: Range<usize> = first..n.min(first + TILE / 2);
            let half = positions.len().next_multiple_of(4);
            let at = [0, half];
            simd.run_quad(LoadNegated {
                tree,
                x: &mut self.columns.x,
                positions: positions.clone(),
                at,
                from: matrices.each_ref().map(|matrix| &**matrix),
            });
            self.multiply(simd, tree, &Content::Branches(positions.clone()), 2 * half);
            simd.run_quad(StorePair {
                tree,
                x: &self.columns.x,
                positions,
                at,
                out: matrices.each_mut().map(|matrix| &mut **matrix),
            });
        }
    }

    /// Replaces the generalised forces `x` by the accelerations `M⁻¹ x`.
    pub(crate) fn solve(&mut self, tree: &Tree, x: &mut [f64]) {
        multiply_one(tree, self.joints.terms(), x, &mut self.motions);
    }

    #[inline]
    fn multiply(&mut self, simd: Simd, tree: &Tree, content: &Content, width: usize) {
        simd.run(Multiply {
            tree,
            inverse: self,
            content,
            width,
        });
    }
}

struct Multiply<'a> {
    tree: &'a Tree,
    inverse: &'a mut MassInverse,
    content: &'a Content,
    width: usize,
}

impl Work for Multiply<'_> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let MassInverse {
            joints, columns, ..
        } = self.inverse;
        columns.multiply::<N, L>(self.tree, joints.terms(), self.content, self.width);
    }
}
