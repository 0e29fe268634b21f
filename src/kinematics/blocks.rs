//! What the joints make of the coordinates: lengths and angles apart, rotations as one.

use crate::math::{Rotation, Vector, so2, so3};
use crate::robot::{JointKind, LinkId, Robot};

/// Coordinates, by index, that are measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// One coordinate that should not move.
    Weld(usize),
    /// One number.
    Linear(usize),
    /// One angle, equal modulo 2π.
    Angle(usize),
    /// Rotations about z, y, x in this order.
    Rotation([usize; 3]),
}

/// Every coordinate of a robot, each in one block.
pub(super) fn blocks(robot: &Robot) -> impl Iterator<Item = Block> + '_ {
    let dof = |link: LinkId| robot.link(link).dof().map(|dof| dof.index());
    let of_joints = robot.joints().iter().flat_map(move |joint| {
        let at = |k: usize| joint.links.get(k).and_then(|&link| dof(link));
        let linear = |k| at(k).map(Block::Linear);
        let angle = |k| at(k).map(Block::Angle);
        let rotation = |k| Some(Block::Rotation([at(k)?, at(k + 1)?, at(k + 2)?]));
        let blocks = match joint.kind {
            JointKind::Weld => [at(0).map(Block::Weld), None, None, None],
            JointKind::Normal => [linear(0), None, None, None],
            JointKind::Spin => [angle(0), None, None, None],
            JointKind::Floating => [linear(0), linear(1), linear(2), rotation(3)],
            JointKind::FloatingPlanar => [linear(0), linear(1), angle(2), None],
            JointKind::BallAndSocket => [rotation(0), None, None, None],
            JointKind::Closed => [None; 4],
        };
        blocks.into_iter().flatten()
    });
    let alone = robot.dofs().iter().enumerate();
    let alone = alone.filter(|&(_, &link)| robot.joint_of(link).is_none());
    of_joints.chain(alone.map(|(i, _)| Block::Linear(i)))
}

/// The rotation that a block stands for.
pub(super) fn rotation(q: &[f64], [yaw, pitch, roll]: [usize; 3]) -> Rotation {
    so3::from_rpy([q[roll], q[pitch], q[yaw]])
}

/// Writes the angles of a rotation, yaw and roll in `[0, 2π)`.
pub(super) fn euler(r: &Rotation, [yaw, pitch, roll]: [usize; 3], out: &mut [f64]) {
    let rpy = so3::to_rpy(r);
    out[roll] = so2::normalize(rpy[0]);
    out[pitch] = rpy[1];
    out[yaw] = so2::normalize(rpy[2]);
}

/// Angular velocity in world axes from the rates `v` of the angles `q`.
pub(crate) fn turning(q: &[f64], [yaw, pitch, roll]: [usize; 3], v: &[f64]) -> Vector {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    let x = Vector::new(cy * cp, sy * cp, -sp);
    let y = Vector::new(-sy, cy, 0.0);
    x * v[roll] + y * v[pitch] + Vector::z() * v[yaw]
}

/// Writes the rates of the angles `q` for an angular velocity in world axes: undoes [`turning`].
///
/// Where the pitch is a right angle, yaw and roll turn about the same axis and share what it asks for.
pub(crate) fn rates(q: &[f64], [yaw, pitch, roll]: [usize; 3], w: &Vector, out: &mut [f64]) {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    let ahead = cy * w.x + sy * w.y;
    out[pitch] = cy * w.y - sy * w.x;
    if cp.abs() < LOCKED {
        out[roll] = -0.5 * sp * w.z;
        out[yaw] = 0.5 * w.z;
    } else {
        out[roll] = ahead / cp;
        out[yaw] = w.z + sp * out[roll];
    }
}

/// The cosine of the pitch below which rates would only be large, not right.
const LOCKED: f64 = 1e-9;
