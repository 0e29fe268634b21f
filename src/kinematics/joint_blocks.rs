//! Grouping of the degrees of freedom by joint: lengths, angles, and rotations of three angles.

use crate::math::{Rotation, Vector, so2, so3};
use crate::robot::{JointKind, LinkId, Robot};

/// Indices of degrees of freedom that are measured together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// One degree of freedom that does not move.
    Weld(usize),
    /// One number.
    Linear(usize),
    /// One angle, equal modulo 2π.
    Angle(usize),
    /// Rotations about z, y, x in this order.
    Rotation([usize; 3]),
}

/// Blocks that cover every degree of freedom of a robot once.
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
    let ungrouped = robot.dofs().iter().enumerate();
    let ungrouped = ungrouped.filter(|&(_, &link)| robot.joint_of(link).is_none());
    of_joints.chain(ungrouped.map(|(i, _)| Block::Linear(i)))
}

/// The degrees of freedom of rotations of three angles.
pub(crate) fn dofs_of_rotations(robot: &Robot) -> impl Iterator<Item = usize> + '_ {
    let rotations = blocks(robot).filter_map(|block| match block {
        Block::Rotation(angles) => Some(angles),
        _ => None,
    });
    rotations.flatten()
}

/// The rotation that three angles of `q` describe.
pub(super) fn rotation(q: &[f64], [yaw, pitch, roll]: [usize; 3]) -> Rotation {
    so3::from_rpy([q[roll], q[pitch], q[yaw]])
}

/// Writes the angles of a rotation, yaw and roll in `[0, 2π)`.
pub(super) fn write_euler(r: &Rotation, [yaw, pitch, roll]: [usize; 3], out: &mut [f64]) {
    let rpy = so3::to_rpy(r);
    out[roll] = so2::normalize(rpy[0]);
    out[pitch] = rpy[1];
    out[yaw] = so2::normalize(rpy[2]);
}

/// Angular velocity in world axes for the rates `v` of the angles `q`.
pub(crate) fn euler_angular_velocity(
    q: &[f64],
    [yaw, pitch, roll]: [usize; 3],
    v: &[f64],
) -> Vector {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    let x = Vector::new(cy * cp, sy * cp, -sp);
    let y = Vector::new(-sy, cy, 0.0);
    x * v[roll] + y * v[pitch] + Vector::z() * v[yaw]
}

/// Writes the rates of the angles `q` for an angular velocity in world axes; the inverse of
/// [`euler_angular_velocity`].
///
/// At a pitch of ±π/2 yaw and roll rotate about the same axis and share the rotation about it equally.
pub(crate) fn euler_rates(q: &[f64], [yaw, pitch, roll]: [usize; 3], w: &Vector, out: &mut [f64]) {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    let forward = cy * w.x + sy * w.y;
    out[pitch] = cy * w.y - sy * w.x;
    if cp.abs() < GIMBAL_LOCK_COS {
        out[roll] = -0.5 * sp * w.z;
        out[yaw] = 0.5 * w.z;
    } else {
        out[roll] = forward / cp;
        out[yaw] = w.z + sp * out[roll];
    }
}

/// Cosine of the pitch below which the angles count as gimbal-locked: rates would be large, not right.
const GIMBAL_LOCK_COS: f64 = 1e-9;
