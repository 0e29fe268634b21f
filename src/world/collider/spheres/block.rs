//! Configurations side by side.

use super::cores::{any_within, apart, reach, three};
use super::kept::Near;
use super::model::Model;
use super::room::Room;
use crate::batch::forward;
use crate::math::{Lanes, Level, outlined as alone};

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

pub(super) type Place<const N: usize, L> = [Lanes<N, L, f32>; 3];

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
    pub(super) fn at(&self, model: &Model, body: usize, center: &[f32; 3]) -> Place<N, L> {
        let body = &model.bodies[body];
        self.frames[body.robot].bodies()[body.frame].apply(three(center))
    }

    #[inline(always)]
    pub(super) fn link(&mut self, model: &Model, i: usize) -> Place<N, L> {
        if self.link_stamps[i] != self.block {
            let link = &model.links[i];
            self.links[i] = self.at(model, link.body, &link.around.center);
            self.link_stamps[i] = self.block;
        }
        self.links[i]
    }

    /// Puts the balls around a link where its body is.
    #[inline(always)]
    pub(super) fn put_balls(&mut self, model: &Model, l: usize) {
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
    pub(super) fn inner(&mut self, model: &Model, link: usize, i: usize) -> Place<N, L> {
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
                    self.scan(look, body, keep);
                }
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

    /// Which obstacles have boxes that overlap that of all places of a body.
    ///
    /// Of all bodies first: each takes a while, but not those that the processor has at work at once.
    #[inline(always)]
    fn scan(&mut self, look: Look<'_>, i: usize, keep: bool) {
        let model = look.model;
        let body = &model.bodies[i];
        let c = self.at(model, i, &body.around.center);
        self.bodies[i] = c;
        // a body of one link has the ball of the link
        if body.links.len() == 1 {
            self.links[body.links.start] = c;
            self.link_stamps[body.links.start] = self.block;
        }
        let far = self.far(look, i, keep);
        let ends = Lanes::extents(&c);
        let groups = model.obstacles.list.len().div_ceil(N);
        for g in 0..groups {
            let first = g * N;
            let meets = body.meets[first / 32] >> (first % 32) & u32::MAX >> (32 - N);
            let near = model.obstacles.overlapping::<N, L>(first, &ends, far);
            self.overlaps[i * groups + g] = near & meets;
        }
    }

    /// How far around its place a body counts.
    #[inline(always)]
    fn far(&self, look: Look<'_>, i: usize, keep: bool) -> f32 {
        let slack = if keep { self.slack[i] } else { 0.0 };
        look.model.bodies[i].around.radius + look.rounding + slack
    }

    /// One body against the obstacles that [`scan`](Self::scan) found.
    #[inline(always)]
    fn world(&mut self, look: Look<'_>, i: usize, keep: bool, hits: &mut Hits) {
        let Look { model, near, .. } = look;
        let body = &model.bodies[i];
        let slack = keep.then(|| self.slack[i]);
        let groups = model.obstacles.list.len().div_ceil(N);
        for g in 0..groups {
            let first = g * N;
            let mut left = self.overlaps[i * groups + g];
            while left != 0 {
                let o = first + left.trailing_zeros() as usize;
                left &= left - 1;
                // the ball around one link is looked at next
                if body.links.len() > 1 {
                    let obstacle = &model.obstacles.list[o];
                    let (c, far) = (self.bodies[i], self.far(look, i, keep));
                    let reached = far + obstacle.radius + obstacle.slop;
                    if obstacle.core.square(&c).not_gt(reach(reached)) & near == 0 {
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
    pub(super) fn link_and_obstacle(
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
        if square.not_gt(reach(whole)) & near == 0 {
            return;
        }
        if slack.is_some() {
            self.kept.obstacles.push(Near::whole([l as u32, o as u32]));
        }
        self.put_balls(model, l);
        let each = self.balls[link.balls.clone()].iter();
        let each = each.zip(&model.balls[link.balls.clone()]);
        if obstacle.core.met_by(each, edge) & valid == 0 {
            return;
        }
        let mut perhaps = 0;
        for b in link.balls.clone() {
            self.ball_and_obstacle(look, b, o, edge, &mut perhaps, hits);
        }
        self.suspect(link.part, obstacle.part, perhaps, hits);
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
        let slack = keep.then(|| self.slack[model.bodies.len() + i]);
        let edge = 2.0 * rounding + pair.margin + slack.unwrap_or(0.0);
        let square = apart(&self.bodies[a], &self.bodies[b]);
        if square.not_gt(reach(
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
    pub(super) fn links(&mut self, look: Look<'_>, k: usize, slack: Option<f32>, hits: &mut Hits) {
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
        if apart(&ca, &cb).not_gt(reach(whole)) & near == 0 {
            return;
        }
        if slack.is_some() {
            self.kept.links.push(Near::whole(k as u32));
        }
        // balls of the one that come near the whole other, then those of the other near the one
        self.put_balls(model, la);
        let mut perhaps = 0;
        for i in one.balls.clone() {
            let (p, radius) = (self.balls[i], model.balls[i].radius);
            let whole = reach(radius + other.around.radius + edge);
            if apart(&p, &cb).not_gt(whole) & valid == 0 {
                continue;
            }
            self.put_balls(model, lb);
            let others = other.balls.clone();
            let each = self.balls[others.clone()].iter();
            let met = any_within(
                each.zip(&model.balls[others.clone()]),
                radius + edge,
                #[inline(always)]
                |place| apart(&p, place),
            );
            if met & valid == 0 {
                continue;
            }
            for j in others {
                self.two_balls(look, [i, j], pair.margin, &mut perhaps, hits);
            }
        }
        self.suspect(one.part, other.part, perhaps, hits);
    }
}
