//! A joint between two bodies: what it locks, and the coordinates of what it leaves free.
//!
//! Everything is said of the twist `ξ` of the second body relative to the first. With the frames A and B of the joint, the
//! axes `u` of A, `d` from A's origin to B's at `p`, and `r = p − o` from the point that twists are told about:
//!
//! | locked | constraint | of the relative twist |
//! |---|---|---|
//! | translation along `u_i` | `u_i · d = 0` | `u_i · (v + ω × r)` |
//! | one turn, `f₁` and `f₂` free | `a_{f₁} · b_{f₂} = 0` | `(b × a) · ω` |
//! | two rotations, `k` free | `a_i · b_k = 0`, two of them | `(b × a) · ω` |
//! | all rotations | `a_x · b_y = a_y · b_z = a_z · b_x = 0` | `(b × a) · ω` |
//!
//! Free rotations are taken one after the other about z, y and x, as those of a floating base are.

use nalgebra::{Matrix3, Vector6};

use super::body_state::Kin;
use crate::math::{Pose, Vector};

/// Which relative motions a joint leaves free: translations along, and rotations about, the axes of its first frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axes {
    /// Along x, y, z.
    pub translation: [bool; 3],
    /// About x, y, z.
    pub rotation: [bool; 3],
}

impl Axes {
    /// None: what is joined is one body.
    pub const FIXED: Self = Self::new([false; 3], [false; 3]);
    /// A turn about z.
    pub const REVOLUTE: Self = Self::new([false; 3], [false, false, true]);
    /// A slide along z.
    pub const PRISMATIC: Self = Self::new([false, false, true], [false; 3]);
    /// A slide along z and a turn about it.
    pub const CYLINDRICAL: Self = Self::new([false, false, true], [false, false, true]);
    /// A turn about z and one about the y that it leads to: Cardan's.
    pub const UNIVERSAL: Self = Self::new([false; 3], [false, true, true]);
    /// All rotations.
    pub const SPHERICAL: Self = Self::new([false; 3], [true; 3]);
    /// Slides along x and y, and a turn about z.
    pub const PLANAR: Self = Self::new([true, true, false], [false, false, true]);
    /// All: nothing is locked.
    pub const FREE: Self = Self::new([true; 3], [true; 3]);

    /// These, along and about x, y, z.
    #[must_use]
    pub const fn new(translation: [bool; 3], rotation: [bool; 3]) -> Self {
        Self {
            translation,
            rotation,
        }
    }

    /// How many coordinates the joint has: translations along x, y, z, then rotations about z, y, x, those that are free.
    #[must_use]
    pub fn n_free(&self) -> usize {
        let all = self.translation.iter().chain(&self.rotation);
        all.filter(|is_free| **is_free).count()
    }

    /// How many motions the joint locks.
    #[must_use]
    pub fn n_locked(&self) -> usize {
        6 - self.n_free()
    }

    /// What each coordinate is called: `tx` for the translation along x, `rz` for the turn about z.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let t = self.translation.into_iter().zip(["tx", "ty", "tz"]);
        let r = self.rotation.into_iter().zip(["rx", "ry", "rz"]).rev();
        t.chain(r).filter(|(free, _)| *free).map(|(_, name)| name)
    }
}

/// A frame on a body: from its centre of mass, in its axes. Past the last body is the ground.
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

/// A joint as it is computed with.
#[derive(Debug, Clone)]
pub(super) struct JointModel {
    pub(super) a: BodyFrame,
    pub(super) b: BodyFrame,
    // translations: those that are free, those that are locked
    pub(super) free: AxisList,
    pub(super) locked: AxisList,
    // rotations that are free, in their order
    pub(super) rotations: AxisList,
    // the rows of the others: axes of A and of B that stay orthogonal
    pub(super) pairs: [(usize, usize); 3],
    pub(super) n_pairs: usize,
    /// Whether three free rotations are told by their angles, which some orientations do not have.
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

/// A joint where its bodies are.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointKin {
    /// Where the origin of B is.
    pub(super) p: Vector,
    pub(super) d: Vector,
    pub(super) u: [Vector; 3],
    pub(super) b: [Vector; 3],
    // of the rows of rotations: their normals, and the relative angular velocities of rate 1 each
    pub(super) n: [Vector; 3],
    pub(super) m: [Vector; 3],
    // of the free rotations: their axes, and the moments of power 1 each
    pub(super) e: [Vector; 3],
    pub(super) dual: [Vector; 3],
}

impl JointKin {
    /// Something to begin with.
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

    /// Whether coordinate `i` is an angle.
    pub(super) fn is_angle(&self, i: usize) -> bool {
        i >= self.free.n
    }

    pub(super) fn n_rotations(&self) -> usize {
        self.rotations.n
    }

    /// Looks where the bodies are. `None` where three angles are singular.
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

        // rows, then axes: what each of them alone sees
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

    /// What the constraints say, and should be 0: m, or the cosine of an angle.
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

    /// Whether axes that should be one point the same way, instead of opposite ways.
    pub(super) fn is_correctly_assembled(&self, at: &JointKin) -> bool {
        match self.rotations.n {
            0 => (0..3).all(|k| at.u[k].dot(&at.b[k]) > 0.0),
            1 => at.u[self.rotations.axes[0]].dot(&at.b[self.rotations.axes[0]]) > 0.0,
            _ => true,
        }
    }

    /// Their rates.
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

    /// The rates of those.
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

    /// The coordinates, angles in (−π, π].
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

    /// Their rates.
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

    /// The rates of those.
    pub(super) fn accelerations(&self, at: &JointKin, [a, b]: [&Kin; 2]) -> [f64; 6] {
        let rates = self.rates(at, [a, b]);
        let mut out = [0.0; 6];
        for (i, k) in self.free.iter().enumerate() {
            out[i] = translation_acceleration(at, &at.u[k], [a, b]);
        }

        // each axis rotations with all that rotations before it
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

    /// The relative twist of rate 1 in coordinate `i` alone, told about `o`.
    pub(super) fn subspace(&self, at: &JointKin, i: usize, o: &Vector) -> Vector6<f64> {
        if i < self.free.n {
            return spatial(&Vector::zeros(), &at.u[self.free.axes[i]]);
        }
        let e = at.e[i - self.free.n];
        spatial(&e, &(at.p - o).cross(&e))
    }

    /// The relative twist of these rates of the constraints, none of the coordinates, told about `o`.
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

    /// The force and moment at `p` on B worst power is the rate of constraint `row`.
    pub(super) fn constraint_wrench(&self, at: &JointKin, row: usize) -> [Vector; 2] {
        match self.locked.n {
            n if row < n => [at.u[self.locked.axes[row]], Vector::zeros()],
            n => [Vector::zeros(), at.n[row - n]],
        }
    }

    /// The force and moment at `p` on B worst power is the rate of coordinate `i`.
    pub(super) fn dof_wrench(&self, at: &JointKin, i: usize) -> [Vector; 2] {
        match self.free.n {
            n if i < n => [at.u[self.free.axes[i]], Vector::zeros()],
            n => [Vector::zeros(), at.dual[i - n]],
        }
    }
}

/// The second derivative of `u · d`, for an axis `u` of A.
fn translation_acceleration(at: &JointKin, u: &Vector, [a, b]: [&Kin; 2]) -> f64 {
    let p_a = at.p - at.d;
    let rate = b.velocity_at(&at.p) - a.velocity_at(&p_a);
    let second = b.acceleration_at(&at.p) - a.acceleration_at(&p_a);
    let turned = a.w.cross(u);
    u.dot(&second) + 2.0 * turned.dot(&rate) + (a.alpha.cross(u) + a.w.cross(&turned)).dot(&at.d)
}

/// Six numbers of two vectors.
pub(super) fn spatial(a: &Vector, b: &Vector) -> Vector6<f64> {
    Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
}

/// A cosine of the second of three angles below which the other two are no longer told apart.
const SINGULAR: f64 = 1e-6;
