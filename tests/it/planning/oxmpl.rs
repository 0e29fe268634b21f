//! Planners of the crate `oxmpl` in spaces of this crate.

use crate::common::errors::assert_refused;
use std::time::Duration;

use kinworld::planning::{
    Budget, CSpace, EdgeQuery, OxmplPlanner, OxmplProblem, OxmplState, RobotCSpace, Termination,
    plan_with, plan_with_oxmpl,
};
use kinworld::{Result, WorldModel};
use oxmpl::base::goal::{Goal, GoalRegion};
use oxmpl::base::planner::Path;
use oxmpl::base::space::StateSpace;

use super::cell;

/// Checks that a path leads from `a` to `b`, and that its edges are free at a finer resolution than that of the search.
fn assert_path(space: &RobotCSpace, path: &[Vec<f64>], a: &[f64], b: &[f64]) {
    assert_eq!((&path[0][..], &path[path.len() - 1][..]), (a, b));
    let fine = space.clone().with_resolution(1.0 / 100.0).unwrap();
    for edge in path.windows(2) {
        assert_eq!(
            fine.edge_collision(&edge[0], &edge[1], EdgeQuery::First)
                .unwrap(),
            None
        );
    }
}

/// The arm of a world, and two configurations with a disc between them.
fn blocked() -> (RobotCSpace, [f64; 6], [f64; 6]) {
    let data = crate::common::files::data("");
    let world = WorldModel::load(data.join("worlds/cell.xml"))
        .unwrap()
        .value;
    let arm = world.robot("arm").unwrap().id();
    let space = RobotCSpace::new(&world, &[arm]).unwrap();
    let a = [-1.0, 0.9, 0.9, 0.0, 0.4, 0.0];
    let b = [1.2, 0.9, 0.9, 0.0, 0.4, 0.0];
    assert!(
        space
            .edge_collision(&a, &b, EdgeQuery::Any)
            .unwrap()
            .is_some()
    );
    (space, a, b)
}

#[test]
fn their_trees_plan_for_an_arm() {
    let (space, a, b) = blocked();
    let budget = Budget::default().seed(1).shortcuts(20);
    for planner in [
        OxmplPlanner::Rrt,
        OxmplPlanner::RrtConnect,
        OxmplPlanner::RrtStar,
    ] {
        let found = plan_with(
            &space,
            &budget,
            |_| true,
            |space, left, _| plan_with_oxmpl(space, &a, &b, planner, left),
        );
        let found = found.unwrap();
        assert_eq!(found.termination, Termination::Found, "{planner:?}");
        assert_path(&space, &found.path.unwrap(), &a, &b);
    }
}

#[test]
fn equal_seeds_find_equal_paths_and_budgets_end_a_search() {
    let (space, a, b) = blocked();
    let solve = |budget: Budget| {
        let budget = budget.shortcuts(0);
        plan_with_oxmpl(&space, &a, &b, OxmplPlanner::RrtConnect, &budget).unwrap()
    };
    assert_eq!(
        solve(Budget::default().seed(3)),
        solve(Budget::default().seed(3))
    );
    let few = solve(Budget::default().max_iterations(2).range(0.05));
    assert_eq!(
        (few.path, few.termination, few.iterations),
        (None, Termination::Iterations, 2)
    );
    let none = solve(Budget::default().max_time(Duration::ZERO).range(0.05));
    assert_eq!((none.path, none.termination), (None, Termination::Time));
}

#[test]
fn ends_that_are_not_free_say_why() {
    let up = [0.0; 6];
    let into = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
    let message = |start: &[f64], goal: &[f64]| {
        let outcome = OxmplProblem::new(cell(), start, goal);
        outcome.map(|_| ()).unwrap_err().to_string()
    };
    assert!(message(&into, &up).starts_with("start: "));
    assert!(message(&up, &into).contains("`table`"));
    assert!(message(&up, &up[1..]).contains('5'));
    let range = Budget::default().range(0.0);
    assert_refused(
        plan_with_oxmpl(&cell(), &up, &up, OxmplPlanner::Rrt, &range),
        "0 is not a positive length",
    );
}

/// A square with a wall too thin for samples: only checks of edges see it, and only its upper end is open.
#[derive(Debug, Clone)]
struct ThinWall;

impl CSpace for ThinWall {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[0.0, 1.0]; 2]
    }

    fn is_free_with(&self, _: &[f64], _: &mut ()) -> Result<bool> {
        Ok(true)
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], _: &mut ()) -> Result<bool> {
        let u = (0.5 - a[0]) / (b[0] - a[0]);
        Ok(!(0.0..=1.0).contains(&u) || a[1] + u * (b[1] - a[1]) > 0.9)
    }
}

#[test]
fn an_edge_that_states_alone_cannot_refuse_is_refused_at_the_end() {
    let (a, b) = ([0.1, 0.1], [0.9, 0.1]);
    let found = plan_with_oxmpl(&ThinWall, &a, &b, OxmplPlanner::Rrt, &Budget::default());
    let found = found.unwrap();
    assert_eq!(
        (found.path, found.termination),
        (None, Termination::TooThin)
    );

    let problem = OxmplProblem::new(ThinWall, &a, &b).unwrap();
    let path =
        |waypoints: &[[f64; 2]]| Path(waypoints.iter().map(|q| OxmplState(q.to_vec())).collect());
    let error = problem.checked(&path(&[a, b])).unwrap_err().to_string();
    assert!(error.contains("edge 0"), "{error}");
    assert!(
        problem.checked(&path(&[b, a])).is_err(),
        "it begins elsewhere"
    );
    let over = [a, [0.4, 0.95], [0.6, 0.95], b];
    assert_eq!(problem.checked(&path(&over)).unwrap(), over.map(Vec::from));
}

/// The unit square with a wall that leaves a gap at the top.
#[derive(Debug, Clone)]
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
        Ok(!(0.4..0.6).contains(&q[0]) || q[1] > 0.7)
    }
}

#[test]
fn a_roadmap_has_the_goal() {
    let (a, b) = ([0.1, 0.1], [0.9, 0.1]);
    let budget = Budget::default()
        .range(0.15)
        .max_time(Duration::from_secs(2));
    let found = plan_with_oxmpl(&Square, &a, &b, OxmplPlanner::Prm, &budget).unwrap();
    let path = found.path.expect("there is a gap");
    assert_eq!((&path[0][..], &path[path.len() - 1][..]), (&a[..], &b[..]));
    for edge in path.windows(2) {
        assert!(Square.is_edge_free(&edge[0], &edge[1]).unwrap());
    }
}

#[test]
fn the_state_space_measures_as_ours_does() {
    let space = cell();
    let (a, b) = ([0.1; 6], [-0.3; 6]);
    let problem = OxmplProblem::new(space.clone(), &[0.0; 6], &[0.0; 6]).unwrap();
    let definition = problem.definition();
    let state = |q: [f64; 6]| OxmplState(q.to_vec());
    let theirs = definition.space.distance(&state(a), &state(b));
    assert_eq!(theirs, space.distance(&a, &b));
    let mut between = state(a);
    definition
        .space
        .interpolate(&state(a), &state(b), 0.25, &mut between);
    assert!(between.0.iter().all(|x| (x - 0.0).abs() < 1e-15));

    // their samples of an edge lie as far apart as ours
    let length = definition.space.get_longest_valid_segment_length();
    assert_eq!(1.0 / (length * 0.1), 1.0 / space.step());
    let mut beyond = state([9.0; 6]);
    assert!(!definition.space.satisfies_bounds(&beyond));
    definition.space.enforce_bounds(&mut beyond);
    assert!(definition.space.satisfies_bounds(&beyond));
    assert!(definition.goal.is_satisfied(&state([0.0; 6])));
    assert!(!definition.goal.is_satisfied(&state(a)));
    let far = definition.goal.distance_goal(&state(a)) - 0.1 * 6.0_f64.sqrt();
    assert!(far.abs() < 1e-5, "{far}");
}
