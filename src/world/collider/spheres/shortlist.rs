//! Shortlist of pairs that may collide anywhere on an edge, made by its first block for the others.

use std::mem::take;
use std::ops::Range;

use super::block::{Hits, Query};
use super::core::Core;
use super::cores::{any_within, squared_distance, squared_radius};
use super::model::Model;
use super::scratch::Scratch;
use crate::math::{Lanes, Level, outlined as alone};

/// Links and obstacles, and pairs of links in [`Model::link_pairs`], that may collide somewhere on the edge.
#[derive(Debug, Default)]
pub(super) struct Shortlist {
    pub(super) obstacles: Vec<Near<[u32; 2]>>,
    pub(super) links: Vec<Near<u32>>,
    /// Spheres of links near obstacles.
    spheres: Vec<u32>,
    /// Pairs of spheres of two links.
    pairs: Vec<[u32; 2]>,
}

/// A pair that may collide, and the range of its listed spheres or pairs of spheres; `None` for all of them.
#[derive(Debug, Clone)]
pub(super) struct Near<T> {
    pair: T,
    subset: Option<Range<usize>>,
}

impl<T> Near<T> {
    pub(super) fn all(pair: T) -> Self {
        Self { pair, subset: None }
    }

    /// Whether some of its spheres may overlap.
    fn is_left(&self) -> bool {
        self.subset.as_ref().is_none_or(|subset| !subset.is_empty())
    }
}

impl Shortlist {
    pub(super) fn clear(&mut self) {
        self.obstacles.clear();
        self.links.clear();
        self.spheres.clear();
        self.pairs.clear();
    }
}

/// Largest slack, as a share of the bounding radius, for which spheres are listed one by one: with more, most are near.
const FEW: f32 = 0.5;

impl<const N: usize, L: Level> Scratch<Lanes<N, L, f32>> {
    /// Lists the pairs that may overlap within the slack of their bodies, after [`all`](Self::all) of the same block.
    ///
    /// A pass of its own: most blocked edges end before it.
    pub(super) fn list(&mut self, query: Query<'_>) {
        alone::<L, _>(
            #[inline(always)]
            || {
                for body in 0..query.model.bodies.len() {
                    self.mark(query, body, self.slack[body]);
                }
                for body in 0..query.model.bodies.len() {
                    self.list_obstacles(query, body);
                }
                for pair in 0..query.model.pairs.len() {
                    self.list_links(query, pair);
                }
            },
        );
    }

    /// Lists the links of a body that may overlap an obstacle within the slack.
    #[inline(always)]
    fn list_obstacles(&mut self, query: Query<'_>, i: usize) {
        let Query { model, near, .. } = query;
        let (body, slack) = (&model.bodies[i], self.slack[i]);
        let groups = model.obstacles.list.len().div_ceil(N);
        for g in 0..groups {
            let mut left = self.overlaps[i * groups + g];
            while left != 0 {
                let o = g * N + left.trailing_zeros() as usize;
                left &= left - 1;
                let obstacle = &model.obstacles.list[o];
                let edge = obstacle.radius + obstacle.slop + query.rounding + slack;
                if body.links.len() > 1 {
                    let limit = body.around.radius + edge;
                    if obstacle.core.near(&self.bodies[i], limit) & near == 0 {
                        continue;
                    }
                }
                for l in body.links.clone() {
                    let link = &model.links[l];
                    if link.meets[o / 32] >> (o % 32) & 1 == 0 {
                        continue;
                    }
                    let limit = link.around.radius + edge;
                    if obstacle.core.near(&self.link(model, l), limit) & near != 0 {
                        let pair = [l as u32, o as u32];
                        self.shortlist.obstacles.push(Near::all(pair));
                    }
                }
            }
        }
    }

    /// Lists the links of two bodies that may overlap within the slack.
    #[inline(always)]
    fn list_links(&mut self, query: Query<'_>, i: usize) {
        let Query { model, near, .. } = query;
        let pair = &model.pairs[i];
        let [a, b] = pair.bodies;
        let slack = self.slack[model.bodies.len() + i];
        let edge = 2.0 * query.rounding + slack;
        let limit = model.bodies[a].around.radius + model.bodies[b].around.radius;
        let square = squared_distance(&self.bodies[a], &self.bodies[b]);
        if square.not_gt(squared_radius(limit + edge + pair.margin)) & near == 0 {
            return;
        }
        for k in pair.links.clone() {
            let pair = &model.link_pairs[k];
            let [la, lb] = pair.links();
            let limit = model.links[la].around.radius + model.links[lb].around.radius;
            let square = squared_distance(&self.link(model, la), &self.link(model, lb));
            if square.not_gt(squared_radius(limit + edge + pair.margin[0])) & near != 0 {
                self.shortlist.links.push(Near::all(k as u32));
            }
        }
    }

    /// Reduces the shortlist to the spheres that may overlap within the slack of their bodies, where these are few.
    pub(super) fn narrow(&mut self, query: Query<'_>) {
        alone::<L, _>(
            #[inline(always)]
            || {
                let mut shortlist = take(&mut self.shortlist);
                for near in &mut shortlist.obstacles {
                    let first = shortlist.spheres.len();
                    if self.near_spheres(query, near.pair, &mut shortlist.spheres) {
                        near.subset = Some(first..shortlist.spheres.len());
                    }
                }
                for near in &mut shortlist.links {
                    let first = shortlist.pairs.len();
                    if self.near_pairs(query, near.pair, &mut shortlist.pairs) {
                        near.subset = Some(first..shortlist.pairs.len());
                    } else {
                        shortlist.pairs.truncate(first);
                    }
                }
                shortlist.obstacles.retain(Near::is_left);
                shortlist.links.retain(Near::is_left);
                self.shortlist = shortlist;
            },
        );
    }

    /// Lists the spheres of a link that may overlap an obstacle; false if the slack is too large for a list.
    #[inline(always)]
    fn near_spheres(&mut self, query: Query<'_>, [l, o]: [u32; 2], out: &mut Vec<u32>) -> bool {
        let model = query.model;
        let (l, o) = (l as usize, o as usize);
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        let slack = self.slack[link.body];
        if slack > FEW * link.around.radius {
            return false;
        }
        let edge = obstacle.radius + obstacle.slop + query.rounding + slack;
        self.place_spheres(model, l);
        for b in link.spheres.clone() {
            let limit = model.spheres[b].radius + edge;
            if obstacle.core.near(&self.spheres[b], limit) & query.near != 0 {
                out.push(b as u32);
            }
        }
        true
    }

    /// Lists the pairs of spheres of two links that may overlap; false if a list does not pay.
    #[inline(always)]
    fn near_pairs(&mut self, query: Query<'_>, k: u32, out: &mut Vec<[u32; 2]>) -> bool {
        let model = query.model;
        let pair = &model.link_pairs[k as usize];
        let [la, lb] = pair.links();
        let (one, other) = (&model.links[la], &model.links[lb]);
        let slack = self.slack[model.bodies.len() + pair.bodies as usize];
        if slack > FEW * (one.around.radius + other.around.radius) {
            return false;
        }
        let edge = 2.0 * query.rounding + pair.margin[0] + slack;
        self.place_spheres(model, la);
        self.place_spheres(model, lb);
        let cb = self.link(model, lb);
        let most = out.len() + one.spheres.len();
        for i in one.spheres.clone() {
            let (p, radius) = (self.spheres[i], model.spheres[i].radius + edge);
            if squared_distance(&p, &cb).not_gt(squared_radius(radius + other.around.radius))
                & query.near
                == 0
            {
                continue;
            }
            for j in other.spheres.clone() {
                let limit = squared_radius(radius + model.spheres[j].radius);
                if squared_distance(&p, &self.spheres[j]).not_gt(limit) & query.near != 0 {
                    out.push([i as u32, j as u32]);
                }
            }
            // testing against the bounding sphere of the other link is cheaper
            if out.len() > most {
                return false;
            }
        }
        true
    }

    /// Checks the shortlisted pairs.
    pub(super) fn check_shortlist(&mut self, query: Query<'_>) -> Hits {
        let mut hits = Hits::default();
        alone::<L, _>(
            #[inline(always)]
            || {
                for i in 0..self.shortlist.obstacles.len() {
                    self.listed_obstacle(query, i, &mut hits);
                    if query.stops && hits.sure != 0 {
                        return;
                    }
                }
                for i in 0..self.shortlist.links.len() {
                    self.listed_links(query, i, &mut hits);
                    if query.stops && hits.sure != 0 {
                        return;
                    }
                }
            },
        );
        hits
    }

    /// Checks a link against an obstacle by the listed spheres.
    #[inline(always)]
    fn listed_obstacle(&mut self, query: Query<'_>, i: usize, hits: &mut Hits) {
        let model = query.model;
        let near = &self.shortlist.obstacles[i];
        let [l, o] = near.pair.map(|two| two as usize);
        let Some(subset) = near.subset.clone() else {
            return self.link_and_obstacle(query, l, o, hits);
        };
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        let [edge, _] = obstacle.edges(query.rounding);
        if subset.len() > 1 {
            let limit = link.around.radius + edge;
            if obstacle.core.near(&self.link(model, l), limit) & query.valid == 0 {
                return;
            }
        }
        for k in subset.clone() {
            self.place_sphere(model, self.shortlist.spheres[k]);
        }
        match &obstacle.core {
            Core::Convex(core) => {
                let each = self.shortlist.spheres[subset].iter();
                let each = each.map(
                    #[inline(always)]
                    |&b| (&self.spheres[b as usize], &model.spheres[b as usize]),
                );
                let masks = core.met_by(each, obstacle.edges(query.rounding));
                self.link_meets_convex(query, [l, o], core, masks, hits);
            }
            Core::Cloud(cloud) => {
                let spheres = take(&mut self.shortlist.spheres);
                let each = spheres[subset].iter().map(|&b| b as usize);
                self.link_and_cloud(query, [l, o], cloud, each, hits);
                self.shortlist.spheres = spheres;
            }
        }
    }

    /// Checks two links by the listed pairs of spheres.
    #[inline(always)]
    fn listed_links(&mut self, query: Query<'_>, i: usize, hits: &mut Hits) {
        let model = query.model;
        let near = &self.shortlist.links[i];
        let k = near.pair as usize;
        let Some(subset) = near.subset.clone() else {
            return self.links(query, k, hits);
        };
        let pair = &model.link_pairs[k];
        let [la, lb] = pair.links();
        let (one, other) = (&model.links[la], &model.links[lb]);
        let edges = pair.edges(query.rounding);
        let limit = one.around.radius + other.around.radius + edges[0];
        if subset.len() > 1
            && squared_distance(&self.link(model, la), &self.link(model, lb))
                .not_gt(squared_radius(limit))
                & query.valid
                == 0
        {
            return;
        }
        let (mut met, mut sure) = (0, 0);
        for k in subset {
            let [i, j] = self.shortlist.pairs[k];
            self.place_sphere(model, i);
            self.place_sphere(model, j);
            let (i, j) = (i as usize, j as usize);
            let masks = any_within(
                std::iter::once((&self.spheres[j], &model.spheres[j])),
                [
                    model.spheres[i].radius + edges[0],
                    model.spheres[i].radius + edges[1],
                ],
                #[inline(always)]
                |center| squared_distance(&self.spheres[i], center),
            );
            (met, sure) = (met | masks[0], sure | masks[1]);
        }
        self.links_meet(query, k, [met, sure], hits);
    }

    /// Transforms one sphere to the world, once per block.
    #[inline(always)]
    fn place_sphere(&mut self, model: &Model, b: u32) {
        let b = b as usize;
        if self.single_stamps[b] == self.block {
            return;
        }
        self.single_stamps[b] = self.block;
        let body = model.links[model.sphere_link[b] as usize].body;
        self.spheres[b] = self.at(model, body, &model.spheres[b].center);
    }
}
