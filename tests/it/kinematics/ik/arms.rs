//! Arms of the field reach for poses that they can reach.

use kinworld::kinematics::ik::{Objective, Options, Solver};
use kinworld::kinematics::in_limits;
use kinworld::math::so3;
use kinworld::{LinkId, Robot};

use super::somewhere;
use crate::common::files::data;

/// As many targets as an arm gets; all thousand where `KINWORLD_FULL` is set.
pub(crate) fn targets() -> u64 {
    if std::env::var_os("KINWORLD_FULL").is_some() {
        1000
    } else {
        60
    }
}

/// Solves for poses that the arm takes somewhere within its limits, from somewhere else; tells how many failed.
pub(crate) fn misses(robot: &Robot, link: LinkId, restarts: usize) -> u64 {
    let options = Options::default().with_restarts(restarts);
    let mut solver = None;
    let mut misses = 0;
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
            in_limits(robot, &found.q).unwrap(),
            "{} leaves its limits",
            robot.name()
        );

        // where it is, as the rest of the library says
        let reached = super::config(robot, &found.q).pose(robot, link);
        let off = (reached.translation.vector - target.translation.vector).norm();
        let turned = so3::distance(&reached.rotation, &target.rotation);
        assert!((off - found.position_error).abs() < 1e-12, "{off:e}");
        assert!((turned - found.rotation_error).abs() < 1e-12, "{turned:e}");
        assert_eq!(found.is_success(), off <= 1e-9 && turned <= 1e-9);
        misses += u64::from(!found.is_success());
    }
    misses
}

fn end(robot: &Robot) -> LinkId {
    LinkId::new(robot.links().len() - 1)
}

#[test]
fn arms_of_the_data_reach_what_they_can_reach() {
    for file in [
        "arm6.rob",
        "planar3R.rob",
        "puma560.urdf",
        "ur5.urdf",
        "panda.urdf",
        "snake30.urdf",
    ] {
        let robot = Robot::load(data("robots").join(file)).unwrap().value;
        let misses = misses(&robot, end(&robot), 100);
        assert!(misses * 1000 <= targets(), "{file}: {misses} misses");
    }
}
