//! The same robot as a tree and as a multibody system: poses, velocities and accelerations.

use kinworld::math::{Wrench, so3};
use kinworld::robot::JointKind;
use kinworld::sim::{
    BaseMotion, Evaluation, IntegratorState, KinematicTree, Load, Mechanism, MultibodySystem, Pd,
    RobotBodies,
};
use kinworld::{LinkId, Point, Pose, Robot, Vector};
use nalgebra::Translation3;
use proptest::prelude::*;

use crate::common::numbers::assert_close;
use crate::sim::robots::{chain_on, load};
use random_robots::{any_moving_heavy_robot, cases};

/// Tree and system of the same robot, in the same state under the same forces.
pub(super) struct Pair {
    pub(super) tree: KinematicTree,
    pub(super) system: MultibodySystem,
    pub(super) bodies: RobotBodies,
    pub(super) states: [IntegratorState; 2],
}

impl Pair {
    /// On a rotated base, with gravity, a controller on every joint and an external wrench on the last link.
    pub(super) fn new(robot: &Robot, q: &[f64], dq: &[f64]) -> Self {
        let n = robot.n_dofs();
        let base = Pose::from_parts(
            Translation3::new(0.5, -1.0, 2.0),
            so3::from_rpy([0.4, -0.8, 1.9]),
        );
        let list = |first: f64, step: f64| -> Vec<f64> {
            (0..n).map(|i| first + step * (i % 5) as f64).collect()
        };
        let pd = Pd::default()
            .with_p(list(3.0, 1.0))
            .with_d(list(0.5, 0.1))
            .with_position(list(-0.2, 0.15))
            .with_velocity(list(0.3, -0.2));
        let joint = list(0.2, -0.3);
        let gravity = Vector::new(0.4, -0.3, -9.6);
        let mut tree = KinematicTree::new(robot.clone()).with_base(base);
        tree.forces.gravity = gravity;
        tree.forces.pd = pd.clone();
        tree.forces.joint.clone_from(&joint);
        let (mut system, mut bodies) = MultibodySystem::from_robot(robot).unwrap();
        system.set_base(&base).unwrap();
        system.gravity = gravity;
        bodies.set_pd(&mut system, &pd, &joint).unwrap();
        let last = LinkId::new(robot.links().len() - 1);
        let (moment, force) = (Vector::new(0.3, 0.1, -0.2), Vector::new(1.0, -2.0, 0.5));
        tree.forces.wrenches.push((last, Wrench { moment, force }));
        if system
            .velocity(&vec![0.5; 13 * system.n_bodies()], last)
            .is_ok()
        {
            system
                .loads
                .push(Load::new(last).with_force(force).with_moment(moment));
        }
        let states = [
            tree.initial_state(0.0, q, dq).unwrap(),
            bodies.initial_state(&mut system, 0.0, q, dq).unwrap(),
        ];
        Self {
            tree,
            system,
            bodies,
            states,
        }
    }

    /// Compares all links that have a body: poses, velocities and accelerations of a point.
    pub(super) fn compare(&mut self, tolerance: f64) {
        let [a, b] = &self.states;
        let robot = self.tree.robot().clone();
        let tree = self.tree.at(a.t, &a.y).unwrap();
        let system = self.system.at(b.t, &b.y).unwrap();
        let p = Point::new(0.3, -0.2, 0.1);
        let mut compared = 0;
        for i in 0..robot.links().len() {
            let link = LinkId::new(i);
            let Ok(ours) = system.point_motion(link, &p) else {
                continue;
            };
            let theirs = tree.point_motion(link, &p).unwrap();
            let name = robot.link(link).name().to_owned();
            let close = |what: &str, ours: &[f64], theirs: &[f64]| {
                let scale = theirs.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
                assert_close(format!("{what} of {name}"), ours, theirs, tolerance * scale);
            };
            let six = |m: &kinworld::math::Motion| [m.angular, m.linear].map(|v| [v.x, v.y, v.z]);
            close(
                "position",
                ours.position.coords.as_slice(),
                theirs.position.coords.as_slice(),
            );
            close(
                "rotation",
                ours.rotation.matrix().as_slice(),
                theirs.rotation.matrix().as_slice(),
            );
            close(
                "velocity",
                six(&ours.velocity).as_flattened(),
                six(&theirs.velocity).as_flattened(),
            );
            close(
                "acceleration",
                six(&ours.acceleration).as_flattened(),
                six(&theirs.acceleration).as_flattened(),
            );
            compared += 1;
        }
        assert!(compared > 0, "no link has a body");
        let energies = [tree.energy(), system.energy()].map(|e| [e.kinetic, e.total()]);
        let scale = energies[0].iter().fold(1.0_f64, |m, x| m.max(x.abs()));
        if robot.links().iter().all(|link| !link.motion().is_fixed()) {
            assert_close("energy", &energies[1], &energies[0], tolerance * scale);
        }
    }
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn any_robot_accelerates_as_its_tree((robot, q, dq) in any_moving_heavy_robot().prop_map(|m| (m.robot, m.q, m.dq))) {
        prop_assume!(robot.n_dofs() > 0);
        let mut pair = Pair::new(&robot, &q, &dq);
        pair.compare(1e-8);
        let [q_end, dq_end] = pair.bodies.motion(&mut pair.system, &pair.states[1]).unwrap();
        assert_close("q", &q_end, &q, 1e-8);
        assert_close("dq", &dq_end, &dq, 1e-8);
    }
}

#[test]
fn robots_with_every_kind_of_base_accelerate_as_their_trees() {
    let kinds = [
        JointKind::Floating,
        JointKind::FloatingPlanar,
        JointKind::BallAndSocket,
    ];
    let mut robots: Vec<Robot> = kinds.map(chain_on).into();
    robots.extend(
        [
            "arm6.urdf",
            "gripper.urdf",
            "quadruped.rob",
            "mobile_arm.rob",
        ]
        .map(load),
    );
    for robot in robots {
        let n = robot.n_dofs();
        let q: Vec<f64> = (0..n).map(|i| 0.4 - 0.17 * (i % 4) as f64).collect();
        let dq: Vec<f64> = (0..n).map(|i| -0.5 + 0.3 * (i % 3) as f64).collect();
        let mut pair = Pair::new(&robot, &q, &dq);

        // where drivers couple links, both start from the assembled state
        let [q, dq] = pair
            .bodies
            .motion(&mut pair.system, &pair.states[1])
            .unwrap();
        pair.states[0] = pair.tree.initial_state(0.0, &q, &dq).unwrap();
        pair.compare(1e-9);
        let [a, b] = &pair.states;
        let tree = pair.tree.at(a.t, &a.y).unwrap();
        let system = pair.system.at(b.t, &b.y).unwrap();
        if system.positions().len() == n {
            let theirs = tree.residual_forces();
            assert_close("residual forces", system.residual_forces(), theirs, 1e-8);
        }
    }
}

#[test]
fn a_moving_base_moves_what_is_attached_to_it() {
    let moved = |t: f64| BaseMotion {
        pose: Pose::from_parts(
            Translation3::new((2.0 * t).sin(), 0.3, t * t),
            so3::from_rpy([0.0, 0.0, 1.5 * t]) * so3::from_rpy([0.4, -0.8, 0.0]),
        ),
        velocity: kinworld::math::Motion {
            angular: Vector::new(0.0, 0.0, 1.5),
            linear: Vector::new(2.0 * (2.0 * t).cos(), 0.0, 2.0 * t),
        },
        acceleration: kinworld::math::Motion {
            angular: Vector::zeros(),
            linear: Vector::new(-4.0 * (2.0 * t).sin(), 0.0, 2.0),
        },
    };
    for robot in [load("arm6.urdf"), chain_on(JointKind::FloatingPlanar)] {
        let n = robot.n_dofs();
        let (q, dq) = (vec![0.3; n], vec![-0.4; n]);
        let mut pair = Pair::new(&robot, &q, &dq);
        pair.tree = pair.tree.with_moving_base(moved);
        pair.system.set_moving_base(moved);
        let t = 0.7;
        pair.states = [
            pair.tree.initial_state(t, &q, &dq).unwrap(),
            pair.bodies
                .initial_state(&mut pair.system, t, &q, &dq)
                .unwrap(),
        ];
        pair.compare(1e-10);
    }
}
