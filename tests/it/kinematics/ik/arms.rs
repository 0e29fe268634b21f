//! Industrial and research arms solve reachable poses.

use kinworld::kinematics::ik::{Objective, Options, Solver};
use kinworld::kinematics::in_limits;
use kinworld::math::so3;
use kinworld::{LinkId, Robot};

use super::somewhere;
use crate::common::files::data;

/// Number of targets per arm; a thousand where `KINWORLD_FULL` is set.
pub(crate) fn targets() -> u64 {
    if std::env::var_os("KINWORLD_FULL").is_some() {
        1000
    } else {
        60
    }
}

/// Solves for poses of random configurations from random starts; returns the number of failures.
pub(crate) fn failures(robot: &Robot, link: LinkId, restarts: usize) -> u64 {
    let options = Options::default().with_restarts(restarts);
    let mut solver = None;
    let mut failures = 0;
    for seed in 0..targets() {
        let there = somewhere(robot, 2 * seed);
        let start = somewhere(robot, 2 * seed + 1);
        let target = there.pose(robot, link);
        let goal = Objective::pose(link, &target);
        let solver = solver.get_or_insert_with(|| {
            Solver::new(robot, std::slice::from_ref(&goal), &options).expect("a goal")
        });
        solver.set_goal(0, &goal).expect("a goal of the same shape");
        let found = solver.solve(start.config()).expect("a start");
        assert!(
            in_limits(robot, &found.q),
            "{} leaves its limits",
            robot.name()
        );

        // compare with forward kinematics
        let reached = super::config(robot, &found.q).pose(robot, link);
        let distance = (reached.translation.vector - target.translation.vector).norm();
        let angle = so3::distance(&reached.rotation, &target.rotation);
        assert!(
            (distance - found.position_error).abs() < 1e-12,
            "{distance:e}"
        );
        assert!((angle - found.rotation_error).abs() < 1e-12, "{angle:e}");
        assert_eq!(found.is_success(), distance <= 1e-9 && angle <= 1e-9);
        failures += u64::from(!found.is_success());
    }
    failures
}

fn end(robot: &Robot) -> LinkId {
    LinkId::new(robot.links().len() - 1)
}

#[test]
fn arms_of_the_data_solve_reachable_poses() {
    for file in [
        "arm6.rob",
        "planar3R.rob",
        "puma560.urdf",
        "ur5.urdf",
        "panda.urdf",
        "snake30.urdf",
    ] {
        let robot = Robot::load(data("robots").join(file)).unwrap().value;
        let failures = failures(&robot, end(&robot), 100);
        assert!(failures * 1000 <= targets(), "{file}: {failures} failures");
    }
}
