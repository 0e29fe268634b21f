//! Second tries of steps that are blocked.

use std::cell::RefCell;

use kinworld::Result;
use kinworld::planning::{Budget, CSpace, RrtConnect, Termination};

const RANGE: f64 = 2.0;
const START: [f64; 2] = [1.0, 5.0];
const GOAL: [f64; 2] = [9.0, 5.0];

/// A square whose halves a wall separates, with the edges that were asked for and where they are blocked.
#[derive(Default)]
struct Walled {
    asked: RefCell<Vec<[[f64; 2]; 2]>>,
    /// Whether it says no more than that an edge is blocked.
    is_terse: bool,
}

impl CSpace for Walled {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[0.0, 10.0]; 2]
    }

    fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
        Ok((q[0] - 5.0).abs() > 0.2)
    }

    fn edge_blocked_at_with(&self, a: &[f64], b: &[f64], ws: &mut ()) -> Result<Option<f64>> {
        self.asked.borrow_mut().push([a, b].map(|q| [q[0], q[1]]));
        let is_free = self.is_edge_free_with(a, b, ws)?;
        let wall = if a[0] < 5.0 { 4.8 } else { 5.2 };
        let at = if self.is_terse {
            1.0
        } else {
            (wall - a[0]) / (b[0] - a[0])
        };
        Ok((!is_free).then_some(at))
    }
}

fn length([a, b]: &[[f64; 2]; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// The edges that were asked for, each with where it is blocked and the share of it that the next one has, where that leads from
/// the same point in the same direction.
fn second_tries(space: &Walled) -> Vec<(f64, Option<f64>, f64)> {
    let asked = space.asked.take();
    let pairs = asked.windows(2).map(|pair| {
        let [[from, to], next] = [pair[0], pair[1]];
        let at = space.edge_blocked_at(&from, &to).unwrap();
        let share = length(&next) / length(&pair[0]);
        let there = [0, 1].map(|k| from[k] + share * (to[k] - from[k]));
        let is_part = share < 1.0 && next[0] == from && length(&[there, next[1]]) < 1e-9;
        (length(&pair[0]), at, if is_part { share } else { 0.0 })
    });
    pairs.collect()
}

#[test]
fn a_blocked_step_is_tried_again_before_where_it_is_blocked() {
    for is_terse in [false, true] {
        let space = Walled {
            is_terse,
            ..Walled::default()
        };
        let (mut again, mut shortest) = (0, RANGE);
        for seed in 0..40 {
            let budget = Budget::default().range(RANGE).max_iterations(200);
            let planner = RrtConnect::new(&budget.seed(seed));
            let plan = planner.solve(&space, &START, &GOAL).unwrap();
            assert_eq!(plan.termination, Termination::Iterations);
            for (length, at, share) in second_tries(&space) {
                if share == 0.0 {
                    continue;
                }
                let at = at.expect("a step that is free needs no second try");
                assert!((share - 0.7 * at).abs() < 1e-9, "{share} {at}");
                shortest = shortest.min(share * length);
                again += 1;
            }
        }
        assert!(again > 100, "{again}");
        assert!(
            (0.25 * RANGE..0.3 * RANGE).contains(&shortest),
            "{shortest}"
        );
    }
}

/// A space that says nothing about where its edges are blocked.
#[test]
fn without_a_position_all_of_the_edge_is_blocked() {
    struct Plain;
    impl CSpace for Plain {
        type Workspace = ();

        fn workspace(&self) {}

        fn n_dofs(&self) -> usize {
            1
        }

        fn bounds(&self) -> Vec<[f64; 2]> {
            vec![[0.0, 1.0]]
        }

        fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
            Ok(q[0] < 0.5)
        }
    }
    assert_eq!(Plain.edge_blocked_at(&[0.0], &[1.0]).unwrap(), Some(1.0));
    assert_eq!(Plain.edge_blocked_at(&[0.0], &[0.4]).unwrap(), None);
}
