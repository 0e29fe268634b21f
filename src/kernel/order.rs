//! The bodies of a tree in an order in which every subtree is contiguous, and memory is shared between branches.

use super::tree::{Node, ROOT};

/// The order of a tree: parents before children, each followed by all its descendants.
///
/// A recursion over the bodies keeps a value per branch that is still open, and not per body: the last child of a body
/// takes over the slot of its parent.
#[derive(Debug, Clone)]
pub(super) struct Order {
    steps: Vec<Step>,
    // of each coordinate
    positions: Vec<usize>,
    is_natural: bool,
}

/// A body at its position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Its coordinate.
    pub(super) coordinate: usize,
    /// Position after its last descendant.
    pub(super) end: usize,
    /// Memory of its branch.
    pub(super) slot: usize,
    /// That of its parent, the same for the last child; `None` for a child of the world.
    pub(super) parent_slot: Option<usize>,
}

impl Order {
    /// The order of `nodes`, whose parents come first: theirs if it has the property, else the largest subtree last.
    pub(super) fn new(nodes: &[Node]) -> Self {
        let n = nodes.len();
        let mut children = vec![vec![]; n];
        let mut roots = vec![];
        let mut sizes = vec![1; n];
        for (i, node) in nodes.iter().enumerate() {
            match children.get_mut(node.parent as usize) {
                Some(siblings) => siblings.push(i),
                None => roots.push(i),
            }
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            if node.parent != ROOT {
                sizes[node.parent as usize] += sizes[i];
            }
        }
        let natural = Self::of(&roots, &children, &sizes);
        let is_sorted = natural.iter().map(|step| step.coordinate).eq(0..n);
        if is_sorted && natural.iter().all(|step| step.slot < Self::slots(n)) {
            return Self {
                steps: natural,
                positions: (0..n).collect(),
                is_natural: true,
            };
        }
        for siblings in &mut children {
            siblings.sort_by_key(|&i| sizes[i]);
        }
        let steps = Self::of(&roots, &children, &sizes);
        let mut positions = vec![0; n];
        for (p, step) in steps.iter().enumerate() {
            positions[step.coordinate] = p;
        }
        Self {
            steps,
            positions,
            is_natural: false,
        }
    }

    fn of(roots: &[usize], children: &[Vec<usize>], sizes: &[usize]) -> Vec<Step> {
        let mut steps = Vec::with_capacity(sizes.len());
        let root = |&i: &usize| (i, 0, None);
        let mut open: Vec<(usize, usize, Option<usize>)> = roots.iter().rev().map(root).collect();
        while let Some((i, slot, parent_slot)) = open.pop() {
            steps.push(Step {
                coordinate: i,
                end: steps.len() + sizes[i],
                slot,
                parent_slot,
            });
            if let Some((&last, others)) = children[i].split_last() {
                open.push((last, slot, Some(slot)));
                open.extend(others.iter().rev().map(|&i| (i, slot + 1, Some(slot))));
            }
        }
        steps
    }

    /// Slots that are enough for any tree of up to `n` bodies.
    ///
    /// Where the largest subtree is last, each new slot belongs to at most half of the bodies of the one before.
    pub(super) fn slots(n: usize) -> usize {
        n.checked_ilog2().map_or(1, |bits| bits as usize + 1).max(4)
    }

    #[inline(always)]
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The position of each coordinate.
    #[inline(always)]
    pub(super) fn positions(&self) -> &[usize] {
        &self.positions
    }

    /// Whether each body is at the position of its coordinate.
    #[inline(always)]
    pub(super) fn is_natural(&self) -> bool {
        self.is_natural
    }
}
