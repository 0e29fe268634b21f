//! Configurations, and samples of edges.

use kinworld::planning::{CSpace, EdgeQuery, Obstacle, RobotCSpace};
use kinworld::world::{PairFilter, WorldCollider};
use kinworld::{EntityId, Error, kinematics};

use super::{cell, random, space};

#[test]
fn a_free_configuration_is_one_that_the_collider_calls_free() {
    let space = cell();
    let collider = WorldCollider::new(space.world(), &PairFilter::default()).unwrap();
    let arm = space.world().robots().next().unwrap().id();
    let mut ws = collider.workspace();
    let mut free = 0;
    for seed in 0..300 {
        let q = random(&space, seed);
        ws.set_config(arm, &q).unwrap();
        let hit = collider.robot_collision_with(arm, &mut ws).unwrap();
        let obstacle = space.obstacle(&q).unwrap();
        assert_eq!(obstacle.and_then(|o| o.pair()), hit);
        assert_eq!(space.is_free(&q).unwrap(), hit.is_none());
        free += usize::from(hit.is_none());
    }
    assert!((10..290).contains(&free), "both kinds occur: {free}");
}

#[test]
fn limits_come_before_collisions_and_are_named() {
    let space = cell();
    let mut q = space.current();
    let [_, high] = space.bounds()[1];
    q[1] = high + 0.1;
    let obstacle = space.obstacle(&q).unwrap().unwrap();
    assert!(matches!(obstacle, Obstacle::Limit { dof, .. } if dof.index() == 1));
    let text = obstacle.display(space.world()).to_string();
    assert!(
        text.starts_with("joint `")
            && text.contains("` of `arm6` is at ")
            && text.contains("outside of"),
        "{text}"
    );
}

#[test]
fn a_collision_is_displayed_with_names() {
    let space = cell();
    let obstacle = space
        .obstacle(&[0.0, 1.6, 0.0, 0.0, 0.0, 0.0])
        .unwrap()
        .unwrap();
    let text = obstacle.display(space.world()).to_string();
    assert!(
        text.contains("`table`") && text.contains("`arm6["),
        "{text}"
    );
}

#[test]
fn samples_are_those_of_each_robot_in_turn() {
    let both = space(&["robots/arm6.urdf", "robots/planar3R.rob"]);
    let ids: Vec<_> = both.world().robots().map(|robot| robot.id()).collect();
    let both = RobotCSpace::new(both.world(), &ids).unwrap();
    for space in [cell(), both] {
        let [mut ours, mut theirs] = [0.3, 0.3].map(|mut x: f64| {
            move || {
                x = (x + 0.618_034) % 1.0;
                x
            }
        });
        let mut q = vec![0.0; space.n_dofs()];
        for _ in 0..20 {
            space.sample_into(&mut ours, &mut q);
            let each = space.world().robots().map(|robot| robot.model().clone());
            let each: Vec<f64> = each
                .flat_map(|robot| kinematics::sample_with(&robot, 1.0, &mut theirs))
                .collect();
            assert_eq!(q, each);
        }
    }
}

#[test]
fn what_a_driver_couples_stays_where_it_has_it() {
    let space = space(&["robots/gripper.rob"]);
    let robot = space.world().robots().next().unwrap();
    let n = robot.model().n_dofs();
    let driver = robot
        .model()
        .drivers()
        .iter()
        .position(|d| d.kind.links().len() > 1)
        .unwrap();
    let links = robot.model().drivers()[driver].kind.links().to_vec();
    let dofs: Vec<usize> = links
        .iter()
        .map(|&link| robot.model().link(link).dof().unwrap().index())
        .collect();

    // samples obey it
    let mut x = 0.1;
    let mut uniform = || {
        x = (x + 0.618_034) % 1.0;
        x
    };
    let mut q = vec![0.0; n];
    for _ in 0..20 {
        space.sample_into(&mut uniform, &mut q);
        let found = space.obstacle(&q).unwrap();
        assert!(
            !matches!(
                found,
                Some(Obstacle::Driver { .. } | Obstacle::Limit { .. })
            ),
            "{found:?}"
        );
    }

    // and one of them alone does not move, as far as its limits let it
    let [low, high] = space.bounds()[dofs[0]];
    q[dofs[0]] = if q[dofs[0]] - low > high - q[dofs[0]] {
        low
    } else {
        high
    };
    let found = space.obstacle(&q).unwrap();
    assert!(
        matches!(found, Some(Obstacle::Driver { driver: d, .. }) if d == driver),
        "{found:?}"
    );
}

#[test]
fn the_first_collision_is_that_of_samples_in_order() {
    let space = cell();
    let mut met = 0;
    for seed in 0..60 {
        let (a, b) = (random(&space, seed), random(&space, seed + 1000));
        let largest = a
            .iter()
            .zip(&b)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f64::max);
        let steps = (largest * 32.0).ceil() as usize;
        let first = (0..=steps).find(|&i| {
            let u = i as f64 / steps as f64;
            let q: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + u * (b - a)).collect();
            space.obstacle(&q).unwrap().is_some()
        });
        let first_found = space.edge_collision(&a, &b, EdgeQuery::First).unwrap();
        assert_eq!(
            first_found.map(|c| c.t),
            first.map(|i| i as f64 / steps as f64)
        );
        assert_eq!(
            space
                .edge_collision(&a, &b, EdgeQuery::Any)
                .unwrap()
                .is_some(),
            first.is_some()
        );
        assert_eq!(space.is_edge_free(&a, &b).unwrap(), first.is_none());
        met += usize::from(first_found.is_some_and(|c| c.t > 0.0));
    }
    assert!(
        met > 5,
        "edges that begin free and end in a collision occur: {met}"
    );
}

#[test]
fn the_clearance_is_the_least_distance_of_all_pairs() {
    let space = cell();
    let world = space.world().clone();
    let arm = world.robots().next().unwrap().id();
    let collider = WorldCollider::new(&world, &PairFilter::default()).unwrap();
    let mut ws = collider.workspace();
    let pairs: Vec<_> = collider.pairs().collect();
    for seed in 0..30 {
        let q = random(&space, seed);
        ws.set_config(arm, &q).unwrap();
        let of_arm = pairs
            .iter()
            .filter(|(_, b)| matches!(b, EntityId::Link(..)));
        let least = of_arm
            .map(|&(a, b)| collider.distance_with(a, b, &mut ws).unwrap().distance)
            .fold(f64::INFINITY, f64::min);
        let found = space.clearance(&q).unwrap().unwrap();
        assert_eq!(found.nearest.distance, least);

        // against central differences
        if least < 1e-3 {
            continue;
        }
        let h = 1e-6;
        for i in 0..q.len() {
            let mut at = |step: f64| {
                let mut q = q.clone();
                q[i] += step;
                ws.set_config(arm, &q).unwrap();
                let nearest = &found.nearest;
                collider
                    .distance_with(nearest.a, nearest.b, &mut ws)
                    .unwrap()
                    .distance
            };
            let derivative = (at(h) - at(-h)) / (2.0 * h);
            assert!(
                (derivative - found.gradient[i]).abs() < 1e-3,
                "{derivative} {}",
                found.gradient[i]
            );
        }
    }
}

#[test]
fn robots_together_keep_clear_of_each_other() {
    let files = ["robots/arm6.urdf", "robots/planar3R.rob"];
    let world = space(&files).world().clone();
    let ids: Vec<_> = world.robots().map(|robot| robot.id()).collect();
    let both = RobotCSpace::new(&world, &ids).unwrap();
    assert_eq!(both.n_dofs(), 9);
    assert_eq!(both.current().len(), 9);

    // they stand at the same position, and their arms collide
    let sample = |seed| {
        let robots = both.world().robots();
        let parts = robots.map(|robot| kinematics::sample(robot.model(), seed, 1.0));
        parts.collect::<Vec<_>>().concat()
    };
    let samples: Vec<_> = (0..200).map(sample).collect();
    let met = samples
        .iter()
        .find_map(|q| match both.obstacle(q).unwrap()?.pair()? {
            (EntityId::Link(a, _), EntityId::Link(b, _)) => Some([a, b]),
            _ => None,
        });
    assert_eq!(
        met.map(|mut met| {
            met.sort_unstable();
            met.to_vec()
        }),
        Some(ids)
    );
}

#[test]
fn what_is_no_configuration_is_refused() {
    let space = cell();
    let q = space.current();
    assert!(matches!(
        space.obstacle(&q[1..]),
        Err(Error::Length {
            expected: 6,
            found: 5,
            ..
        })
    ));
    let mut bad = q.clone();
    bad[3] = f64::NAN;
    for outcome in [
        space.obstacle(&bad).map(drop),
        space.edge_collision(&q, &bad, EdgeQuery::First).map(drop),
        space.edge_collision(&bad, &q, EdgeQuery::Any).map(drop),
        space.clearance(&bad).map(drop),
        space.prove_edge(&q, &bad, 1e-3).map(drop),
        space.prove_edge(&q, &q, 0.0).map(drop),
        space.clone().with_resolution(0.0).map(drop),
        space.clone().with_resolution(f64::NAN).map(drop),
    ] {
        assert!(matches!(outcome, Err(Error::Invalid { .. })), "{outcome:?}");
    }
    let fine = space.clone().with_resolution(1e-9).unwrap();
    let mut far = q.clone();
    far[0] += 1.0;
    let error = fine
        .edge_collision(&q, &far, EdgeQuery::First)
        .unwrap_err()
        .to_string();
    assert!(error.contains("coarser"), "{error}");

    let world = space.world().clone();
    let arm = world.robots().next().unwrap().id();
    assert!(matches!(
        RobotCSpace::new(&world, &[]),
        Err(Error::Invalid { .. })
    ));
    assert!(matches!(
        RobotCSpace::new(&world, &[arm, arm]),
        Err(Error::Invalid { .. })
    ));
}

#[test]
fn a_spin_joint_goes_the_short_way() {
    let space = space(&["robots/planar3R.rob"]);
    let (a, b) = ([0.1, 0.0, 0.0], [6.2, 0.0, 0.0]);
    let robot = space.world().robots().next().unwrap();
    let short = kinematics::distance(robot.model(), &a, &b).unwrap();
    assert!(short < 0.2);
    assert_eq!(space.distance(&a, &b), short);
    assert_eq!(
        space.edge_collision(&a, &b, EdgeQuery::First).unwrap(),
        None
    );
}
