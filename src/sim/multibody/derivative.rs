//! Linearizes joint, distance and spring rates for the Newton matrix of an implicit step.
//!
//! The unknown of a step moves each body by a twist: it changes positions by `gains.q` times the twist, velocities of
//! the centre of mass by `gains.v`, and accelerations by 1; rotations change by angular of the rotation vector, see
//! [`AngularDerivative`]. A [`Derivative`] is that of a scalar with respect to the twists of two bodies. Products are
//! rearranged until the twist is a factor of its own: `n · (δ × r) = δ · (r × n)`.

use nalgebra::{Matrix3, Vector6};

use super::body_state::Kin;
use super::forces::Gains;
use super::joint::{JointKin, JointModel, spatial};
use crate::math::Vector;

/// Derivatives of a body's angular velocity and acceleration, in world axes, with respect to its rotation.
#[derive(Debug, Clone, Copy)]
pub(super) struct AngularDerivative {
    pub(super) omega: Matrix3<f64>,
    pub(super) alpha: Matrix3<f64>,
}

impl AngularDerivative {
    /// Zero, for the ground: the unknown does not move it.
    pub(super) fn none() -> Self {
        Self {
            omega: Matrix3::zeros(),
            alpha: Matrix3::zeros(),
        }
    }

    /// Derivatives for a body whose rotation changes the unknown by `tangent`, in its own axes.
    pub(super) fn new(kin: &Kin, tangent: &Matrix3<f64>, gains: Gains) -> Self {
        let rotation = kin.r * tangent * kin.r.transpose();
        Self {
            omega: rotation * gains.v - kin.w.cross_matrix() * gains.q,
            alpha: rotation - kin.alpha.cross_matrix() * gains.q,
        }
    }
}

/// Derivative of a scalar with respect to two bodies: to the rotation, and to the translation of the centre of mass, of
/// each.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Derivative {
    pub(super) a: [Vector; 2],
    pub(super) b: [Vector; 2],
}

impl Derivative {
    pub(super) fn add(&mut self, other: &Self, by: f64) {
        for k in 0..2 {
            self.a[k] += other.a[k] * by;
            self.b[k] += other.b[k] * by;
        }
    }

    fn add_rotations(&mut self, [a, b]: [Vector; 2], by: f64) {
        self.a[0] += a * by;
        self.b[0] += b * by;
    }

    /// Derivative with respect to the twists of the bodies about the points `o`, for centres of mass at `c`.
    pub(super) fn of_twists(&self, c: [&Vector; 2], o: [&Vector; 2]) -> [Vector6<f64>; 2] {
        let about = |side: &[Vector; 2], c: &Vector, o: &Vector| {
            spatial(&(side[0] + (c - o).cross(&side[1])), &side[1])
        };
        [about(&self.a, c[0], o[0]), about(&self.b, c[1], o[1])]
    }
}

/// Two bodies of a joint, first that of A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends<'a> {
    pub(super) kin: [&'a Kin; 2],
    pub(super) angular: [&'a AngularDerivative; 2],
    pub(super) gains: Gains,
}

/// Derivative of a point's velocity or acceleration: with respect to the body's rotation, its translation, and the arm
/// to the point.
#[derive(Debug, Clone, Copy)]
struct PointDerivative {
    rotation: Vector,
    translation: Vector,
    arm: Vector,
}

impl Ends<'_> {
    /// Derivative of `n · (v_b − v_a)` for these points of the bodies and a constant direction.
    fn rate_between(&self, n: &Vector, [p_a, p_b]: [&Vector; 2]) -> Derivative {
        let [a, b] = [self.velocity(0, n, p_a), self.velocity(1, n, p_b)];
        let [r_a, r_b] = [p_a - self.kin[0].c, p_b - self.kin[1].c];
        Derivative {
            a: [-a.rotation - r_a.cross(&a.arm), -a.translation],
            b: [b.rotation + r_b.cross(&b.arm), b.translation],
        }
    }

    /// Derivative of the rate of the distance between points of the bodies.
    pub(super) fn distance_rate(&self, p: [&Vector; 2]) -> Derivative {
        let d = p[1] - p[0];
        let length = d.norm();
        let along = d / length;
        let rate = self.kin[1].velocity_at(p[1]) - self.kin[0].velocity_at(p[0]);
        let across = (rate - along * along.dot(&rate)) / length;
        let mut derivative = self.rate_between(&along, p);
        derivative.add(&self.displacement_between(&across, p), self.gains.q);
        derivative
    }

    /// Derivative of `n · (p_b − p_a)` for points of the bodies, without gain.
    pub(super) fn displacement_between(&self, n: &Vector, [p_a, p_b]: [&Vector; 2]) -> Derivative {
        Derivative {
            a: [-(p_a - self.kin[0].c).cross(n), -n],
            b: [(p_b - self.kin[1].c).cross(n), *n],
        }
    }

    fn velocity(&self, end: usize, n: &Vector, p: &Vector) -> PointDerivative {
        let (kin, angular) = (self.kin[end], self.angular[end]);
        PointDerivative {
            rotation: angular.omega.tr_mul(&(p - kin.c).cross(n)),
            translation: n * self.gains.v,
            arm: n.cross(&kin.w) * self.gains.q,
        }
    }

    fn acceleration(&self, end: usize, n: &Vector, p: &Vector) -> PointDerivative {
        let (kin, angular) = (self.kin[end], self.angular[end]);
        let (r, w) = (p - kin.c, &kin.w);
        let across = n.cross(w);
        let of_omega = w.cross(&r).cross(n) + r.cross(&across);
        PointDerivative {
            rotation: angular.alpha.tr_mul(&r.cross(n)) + angular.omega.tr_mul(&of_omega),
            translation: *n,
            arm: (n.cross(&kin.alpha) + across.cross(w)) * self.gains.q,
        }
    }

    /// Derivative of the difference of two such motions at one position, that of a point of the second body.
    fn difference(&self, p: &Vector, a: PointDerivative, b: PointDerivative) -> Derivative {
        let (r_b, arm) = (p - self.kin[1].c, b.arm - a.arm);
        Derivative {
            a: [-a.rotation, a.arm - a.translation],
            b: [b.rotation + r_b.cross(&arm), b.translation - a.arm],
        }
    }

    /// Derivatives of `x · (ω_b − ω_a)` and `x · (α_b − α_a)` for a constant direction.
    fn relative_rotation(&self, x: &Vector) -> [Derivative; 2] {
        let zero = Vector::zeros();
        let of = |a: &Matrix3<f64>, b: &Matrix3<f64>| Derivative {
            a: [-a.tr_mul(x), zero],
            b: [b.tr_mul(x), zero],
        };
        let [a, b] = self.angular;
        [of(&a.omega, &b.omega), of(&a.alpha, &b.alpha)]
    }

    fn relative_angular_velocity(&self) -> Vector {
        self.kin[1].w - self.kin[0].w
    }

    /// Derivative of `u · (v_b − v_a)` at `p`, for an axis of A.
    fn translation_rate(&self, at: &JointKin, u: &Vector) -> Derivative {
        let (p, [a, b]) = (&at.p, self.kin);
        let rate = b.velocity_at(p) - a.velocity_at(p);
        let mut derivative = self.difference(p, self.velocity(0, u, p), self.velocity(1, u, p));
        derivative.a[0] += u.cross(&rate) * self.gains.q;
        derivative
    }

    /// Derivative of its rate, `u · (a_b − a_a − 2 ω_a × (v_b − v_a))` at `p`.
    fn translation_acceleration(&self, at: &JointKin, u: &Vector) -> Derivative {
        let (p, [a, b]) = (&at.p, self.kin);
        let rate = b.velocity_at(p) - a.velocity_at(p);
        let relative = b.acceleration_at(p) - a.acceleration_at(p) - a.w.cross(&rate) * 2.0;
        let [one, two] = [self.acceleration(0, u, p), self.acceleration(1, u, p)];
        let mut derivative = self.difference(p, one, two);
        derivative.a[0] += u.cross(&relative) * self.gains.q;
        derivative.a[0] -= self.angular[0].omega.tr_mul(&rate.cross(u)) * 2.0;
        let x = u.cross(&a.w);
        let of_rate = self.difference(p, self.velocity(0, &x, p), self.velocity(1, &x, p));
        derivative.add(&of_rate, -2.0);
        derivative
    }
}

impl JointModel {
    /// Derivative of the velocity of degree of freedom `i`.
    pub(super) fn rate_derivative(&self, at: &JointKin, i: usize, ends: &Ends<'_>) -> Derivative {
        if i < self.free.n {
            return ends.translation_rate(at, &at.u[self.free.axes[i]]);
        }
        let rates = self.components(at, &ends.relative_angular_velocity());
        self.rotation_rate(at, i - self.free.n, &rates, ends)
    }

    /// Derivative of the acceleration of degree of freedom `i`.
    pub(super) fn acceleration_derivative(
        &self,
        at: &JointKin,
        i: usize,
        ends: &Ends<'_>,
    ) -> Derivative {
        if i < self.free.n {
            return ends.translation_acceleration(at, &at.u[self.free.axes[i]]);
        }
        let dual = at.dual[i - self.free.n];
        let gain = ends.gains.q;
        let rates = self.components(at, &ends.relative_angular_velocity());
        let mut derivative = ends.relative_rotation(&dual)[1];

        // angular velocity of each axis, and its change
        let (mut left, mut w) = (ends.kin[1].alpha - ends.kin[0].alpha, ends.kin[0].w);
        for k in 0..self.rotations.n {
            let (e, rate) = (at.e[k], rates[self.n_pairs + k]);
            left -= w.cross(&e) * rate;
            let x = e.cross(&dual) * -rate;
            derivative.a[0] += ends.angular[0].omega.tr_mul(&x);
            for j in 0..k {
                derivative
                    .add_rotations(self.axis_change(at, j, &x), gain * rates[self.n_pairs + j]);
                derivative.add(&self.rotation_rate(at, j, &rates, ends), at.e[j].dot(&x));
            }
            derivative.add_rotations(self.axis_change(at, k, &dual.cross(&w)), -gain * rate);
            let of_rate = self.rotation_rate(at, k, &rates, ends);
            derivative.add(&of_rate, -dual.dot(&w.cross(&e)));
            w += e * rate;
        }
        derivative.add_rotations(
            self.basis_change(at, &dual, &self.components(at, &left)),
            -gain,
        );
        derivative
    }

    /// Derivative of the rate of constraint `row`.
    pub(super) fn residual_rate_derivative(
        &self,
        at: &JointKin,
        row: usize,
        ends: &Ends<'_>,
    ) -> Derivative {
        if row < self.locked.n {
            return ends.translation_rate(at, &at.u[self.locked.axes[row]]);
        }
        let pair = row - self.locked.n;
        let mut derivative = ends.relative_rotation(&at.n[pair])[0];
        let change = self.normal_change(at, pair, &ends.relative_angular_velocity());
        derivative.add_rotations(change, ends.gains.q);
        derivative
    }

    fn rotation_rate(
        &self,
        at: &JointKin,
        k: usize,
        rates: &[f64; 3],
        ends: &Ends<'_>,
    ) -> Derivative {
        let dual = &at.dual[k];
        let mut derivative = ends.relative_rotation(dual)[0];
        derivative.add_rotations(self.basis_change(at, dual, rates), -ends.gains.q);
        derivative
    }

    /// Components of a relative angular velocity along the row normals and the free axes.
    fn components(&self, at: &JointKin, w: &Vector) -> [f64; 3] {
        let mut out = [0.0; 3];
        for k in 0..3_usize {
            out[k] = match k.checked_sub(self.n_pairs) {
                None => at.m[k].dot(w),
                Some(k) => at.dual[k].dot(w),
            };
        }
        out
    }

    /// Derivative of that sum, along `x`, with respect to rotations of A and of B.
    fn basis_change(&self, at: &JointKin, x: &Vector, by: &[f64; 3]) -> [Vector; 2] {
        let mut out = [Vector::zeros(); 2];
        for k in 0..3_usize {
            let change = match k.checked_sub(self.n_pairs) {
                None => self.normal_change(at, k, x),
                Some(k) => self.axis_change(at, k, x),
            };
            out[0] += change[0] * by[k];
            out[1] += change[1] * by[k];
        }
        out
    }

    /// Derivative of a row's normal `b × u`, along `x`, with respect to rotations of A and of B.
    fn normal_change(&self, at: &JointKin, pair: usize, x: &Vector) -> [Vector; 2] {
        let (i, j) = self.pairs[pair];
        let (u, b) = (&at.u[i], &at.b[j]);
        [u.cross(&x.cross(b)), b.cross(&u.cross(x))]
    }

    /// Derivative of a free rotation axis, along `x`, with respect to rotations of A and of B.
    fn axis_change(&self, at: &JointKin, k: usize, x: &Vector) -> [Vector; 2] {
        let (zero, with) = (Vector::zeros(), at.e[k].cross(x));
        match (self.rotations.n, k) {
            (1, _) | (2, 1) => [zero, with],
            (3, 1) if self.has_angles => {
                // a unit vector along u × b
                let (u, b, e) = (&at.u[2], &at.b[0], &at.e[1]);
                let cosine = u.cross(b).norm();
                let x = (x - e * e.dot(x)) / cosine;
                [u.cross(&b.cross(&x)), b.cross(&x.cross(u))]
            }
            (3, 2) if self.has_angles => [zero, with],
            _ => [with, zero],
        }
    }

    /// Derivative of the generalized force in degree of freedom `i` of a constant force and moment on B, at `p`, with
    /// respect to rotations of A and of B, and to the position of `p` on B.
    pub(super) fn dof_wrench_derivative(
        &self,
        at: &JointKin,
        i: usize,
        [force, moment]: [&Vector; 2],
    ) -> [Vector; 3] {
        let zero = Vector::zeros();
        if i < self.free.n {
            return [at.u[self.free.axes[i]].cross(force), zero, zero];
        }
        let k = i - self.free.n;
        let [a, b] = self.axis_change(at, k, moment);
        [a, b, at.e[k].cross(force)]
    }
}
