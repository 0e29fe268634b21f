//! What the description of a robot has no element for: springs of joints, and joints that close loops.

use super::document::Kind;
use super::fields::Notes;
use super::placed::{Graph, PlacedJoint};
use super::robot::prefix;
use super::tree::Component;
use crate::math::{Pose, Vector, so3};
use crate::robot::{JointSpring, LoopClosure, LoopFrame, LoopKind, RobotBuilder};

/// Adds them to the robot of a component.
pub(super) fn apply(
    graph: &Graph,
    component: &Component,
    robot: &mut RobotBuilder,
    notes: &Notes<'_>,
) {
    let prefix = prefix(graph, component);
    let short = |name: &str| name.strip_prefix(&prefix).unwrap_or(name).to_owned();
    for joint in component.steps.iter().filter_map(|step| step.joint) {
        let joint = graph.joints.get(joint.joint).expect("a joint");
        let name = short(&joint.name);
        for ((_, axis), name) in joint.axes.iter().zip([name.clone(), format!("{name}_2")]) {
            let Some([stiffness, rest]) = axis.spring else {
                continue;
            };
            let moved = robot.links.iter_mut().find(|link| link.joint == name);
            if let Some(link) = moved {
                link.spring = Some(JointSpring::new(stiffness, rest));
            }
        }
    }
    for &joint in &component.closed {
        let joint = graph.joints.get(joint).expect("a joint");
        close(graph, joint, &short, robot, notes);
    }
}

/// Adds the closure of a joint between two links of the tree.
fn close(
    graph: &Graph,
    joint: &PlacedJoint,
    short: &dyn Fn(&str) -> String,
    robot: &mut RobotBuilder,
    notes: &Notes<'_>,
) {
    let Some(kind) = loop_kind(joint) else {
        return;
    };
    // z is the axis of a revolute joint
    let axis = joint.axes.first().map_or_else(Vector::z, |(xyz, _)| *xyz);
    let turn = Pose::from_parts(Vector::zeros().into(), so3::align(&Vector::z(), &axis));
    let pose = joint.pose * turn;
    let frame = |link: Option<usize>| match link.and_then(|link| graph.links.get(link)) {
        Some(link) => {
            let id = robot.find_link(&short(&link.name))?;
            Some(LoopFrame::new(Some(id), link.pose.inverse() * pose))
        }
        None => Some(LoopFrame::new(None, pose)),
    };
    if let (Some(a), Some(b)) = (frame(joint.child), frame(joint.parent))
        && a.link != b.link
    {
        let name = short(&joint.name);
        robot.loop_closures.push(LoopClosure::new(name, kind, a, b));
    }
    let is_bare = joint.axes.iter().all(|(_, axis)| {
        axis.damping == 0.0
            && axis.friction == 0.0
            && axis.spring.is_none()
            && axis.mimic.is_none()
            && !axis.lower.is_finite()
            && !axis.upper.is_finite()
    });
    if !is_bare {
        let subject = format!("joint `{}`", joint.name);
        let problem = "it closes a loop, and becomes a loop closure: its limits, friction, spring and mimic are left out";
        notes.warn(joint.place, &subject, problem);
    }
}

/// The closure that a joint becomes, `None` for one that locks other motions.
pub(super) fn loop_kind(joint: &PlacedJoint) -> Option<LoopKind> {
    match joint.kind {
        Kind::Fixed => Some(LoopKind::Fixed),
        Kind::Ball => Some(LoopKind::Spherical),
        Kind::Revolute | Kind::Continuous => Some(LoopKind::Revolute),
        Kind::Prismatic | Kind::Universal | Kind::Screw | Kind::Other => None,
    }
}
