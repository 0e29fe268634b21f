//! Overlaps of spheres: certain or possible collisions.

use super::block::{Hits, Query};
use super::cores::{Position, squared_distance, squared_radius};
use super::obstacles::Obstacle;
use super::scratch::Scratch;
use crate::math::{Lanes, Level, outlined as alone};

impl<const N: usize, L: Level> Scratch<Lanes<N, L, f32>> {
    /// Checks one sphere of a link against an obstacle.
    #[inline(always)]
    pub(super) fn sphere_and_obstacle(
        &mut self,
        query: Query<'_>,
        b: usize,
        o: usize,
        edge: f32,
        perhaps: &mut u32,
        hits: &mut Hits,
    ) {
        let core = &query.model.obstacles.list[o].core;
        let limit = query.model.spheres[b].radius + edge;
        let now = core.within(&self.spheres[b], limit, query.valid);
        if now != 0 {
            let sure = self.surely(query, b, o, now);
            hits.sure |= sure;
            *perhaps |= now & !sure;
        }
    }

    /// Lanes among `now` in which a link certainly collides with an obstacle that one of its spheres overlaps.
    fn surely(&mut self, query: Query<'_>, b: usize, o: usize, now: u32) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || self.surely_here(query, b, o, now),
        )
    }

    #[inline(always)]
    fn surely_here(&mut self, query: Query<'_>, b: usize, o: usize, now: u32) -> u32 {
        let Query {
            model, rounding, ..
        } = query;
        let obstacle = &model.obstacles.list[o];
        if !obstacle.exact {
            return 0;
        }
        let edge = obstacle.radius - obstacle.slop - rounding;
        let l = model.sphere_link[b] as usize;
        let link = &model.links[l];
        if link.exact {
            return surely_within(
                obstacle,
                &self.spheres[b],
                model.spheres[b].radius + edge,
                now,
            );
        }
        let mut sure = 0;
        for i in link.inner.clone() {
            let center = self.inner(model, l, i);
            sure |= surely_within(obstacle, &center, model.inner[i].radius + edge, now & !sure);
        }
        sure
    }

    /// Checks two spheres of links with a margin, rounded up and down.
    #[inline(always)]
    pub(super) fn two_spheres(
        &mut self,
        query: Query<'_>,
        [i, j]: [usize; 2],
        margin: [f32; 2],
        perhaps: &mut u32,
        hits: &mut Hits,
    ) {
        let spheres = &query.model.spheres;
        let sum = spheres[i].radius + spheres[j].radius + 2.0 * query.rounding + margin[0];
        let now = squared_distance(&self.spheres[i], &self.spheres[j]).not_gt(squared_radius(sum))
            & query.valid;
        if now != 0 {
            let sure = self.surely_both(query, [i, j], margin[1], now);
            hits.sure |= sure;
            *perhaps |= now & !sure;
        }
    }

    /// Lanes among `now` in which two links whose spheres overlap certainly collide.
    fn surely_both(&mut self, query: Query<'_>, spheres: [usize; 2], margin: f32, now: u32) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || self.surely_both_here(query, spheres, margin, now),
        )
    }

    #[inline(always)]
    fn surely_both_here(
        &mut self,
        query: Query<'_>,
        [i, j]: [usize; 2],
        margin: f32,
        now: u32,
    ) -> u32 {
        let Query {
            model, rounding, ..
        } = query;
        let link = |sphere: usize| &model.links[model.sphere_link[sphere] as usize];
        if !(link(i).exact && link(j).exact) {
            return 0;
        }
        let sum = model.spheres[i].radius + model.spheres[j].radius + margin - 2.0 * rounding;
        within(squared_distance(&self.spheres[i], &self.spheres[j]), sum) & now
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

/// Those of some lanes in which a position is within a distance of an obstacle; none for a negative distance.
#[inline(always)]
fn surely_within<const N: usize, L: Level>(
    obstacle: &Obstacle,
    p: &Position<N, L>,
    limit: f32,
    lanes: u32,
) -> u32 {
    if limit > 0.0 {
        obstacle.core.within(p, limit, lanes)
    } else {
        0
    }
}

/// Lanes in which a squared distance is within a radius; none for a negative radius.
#[inline(always)]
fn within<const N: usize, L: Level>(square: Lanes<N, L, f32>, radius: f32) -> u32 {
    if radius > 0.0 {
        square.not_gt(squared_radius(radius))
    } else {
        0
    }
}
