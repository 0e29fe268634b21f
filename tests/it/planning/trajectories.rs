//! Trajectories and their files.

use crate::common::errors::assert_refused;
use std::f64::consts::TAU;
use std::fs;

use kinworld::io::Loader;
use kinworld::planning::{RobotTrajectory, Trajectory};
use kinworld::{Error, Robot};

fn zigzag() -> Trajectory {
    let milestones = [[0.0, 0.0], [1.0, 2.0], [1.0, 2.0], [0.0, 4.0]];
    Trajectory::new(vec![1.0, 2.0, 3.0, 5.0], milestones.map(Vec::from).to_vec()).unwrap()
}

#[test]
fn between_milestones_it_moves_steadily_and_outside_it_rests() {
    let zigzag = zigzag();
    assert_eq!(zigzag.at(1.5), [0.5, 1.0]);
    assert_eq!(zigzag.velocity_at(1.5), [1.0, 2.0]);
    assert_eq!(zigzag.at(4.0), [0.5, 3.0]);
    assert_eq!(zigzag.velocity_at(4.0), [-0.5, 1.0]);
    for (time, there) in [
        (-9.0, [0.0, 0.0]),
        (2.5, [1.0, 2.0]),
        (5.0, [0.0, 4.0]),
        (99.0, [0.0, 4.0]),
    ] {
        assert_eq!(zigzag.at(time), there);
        assert_eq!(zigzag.velocity_at(time), [0.0, 0.0]);
    }
    assert_eq!(zigzag.at(f64::NAN), [0.0, 0.0]);
    assert_eq!(zigzag.duration(), 4.0);
}

#[test]
fn parts_of_a_trajectory_make_the_full_one() {
    let full = zigzag();
    let (before, after) = full.split(1.75);
    assert_eq!((before.end_time(), after.start_time()), (1.75, 1.75));
    let again = before.followed_by(&after).unwrap();
    for i in 0..60 {
        let time = 0.5 + 0.1 * f64::from(i);
        let difference = full.at(time).into_iter().zip(again.at(time));
        let difference = difference.map(|(a, b)| (a - b).abs());
        assert!(difference.fold(0.0, f64::max) < 1e-12);
    }
    let slow = full.time_scaled(2.0).unwrap();
    assert_eq!((slow.at(2.0), slow.duration()), (full.at(1.5), 8.0));
}

#[test]
fn a_robot_goes_between_milestones_as_its_joints_do() {
    let data = crate::common::files::data("robots/planar3R.rob");
    let arm = Robot::load(data).unwrap().value;
    let ends = vec![vec![0.2, 0.0, 0.0], vec![TAU - 0.2, 1.0, 0.0]];
    let path = Trajectory::new(vec![0.0, 2.0], ends).unwrap();
    let moving = RobotTrajectory::new(&arm, &path).unwrap();

    // a spin joint goes through 0
    let middle = moving.at(1.0).unwrap();
    assert!(middle[0].min(TAU - middle[0]) < 1e-12 && (middle[1] - 0.5).abs() < 1e-12);
    let speed = moving.velocity_at(0.5).unwrap();
    assert!(
        (speed[0] + 0.2).abs() < 1e-12 && (speed[1] - 0.5).abs() < 1e-12,
        "{speed:?}"
    );

    let fine = moving.discretized(0.3).unwrap();
    assert_eq!(fine.times().len(), 8);
    assert_eq!(fine.end_time(), 2.0);
    assert_refused(
        moving.discretized(0.0),
        "0 s is not positive, or too short for this trajectory",
    );
    assert_refused(
        moving.discretized(1e-12),
        "s is not positive, or too short for this trajectory",
    );
    let short = Trajectory::from_path(vec![vec![0.0]]).unwrap();
    assert_refused(
        RobotTrajectory::new(&arm, &short),
        "a milestone needs 3 values, got 1",
    );
}

#[test]
fn what_is_no_trajectory_is_refused() {
    let one = || vec![vec![0.0]];
    assert!(matches!(
        Trajectory::new(vec![], vec![]),
        Err(Error::Invalid { .. })
    ));
    assert!(matches!(
        Trajectory::new(vec![0.0, 1.0], one()),
        Err(Error::Length { .. })
    ));
    assert!(matches!(
        Trajectory::new(vec![f64::NAN], one()),
        Err(Error::Invalid { .. })
    ));
    let back = Trajectory::new(vec![1.0, 0.5], [one(), one()].concat());
    assert!(
        back.unwrap_err()
            .to_string()
            .contains("go back from 1 to 0.5")
    );
    let uneven = Trajectory::new(vec![0.0, 1.0], vec![vec![0.0], vec![0.0, 1.0]]);
    assert!(matches!(uneven, Err(Error::Length { .. })));
    assert_refused(zigzag().time_scaled(-1.0), "-1 is not a positive number");
}

#[test]
fn a_path_file_reads_back_to_the_last_bit() {
    let dir = std::env::temp_dir().join(format!("kinworld_paths_{}", std::process::id()));
    fs::create_dir_all(&dir).unwrap();
    let file = dir.join("wave.path");
    let wave = Trajectory::new(
        vec![0.1, 0.30000000000000004],
        vec![vec![1e-9, -0.0], vec![0.1 + 0.2, 5.0]],
    )
    .unwrap();
    wave.save(&file).unwrap();
    assert_eq!(Loader::new().trajectory(&file).unwrap().value, wave);

    // as Klampt writes it, and what people make of it
    fs::write(&file, "0.000000\t3 0 0.5 1\n1.500000\t3 1 0.5 0\n").unwrap();
    let klampt = Loader::new().trajectory(&file).unwrap().value;
    assert_eq!(
        (klampt.end_time(), klampt.at(0.75)),
        (1.5, vec![0.5, 0.5, 0.5])
    );
    for (text, position, problem) in [
        ("0 2 1 x", ":1:7: error", "`x` is not a finite number"),
        (
            "0 2 1 2\n1",
            ":2:1: error",
            "a time without a configuration",
        ),
        (
            "0 2 1 2\n1 2 1",
            ":2:3: error",
            "2 values are announced, but only 1 follow",
        ),
        (
            "0 1 1\n1 -1 1",
            ":2:3: error",
            "`-1` is not a number of values",
        ),
        ("0 1 1\n-1 1 1", ": error", "go back from 0 to -1"),
        ("", ": error", "has no milestone"),
        ("0 99999999999 1", ":1:3: error", "only 1 follow"),
    ] {
        fs::write(&file, text).unwrap();
        let error = Loader::new().trajectory(&file).unwrap_err().to_string();
        assert!(
            error.contains(position) && error.contains(problem),
            "{text:?}: {error}"
        );
    }
    fs::remove_dir_all(&dir).unwrap();
}
