//! Searches for shorter paths: against the shortest path of a space where it is known.

use kinworld::Result;
use kinworld::WorldModel;
use kinworld::planning::{
    Budget, CSpace, EdgeQuery, RobotCSpace, RrtConnect, Termination, plan_to_any,
};

use crate::common::files::data;

/// The unit square with a wall that leaves a gap at the top.
struct Square;

impl CSpace for Square {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[0.0, 1.0]; 2]
    }

    fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
        Ok(!(0.4..0.6).contains(&q[0]) || q[1] > 0.9)
    }

    fn step(&self) -> f64 {
        1.0 / 512.0
    }
}

const START: [f64; 2] = [0.1, 0.1];
const FAR: [f64; 2] = [0.95, 0.05];
const NEAR: [f64; 2] = [0.61, 0.3];

fn length(space: &impl CSpace, path: &[Vec<f64>]) -> f64 {
    let lengths = path
        .windows(2)
        .map(|edge| space.distance(&edge[0], &edge[1]));
    lengths.sum()
}

/// The shortest path around both corners of the wall.
fn shortest(goal: [f64; 2]) -> f64 {
    let corners = [START, [0.4, 0.9], [0.6, 0.9], goal].map(|q| q.to_vec());
    length(&Square, &corners)
}

#[test]
fn paths_converge_to_the_shortest_and_never_get_longer() {
    for seed in 0..4 {
        let mut before = f64::INFINITY;
        for samples in [0, 300, 3_000, 30_000] {
            let budget = Budget::default().seed(seed).range(0.2).improve(samples);
            let plan = RrtConnect::new(&budget)
                .solve(&Square, &START, &FAR)
                .unwrap();
            let path = plan.path.unwrap();
            assert_eq!([&path[0][..], path.last().unwrap()], [START, FAR]);
            for edge in path.windows(2) {
                assert!(Square.is_edge_free(&edge[0], &edge[1]).unwrap());
            }
            let length = length(&Square, &path);
            // samples of an edge may miss a corner by a step
            assert!(
                length >= shortest(FAR) - 0.01 && length <= before,
                "{length} {before}"
            );
            before = length;
        }
        assert!(before < 1.02 * shortest(FAR), "{before}");
    }
}

#[test]
fn of_several_goals_the_nearest_is_reached() {
    // of twenty seeds, and of others whose first path leads elsewhere
    let mut elsewhere = 0;
    for seed in 0..400 {
        let budget = Budget::default().seed(seed).range(0.2);
        let to_either = |budget: &Budget| {
            let planner = RrtConnect::new(budget);
            planner
                .solve_any(&Square, &START, &[FAR, NEAR], |_| true)
                .unwrap()
        };
        let is_elsewhere = to_either(&budget).goal == Some(0);
        if seed >= 20 && !is_elsewhere {
            continue;
        }
        elsewhere += usize::from(is_elsewhere);
        let plan = to_either(&budget.improve(5_000));
        assert_eq!(plan.goal, Some(1), "seed {seed}");
        let path = plan.path.unwrap();
        assert_eq!(path.last().unwrap()[..], NEAR);
        assert!(length(&Square, &path) < 1.05 * shortest(NEAR));
    }
    assert!(
        elsewhere > 0,
        "the first path always led to the nearest goal"
    );
}

#[test]
fn an_observer_ends_it_and_the_path_stays() {
    let budget = Budget::default().range(0.2).improve(usize::MAX);
    let mut calls = 0;
    let plan = RrtConnect::new(&budget).solve_observed(&Square, &START, &FAR, |_| {
        calls += 1;
        calls < 5_000
    });
    let plan = plan.unwrap();
    assert_eq!((plan.termination, calls), (Termination::Found, 5_000));
    let again = RrtConnect::new(&budget).solve_observed(&Square, &START, &FAR, |_| {
        calls += 1;
        calls < 10_000
    });
    assert_eq!(plan.path, again.unwrap().path);
    // nothing is shorter than the straight line, so that there is no search
    let direct = RrtConnect::new(&budget)
        .solve(&Square, &START, &[0.1, 0.9])
        .unwrap();
    assert_eq!(direct.iterations, 0);
}

#[test]
fn shorter_paths_of_a_robot_pass_the_finer_check() {
    let world = WorldModel::load(data("worlds/cell.xml")).unwrap().value;
    let arm = world.robot("arm").unwrap();
    let space = RobotCSpace::new(&world, &[arm.id()]).unwrap();
    let start = space.current();
    let mut random = kinworld::batch::sample(arm.model(), 3, 1.0, 60);
    let goals: Vec<Vec<f64>> = random
        .chunks_exact_mut(6)
        .map(|q| q.to_vec())
        .filter(|q| space.is_free(q).unwrap())
        .take(6)
        .collect();
    let finer = space
        .clone()
        .with_resolution(space.resolution() / 10.0)
        .unwrap();
    let mut shortened = 0;
    for seed in 0..4 {
        let budget = Budget::default().seed(seed);
        let plan = |budget: &Budget| plan_to_any(&space, &start, &goals, budget, |_| true).unwrap();
        let (first, plan) = (plan(&budget), plan(&budget.improve(400)));
        let path = plan.path.unwrap();
        assert_eq!(path.last(), Some(&goals[plan.goal.unwrap()]));
        let (before, after) = (length(&space, &first.path.unwrap()), length(&space, &path));
        assert!(after <= before);
        shortened += usize::from(after < 0.999 * before);
        for edge in path.windows(2) {
            let blocked = finer.edge_collision(&edge[0], &edge[1], EdgeQuery::Any);
            assert!(blocked.unwrap().is_none());
        }
    }
    assert!(shortened > 0, "no path got shorter");
}

#[test]
fn of_several_starts_the_nearest_is_taken() {
    let blocked = [0.5, 0.1];
    let starts = [blocked, FAR, [0.3, 0.8]];
    let solve = |budget: &Budget, starts: &[[f64; 2]]| {
        let planner = RrtConnect::new(budget);
        planner.solve_drawn(&Square, starts, &[[0.7, 0.2], NEAR], || Ok(None), |_| true)
    };
    let budget = Budget::default().range(0.2);
    // without an obstacle between them
    let first = solve(&budget, &starts).unwrap();
    assert_eq!(
        (first.start, first.goal, first.iterations),
        (Some(1), Some(0), 0)
    );
    let starts = [blocked, START, [0.3, 0.8]];
    let plan = solve(&budget.improve(5_000), &starts).unwrap();
    assert_eq!((plan.start, plan.goal), (Some(2), Some(1)));
    let path = plan.path.unwrap();
    let ends = [path[0].clone(), path[path.len() - 1].clone()];
    assert_eq!(ends, [starts[2].to_vec(), NEAR.to_vec()]);
    let refused = solve(&budget, &[blocked]).unwrap_err().to_string();
    assert!(refused.contains("start: is not free"), "{refused}");
    let none = solve(&budget, &[]).unwrap_err().to_string();
    assert!(
        none.contains("the starts of a search: there are none"),
        "{none}"
    );
}
