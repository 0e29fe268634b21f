//! Configurations along a straight way.

use super::Ask;
use super::block::{Hits, Look};
use super::cores::splat;
use super::model::Model;
use super::room::{AnyRoom, Room};
use crate::math::{Lanes, Level, Scalar, Work};

/// What is asked about a way.
pub(super) enum Goal<'a> {
    /// Whether all of it is free.
    Whether { ask: Ask<'a>, free: &'a mut bool },
    /// The steps that are not surely free.
    Which(&'a mut Vec<usize>),
}

/// A way from `a` to `a + change` in so many steps.
pub(super) struct Along<'a> {
    pub(super) model: &'a Model,
    pub(super) room: &'a mut dyn AnyRoom,
    pub(super) a: &'a [f64],
    pub(super) change: &'a [f64],
    pub(super) steps: usize,
    pub(super) goal: Goal<'a>,
    pub(super) suspects: &'a mut Vec<(usize, usize)>,
}

impl Work for Along<'_> {
    const SINGLE: bool = true;

    /// Lane `l` of block `k` is step `l · blocks + k`: every block spans the whole way. The one in the middle comes first,
    /// and all others are within half their number of steps of it.
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (model, a, change) = (self.model, self.a, self.change);
        let room = self.room.of::<N, L>();
        let mut goal = self.goal;
        let blocks = (self.steps + 1).div_ceil(N);
        let middle = blocks / 2;
        let rounding = model
            .within_limits
            .unwrap_or_else(|| model.rounding(|i| a[i].abs().max((a[i] + change[i]).abs())));
        let is_known = rounding.is_finite() && !model.is_stuck();

        // how far bodies move from the middle block to any other
        room.kept.clear();
        let keep = blocks > 1;
        if keep {
            let part = middle.max(blocks - 1 - middle) as f64 / self.steps as f64;
            model.moves::<N, L>(
                #[inline(always)]
                |i| (change[i].abs() * part) as f32,
                &mut room.slack,
            );
        }

        // coarse to fine: the bits of the turn the other way round
        let bits = blocks.next_power_of_two().trailing_zeros();
        let turns = (0..1_usize << bits).map(|turn| match bits {
            0 => 0,
            _ => turn.reverse_bits() >> (usize::BITS - bits),
        });
        let others = turns.filter(|&k| k < blocks && k != middle);
        let (mut next, mut others) = (Some(middle), others);
        while let Some(k) = next {
            let lanes = (self.steps + 1 - k).div_ceil(blocks).min(N);
            let valid = u32::MAX >> (32 - lanes);
            let mut hits = Hits {
                sure: 0,
                perhaps: valid,
            };
            if is_known {
                fill(model, room, a, change, (k, blocks, self.steps));
                room.place(model);
                let look = Look {
                    model,
                    rounding,
                    valid,
                    near: u32::MAX >> (32 - N),
                    stops: matches!(goal, Goal::Whether { .. }),
                };
                hits = if k == middle {
                    let hits = room.all(look, keep);
                    if blocks > 2 && !(look.stops && hits.sure != 0) {
                        room.narrow(look);
                    }
                    hits
                } else {
                    room.kept(look)
                };
            }
            if hits.sure | hits.perhaps != 0 {
                let step = (lanes, blocks, k, is_known);
                if !settle(room, hits, step, &mut goal, self.suspects) {
                    return;
                }
            }
            next = others.next();
        }
    }
}

/// What becomes of a block that is not surely free: whether to go on.
fn settle<const N: usize, L: Level>(
    room: &Room<Lanes<N, L, f32>>,
    hits: Hits,
    (lanes, blocks, k, is_known): (usize, usize, usize, bool),
    goal: &mut Goal<'_>,
    suspects: &mut Vec<(usize, usize)>,
) -> bool {
    let in_lanes = |mask: u32| (0..lanes).filter(move |lane| mask >> lane & 1 == 1);
    match goal {
        Goal::Which(out) => {
            out.extend(in_lanes(hits.sure | hits.perhaps).map(|lane| lane * blocks + k));
            true
        }
        Goal::Whether { ask, free } => {
            let mut is_hit = hits.sure != 0;
            for lane in in_lanes(hits.perhaps) {
                if is_hit {
                    break;
                }
                suspects.clear();
                if is_known {
                    room.suspects_in(lane, suspects);
                }
                is_hit = ask(lane * blocks + k, suspects);
            }
            **free = !is_hit;
            !is_hit
        }
    }
}

/// Puts the configurations of a block side by side.
#[inline(always)]
fn fill<const N: usize, L: Level>(
    model: &Model,
    room: &mut Room<Lanes<N, L, f32>>,
    a: &[f64],
    change: &[f64],
    (k, blocks, steps): (usize, usize, usize),
) {
    let mut t = [0.0_f32; N];
    let scale = 1.0 / steps.max(1) as f32;
    for lane in 0..N {
        t[lane] = (lane * blocks + k).min(steps) as f32 * scale;
    }
    let t = Lanes::<N, L, f32>::new(t);
    for r in 0..model.robots.len() {
        let (first, q) = (model.robots[r].range.start, &mut room.q[r][..]);
        for i in 0..q.len() {
            let (a, change) = (a[first + i] as f32, change[first + i] as f32);
            q[i] = t.mul_add(splat(change), splat(a));
        }
    }
}
