//! Robots of the tests, and their poses.

use kinworld::math::Inertia;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec};
use kinworld::sim::{Evaluation, IntegratorState, KinematicTree, Mechanism};
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, Vector};
use nalgebra::Matrix3;

use crate::common::files::data;

/// Body of 2 kg with three different moments of inertia and an offset centre of mass.
pub(crate) fn brick() -> Inertia {
    Inertia {
        mass: 2.0,
        com: Point::new(0.1, -0.05, 0.2),
        moment: Matrix3::from_diagonal(&Vector::new(0.3, 0.5, 0.7)),
    }
}

/// Chain of three on a base of this kind: offset arms that rotate about different axes.
pub(crate) fn chain_on(kind: JointKind) -> Robot {
    let mut robot = RobotBuilder::new("chain");
    let mut last = robot
        .add_virtual_chain(kind, "body", None, &Pose::translation(0.2, 0.1, -0.3))
        .unwrap();
    robot.links[last.index()].inertia = brick();
    for (i, axis) in [Vector::x(), Vector::y()].into_iter().enumerate() {
        let mut link = LinkSpec::new(format!("arm{i}"), Some(last), LinkMotion::Revolute(axis));
        link.placement = Pose::translation(0.3, 0.2, 0.1);
        link.inertia = brick();
        last = robot.add_link(link);
        robot.add_joint(JointKind::Normal, last, None);
    }
    robot.build().unwrap()
}

/// Robot from `data/robots`.
pub(crate) fn load(name: &str) -> Robot {
    Robot::load(data(&format!("robots/{name}"))).unwrap().value
}

/// Poses of all links in the world, as numbers.
pub(crate) fn poses(tree: &mut KinematicTree, state: &IntegratorState) -> Vec<f64> {
    let n = tree.robot().links().len();
    let now = tree.at(state.t, &state.y).unwrap();
    let mut out = Vec::new();
    for i in 0..n {
        let motion = now.point_motion(LinkId::new(i), &Point::origin()).unwrap();
        out.extend(motion.position.coords.iter());
        out.extend(motion.rotation.matrix().iter());
    }
    out
}
