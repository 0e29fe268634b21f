//! The worked example of the manual page: three unit links in a plane, by hand.

use std::f64::consts::FRAC_PI_4;

use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{LinkId, Point, Robot, RobotBuilder, State, Vector, kinematics};

/// Three links of length 1 that rotate about the same axis.
fn arm(axis: Vector) -> Robot {
    let mut robot = RobotBuilder::new("planar3R");
    let mut parent = None;
    for i in 0..3 {
        let mut link = LinkSpec::new(format!("link{i}"), parent, LinkMotion::Revolute(axis));
        link.placement.translation.x = if i == 0 { 0.0 } else { 1.0 };
        parent = Some(robot.add_link(link));
    }
    robot.build().unwrap()
}

/// The tip and its position Jacobian at (0, π/4, π/4).
fn tip(axis: Vector) -> (Point, nalgebra::Matrix3xX<f64>) {
    let robot = arm(axis);
    let mut state = State::new(&robot);
    state
        .set_config(&robot, &[0.0, FRAC_PI_4, FRAC_PI_4])
        .unwrap();
    let (link, p) = (LinkId::new(2), Point::new(1.0, 0.0, 0.0));
    let full = kinematics::jacobian(&robot, &state, link, &p);
    let position = kinematics::position_jacobian(&robot, &state, link, &p);
    assert_eq!(full.fixed_rows::<3>(3), position);
    for j in 0..3 {
        assert_eq!(full.fixed_view::<3, 1>(0, j), axis);
    }
    let p_w = kinematics::world_position(&robot, &state, link, &p);
    (p_w, position)
}

fn check(axis: Vector, position: [f64; 3], rows: [[f64; 3]; 3]) {
    let (p_w, jacobian) = tip(axis);
    for i in 0..3 {
        assert!((p_w[i] - position[i]).abs() <= 4e-16, "{p_w:?}");
        for j in 0..3 {
            // exact zeros are computed to 1e-15
            let exact = rows[i][j];
            let tolerance = if exact == 0.0 { 1e-15 } else { 4e-16 };
            assert!((jacobian[(i, j)] - exact).abs() <= tolerance, "{jacobian}");
        }
    }
}

#[test]
fn an_arm_about_minus_y_lifts_with_positive_angles() {
    check(
        -Vector::y(),
        [1.7071067811865477, 0.0, 1.7071067811865475],
        [
            [-1.7071067811865475, -1.7071067811865475, -1.0],
            [0.0, 0.0, 0.0],
            [1.7071067811865477, 0.7071067811865477, 0.0],
        ],
    );
}

#[test]
fn an_arm_about_plus_y_falls_with_positive_angles() {
    check(
        Vector::y(),
        [1.7071067811865477, 0.0, -1.7071067811865475],
        [
            [-1.7071067811865475, -1.7071067811865475, -1.0],
            [0.0, 0.0, 0.0],
            [-1.7071067811865477, -0.7071067811865477, 0.0],
        ],
    );
}
