//! Extreme pieces of a body in a direction.
//!
//! Given an approximate separating direction, the separation of a pair splits into the support values of its pieces:
//! only pieces whose support values exceed a bound can hold the closest pair. One traversal of each tree finds them,
//! while a traversal of both visits the product of all that nearly do.

use super::body::Body;
use super::leaves::Side;
use super::relative::box_supports;
use super::wide::{Child, Wide};
use crate::math::{Lanes, Level, outlined};

/// A piece, and its support value in a direction relative to the centre of its body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extreme {
    pub(super) support: f32,
    pub(super) piece: u32,
    /// Its position in the leaves: leaf times lanes, plus lane.
    pub(super) slot: u32,
}

/// A list of bounded length.
pub(super) struct ExtremeList {
    items: [Extreme; Self::MAX],
    len: usize,
}

impl ExtremeList {
    const MAX: usize = 64;

    #[inline]
    pub(super) fn new() -> Self {
        Self {
            items: [Extreme::default(); Self::MAX],
            len: 0,
        }
    }

    #[inline]
    pub(super) fn items(&self) -> &[Extreme] {
        &self.items[..self.len]
    }

    /// Computes a number for each piece.
    #[inline]
    pub(super) fn supports(&self, support: impl Fn(usize) -> f64) -> [f64; Self::MAX] {
        let mut supports = [0.0; Self::MAX];
        for (out, item) in supports.iter_mut().zip(self.items()) {
            *out = support(item.piece as usize);
        }
        supports
    }

    /// Appends a piece; returns `false` where the list is full.
    #[inline]
    fn add(&mut self, extreme: Extreme) -> bool {
        let has_room = self.len < Self::MAX;
        if has_room {
            self.items[self.len] = extreme;
            self.len += 1;
        }
        has_room
    }
}

/// Pairs of nodes still to open, with their keys.
pub(super) type Open = Vec<(f32, Child, Child)>;

/// The piece with the largest support value in a direction.
pub(super) fn farthest<const N: usize, L: Level>(
    body: &Body,
    wide: &Wide,
    direction: &[f32; 3],
    open: &mut Open,
) -> Extreme {
    outlined::<L, _>(
        #[inline(always)]
        || farthest_here::<N, L>(body, wide, direction, open),
    )
}

#[inline(always)]
fn farthest_here<const N: usize, L: Level>(
    body: &Body,
    wide: &Wide,
    direction: &[f32; 3],
    open: &mut Open,
) -> Extreme {
    let floor = open.len();
    let mut best = Extreme {
        support: f32::NEG_INFINITY,
        ..Extreme::default()
    };
    let root = wide.root;
    open.push((wide.bounds(root).support_value(direction), root, root));
    while open.len() > floor {
        let Some((support, child, _)) = open.pop() else {
            break;
        };
        if support <= best.support {
            continue;
        }
        match child.leaf_or_node() {
            Err(node) => {
                let (children, mut mask) = wide.children::<N>(node);
                let supports = box_supports(wide.node::<N, L>(node), direction);
                mask &= supports.gt(Lanes::splat(best.support));
                let mut most = open.len();
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let support = supports.values()[lane];
                    if open.get(most).is_some_and(|entry| support > entry.0) {
                        most = open.len();
                    }
                    open.push((support, children[lane], children[lane]));
                }
                // the farthest child is opened first, which prunes most of the others
                if most < open.len() {
                    let last = open.len() - 1;
                    open.swap(most, last);
                }
            }
            Ok(leaf) => {
                let side = Side::new(body, wide, leaf);
                let supports = side.support_values::<N, L>(direction);
                let mut mask = side.mask() & supports.gt(Lanes::splat(best.support));
                while mask != 0 {
                    let lane = mask.trailing_zeros();
                    mask &= mask - 1;
                    let support = supports.values()[lane as usize];
                    if support > best.support {
                        best = Extreme {
                            support,
                            piece: wide.ranges[leaf].first + lane,
                            slot: side.slot(lane as usize),
                        };
                    }
                }
            }
        }
    }
    best
}

/// Collects the pieces with support values of at least `least`; returns `false` where they are too many.
pub(super) fn beyond<const N: usize, L: Level>(
    body: &Body,
    wide: &Wide,
    direction: &[f32; 3],
    least: f32,
    found: (&mut Open, &mut ExtremeList),
) -> bool {
    outlined::<L, _>(
        #[inline(always)]
        || beyond_here::<N, L>(body, wide, direction, least, found),
    )
}

#[inline(always)]
fn beyond_here<const N: usize, L: Level>(
    body: &Body,
    wide: &Wide,
    direction: &[f32; 3],
    least: f32,
    (open, found): (&mut Open, &mut ExtremeList),
) -> bool {
    let floor = open.len();
    open.push((0.0, wide.root, wide.root));
    let mut left = MAX_OPENED;
    while open.len() > floor {
        let Some((_, child, _)) = open.pop() else {
            break;
        };
        left -= 1;
        if left == 0 {
            open.truncate(floor);
            return false;
        }
        match child.leaf_or_node() {
            Err(node) => {
                let (children, mut mask) = wide.children::<N>(node);
                mask &= !Lanes::splat(least).gt(box_supports(wide.node::<N, L>(node), direction));
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    open.push((0.0, children[lane], children[lane]));
                }
            }
            Ok(leaf) => {
                let side = Side::new(body, wide, leaf);
                let supports = side.support_values::<N, L>(direction);
                let mut mask = side.mask() & !Lanes::splat(least).gt(supports);
                while mask != 0 {
                    let lane = mask.trailing_zeros();
                    mask &= mask - 1;
                    let extreme = Extreme {
                        support: supports.values()[lane as usize],
                        piece: wide.ranges[leaf].first + lane,
                        slot: side.slot(lane as usize),
                    };
                    if !found.add(extreme) {
                        open.truncate(floor);
                        return false;
                    }
                }
            }
        }
    }
    true
}

/// With more nodes and leaves than this, traversing both trees is cheaper.
const MAX_OPENED: usize = 300;
