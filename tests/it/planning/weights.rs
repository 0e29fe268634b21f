//! Metrics in which some coordinates count more.

use kinworld::kinematics;
use kinworld::planning::{Budget, CSpace, RobotCSpace, plan};

use super::{cell, random, random_free, space};

/// A weight for each coordinate, the same for the three of a rotation.
fn weighted(space: RobotCSpace) -> (RobotCSpace, Vec<f64>) {
    let weights: Vec<f64> = (0..space.dimension())
        .map(|i| 0.5 + 0.25 * (i / 3) as f64)
        .collect();
    (space.with_weights(&weights).unwrap(), weights)
}

#[test]
fn a_distance_is_the_length_of_the_weighted_difference() {
    // robots without free rotations, of which the difference has another form
    for files in [
        ["robots/arm6.urdf"],
        ["robots/mobile_arm.rob"],
        ["robots/scara.urdf"],
    ] {
        let (space, weights) = weighted(space(&files));
        let robot = space.world().robots().next().unwrap().model().clone();
        for seed in 0..20 {
            let (a, b) = (random(&space, seed), random(&space, seed + 100));
            let difference = kinematics::difference(&robot, &a, &b).unwrap();

            let squares = difference
                .iter()
                .zip(&weights)
                .map(|(x, w)| (w * x).powi(2));
            let expected = squares.sum::<f64>().sqrt();
            let found = space.distance(&a, &b);
            let what = format!("{files:?} {seed}: {found} {expected}");
            assert!((found - expected).abs() <= 1e-12 * expected, "{what}");
        }
    }
}

#[test]
fn pictures_of_near_configurations_are_as_far_apart_as_they_are() {
    for files in [
        ["robots/arm6.urdf"],
        ["robots/drone.urdf"],
        ["robots/ferry.urdf"],
        ["robots/quadruped.rob"],
    ] {
        let (space, _) = weighted(space(&files));
        let robot = space.world().robots().next().unwrap().model().clone();
        for seed in 0..20 {
            let a = random(&space, seed);
            let rates: Vec<f64> = random(&space, seed + 50).iter().map(|x| x.sin()).collect();
            let step: Vec<f64> = rates.iter().map(|x| 1e-4 * x).collect();
            let b = kinematics::integrate(&robot, &a, &step).unwrap();
            let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
            space.picture(&a, &mut of_a);
            space.picture(&b, &mut of_b);
            let squares = of_a.iter().zip(&of_b).map(|(x, y)| (x - y).powi(2));
            let (apart, distance) = (squares.sum::<f64>().sqrt(), space.distance(&a, &b));
            assert!(distance > 0.0);
            assert!(
                (apart / distance - 1.0).abs() < 1e-3,
                "{files:?} {seed}: {apart} {distance}"
            );
        }
    }
}

#[test]
fn equal_weights_change_the_unit_alone() {
    let space = cell();
    let twice = space.clone().with_weights(&[2.0; 6]).unwrap();
    for seed in 0..20 {
        let (a, b) = (random(&space, seed), random(&space, seed + 100));
        let (one, two) = (space.distance(&a, &b), twice.distance(&a, &b));
        assert!((two - 2.0 * one).abs() <= 1e-12 * one);
    }
}

#[test]
fn a_weighted_space_is_planned_in_as_any_other() {
    let (mut space, _) = weighted(cell());
    let mut plain = cell().with_resolution(1.0 / 128.0).unwrap();
    for seed in 0..4 {
        let (a, b) = (
            random_free(&mut space, seed),
            random_free(&mut space, seed + 100),
        );
        let found = plan(&mut space, &a, &b, &Budget::default().seed(seed)).unwrap();
        for w in found.path.unwrap().windows(2) {
            assert_eq!(plain.first_contact(&w[0], &w[1]).unwrap(), None);
        }
    }
}

#[test]
fn weights_are_numbers_above_zero_as_many_as_coordinates() {
    for (weights, said) in [
        (vec![1.0; 5], "metric weights"),
        (vec![1.0, 1.0, 1.0, 0.0, 1.0, 1.0], "metric weight 3"),
        (vec![1.0, -2.0, 1.0, 1.0, 1.0, 1.0], "metric weight 1"),
        (vec![f64::NAN; 6], "metric weights"),
    ] {
        let error = cell().with_weights(&weights).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
