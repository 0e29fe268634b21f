//! Stack of a tree traversal.

/// A stack of fixed capacity, without allocation.
///
/// Opening a node takes one entry and leaves two, one level deeper, so the entries are never more than the levels of
/// both trees. A tree of fewer than 2³¹ pieces whose children have a quarter of their parent's at least has at most 75.
pub(super) struct Stack<T> {
    items: [T; LEVELS],
    len: usize,
}

const LEVELS: usize = 160;

impl<T: Copy> Stack<T> {
    /// A stack of one entry.
    #[inline]
    pub(super) fn new(first: T) -> Self {
        Self {
            items: [first; LEVELS],
            len: 1,
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        self.len = self.len.checked_sub(1)?;
        Some(self.items[self.len])
    }

    #[inline]
    pub(super) fn push(&mut self, entry: T) {
        self.items[self.len] = entry;
        self.len += 1;
    }
}
