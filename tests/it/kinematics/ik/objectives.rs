//! Each kind of goal.

use kinworld::kinematics::ik::{self, Anchor, Objective, Options, PositionGoal, RotationGoal};
use kinworld::math::so3;
use kinworld::{LinkId, Point, Pose, Robot, State, Vector};
use proptest::prelude::*;

use super::{config, somewhere};
use crate::common::files::data;
use random_robots::{any_moving_robot, any_pose, any_vector, cases};

fn load(file: &str) -> Robot {
    Robot::load(data("robots").join(file)).unwrap().value
}

fn solve(robot: &Robot, goals: &[Objective]) -> State {
    let found = ik::solve(robot, goals, robot.initial_config(), &Options::default()).unwrap();
    assert!(found.is_success(), "{found:?}");
    config(robot, &found.q)
}

#[test]
fn a_point_goes_to_a_point_a_line_and_a_plane() {
    let arm = load("arm6.rob");
    let hand = arm.link_id("flange").unwrap();
    let p_link = Point::new(0.05, -0.02, 0.1);
    let there = somewhere(&arm, 5).pose(&arm, hand) * p_link;
    let through = there + Vector::new(1.0, -2.0, 0.5) * 0.1;
    let direction = Vector::new(-2.0, 4.0, -1.0);

    let goal = PositionGoal::Point {
        p_link,
        target: there,
    };
    let at = solve(&arm, &[Objective::position(hand, goal)]).pose(&arm, hand) * p_link;
    assert!((at - there).norm() <= 1e-9);

    let goal = PositionGoal::Line {
        p_link,
        through,
        direction,
    };
    let at = solve(&arm, &[Objective::position(hand, goal)]).pose(&arm, hand) * p_link;
    assert!((at - through).cross(&direction.normalize()).norm() <= 1.1e-9);

    let goal = PositionGoal::Plane {
        p_link,
        through,
        normal: direction,
    };
    let at = solve(&arm, &[Objective::position(hand, goal)]).pose(&arm, hand) * p_link;
    assert!((at - through).dot(&direction.normalize()).abs() <= 1.1e-9);
}

#[test]
fn an_axis_points_along_a_direction_and_the_link_may_rotate_about_it() {
    let arm = load("arm6.rob");
    let hand = arm.link_id("flange").unwrap();
    let (d_link, target) = (Vector::new(1.0, 1.0, 0.0), Vector::new(0.0, 0.3, -2.0));
    let goal = Objective::rotation(hand, RotationGoal::Axis { d_link, target });
    let turned = solve(&arm, &[goal]).pose(&arm, hand) * d_link.normalize();
    assert!((turned - target.normalize()).norm() <= 1.1e-9);
}

#[test]
fn an_axis_of_the_opposite_direction_is_reversed() {
    let arm = load("arm6.rob");
    let hand = arm.link_id("flange").unwrap();
    let state = somewhere(&arm, 3);
    let d_link = Vector::z();
    let target = -(state.pose(&arm, hand) * d_link);
    let goal = Objective::rotation(hand, RotationGoal::Axis { d_link, target });
    let rows = ik::residual(&arm, &state, std::slice::from_ref(&goal)).unwrap();
    assert!((rows[0].hypot(rows[1]) - std::f64::consts::PI).abs() < 1e-7);
    let found = ik::solve(&arm, &[goal], state.config(), &Options::default()).unwrap();
    assert!(found.is_success(), "{found:?}");
}

#[test]
fn three_points_fix_a_link_as_its_pose_does() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let target = somewhere(&arm, 11).pose(&arm, hand);
    let corners = [
        Point::new(0.1, 0.0, 0.0),
        Point::new(0.0, 0.1, 0.0),
        Point::new(0.0, 0.0, 0.1),
    ];
    let points: Vec<_> = corners.iter().map(|&p| (p, target * p)).collect();
    let reached = solve(&arm, &[Objective::points(hand, points)]).pose(&arm, hand);
    assert!((reached.translation.vector - target.translation.vector).norm() < 1e-8);
    assert!(so3::distance(&reached.rotation, &target.rotation) < 3e-8);
}

#[test]
fn several_goals_are_met_together() {
    // the elbow on a plane, the hand at a point and level
    let arm = load("panda.urdf");
    let (elbow, hand) = (arm.link_id("link4").unwrap(), arm.link_id("link7").unwrap());
    let there = somewhere(&arm, 2);
    let (p_elbow, p_hand) = (there.pose(&arm, elbow), there.pose(&arm, hand));
    let up = p_hand.rotation * Vector::x();
    let goals = [
        Objective::position(
            elbow,
            PositionGoal::Plane {
                p_link: Point::origin(),
                through: Point::from(p_elbow.translation.vector),
                normal: Vector::z(),
            },
        ),
        Objective::point(
            hand,
            Point::origin(),
            Point::from(p_hand.translation.vector),
        )
        .with_rotation(RotationGoal::Axis {
            d_link: Vector::x(),
            target: up,
        })
        .with_weights(2.0, 0.5),
    ];
    let found = solve(&arm, &goals);
    assert!((found.pose(&arm, elbow).translation.z - p_elbow.translation.z).abs() <= 1e-9);
    let hand = found.pose(&arm, hand);
    assert!((hand.translation.vector - p_hand.translation.vector).norm() <= 1e-9);
    assert!((hand.rotation * Vector::x() - up).norm() <= 1.1e-9);
}

#[test]
fn goals_relative_to_a_link_or_an_object_are_met() {
    let arm = load("panda.urdf");
    let (elbow, hand) = (arm.link_id("link3").unwrap(), arm.link_id("link7").unwrap());
    let there = somewhere(&arm, 4);
    let seen = there.pose(&arm, elbow).inv_mul(&there.pose(&arm, hand));
    let goal = Objective::pose(hand, &seen).relative_to(Anchor::Link(elbow));
    let start = State::new(&arm);
    let found = ik::solve(&arm, &[goal], start.config(), &Options::default()).unwrap();
    assert!(found.is_success());
    let state = config(&arm, &found.q);
    let now = state.pose(&arm, elbow).inv_mul(&state.pose(&arm, hand));
    assert!((now.to_homogeneous() - seen.to_homogeneous()).amax() < 3e-9);

    // a common ancestor does not change the relative pose, and so it stays
    assert_eq!(found.q[..3], start.config()[..3]);
    assert_ne!(found.q[3..], start.config()[3..]);

    let thing = Pose::new(Vector::new(0.1, 0.2, 0.3), Vector::new(0.3, 0.0, 0.2));
    let target = there.pose(&arm, hand);
    let seen = thing.inv_mul(&target);
    let goal = Objective::pose(hand, &seen).relative_to(Anchor::Object(thing));
    let reached = solve(&arm, &[goal]).pose(&arm, hand);
    assert!((reached.to_homogeneous() - target.to_homogeneous()).amax() < 3e-9);
}

fn any_goal() -> impl Strategy<Value = (PositionGoal, RotationGoal)> {
    let point = || any_vector(1.0).prop_map(Point::from);
    let direction = || any_vector(1.0).prop_map(|d| d + Vector::new(0.0, 0.0, 1.5));
    let position = prop_oneof![
        Just(PositionGoal::Free),
        (point(), point()).prop_map(|(p_link, target)| PositionGoal::Point { p_link, target }),
        (point(), point(), direction()).prop_map(|(p_link, through, direction)| {
            PositionGoal::Line {
                p_link,
                through,
                direction,
            }
        }),
        (point(), point(), direction()).prop_map(|(p_link, through, normal)| {
            PositionGoal::Plane {
                p_link,
                through,
                normal,
            }
        }),
        prop::collection::vec((point(), point()), 0..4).prop_map(PositionGoal::Points),
    ];
    let rotation = prop_oneof![
        Just(RotationGoal::Free),
        (direction(), direction())
            .prop_map(|(d_link, target)| RotationGoal::Axis { d_link, target }),
        any_vector(2.0).prop_map(|w| RotationGoal::Fixed(so3::from_rotation_vector(&w))),
    ];
    (position, rotation)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn the_jacobian_is_the_derivative_of_the_residual(
        moving in any_moving_robot(),
        (position, rotation) in any_goal(),
        anchor in any_pose(),
        which in 0..3_usize,
        other in any::<prop::sample::Index>(),
    ) {
        let robot = &moving.robot;
        let anchor = match which {
            0 => Anchor::World,
            1 => Anchor::Object(anchor),
            _ => Anchor::Link(LinkId::new(other.index(robot.links().len()))),
        };
        let goal = Objective::position(moving.link, position)
            .with_rotation(rotation)
            .relative_to(anchor)
            .with_weights(0.7, 1.3);
        let goals = [goal];
        let at = |q: &[f64]| ik::residual(robot, &config(robot, q), &goals).unwrap();
        let state = config(robot, &moving.q);
        let jacobian = ik::residual_jacobian(robot, &state, &goals).unwrap();
        let here = at(&moving.q);

        // a rotation vector jumps at half a turn
        let turn = here.len() - goals[0].rotation.rows();
        let angle = here[turn..].iter().map(|x| x * x).sum::<f64>().sqrt() / 1.3;
        prop_assume!(angle < 3.0);
        let h = 1e-6;
        for k in 0..robot.n_dofs() {
            let moved = |by: f64| {
                let mut q = moving.q.clone();
                q[k] += by;
                at(&q)
            };
            for (row, (a, b)) in moved(h).iter().zip(moved(-h)).enumerate() {
                let difference = (a - b) / (2.0 * h);
                let size = 1.0 + here.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
                let error = (jacobian[(row, k)] - difference).abs();
                prop_assert!(error < 2e-6 * size * (1.0 + difference.abs()), "row {row}, column {k}: {error}");
            }
        }
    }
}
