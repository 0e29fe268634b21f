//! Balls that meet: surely, or perhaps.

use super::block::{Hits, Look};
use super::cores::{apart, reach};
use super::room::Room;
use crate::math::{Lanes, Level, outlined as alone};

impl<const N: usize, L: Level> Room<Lanes<N, L, f32>> {
    /// One ball of a link against an obstacle.
    #[inline(always)]
    pub(super) fn ball_and_obstacle(
        &mut self,
        look: Look<'_>,
        b: usize,
        o: usize,
        edge: f32,
        perhaps: &mut u32,
        hits: &mut Hits,
    ) {
        let square = look.model.obstacles.list[o].core.square(&self.balls[b]);
        let now = square.not_gt(reach(look.model.balls[b].radius + edge)) & look.valid;
        if now != 0 {
            let sure = self.surely(look, b, o, now);
            hits.sure |= sure;
            *perhaps |= now & !sure;
        }
    }

    /// In which of these lanes a link surely collides with an obstacle that one of its balls meets.
    fn surely(&mut self, look: Look<'_>, b: usize, o: usize, now: u32) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || self.surely_here(look, b, o, now),
        )
    }

    #[inline(always)]
    fn surely_here(&mut self, look: Look<'_>, b: usize, o: usize, now: u32) -> u32 {
        let Look {
            model, rounding, ..
        } = look;
        let obstacle = &model.obstacles.list[o];
        if !obstacle.exact {
            return 0;
        }
        let edge = obstacle.radius - obstacle.slop - rounding;
        let l = model.ball_link[b] as usize;
        let link = &model.links[l];
        if link.exact {
            let square = obstacle.core.square(&self.balls[b]);
            return within(square, model.balls[b].radius + edge) & now;
        }
        let mut sure = 0;
        for i in link.inner.clone() {
            let square = obstacle.core.square(&self.inner(model, l, i));
            sure |= within(square, model.inner[i].radius + edge) & now;
        }
        sure
    }

    /// Two balls of links that keep a margin, rounded up and down.
    #[inline(always)]
    pub(super) fn two_balls(
        &mut self,
        look: Look<'_>,
        [i, j]: [usize; 2],
        margin: [f32; 2],
        perhaps: &mut u32,
        hits: &mut Hits,
    ) {
        let balls = &look.model.balls;
        let sum = balls[i].radius + balls[j].radius + 2.0 * look.rounding + margin[0];
        let now = apart(&self.balls[i], &self.balls[j]).not_gt(reach(sum)) & look.valid;
        if now != 0 {
            let sure = self.surely_both(look, [i, j], margin[1], now);
            hits.sure |= sure;
            *perhaps |= now & !sure;
        }
    }

    /// In which of these lanes two links surely collide of which balls meet.
    fn surely_both(&mut self, look: Look<'_>, balls: [usize; 2], margin: f32, now: u32) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || self.surely_both_here(look, balls, margin, now),
        )
    }

    #[inline(always)]
    fn surely_both_here(
        &mut self,
        look: Look<'_>,
        [i, j]: [usize; 2],
        margin: f32,
        now: u32,
    ) -> u32 {
        let Look {
            model, rounding, ..
        } = look;
        let link = |ball: usize| &model.links[model.ball_link[ball] as usize];
        if !(link(i).exact && link(j).exact) {
            return 0;
        }
        let sum = model.balls[i].radius + model.balls[j].radius + margin - 2.0 * rounding;
        within(apart(&self.balls[i], &self.balls[j]), sum) & now
    }

    /// Notes two parts whose balls meet in these lanes.
    #[inline(always)]
    pub(super) fn suspect(&mut self, a: usize, b: usize, lanes: u32, hits: &mut Hits) {
        if lanes == 0 {
            return;
        }
        hits.perhaps |= lanes;
        match self.suspects.last_mut() {
            Some((p, q, mask)) if (*p, *q) == (a, b) => *mask |= lanes,
            _ => self.suspects.push((a, b, lanes)),
        }
    }

    /// The pairs of parts whose balls meet in a lane.
    pub(super) fn suspects_in(&self, lane: usize, out: &mut Vec<(usize, usize)>) {
        out.clear();
        let here = self
            .suspects
            .iter()
            .filter(|(.., mask)| mask >> lane & 1 == 1);
        for &(a, b, _) in here {
            if !out.contains(&(a, b)) {
                out.push((a, b));
            }
        }
    }
}

/// In which lanes a distance, squared, is surely within a radius; nowhere for one that is negative.
#[inline(always)]
fn within<const N: usize, L: Level>(square: Lanes<N, L, f32>, radius: f32) -> u32 {
    if radius > 0.0 {
        square.not_gt(reach(radius))
    } else {
        0
    }
}
