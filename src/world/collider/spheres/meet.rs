//! Overlaps of spheres: certain or possible collisions.

use super::block::{Hits, Query};
use super::core::Cloud;
use super::cores::{Convex, Position};
use super::model::Model;
use super::scratch::Scratch;
use crate::math::{Lanes, Level, outlined as alone};

/// Spheres inside a link that are checked together.
const TOGETHER: usize = 8;

impl<const N: usize, L: Level> Scratch<Lanes<N, L, f32>> {
    /// Adds what the spheres of a link meet of a convex obstacle: `met` are the lanes in which one of them may overlap it, `sure`
    /// those in which one certainly does.
    #[inline(always)]
    pub(super) fn link_meets_convex(
        &mut self,
        query: Query<'_>,
        [l, o]: [usize; 2],
        core: &Convex,
        [met, sure]: [u32; 2],
        hits: &mut Hits,
    ) {
        // what collides already needs no other reason
        let met = met & query.valid & !hits.sure;
        if met == 0 {
            return;
        }
        let (link, obstacle) = (&query.model.links[l], &query.model.obstacles.list[o]);
        let sure = if link.exact {
            if obstacle.exact { sure & met } else { 0 }
        } else if obstacle.hits_from_inside(link) {
            self.inner_and_convex(query, [l, o], core, met)
        } else {
            0
        };
        hits.sure |= sure;
        self.add_candidate(link.part, obstacle.part, met & !sure, hits);
    }

    /// Lanes among `met` in which a sphere inside a link overlaps a convex obstacle.
    fn inner_and_convex(
        &mut self,
        query: Query<'_>,
        [l, o]: [usize; 2],
        core: &Convex,
        met: u32,
    ) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || {
                let model = query.model;
                let [_, edge] = model.obstacles.list[o].edges(query.rounding);
                let (mut sure, all) = (0, model.links[l].inner.clone());
                for first in all.clone().step_by(TOGETHER) {
                    let some = first..all.end.min(first + TOGETHER);
                    for i in some.clone() {
                        self.inner(model, l, i);
                    }
                    let each = self.inner[some.clone()].iter().zip(&model.inner[some]);
                    sure |= core.met_by(each, [edge])[0] & met;
                    if sure == met || query.stops && sure != 0 {
                        break;
                    }
                }
                sure
            },
        )
    }

    /// Checks some spheres of a link against a cloud of points.
    #[inline(always)]
    pub(super) fn link_and_cloud(
        &mut self,
        query: Query<'_>,
        [l, o]: [usize; 2],
        cloud: &Cloud,
        spheres: impl Iterator<Item = usize>,
        hits: &mut Hits,
    ) {
        let Query { model, .. } = query;
        let (link, obstacle) = (&model.links[l], &model.obstacles.list[o]);
        let edges = obstacle.edges(query.rounding);
        let mut perhaps = 0;
        for b in spheres {
            // what collides already needs no other reason
            let lanes = query.valid & !hits.sure;
            if lanes == 0 || query.stops && hits.sure != 0 {
                break;
            }
            let radius = model.spheres[b].radius;
            let now = cloud.within(&self.spheres[b], radius + edges[0], lanes);
            if now == 0 {
                continue;
            }
            let mut sure = 0;
            if obstacle.exact && link.exact {
                sure = surely_within(cloud, &self.spheres[b], radius + edges[1], now);
            } else if obstacle.hits_from_inside(link) {
                for i in link.inner.clone() {
                    let center = self.inner(model, l, i);
                    let limit = model.inner[i].radius + edges[1];
                    sure |= surely_within(cloud, &center, limit, now & !sure);
                }
            }
            hits.sure |= sure;
            perhaps |= now & !sure;
        }
        self.add_candidate(link.part, obstacle.part, perhaps, hits);
    }

    /// A sphere inside a link in the world, transformed once per block.
    #[inline(always)]
    fn inner(&mut self, model: &Model, link: usize, i: usize) -> Position<N, L> {
        if self.inner_stamps[i] != self.block {
            self.inner[i] = self.at(model, model.links[link].body, &model.inner[i].center);
            self.inner_stamps[i] = self.block;
        }
        self.inner[i]
    }

    /// Adds what the spheres of two links meet of each other, as [`link_meets_convex`](Self::link_meets_convex) does.
    #[inline(always)]
    pub(super) fn links_meet(
        &mut self,
        query: Query<'_>,
        k: usize,
        [met, sure]: [u32; 2],
        hits: &mut Hits,
    ) {
        let pair = &query.model.link_pairs[k];
        let met = met & query.valid & !hits.sure;
        let sure = if pair.exact { sure & met } else { 0 };
        let parts = pair.links().map(|link| query.model.links[link].part);
        hits.sure |= sure;
        self.add_candidate(parts[0], parts[1], met & !sure, hits);
    }

    /// Adds two parts whose spheres overlap in these lanes to the candidates.
    #[inline(always)]
    pub(super) fn add_candidate(&mut self, a: usize, b: usize, lanes: u32, hits: &mut Hits) {
        if lanes == 0 {
            return;
        }
        hits.perhaps |= lanes;
        match self.candidates.last_mut() {
            Some((p, q, mask)) if (*p, *q) == (a, b) => *mask |= lanes,
            _ => self.candidates.push((a, b, lanes)),
        }
    }

    /// The candidate pairs of a lane, in place of what `out` held.
    pub(super) fn candidates_in(&self, lane: usize, out: &mut Vec<(usize, usize)>) {
        out.clear();
        let here = self
            .candidates
            .iter()
            .filter(|(.., mask)| mask >> lane & 1 == 1);
        for &(a, b, _) in here {
            if !out.contains(&(a, b)) {
                out.push((a, b));
            }
        }
    }
}

/// Those of some lanes in which a position is within a distance of a cloud; none for a negative distance.
#[inline(always)]
fn surely_within<const N: usize, L: Level>(
    cloud: &Cloud,
    p: &Position<N, L>,
    limit: f32,
    lanes: u32,
) -> u32 {
    if limit > 0.0 {
        cloud.within(p, limit, lanes)
    } else {
        0
    }
}
