//! Configurations, each on its own.

use super::block::{Hits, Look};
use super::model::Model;
use super::room::AnyRoom;
use super::{Ask, Verdict};
use crate::math::{Level, Work};

/// Configurations row after row, each on its own.
pub(super) struct Block<'a> {
    pub(super) model: &'a Model,
    pub(super) room: &'a mut dyn AnyRoom,
    pub(super) configs: &'a [f64],
    pub(super) ask: Ask<'a>,
    pub(super) out: &'a mut [Verdict],
}

impl Work for Block<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (model, room) = (self.model, self.room.of::<N, L>());
        let width = model.width();
        let row = |k: usize| &self.configs[k * width..(k + 1) * width];
        let mut pairs = Vec::new();
        for first in (0..self.out.len()).step_by(N) {
            let count = N.min(self.out.len() - first);
            let all = u32::MAX >> (32 - count);
            for (robot, q) in model.robots.iter().zip(&mut room.q) {
                for (i, q) in robot.range.clone().zip(q) {
                    let value = |k: usize| row(first + k.min(count - 1))[i] as f32;
                    *q.values_mut() = std::array::from_fn(value);
                }
            }
            let rounding = model.within_limits.unwrap_or_else(|| {
                model.rounding(|i| {
                    let values = (0..count).map(|k| row(first + k)[i].abs());
                    values.fold(0.0, f64::max)
                })
            });
            let look = Look {
                model,
                rounding,
                valid: all,
                near: all,
                stops: false,
            };
            let mut hits = Hits {
                sure: 0,
                perhaps: all,
            };
            let is_known = look.rounding.is_finite() && !model.is_stuck;
            if is_known {
                room.place(model);
                hits = room.all(look, false);
            }
            for k in 0..count {
                self.out[first + k] = if hits.sure >> k & 1 == 1 {
                    Verdict::Collides
                } else if hits.perhaps >> k & 1 == 0 {
                    Verdict::Free
                } else {
                    pairs.clear();
                    if is_known {
                        room.suspects_in(k, &mut pairs);
                    }
                    Verdict::Asked {
                        free: !(self.ask)(first + k, &pairs),
                    }
                };
            }
        }
    }
}
