//! Floating and ball bases at any orientation.

use std::f64::consts::FRAC_PI_2;

use kinworld::math::{Inertia, so3};
use kinworld::robot::JointKind;
use kinworld::sim::{
    Evaluation, Integrator, IntegratorState, KinematicTree, Mechanism, Method, PointMotion, Steps,
    first_order,
};
use kinworld::world::RigidObject;
use kinworld::{Point, Pose, RobotBuilder, State, Vector, kinematics};
use nalgebra::{Matrix3, Translation3};

use super::robots::{brick, chain_on, poses};
use crate::common::numbers::assert_close;

#[test]
fn a_pitching_body_passes_the_singular_orientation() {
    let mut robot = RobotBuilder::new("plate");
    let body = robot
        .add_virtual_chain(JointKind::Floating, "plate", None, &Pose::identity())
        .unwrap();
    robot.links[body.index()].inertia = Inertia {
        com: Point::origin(),
        ..brick()
    };
    let mut tree = KinematicTree::new(robot.build().unwrap());
    tree.forces.gravity = Vector::zeros();

    // constant rotation about its own y axis: at 90° after each odd second
    let rate = FRAC_PI_2;
    for method in [
        Method::Rk44,
        Method::Dop853,
        Method::VelocityVerlet,
        Method::GeneralizedAlpha { rho: 0.9 },
    ] {
        let start = [1.0, 2.0, 3.0, 0.4, 0.0, 0.0];
        let mut ode_state = tree
            .initial_state(0.0, &start, &[0.5, 0.0, -0.2, 0.0, rate, 0.0])
            .unwrap();
        let mut integrator = Integrator::new(method, Steps::Length(0.01)).unwrap();
        for k in 1..=9 {
            let t = f64::from(k);
            integrator
                .run(&mut tree, &mut ode_state, t, &mut ())
                .unwrap();
            let now = tree.at(t, &ode_state.y).unwrap();
            let motion = now.point_motion(body, &Point::origin()).unwrap();
            let expected = so3::from_rpy([0.0, 0.0, 0.4]) * so3::from_rpy([0.0, rate * t, 0.0]);
            let tolerance = if method.order() > 2 { 1e-7 } else { 2e-3 };
            assert!(
                (motion.rotation.matrix() - expected.matrix()).amax() < tolerance,
                "{method:?} at {t}"
            );
            let position = Point::new(1.0 + 0.5 * t, 2.0, 3.0 - 0.2 * t);
            assert!(
                (motion.position - position).norm() < 1e-9,
                "{method:?} at {t}"
            );
            assert!((motion.velocity.linear - Vector::new(0.5, 0.0, -0.2)).norm() < 1e-9);
        }
    }
}

#[test]
fn a_tumbling_body_follows_eulers_equations() {
    // nearly about the axis of the middle moment of inertia: it flips repeatedly
    let moment = Vector::new(0.3, 0.5, 0.7);
    let mut robot = RobotBuilder::new("racket");
    let body = robot
        .add_virtual_chain(JointKind::Floating, "racket", None, &Pose::identity())
        .unwrap();
    robot.links[body.index()].inertia = Inertia {
        mass: 1.0,
        com: Point::origin(),
        moment: Matrix3::from_diagonal(&moment),
    };
    let mut tree = KinematicTree::new(robot.build().unwrap());
    let w0 = Vector::new(0.01, 5.0, 0.02);

    // at zero angles the rates of yaw, pitch and roll are those about z, y and x
    let mut ode_state = tree
        .initial_state(0.0, &[0.0; 6], &[0.0, 0.0, 0.0, w0.z, w0.y, w0.x])
        .unwrap();
    let mut integrator = Integrator::new(Method::Dop853, Steps::Count(4000)).unwrap();
    integrator
        .run(&mut tree, &mut ode_state, 10.0, &mut ())
        .unwrap();
    let now = tree.at(10.0, &ode_state.y).unwrap();
    let motion = now.point_motion(body, &Point::origin()).unwrap();

    // reference: a quaternion and the angular velocity in the body
    let mut euler = first_order(7, move |_, y, dy| {
        let w = Vector::new(y[4], y[5], y[6]);
        let torque = w.cross(&moment.component_mul(&w));
        let (s, v) = (y[0], Vector::new(y[1], y[2], y[3]));
        dy[0] = -0.5 * v.dot(&w);
        dy[1..4].copy_from_slice((0.5 * (s * w + v.cross(&w))).as_slice());
        dy[4..].copy_from_slice((-torque.component_div(&moment)).as_slice());
    });
    let mut other = IntegratorState::new(0.0, vec![1.0, 0.0, 0.0, 0.0, w0.x, w0.y, w0.z]);
    integrator
        .run(&mut euler, &mut other, 10.0, &mut ())
        .unwrap();
    let expected = so3::from_wxyz([other.y[0], other.y[1], other.y[2], other.y[3]]).unwrap();
    assert!((motion.rotation.matrix() - expected.matrix()).amax() < 1e-9);
    let local = motion
        .rotation
        .inverse_transform_vector(&motion.velocity.angular);
    assert!((local - Vector::new(other.y[4], other.y[5], other.y[6])).norm() < 1e-9);
    assert!(local.y < 4.99, "it has left the axis");
}

#[test]
fn floating_and_ball_bases_move_the_same_on_a_rotated_base() {
    for kind in [JointKind::Floating, JointKind::BallAndSocket] {
        let robot = chain_on(kind);
        let n = robot.n_dofs();
        let gravity = Vector::new(0.5, -2.0, -9.0);
        let mut level = KinematicTree::new(robot.clone());
        level.forces.gravity = gravity;
        let q: Vec<f64> = (0..n).map(|i| 0.3 * (i as f64 + 1.0).sin()).collect();
        let v: Vec<f64> = (0..n).map(|i| 3.0 * (i as f64 + 2.0).cos()).collect();
        let mut ode_state = level.initial_state(0.0, &q, &v).unwrap();
        let begin = poses(&mut level, &ode_state);

        // the same robot on a rotated base: the base joint has another initial configuration, and is singular at other
        // times
        let x = Pose::from_parts(
            Translation3::new(0.3, -0.2, 0.5),
            so3::from_rpy([0.4, 1.3, -0.7]),
        );
        let mut tilted = KinematicTree::new(robot.clone()).with_base(x);
        tilted.forces.gravity = gravity;
        let joint = &robot.joints()[0];
        let position = robot.link(joint.links[0]).placement();
        let pose = robot.joint_pose(joint, &q).unwrap();
        let mut q_tilted = q.clone();
        let samples = x.inverse() * pose;
        if kind == JointKind::BallAndSocket {
            // the centre of the ball joint must stay where it is
            let x = Pose::from_parts(
                (pose * Point::origin() - x.rotation * position.translation.vector)
                    .coords
                    .into(),
                x.rotation,
            );
            tilted = KinematicTree::new(robot.clone()).with_base(x);
            tilted.forces.gravity = gravity;
        }
        robot
            .set_joint_pose(joint, &samples, &mut q_tilted)
            .unwrap();
        let mut state = State::new(&robot);
        state.set_config(&robot, &q).unwrap();
        state.set_velocity(&robot, &v).unwrap();
        let w = x
            .rotation
            .inverse_transform_vector(&kinematics::angular_velocity(&robot, &state, joint.link));
        let linear = x
            .rotation
            .inverse_transform_vector(&kinematics::point_velocity(
                &robot,
                &state,
                joint.link,
                &Point::origin(),
            ));
        let mut other = State::new(&robot);
        other.set_config(&robot, &q_tilted).unwrap();
        let rows = kinematics::jacobian(&robot, &other, joint.link, &Point::origin());
        let count = joint.links.len();
        let columns = rows.columns(0, count).into_owned();
        let wanted = nalgebra::Vector6::new(w.x, w.y, w.z, linear.x, linear.y, linear.z);
        let rates = columns.svd(true, true).solve(&wanted, 1e-9).unwrap();
        let mut v_tilted = v.clone();
        v_tilted[..count].copy_from_slice(rates.as_slice());
        let mut rotated_state = tilted.initial_state(0.0, &q_tilted, &v_tilted).unwrap();
        assert_close(
            "begin",
            &poses(&mut tilted, &rotated_state)[..12 * count],
            &begin[..12 * count],
            1e9,
        );
        let last = begin.len() - 36;
        assert_close(
            "begin",
            &poses(&mut tilted, &rotated_state)[last..],
            &begin[last..],
            1e-12,
        );

        let mut integrator = Integrator::new(Method::Dop853, Steps::Length(1e-3)).unwrap();
        integrator
            .run(&mut level, &mut ode_state, 2.0, &mut ())
            .unwrap();
        integrator
            .run(&mut tilted, &mut rotated_state, 2.0, &mut ())
            .unwrap();
        let (a, b) = (
            poses(&mut level, &ode_state),
            poses(&mut tilted, &rotated_state),
        );
        assert_close(format!("{kind:?}"), &a[last..], &b[last..], 1e-8);
    }
}

#[test]
fn positions_velocities_and_accelerations_are_consistent_in_any_chart() {
    let mut tree = KinematicTree::new(chain_on(JointKind::Floating));
    tree.forces.gravity = Vector::new(0.0, 1.0, -9.81);
    let n = tree.robot().n_dofs();
    let mut ode_state = tree
        .initial_state(
            0.0,
            &[0.1, 0.2, 0.3, 0.2, 0.9, 0.4, 0.5, -0.6],
            &[0.3, -0.2, 0.1, 1.0, 0.4, 0.5, 2.0, -1.0],
        )
        .unwrap();
    let mut integrator = Integrator::new(Method::Rk67, Steps::Count(1)).unwrap();
    let h = 1e-4;
    let mut samples = Vec::new();
    for k in 0..30 {
        integrator
            .run(&mut tree, &mut ode_state, f64::from(k) * h, &mut ())
            .unwrap();
        let now = tree.at(ode_state.t, &ode_state.y).unwrap();
        samples.push([
            now.positions().to_vec(),
            now.velocities().to_vec(),
            now.accelerations().to_vec(),
        ]);
    }
    // a pitch of 0.9 exceeds the range of a chart
    assert!((ode_state.y[4] - samples.last().unwrap()[0][4]).abs() > 0.5);
    for w in samples.windows(3) {
        for (what, i) in (0..2).flat_map(|what| (0..n).map(move |i| (what, i))) {
            let derivative = (w[2][what][i] - w[0][what][i]) / (2.0 * h);
            let measured = w[1][what + 1][i];
            assert!(
                (derivative - measured).abs() < 1e-4 * (1.0 + measured.abs()),
                "{what} {i}: {derivative} {measured}"
            );
        }
    }
}

#[test]
fn forces_on_the_angles_of_a_base_have_the_same_power_in_any_chart() {
    // the work of a user force on every degree of freedom equals the gain of energy
    let robot = chain_on(JointKind::Floating);
    let n = robot.n_dofs();
    let work = move |q: &[f64], out: &mut [f64]| {
        for i in 0..n {
            out[i] += -3.0 * q[i];
        }
    };
    let mut tree = KinematicTree::new(robot).with_user_force(move |_, q, _, out| work(q, out));
    tree.forces.gravity = Vector::zeros();
    let q0 = [0.1, 0.2, 0.3, 0.2, 0.9, 0.4, 0.5, -0.6];
    let mut ode_state = tree.initial_state(0.0, &q0, &[0.0; 8]).unwrap();
    let mut integrator = Integrator::new(Method::Rk67, Steps::Length(1e-3)).unwrap();
    integrator
        .run(&mut tree, &mut ode_state, 0.3, &mut ())
        .unwrap();
    let now = tree.at(0.3, &ode_state.y).unwrap();
    let spring = |q: &[f64]| 1.5 * q.iter().map(|q| q * q).sum::<f64>();
    let gained = now.energy().kinetic;
    assert!(gained > 0.01);
    assert!((gained - (spring(&q0) - spring(now.positions()))).abs() < 1e-9);
}

#[test]
fn a_rigid_object_of_a_world_moves_freely() {
    let mut object = RigidObject::new("crate");
    object.inertia = brick();

    // start at a singular orientation of the three angles
    object.pose = Pose::from_parts(
        Translation3::new(1.0, 2.0, 3.0),
        so3::from_rpy([0.3, FRAC_PI_2, 0.0]),
    );
    object.velocity = Vector::new(1.0, -2.0, 4.0);
    object.angular_velocity = Vector::new(3.0, -1.0, 2.0);
    let (mut tree, mut ode_state) = KinematicTree::of_object(&object).unwrap();
    tree.forces.gravity = Vector::new(0.0, 0.0, -10.0);
    let link = tree.robot().link_id("crate").unwrap();
    let now = tree.at(0.0, &ode_state.y).unwrap();
    let start = now.point_motion(link, &Point::origin()).unwrap();
    assert!((start.pose().to_matrix() - object.pose.to_matrix()).amax() < 1e-14);
    assert!((start.velocity.linear - object.velocity).norm() < 1e-13);
    assert!((start.velocity.angular - object.angular_velocity).norm() < 1e-13);

    // the centre of mass follows a parabola, and the angular momentum is constant
    let spin = |m: &PointMotion| {
        let w = m.rotation.inverse_transform_vector(&m.velocity.angular);
        m.rotation * (object.inertia.moment * w)
    };
    let before = now.point_motion(link, &object.inertia.com).unwrap();
    let mut integrator = Integrator::new(Method::Dop853, Steps::Length(5e-3)).unwrap();
    integrator
        .run(&mut tree, &mut ode_state, 2.0, &mut ())
        .unwrap();
    let now = tree.at(2.0, &ode_state.y).unwrap();
    let after = now.point_motion(link, &object.inertia.com).unwrap();
    let flown = before.position + before.velocity.linear * 2.0 - Vector::z() * 20.0;
    assert!((after.position - flown).norm() < 1e-9);
    assert!((spin(&after) - spin(&before)).norm() < 1e-9);
    assert!((after.rotation.matrix() - before.rotation.matrix()).amax() > 0.3);
}
