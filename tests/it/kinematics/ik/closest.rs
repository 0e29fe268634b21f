//! Poses that meet an objective: the nearest and random ones.

use kinworld::kinematics::ik::{self, Objective, PositionGoal, RotationGoal};
use kinworld::math::so3;
use kinworld::robot::JointKind;
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, State, Vector};
use proptest::prelude::*;

use crate::common::errors::is_invalid;
use random_robots::{any_pose, any_vector, cases};

fn any_point() -> impl Strategy<Value = Point> {
    any_vector(1.0).prop_map(Point::from)
}

fn any_direction() -> impl Strategy<Value = Vector> {
    any_vector(1.0).prop_filter("a direction", |d| d.norm() > 0.1)
}

fn any_position() -> impl Strategy<Value = PositionGoal> {
    let parts = || (any_point(), any_point(), any_direction());
    prop_oneof![
        Just(PositionGoal::Free),
        (any_point(), any_point())
            .prop_map(|(p_link, target)| PositionGoal::Point { p_link, target }),
        parts().prop_map(|(p_link, through, direction)| PositionGoal::Line {
            p_link,
            through,
            direction
        }),
        parts().prop_map(|(p_link, through, normal)| PositionGoal::Plane {
            p_link,
            through,
            normal
        }),
        // one to several points that some pose maps to their targets
        (any_pose(), prop::collection::vec(any_point(), 1..6)).prop_map(|(pose, points)| {
            PositionGoal::Points(points.into_iter().map(|p| (p, pose * p)).collect())
        }),
    ]
}

fn any_rotation() -> impl Strategy<Value = RotationGoal> {
    prop_oneof![
        Just(RotationGoal::Free),
        (any_direction(), any_direction())
            .prop_map(|(d_link, target)| RotationGoal::Axis { d_link, target }),
        any_pose().prop_map(|pose| RotationGoal::Fixed(pose.rotation)),
    ]
}

/// An objective that can be met: several points leave no choice of rotation.
fn any_objective() -> impl Strategy<Value = Objective> {
    (any_position(), any_rotation()).prop_map(|(position, rotation)| {
        let many = matches!(&position, PositionGoal::Points(points) if points.len() > 1);
        let objective = Objective::position(LinkId::new(5), position);
        if many {
            objective
        } else {
            objective.with_rotation(rotation)
        }
    })
}

/// Residual of an objective for a free body at a pose.
fn residual(objective: &Objective, pose: &Pose) -> f64 {
    let body = body(pose);
    let state = State::new(&body);
    let rows = ik::residual(&body, &state, std::slice::from_ref(objective)).unwrap();
    rows.iter().fold(0.0, |worst, row| worst.max(row.abs()))
}

fn body(pose: &Pose) -> Robot {
    let mut builder = RobotBuilder::new("body");
    let link = builder
        .add_virtual_chain(JointKind::Floating, "body", None, pose)
        .unwrap();
    assert_eq!(link, LinkId::new(5));
    builder.build().unwrap()
}

fn angle(a: &Pose, b: &Pose) -> f64 {
    so3::distance(&a.rotation, &b.rotation)
}

fn distance(a: &Pose, b: &Pose) -> f64 {
    (a.translation.vector - b.translation.vector).norm()
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn the_nearest_pose_meets_the_objective_and_no_other_is_nearer(
        objective in any_objective(),
        near in any_pose(),
        seeds in prop::array::uniform8(0_u64..1000),
    ) {
        let nearest = objective.closest(&near).unwrap();
        prop_assert!(residual(&objective, &nearest) < 1e-9, "{}", residual(&objective, &nearest));
        let again = objective.closest(&nearest).unwrap();
        prop_assert!(angle(&again, &nearest) < 1e-7 && distance(&again, &nearest) < 1e-7);
        for seed in seeds {
            let other = objective.sample(&near, 0.5, seed).unwrap();
            prop_assert!(residual(&objective, &other) < 1e-9);
            prop_assert!(angle(&other, &near) >= angle(&nearest, &near) - 1e-7);

            // with the rotation of the nearest pose no other translation is shorter
            let turned = Pose::from_parts(other.translation, nearest.rotation);
            let moved = objective.closest(&turned).unwrap();
            prop_assert!(distance(&moved, &near) >= distance(&nearest, &near) - 1e-7);
        }
    }
}

#[test]
fn samples_spread_over_what_is_free() {
    // an axis that has to point up leaves the rotation about it free
    let up = RotationGoal::Axis {
        d_link: Vector::z(),
        target: Vector::z(),
    };
    let objective = Objective::rotation(LinkId::new(0), up);
    let mut quarters = [0; 4];
    let n = 400;
    for seed in 0..n {
        let pose = objective.sample(&Pose::identity(), 2.0, seed).unwrap();
        let x = pose.rotation * Vector::x();
        assert!(x.z.abs() < 1e-12 && pose.translation.vector.norm() <= 2.0);
        quarters[usize::from(x.x > 0.0) + 2 * usize::from(x.y > 0.0)] += 1;
    }
    // 100 each, within five standard deviations
    assert!(
        quarters.iter().all(|&k: &i32| (k - 100).abs() < 45),
        "{quarters:?}"
    );
}

#[test]
fn the_closest_pose_of_a_fixed_point_is_that_of_klampt() {
    // klampt 0.10.1: IKObjective.closestMatch keeps the rotation and moves the point to its target
    let objective = Objective::point(
        LinkId::new(6),
        Point::new(0.1, 0.2, 0.3),
        Point::new(1.0, 2.0, 3.0),
    );
    let near = Pose::from_parts(
        Vector::new(1.0, 2.0, 3.5).into(),
        so3::from_rpy([0.1, 0.2, 0.3]),
    );
    let nearest = objective.closest(&near).unwrap();
    assert!(angle(&nearest, &near) < 1e-15);
    let expected = Vector::new(1.0, 2.0, 3.0) - near.rotation * Vector::new(0.1, 0.2, 0.3);
    assert!((nearest.translation.vector - expected).norm() < 1e-15);
    assert!(is_invalid(&objective.closest(&Pose::translation(
        f64::NAN,
        0.0,
        0.0
    ))));
    assert!(is_invalid(&objective.sample(&near, -1.0, 0)));
    let broken = Objective::point(
        LinkId::new(6),
        Point::origin(),
        Point::new(0.0, f64::INFINITY, 0.0),
    );
    assert!(is_invalid(&broken.closest(&near)));
}
