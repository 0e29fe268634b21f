//! Rotations of floating bases and ball joints, so that no orientation is singular.
//!
//! Three angles about z, y, x are singular where the second is a right angle. Integrated are the angles of
//! `R = R₀ᵀ R_user` instead, with a reference `R₀` that follows: as soon as the second angle is beyond [`FAR`], `R₀`
//! becomes the rotation itself and the angles start again from zero. In between nothing changes, so that every method
//! keeps its order. The robot is the same with `R₀` in the placement of the chain's first link, so that every algorithm is
//! the same, too; what slides along the axes of a floating base turns with them.

use crate::kinematics::{euler_angular_velocity, euler_rates};
use crate::math::{Rotation, Vector, so3};
use crate::robot::{JointKind, LinkId, Robot};

/// A joint that turns freely, and its reference rotation.
#[derive(Debug, Clone)]
pub(super) struct Chart {
    first: LinkId,
    // coordinates that slide, none for a ball joint
    slides: Option<[usize; 3]>,
    // of the rotations about z, y, x
    turns: [usize; 3],
    reference: Rotation,
}

impl Chart {
    /// The joints of a robot that turn freely.
    pub(super) fn all(robot: &Robot) -> Vec<Self> {
        let joints = robot.joints().iter();
        let free = joints.filter(|joint| robot.is_spherical_chain(joint));
        let chart = free.filter_map(|joint| {
            let dof = |k: usize| robot.link(joint.links[k]).dof().map(|dof| dof.index());
            let three = |k: usize| Some([dof(k)?, dof(k + 1)?, dof(k + 2)?]);
            let floats = joint.kind == JointKind::Floating;
            Some(Self {
                first: joint.links[0],
                slides: if floats { three(0) } else { None },
                turns: three(if floats { 3 } else { 0 })?,
                reference: Rotation::identity(),
            })
        });
        chart.collect()
    }

    /// Whether the angles are those of the user.
    pub(super) fn is_home(&self) -> bool {
        self.reference == Rotation::identity()
    }

    /// The coordinates that it speaks for.
    pub(super) fn dofs(&self) -> impl Iterator<Item = usize> + use<> {
        self.slides.into_iter().flatten().chain(self.turns)
    }

    pub(super) fn go_home(&mut self, home: &Robot, model: &mut Robot) {
        self.reference = Rotation::identity();
        model.rotate_link(home, self.first, &self.reference);
    }

    /// Whether the second angle has gone far.
    pub(super) fn is_far(&self, q: &[f64]) -> bool {
        // from −π to π
        let pitch = q[self.turns[1]];
        !(pitch.sin().abs() <= FAR && pitch.cos() > 0.0)
    }

    /// Starts again from here: the same place and motion in coordinates of a new reference.
    pub(super) fn restart(&mut self, home: &Robot, model: &mut Robot, [q, dq]: [&mut [f64]; 2]) {
        let [yaw, pitch, roll] = self.turns;
        let moved = so3::orthonormalized(&so3::from_rpy([q[roll], q[pitch], q[yaw]]));
        let w = moved.inverse_transform_vector(&euler_angular_velocity(q, self.turns, dq));
        if let Some(slides) = self.slides {
            for x in [&mut *q, &mut *dq] {
                put(x, slides, moved.inverse_transform_vector(&take(x, slides)));
            }
        }
        put(q, self.turns, Vector::zeros());

        // at zero the axes of the three angles are z, y, x
        put(dq, self.turns, Vector::new(w.z, w.y, w.x));
        self.reference = so3::orthonormalized(&(self.reference * moved));
        model.rotate_link(home, self.first, &self.reference);
    }

    /// Makes coordinates and velocities those of the user.
    pub(super) fn to_user(&self, q: &mut [f64], dq: &mut [f64]) {
        if self.is_home() {
            return;
        }
        let [yaw, pitch, roll] = self.turns;
        let w = self.reference * euler_angular_velocity(q, self.turns, dq);
        if let Some(slides) = self.slides {
            put(q, slides, self.reference * take(q, slides));
            put(dq, slides, self.reference * take(dq, slides));
        }
        let r = self.reference * so3::from_rpy([q[roll], q[pitch], q[yaw]]);
        let [r, p, y] = so3::to_rpy(&r);
        put(q, self.turns, Vector::new(y, p, r));
        euler_rates(q, self.turns, &w, dq);
    }

    /// Makes accelerations those of the user, from those here at `q`, `dq`, of which `user` are the user's.
    pub(super) fn acceleration_to_user(
        &self,
        [q, dq]: [&[f64]; 2],
        user: [&[f64]; 2],
        ddq: &mut [f64],
    ) {
        if self.is_home() {
            return;
        }
        if let Some(slides) = self.slides {
            put(ddq, slides, self.reference * take(ddq, slides));
        }
        let dw = euler_angular_velocity(q, self.turns, ddq) + drift(q, self.turns, dq);
        let rest = self.reference * dw - drift(user[0], self.turns, user[1]);
        euler_rates(user[0], self.turns, &rest, ddq);
    }

    /// Makes forces on the user's coordinates `user` forces on those here, `q`: the same power.
    pub(super) fn force_from_user(&self, user: &[f64], q: &[f64], tau: &mut [f64]) {
        if self.is_home() || self.dofs().all(|i| tau[i] == 0.0) {
            return;
        }
        if let Some(slides) = self.slides {
            let force = self.reference.inverse_transform_vector(&take(tau, slides));
            put(tau, slides, force);
        }
        let moment = moment(user, self.turns, &take(tau, self.turns));
        let moment = self.reference.inverse_transform_vector(&moment);
        put(tau, self.turns, powers(q, self.turns, &moment));
    }

    /// The other way round.
    pub(super) fn force_to_user(&self, user: &[f64], q: &[f64], tau: &mut [f64]) {
        if self.is_home() {
            return;
        }
        if let Some(slides) = self.slides {
            put(tau, slides, self.reference * take(tau, slides));
        }
        let moment = self.reference * moment(q, self.turns, &take(tau, self.turns));
        put(tau, self.turns, powers(user, self.turns, &moment));
    }
}

/// The angular acceleration of angles at constant rates.
fn drift(q: &[f64], [yaw, pitch, roll]: [usize; 3], dq: &[f64]) -> Vector {
    let [z, y, x] = axes(q, [yaw, pitch, roll]);
    let (yawing, pitching) = (z * dq[yaw], y * dq[pitch]);
    yawing.cross(&pitching) + (yawing + pitching).cross(&(x * dq[roll]))
}

/// The axes of rotations about z, y, x, each carried by those before.
fn axes(q: &[f64], [yaw, pitch, _]: [usize; 3]) -> [Vector; 3] {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    [
        Vector::z(),
        Vector::new(-sy, cy, 0.0),
        Vector::new(cy * cp, sy * cp, -sp),
    ]
}

/// What a moment does along each axis.
fn powers(q: &[f64], turns: [usize; 3], moment: &Vector) -> Vector {
    let [z, y, x] = axes(q, turns);
    Vector::new(z.dot(moment), y.dot(moment), x.dot(moment))
}

/// The moment that does this along each axis; infinite where there is none.
fn moment(q: &[f64], [yaw, pitch, _]: [usize; 3], along: &Vector) -> Vector {
    let ((sy, cy), (sp, cp)) = (q[yaw].sin_cos(), q[pitch].sin_cos());
    let ahead = (along.z + sp * along.x) / cp;
    Vector::new(
        cy * ahead - sy * along.y,
        sy * ahead + cy * along.y,
        along.x,
    )
}

fn take(x: &[f64], [a, b, c]: [usize; 3]) -> Vector {
    Vector::new(x[a], x[b], x[c])
}

fn put(x: &mut [f64], [a, b, c]: [usize; 3], v: Vector) {
    (x[a], x[b], x[c]) = (v.x, v.y, v.z);
}

/// The sine of the second angle beyond which a reference is left: about 37°.
const FAR: f64 = 0.6;
