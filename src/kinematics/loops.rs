//! Errors and Jacobians of the joints that close loops.

use nalgebra::{DMatrix, Matrix6xX};

use super::{State, jacobian, jacobian_dot_times_velocity};
use crate::math::{Motion, Point, Pose, Vector, so3};
use crate::robot::{LoopClosure, LoopFrame, LoopKind, Robot};

/// Errors of the [loop closures](Robot::loop_closures) of a robot, 0 where they are closed; rad and m.
///
/// One value for each row of [`loop_jacobian`], closure after closure:
///
/// | kind | rows | value |
/// |---|---|---|
/// | spherical | 3 | position of frame *a* minus that of *b*, in world axes |
/// | revolute | 5 | `−y_b · z_a`, `x_b · z_a`: the rotation from *b* to *a* about the x and y axes of *b*, to first order; then as spherical |
/// | fixed | 6 | rotation vector from *b* to *a*, in world axes; then as spherical |
///
/// # Panics
///
/// If the state belongs to a larger robot.
#[must_use]
pub fn loop_errors(robot: &Robot, state: &State) -> Vec<f64> {
    let mut errors = Vec::new();
    for closure in robot.loop_closures() {
        let (a, b) = frames(robot, state, closure);
        match closure.kind {
            LoopKind::Spherical => {}
            LoopKind::Revolute => {
                let (columns, z) = (b.rotation.matrix(), a.rotation * Vector::z());
                errors.extend([-columns.column(1).dot(&z), columns.column(0).dot(&z)]);
            }
            LoopKind::Fixed => {
                errors.extend(so3::to_rotation_vector(&(a.rotation * b.rotation.inverse())).iter());
            }
        }
        errors.extend((a.translation.vector - b.translation.vector).iter());
    }
    errors
}

/// Jacobian of the [loop closures](Robot::loop_closures), k × n: velocities of frame *a* relative to *b*, in the rows of
/// [`loop_errors`].
///
/// Each frame is fixed to its link: where a loop is closed, these are the derivatives of its errors; where it is not, those
/// of the positions.
///
/// # Panics
///
/// If the state belongs to a larger robot.
#[must_use]
pub fn loop_jacobian(robot: &Robot, state: &State) -> DMatrix<f64> {
    let n_rows = robot.loop_closures().iter().map(|c| c.kind.n_rows()).sum();
    let mut out = DMatrix::zeros(n_rows, robot.n_dofs());
    let mut first = 0;
    for closure in robot.loop_closures() {
        let of = |frame: &LoopFrame| match frame.link {
            Some(link) => jacobian(robot, state, link, &origin(frame)),
            None => Matrix6xX::zeros(robot.n_dofs()),
        };
        let relative = of(&closure.a) - of(&closure.b);
        let (_, b) = frames(robot, state, closure);
        for (mut out, column) in out.column_iter_mut().zip(relative.column_iter()) {
            let motion = Motion {
                angular: column.fixed_rows::<3>(0).into_owned(),
                linear: column.fixed_rows::<3>(3).into_owned(),
            };
            for (k, value) in rows(closure.kind, &b, &motion).enumerate() {
                out[first + k] = value;
            }
        }
        first += closure.kind.n_rows();
    }
    out
}

/// `J̇ · dq` of [`loop_jacobian`] (k) at the velocity of the state.
///
/// # Panics
///
/// If the state belongs to a larger robot.
#[must_use]
pub fn loop_drift(robot: &Robot, state: &State) -> Vec<f64> {
    let mut drift = Vec::new();
    for closure in robot.loop_closures() {
        let of = |frame: &LoopFrame| match frame.link {
            Some(link) => {
                let p = origin(frame);
                let omega = super::angular_velocity(robot, state, link);
                (jacobian_dot_times_velocity(robot, state, link, &p), omega)
            }
            None => (Motion::default(), Vector::zeros()),
        };
        let ((drift_a, omega_a), (drift_b, omega_b)) = (of(&closure.a), of(&closure.b));
        let (_, b) = frames(robot, state, closure);
        let mut relative = Motion {
            angular: drift_a.angular - drift_b.angular,
            linear: drift_a.linear - drift_b.linear,
        };
        if closure.kind == LoopKind::Revolute {
            // the axes of the rows rotate with b: (ω_b × x) · Δω = x · (Δω × ω_b)
            relative.angular += (omega_a - omega_b).cross(&omega_b);
        }
        drift.extend(rows(closure.kind, &b, &relative));
    }
    drift
}

/// Poses of both frames of a closure.
fn frames(robot: &Robot, state: &State, closure: &LoopClosure) -> (Pose, Pose) {
    let of = |frame: &LoopFrame| match frame.link {
        Some(link) => state.pose(robot, link) * frame.pose,
        None => frame.pose,
    };
    (of(&closure.a), of(&closure.b))
}

fn origin(frame: &LoopFrame) -> Point {
    Point::from(frame.pose.translation.vector)
}

/// The rows of a relative motion in world axes that a closure locks.
fn rows(kind: LoopKind, b: &Pose, motion: &Motion) -> impl Iterator<Item = f64> {
    let (angular, n) = match kind {
        LoopKind::Spherical => (Vector::zeros(), 0),
        LoopKind::Revolute => (b.rotation.inverse_transform_vector(&motion.angular), 2),
        LoopKind::Fixed => (motion.angular, 3),
    };
    let linear: [f64; 3] = motion.linear.into();
    let angular: [f64; 3] = angular.into();
    angular.into_iter().take(n).chain(linear)
}
