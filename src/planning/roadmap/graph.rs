//! Graphs of configurations: milestones, and edges between near ones.

use crate::planning::CSpace;
use crate::planning::neighbours::Neighbours;

/// An edge of a [`RoadMap`](super::RoadMap).
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RoadMapEdge {
    /// The milestones that it joins.
    pub ends: [usize; 2],
    /// Their distance, in the metric of the space.
    pub length: f64,
    /// What is known about it.
    pub state: EdgeState,
}

/// What a [`RoadMap`](super::RoadMap) knows about an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EdgeState {
    /// Not checked, or not since something moved that could be near.
    #[default]
    Unknown,
    /// Free.
    Free,
    /// Not free.
    Blocked,
}

/// Milestones and edges, the nearest neighbours of a configuration, and shortest paths.
#[derive(Debug, Clone)]
pub(super) struct Graph {
    n_dofs: usize,
    /// Of each milestone, its numbers.
    milestones: Vec<f64>,
    pub(super) edges: Vec<RoadMapEdge>,
    /// Of each milestone, its edges.
    at: Vec<Vec<u32>>,
    neighbours: Neighbours,
    /// Whether `neighbours` and the lengths of edges are those of a metric: a map that was read has none yet.
    pub(super) is_measured: bool,
    // scratch: the embedding of a configuration, and the nearest to it
    embedding: Vec<f64>,
    nearest: Vec<(f64, u32)>,
}

impl Graph {
    pub(super) fn new(n_dofs: usize) -> Self {
        Self {
            n_dofs,
            milestones: Vec::new(),
            edges: Vec::new(),
            at: Vec::new(),
            neighbours: Neighbours::new(0),
            is_measured: false,
            embedding: Vec::new(),
            nearest: Vec::new(),
        }
    }

    /// Number of milestones.
    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// The configuration of a milestone.
    pub(super) fn q(&self, milestone: usize) -> &[f64] {
        &self.milestones[milestone * self.n_dofs..][..self.n_dofs]
    }

    /// The edges of a milestone.
    pub(super) fn edges_of(&self, milestone: usize) -> &[u32] {
        &self.at[milestone]
    }

    /// Adds a milestone that no search for neighbours finds.
    pub(super) fn push(&mut self, q: &[f64]) -> usize {
        self.milestones.extend_from_slice(q);
        self.at.push(Vec::new());
        self.at.len() - 1
    }

    /// Adds an edge of which nothing is known.
    pub(super) fn join(&mut self, a: usize, b: usize, length: f64) {
        let edge = self.edges.len() as u32;
        self.edges.push(RoadMapEdge {
            ends: [a, b],
            length,
            state: EdgeState::Unknown,
        });
        self.at[a].push(edge);
        self.at[b].push(edge);
    }

    /// Returns whether an edge joins two milestones.
    pub(super) fn are_joined(&self, a: usize, b: usize) -> bool {
        let edges = self.at[a].iter();
        edges
            .map(|&edge| self.edges[edge as usize].ends)
            .any(|ends| ends == [a, b] || ends == [b, a])
    }

    /// Removes the last milestones and the last edges, among which are all of these milestones.
    pub(super) fn truncate(&mut self, milestones: usize, edges: usize) {
        for edge in self.edges.drain(edges..) {
            for end in edge.ends {
                self.at[end].pop();
            }
        }
        self.at.truncate(milestones);
        self.milestones.truncate(milestones * self.n_dofs);
    }

    /// Adds a milestone with edges to its nearest neighbours; an equal one that is there is taken instead.
    pub(super) fn insert(&mut self, space: &impl CSpace, q: &[f64]) -> usize {
        if let Some(equal) = self.equal(space, q) {
            return equal;
        }
        let k = neighbours_of(self.len() + 1, self.n_dofs);
        let new = self.push(q);
        self.join_near(space, new, k);
        self.embed(space, new);
        self.neighbours.insert(&self.embedding);
        new
    }

    /// Joins the last milestone to the `k` nearest that a search finds.
    pub(super) fn join_near(&mut self, space: &impl CSpace, new: usize, k: usize) {
        self.embed(space, new);
        let mut nearest = std::mem::take(&mut self.nearest);
        self.neighbours.nearest_k(&self.embedding, k, &mut nearest);
        for &(_, other) in &nearest {
            let other = other as usize;
            let length = space.distance(self.q(new), self.q(other));
            self.join(new, other, length);
        }
        self.nearest = nearest;
    }

    /// The milestone that equals a configuration.
    fn equal(&mut self, space: &impl CSpace, q: &[f64]) -> Option<usize> {
        self.embedding.clear();
        space.embed_into(q, &mut self.embedding);
        let (nearest, _) = self.neighbours.nearest(&self.embedding)?;
        (self.q(nearest) == q).then_some(nearest)
    }

    /// Has the neighbours and the lengths of the edges as the metric of a space has them.
    pub(super) fn measure(&mut self, space: &impl CSpace) {
        self.embedding.clear();
        space.embed_into(&vec![0.0; self.n_dofs], &mut self.embedding);
        self.neighbours = Neighbours::new(self.embedding.len());
        for milestone in 0..self.len() {
            self.embed(space, milestone);
            self.neighbours.insert(&self.embedding);
        }
        let mut edges = std::mem::take(&mut self.edges);
        for edge in &mut edges {
            let [a, b] = edge.ends.map(|end| self.q(end));
            edge.length = space.distance(a, b);
        }
        self.edges = edges;
        self.is_measured = true;
    }

    fn embed(&mut self, space: &impl CSpace, milestone: usize) {
        self.embedding.clear();
        let first = milestone * self.n_dofs;
        let q = &self.milestones[first..first + self.n_dofs];
        space.embed_into(q, &mut self.embedding);
    }
}

/// Number of neighbours to which one of `n` milestones is joined: e (1 + 1 / d) ln n, from which on the shortest paths of a
/// growing map converge to those of the space (Karaman and Frazzoli 2011).
pub(super) fn neighbours_of(n: usize, n_dofs: usize) -> usize {
    let n = n.max(2) as f64;
    let factor = std::f64::consts::E * (1.0 + 1.0 / n_dofs.max(1) as f64);
    (factor * n.ln()).ceil() as usize
}
