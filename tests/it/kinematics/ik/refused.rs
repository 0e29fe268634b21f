//! Errors for invalid goals, options and starts.

use kinworld::kinematics::ik::{self, Anchor, Objective, Options, PositionGoal, Posture, Solver};
use kinworld::{DofId, LinkId, Point, Pose, Robot, Vector};

use crate::common::errors::is_invalid;
use crate::common::files::data;

fn arm() -> Robot {
    Robot::load(data("robots/planar3R.rob")).unwrap().value
}

fn message(goal: Objective, options: &Options) -> String {
    let arm = arm();
    ik::solve(&arm, &[goal], &[0.0; 3], options)
        .unwrap_err()
        .to_string()
}

#[test]
fn invalid_goals_are_refused() {
    let options = Options::default();
    let hand = LinkId::new(2);
    let at = |x| Objective::point(hand, Point::origin(), Point::new(x, 0.0, 0.0));
    let plane = PositionGoal::Plane {
        p_link: Point::origin(),
        through: Point::origin(),
        normal: Vector::zeros(),
    };
    for (goal, expected) in [
        (
            Objective::pose(LinkId::new(3), &Pose::identity()),
            "there is no link 3; there are 3",
        ),
        (
            at(1.0).relative_to(Anchor::Link(LinkId::new(9))),
            "there is no link 9; there are 3",
        ),
        (
            at(f64::NAN),
            "objective of link `link2`: it has a number that is not finite",
        ),
        (
            at(f64::INFINITY),
            "objective of link `link2`: it has a number that is not finite",
        ),
        (
            Objective::position(hand, plane),
            "one of its directions has length zero",
        ),
        (
            at(1.0).with_weights(0.0, 1.0),
            "a weight must be above zero; leave the goal free instead",
        ),
        (at(1.0).with_weights(f64::NAN, 1.0), "not finite"),
    ] {
        let message = message(goal.clone(), &options);
        assert!(message.contains(expected), "{message}");
        let arm = arm();
        let residual = ik::residual(&arm, &kinworld::State::new(&arm), &[goal]);
        assert_eq!(residual.unwrap_err().to_string(), message);
    }
}

#[test]
fn invalid_options_are_refused() {
    let goal = || Objective::point(LinkId::new(2), Point::origin(), Point::origin());
    let base = Options::default;
    let near = |config: &[f64]| Posture::near(config);
    let posture = |posture| base().with_posture(posture);
    for (options, expected) in [
        (
            base().with_tolerance(-1.0),
            "tolerance: is -1, it must be finite and not negative",
        ),
        (base().with_tolerance(f64::NAN), "tolerance: is NaN"),
        (
            base().with_active([DofId::new(3)]),
            "there is no degree of freedom 3; there are 3",
        ),
        (
            base().with_limits([[0.0, 1.0]]),
            "limits needs 3 values, got 1",
        ),
        (
            base().with_limits([[f64::NAN; 2]; 3]),
            "one of them is not a number",
        ),
        (posture(near(&[0.0])), "posture needs 3 values, got 1"),
        (
            posture(near(&[0.0; 3]).with_weights([1.0])),
            "weights of the posture needs 3 values, got 1",
        ),
        (
            posture(near(&[0.0; 3]).with_weights([-1.0; 3])),
            "they must be finite and not negative",
        ),
        (
            base().with_secondary([Objective::pose(LinkId::new(7), &Pose::identity())]),
            "there is no link 7",
        ),
    ] {
        let message = message(goal(), &options);
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn starts_and_replacements_that_do_not_fit_are_refused() {
    let arm = arm();
    let goal = Objective::point(LinkId::new(2), Point::origin(), Point::origin());
    let mut solver = Solver::new(&arm, std::slice::from_ref(&goal), &Options::default()).unwrap();
    let short = solver.solve(&[0.0]).unwrap_err().to_string();
    assert_eq!(short, "configuration needs 3 values, got 1");
    assert!(is_invalid(&solver.solve(&[0.0, f64::NAN, 0.0])));
    assert!(
        solver
            .set_goal(1, &goal)
            .unwrap_err()
            .to_string()
            .contains("there is no goal 1; there are 1")
    );
    let pose = Objective::pose(LinkId::new(2), &Pose::identity());
    assert!(
        solver
            .set_goal(0, &pose)
            .unwrap_err()
            .to_string()
            .contains("make a new solver")
    );
    assert!(is_invalid(&solver.clone().with_max_deviation(f64::NAN)));
    assert!(is_invalid(&solver.with_max_deviation(-0.1)));
}

#[test]
fn extreme_numbers_terminate() {
    let arm = arm();
    for x in [1e300, -1e300, 1e-300] {
        let goal = Objective::point(
            LinkId::new(2),
            Point::new(1.0, 0.0, 0.0),
            Point::new(x, 0.0, x),
        );
        for q0 in [[0.0; 3], [1e100, -1e100, 1e18]] {
            let found =
                ik::solve(&arm, std::slice::from_ref(&goal), &q0, &Options::default()).unwrap();
            assert!(found.q.iter().all(|q| q.is_finite()), "{found:?}");
        }
    }
    let none = Options::default().with_max_iterations(0);
    let goal = Objective::point(LinkId::new(2), Point::origin(), Point::new(1.0, 0.0, 1.0));
    let found = ik::solve(&arm, &[goal], &[0.0; 3], &none).unwrap();
    assert!(!found.is_success() && found.iterations == 0);
    assert!(ik::solve(&arm, &[], &[0.1; 3], &none).unwrap().is_success());
}
