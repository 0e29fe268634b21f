//! On robots that nobody designed, for observers that move as they like.

use kinworld::dynamics::{self, Loads};
use kinworld::math::Wrench;
use kinworld::wrench::{AppliedWrench, Balance, FrameMotion, Frames, Site, chain};
use kinworld::{Robot, Vector};
use nalgebra::Vector6;
use proptest::prelude::*;

use super::{six, state};
use crate::common::robots::{any_moving_heavy_robot, any_pose, any_vector, cases};

const GRAVITY: Vector = Vector::new(0.8, -1.7, -9.6);

/// The largest number of any wrench.
fn size(balances: &[Balance]) -> f64 {
    let rows = balances.iter().flat_map(Balance::rows);
    rows.map(|(_, wrench)| six(wrench).amax())
        .fold(1.0, f64::max)
}

fn any_frame() -> impl Strategy<Value = FrameMotion> {
    let motions = prop::array::uniform4(any_vector(3.0));
    (any_pose(), motions).prop_map(|(pose, [w, v, dw, a])| FrameMotion {
        pose,
        angular_velocity: w,
        velocity: v,
        angular_acceleration: dw,
        acceleration: a,
    })
}

/// The axis of each link's joint, in the link's frame, turning or sliding.
fn axis(robot: &Robot, link: usize) -> Option<(Vector, bool)> {
    use kinworld::robot::LinkMotion::{Fixed, Prismatic, Revolute};
    match robot.links()[link].motion() {
        Fixed => None,
        Revolute(axis) => Some((*axis, true)),
        Prismatic(axis) => Some((*axis, false)),
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn all_agree_on_the_joints_and_their_sums_balance(
        m in any_moving_heavy_robot(),
        custom in any_frame(),
        push in prop::array::uniform2(any_vector(4.0)),
    ) {
        let robot = &m.robot;
        let state = state(robot, &m.q, &m.dq);
        let mut frames = Frames::new(robot, &state, &m.ddq).unwrap();
        let custom = frames.add(custom).unwrap();
        let at_point = Site::on_link(m.link, m.point);
        let external = [(m.link, AppliedWrench::new(Wrench::new(push[1], push[0]), at_point, custom))];

        let world = chain(&frames, &Site::WORLD, &GRAVITY, &external).unwrap();
        let observers = [
            Site::WORLD,
            Site { position: m.point, ..Site::WORLD },
            Site::link(m.link),
            at_point,
            Site::origin(custom),
            Site { frame: custom, position: m.point },
        ];
        for observer in observers {
            let seen = chain(&frames, &observer, &GRAVITY, &external).unwrap();
            let size = size(&seen).max(size(&world));
            for (ours, theirs) in seen.iter().zip(&world) {
                let joint = ours.joint.expressed(theirs.joint.frame, &frames).unwrap();
                let apart = six(&joint.difference(&theirs.joint).unwrap()).amax();
                prop_assert!(apart <= 1e-12 * size, "{observer:?}: {apart:e} at size {size}");

                let rows = ours.rows();
                let sum: Vector6<f64> = rows[1..].iter().map(|(_, w)| six(w)).sum();
                let left = (sum - six(rows[0].1)).amax();
                prop_assert!(left <= 1e-12 * size, "{observer:?}: {left:e} at size {size}");
            }
        }
    }

    #[test]
    fn along_its_axis_a_joint_does_what_its_motor_has_to(
        m in any_moving_heavy_robot(),
        push in prop::array::uniform2(any_vector(4.0)),
    ) {
        let robot = &m.robot;
        let state = state(robot, &m.q, &m.dq);
        let frames = Frames::new(robot, &state, &m.ddq).unwrap();
        let at_origin = Site::link(m.link);
        let wrench = Wrench::new(push[1], push[0]);
        let applied = AppliedWrench::new(wrench, at_origin, Site::WORLD.frame);
        let balances = chain(&frames, &Site::WORLD, &GRAVITY, &[(m.link, applied)]).unwrap();

        let wrenches = [(m.link, wrench)];
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let mut tau = dynamics::inverse_dynamics(robot, &state, loads, &m.ddq).unwrap();
        for (tau, (armature, ddq)) in tau.iter_mut().zip(robot.armature().zip(&m.ddq)) {
            *tau -= armature * ddq;
        }
        let size = size(&balances);
        for (i, balance) in balances.iter().enumerate() {
            let Some((axis, turns)) = axis(robot, i) else { continue };
            let dof = robot.links()[i].dof().expect("it has an axis");
            let axis = state.pose(robot, balance.link).rotation * axis;
            let along = axis.dot(if turns { &balance.joint.wrench.moment } else { &balance.joint.wrench.force });
            let apart = (along - tau[dof.index()]).abs();
            prop_assert!(apart <= 1e-11 * size, "link {i}: {apart:e} at size {size}");
        }
    }
}
