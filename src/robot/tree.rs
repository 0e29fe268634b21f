//! The tree of links: ancestors, children, subtrees, lowest common ancestors.

use super::{LinkId, Robot};

impl Robot {
    /// The parent of a link, its parent, and so on to the root.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[inline]
    pub fn ancestors(&self, link: LinkId) -> impl Iterator<Item = LinkId> + '_ {
        std::iter::successors(self.link(link).parent(), |&id| self.link(id).parent())
    }

    /// The children of a link, in order.
    pub fn children(&self, link: LinkId) -> impl Iterator<Item = LinkId> + '_ {
        let ids = (link.index() + 1..self.links.len()).map(LinkId::new);
        ids.filter(move |&id| self.link(id).parent() == Some(link))
    }

    /// Returns whether `ancestor` is an ancestor of `link` or `link` itself.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    #[inline]
    pub fn is_ancestor_or_self(&self, ancestor: LinkId, link: LinkId) -> bool {
        ancestor == link
            || self
                .ancestors(link)
                .take_while(|&id| id >= ancestor)
                .any(|id| id == ancestor)
    }

    /// A link and all its descendants, in order.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    pub fn subtree(&self, link: LinkId) -> Vec<LinkId> {
        let mut inside = vec![false; self.links.len()];
        inside[link.index()] = true;
        for id in link.index() + 1..self.links.len() {
            inside[id] = self.links[id]
                .parent
                .is_some_and(|parent| inside[parent.index()]);
        }
        (link.index()..inside.len())
            .filter(|&id| inside[id])
            .map(LinkId::new)
            .collect()
    }

    /// The lowest common ancestor of two links, which may be one of them; `None` where only the world is.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    pub fn lowest_common_ancestor(&self, a: LinkId, b: LinkId) -> Option<LinkId> {
        // parents come first, so the larger id is never above the smaller one
        let (mut a, mut b) = (a, b);
        while a != b {
            if a > b {
                a = self.link(a).parent()?;
            } else {
                b = self.link(b).parent()?;
            }
        }
        Some(a)
    }
}
