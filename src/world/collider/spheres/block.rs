//! The sphere tests of one block of configurations, one configuration per lane.

use super::core::Core;
use super::cores::{Position, any_within, squared_distance, squared_radius};
use super::model::Model;
use super::scratch::Scratch;
use crate::batch::forward;
use crate::math::linear::splat3;
use crate::math::{Lanes, Level, outlined as alone};

/// Spheres of a link that are tested together where one certain collision is enough.
const TOGETHER: usize = 4;

/// Masks of the lanes in which spheres overlap.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hits {
    /// Certain collisions: spheres inside both shapes overlap.
    pub(super) sure: u32,
    /// Possible collisions; the pairs are in [`Scratch::candidates`].
    pub(super) perhaps: u32,
}

/// Parameters of the test of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query<'a> {
    pub(super) model: &'a Model,
    /// Bound on rounding errors, m.
    pub(super) rounding: f32,
    /// A bit for each lane in use.
    pub(super) valid: u32,
    /// A bit for each lane whose near pairs go into the shortlist.
    pub(super) near: u32,
    /// Whether to stop at the first certain collision.
    pub(super) stops: bool,
}

impl<const N: usize, L: Level> Scratch<Lanes<N, L, f32>> {
    /// Computes the frames of all bodies at `q` and clears the candidates.
    pub(super) fn update_frames(&mut self, model: &Model) {
        self.block += 1;
        self.candidates.clear();
        for (robot, (q, frames)) in model.robots.iter().zip(self.q.iter().zip(&mut self.frames)) {
            forward(robot.robot.tree(), q, frames);
        }
    }

    #[inline(always)]
    pub(super) fn at(&self, model: &Model, body: usize, center: &[f32; 3]) -> Position<N, L> {
        let body = &model.bodies[body];
        self.frames[body.robot].bodies()[body.frame].apply(splat3(center))
    }

    #[inline(always)]
    pub(super) fn link(&mut self, model: &Model, i: usize) -> Position<N, L> {
        if self.link_stamps[i] != self.block {
            let link = &model.links[i];
            self.links[i] = self.at(model, link.body, &link.around.center);
            self.link_stamps[i] = self.block;
        }
        self.links[i]
    }

    /// Transforms the bounding spheres of a link to the world, once per block.
    #[inline(always)]
    pub(super) fn place_spheres(&mut self, model: &Model, l: usize) {
        if self.sphere_stamps[l] == self.block {
            return;
        }
        self.sphere_stamps[l] = self.block;
        let link = &model.links[l];
        let body = &model.bodies[link.body];
        let frame = &self.frames[body.robot].bodies()[body.frame];
        let spheres = model.spheres[link.spheres.clone()].iter();
        for (center, sphere) in self.spheres[link.spheres.clone()].iter_mut().zip(spheres) {
            *center = frame.apply(splat3(&sphere.center));
        }
    }

    /// Checks all pairs.
    ///
    /// One function for the first test of all pairs: a call for each would take as long as most of them. What is left for
    /// pairs that are near is a function of its own, or it would be compiled for each of those that call it.
    pub(super) fn all(&mut self, query: Query<'_>) -> Hits {
        let mut hits = Hits::default();
        alone::<L, _>(
            #[inline(always)]
            || {
                if query.stops {
                    self.first_hit(query, &mut hits);
                    return;
                }
                for body in 0..query.model.bodies.len() {
                    self.scan(query, body);
                }
                for body in 0..query.model.bodies.len() {
                    self.world(query, body, &mut hits);
                    if hits.sure == query.valid {
                        return;
                    }
                }
                for pair in 0..query.model.pairs.len() {
                    self.pair(query, pair, &mut hits);
                }
            },
        );
        hits
    }

    /// Checks all pairs up to the first certain collision, from the bodies on that collided most often.
    #[inline(always)]
    fn first_hit(&mut self, query: Query<'_>, hits: &mut Hits) {
        if self.blocks_again(query, hits) {
            return;
        }
        for at in 0..self.order.len() {
            let body = self.order[at].0 as usize;
            self.scan(query, body);
            self.world(query, body, hits);
            if hits.sure != 0 {
                self.count_hit(at);
                return;
            }
        }
        for pair in 0..query.model.pairs.len() {
            self.pair(query, pair, hits);
            if hits.sure != 0 {
                return;
            }
        }
    }

    /// Counts a collision of the body at a place of the order, which it changes with the one before it where it has more.
    #[inline(always)]
    fn count_hit(&mut self, at: usize) {
        self.order[at].1 += 1;
        if at > 0 && self.order[at].1 > self.order[at - 1].1 {
            self.order.swap(at, at - 1);
        }
    }

    /// Checks first what collided last: near edges are often blocked by the same.
    #[inline(always)]
    fn blocks_again(&mut self, query: Query<'_>, hits: &mut Hits) -> bool {
        if let Some([l, o]) = self.last_obstacle {
            self.link_and_obstacle(query, l, o, hits);
        }
        if let Some(k) = self.last_links
            && hits.sure == 0
        {
            self.links(query, k, hits);
            if hits.sure == 0 {
                // links collide with each other rarely, and testing all their spheres each time takes long
                self.last_links = None;
            }
        }
        hits.sure != 0
    }

    /// Marks the obstacles whose boxes overlap that of a body in all lanes.
    ///
    /// Runs for all bodies before any other test: the latencies of independent scans overlap.
    #[inline(always)]
    fn scan(&mut self, query: Query<'_>, i: usize) {
        let model = query.model;
        let body = &model.bodies[i];
        let c = self.at(model, i, &body.around.center);
        self.bodies[i] = c;
        // the bounding sphere of a body of one link is that of the link
        if body.links.len() == 1 {
            self.links[body.links.start] = c;
            self.link_stamps[body.links.start] = self.block;
        }
        self.ends[i] = Lanes::extents(&c);
        self.mark(query, i, 0.0);
    }

    /// Marks the obstacles whose boxes are within `slack` of that of a body in all lanes.
    #[inline(always)]
    pub(super) fn mark(&mut self, query: Query<'_>, i: usize, slack: f32) {
        let model = query.model;
        let body = &model.bodies[i];
        let far = body.around.radius + query.rounding + slack;
        let groups = model.obstacles.list.len().div_ceil(N);
        for g in 0..groups {
            let first = g * N;
            let meets = body.meets[first / 32] >> (first % 32) & u32::MAX >> (32 - N);
            let near = (model.obstacles).overlapping::<N, L>(first, &self.ends[i], far);
            self.overlaps[i * groups + g] = near & meets;
        }
    }

    /// Checks a body against the obstacles that [`scan`](Self::scan) marked.
    #[inline(always)]
    fn world(&mut self, query: Query<'_>, i: usize, hits: &mut Hits) {
        let Query { model, valid, .. } = query;
        let body = &model.bodies[i];
        let groups = model.obstacles.list.len().div_ceil(N);
        for g in 0..groups {
            let first = g * N;
            let mut left = self.overlaps[i * groups + g];
            while left != 0 {
                let o = first + left.trailing_zeros() as usize;
                left &= left - 1;
                // for a single link its bounding sphere is tested next
                if body.links.len() > 1 {
                    let obstacle = &model.obstacles.list[o];
                    let edge = query.rounding + obstacle.radius + obstacle.slop;
                    let limit = body.around.radius + edge;
                    if obstacle.core.near(&self.bodies[i], limit) & valid == 0 {
                        continue;
                    }
                }
                for l in body.links.clone() {
                    self.link_and_obstacle(query, l, o, hits);
                    if query.stops && hits.sure != 0 {
                        self.last_obstacle = Some([l, o]);
                        return;
                    }
                }
            }
        }
    }

    /// Checks a link against an obstacle.
    #[inline(always)]
    pub(super) fn link_and_obstacle(
        &mut self,
        query: Query<'_>,
        l: usize,
        o: usize,
        hits: &mut Hits,
    ) {
        let Query {
            model,
            rounding,
            valid,
            ..
        } = query;
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        if link.meets[o / 32] >> (o % 32) & 1 == 0 {
            return;
        }
        let [edge, _] = obstacle.edges(rounding);
        let limit = link.around.radius + edge;
        if obstacle.core.near(&self.link(model, l), limit) & valid != 0 {
            alone::<L, _>(
                #[inline(always)]
                || self.near_link_and_obstacle(query, [l, o], hits),
            );
        }
    }

    /// Checks the spheres of a link against an obstacle.
    #[inline(always)]
    fn near_link_and_obstacle(&mut self, query: Query<'_>, [l, o]: [usize; 2], hits: &mut Hits) {
        let (link, obstacle) = (&query.model.links[l], &query.model.obstacles.list[o]);
        self.place_spheres(query.model, l);
        let all = link.spheres.clone();
        match &obstacle.core {
            Core::Convex(core) => {
                let edges = obstacle.edges(query.rounding);
                let is_exact = query.stops && link.exact && obstacle.exact;
                let together = if is_exact { TOGETHER } else { all.len().max(1) };
                let [mut met, mut sure] = [0; 2];
                for first in all.clone().step_by(together) {
                    let some = first..all.end.min(first + together);
                    let each = self.spheres[some.clone()].iter();
                    let masks = core.met_by(each.zip(&query.model.spheres[some]), edges);
                    (met, sure) = (met | masks[0], sure | masks[1]);
                    if is_exact && sure & query.valid != 0 {
                        break;
                    }
                }
                self.link_meets_convex(query, [l, o], core, [met, sure], hits);
            }
            Core::Cloud(cloud) => self.link_and_cloud(query, [l, o], cloud, all, hits),
        }
    }

    /// Checks one body against another.
    #[inline(always)]
    fn pair(&mut self, query: Query<'_>, i: usize, hits: &mut Hits) {
        let model = query.model;
        let pair = &model.pairs[i];
        let [a, b] = pair.bodies;
        let edge = 2.0 * query.rounding + pair.margin;
        let limit = model.bodies[a].around.radius + model.bodies[b].around.radius + edge;
        let square = squared_distance(&self.bodies[a], &self.bodies[b]);
        if square.not_gt(squared_radius(limit)) & query.valid == 0 {
            return;
        }
        for k in pair.links.clone() {
            self.links(query, k, hits);
            if query.stops && hits.sure != 0 {
                self.last_links = Some(k);
                return;
            }
        }
    }

    /// Checks two links against each other.
    #[inline(always)]
    pub(super) fn links(&mut self, query: Query<'_>, k: usize, hits: &mut Hits) {
        let Query {
            model,
            rounding,
            valid,
            ..
        } = query;
        let pair = &model.link_pairs[k];
        let [la, lb] = pair.links();
        let (one, other) = (&model.links[la], &model.links[lb]);
        let [edge, _] = pair.edges(rounding);
        let (ca, cb) = (self.link(model, la), self.link(model, lb));
        let limit = one.around.radius + other.around.radius + edge;
        if squared_distance(&ca, &cb).not_gt(squared_radius(limit)) & valid != 0 {
            alone::<L, _>(
                #[inline(always)]
                || self.near_links(query, k, hits),
            );
        }
    }

    /// Checks the spheres of two links against each other.
    #[inline(always)]
    fn near_links(&mut self, query: Query<'_>, k: usize, hits: &mut Hits) {
        let Query { model, valid, .. } = query;
        let pair = &model.link_pairs[k];
        let [la, lb] = pair.links();
        let (one, other) = (&model.links[la], &model.links[lb]);
        let (edges, cb) = (pair.edges(query.rounding), self.link(model, lb));
        let others = other.spheres.clone();
        // spheres of the first near the bounding sphere of the second, then those of the second near the first
        self.place_spheres(model, la);
        let (mut met, mut sure) = (0, 0);
        for i in one.spheres.clone() {
            let (p, radius) = (self.spheres[i], model.spheres[i].radius);
            let limit = squared_radius(radius + other.around.radius + edges[0]);
            if squared_distance(&p, &cb).not_gt(limit) & valid == 0 {
                continue;
            }
            self.place_spheres(model, lb);
            let each = self.spheres[others.clone()].iter();
            let masks = any_within(
                each.zip(&model.spheres[others.clone()]),
                [radius + edges[0], radius + edges[1]],
                #[inline(always)]
                |center| squared_distance(&p, center),
            );
            (met, sure) = (met | masks[0], sure | masks[1]);
            let decided = if pair.exact { sure } else { met };
            let is_enough = query.stops && pair.exact && sure & valid != 0;
            if valid & !decided == 0 || is_enough {
                break;
            }
        }
        self.links_meet(query, k, [met, sure], hits);
    }
}
