//! Road maps of squares whose shortest paths are known.

use std::cell::Cell;

use kinworld::Result;
use kinworld::planning::{Budget, CSpace, EdgeState, RoadMap, Termination};

use super::{assert_states, content, length, path};
use crate::common::errors::assert_refused;

/// The unit square with a wall that leaves a gap at the top, and the number of its checks.
#[derive(Default)]
struct Square {
    /// Whether the wall closes the gap.
    is_closed: Cell<bool>,
    checks: Cell<usize>,
}

impl CSpace for Square {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[0.0, 1.0]; 2]
    }

    fn is_free_with(&self, q: &[f64], (): &mut ()) -> Result<bool> {
        let top = if self.is_closed.get() { 1.0 } else { 0.6 };
        Ok(!(0.4..0.6).contains(&q[0]) || q[1] > top)
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], (): &mut ()) -> Result<bool> {
        self.checks.set(self.checks.get() + 1);
        let mut q = [0.0; 2];
        for i in 0..=64 {
            self.interpolate_into(a, b, f64::from(i) / 64.0, &mut q);
            if !self.is_free(&q)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

const START: [f64; 2] = [0.1, 0.1];
const GOAL: [f64; 2] = [0.9, 0.1];

/// A budget without shortcuts and without a search beside the map.
fn only_the_map() -> Budget {
    Budget::default().shortcuts(0).max_iterations(0)
}

#[test]
fn shortest_paths_of_a_growing_map_converge_to_that_of_the_space() {
    // around the corners of the wall
    let shortest = 2.0 * f64::hypot(0.3, 0.5) + 0.2;
    let space = Square::default();
    for seed in 0..3 {
        let mut map = RoadMap::new(&space).with_seed(seed);
        let mut lengths = Vec::new();
        for samples in [150, 400, 3000] {
            let drawn = map.grow(&space, samples).unwrap();
            assert!(drawn > samples / 2 && drawn <= samples);
            let found = map.solve(&space, &START, &GOAL, &only_the_map()).unwrap();
            assert_eq!(found.iterations, 0);
            let length = length(&space, path(&found, &START, &GOAL));
            // samples of an edge may cut a corner by a little
            assert!(length > shortest * 0.995, "{length}");
            lengths.push(length);
        }
        let [first, .., last] = lengths[..] else {
            panic!()
        };
        assert!(last < shortest * 1.03 && last <= first, "{lengths:?}");
    }
}

#[test]
fn a_lazy_query_finds_the_path_of_a_map_whose_edges_were_all_checked() {
    let space = Square::default();
    let mut lazy = RoadMap::new(&space);
    lazy.grow(&space, 300).unwrap();
    let mut eager = lazy.clone();
    let checked = eager.check_edges(&space, |_| true).unwrap();
    assert_eq!(checked, eager.edges().len());
    assert_eq!(eager.check_edges(&space, |_| true).unwrap(), 0);
    let [blocked, free] = assert_states(&eager, &space);
    assert!(blocked > 50 && free > 500, "{blocked} {free}");

    space.checks.set(0);
    let mut random = crate::common::random::Random::new(3);
    let mut point = || [0.5 * random.unit() + 0.5, 0.5 * random.unit() + 0.5];
    for _ in 0..50 {
        let (a, b) = (point(), point());
        if !space.is_free(&a).unwrap() || !space.is_free(&b).unwrap() {
            continue;
        }
        let [one, other] =
            [&mut lazy, &mut eager].map(|map| map.solve(&space, &a, &b, &only_the_map()).unwrap());
        assert_eq!(one, other);
        assert!(one.path.is_some());
    }
    let [blocked, free] = assert_states(&lazy, &space);
    assert!(blocked + free < checked / 2, "{blocked} {free} {checked}");

    // the same queries need no check of an edge of the map any more
    let count = |map: &mut RoadMap| {
        space.checks.set(0);
        map.solve(&space, &START, &GOAL, &only_the_map()).unwrap();
        space.checks.get()
    };
    let [first, second] = [count(&mut lazy), count(&mut lazy)];
    assert!(second < first, "{first} {second}");
}

#[test]
fn what_a_space_of_ones_own_forgets_is_checked_again() {
    let space = Square::default();
    let mut map = RoadMap::new(&space);
    map.grow(&space, 300).unwrap();
    let open = map.solve(&space, &START, &GOAL, &only_the_map()).unwrap();
    assert!(open.path.is_some());
    space.is_closed.set(true);
    map.forget();
    assert!(
        map.edges()
            .iter()
            .all(|edge| edge.state == EdgeState::Unknown)
    );
    let closed = map.solve(&space, &START, &GOAL, &only_the_map()).unwrap();
    assert_eq!(
        (closed.path, closed.termination),
        (None, Termination::Iterations)
    );
    assert_states(&map, &space);
    space.is_closed.set(false);
    map.forget();
    assert_eq!(
        map.solve(&space, &START, &GOAL, &only_the_map()).unwrap(),
        open
    );
}

#[test]
fn an_empty_map_learns_from_searches() {
    let space = Square::default();
    let mut map = RoadMap::new(&space);
    assert!(map.is_empty());
    let budget = Budget::default();
    let first = map.solve(&space, &START, &GOAL, &budget).unwrap();
    path(&first, &START, &GOAL);
    assert!(first.iterations > 0 && map.len() > 2);
    let grown = map.len();
    let second = map.solve(&space, &START, &GOAL, &budget).unwrap();
    path(&second, &START, &GOAL);
    assert_eq!((second.iterations, map.len()), (0, grown));
    let back = map.solve(&space, &GOAL, &START, &budget).unwrap();
    path(&back, &GOAL, &START);
    assert_eq!((back.iterations, map.len()), (0, grown));
}

#[test]
fn equal_seeds_give_equal_maps_in_one_go_or_in_steps() {
    let space = Square::default();
    let grown = |seed: u64, steps: &[usize]| {
        let mut map = RoadMap::new(&space).with_seed(seed);
        for &samples in steps {
            map.grow(&space, samples).unwrap();
        }
        content(&map)
    };
    let all = grown(5, &[200]);
    assert_eq!(grown(5, &[200]), all);
    assert_eq!(grown(5, &[1, 70, 129]), all);
    assert_ne!(grown(6, &[200]), all);

    let mut map = RoadMap::new(&space).with_seed(5);
    let drawn = map
        .grow_observed(&space, 1000, |drawn| drawn < 128)
        .unwrap();
    assert_eq!(drawn, map.len());
    assert!(drawn > 64 && drawn <= 128, "{drawn}");
}

#[test]
fn a_map_of_one_square_is_none_of_another() {
    struct Larger(f64);
    impl CSpace for Larger {
        type Workspace = ();

        fn workspace(&self) {}

        fn n_dofs(&self) -> usize {
            2
        }

        fn bounds(&self) -> Vec<[f64; 2]> {
            vec![[0.0, 1.0], [0.0, self.0]]
        }

        fn is_free_with(&self, _: &[f64], (): &mut ()) -> Result<bool> {
            Ok(true)
        }
    }
    let mut map = RoadMap::new(&Square::default());
    map.grow(&Larger(1.0), 10).unwrap();
    let refused =
        "a road map: has the range [0, 1] for number 1 of a configuration, the space [0, 2]";
    assert_refused(map.grow(&Larger(2.0), 10), refused);
    let refused =
        "a road map: has the range [0, 1] for number 1 of a configuration, the space [0, inf]";
    assert_refused(map.repair(&Larger(f64::INFINITY)), refused);
    assert_eq!(map.len(), 10);
}
