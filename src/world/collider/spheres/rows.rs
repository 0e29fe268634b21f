//! Checks of independent configurations.

use super::block::{Hits, Query};
use super::model::Model;
use super::scratch::{AnyScratch, Scratch};
use super::{Bounds, ExactCheck, Verdict};
use crate::math::{Lanes, Level, Work};

/// A check of configurations, stored row after row.
pub(super) struct Block<'a> {
    pub(super) model: &'a Model,
    pub(super) scratch: &'a mut dyn AnyScratch,
    pub(super) configs: &'a [f64],
    /// Limits, where rows may violate them.
    pub(super) bounds: Option<Bounds<'a>>,
    pub(super) check: ExactCheck<'a>,
    pub(super) out: &'a mut [Verdict],
}

impl Work for Block<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (model, scratch) = (self.model, self.scratch.of::<N, L>());
        let width = model.width();
        let row = |k: usize| &self.configs[k * width..(k + 1) * width];
        let mut pairs = Vec::new();
        for first in (0..self.out.len()).step_by(N) {
            let count = N.min(self.out.len() - first);
            let all = u32::MAX >> (32 - count);
            for (robot, q) in model.robots.iter().zip(&mut scratch.q) {
                for (i, q) in robot.range.clone().zip(q) {
                    // the last row fills the lanes that are left
                    let rows = &self.configs[first * width..(first + count) * width];
                    let value = |k: usize| rows[k.min(count - 1) * width + i] as f32;
                    *q.values_mut() = std::array::from_fn(value);
                }
            }
            let valid = match &self.bounds {
                Some(bounds) => within(bounds, model, scratch, (first, all)),
                None => all,
            };
            let rounding = model.within_limits.unwrap_or_else(|| {
                let rows = (0..count).filter(|k| valid >> k & 1 == 1);
                model.rounding(|i| {
                    let values = rows.clone().map(|k| row(first + k)[i].abs());
                    values.fold(0.0, f64::max)
                })
            });
            let query = Query {
                model,
                rounding,
                valid,
                near: valid,
                // one row alone is decided by its first collision
                stops: count == 1,
            };
            let mut hits = Hits {
                sure: 0,
                perhaps: valid,
            };
            let is_known = query.rounding.is_finite() && !model.is_stuck();
            if is_known {
                scratch.update_frames(model);
                hits = scratch.all(query);
            }
            if hits.sure | hits.perhaps == 0 && valid == all {
                self.out[first..first + count].fill(Verdict::Free);
                continue;
            }
            for k in 0..count {
                self.out[first + k] = if valid >> k & 1 == 0 {
                    Verdict::Beyond
                } else if hits.sure >> k & 1 == 1 {
                    Verdict::Collides
                } else if hits.perhaps >> k & 1 == 0 {
                    Verdict::Free
                } else {
                    pairs.clear();
                    if is_known {
                        scratch.candidates_in(k, &mut pairs);
                    }
                    Verdict::Asked {
                        free: !(self.check)(first + k, &pairs),
                    }
                };
            }
        }
    }
}

/// Mask of the rows in the lanes of `scratch` that are within bounds; the lanes of the others are set to zero, so that
/// non-finite values there cannot affect the rest.
#[inline(always)]
fn within<const N: usize, L: Level>(
    bounds: &Bounds<'_>,
    model: &Model,
    scratch: &mut Scratch<Lanes<N, L, f32>>,
    (first, all): (usize, u32),
) -> u32 {
    let [low, high] = bounds.surely;
    let mut surely = all;
    for (robot, q) in model.robots.iter().zip(&scratch.q) {
        for (i, q) in robot.range.clone().zip(q) {
            surely &= q.gt(Lanes::splat(low[i])) & Lanes::splat(high[i]).gt(*q);
        }
    }
    let (mut valid, mut left) = (all, all & !surely);
    while left != 0 {
        let k = left.trailing_zeros();
        left &= left - 1;
        if !(bounds.exactly)(first + k as usize) {
            valid &= !(1 << k);
        }
    }
    if valid != all {
        for q in scratch.q.iter_mut().flatten() {
            for k in 0..N {
                if valid >> k & 1 == 0 {
                    q.values_mut()[k] = 0.0;
                }
            }
        }
    }
    valid
}
