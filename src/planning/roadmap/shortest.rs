//! Shortest paths: A* (Hart, Nilsson and Raphael 1968).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::graph::{EdgeState, Graph};

/// Memory of searches for shortest paths to the same goals.
#[derive(Debug, Default)]
pub(super) struct Shortest {
    /// Of each milestone, the length of the shortest path to it so far.
    lengths: Vec<f64>,
    /// Of each milestone, the last edge of that path.
    last: Vec<Option<u32>>,
    /// Of each milestone, the least length from it to a goal; `NaN` until it is asked for.
    ahead: Vec<f64>,
    open: BinaryHeap<Open>,
}

/// A milestone that is reached, but not left.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Open {
    /// The least length of a path through it.
    through: f64,
    /// The length of the path to it.
    length: f64,
    milestone: u32,
}

impl Shortest {
    /// The edges of the shortest path from any start to any goal along edges that are not blocked, with the start; `ahead` gives
    /// the distance to the nearest goal.
    pub(super) fn path(
        &mut self,
        graph: &Graph,
        starts: &[usize],
        goals: &[usize],
        ahead: impl Fn(&[f64]) -> f64,
    ) -> Option<(usize, Vec<u32>)> {
        let n = graph.len();
        self.lengths.clear();
        self.lengths.resize(n, f64::INFINITY);
        self.last.clear();
        self.last.resize(n, None);
        self.ahead.resize(n, f64::NAN);
        self.open.clear();
        for &start in starts {
            self.reach(graph, start, 0.0, None, &ahead);
        }
        while let Some(Open {
            length, milestone, ..
        }) = self.open.pop()
        {
            let milestone = milestone as usize;
            if length > self.lengths[milestone] {
                continue;
            }
            if goals.contains(&milestone) {
                return Some(self.path_to(graph, milestone));
            }
            for &id in graph.edges_of(milestone) {
                let edge = graph.edges[id as usize];
                if edge.state != EdgeState::Blocked {
                    let [a, b] = edge.ends;
                    let other = if a == milestone { b } else { a };
                    self.reach(graph, other, length + edge.length, Some(id), &ahead);
                }
            }
        }
        None
    }

    fn reach(
        &mut self,
        graph: &Graph,
        milestone: usize,
        length: f64,
        last: Option<u32>,
        ahead: impl Fn(&[f64]) -> f64,
    ) {
        if length >= self.lengths[milestone] {
            return;
        }
        (self.lengths[milestone], self.last[milestone]) = (length, last);
        let rest = &mut self.ahead[milestone];
        if rest.is_nan() {
            *rest = ahead(graph.q(milestone));
        }
        self.open.push(Open {
            through: length + *rest,
            length,
            milestone: milestone as u32,
        });
    }

    /// The start and the edges of the path to a milestone.
    fn path_to(&self, graph: &Graph, mut milestone: usize) -> (usize, Vec<u32>) {
        let mut edges = Vec::new();
        while let Some(edge) = self.last[milestone] {
            edges.push(edge);
            let [a, b] = graph.edges[edge as usize].ends;
            milestone = if a == milestone { b } else { a };
        }
        edges.reverse();
        (milestone, edges)
    }
}

impl Eq for Open {}

impl Ord for Open {
    /// The greatest leads to the shortest path; of equals, the one with the smaller number.
    fn cmp(&self, other: &Self) -> Ordering {
        let through = other.through.total_cmp(&self.through);
        let longer = self.length.total_cmp(&other.length);
        through
            .then(longer)
            .then(other.milestone.cmp(&self.milestone))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::{EdgeState, Graph, Shortest};
    use crate::math::SplitMix;

    /// The least length of a path, by relaxing all edges as often as there are milestones (Bellman and Ford).
    fn least(graph: &Graph, start: usize, goal: usize) -> f64 {
        let mut lengths = vec![f64::INFINITY; graph.len()];
        lengths[start] = 0.0;
        for _ in 0..graph.len() {
            for edge in &graph.edges {
                let [a, b] = edge.ends;
                if edge.state != EdgeState::Blocked {
                    lengths[a] = lengths[a].min(lengths[b] + edge.length);
                    lengths[b] = lengths[b].min(lengths[a] + edge.length);
                }
            }
        }
        lengths[goal]
    }

    #[test]
    fn paths_are_as_short_as_those_of_bellman_and_ford() {
        let mut random = SplitMix::new(5);
        let mut found = 0;
        for _ in 0..200 {
            let mut graph = Graph::new(2);
            for _ in 0..12 {
                graph.push(&[random.uniform(), random.uniform()]);
            }
            let distance = |a: &[f64], b: &[f64]| (a[0] - b[0]).hypot(a[1] - b[1]);
            for _ in 0..18 {
                let ends = [(); 2].map(|()| (random.uniform() * 12.0) as usize);
                let length = distance(graph.q(ends[0]), graph.q(ends[1]));
                graph.join(ends[0], ends[1], length * (1.0 + random.uniform()));
            }
            for edge in &mut graph.edges {
                if random.uniform() < 0.2 {
                    edge.state = EdgeState::Blocked;
                }
            }
            let goals = [1, 2];
            let ahead = |q: &[f64]| distance(q, graph.q(1)).min(distance(q, graph.q(2)));
            let expected = least(&graph, 0, 1).min(least(&graph, 0, 2));
            let path = Shortest::default().path(&graph, &[0], &goals, ahead);
            let length = path.map_or(f64::INFINITY, |(start, edges)| {
                found += 1;
                assert_eq!(start, 0);
                let lengths = edges.iter().map(|&edge| graph.edges[edge as usize].length);
                lengths.sum()
            });
            assert!(
                (length.is_infinite() && expected.is_infinite())
                    || (length - expected).abs() < 1e-12,
                "{length} {expected}"
            );
        }
        assert!(found > 20 && found < 200, "{found}");
    }
}
