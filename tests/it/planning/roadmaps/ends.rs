//! Starts, goals and budgets of queries.

use std::time::Duration;

use kinworld::Error;
use kinworld::planning::{Budget, CSpace, RoadMap, RobotCSpace, Termination, plan_to_any};

use super::{length, path};
use crate::common::errors::assert_refused;
use crate::planning::{cell, random, random_free, space};

#[test]
fn of_several_ends_those_of_the_shortest_path_are_taken() {
    let space = cell();
    let mut map = RoadMap::new(&space);
    map.grow(&space, 60).unwrap();
    let starts = [0, 1].map(|seed| random_free(&space, seed));
    let goals = [10, 11].map(|seed| random_free(&space, seed));
    let budget = Budget::default().shortcuts(0);
    let best = map
        .plan_any(&space, &starts, &goals, &budget, |_| true)
        .unwrap();
    let mut lengths = Vec::new();
    for (i, start) in starts.iter().enumerate() {
        for (j, goal) in goals.iter().enumerate() {
            let one = map.plan(&space, start, goal, &budget).unwrap();
            lengths.push((length(&space, path(&one, start, goal)), Some(i), Some(j)));
        }
    }
    lengths.sort_by(|a, b| a.0.total_cmp(&b.0));
    let found = length(&space, best.path.as_deref().unwrap());
    assert_eq!((found, best.start, best.goal), lengths[0]);

    // an end that is not free is left out
    let mut drawn = (0..).map(|seed| random(&space, seed));
    let down = drawn.find(|q| !space.is_free(q).unwrap());
    let down = down.expect("some are not free");
    let goals = [down.clone(), goals[1].clone()];
    let found = map
        .plan_any(&space, &starts, &goals, &budget, |_| true)
        .unwrap();
    assert_eq!(found.goal, Some(1));
    let other = plan_to_any(&space, &starts[0], &[&down], &budget, |_| true).unwrap_err();
    let ours = map.plan(&space, &starts[0], &down, &budget).unwrap_err();
    assert_eq!(ours.to_string(), other.to_string());
    assert_eq!(
        map.solve(&space, &starts[0], &down, &budget)
            .unwrap_err()
            .to_string(),
        other.to_string()
    );
}

#[test]
fn what_is_no_query_is_refused() {
    let space = cell();
    let mut map = RoadMap::new(&space);
    let q = random_free(&space, 1);
    let budget = Budget::default();
    let none: [&[f64]; 0] = [];
    assert_refused(
        map.plan_any(&space, &none, &[&q], &budget, |_| true),
        "the starts of a search: there are none",
    );
    let short = map.plan(&space, &q[1..], &q, &budget);
    assert!(matches!(
        short,
        Err(Error::Length {
            expected: 6,
            found: 5,
            ..
        })
    ));
    let mut bad = q.clone();
    bad[2] = f64::NAN;
    assert_refused(map.plan(&space, &q, &bad, &budget), "goal: [2] is NaN");

    let snake = self::space(&["robots/planar3R.rob"]);
    assert_refused(
        map.grow(&snake, 1),
        "a road map: is of 6 degrees of freedom of `arm6`, not of 3",
    );
    let renamed = {
        let mut world = space.world().clone();
        let id = world.robots().next().unwrap().id();
        let mut builder = kinworld::RobotBuilder::from(&**world.robot(id).unwrap().model());
        builder.name = "other".to_owned();
        world.replace_robot(id, builder.build().unwrap()).unwrap();
        RobotCSpace::new(&world, &[id]).unwrap()
    };
    assert_refused(
        map.plan(&renamed, &q, &q, &budget),
        "a road map: is of `arm6`, not of `other`",
    );
    assert!(map.is_empty());
    let same = map.plan(&space, &q, &q, &budget).unwrap();
    assert_eq!(path(&same, &q, &q).len(), 2);
}

#[test]
fn queries_end_by_samples_by_time_and_by_the_observer() {
    let space = cell();
    let mut map = RoadMap::new(&space);
    let (a, b) = {
        let is_direct = |(a, b): &(Vec<f64>, Vec<f64>)| space.is_edge_free(a, b).unwrap();
        let mut pairs = (0..50).map(|i| (random_free(&space, i), random_free(&space, 90 + i)));
        pairs
            .find(|pair| !is_direct(pair))
            .expect("one is not direct")
    };
    let budget = Budget::default();
    let few = map.plan(&space, &a, &b, &budget.max_iterations(0)).unwrap();
    assert_eq!((few.path, few.termination), (None, Termination::Iterations));
    let late = map
        .plan(&space, &a, &b, &budget.max_time(Duration::ZERO))
        .unwrap();
    assert_eq!((late.path, late.termination), (None, Termination::Time));
    let ended = map
        .plan_any(&space, &[&a], &[&b], &budget, |_| false)
        .unwrap();
    assert_eq!(
        (ended.path, ended.termination),
        (None, Termination::Cancelled)
    );
    assert!(map.is_empty());

    let found = map.solve(&space, &a, &b, &budget.improve(20)).unwrap();
    assert!(found.iterations >= 20);
    path(&found, &a, &b);
}
