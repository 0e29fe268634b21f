//! Configurations side by side.

use super::cores::{any_within, apart, reach, three};
use super::model::Model;
use super::room::Room;
use crate::batch::forward;
use crate::math::{Lanes, Level, apart as alone};

/// Lanes in which balls meet.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hits {
    /// Surely: balls inside of both.
    pub(super) sure: u32,
    /// Perhaps: pairs are in [`Room::suspects`].
    pub(super) perhaps: u32,
}

/// What to look for in a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) model: &'a Model,
    /// What rounding may do, m.
    pub(super) rounding: f32,
    /// A bit for each lane that counts.
    pub(super) valid: u32,
    /// A bit for each lane near which pairs are kept.
    pub(super) near: u32,
    /// Whether one sure hit is enough.
    pub(super) stops: bool,
}

type Place<const N: usize, L> = [Lanes<N, L, f32>; 3];

impl<const N: usize, L: Level> Room<Lanes<N, L, f32>> {
    /// Puts all bodies where `q` has them.
    pub(super) fn place(&mut self, model: &Model) {
        self.block += 1;
        self.suspects.clear();
        for (robot, (q, frames)) in model.robots.iter().zip(self.q.iter().zip(&mut self.frames)) {
            forward(robot.robot.tree(), q, frames);
        }
    }

    #[inline(always)]
    fn at(&self, model: &Model, body: usize, center: &[f32; 3]) -> Place<N, L> {
        let body = &model.bodies[body];
        self.frames[body.robot].bodies()[body.frame].apply(three(center))
    }

    #[inline(always)]
    fn link(&mut self, model: &Model, i: usize) -> Place<N, L> {
        if self.link_stamps[i] != self.block {
            let link = &model.links[i];
            self.links[i] = self.at(model, link.body, &link.around.center);
            self.link_stamps[i] = self.block;
        }
        self.links[i]
    }

    /// Puts the balls around a link where its body is.
    #[inline(always)]
    fn put_balls(&mut self, model: &Model, l: usize) {
        if self.ball_stamps[l] == self.block {
            return;
        }
        self.ball_stamps[l] = self.block;
        let link = &model.links[l];
        let body = &model.bodies[link.body];
        let frame = &self.frames[body.robot].bodies()[body.frame];
        let balls = model.balls[link.balls.clone()].iter();
        for (place, ball) in self.balls[link.balls.clone()].iter_mut().zip(balls) {
            *place = frame.apply(three(&ball.center));
        }
    }

    #[inline(always)]
    fn inner(&mut self, model: &Model, link: usize, i: usize) -> Place<N, L> {
        if self.inner_stamps[i] != self.block {
            self.inner[i] = self.at(model, model.links[link].body, &model.inner[i].center);
            self.inner_stamps[i] = self.block;
        }
        self.inner[i]
    }

    /// Looks at all pairs; with `keep`, those that may meet within the slack of their bodies are kept for later blocks.
    ///
    /// One function for all of them: a call for each pair would take as long as most looks.
    pub(super) fn all(&mut self, look: Look<'_>, keep: bool) -> Hits {
        let mut hits = Hits::default();
        alone::<L, _>(
            #[inline(always)]
            || {
                for body in 0..look.model.bodies.len() {
                    self.world(look, body, keep, &mut hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
                for pair in 0..look.model.pairs.len() {
                    self.pair(look, pair, keep, &mut hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
            },
        );
        hits
    }

    /// Looks at the pairs that were kept.
    pub(super) fn kept(&mut self, look: Look<'_>) -> Hits {
        let mut hits = Hits::default();
        alone::<L, _>(
            #[inline(always)]
            || {
                for i in 0..self.near_obstacles.len() {
                    let (l, o) = self.near_obstacles[i];
                    self.link_and_obstacle(look, l as usize, o as usize, None, &mut hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
                for i in 0..self.near_links.len() {
                    let k = self.near_links[i];
                    self.links(look, k as usize, None, &mut hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
            },
        );
        hits
    }

    /// One body against all obstacles.
    #[inline(always)]
    fn world(&mut self, look: Look<'_>, i: usize, keep: bool, hits: &mut Hits) {
        let Look {
            model,
            rounding,
            near,
            ..
        } = look;
        let body = &model.bodies[i];
        let c = self.at(model, i, &body.around.center);
        self.bodies[i] = c;
        // a body of one link has the ball of the link
        if body.links.len() == 1 {
            self.links[body.links.start] = c;
            self.link_stamps[body.links.start] = self.block;
        }
        if model.obstacles.list.is_empty() {
            return;
        }
        let slack = keep.then(|| self.slack[i]);
        let far = body.around.radius + rounding + slack.unwrap_or(0.0);
        let low = [
            c[0].lowest() - far,
            c[1].lowest() - far,
            c[2].lowest() - far,
        ];
        let high = [
            c[0].highest() + far,
            c[1].highest() + far,
            c[2].highest() + far,
        ];
        let mut next = 0;
        while next < model.obstacles.list.len() {
            let first = next;
            next += N;
            let all = u32::MAX >> (32 - N);
            let mut left = model.obstacles.overlapping::<N, L>(first, &low, &high)
                & (body.meets[first / 32] >> (first % 32))
                & all;
            while left != 0 {
                let o = first + left.trailing_zeros() as usize;
                left &= left - 1;
                // the ball around one link is looked at next
                if body.links.len() > 1 {
                    let obstacle = &model.obstacles.list[o];
                    let reached = far + obstacle.radius + obstacle.slop;
                    if obstacle.core.square(&c).not_above(reach(reached)) & near == 0 {
                        continue;
                    }
                }
                for l in body.links.clone() {
                    self.link_and_obstacle(look, l, o, slack, hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
            }
        }
    }

    /// One link against one obstacle; with a slack, the two are kept where they may meet within it.
    #[inline(always)]
    fn link_and_obstacle(
        &mut self,
        look: Look<'_>,
        l: usize,
        o: usize,
        slack: Option<f32>,
        hits: &mut Hits,
    ) {
        let Look {
            model,
            rounding,
            valid,
            near,
            ..
        } = look;
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        if link.meets[o / 32] >> (o % 32) & 1 == 0 {
            return;
        }
        let edge = obstacle.radius + obstacle.slop + rounding;
        let whole = link.around.radius + edge + slack.unwrap_or(0.0);
        let square = obstacle.core.square(&self.link(model, l));
        if square.not_above(reach(whole)) & near == 0 {
            return;
        }
        if slack.is_some() {
            self.near_obstacles.push((l as u32, o as u32));
        }
        self.put_balls(model, l);
        let (places, balls) = (
            &self.balls[link.balls.clone()],
            &model.balls[link.balls.clone()],
        );
        if obstacle.core.met_by(places, balls, edge) & valid == 0 {
            return;
        }
        let mut perhaps = 0;
        for b in link.balls.clone() {
            let square = obstacle.core.square(&self.balls[b]);
            let now = square.not_above(reach(model.balls[b].radius + edge)) & valid;
            if now != 0 {
                let sure = self.surely(look, b, o, now);
                hits.sure |= sure;
                perhaps |= now & !sure;
            }
        }
        self.suspect(link.part, obstacle.part, perhaps, hits);
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

    /// One body against another.
    #[inline(always)]
    fn pair(&mut self, look: Look<'_>, i: usize, keep: bool, hits: &mut Hits) {
        let Look {
            model,
            rounding,
            near,
            ..
        } = look;
        let pair = &model.pairs[i];
        let [a, b] = pair.bodies;
        let slack = keep.then(|| self.pair_slack[i]);
        let edge = 2.0 * rounding + pair.margin + slack.unwrap_or(0.0);
        let square = apart(&self.bodies[a], &self.bodies[b]);
        if square.not_above(reach(
            model.bodies[a].around.radius + model.bodies[b].around.radius + edge,
        )) & near
            == 0
        {
            return;
        }
        for k in pair.links.clone() {
            self.links(look, k, slack, hits);
            if look.stops && hits.sure != 0 {
                return;
            }
        }
    }

    /// Two links against each other; with a slack, they are kept where they may meet within it.
    #[inline(always)]
    fn links(&mut self, look: Look<'_>, k: usize, slack: Option<f32>, hits: &mut Hits) {
        let Look {
            model,
            rounding,
            valid,
            near,
            ..
        } = look;
        let pair = &model.link_pairs[k];
        let [la, lb] = pair.links;
        let (la, lb) = (la as usize, lb as usize);
        let (one, other) = (&model.links[la], &model.links[lb]);
        let edge = 2.0 * rounding + pair.margin[0];
        let (ca, cb) = (self.link(model, la), self.link(model, lb));
        let whole = one.around.radius + other.around.radius + edge + slack.unwrap_or(0.0);
        if apart(&ca, &cb).not_above(reach(whole)) & near == 0 {
            return;
        }
        if slack.is_some() {
            self.near_links.push(k as u32);
        }
        // balls of the one that come near the whole other, then those of the other near the one
        self.put_balls(model, la);
        let mut perhaps = 0;
        for i in one.balls.clone() {
            let (p, radius) = (self.balls[i], model.balls[i].radius);
            let whole = reach(radius + other.around.radius + edge);
            if apart(&p, &cb).not_above(whole) & valid == 0 {
                continue;
            }
            self.put_balls(model, lb);
            let others = other.balls.clone();
            let (places, balls) = (&self.balls[others.clone()], &model.balls[others.clone()]);
            let met = any_within(
                places,
                balls,
                radius + edge,
                #[inline(always)]
                |place| apart(&p, place),
            );
            if met & valid == 0 {
                continue;
            }
            for j in others {
                let sum = radius + model.balls[j].radius + edge;
                let square = apart(&p, &self.balls[j]);
                let now = square.not_above(reach(sum)) & valid;
                if now != 0 {
                    let sure = self.surely_both(look, [i, j], pair.margin[1], now);
                    hits.sure |= sure;
                    perhaps |= now & !sure;
                }
            }
        }
        self.suspect(one.part, other.part, perhaps, hits);
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
    fn suspect(&mut self, a: usize, b: usize, lanes: u32, hits: &mut Hits) {
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
        square.not_above(reach(radius))
    } else {
        0
    }
}
