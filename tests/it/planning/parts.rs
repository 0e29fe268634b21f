//! Parts of steps that are blocked.

use kinworld::Result;
use kinworld::planning::{Budget, CSpace, RrtConnect, Termination};

use std::cell::RefCell;

const RANGE: f64 = 2.0;
const START: [f64; 2] = [1.0, 5.0];
const GOAL: [f64; 2] = [9.0, 5.0];

/// A square whose halves a wall separates, with the edges whose parts were asked for.
#[derive(Default)]
struct Walled {
    asked: RefCell<Vec<Asked>>,
}

struct Asked {
    length: f64,
    shares: Vec<f64>,
    free: f64,
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

    fn free_share_with(&self, a: &[f64], b: &[f64], shares: &[f64], ws: &mut ()) -> Result<f64> {
        // the default of the trait, by another road
        let wall = if a[0] < 5.0 { 4.8 } else { 5.2 };
        let passes = |x: f64| (x - wall) * (a[0] - wall) <= 0.0;
        let mut free = 1.0;
        if passes(b[0]) {
            let parts = shares.iter().copied();
            let mut parts = parts.filter(|share| !passes(a[0] + share * (b[0] - a[0])));
            free = parts.next().unwrap_or(0.0);
        }
        let length = self.distance(a, b);
        let shares = shares.to_vec();
        let all = Plain.free_share_with(a, b, &shares, ws)?;
        assert!((free - all).abs() < 1e-12, "{free} {all}");
        self.asked.borrow_mut().push(Asked {
            length,
            shares,
            free,
        });
        Ok(free)
    }
}

/// The same without an answer of its own about parts.
struct Plain;

impl CSpace for Plain {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        Walled::default().bounds()
    }

    fn is_free_with(&self, q: &[f64], ws: &mut ()) -> Result<bool> {
        Walled::default().is_free_with(q, ws)
    }
}

#[test]
fn of_a_blocked_step_a_part_is_taken() {
    let space = Walled::default();
    let (mut parts, mut shortest, mut whole) = (0, RANGE, 0);
    for seed in 0..40 {
        let budget = Budget::default().range(RANGE).max_iterations(200);
        let planner = RrtConnect::new(&budget.seed(seed));
        let plan = planner.solve(&space, &START, &GOAL).unwrap();
        assert_eq!(plan.termination, Termination::Iterations);
        for asked in space.asked.take() {
            assert!(asked.length < RANGE * (1.0 + 1e-9));
            // steps towards the other tree are taken whole
            whole += usize::from(asked.shares.is_empty() && asked.length > 1.0);
            let all = [0.7, 0.4];
            let least = 0.25 * RANGE / asked.length;
            let long = all.into_iter().filter(|share| *share >= least);
            if !asked.shares.is_empty() {
                assert_eq!(asked.shares, long.collect::<Vec<f64>>());
            }
            if asked.free > 0.0 && asked.free < 1.0 {
                shortest = shortest.min(asked.free * asked.length);
                parts += 1;
            }
        }
        let second = planner.solve(&Plain, &START, &GOAL).unwrap();
        assert_eq!(second.iterations, plan.iterations);
    }
    assert!(parts > 100 && whole > 10, "{parts} {whole}");
    let [least, most] = [0.25 * RANGE, 0.3 * RANGE];
    assert!(shortest >= least && shortest < most, "{shortest}");
}

/// A new point at the end of a part is one of the tree.
#[test]
fn paths_lead_over_ends_of_parts() {
    /// The unit square with a door at the top of a wall.
    struct Door;
    impl CSpace for Door {
        type Workspace = ();

        fn workspace(&self) {}

        fn n_dofs(&self) -> usize {
            2
        }

        fn bounds(&self) -> Vec<[f64; 2]> {
            vec![[0.0, 10.0]; 2]
        }

        fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
            Ok((q[0] - 5.0).abs() > 0.2 || q[1] > 9.0)
        }
    }
    let mut shorter = 0;
    for seed in 0..30 {
        let budget = Budget::default().range(4.0).seed(seed).shortcuts(0);
        let plan = RrtConnect::new(&budget).solve(&Door, &START, &GOAL);
        let path = plan.unwrap().path.expect("there is a door");
        for edge in path.windows(2) {
            assert!(Door.is_edge_free(&edge[0], &edge[1]).unwrap());
            let share = Door.distance(&edge[0], &edge[1]) / 4.0;
            shorter += usize::from([0.7, 0.4].iter().any(|part| (share - part).abs() < 1e-9));
        }
    }
    assert!(shorter > 3, "{shorter}");
}
