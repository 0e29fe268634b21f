//! Road maps against shortest paths that are known, and against checks made anew after objects moved.

mod ends;
mod moves;
mod saved;
mod squares;

use kinworld::planning::{CSpace, EdgeState, Plan, RoadMap, Termination};

/// Checks that what a map knows about each edge is what a check says.
fn assert_states(map: &RoadMap, space: &impl CSpace) -> [usize; 2] {
    let milestones: Vec<&[f64]> = map.milestones().collect();
    let mut known = [0, 0];
    for edge in map.edges() {
        let [a, b] = edge.ends.map(|end| milestones[end]);
        let is_free = match edge.state {
            EdgeState::Unknown => continue,
            EdgeState::Free => true,
            EdgeState::Blocked => false,
        };
        known[usize::from(is_free)] += 1;
        assert_eq!(space.is_edge_free(a, b).unwrap(), is_free, "{edge:?}");
    }
    known
}

/// The waypoints of a plan from `a` to `b`.
fn path<'p>(plan: &'p Plan, a: &[f64], b: &[f64]) -> &'p [Vec<f64>] {
    assert_eq!(plan.termination, Termination::Found);
    let path = plan.path.as_deref().unwrap();
    assert_eq!((&path[0][..], &path[path.len() - 1][..]), (a, b));
    path
}

/// The length of a path.
fn length(space: &impl CSpace, path: &[Vec<f64>]) -> f64 {
    path.windows(2).map(|e| space.distance(&e[0], &e[1])).sum()
}

/// Milestones, and the edges with their ends and lengths.
type Content = (Vec<Vec<f64>>, Vec<([usize; 2], f64)>);

/// All that a map has, for comparisons.
fn content(map: &RoadMap) -> Content {
    let milestones = map.milestones().map(<[f64]>::to_vec).collect();
    let edges = map.edges().iter().map(|edge| (edge.ends, edge.length));
    (milestones, edges.collect())
}
