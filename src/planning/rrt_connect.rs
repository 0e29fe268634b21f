//! RRT-Connect (Kuffner and LaValle 2000): two trees grow towards samples and towards each other.

use std::time::Duration;

use super::clock::Instant;
use super::edge::MOST_STEPS;
use super::neighbours::Neighbours;
use super::{CSpace, shortcut};
use crate::math::SplitMix;
use crate::{Error, Result};

/// How much a search may take, and how it draws its numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Budget {
    /// Where the random numbers begin: equal seeds, equal paths.
    pub seed: u64,
    /// The most samples that are drawn.
    pub max_iterations: usize,
    /// The longest that it may search, `None` for as long as that takes. A search that time cuts short may end
    /// differently on another machine.
    pub max_time: Option<Duration>,
    /// How far a tree grows towards a sample in one step, in the metric of the space.
    pub range: f64,
    /// How many shortcuts are tried on a path that was found; 0 leaves it as it is.
    pub shortcuts: usize,
}

impl Default for Budget {
    /// Seed 0, 100,000 samples, any time, a range of 1, 200 shortcuts.
    fn default() -> Self {
        Self {
            seed: 0,
            max_iterations: 100_000,
            max_time: None,
            range: 1.0,
            shortcuts: 200,
        }
    }
}

impl Budget {
    /// With another seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With at most this many samples.
    #[must_use]
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// With at most this time.
    #[must_use]
    pub fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = Some(max_time);
        self
    }

    /// With steps of another length, in the metric of the space.
    #[must_use]
    pub fn range(mut self, range: f64) -> Self {
        self.range = range;
        self
    }

    /// With another number of shortcuts.
    #[must_use]
    pub fn shortcuts(mut self, shortcuts: usize) -> Self {
        self.shortcuts = shortcuts;
        self
    }
}

/// What a search came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The corners of a free path from the start to the goal, both included; `None` where none was found.
    pub path: Option<Vec<Vec<f64>>>,
    /// Why the search ended.
    pub stop: Stop,
    /// How many samples were drawn.
    pub iterations: usize,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stop {
    /// A path was found.
    Found,
    /// All samples were drawn.
    Iterations,
    /// The time was over.
    Time,
    /// Whoever watched it had enough.
    Cancelled,
    /// Paths were found, but none stood a finer check: something thin is in the way.
    TooThin,
}

/// A planner for any [`CSpace`].
///
/// Each iteration draws a sample, grows one tree a [range](Budget::range) towards it and, if that is free, the other tree
/// towards the new point as far as it is free; then the trees change places, unless the other has twice as many points. A
/// point from which a way was not free grows no more towards samples that are farther from it than a radius, which gets
/// smaller with each way that is not free, and larger with each that is (dynamic domains: Yershova et al. 2005, tuned as by
/// Jaillet et al. 2005) and with each sample that is left out. A path that was found is made shorter: random pairs of its points are joined directly where that is
/// free. A step that leads nearer to its target by less than a tenth of the range, as on a manifold that turns away, counts
/// as one that is not free.
#[derive(Debug, Clone)]
pub struct RrtConnect {
    budget: Budget,
}

impl RrtConnect {
    /// A planner with this budget.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { budget: *budget }
    }

    /// Looks for a path.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for a start or a goal that is no configuration or is not free, which says
    /// why, and for a range that is not positive or makes more than ten million steps from the start to the goal.
    pub fn solve(&self, space: &mut impl CSpace, start: &[f64], goal: &[f64]) -> Result<Plan> {
        self.solve_watched(space, start, goal, |_| true)
    }

    /// [`solve`](Self::solve), for somebody who watches: told the number of samples after each of them, the answer is
    /// whether to go on.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn solve_watched(
        &self,
        space: &mut impl CSpace,
        start: &[f64],
        goal: &[f64],
        mut watch: impl FnMut(usize) -> bool,
    ) -> Result<Plan> {
        let Budget {
            seed,
            max_iterations,
            max_time,
            range,
            shortcuts,
        } = self.budget;
        if !(range > 0.0 && range.is_finite()) {
            let problem = format!("{range} is not a positive length");
            return Err(Error::invalid("the range of RRT-Connect", problem));
        }
        check_end(space, "start", start)?;
        check_end(space, "goal", goal)?;
        let across = space.distance(start, goal) / range;
        if across.is_nan() || across > MOST_STEPS {
            let problem =
                format!("makes {across} steps from the start to the goal; choose a longer one");
            return Err(Error::invalid("the range of RRT-Connect", problem));
        }
        let ended = |path, stop, iterations| Plan {
            path,
            stop,
            iterations,
        };
        let began = Instant::now();
        let is_over = || max_time.is_some_and(|most| began.elapsed() >= most);
        let mut random = SplitMix::new(seed);

        if space.is_edge_free(start, goal) {
            let path = vec![start.to_vec(), goal.to_vec()];
            return Ok(ended(Some(path), Stop::Found, 0));
        }
        let mut trees = [Tree::new(space, start), Tree::new(space, goal)];
        let mut sample = vec![0.0; space.dimension()];
        let mut grows = 1;
        for iteration in 0..max_iterations {
            if is_over() {
                return Ok(ended(None, Stop::Time, iteration));
            }
            if !watch(iteration) {
                return Ok(ended(None, Stop::Cancelled, iteration));
            }
            space.sample_into(&mut || random.uniform(), &mut sample);
            if trees[1 - grows].nodes.len() < 2 * trees[grows].nodes.len() {
                grows = 1 - grows;
            }
            let [a, b] = &mut trees;
            let (one, other) = if grows == 0 { (a, b) } else { (b, a) };
            let Some(new) = one.grow(space, &sample, range) else {
                continue;
            };
            let target = one.nodes[new].q.clone();
            if let Some(met) = other.connect(space, &target, range, is_over) {
                let (mut path, mut rest) = (one.to_root(new), other.to_root(met));
                if grows == 1 {
                    std::mem::swap(&mut path, &mut rest);
                }
                path.reverse();

                // both trees end in the same point
                path.extend(rest.into_iter().skip(1));
                let mut more = || !is_over() && watch(iteration);
                shortcut::shorten(space, &mut path, shortcuts, &mut random, &mut more);
                return Ok(ended(Some(path), Stop::Found, iteration + 1));
            }
        }
        Ok(ended(None, Stop::Iterations, max_iterations))
    }
}

/// That one end of a path can be one.
pub(super) fn check_end(space: &mut impl CSpace, end: &'static str, q: &[f64]) -> Result<()> {
    if q.len() != space.dimension() {
        return Err(Error::Length {
            what: end,
            expected: space.dimension(),
            found: q.len(),
        });
    }
    if let Some(i) = q.iter().position(|x| !x.is_finite()) {
        return Err(Error::invalid(end, format!("[{i}] is {}", q[i])));
    }
    if space.is_free(q) {
        return Ok(());
    }
    let reason = space.reason(q);
    reason.map_or(Ok(()), |reason| Err(Error::invalid(end, reason)))
}

/// How much nearer to its target a step has to come, as a share of the range.
const LEAST_GAIN: f64 = 0.1;

/// By how much a way changes a radius.
const TUNING: f64 = 1e-2;

/// By how much a sample that is too far does: where there are many coordinates, nearly all are.
const PATIENCE: f64 = 0.02;

/// Configurations that are joined to a root by free ways.
struct Tree {
    nodes: Vec<Node>,
    neighbours: Neighbours,
    picture: Vec<f64>,
}

struct Node {
    q: Vec<f64>,
    parent: Option<usize>,
    /// How far samples count.
    radius: f64,
}

impl Tree {
    fn new(space: &impl CSpace, root: &[f64]) -> Self {
        let mut picture = Vec::new();
        space.picture(root, &mut picture);
        let mut tree = Self {
            nodes: Vec::new(),
            neighbours: Neighbours::new(picture.len()),
            picture,
        };
        tree.push(space, root.to_vec(), None);
        tree
    }

    fn push(&mut self, space: &impl CSpace, q: Vec<f64>, parent: Option<usize>) -> usize {
        self.picture.clear();
        space.picture(&q, &mut self.picture);
        self.neighbours.insert(&self.picture);
        self.nodes.push(Node {
            q,
            parent,
            radius: f64::INFINITY,
        });
        self.nodes.len() - 1
    }

    /// Grows from the nearest node towards a sample, if that is within its radius: the new node.
    fn grow(&mut self, space: &mut impl CSpace, sample: &[f64], range: f64) -> Option<usize> {
        let (nearest, distance) = self.nearest(space, sample)?;
        let node = &mut self.nodes[nearest];
        if distance > node.radius {
            node.radius *= 1.0 + PATIENCE;
            return None;
        }
        let new = self.step(space, nearest, sample, range);
        let radius = &mut self.nodes[nearest].radius;
        *radius = match new {
            Some(_) => *radius * (1.0 + TUNING),
            None if radius.is_infinite() => 2.0 * range,
            None => (*radius * (1.0 - TUNING)).clamp(0.5 * range, 2.0 * range),
        };
        new.map(|(new, _)| new)
    }

    /// The nearest node, and how far it is.
    fn nearest(&mut self, space: &impl CSpace, q: &[f64]) -> Option<(usize, f64)> {
        self.picture.clear();
        space.picture(q, &mut self.picture);
        let (nearest, square) = self.neighbours.nearest(&self.picture)?;
        Some((nearest, square.sqrt()))
    }

    /// Grows from one node towards `target`.
    fn step(
        &mut self,
        space: &mut impl CSpace,
        from: usize,
        target: &[f64],
        range: f64,
    ) -> Option<(usize, bool)> {
        let q = &self.nodes[from].q;
        let distance = space.distance(q, target);
        let arrives = distance <= range;
        let mut next = target.to_vec();
        if !arrives {
            space.interpolate_into(q, target, range / distance, &mut next);
        }
        // what rounding swallows, or a manifold turns aside, would go on for ever
        let gained = distance - space.distance(&next, target);
        let gains = arrives || gained >= LEAST_GAIN * range;
        if !gains || !space.is_edge_free(q, &next) {
            return None;
        }
        Some((self.push(space, next, Some(from)), arrives))
    }

    /// Grows to `target` if the way there is free: the node that is the target.
    fn connect(
        &mut self,
        space: &mut impl CSpace,
        target: &[f64],
        range: f64,
        is_over: impl Fn() -> bool,
    ) -> Option<usize> {
        let (nearest, _) = self.nearest(space, target)?;
        let (mut at, mut arrived) = self.step(space, nearest, target, range)?;
        while !arrived && !is_over() {
            (at, arrived) = self.step(space, at, target, range)?;
        }
        arrived.then_some(at)
    }

    /// The configurations from a node to the root.
    fn to_root(&self, node: usize) -> Vec<Vec<f64>> {
        let nodes = std::iter::successors(Some(&self.nodes[node]), |node| {
            node.parent.map(|parent| &self.nodes[parent])
        });
        nodes.map(|node| node.q.clone()).collect()
    }
}
