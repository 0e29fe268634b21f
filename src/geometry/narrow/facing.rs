//! Which pieces of a body face a direction.
//!
//! Where two bodies are apart and a direction is known along which they nearly are, the distance of a pair splits into what
//! each piece adds: only the few pieces that reach far enough on either side can be nearer than what was found. One walk
//! through each tree finds them, while a walk through both meets the product of all that nearly do.

use super::body::Body;
use super::leaves::Side;
use super::relative::tops;
use super::wide::{Child, Wide};
use crate::math::{Lanes, Level};

/// A piece, and how far it reaches in a direction, seen from the middle of its body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Facing {
    pub(super) top: f32,
    pub(super) piece: u32,
    /// Where it is in the leaves: leaf times lanes, plus lane.
    pub(super) place: u32,
}

/// A few of them.
pub(super) struct Few {
    items: [Facing; Self::MOST],
    len: usize,
}

impl Few {
    const MOST: usize = 64;

    pub(super) fn new() -> Self {
        Self {
            items: [Facing::default(); Self::MOST],
            len: 0,
        }
    }

    pub(super) fn items(&self) -> &[Facing] {
        &self.items[..self.len]
    }

    /// A number for each.
    pub(super) fn tops(&self, top: impl Fn(usize) -> f64) -> [f64; Self::MOST] {
        let mut tops = [0.0; Self::MOST];
        for (out, item) in tops.iter_mut().zip(self.items()) {
            *out = top(item.piece as usize);
        }
        tops
    }

    /// Whether there was room.
    fn add(&mut self, facing: Facing) -> bool {
        let has_room = self.len < Self::MOST;
        if has_room {
            self.items[self.len] = facing;
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
) -> Facing {
    let floor = open.len();
    let mut best = Facing {
        top: f32::NEG_INFINITY,
        ..Facing::default()
    };
    let root = wide.root;
    open.push((wide.bounds(root).top(direction), root, root));
    while open.len() > floor {
        let Some((top, child, _)) = open.pop() else {
            break;
        };
        if top <= best.top {
            continue;
        }
        match child.leaf_or_node() {
            Err(node) => {
                let (children, mut mask) = wide.children::<N>(node);
                let tops = tops(wide.node::<N, L>(node), direction);
                mask &= tops.gt(Lanes::splat(best.top));
                let mut most = open.len();
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let top = tops.values()[lane];
                    if open.get(most).is_some_and(|entry| top > entry.0) {
                        most = open.len();
                    }
                    open.push((top, children[lane], children[lane]));
                }
                // the one that reaches farthest is opened first, and leaves little to do for the others
                if most < open.len() {
                    let last = open.len() - 1;
                    open.swap(most, last);
                }
            }
            Ok(leaf) => {
                let side = Side::new(body, wide, leaf);
                let tops = side.top::<N, L>(direction);
                let mut mask = side.mask() & tops.gt(Lanes::splat(best.top));
                while mask != 0 {
                    let lane = mask.trailing_zeros();
                    mask &= mask - 1;
                    let top = tops.values()[lane as usize];
                    if top > best.top {
                        best = Facing {
                            top,
                            piece: wide.ranges[leaf].first + lane,
                            place: side.place(lane as usize),
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
    (open, found): (&mut Open, &mut Few),
) -> bool {
    let floor = open.len();
    open.push((0.0, wide.root, wide.root));
    let mut left = MOST_OPENED;
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
                mask &= !Lanes::splat(least).gt(tops(wide.node::<N, L>(node), direction));
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    open.push((0.0, children[lane], children[lane]));
                }
            }
            Ok(leaf) => {
                let side = Side::new(body, wide, leaf);
                let tops = side.top::<N, L>(direction);
                let mut mask = side.mask() & !Lanes::splat(least).gt(tops);
                while mask != 0 {
                    let lane = mask.trailing_zeros();
                    mask &= mask - 1;
                    let facing = Facing {
                        top: tops.values()[lane as usize],
                        piece: wide.ranges[leaf].first + lane,
                        place: side.place(lane as usize),
                    };
                    if !found.add(facing) {
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
const MOST_OPENED: usize = 300;
