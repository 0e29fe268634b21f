//! Shorter paths once there is one: AORRTC (Wilson, Thomason, Kingston, Kavraki and Gammell 2025).

use super::neighbours::Neighbours;
use super::shortcut::{IsCertain, path_length, shorten_where};
use super::tree::{EDGE_TUNING, MIN_GAIN, SAMPLE_TUNING};
use super::{Budget, CSpace};
use crate::Result;
use crate::math::SplitMix;

/// Shortcuts that are tried on each path that is found.
const SHORTCUTS: usize = 40;

/// Attempts to give a new point a parent at which it costs less.
const PARENTS: usize = 16;

/// Bisections for the share of a line on which a path may be shorter.
const BISECTIONS: usize = 12;

/// What a search for shorter paths may take.
pub(super) struct Effort {
    /// Samples.
    pub(super) samples: usize,
    /// Longest step of a tree.
    pub(super) range: f64,
    pub(super) random: SplitMix,
}

impl Effort {
    pub(super) fn of(budget: &Budget) -> Self {
        Self {
            samples: budget.improve,
            range: budget.range,
            random: SplitMix::new(budget.seed),
        }
    }
}

/// Replaces a path by ever shorter ones from any of some starts to any of some goals; returns the number of samples.
///
/// Two trees grow as in [`RrtConnect`](super::RrtConnect), but in the space of configurations and of costs: a sample has a cost
/// as well, between the least at which it can be reached and the most at which a path through it is shorter than the best, and
/// it is joined to the nearest point from which it is reached at that cost. With each shorter path the trees begin anew, so that
/// the search converges to the shortest path almost surely. A path counts where `is_certain` is true of each of its edges.
pub(super) fn improve<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    path: &mut Vec<Vec<f64>>,
    roots: &[Vec<Vec<f64>>; 2],
    effort: Effort,
    more: &mut dyn FnMut(usize) -> bool,
    is_certain: &IsCertain<'_, S>,
) -> Result<usize> {
    let Effort {
        samples,
        range,
        mut random,
    } = effort;
    let random = &mut random;
    let mut drawn = 0;
    let mut best = path_length(space, path);
    let least = roots[0]
        .iter()
        .map(|start| distance_to(space, &roots[1], start));
    let least = least.fold(f64::INFINITY, f64::min);
    while drawn < samples && best > least * (1.0 + 1e-9) {
        let mut search = Search {
            space,
            roots,
            trees: [0, 1].map(|k| Tree::new(space, &roots[k])),
            best,
            path,
            range,
        };
        let mut found = None;
        while found.is_none() && drawn < samples && more(drawn) {
            drawn += 1;
            found = search.iterate(ws, random)?;
        }
        let Some(mut shorter) = found else {
            break;
        };
        let mut goes_on = || more(drawn);
        let is_certain = shorten_where(
            space,
            ws,
            &mut shorter,
            SHORTCUTS,
            random,
            &mut goes_on,
            is_certain,
        )?;
        let length = path_length(space, &shorter);
        let is_better = is_certain && length < best;
        if is_better {
            (best, *path) = (length, shorter);
        }
    }
    Ok(drawn)
}

/// The distance to the nearest of some configurations.
fn distance_to(space: &impl CSpace, all: &[Vec<f64>], q: &[f64]) -> f64 {
    let distances = all.iter().map(|other| space.distance(other, q));
    distances.fold(f64::INFINITY, f64::min)
}

/// A search for one path that is shorter than the best.
struct Search<'a, S> {
    space: &'a S,
    /// The start, and the goals.
    roots: &'a [Vec<Vec<f64>>; 2],
    trees: [Tree; 2],
    /// Length of the best path, and that path.
    best: f64,
    path: &'a [Vec<f64>],
    range: f64,
}

impl<S: CSpace> Search<'_, S> {
    /// Grows a tree towards a sample and, from the new point, to the other tree: a path where that succeeds.
    fn iterate(
        &mut self,
        ws: &mut S::Workspace,
        random: &mut SplitMix,
    ) -> Result<Option<Vec<Vec<f64>>>> {
        let one = usize::from(self.trees[1].nodes.len() < self.trees[0].nodes.len());
        let sample = self.sample(random);
        let from = distance_to(self.space, &self.roots[one], &sample);
        let to = distance_to(self.space, &self.roots[1 - one], &sample);
        let cost = from + random.uniform() * (self.best - from - to).max(0.0);
        let Some(new) = self.grow(one, &sample, cost, ws, random)? else {
            return Ok(None);
        };
        let Some((last, met)) = self.connect(one, new, ws)? else {
            return Ok(None);
        };
        let (mut path, rest) = (
            self.trees[one].to_root(last),
            self.trees[1 - one].to_root(met),
        );
        path.reverse();
        // the last point of the one is that of the other
        path.extend(rest.into_iter().skip(1));
        if one == 1 {
            path.reverse();
        }
        Ok(Some(path))
    }

    /// The length of a path through a configuration, at least.
    fn least_through(&self, q: &[f64]) -> f64 {
        self.roots
            .iter()
            .map(|roots| distance_to(self.space, roots, q))
            .sum()
    }

    /// A configuration through which a path may be shorter than the best: any sample of the space where it is one, else a point
    /// between it and a point of the best path.
    fn sample(&self, random: &mut SplitMix) -> Vec<f64> {
        let mut sample = vec![0.0; self.space.n_dofs()];
        self.space
            .sample_into(&mut || random.uniform(), &mut sample);
        if self.least_through(&sample) < self.best || self.path.len() < 2 {
            return sample;
        }
        let (mut base, mut out) = (sample.clone(), sample.clone());
        let edge = (random.uniform() * (self.path.len() - 1) as f64) as usize;
        let (a, b) = (&self.path[edge], &self.path[edge + 1]);
        self.space
            .interpolate_into(a, b, random.uniform(), &mut base);
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            self.space
                .interpolate_into(&base, &sample, middle, &mut out);
            if self.least_through(&out) < self.best {
                low = middle;
            } else {
                high = middle;
            }
        }
        // most of the volume is far from the path
        let share = random.uniform().powf(1.0 / sample.len().max(1) as f64);
        self.space
            .interpolate_into(&base, &sample, low * share, &mut out);
        out
    }

    /// Grows a tree from the nearest point that reaches a sample at a cost: the new point, where it may be on a shorter path.
    fn grow(
        &mut self,
        one: usize,
        sample: &[f64],
        cost: f64,
        ws: &mut S::Workspace,
        random: &mut SplitMix,
    ) -> Result<Option<usize>> {
        let (space, range) = (self.space, self.range);
        let tree = &mut self.trees[one];
        let Some(mut parent) = tree.nearest(space, sample, cost) else {
            return Ok(None);
        };
        let node = &mut tree.nodes[parent];
        let distance = space.distance(&node.q, sample);
        if distance > node.radius {
            node.radius *= 1.0 + SAMPLE_TUNING;
            return Ok(None);
        }
        let mut next = sample.to_vec();
        if distance > range {
            space.interpolate_into(&node.q, sample, range / distance, &mut next);
            if distance - space.distance(&next, sample) < MIN_GAIN * range {
                return Ok(None);
            }
        }
        let mut cost = node.cost + space.distance(&node.q, &next);
        let to = distance_to(space, &self.roots[1 - one], &next);
        if cost + to >= self.best {
            return Ok(None);
        }
        let is_free = space.is_edge_free_with(&node.q, &next, ws)?;
        node.radius = match is_free {
            true => node.radius * (1.0 + EDGE_TUNING),
            false if node.radius.is_infinite() => 2.0 * range,
            false => (node.radius * (1.0 - EDGE_TUNING)).clamp(0.5 * range, 2.0 * range),
        };
        if !is_free {
            return Ok(None);
        }
        let from = distance_to(space, &self.roots[one], &next);
        for _ in 0..PARENTS {
            let wanted = from + random.uniform() * (cost - from);
            let Some(other) = tree.nearest(space, &next, wanted) else {
                break;
            };
            let node = &tree.nodes[other];
            let at = node.cost + space.distance(&node.q, &next);
            if other == parent || at >= cost || !space.is_edge_free_with(&node.q, &next, ws)? {
                break;
            }
            (parent, cost) = (other, at);
        }
        Ok(Some(tree.push(space, next, Some(parent), cost)))
    }

    /// Grows a tree from a point to the nearest point of the other from which the path is shorter than the best: the last point,
    /// and that of the other.
    fn connect(
        &mut self,
        one: usize,
        new: usize,
        ws: &mut S::Workspace,
    ) -> Result<Option<(usize, usize)>> {
        let space = self.space;
        let (mut at, q) = (new, self.trees[one].nodes[new].q.clone());
        let cost = self.trees[one].nodes[new].cost;
        let Some(met) = self.trees[1 - one].nearest(space, &q, self.best - cost) else {
            return Ok(None);
        };
        let target = self.trees[1 - one].nodes[met].q.clone();
        let rest = self.trees[1 - one].nodes[met].cost;
        let tree = &mut self.trees[one];
        loop {
            let Node { q, cost, .. } = &tree.nodes[at];
            let distance = space.distance(q, &target);
            if cost + distance + rest >= self.best {
                return Ok(None);
            }
            let mut next = target.clone();
            let arrives = distance <= self.range;
            if !arrives {
                space.interpolate_into(q, &target, self.range / distance, &mut next);
                if distance - space.distance(&next, &target) < MIN_GAIN * self.range {
                    return Ok(None);
                }
            }
            if !space.is_edge_free_with(q, &next, ws)? {
                return Ok(None);
            }
            let cost = cost + space.distance(q, &next);
            at = tree.push(space, next, Some(at), cost);
            if arrives {
                return Ok(Some((at, met)));
            }
        }
    }
}

/// Configurations that free edges join to a root, with the lengths of these paths.
struct Tree {
    nodes: Vec<Node>,
    /// Embeddings of the configurations, with the costs as a further coordinate.
    neighbours: Neighbours,
    // scratch: such a point
    point: Vec<f64>,
}

struct Node {
    q: Vec<f64>,
    parent: Option<usize>,
    cost: f64,
    /// The largest distance at which a sample counts.
    radius: f64,
}

impl Tree {
    fn new(space: &impl CSpace, roots: &[Vec<f64>]) -> Self {
        let mut point = Vec::new();
        if let Some(root) = roots.first() {
            space.embed_into(root, &mut point);
        }
        let mut tree = Self {
            nodes: Vec::new(),
            neighbours: Neighbours::new(point.len() + 1),
            point,
        };
        for root in roots {
            tree.push(space, root.clone(), None, 0.0);
        }
        tree
    }

    fn set_point(&mut self, space: &impl CSpace, q: &[f64], cost: f64) {
        self.point.clear();
        space.embed_into(q, &mut self.point);
        self.point.push(cost);
    }

    fn push(
        &mut self,
        space: &impl CSpace,
        q: Vec<f64>,
        parent: Option<usize>,
        cost: f64,
    ) -> usize {
        self.set_point(space, &q, cost);
        self.neighbours.insert(&self.point);
        self.nodes.push(Node {
            q,
            parent,
            cost,
            radius: f64::INFINITY,
        });
        self.nodes.len() - 1
    }

    /// The node that is nearest in configuration and cost, of those from which `q` is reached at no more than `cost`.
    fn nearest(&mut self, space: &impl CSpace, q: &[f64], cost: f64) -> Option<usize> {
        self.set_point(space, q, cost);
        self.nearest_to_point(cost)
    }

    /// [`nearest`](Self::nearest), to the point in the scratch. It knows no space, so that it is compiled with this library
    /// whatever the profile of the crate that plans.
    fn nearest_to_point(&mut self, cost: f64) -> Option<usize> {
        let nodes = &self.nodes;
        let is_reached = |node: usize, square: f64| {
            // the square has the difference of the costs in it
            let rest = cost - nodes[node].cost;
            rest >= 0.0 && square <= 2.0 * rest * rest * (1.0 + 1e-12)
        };
        let found = self.neighbours.nearest_where(&self.point, is_reached);
        found.map(|(node, _)| node)
    }

    /// The configurations from a node to its root.
    fn to_root(&self, node: usize) -> Vec<Vec<f64>> {
        let nodes = std::iter::successors(Some(&self.nodes[node]), |node| {
            node.parent.map(|parent| &self.nodes[parent])
        });
        nodes.map(|node| node.q.clone()).collect()
    }
}
