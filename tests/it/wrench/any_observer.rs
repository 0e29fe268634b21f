//! Balances of random robots, for observers with random motions.

use kinworld::dynamics::{self, Loads};
use kinworld::math::Wrench;
use kinworld::wrench::{AppliedWrench, Balance, FrameMotion, Frames, Site, chain};
use kinworld::{Robot, Vector};
use nalgebra::Vector6;
use proptest::prelude::*;

use super::{six, state};
use random_robots::{any_moving_heavy_robot, any_pose, any_vector, cases};

const GRAVITY: Vector = Vector::new(0.8, -1.7, -9.6);

/// Largest component of any wrench.
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

/// Axis of the joint of a link, in the link's frame, and whether it is revolute.
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
    fn all_observers_agree_on_joint_wrenches_and_balances_sum_to_zero(
        m in any_moving_heavy_robot(),
        custom in any_frame(),
        external in prop::array::uniform2(any_vector(4.0)),
    ) {
        let robot = &m.robot;
        let state = state(robot, &m.q, &m.dq);
        let mut frames = Frames::new(robot, &state, &m.ddq).unwrap();
        let custom = frames.add(custom).unwrap();
        let at_point = Site::on_link(m.link, m.point);
        let wrenches = [(m.link, AppliedWrench::new(Wrench { moment: external[1], force: external[0] }, at_point, custom))];

        let world = chain(&frames, &Site::WORLD, &GRAVITY, &wrenches).unwrap();
        let observers = [
            Site::WORLD,
            Site { position: m.point, ..Site::WORLD },
            Site::link(m.link),
            at_point,
            Site::origin(custom),
            Site { frame: custom, position: m.point },
        ];
        for observer in observers {
            let seen = chain(&frames, &observer, &GRAVITY, &wrenches).unwrap();
            let size = size(&seen).max(size(&world));
            for (ours, theirs) in seen.iter().zip(&world) {
                let joint = ours.joint.expressed(theirs.joint.frame, &frames).unwrap();
                let difference = six(&joint.difference(&theirs.joint).unwrap()).amax();
                prop_assert!(difference <= 1e-12 * size, "{observer:?}: {difference:e} at size {size}");

                let rows = ours.rows();
                let sum: Vector6<f64> = rows[1..].iter().map(|(_, w)| six(w)).sum();
                let residual = (sum - six(rows[0].1)).amax();
                prop_assert!(residual <= 1e-12 * size, "{observer:?}: {residual:e} at size {size}");
            }
        }
    }

    #[test]
    fn joint_wrenches_along_the_axis_equal_inverse_dynamics(
        m in any_moving_heavy_robot(),
        external in prop::array::uniform2(any_vector(4.0)),
    ) {
        let robot = &m.robot;
        let state = state(robot, &m.q, &m.dq);
        let frames = Frames::new(robot, &state, &m.ddq).unwrap();
        let at_origin = Site::link(m.link);
        let wrench = Wrench { moment: external[1], force: external[0] };
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
            let Some((axis, is_revolute)) = axis(robot, i) else { continue };
            let dof = robot.links()[i].dof().expect("it has an axis");
            let axis = state.pose(robot, balance.link).rotation * axis;
            let along = axis.dot(if is_revolute { &balance.joint.wrench.moment } else { &balance.joint.wrench.force });
            let difference = (along - tau[dof.index()]).abs();
            prop_assert!(difference <= 1e-11 * size, "link {i}: {difference:e} at size {size}");
        }
    }
}
