//! Searches: restarts, limits, postures and reports.

use kinworld::kinematics::ik::{
    self, Bound, Objective, Options, Posture, Problem, Solver, Termination,
};
use kinworld::kinematics::{config_from_drivers, config_to_drivers};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{DofId, Point, Robot, RobotBuilder, Vector, kinematics};
use nalgebra::DVector;

use super::{Lcg, config, somewhere};
use crate::common::errors::assert_refused;
use crate::common::files::data;

fn load(file: &str) -> Robot {
    Robot::load(data("robots").join(file)).unwrap().value
}

/// Three links of 1 m in the plane y = 0, without limits.
fn planar() -> Robot {
    let mut builder = RobotBuilder::new("planar");
    let mut parent = None;
    for i in 0..3 {
        let mut link = LinkSpec::new(
            format!("link{i}"),
            parent,
            LinkMotion::Revolute(-Vector::y()),
        );
        if i > 0 {
            link.placement = kinworld::Pose::translation(1.0, 0.0, 0.0);
        }
        parent = Some(builder.add_link(link));
    }
    builder.build().unwrap()
}

#[test]
fn unreachable_goals_are_approached_as_near_as_possible() {
    let arm = planar();
    let hand = arm.link_id("link2").unwrap();
    let mut random = Lcg(1);
    for _ in 0..50 {
        let (angle, far) = (
            random.unit() * std::f64::consts::TAU,
            3.1 + 4.0 * random.unit(),
        );
        let target = Point::new(far * angle.cos(), 0.0, far * angle.sin());
        let goal = Objective::point(hand, Point::new(1.0, 0.0, 0.0), target);
        let start = [random.unit(), random.unit(), random.unit()];
        let found = ik::solve(&arm, &[goal], &start, &Options::default()).unwrap();
        assert_eq!(found.termination, Termination::NoProgress);
        let best = far - 3.0;
        assert!(
            found.position_error <= best * 1.0001,
            "{} for {best}",
            found.position_error
        );
        assert!(found.position_error >= best * (1.0 - 1e-12));
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_on_one_thread_and_on_many() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let problem = |seed| {
        let target = somewhere(&arm, seed).pose(&arm, hand);
        let goals = [Objective::pose(hand, &target)];
        Problem::new(goals, somewhere(&arm, seed + 1000).config())
    };
    let problems: Vec<_> = (0..40).map(problem).collect();
    let all = ik::solve_batch(&arm, &problems, &Options::default()).unwrap();
    for (problem, of_batch) in problems.iter().zip(&all) {
        let alone = ik::solve(&arm, &problem.goals, &problem.start, &Options::default()).unwrap();
        assert_eq!(&alone, of_batch);
    }
    let mut wrong = problems;
    wrong[7].start.pop();
    assert_refused(
        ik::solve_batch(&arm, &wrong, &Options::default()),
        "problem 7, configuration: needs 7 values, got 6",
    );
}

#[test]
fn nearby_searches_stay_nearby_and_report_active_limits() {
    let arm = planar();
    let hand = arm.link_id("link2").unwrap();
    let tip = Point::new(1.0, 0.0, 0.0);
    let start = [0.2, 0.3, 0.4];
    let near = config(&arm, &[0.25, 0.28, 0.37]).pose(&arm, hand) * tip;
    let goal = [Objective::point(hand, tip, near)];
    let found = ik::solve_nearby(&arm, &goal, &start, 0.1, &Options::default()).unwrap();
    assert!(found.is_success());
    assert!(
        found
            .q
            .iter()
            .zip(start)
            .all(|(q, q0)| (q - q0).abs() <= 0.1)
    );

    let far = [Objective::point(hand, tip, Point::new(0.0, 0.0, -3.0))];
    let found = ik::solve_nearby(&arm, &far, &start, 0.1, &Options::default()).unwrap();
    assert_eq!(found.termination, Termination::NoProgress);
    assert!(
        found
            .active_limits
            .iter()
            .any(|limit| limit.bound == Bound::Lower)
    );
    assert!(
        found
            .q
            .iter()
            .zip(start)
            .all(|(q, q0)| (q - q0).abs() <= 0.1 + 1e-15)
    );
}

#[test]
fn a_search_continues_until_a_configuration_is_feasible() {
    let arm = planar();
    let hand = arm.link_id("link2").unwrap();
    let goal = [Objective::point(
        hand,
        Point::new(1.0, 0.0, 0.0),
        Point::new(1.5, 0.0, 1.0),
    )];
    let mut asked = 0;
    let mut accept = |q: &[f64]| {
        asked += 1;
        q[1] > 0.0 && asked > 2
    };
    let found = ik::solve_global(&arm, &goal, &[0.0; 3], &Options::default(), &mut accept).unwrap();
    assert!(found.is_success() && found.q[1] > 0.0 && found.starts > 2);

    let never = ik::solve_global(&arm, &goal, &[0.0; 3], &Options::default(), |_| false).unwrap();
    assert_eq!(
        (never.termination, never.starts),
        (Termination::Infeasible, 101)
    );
    assert!(never.position_error <= 1e-9);
}

#[test]
fn active_dofs_move_and_the_others_stay() {
    let arm = planar();
    let hand = arm.link_id("link2").unwrap();
    let tip = Point::new(1.0, 0.0, 0.0);
    let start = [0.3, 0.1, 0.2];
    let target = config(&arm, &[0.3, 0.5, -0.4]).pose(&arm, hand) * tip;
    let goal = [Objective::point(hand, tip, target)];
    let options = Options::default().with_active([DofId::new(1), DofId::new(2)]);
    let solver = Solver::new(&arm, &goal, &options).unwrap();
    assert_eq!(
        solver.active().collect::<Vec<_>>(),
        [DofId::new(1), DofId::new(2)]
    );
    let found = ik::solve(&arm, &goal, &start, &options).unwrap();
    assert!(found.is_success());
    assert_eq!(found.q[0].to_bits(), start[0].to_bits());
}

#[test]
fn given_limits_replace_those_of_the_robot() {
    let arm = planar();
    let hand = arm.link_id("link2").unwrap();
    let goal = [Objective::point(
        hand,
        Point::new(1.0, 0.0, 0.0),
        Point::new(1.2, 0.0, 0.9),
    )];
    let limits = vec![[-3.0, 3.0], [0.1, 3.0], [0.1, 3.0]];
    let options = Options::default().with_limits(limits.clone());
    let found = ik::solve(&arm, &goal, &[0.0, -1.0, -1.0], &options).unwrap();
    assert!(found.is_success());
    for (q, [min, max]) in found.q.iter().zip(limits) {
        assert!(min <= *q && *q <= max);
    }
}

#[test]
fn drivers_move_together_and_welds_stay() {
    for file in [
        "gripper.rob",
        "gripper.urdf",
        "mobile_arm.rob",
        "scara.urdf",
    ] {
        let robot = load(file);
        let n = robot.n_dofs();
        for seed in 0..5 {
            // a pose that the drivers can reach
            let mut there = somewhere(&robot, seed).config().to_vec();
            let drivers = config_to_drivers(&robot, &there).unwrap();
            config_from_drivers(&robot, &drivers, &mut there).unwrap();
            let link = kinworld::LinkId::new(robot.links().len() - 1);
            let p_link = Point::new(0.01, 0.02, 0.03);
            let target = config(&robot, &there).pose(&robot, link) * p_link;
            let goal = [Objective::point(link, p_link, target)];
            let start = somewhere(&robot, seed + 100).config().to_vec();
            let found = ik::solve(&robot, &goal, &start, &Options::default()).unwrap();
            let drivers = config_to_drivers(&robot, &found.q).unwrap();
            let mut driven = found.q.clone();
            config_from_drivers(&robot, &drivers, &mut driven).unwrap();
            let solver = Solver::new(&robot, &goal, &Options::default()).unwrap();
            let mut active = vec![false; n];
            for dof in solver.active() {
                active[dof.index()] = true;
                let (a, b) = (driven[dof.index()], found.q[dof.index()]);
                assert!((a - b).abs() < 1e-12, "{file}: dof {}", dof.index());
            }
            for i in 0..n {
                let link = robot.dofs()[i];
                let is_weld = robot
                    .joint_of(link)
                    .is_some_and(|joint| joint.kind == kinworld::robot::JointKind::Weld);
                assert!(!(is_weld && active[i]), "{file}: a weld is active");
                assert!(
                    active[i] || found.q[i].to_bits() == start[i].to_bits(),
                    "{file}: {i} moved"
                );
            }
        }
    }
}

#[test]
fn the_null_space_follows_the_posture() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let mut seen = 0;
    for seed in 0..20 {
        let target = somewhere(&arm, seed).pose(&arm, hand);
        let preferred = somewhere(&arm, seed)
            .config()
            .iter()
            .map(|q| q + 0.2)
            .collect::<Vec<_>>();
        let options = Options::default().with_posture(Posture::near(preferred.clone()));
        let start = somewhere(&arm, seed + 50);
        let goal = [Objective::pose(hand, &target)];
        let found = ik::solve(&arm, &goal, start.config(), &options).unwrap();
        assert!(found.is_success(), "{found:?}");

        // no motion in the null space brings it nearer to the posture
        let state = config(&arm, &found.q);
        let jacobian = kinematics::jacobian(&arm, &state, hand, &Point::origin());
        let svd = jacobian.clone().svd(true, true);
        if svd.singular_values.min() < 0.05 || !found.active_limits.is_empty() {
            continue;
        }
        seen += 1;
        let offset = DVector::from_iterator(7, preferred.iter().zip(&found.q).map(|(a, b)| a - b));
        let inverse = jacobian.clone().pseudo_inverse(1e-9).unwrap();
        let along_rows = inverse * (&jacobian * &offset);
        let left = (&offset - along_rows).norm();
        assert!(
            left < 1e-4 * (1.0 + offset.norm()),
            "{left} of {}",
            offset.norm()
        );
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn secondary_objectives_are_met_as_far_as_goals_allow() {
    let arm = planar();
    let hand = arm.link_id("link2").unwrap();
    let elbow = arm.link_id("link1").unwrap();
    let goal = [Objective::point(
        hand,
        Point::new(1.0, 0.0, 0.0),
        Point::new(2.0, 0.0, 0.0),
    )];
    let secondary = Objective::point(elbow, Point::origin(), Point::new(0.0, 0.0, 5.0));
    let options = Options::default().with_secondary([secondary]);
    let found = ik::solve(&arm, &goal, &[0.3, -0.2, -0.2], &options).unwrap();
    assert!(found.is_success());

    // the highest elbow: links 2 and 3 straight towards the hand, a triangle of sides 1, 2 and 2
    let height = config(&arm, &found.q).pose(&arm, elbow).translation.z;
    let best = (1.0_f64 - 0.25 * 0.25).sqrt();
    assert!((height - best).abs() < 1e-3, "{height} of {best}");
}
