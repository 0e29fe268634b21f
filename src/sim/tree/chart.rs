//! Charts of floating bases and ball joints: no orientation is singular.
//!
//! Three angles about z, y, x are singular where the second is a right angle. Integrated are instead the angles of
//! `R = R₀ᵀ R_user`, with a reference rotation `R₀`: when the sine of the second angle exceeds [`RECENTER_SINE`], `R₀`
//! becomes the current rotation and the angles restart from zero. `R₀` is constant in between, so that every method
//! keeps its order. It is part of the placement of the chain's first link, so that every algorithm stays the same; the
//! translations along the axes of a floating base rotate with it.

use crate::kinematics::{euler_angular_velocity, euler_rates};
use crate::math::{Rotation, Vector, so3};
use crate::robot::{JointKind, LinkId, Robot};

/// Chart of a freely rotating joint: its reference rotation.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    first: LinkId,
    // degrees of freedom of the translations, none for a ball joint
    translation: Option<[usize; 3]>,
    // degrees of freedom of the rotations about z, y, x
    rotation: [usize; 3],
    reference: Rotation,
}

impl Chart {
    /// Charts of all freely rotating joints of a robot.
    pub(super) fn all(robot: &Robot) -> Vec<Self> {
        let joints = robot.joints().iter();
        let free = joints.filter(|joint| robot.is_spherical_chain(joint));
        let chart = free.filter_map(|joint| {
            let dof = |k: usize| robot.link(joint.links[k]).dof().map(|dof| dof.index());
            let three = |k: usize| Some([dof(k)?, dof(k + 1)?, dof(k + 2)?]);
            let floats = joint.kind == JointKind::Floating;
            Some(Self {
                first: joint.links[0],
                translation: if floats { three(0) } else { None },
                rotation: three(if floats { 3 } else { 0 })?,
                reference: Rotation::identity(),
            })
        });
        chart.collect()
    }

    /// Returns whether the angles are those of the user.
    pub(super) fn is_identity(&self) -> bool {
        self.reference == Rotation::identity()
    }

    /// Degrees of freedom of the chart.
    pub(super) fn dofs(&self) -> impl Iterator<Item = usize> + use<> {
        self.translation.into_iter().flatten().chain(self.rotation)
    }

    pub(super) fn reset(&mut self, robot: &Robot, model: &mut Robot) {
        self.reference = Rotation::identity();
        model.rotate_link(robot, self.first, &self.reference);
    }

    /// Returns whether the second angle is beyond the limit of the chart.
    pub(super) fn is_near_singular(&self, q: &[f64]) -> bool {
        // from −π to π
        let pitch = q[self.rotation[1]];
        !(pitch.sin().abs() <= RECENTER_SINE && pitch.cos() > 0.0)
    }

    /// Recenters the chart at the current rotation, and expresses positions and velocities in it.
    pub(super) fn recenter(&mut self, robot: &Robot, model: &mut Robot, [q, dq]: [&mut [f64]; 2]) {
        let [yaw, pitch, roll] = self.rotation;
        let moved = so3::orthonormalized(&so3::from_rpy([q[roll], q[pitch], q[yaw]]));
        let w = moved.inverse_transform_vector(&euler_angular_velocity(q, self.rotation, dq));
        if let Some(translation) = self.translation {
            for x in [&mut *q, &mut *dq] {
                scatter(
                    x,
                    translation,
                    moved.inverse_transform_vector(&gather(x, translation)),
                );
            }
        }
        scatter(q, self.rotation, Vector::zeros());

        // at zero the axes of the three angles are z, y, x
        scatter(dq, self.rotation, Vector::new(w.z, w.y, w.x));
        self.reference = so3::orthonormalized(&(self.reference * moved));
        model.rotate_link(robot, self.first, &self.reference);
    }

    /// Converts positions and velocities to those of the user.
    pub(super) fn to_user(&self, q: &mut [f64], dq: &mut [f64]) {
        if self.is_identity() {
            return;
        }
        let [yaw, pitch, roll] = self.rotation;
        let w = self.reference * euler_angular_velocity(q, self.rotation, dq);
        if let Some(translation) = self.translation {
            scatter(q, translation, self.reference * gather(q, translation));
            scatter(dq, translation, self.reference * gather(dq, translation));
        }
        let r = self.reference * so3::from_rpy([q[roll], q[pitch], q[yaw]]);
        let [r, p, y] = so3::to_rpy(&r);
        scatter(q, self.rotation, Vector::new(y, p, r));
        euler_rates(q, self.rotation, &w, dq);
    }

    /// Converts accelerations at `q`, `dq` to those of the user, at the user's positions and velocities `user`.
    pub(super) fn acceleration_to_user(
        &self,
        [q, dq]: [&[f64]; 2],
        user: [&[f64]; 2],
        ddq: &mut [f64],
    ) {
        if self.is_identity() {
            return;
        }
        if let Some(translation) = self.translation {
            scatter(ddq, translation, self.reference * gather(ddq, translation));
        }
        let dw = euler_angular_velocity(q, self.rotation, ddq) + drift(q, self.rotation, dq);
        let rest = self.reference * dw - drift(user[0], self.rotation, user[1]);
        euler_rates(user[0], self.rotation, &rest, ddq);
    }

    /// Converts generalized forces at the user's positions `user` to those at `q`, with the same power.
    pub(super) fn force_from_user(&self, user: &[f64], q: &[f64], tau: &mut [f64]) {
        if self.is_identity() || self.dofs().all(|i| tau[i] == 0.0) {
            return;
        }
        if let Some(translation) = self.translation {
            let force = self
                .reference
                .inverse_transform_vector(&gather(tau, translation));
            scatter(tau, translation, force);
        }
        let moment = moment(user, self.rotation, &gather(tau, self.rotation));
        let moment = self.reference.inverse_transform_vector(&moment);
        scatter(tau, self.rotation, powers(q, self.rotation, &moment));
    }

    /// Converts generalized forces at `q` to those at the user's positions `user`, with the same power.
    pub(super) fn force_to_user(&self, user: &[f64], q: &[f64], tau: &mut [f64]) {
        if self.is_identity() {
            return;
        }
        if let Some(translation) = self.translation {
            scatter(tau, translation, self.reference * gather(tau, translation));
        }
        let moment = self.reference * moment(q, self.rotation, &gather(tau, self.rotation));
        scatter(tau, self.rotation, powers(user, self.rotation, &moment));
    }
}

/// Angular acceleration at constant rates of the angles.
fn drift(q: &[f64], [yaw, pitch, roll]: [usize; 3], dq: &[f64]) -> Vector {
    let [z, y, x] = axes(q, [yaw, pitch, roll]);
    let (yawing, pitching) = (z * dq[yaw], y * dq[pitch]);
    yawing.cross(&pitching) + (yawing + pitching).cross(&(x * dq[roll]))
}

/// Axes of the rotations about z, y, x, each rotated by those before.
fn axes(q: &[f64], [yaw, pitch, _]: [usize; 3]) -> [Vector; 3] {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    [
        Vector::z(),
        Vector::new(-sy, cy, 0.0),
        Vector::new(cy * cp, sy * cp, -sp),
    ]
}

/// Components of a moment along the axes: its generalized forces.
fn powers(q: &[f64], rotation: [usize; 3], moment: &Vector) -> Vector {
    let [z, y, x] = axes(q, rotation);
    Vector::new(z.dot(moment), y.dot(moment), x.dot(moment))
}

/// Moment of these generalized forces; infinite where the angles are singular.
fn moment(q: &[f64], [yaw, pitch, _]: [usize; 3], along: &Vector) -> Vector {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    let ahead = (along.z + sp * along.x) / cp;
    Vector::new(
        cy * ahead - sy * along.y,
        sy * ahead + cy * along.y,
        along.x,
    )
}

fn gather(x: &[f64], [a, b, c]: [usize; 3]) -> Vector {
    Vector::new(x[a], x[b], x[c])
}

fn scatter(x: &mut [f64], [a, b, c]: [usize; 3], v: Vector) {
    (x[a], x[b], x[c]) = (v.x, v.y, v.z);
}

/// Sine of the second angle at which a chart is recentered: about 37°.
const RECENTER_SINE: f64 = 0.6;
