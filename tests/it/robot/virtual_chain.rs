//! Virtual chains and their poses.

use kinworld::robot::{JointKind, RobotBuilder};
use kinworld::{Pose, Robot, Vector};
use nalgebra::Translation3;

use super::{chain, is_invalid, is_length, pose_error, poses};

fn some_pose() -> Pose {
    Pose::from_parts(
        Translation3::new(1.0, -2.0, 0.5),
        kinworld::Rotation::new(Vector::new(0.4, -1.1, 2.0)),
    )
}

/// One link on a floating base.
fn floating() -> Robot {
    let base = chain(&["a"]).with_base(JointKind::Floating);
    base.unwrap().build().unwrap()
}

#[test]
fn a_floating_base_is_six_links_in_the_order_of_the_file_format() {
    let robot = floating();
    let names: Vec<_> = robot
        .links()
        .iter()
        .map(kinworld::robot::Link::name)
        .collect();
    assert_eq!(
        names,
        [
            "base_tx", "base_ty", "base_tz", "base_rz", "base_ry", "base", "a"
        ]
    );
    let kinds: Vec<_> = robot
        .links()
        .iter()
        .map(|link| link.motion().name())
        .collect();
    assert_eq!(
        kinds[..6],
        [
            "prismatic",
            "prismatic",
            "prismatic",
            "revolute",
            "revolute",
            "revolute"
        ]
    );
    assert_eq!(robot.joints()[0].kind, JointKind::Floating);
    assert_eq!(robot.drivers().len(), 1);
}

#[test]
fn set_pose_and_get_pose_agree_with_the_product_of_the_links() {
    let robot = floating();
    let joint = &robot.joints()[0];
    let mut q = vec![0.0; robot.n_dofs()];
    robot.set_joint_pose(joint, &some_pose(), &mut q).unwrap();
    assert!(pose_error(&robot.joint_pose(joint, &q).unwrap(), &some_pose()) < 1e-14);
    assert!(pose_error(&poses(&robot, &q)[5], &some_pose()) < 1e-14);
    assert_eq!(&q[6..], &[0.0]);
}

#[test]
fn poses_of_a_chain_are_relative_to_its_parent() {
    let mut builder = RobotBuilder::new("ball");
    let place = Pose::translation(0.0, 0.0, 2.0);
    builder
        .add_virtual_chain(JointKind::BallAndSocket, "ball", None, &place)
        .unwrap();
    let robot = builder.build().unwrap();
    let wanted = place * Pose::from_parts(Translation3::identity(), some_pose().rotation);
    let mut q = vec![0.0; 3];
    robot
        .set_joint_pose(&robot.joints()[0], &wanted, &mut q)
        .unwrap();
    assert!(pose_error(&poses(&robot, &q)[2], &wanted) < 1e-14);
}

#[test]
fn near_the_singular_orientation_no_digit_of_the_pose_is_lost() {
    let robot = floating();
    for off in [0.0, 1e-12, 1e-9, 1e-7, 1e-4] {
        let pitch = std::f64::consts::FRAC_PI_2 - off;
        let wanted = Pose::rotation(Vector::z() * 0.2)
            * Pose::rotation(Vector::y() * pitch)
            * Pose::rotation(Vector::x() * 0.3);
        let mut q = vec![0.0; 7];
        robot
            .set_joint_pose(&robot.joints()[0], &wanted, &mut q)
            .unwrap();
        let error = pose_error(&poses(&robot, &q)[5], &wanted);
        assert!(error < 1e-14, "{off}: {error}");
    }
}

#[test]
fn poses_of_joints_that_have_none_are_refused_and_nothing_changes() {
    let robot = floating();
    let mut q = vec![0.25; 7];
    assert!(is_invalid(&robot.set_joint_pose(
        &robot.joints()[1],
        &some_pose(),
        &mut q
    )));
    let nan = Pose::translation(f64::NAN, 0.0, 0.0);
    assert!(is_invalid(&robot.set_joint_pose(
        &robot.joints()[0],
        &nan,
        &mut q
    )));
    assert!(is_length(&robot.set_joint_pose(
        &robot.joints()[0],
        &some_pose(),
        &mut q[1..]
    )));
    assert_eq!(q, [0.25; 7]);
    assert!(is_invalid(&chain(&["a"]).with_base(JointKind::Weld)));
}
