//! Which pieces of a body face a direction.
//!
//! Where two bodies are apart and a direction is known along which they nearly are, the distance of a pair splits into what
//! each piece adds: only the few pieces that reach far enough on either side can be nearer than what was found. One walk
//! through each tree finds them, while a walk through both meets the product of all that nearly do.

use super::body::Body;
use super::leaves::Side;
use super::relative::box_supports;
use super::wide::{Child, Wide};
use crate::math::{Lanes, Level};

/// A piece, and how far it reaches in a direction, seen from the middle of its body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Extreme {
    pub(super) support: f32,
    pub(super) piece: u32,
    /// Where it is in the leaves: leaf times lanes, plus lane.
    pub(super) slot: u32,
}

/// A few of them.
pub(super) struct ExtremeList {
    items: [Extreme; Self::MAX],
    len: usize,
}

impl ExtremeList {
    const MAX: usize = 64;

    pub(super) fn new() -> Self {
        Self {
            items: [Extreme::default(); Self::MAX],
            len: 0,
        }
    }

    pub(super) fn items(&self) -> &[Extreme] {
        &self.items[..self.len]
    }

    /// A number for each.
    pub(super) fn supports(&self, support: impl Fn(usize) -> f64) -> [f64; Self::MAX] {
        let mut supports = [0.0; Self::MAX];
        for (out, item) in supports.iter_mut().zip(self.items()) {
            *out = support(item.piece as usize);
        }
        supports
    }

    /// Whether there was room.
    fn add(&mut self, extreme: Extreme) -> bool {
        let has_room = self.len < Self::MAX;
        if has_room {
            self.items[self.len] = extreme;
            self.len += 1;
        }
        has_room
    }
}

/// What a walk has still to open.
pub(super) type Open = Vec<(f32, Child, Child)>;

/// The piece that reaches farthest in a direction.
#[inline(always)]
pub(super) fn farthest<const N: usize, L: Level>(
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
                mask &= supports.above(Lanes::splat(best.support));
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
                // the one that reaches farthest is opened first, and leaves little to do for the others
                if most < open.len() {
                    let last = open.len() - 1;
                    open.swap(most, last);
                }
            }
            Ok(leaf) => {
                let side = Side::new(body, wide, leaf);
                let supports = side.support_values::<N, L>(direction);
                let mut mask = side.mask() & supports.above(Lanes::splat(best.support));
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

/// Whether the pieces that reach at least as far as `least` are few, and then which they are.
#[inline(always)]
pub(super) fn beyond<const N: usize, L: Level>(
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
                mask &=
                    !Lanes::splat(least).above(box_supports(wide.node::<N, L>(node), direction));
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    open.push((0.0, children[lane], children[lane]));
                }
            }
            Ok(leaf) => {
                let side = Side::new(body, wide, leaf);
                let supports = side.support_values::<N, L>(direction);
                let mut mask = side.mask() & !Lanes::splat(least).above(supports);
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

/// Beyond so many nodes and leaves it is cheaper to walk through both trees.
const MAX_OPENED: usize = 300;
