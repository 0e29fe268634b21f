//! What the first block of a way leaves to the others.

use std::mem::take;
use std::ops::Range;

use super::block::{Hits, Look};
use super::cores::{apart, reach};
use super::model::Model;
use super::room::Room;
use crate::math::{Lanes, Level, outlined as alone};

/// Links and obstacles, and pairs of links in [`Model::link_pairs`], that may meet somewhere on the way.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) obstacles: Vec<Near<[u32; 2]>>,
    pub(super) links: Vec<Near<u32>>,
    /// Of links near obstacles.
    balls: Vec<u32>,
    /// Of pairs of links.
    pairs: Vec<[u32; 2]>,
}

/// Two that may meet, and which of their balls or pairs of balls; `None` for all.
#[derive(Debug, Clone)]
pub(super) struct Near<T> {
    two: T,
    some: Option<Range<usize>>,
}

impl<T> Near<T> {
    pub(super) fn whole(two: T) -> Self {
        Self { two, some: None }
    }

    /// Whether some of their balls may meet.
    fn is_left(&self) -> bool {
        self.some.as_ref().is_none_or(|some| !some.is_empty())
    }
}

impl Kept {
    pub(super) fn clear(&mut self) {
        self.obstacles.clear();
        self.links.clear();
        self.balls.clear();
        self.pairs.clear();
    }
}

/// The most slack for which balls are looked at one by one, as a share of the radius around them: with more, most are near.
const FEW: f32 = 0.5;

impl<const N: usize, L: Level> Room<Lanes<N, L, f32>> {
    /// Keeps those balls only that may meet within the slack of their bodies, where these are few.
    pub(super) fn narrow(&mut self, look: Look<'_>) {
        alone::<L, _>(
            #[inline(always)]
            || {
                let mut kept = take(&mut self.kept);
                for near in &mut kept.obstacles {
                    let first = kept.balls.len();
                    if self.near_balls(look, near.two, &mut kept.balls) {
                        near.some = Some(first..kept.balls.len());
                    }
                }
                for near in &mut kept.links {
                    let first = kept.pairs.len();
                    if self.near_pairs(look, near.two, &mut kept.pairs) {
                        near.some = Some(first..kept.pairs.len());
                    } else {
                        kept.pairs.truncate(first);
                    }
                }
                kept.obstacles.retain(Near::is_left);
                kept.links.retain(Near::is_left);
                self.kept = kept;
            },
        );
    }

    /// Balls of a link that may meet an obstacle; whether they are worth a list.
    #[inline(always)]
    fn near_balls(&mut self, look: Look<'_>, [l, o]: [u32; 2], out: &mut Vec<u32>) -> bool {
        let model = look.model;
        let (l, o) = (l as usize, o as usize);
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        let slack = self.slack[link.body];
        if slack > FEW * link.around.radius {
            return false;
        }
        let edge = obstacle.radius + obstacle.slop + look.rounding + slack;
        self.put_balls(model, l);
        for b in link.balls.clone() {
            let reach = reach(model.balls[b].radius + edge);
            if obstacle.core.square(&self.balls[b]).not_gt(reach) & look.near != 0 {
                out.push(b as u32);
            }
        }
        true
    }

    /// Pairs of balls of two links that may meet; whether they are worth a list.
    #[inline(always)]
    fn near_pairs(&mut self, look: Look<'_>, k: u32, out: &mut Vec<[u32; 2]>) -> bool {
        let model = look.model;
        let pair = &model.link_pairs[k as usize];
        let [la, lb] = pair.links.map(|link| link as usize);
        let (one, other) = (&model.links[la], &model.links[lb]);
        let slack = self.slack[model.bodies.len() + pair.bodies as usize];
        if slack > FEW * (one.around.radius + other.around.radius) {
            return false;
        }
        let edge = 2.0 * look.rounding + pair.margin[0] + slack;
        self.put_balls(model, la);
        self.put_balls(model, lb);
        let cb = self.link(model, lb);
        let most = out.len() + one.balls.len();
        for i in one.balls.clone() {
            let (p, radius) = (self.balls[i], model.balls[i].radius + edge);
            if apart(&p, &cb).not_gt(reach(radius + other.around.radius)) & look.near == 0 {
                continue;
            }
            for j in other.balls.clone() {
                let reach = reach(radius + model.balls[j].radius);
                if apart(&p, &self.balls[j]).not_gt(reach) & look.near != 0 {
                    out.push([i as u32, j as u32]);
                }
            }
            // from the ball around the other link there are fewer to look at
            if out.len() > most {
                return false;
            }
        }
        true
    }

    /// Looks at the pairs that were kept.
    pub(super) fn kept(&mut self, look: Look<'_>) -> Hits {
        let mut hits = Hits::default();
        alone::<L, _>(
            #[inline(always)]
            || {
                for i in 0..self.kept.obstacles.len() {
                    self.kept_obstacle(look, i, &mut hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
                for i in 0..self.kept.links.len() {
                    self.kept_links(look, i, &mut hits);
                    if look.stops && hits.sure != 0 {
                        return;
                    }
                }
            },
        );
        hits
    }

    /// A link against an obstacle, by the balls that were kept.
    #[inline(always)]
    fn kept_obstacle(&mut self, look: Look<'_>, i: usize, hits: &mut Hits) {
        let model = look.model;
        let near = &self.kept.obstacles[i];
        let [l, o] = near.two.map(|two| two as usize);
        let Some(some) = near.some.clone() else {
            return self.link_and_obstacle(look, l, o, None, hits);
        };
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        let edge = obstacle.radius + obstacle.slop + look.rounding;
        if some.len() > 1 {
            let square = obstacle.core.square(&self.link(model, l));
            if square.not_gt(reach(link.around.radius + edge)) & look.valid == 0 {
                return;
            }
        }
        for k in some.clone() {
            self.put_ball(model, self.kept.balls[k]);
        }
        let each = self.kept.balls[some.clone()].iter();
        let each = each.map(
            #[inline(always)]
            |&b| (&self.balls[b as usize], &model.balls[b as usize]),
        );
        if obstacle.core.met_by(each, edge) & look.valid == 0 {
            return;
        }
        let mut perhaps = 0;
        for k in some {
            let b = self.kept.balls[k] as usize;
            self.ball_and_obstacle(look, b, o, edge, &mut perhaps, hits);
        }
        self.suspect(link.part, obstacle.part, perhaps, hits);
    }

    /// Two links, by the pairs of balls that were kept.
    #[inline(always)]
    fn kept_links(&mut self, look: Look<'_>, i: usize, hits: &mut Hits) {
        let model = look.model;
        let near = &self.kept.links[i];
        let k = near.two as usize;
        let Some(some) = near.some.clone() else {
            return self.links(look, k, None, hits);
        };
        let pair = &model.link_pairs[k];
        let [la, lb] = pair.links.map(|link| link as usize);
        let (one, other) = (&model.links[la], &model.links[lb]);
        let edge = 2.0 * look.rounding + pair.margin[0];
        let whole = one.around.radius + other.around.radius + edge;
        if some.len() > 1
            && apart(&self.link(model, la), &self.link(model, lb)).not_gt(reach(whole)) & look.valid
                == 0
        {
            return;
        }
        let mut met = 0;
        for k in some.clone() {
            let [i, j] = self.kept.pairs[k];
            self.put_ball(model, i);
            self.put_ball(model, j);
            let (i, j) = (i as usize, j as usize);
            let sum = model.balls[i].radius + model.balls[j].radius + edge;
            met |= apart(&self.balls[i], &self.balls[j]).not_gt(reach(sum));
        }
        if met & look.valid == 0 {
            return;
        }
        let mut perhaps = 0;
        for k in some {
            let balls = self.kept.pairs[k].map(|ball| ball as usize);
            self.two_balls(look, balls, pair.margin, &mut perhaps, hits);
        }
        self.suspect(one.part, other.part, perhaps, hits);
    }

    /// Puts one ball where its body is.
    #[inline(always)]
    fn put_ball(&mut self, model: &Model, b: u32) {
        let b = b as usize;
        if self.single_stamps[b] == self.block {
            return;
        }
        self.single_stamps[b] = self.block;
        let body = model.links[model.ball_link[b] as usize].body;
        self.balls[b] = self.at(model, body, &model.balls[b].center);
    }
}
