//! Relative motions of frames and points, and inertias in other frames.

use kinworld::wrench::{FrameId, Frames, Site};
use kinworld::{Point, Robot, State, Vector, kinematics};
use nalgebra::Matrix3;
use proptest::prelude::*;

use super::state;
use random_robots::{Moving, any_moving_heavy_robot, any_moving_robot, cases};

/// The state at a time `t` later, at constant acceleration.
fn later(m: &Moving, t: f64) -> State {
    let step = |i: usize| t * m.dq[i] + 0.5 * t * t * m.ddq[i];
    let q: Vec<_> = (0..m.q.len()).map(|i| m.q[i] + step(i)).collect();
    let dq: Vec<_> = (0..m.q.len()).map(|i| m.dq[i] + t * m.ddq[i]).collect();
    state(&m.robot, &q, &dq)
}

/// Position of a point relative to an observer, at a state of the robot.
fn relative_position(robot: &Robot, state: &State, point: &Site, observer: &Site) -> Vector {
    let frames = Frames::new(robot, state, &vec![0.0; robot.n_dofs()]).unwrap();
    frames.relative(point, observer).unwrap().position
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn frames_of_links_match_kinematics(m in any_moving_robot()) {
        let (robot, state) = (&m.robot, state(&m.robot, &m.q, &m.dq));
        let frames = Frames::new(robot, &state, &m.ddq).unwrap();
        let ours = frames.motion(FrameId::Link(m.link)).unwrap();
        let origin = Point::origin();
        let point = Site::on_link(m.link, m.point);
        let relative = frames.relative(&point, &Site::WORLD).unwrap();
        let ddq = &m.ddq;
        let pairs = [
            (ours.angular_velocity, kinematics::angular_velocity(robot, &state, m.link)),
            (ours.velocity, kinematics::point_velocity(robot, &state, m.link, &origin)),
            (
                ours.angular_acceleration,
                kinematics::angular_acceleration(robot, &state, m.link, ddq).unwrap(),
            ),
            (
                relative.acceleration,
                kinematics::point_acceleration(robot, &state, m.link, &m.point, ddq).unwrap(),
            ),
            (relative.velocity, kinematics::point_velocity(robot, &state, m.link, &m.point)),
        ];
        for (ours, theirs) in pairs {
            let size = 1.0 + theirs.norm();
            prop_assert!((ours - theirs).norm() <= 1e-10 * size * size, "{ours} is not {theirs}");
        }
    }

    #[test]
    fn rates_are_those_of_the_components(m in any_moving_heavy_robot()) {
        // few links, so that differences are accurate
        prop_assume!(m.robot.links().len() <= 12);
        let robot = &m.robot;
        let (point, observer) = (Site::on_link(m.link, m.point), Site::link(kinworld::LinkId::new(0)));
        let frames = Frames::new(robot, &later(&m, 0.0), &m.ddq).unwrap();
        let ours = frames.relative(&point, &observer).unwrap();

        let h = 1e-4;
        let at = |t: f64| relative_position(robot, &later(&m, t), &point, &observer);
        let (before, now, after) = (at(-h), at(0.0), at(h));
        let velocity = (after - before) / (2.0 * h);
        let acceleration = (after - now * 2.0 + before) / (h * h);
        let rate = m.dq.iter().zip(&m.ddq).map(|(v, a)| v.abs() + a.abs()).sum::<f64>();
        let size = (1.0 + rate).powi(4) * (1.0 + now.norm());
        prop_assert!((ours.velocity - velocity).norm() <= 1e-6 * size);
        prop_assert!((ours.acceleration - acceleration).norm() <= 1e-5 * size);
    }

    #[test]
    fn inertias_rotate_as_tensors_and_shift_by_steiner(m in any_moving_heavy_robot()) {
        let robot = &m.robot;
        let state = state(robot, &m.q, &m.dq);
        let frames = Frames::new(robot, &state, &m.ddq).unwrap();
        let about = Site { position: m.point, ..Site::WORLD };
        let ours = frames.inertia(m.link, &about, FrameId::World).unwrap();

        let inertia = robot.link(m.link).inertia();
        let pose = state.pose(robot, m.link);
        let (r, c) = (pose.rotation.matrix(), pose * inertia.com - m.point);
        let steiner = Matrix3::identity() * c.norm_squared() - c * c.transpose();
        let theirs = r * inertia.moment * r.transpose() + steiner * inertia.mass;
        let size = theirs.amax();
        prop_assert!((ours - theirs).amax() <= 1e-12 * size, "{ours} is not {theirs}");
    }

    #[test]
    fn angular_rates_compose(m in any_moving_robot()) {
        let robot = &m.robot;
        let frames = Frames::new(robot, &state(robot, &m.q, &m.dq), &m.ddq).unwrap();
        let (link, root) = (FrameId::Link(m.link), FrameId::Link(kinworld::LinkId::new(0)));
        let world = FrameId::World;

        // ω of a in c = ω of a in b + ω of b in c, once in the same axes
        let (w, dw) = frames.angular(link, root).unwrap();
        let (w_root, dw_root) = frames.angular(root, world).unwrap();
        let (w_link, dw_link) = frames.angular(link, world).unwrap();
        let r = frames.rotation(world, root).unwrap();
        let size = 1.0 + dw_link.norm() + dw_root.norm() + w_link.norm() * w_root.norm();
        prop_assert!((r * w + w_root - w_link).norm() <= 1e-12 * size);
        let sum = r * dw + dw_root + w_root.cross(&(r * w));
        prop_assert!((sum - dw_link).norm() <= 1e-12 * size);
    }
}
