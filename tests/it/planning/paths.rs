//! Paths that a planner finds.

use crate::common::errors::assert_refused;
use std::time::Duration;

use kinworld::planning::{
    Budget, CSpace, EdgeQuery, EmbeddedSpace, Plan, RoadMap, RobotCSpace, RrtConnect, Termination,
    plan, plan_with,
};

use kinworld::geometry::Primitive;
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::Terrain;
use kinworld::{Result, Vector, WorldModel};

use super::{cell, random_free};

/// Checks that a path leads from `a` to `b`, and that its edges are free at a finer resolution than that of the search.
fn assert_path(space: &RobotCSpace, found: &Plan, a: &[f64], b: &[f64]) {
    assert_eq!(found.termination, Termination::Found);
    let path = found.path.as_ref().unwrap();
    assert_eq!(
        (path[0].as_slice(), path[path.len() - 1].as_slice()),
        (a, b)
    );
    let fine = space.clone().with_resolution(1.0 / 200.0).unwrap();
    for edge in path.windows(2) {
        assert_eq!(
            fine.edge_collision(&edge[0], &edge[1], EdgeQuery::First)
                .unwrap(),
            None
        );
    }
}

#[test]
fn an_arm_finds_paths_around_what_stands_on_the_table() {
    let space = cell();
    let mut around = 0;
    for seed in 0..8 {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 100));
        let found = plan(&space, &a, &b, &Budget::default().seed(seed)).unwrap();
        assert_path(&space, &found, &a, &b);
        around += usize::from(found.path.unwrap().len() > 2);
    }
    assert!(around > 0, "some paths are not straight");
}

#[test]
fn ends_a_little_beyond_limits_are_taken_at_them_on_request() {
    let space = cell();
    let bounds = space.bounds();
    let inside = random_free(&space, 3);
    let at_limit = |k: usize| {
        let mut q = inside.clone();
        q[k] = bounds[k][1];
        q
    };
    let is_free = |k: &usize| space.is_free(&at_limit(*k)).unwrap();
    let k = (0..inside.len()).find(is_free).expect("a free limit");
    let mut beyond = at_limit(k);
    beyond[k] += 1e-4;
    let refused = |budget: &Budget| plan(&space, &beyond, &inside, budget);
    let strict = [Budget::default(), Budget::default().end_tolerance(9e-5)];
    for budget in &strict {
        let message = refused(budget).unwrap_err().to_string();
        assert!(message.contains("start"), "{message}");
        assert!(message.contains("joint `"), "{message}");
        assert!(message.contains("outside of"), "{message}");
    }
    let budget = Budget::default().end_tolerance(2e-4);
    let found = plan(&space, &beyond, &inside, &budget).unwrap();
    assert_path(&space, &found, &at_limit(k), &inside);
    let back = plan(&space, &inside, &beyond, &budget).unwrap();
    assert_path(&space, &back, &inside, &at_limit(k));
    assert_eq!(back.goal, Some(0));
}

#[test]
fn equal_seeds_find_equal_paths_and_others_others() {
    let space = cell();
    let blocked = (0..50).find_map(|seed| {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 200));
        space
            .edge_collision(&a, &b, EdgeQuery::Any)
            .unwrap()
            .map(|_| (a, b))
    });
    let (a, b) = blocked.expect("some edge is blocked");
    let path = |seed| {
        let budget = Budget::default().seed(seed).shortcuts(0);
        plan(&space, &a, &b, &budget).unwrap().path.unwrap()
    };
    assert_eq!(path(5), path(5));
    assert_ne!(path(5), path(6));
}

#[test]
fn what_shortcuts_join_is_free_at_any_resolution() {
    let space = cell();
    let fine = space.clone().with_resolution(3e-4).unwrap();
    for seed in 0..6 {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 300));
        let found = plan(&space, &a, &b, &Budget::default().seed(seed)).unwrap();
        for edge in found.path.unwrap().windows(2) {
            assert!(fine.is_edge_free(&edge[0], &edge[1]).unwrap());
        }
    }
}

#[test]
fn shortcuts_make_paths_shorter() {
    let space = cell();
    let length = |space: &RobotCSpace, path: &[Vec<f64>]| -> f64 {
        path.windows(2).map(|e| space.distance(&e[0], &e[1])).sum()
    };
    let (mut with, mut without) = (0.0, 0.0);
    for seed in 0..6 {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 300));
        let budget = Budget::default().seed(seed);
        let short = plan(&space, &a, &b, &budget).unwrap().path.unwrap();
        let long = plan(&space, &a, &b, &budget.shortcuts(0))
            .unwrap()
            .path
            .unwrap();
        with += length(&space, &short);
        without += length(&space, &long);
    }
    assert!(with <= without, "{with} {without}");
}

#[test]
fn ends_that_are_not_free_say_why() {
    let space = cell();
    let up = [0.0; 6];
    let into = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
    let error = plan(&space, &into, &up, &Budget::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("start: ") && error.contains("`table`"),
        "{error}"
    );
    let error = plan(&space, &up, &into, &Budget::default())
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("goal: ") && error.contains("collide"),
        "{error}"
    );
    let error = plan(&space, &up[1..], &up, &Budget::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains('6') && error.contains('5'), "{error}");
    assert_refused(
        plan(&space, &up, &[f64::NAN; 6], &Budget::default()),
        "goal: [0] is NaN",
    );
    assert_refused(
        plan(&space, &up, &up, &Budget::default().range(0.0)),
        "0 is not a positive length",
    );
}

/// Two halves of a square that nothing joins.
struct Halves;

impl CSpace for Halves {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        2
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[0.0, 1.0]; 2]
    }

    fn is_free_with(&self, q: &[f64], _: &mut ()) -> Result<bool> {
        Ok(!(0.45..0.55).contains(&q[0]))
    }
}

#[test]
fn a_search_without_a_path_ends_and_says_why() {
    let solve = |budget: Budget| {
        let planner = RrtConnect::new(&budget);
        planner.solve(&Halves, &[0.1, 0.5], &[0.9, 0.5]).unwrap()
    };
    let found = solve(Budget::default().max_iterations(300));
    assert_eq!(
        (found.path, found.termination, found.iterations),
        (None, Termination::Iterations, 300)
    );
    let found = solve(Budget::default().max_time(Duration::ZERO));
    assert_eq!((found.path, found.termination), (None, Termination::Time));

    let planner = RrtConnect::new(&Budget::default());
    let observed = planner.solve_observed(&Halves, &[0.1, 0.5], &[0.9, 0.5], |n| n < 10);
    let found = observed.unwrap();
    assert_eq!(
        (found.termination, found.iterations),
        (Termination::Cancelled, 10)
    );
}

/// A line without bounds.
struct Line;

impl CSpace for Line {
    type Workspace = ();

    fn workspace(&self) {}

    fn n_dofs(&self) -> usize {
        1
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        vec![[f64::NEG_INFINITY, f64::INFINITY]]
    }

    fn is_free_with(&self, _: &[f64], _: &mut ()) -> Result<bool> {
        Ok(true)
    }
}

#[test]
fn edges_and_ranges_that_take_too_many_steps_are_refused() {
    assert!(Line.is_edge_free(&[0.0], &[1.0]).unwrap());
    let error = Line.is_edge_free(&[-1e300], &[1e300]).unwrap_err();
    assert!(
        error.to_string().contains("choose a longer step"),
        "{error}"
    );
    let solve = |range: f64, goal: f64| {
        let budget = Budget::default().range(range);
        RrtConnect::new(&budget).solve(&Line, &[0.0], &[goal])
    };
    let error = solve(1e-12, 1.0).unwrap_err().to_string();
    assert!(error.contains("choose a longer one"), "{error}");
    assert_refused(
        solve(1.0, 1e300),
        "makes inf steps from the start to the goal",
    );
    assert_eq!(solve(1.0, 2.0).unwrap().termination, Termination::Found);
}

#[test]
fn an_embedded_space_keeps_the_other_dofs_at_their_reference() {
    let space = cell();
    let reference = space.current();
    let wrist = EmbeddedSpace::new(space, reference.clone(), vec![3, 4, 5]).unwrap();
    let found = RrtConnect::new(&Budget::default())
        .solve(&wrist, &[0.0; 3], &[0.5, -0.5, 1.0])
        .unwrap();
    for q in found.path.unwrap() {
        assert_eq!(wrist.lift(&q)[..3], reference[..3]);
    }

    // many at once as one by one, some of them beyond the limits
    let sweep = EmbeddedSpace::new(cell(), reference.clone(), vec![1, 2]).unwrap();
    let block: Vec<f64> = (0..60).map(|i| f64::from(i * i % 17) * 0.2 - 1.0).collect();
    let mut free = vec![false; 30];
    sweep.are_free(&block, &mut free).unwrap();
    let one_by_one: Vec<bool> = block.chunks(2).map(|q| sweep.is_free(q).unwrap()).collect();
    assert_eq!(free, one_by_one);
    assert!(free.contains(&true) && free.contains(&false));
    let ambient = cell();
    assert_refused(
        EmbeddedSpace::new(ambient.clone(), reference.clone(), vec![6]),
        "active dof 6: is beyond the space",
    );
    assert_refused(
        EmbeddedSpace::new(ambient.clone(), reference.clone(), vec![1, 1]),
        "active dof 1: is named twice",
    );
    assert_refused(
        EmbeddedSpace::new(ambient, reference[1..].to_vec(), vec![1]),
        "needs 6 values, got 5",
    );
}

#[test]
fn samples_near_a_center_are_near_it() {
    let space = cell();
    let center = space.current();
    let mut x = 0.3;
    let mut uniform = || {
        x = (x * 997.0 + 0.123_456_7) % 1.0;
        x
    };
    let mut q = center.clone();
    let mut farthest = 0.0_f64;
    for _ in 0..100 {
        space.sample_near_into(&center, 0.2, &mut uniform, &mut q);
        farthest = farthest.max(space.distance(&center, &q));
    }
    assert!((0.1..=0.2 + 1e-12).contains(&farthest), "{farthest}");
}

#[test]
fn a_wall_between_two_samples_is_seen_by_the_proof() {
    let block = |low: [f64; 3], high: [f64; 3]| Primitive::aabb(low.into(), high.into()).unwrap();
    let mut gantry = RobotBuilder::new("gantry");
    let mut below = None;
    for axis in [Vector::x(), Vector::y()] {
        let mut link = LinkSpec::new(format!("along{axis:?}"), below, LinkMotion::Prismatic(axis));
        (link.limits.q_min, link.limits.q_max) = (-1.0, 1.0);
        below = Some(gantry.add_link(link));
    }
    let tool = block([-2e-4; 3], [2e-4; 3]);
    gantry.links[1].collision.push(Element::new(tool.into()));
    let mut world = WorldModel::new();
    let id = world.add_robot(gantry.build().unwrap());
    // in the middle between two samples of the straight line at a quarter of the resolution
    let x = 0.5 / 128.0;
    let wall = block([x - 1.3e-3, -0.3, -0.1], [x + 1.3e-3, 0.4, 0.1]);
    world
        .add_terrain(Terrain::new("wall", Some(wall.into())))
        .unwrap();
    let space = RobotCSpace::new(&world, &[id]).unwrap();
    let (a, b) = ([-0.5, 0.0], [0.5, 0.0]);
    assert!(space.is_edge_free_in_steps(&a, &b, 128).unwrap());
    assert!(!space.is_edge_free_in_steps(&a, &b, 128 * 64).unwrap());
    let quick = space.clone().with_sphere_prefilter(4).unwrap();
    for space in [&space, &quick] {
        for shortcuts in [0, 200] {
            let budget = Budget::default().shortcuts(shortcuts);
            let found = plan(space, &a, &b, &budget).unwrap();
            let mut map = RoadMap::new(space);
            let of_map = map.plan(space, &a, &b, &budget).unwrap();
            assert!(of_map.iterations <= budget.max_iterations);
            for found in [found, of_map] {
                let path = found.path.unwrap();
                assert!(path.len() > 2);
                for edge in path.windows(2) {
                    let steps = 100_000;
                    assert!(
                        space
                            .is_edge_free_in_steps(&edge[0], &edge[1], steps)
                            .unwrap()
                    );
                }
            }
        }
    }
}

#[test]
fn paths_of_other_planners_are_proved_and_made_shorter_or_refused() {
    let space = cell();
    let budget = Budget::default();
    let bent = (0..8).find_map(|seed| {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 100));
        let path = plan(&space, &a, &b, &budget.shortcuts(0)).unwrap().path?;
        (path.len() > 2).then_some((a, b, path))
    });
    let (a, b, own) = bent.expect("some paths are not straight");
    let with = |path: &[Vec<f64>], budget: &Budget| {
        let found = |_: &RobotCSpace, _: &Budget, _: &mut dyn FnMut(usize) -> bool| {
            Ok(Plan::new(Some(path.to_vec()), Termination::Found, 7))
        };
        plan_with(&space, budget, |_| true, found)
    };
    assert_path(&space, &with(&own, &budget).unwrap(), &a, &b);

    // nothing is left of what collides, or of a line through it
    let into = vec![0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
    assert!(!space.is_free(&into).unwrap());
    for path in [vec![into.clone()], vec![a.clone(), into.clone(), a.clone()]] {
        let found = with(&path, &budget.shortcuts(0)).unwrap();
        assert_eq!(
            (found.path, found.termination),
            (None, Termination::TooThin)
        );
    }
    // but a shortcut may go around it
    let found = with(&[a.clone(), into, a.clone()], &budget).unwrap();
    assert_eq!(found.path, Some(vec![a.clone(), a.clone()]));
    let found = with(std::slice::from_ref(&a), &budget).unwrap();
    assert_path(&space, &found, &a, &a);

    let short = vec![a.clone(), a[1..].to_vec(), b.clone()];
    let mut nan = vec![a.clone(), a, b];
    nan[1][2] = f64::NAN;
    assert_refused(with(&short, &budget), "5");
    assert_refused(with(&nan, &budget), "NaN");
    assert_refused(with(&[], &budget), "no waypoints");
}
