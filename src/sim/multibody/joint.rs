//! Kinematics of a joint between two bodies: constraint rows, and degrees of freedom.
//!
//! All rows act on the twist `ξ` of the second body relative to the first. With the frames A and B of the joint, the
//! axes `u` of A, `d` from A's origin to B's at `p`, and `r = p − o` from the reference point `o` of twists:
//!
//! | locked | constraint | of the relative twist |
//! |---|---|---|
//! | translation along `u_i` | `u_i · d = 0` | `u_i · (v + ω × r)` |
//! | one rotation, `f₁` and `f₂` free | `a_{f₁} · b_{f₂} = 0` | `(b × a) · ω` |
//! | two rotations, `k` free | `a_i · b_k = 0`, two of them | `(b × a) · ω` |
//! | all rotations | `a_x · b_y = a_y · b_z = a_z · b_x = 0` | `(b × a) · ω` |
//!
//! Free rotations are successive, about z, y and x, as those of a floating base.

use nalgebra::{Matrix3, Vector6};

use super::body_state::Kin;
use crate::math::{Pose, Vector};

/// Free relative motions of a joint: translations along, and rotations about, the axes of its first frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axes {
    /// Free translations along x, y, z.
    pub translation: [bool; 3],
    /// Free rotations about x, y, z.
    pub rotation: [bool; 3],
}

impl Axes {
    /// None: the two bodies move as one.
    pub const FIXED: Self = Self::new([false; 3], [false; 3]);
    /// Rotation about z.
    pub const REVOLUTE: Self = Self::new([false; 3], [false, false, true]);
    /// Translation along z.
    pub const PRISMATIC: Self = Self::new([false, false, true], [false; 3]);
    /// Translation along z and rotation about it.
    pub const CYLINDRICAL: Self = Self::new([false, false, true], [false, false, true]);
    /// Rotation about z and then about the rotated y (Cardan joint).
    pub const UNIVERSAL: Self = Self::new([false; 3], [false, true, true]);
    /// All rotations.
    pub const SPHERICAL: Self = Self::new([false; 3], [true; 3]);
    /// Translations along x and y, and rotation about z.
    pub const PLANAR: Self = Self::new([true, true, false], [false, false, true]);
    /// All motions: nothing is locked.
    pub const FREE: Self = Self::new([true; 3], [true; 3]);

    /// Free translations along, and rotations about, x, y, z.
    #[must_use]
    pub const fn new(translation: [bool; 3], rotation: [bool; 3]) -> Self {
        Self {
            translation,
            rotation,
        }
    }

    /// Number of degrees of freedom: free translations along x, y, z, then free rotations about z, y, x.
    #[must_use]
    pub fn n_free(&self) -> usize {
        let all = self.translation.iter().chain(&self.rotation);
        all.filter(|is_free| **is_free).count()
    }

    /// Number of locked motions.
    #[must_use]
    pub fn n_locked(&self) -> usize {
        6 - self.n_free()
    }

    /// Names of the degrees of freedom: `tx` for the translation along x, `rz` for the rotation about z.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let t = self.translation.into_iter().zip(["tx", "ty", "tz"]);
        let r = self.rotation.into_iter().zip(["rx", "ry", "rz"]).rev();
        t.chain(r).filter(|(free, _)| *free).map(|(_, name)| name)
    }
}

/// Frame on a body: position from its centre of mass, in its axes. The index after the last body is the ground.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyFrame {
    pub(super) body: usize,
    pub(super) p: Vector,
    pub(super) r: Matrix3<f64>,
}

impl BodyFrame {
    pub(super) fn new(body: usize, x: &Pose, com: &Vector) -> Self {
        Self {
            body,
            p: x.translation.vector - com,
            r: *x.rotation.matrix(),
        }
    }
}

/// Joint, prepared for computation.
#[derive(Debug, Clone)]
pub(super) struct JointModel {
    pub(super) a: BodyFrame,
    pub(super) b: BodyFrame,
    // free and locked translations
    pub(super) free: AxisList,
    pub(super) locked: AxisList,
    // free rotations, in their order
    pub(super) rotations: AxisList,
    // rows of the locked rotations: axes of A and of B that stay orthogonal
    pub(super) pairs: [(usize, usize); 3],
    pub(super) n_pairs: usize,
    /// Whether three free rotations are expressed by angles, which are singular at some orientations.
    pub(super) has_angles: bool,
}

/// Up to three axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct AxisList {
    pub(super) axes: [usize; 3],
    pub(super) n: usize,
}

impl AxisList {
    fn of(axes: impl Iterator<Item = usize>) -> Self {
        let mut few = Self { axes: [0; 3], n: 0 };
        for axis in axes {
            few.axes[few.n] = axis;
            few.n += 1;
        }
        few
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.axes[..self.n].iter().copied()
    }
}

/// Joint at the current poses of its bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointKin {
    /// Origin of B.
    pub(super) p: Vector,
    pub(super) d: Vector,
    pub(super) u: [Vector; 3],
    pub(super) b: [Vector; 3],
    // rotation rows: their normals, and the relative angular velocities of unit rate
    pub(super) n: [Vector; 3],
    pub(super) m: [Vector; 3],
    // free rotations: their axes, and the moments of unit power
    pub(super) e: [Vector; 3],
    pub(super) dual: [Vector; 3],
}

impl JointKin {
    /// Zeros.
    pub(super) fn zero() -> Self {
        let none = [Vector::zeros(); 3];
        Self {
            p: Vector::zeros(),
            d: Vector::zeros(),
            u: none,
            b: none,
            n: none,
            m: none,
            e: none,
            dual: none,
        }
    }
}

impl JointModel {
    pub(super) fn new(a: BodyFrame, b: BodyFrame, axes: Axes) -> Self {
        let rotations = AxisList::of([2, 1, 0].into_iter().filter(|k| axes.rotation[*k]));
        let [first, second, _] = rotations.axes;
        let (pairs, n_pairs) = match rotations.n {
            0 => ([(0, 1), (1, 2), (2, 0)], 3),
            1 => (
                [((first + 1) % 3, first), ((first + 2) % 3, first), (0, 0)],
                2,
            ),
            2 => ([(first, second), (0, 0), (0, 0)], 1),
            _ => ([(0, 0); 3], 0),
        };
        Self {
            a,
            b,
            free: AxisList::of((0..3).filter(|k| axes.translation[*k])),
            locked: AxisList::of((0..3).filter(|k| !axes.translation[*k])),
            rotations,
            pairs,
            n_pairs,
            has_angles: rotations.n < 3,
        }
    }

    pub(super) fn n_free(&self) -> usize {
        self.free.n + self.rotations.n
    }

    pub(super) fn n_rows(&self) -> usize {
        6 - self.n_free()
    }

    /// Returns whether degree of freedom `i` is an angle.
    pub(super) fn is_angle(&self, i: usize) -> bool {
        i >= self.free.n
    }

    pub(super) fn n_rotations(&self) -> usize {
        self.rotations.n
    }

    /// Evaluates the joint at the poses of its bodies; `None` where three angles are singular.
    pub(super) fn at(&self, [a, b]: [&Kin; 2]) -> Option<JointKin> {
        let (ra, rb) = (a.r * self.a.r, b.r * self.b.r);
        let mut at = JointKin::zero();
        at.p = b.point(&self.b.p);
        at.d = at.p - a.point(&self.a.p);
        for k in 0..3 {
            at.u[k] = ra.column(k).into_owned();
            at.b[k] = rb.column(k).into_owned();
        }
        for (k, &(i, j)) in self.pairs[..self.n_pairs].iter().enumerate() {
            at.n[k] = at.b[j].cross(&at.u[i]);
        }
        let [first, second, _] = self.rotations.axes;
        match self.rotations.n {
            1 => at.e[0] = at.b[first],
            2 => (at.e[0], at.e[1]) = (at.u[first], at.b[second]),
            3 if self.has_angles => {
                let middle = at.u[2].cross(&at.b[0]);
                let cosine = middle.norm();
                if cosine < SINGULAR {
                    return None;
                }
                (at.e[0], at.e[1], at.e[2]) = (at.u[2], middle / cosine, at.b[0]);
            }
            _ => at.e = at.u,
        }

        // dual basis of the rows and axes
        let mut rows = at.n;
        rows[self.n_pairs..].copy_from_slice(&at.e[..3 - self.n_pairs]);
        let of = [
            rows[1].cross(&rows[2]),
            rows[2].cross(&rows[0]),
            rows[0].cross(&rows[1]),
        ];
        let volume = rows[0].dot(&of[0]);
        for k in 0..3 {
            let column = of[k] / volume;
            if k < self.n_pairs {
                at.m[k] = column;
            } else {
                at.dual[k - self.n_pairs] = column;
            }
        }
        Some(at)
    }

    /// Constraint residuals: m, or the cosine of an angle.
    pub(super) fn residuals(&self, at: &JointKin) -> [f64; 6] {
        let mut out = [0.0; 6];
        for (row, k) in self.locked.iter().enumerate() {
            out[row] = at.u[k].dot(&at.d);
        }
        for (row, &(i, j)) in self.pairs[..self.n_pairs].iter().enumerate() {
            out[self.locked.n + row] = at.u[i].dot(&at.b[j]);
        }
        out
    }

    /// Returns whether axes that should coincide are parallel, not antiparallel.
    pub(super) fn is_correctly_assembled(&self, at: &JointKin) -> bool {
        match self.rotations.n {
            0 => (0..3).all(|k| at.u[k].dot(&at.b[k]) > 0.0),
            1 => at.u[self.rotations.axes[0]].dot(&at.b[self.rotations.axes[0]]) > 0.0,
            _ => true,
        }
    }

    /// Rates of the residuals.
    pub(super) fn residual_rates(&self, at: &JointKin, [a, b]: [&Kin; 2]) -> [f64; 6] {
        let v = b.velocity_at(&at.p) - a.velocity_at(&at.p);
        let w = b.w - a.w;
        let mut out = [0.0; 6];
        for (row, k) in self.locked.iter().enumerate() {
            out[row] = at.u[k].dot(&v);
        }
        for row in 0..self.n_pairs {
            out[self.locked.n + row] = at.n[row].dot(&w);
        }
        out
    }

    /// Second derivatives of the residuals.
    pub(super) fn residual_accelerations(&self, at: &JointKin, [a, b]: [&Kin; 2]) -> [f64; 6] {
        let (w, alpha) = (b.w - a.w, b.alpha - a.alpha);
        let mut out = [0.0; 6];
        for (row, k) in self.locked.iter().enumerate() {
            out[row] = translation_acceleration(at, &at.u[k], [a, b]);
        }
        for (row, &(i, j)) in self.pairs[..self.n_pairs].iter().enumerate() {
            let (u, c) = (at.u[i], at.b[j]);
            let rate = b.w.cross(&c).cross(&u) + c.cross(&a.w.cross(&u));
            out[self.locked.n + row] = at.n[row].dot(&alpha) + rate.dot(&w);
        }
        out
    }

    /// Positions, angles in (−π, π].
    pub(super) fn dofs(&self, at: &JointKin) -> [f64; 6] {
        let mut out = [0.0; 6];
        for (i, k) in self.free.iter().enumerate() {
            out[i] = at.u[k].dot(&at.d);
        }
        let [first, second, _] = self.rotations.axes;
        let angles = match self.rotations.n {
            0 => [0.0; 3],
            1 => {
                let (i, j) = ((first + 1) % 3, (first + 2) % 3);
                let sine = at.u[j].dot(&at.b[i]) - at.u[i].dot(&at.b[j]);
                let cosine = at.u[i].dot(&at.b[i]) + at.u[j].dot(&at.b[j]);
                [sine.atan2(cosine), 0.0, 0.0]
            }
            2 => {
                let (f, s) = (at.u[first], at.b[second]);
                let about = |axis: &Vector, from: &Vector, to: &Vector| {
                    axis.cross(from).dot(to).atan2(from.dot(to))
                };
                let one = about(&f, &at.u[second], &at.b[second]);
                [one, about(&s, &f, &at.b[first]), 0.0]
            }
            _ => {
                let entry = |i: usize, j: usize| at.u[i].dot(&at.b[j]);
                let yaw = entry(1, 0).atan2(entry(0, 0));
                let pitch = (-entry(2, 0)).atan2(entry(0, 0).hypot(entry(1, 0)));
                [yaw, pitch, entry(2, 1).atan2(entry(2, 2))]
            }
        };
        out[self.free.n..][..self.rotations.n].copy_from_slice(&angles[..self.rotations.n]);
        out
    }

    /// Velocities.
    pub(super) fn rates(&self, at: &JointKin, [a, b]: [&Kin; 2]) -> [f64; 6] {
        let v = b.velocity_at(&at.p) - a.velocity_at(&at.p);
        let w = b.w - a.w;
        let mut out = [0.0; 6];
        for (i, k) in self.free.iter().enumerate() {
            out[i] = at.u[k].dot(&v);
        }
        for i in 0..self.rotations.n {
            out[self.free.n + i] = at.dual[i].dot(&w);
        }
        out
    }

    /// Accelerations.
    pub(super) fn accelerations(&self, at: &JointKin, [a, b]: [&Kin; 2]) -> [f64; 6] {
        let rates = self.rates(at, [a, b]);
        let mut out = [0.0; 6];
        for (i, k) in self.free.iter().enumerate() {
            out[i] = translation_acceleration(at, &at.u[k], [a, b]);
        }

        // each axis rotates with all rotations before it
        let (mut alpha, mut w) = (b.alpha - a.alpha, a.w);
        for i in 0..self.rotations.n {
            let rate = rates[self.free.n + i];
            alpha -= w.cross(&at.e[i]) * rate;
            w += at.e[i] * rate;
        }
        for i in 0..self.rotations.n {
            out[self.free.n + i] = at.dual[i].dot(&alpha);
        }
        out
    }

    /// Relative twist of unit velocity in degree of freedom `i` alone, about `o`.
    pub(super) fn subspace(&self, at: &JointKin, i: usize, o: &Vector) -> Vector6<f64> {
        if i < self.free.n {
            return spatial(&Vector::zeros(), &at.u[self.free.axes[i]]);
        }
        let e = at.e[i - self.free.n];
        spatial(&e, &(at.p - o).cross(&e))
    }

    /// Relative twist of these rates of the constraints, at zero velocities, about `o`.
    pub(super) fn correction(&self, at: &JointKin, rates: &[f64; 6], o: &Vector) -> Vector6<f64> {
        let (mut w, mut v) = (Vector::zeros(), Vector::zeros());
        for (row, k) in self.locked.iter().enumerate() {
            v += at.u[k] * rates[row];
        }
        for row in 0..self.n_pairs {
            w += at.m[row] * rates[self.locked.n + row];
        }
        spatial(&w, &(v + (at.p - o).cross(&w)))
    }

    /// Force and moment at `p` on B whose power is the rate of constraint `row`.
    pub(super) fn constraint_wrench(&self, at: &JointKin, row: usize) -> [Vector; 2] {
        match self.locked.n {
            n if row < n => [at.u[self.locked.axes[row]], Vector::zeros()],
            n => [Vector::zeros(), at.n[row - n]],
        }
    }

    /// Force and moment at `p` on B whose power is the velocity of degree of freedom `i`.
    pub(super) fn dof_wrench(&self, at: &JointKin, i: usize) -> [Vector; 2] {
        match self.free.n {
            n if i < n => [at.u[self.free.axes[i]], Vector::zeros()],
            n => [Vector::zeros(), at.dual[i - n]],
        }
    }
}

/// Second derivative of `u · d`, for an axis `u` of A.
fn translation_acceleration(at: &JointKin, u: &Vector, [a, b]: [&Kin; 2]) -> f64 {
    let p_a = at.p - at.d;
    let rate = b.velocity_at(&at.p) - a.velocity_at(&p_a);
    let second = b.acceleration_at(&at.p) - a.acceleration_at(&p_a);
    let axis_rate = a.w.cross(u);
    u.dot(&second)
        + 2.0 * axis_rate.dot(&rate)
        + (a.alpha.cross(u) + a.w.cross(&axis_rate)).dot(&at.d)
}

/// Six-vector of two vectors.
pub(super) fn spatial(a: &Vector, b: &Vector) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

/// Cosine of the second of three angles below which the other two are not distinguished.
const SINGULAR: f64 = 1e-6;
