//! A tree of RRT-Connect.

use super::CSpace;
use super::neighbours::Neighbours;
use crate::Result;

/// Least decrease of the distance to the target in one step, as a share of the range.
pub(super) const MIN_GAIN: f64 = 0.1;

/// Parts of a step that are tried where it is blocked.
const PARTS: [f64; 2] = [0.7, 0.4];

/// The shortest of them, as a share of the range: from shorter ones, most that follow are blocked as well.
const MIN_PART: f64 = 0.25;

/// Change of a radius by an edge.
pub(super) const EDGE_TUNING: f64 = 1e-3;

/// Change of a radius by a sample beyond it: in many dimensions nearly all are.
pub(super) const SAMPLE_TUNING: f64 = 0.02;

/// Configurations that free edges join to a root, by index.
pub(super) struct Tree {
    n_dofs: usize,
    /// One after the other, as is what belongs to each of them: samples that are left out read a single number.
    configurations: Vec<f64>,
    parents: Vec<Option<usize>>,
    /// The largest distance at which a sample counts.
    radii: Vec<f64>,
    neighbours: Neighbours,
    // scratch: the embedding of a configuration, and the end of a step
    embedding: Vec<f64>,
    next: Vec<f64>,
}

/// The end of a step.
enum Step {
    /// A new node, at the target.
    Arrived(usize),
    /// A new node, nearer to it.
    Advanced(usize),
    /// None.
    Blocked,
}

impl Step {
    /// The new node.
    fn node(&self) -> Option<usize> {
        match self {
            Self::Arrived(node) | Self::Advanced(node) => Some(*node),
            Self::Blocked => None,
        }
    }
}

impl Tree {
    pub(super) fn new(space: &impl CSpace, roots: &[&[f64]]) -> Self {
        let mut embedding = Vec::new();
        if let Some(root) = roots.first() {
            space.embed_into(root, &mut embedding);
        }
        let mut tree = Self {
            n_dofs: space.n_dofs(),
            configurations: Vec::new(),
            parents: Vec::new(),
            radii: Vec::new(),
            neighbours: Neighbours::new(embedding.len()),
            embedding,
            next: Vec::new(),
        };
        for root in roots {
            tree.push(space, root, None);
        }
        tree
    }

    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    pub(super) fn configuration(&self, node: usize) -> &[f64] {
        &self.configurations[node * self.n_dofs..(node + 1) * self.n_dofs]
    }

    pub(super) fn push(&mut self, space: &impl CSpace, q: &[f64], parent: Option<usize>) -> usize {
        self.embedding.clear();
        space.embed_into(q, &mut self.embedding);
        self.neighbours.insert(&self.embedding);
        self.configurations.extend_from_slice(q);
        self.parents.push(parent);
        self.radii.push(f64::INFINITY);
        self.len() - 1
    }

    /// Grows from the nearest node towards a sample, if that is within its radius: the new node.
    pub(super) fn grow<S: CSpace>(
        &mut self,
        space: &S,
        ws: &mut S::Workspace,
        sample: &[f64],
        range: f64,
    ) -> Result<Option<usize>> {
        let Some((nearest, distance)) = self.nearest(space, sample) else {
            return Ok(None);
        };
        if distance > self.radii[nearest] {
            self.radii[nearest] *= 1.0 + SAMPLE_TUNING;
            return Ok(None);
        }
        let new = self.step(space, ws, nearest, sample, range, &PARTS)?.node();
        let radius = &mut self.radii[nearest];
        *radius = match new {
            Some(_) => *radius * (1.0 + EDGE_TUNING),
            None if radius.is_infinite() => 2.0 * range,
            None => (*radius * (1.0 - EDGE_TUNING)).clamp(0.5 * range, 2.0 * range),
        };
        Ok(new)
    }

    /// The nearest node, and its distance.
    fn nearest(&mut self, space: &impl CSpace, q: &[f64]) -> Option<(usize, f64)> {
        self.embedding.clear();
        space.embed_into(q, &mut self.embedding);
        let (nearest, square) = self.neighbours.nearest(&self.embedding)?;
        Some((nearest, square.sqrt()))
    }

    /// Grows from one node towards `target`, as far as `range`, or else some `parts` of that, from long to short.
    fn step<S: CSpace>(
        &mut self,
        space: &S,
        ws: &mut S::Workspace,
        from: usize,
        target: &[f64],
        range: f64,
        parts: &[f64],
    ) -> Result<Step> {
        let q = &self.configurations[from * self.n_dofs..(from + 1) * self.n_dofs];
        let distance = space.distance(q, target);
        let arrives = distance <= range;
        self.next.clear();
        self.next.extend_from_slice(target);
        if !arrives {
            space.interpolate_into(q, target, range / distance, &mut self.next);
            // a step that rounding swallows, or that a manifold bends aside, would repeat for ever
            let gained = distance - space.distance(&self.next, target);
            let gains = gained >= MIN_GAIN * range;
            if !gains {
                return Ok(Step::Blocked);
            }
        }
        let least = MIN_PART * range / distance.min(range);
        let parts = &parts[..parts.partition_point(|part| *part >= least)];
        let share = space.free_share_with(q, &self.next, parts, ws)?;
        if share <= 0.0 {
            return Ok(Step::Blocked);
        }
        let mut next = std::mem::take(&mut self.next);
        if share < 1.0 {
            let whole = next.clone();
            space.interpolate_into(q, &whole, share, &mut next);
        }
        let node = self.push(space, &next, Some(from));
        self.next = next;
        Ok(if arrives && share >= 1.0 {
            Step::Arrived(node)
        } else {
            Step::Advanced(node)
        })
    }

    /// Grows to `target` if the edge there is free: the node that is the target.
    pub(super) fn connect<S: CSpace>(
        &mut self,
        space: &S,
        ws: &mut S::Workspace,
        target: &[f64],
        range: f64,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Option<usize>> {
        let Some((mut at, _)) = self.nearest(space, target) else {
            return Ok(None);
        };
        loop {
            match self.step(space, ws, at, target, range, &[])? {
                Step::Blocked => return Ok(None),
                Step::Arrived(node) => return Ok(Some(node)),
                Step::Advanced(node) => at = node,
            }
            if is_over() {
                return Ok(None);
            }
        }
    }

    /// The configurations from a node to the root.
    pub(super) fn to_root(&self, node: usize) -> Vec<Vec<f64>> {
        let nodes = std::iter::successors(Some(node), |node| self.parents[*node]);
        nodes
            .map(|node| self.configuration(node).to_vec())
            .collect()
    }
}
