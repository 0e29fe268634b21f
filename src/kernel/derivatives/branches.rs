//! Bit masks of the coordinates that are on one branch.

use crate::kernel::pack::Pack8;
use crate::kernel::tree::{ROOT, Tree};
use crate::math::{Lanes, Level};

/// For each coordinate a row of bits: itself, its ancestors and its descendants.
#[derive(Debug, Clone)]
pub(super) struct Branches {
    rows: Vec<u64>,
}

impl Branches {
    /// Memory for the bodies of a tree.
    pub(super) fn new(tree: &Tree) -> Self {
        let n = tree.len();
        Self {
            rows: vec![0; n * n.div_ceil(64)],
        }
    }

    /// Computes the masks of a tree.
    #[inline(always)]
    pub(super) fn update(&mut self, tree: &Tree) {
        let (nodes, width) = (tree.nodes(), tree.len().div_ceil(64));
        let rows = &mut self.rows[..nodes.len() * width];
        // itself and its ancestors, then its descendants; an ancestor's row has the same ancestors
        for (i, node) in nodes.iter().enumerate() {
            rows[i * width..][..width].fill(0);
            if node.parent != ROOT {
                inherit(rows, width, node.parent as usize, i);
            }
            rows[i * width + i / 64] |= 1 << (i % 64);
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            if node.parent != ROOT {
                inherit(rows, width, i, node.parent as usize);
            }
        }
    }

    /// 1 for those of `N` coordinates from `first` on, a multiple of `N`, that are on one branch with coordinate `k`, 0
    /// for others.
    #[inline(always)]
    pub(super) fn mask<const N: usize, L: Level>(
        &self,
        n: usize,
        k: usize,
        first: usize,
    ) -> Lanes<N, L> {
        MASKS[self.bits(n, k, first)].read(first % 8 / N)
    }

    /// The same, `k` being one of them: up to `k`, and beyond.
    #[inline(always)]
    pub(super) fn masks_at<const N: usize, L: Level>(
        &self,
        n: usize,
        k: usize,
        first: usize,
    ) -> [Lanes<N, L>; 2] {
        let (bits, up_to) = (self.bits(n, k, first), (2 << (k % 8)) - 1);
        let part = first % 8 / N;
        [
            MASKS[bits & up_to].read(part),
            MASKS[bits & !up_to].read(part),
        ]
    }

    /// The bits of the eight coordinates around `first`.
    #[inline(always)]
    fn bits(&self, n: usize, k: usize, first: usize) -> usize {
        let word = self.rows[k * n.div_ceil(64) + first / 64];
        (word >> (first / 8 * 8 % 64)) as usize & 0xff
    }
}

/// Adds the bits of row `from` to those of row `to`.
#[inline(always)]
fn inherit(rows: &mut [u64], width: usize, from: usize, to: usize) {
    for word in 0..width {
        rows[to * width + word] |= rows[from * width + word];
    }
}

/// A number per bit of the index.
static MASKS: [Pack8; 256] = masks();

const fn masks() -> [Pack8; 256] {
    let mut masks = [Pack8::ZERO; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < 8 {
            if bits >> lane & 1 == 1 {
                masks[bits].0[lane] = 1.0;
            }
            lane += 1;
        }
        bits += 1;
    }
    masks
}
