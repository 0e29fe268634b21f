//! How what joints, distances and springs say of motions changes in an implicit step, to first order.
//!
//! The unknown of a step moves each body by a twist: places by `gains.q` of it, velocities of the centre of mass by
//! `gains.v`, its accelerations by 1; turns come by way of the rotation vector, see [`Way`]. A [`Slope`] is what a number
//! changes by with the twists of two bodies. Products are turned round until the twist stands alone:
//! `n · (δ × r) = δ · (r × n)`.

use nalgebra::{Matrix3, Vector6};

use super::forces::Gains;
use super::joint::{Held, JointKin, spatial};
use super::kin::Kin;
use crate::math::Vector;

/// How the angular velocity and acceleration of a body, in world axes, change with its turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Way {
    pub(super) omega: Matrix3<f64>,
    pub(super) alpha: Matrix3<f64>,
}

impl Way {
    /// That of the ground: no unknown moves it.
    pub(super) fn none() -> Self {
        Self {
            omega: Matrix3::zeros(),
            alpha: Matrix3::zeros(),
        }
    }

    /// That of a body whose turn changes the unknown by `tangent`, in its own axes.
    pub(super) fn new(kin: &Kin, tangent: &Matrix3<f64>, gains: Gains) -> Self {
        let turn = kin.r * tangent * kin.r.transpose();
        Self {
            omega: turn * gains.v - kin.w.cross_matrix() * gains.q,
            alpha: turn - kin.alpha.cross_matrix() * gains.q,
        }
    }
}

/// What a number changes by with each of two bodies: with its turn, and with the way of its centre of mass.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slope {
    pub(super) a: [Vector; 2],
    pub(super) b: [Vector; 2],
}

impl Slope {
    pub(super) fn add(&mut self, other: &Self, by: f64) {
        for k in 0..2 {
            self.a[k] += other.a[k] * by;
            self.b[k] += other.b[k] * by;
        }
    }

    fn add_turns(&mut self, [a, b]: [Vector; 2], by: f64) {
        self.a[0] += a * by;
        self.b[0] += b * by;
    }

    /// What it changes by with the twists of the bodies, told about these points, of which their centres are `c`.
    pub(super) fn of_twists(&self, c: [&Vector; 2], o: [&Vector; 2]) -> [Vector6<f64>; 2] {
        let about = |side: &[Vector; 2], c: &Vector, o: &Vector| {
            spatial(&(side[0] + (c - o).cross(&side[1])), &side[1])
        };
        [about(&self.a, c[0], o[0]), about(&self.b, c[1], o[1])]
    }
}

/// Two bodies, the first of them that of A.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends<'a> {
    pub(super) kin: [&'a Kin; 2],
    pub(super) way: [&'a Way; 2],
    pub(super) gains: Gains,
}

/// What a motion of a point changes by: with the turn of its body, the way of the centre, and the arm between.
#[derive(Debug, Clone, Copy)]
struct OfPoint {
    turn: Vector,
    shift: Vector,
    arm: Vector,
}

impl Ends<'_> {
    /// Of `n · (v_b − v_a)`, of the points of the bodies at these places, for a direction that stays.
    fn rate_between(&self, n: &Vector, [p_a, p_b]: [&Vector; 2]) -> Slope {
        let [a, b] = [self.velocity(0, n, p_a), self.velocity(1, n, p_b)];
        let [r_a, r_b] = [p_a - self.kin[0].c, p_b - self.kin[1].c];
        Slope {
            a: [-a.turn - r_a.cross(&a.arm), -a.shift],
            b: [b.turn + r_b.cross(&b.arm), b.shift],
        }
    }

    /// Of the rate of the distance between points of the bodies.
    pub(super) fn stretching(&self, p: [&Vector; 2]) -> Slope {
        let d = p[1] - p[0];
        let length = d.norm();
        let along = d / length;
        let rate = self.kin[1].velocity_at(p[1]) - self.kin[0].velocity_at(p[0]);
        let across = (rate - along * along.dot(&rate)) / length;
        let mut slope = self.rate_between(&along, p);
        slope.add(&self.way_between(&across, p), self.gains.q);
        slope
    }

    /// Of `n · (δp_b − δp_a)`, of points of the bodies, without gain.
    pub(super) fn way_between(&self, n: &Vector, [p_a, p_b]: [&Vector; 2]) -> Slope {
        Slope {
            a: [-(p_a - self.kin[0].c).cross(n), -n],
            b: [(p_b - self.kin[1].c).cross(n), *n],
        }
    }

    fn velocity(&self, end: usize, n: &Vector, p: &Vector) -> OfPoint {
        let (kin, way) = (self.kin[end], self.way[end]);
        OfPoint {
            turn: way.omega.tr_mul(&(p - kin.c).cross(n)),
            shift: n * self.gains.v,
            arm: n.cross(&kin.w) * self.gains.q,
        }
    }

    fn acceleration(&self, end: usize, n: &Vector, p: &Vector) -> OfPoint {
        let (kin, way) = (self.kin[end], self.way[end]);
        let (r, w) = (p - kin.c, &kin.w);
        let across = n.cross(w);
        let of_omega = w.cross(&r).cross(n) + r.cross(&across);
        OfPoint {
            turn: way.alpha.tr_mul(&r.cross(n)) + way.omega.tr_mul(&of_omega),
            shift: *n,
            arm: (n.cross(&kin.alpha) + across.cross(w)) * self.gains.q,
        }
    }

    /// Of the difference of two such motions where both are looked at in one place, a point of the second body.
    fn difference(&self, p: &Vector, a: OfPoint, b: OfPoint) -> Slope {
        let (r_b, arm) = (p - self.kin[1].c, b.arm - a.arm);
        Slope {
            a: [-a.turn, a.arm - a.shift],
            b: [b.turn + r_b.cross(&arm), b.shift - a.arm],
        }
    }

    /// Of `x · (ω_b − ω_a)` and of the like for accelerations, for a direction that stays.
    fn turning(&self, x: &Vector) -> [Slope; 2] {
        let zero = Vector::zeros();
        let of = |a: &Matrix3<f64>, b: &Matrix3<f64>| Slope {
            a: [-a.tr_mul(x), zero],
            b: [b.tr_mul(x), zero],
        };
        let [a, b] = self.way;
        [of(&a.omega, &b.omega), of(&a.alpha, &b.alpha)]
    }

    fn relative_turn(&self) -> Vector {
        self.kin[1].w - self.kin[0].w
    }

    /// Of `u · (v_b − v_a)` at `p`, for an axis of A.
    fn slide_rate(&self, at: &JointKin, u: &Vector) -> Slope {
        let (p, [a, b]) = (&at.p, self.kin);
        let rate = b.velocity_at(p) - a.velocity_at(p);
        let mut slope = self.difference(p, self.velocity(0, u, p), self.velocity(1, u, p));
        slope.a[0] += u.cross(&rate) * self.gains.q;
        slope
    }

    /// Of its rate, `u · (a_b − a_a − 2 ω_a × (v_b − v_a))` at `p`.
    fn slide_acceleration(&self, at: &JointKin, u: &Vector) -> Slope {
        let (p, [a, b]) = (&at.p, self.kin);
        let rate = b.velocity_at(p) - a.velocity_at(p);
        let whole = b.acceleration_at(p) - a.acceleration_at(p) - a.w.cross(&rate) * 2.0;
        let [one, two] = [self.acceleration(0, u, p), self.acceleration(1, u, p)];
        let mut slope = self.difference(p, one, two);
        slope.a[0] += u.cross(&whole) * self.gains.q;
        slope.a[0] -= self.way[0].omega.tr_mul(&rate.cross(u)) * 2.0;
        let x = u.cross(&a.w);
        let of_rate = self.difference(p, self.velocity(0, &x, p), self.velocity(1, &x, p));
        slope.add(&of_rate, -2.0);
        slope
    }
}

impl Held {
    /// Of the rate of coordinate `i`.
    pub(super) fn rate_slope(&self, at: &JointKin, i: usize, ends: &Ends<'_>) -> Slope {
        if i < self.free.n {
            return ends.slide_rate(at, &at.u[self.free.axes[i]]);
        }
        let rates = self.of_rows(at, &ends.relative_turn());
        self.turn_rate(at, i - self.free.n, &rates, ends)
    }

    /// Of its acceleration.
    pub(super) fn acceleration_slope(&self, at: &JointKin, i: usize, ends: &Ends<'_>) -> Slope {
        if i < self.free.n {
            return ends.slide_acceleration(at, &at.u[self.free.axes[i]]);
        }
        let dual = at.dual[i - self.free.n];
        let gain = ends.gains.q;
        let rates = self.of_rows(at, &ends.relative_turn());
        let mut slope = ends.turning(&dual)[1];

        // what each axis turns with, and how that changes
        let (mut left, mut w) = (ends.kin[1].alpha - ends.kin[0].alpha, ends.kin[0].w);
        for k in 0..self.turns.n {
            let (e, rate) = (at.e[k], rates[self.n_pairs + k]);
            left -= w.cross(&e) * rate;
            let x = e.cross(&dual) * -rate;
            slope.a[0] += ends.way[0].omega.tr_mul(&x);
            for j in 0..k {
                slope.add_turns(self.axis_turn(at, j, &x), gain * rates[self.n_pairs + j]);
                slope.add(&self.turn_rate(at, j, &rates, ends), at.e[j].dot(&x));
            }
            slope.add_turns(self.axis_turn(at, k, &dual.cross(&w)), -gain * rate);
            let of_rate = self.turn_rate(at, k, &rates, ends);
            slope.add(&of_rate, -dual.dot(&w.cross(&e)));
            w += e * rate;
        }
        slope.add_turns(self.tilt(at, &dual, &self.of_rows(at, &left)), -gain);
        slope
    }

    /// Of the rate of constraint `row`.
    pub(super) fn residual_rate_slope(&self, at: &JointKin, row: usize, ends: &Ends<'_>) -> Slope {
        if row < self.locked.n {
            return ends.slide_rate(at, &at.u[self.locked.axes[row]]);
        }
        let pair = row - self.locked.n;
        let mut slope = ends.turning(&at.n[pair])[0];
        let turned = self.row_turn(at, pair, &ends.relative_turn());
        slope.add_turns(turned, ends.gains.q);
        slope
    }

    fn turn_rate(&self, at: &JointKin, k: usize, rates: &[f64; 3], ends: &Ends<'_>) -> Slope {
        let dual = &at.dual[k];
        let mut slope = ends.turning(dual)[0];
        slope.add_turns(self.tilt(at, dual, rates), -ends.gains.q);
        slope
    }

    /// A relative turn as the sum of the normals of rows and of the axes that it is.
    fn of_rows(&self, at: &JointKin, w: &Vector) -> [f64; 3] {
        let mut out = [0.0; 3];
        for k in 0..3_usize {
            out[k] = match k.checked_sub(self.n_pairs) {
                None => at.m[k].dot(w),
                Some(k) => at.dual[k].dot(w),
            };
        }
        out
    }

    /// How that sum, along `x`, changes with turns of A and of B.
    fn tilt(&self, at: &JointKin, x: &Vector, by: &[f64; 3]) -> [Vector; 2] {
        let mut out = [Vector::zeros(); 2];
        for k in 0..3_usize {
            let turned = match k.checked_sub(self.n_pairs) {
                None => self.row_turn(at, k, x),
                Some(k) => self.axis_turn(at, k, x),
            };
            out[0] += turned[0] * by[k];
            out[1] += turned[1] * by[k];
        }
        out
    }

    /// How the normal of a row of turns, `b × u`, along `x`, changes with turns of A and of B.
    fn row_turn(&self, at: &JointKin, pair: usize, x: &Vector) -> [Vector; 2] {
        let (i, j) = self.pairs[pair];
        let (u, b) = (&at.u[i], &at.b[j]);
        [u.cross(&x.cross(b)), b.cross(&u.cross(x))]
    }

    /// How the axis of a free turn, along `x`, changes with turns of A and of B.
    fn axis_turn(&self, at: &JointKin, k: usize, x: &Vector) -> [Vector; 2] {
        let (zero, with) = (Vector::zeros(), at.e[k].cross(x));
        match (self.turns.n, k) {
            (1, _) | (2, 1) => [zero, with],
            (3, 1) if self.has_angles => {
                // of length 1, along u × b
                let (u, b, e) = (&at.u[2], &at.b[0], &at.e[1]);
                let cosine = u.cross(b).norm();
                let x = (x - e * e.dot(x)) / cosine;
                [u.cross(&b.cross(&x)), b.cross(&x.cross(u))]
            }
            (3, 2) if self.has_angles => [zero, with],
            _ => [with, zero],
        }
    }

    /// How what coordinate `i` alone feels of a force and moment on B, at `p`, changes with turns of A and of B, and with
    /// the way of `p` on B, while these stay.
    pub(super) fn bend(
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
        let [a, b] = self.axis_turn(at, k, moment);
        [a, b, at.e[k].cross(force)]
    }
}
