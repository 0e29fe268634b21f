//! Armature of ball joints: an inertia that the angular velocity of a joint moves in addition to the bodies.
//!
//! Three revolute bodies, one on the other, rotate the last by `ω = s_1 q̇_1 + s_2 q̇_2 + s_3 q̇_3` relative to what carries them.
//! A rotor of inertia `A` in each direction has the energy `½ A |ω|²` and adds `A s_i · s_j` to the mass matrix. Its
//! diagonal is the armature of the three coordinates, which all algorithms know; here is the rest. Of it only `s_1 · s_3`
//! changes, with `q_2`:
//!
//! ```text
//! m = A s_1 · s_3      m' = ∂m/∂q_2 = A s_1 · (s_2 × s_3)      m'' = A s_1 · (s_2 × (s_2 × s_3))
//! τ_1 = m q̈_3 + m' q̇_2 q̇_3      τ_2 = −m' q̇_1 q̇_3      τ_3 = m q̈_1 + m' q̇_1 q̇_2
//! ```
//!
//! and constant products of `q̈_1`, `q̈_2` and of `q̈_2`, `q̈_3` where these axes are not perpendicular.
//!
//! Articulated bodies have no place for what couples a coordinate with one that is not next to it. Trees with such joints
//! take forward dynamics and the inverse from factors of the mass matrix.

use super::derivatives::Partials;
use super::forward::Frame;
use super::tree::Tree;
use crate::math::Scalar;
use crate::math::linear::{cross, dot, scale};

/// Three revolute bodies, each the parent of the next, with an inertia that their common angular velocity moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BallArmature {
    pub(crate) bodies: [usize; 3],
    pub(crate) inertia: f64,
}

/// Numbers off the diagonal of the mass matrix.
struct Coupling<T> {
    bodies: [usize; 3],
    /// Rows 1 and 2, 2 and 3, 1 and 3.
    masses: [T; 3],
    /// `m'` and `m''`.
    derivative: T,
    second_derivative: T,
}

impl BallArmature {
    #[inline(always)]
    fn coupling<T: Scalar>(&self, tree: &Tree, frames: &[Frame<T>]) -> Coupling<T> {
        let axis = |i: usize| scale(T::constant(tree.nodes()[i].revolute), frames[i].axis());
        let [s1, s2, s3] = self.bodies.map(axis);
        let inertia = T::constant(self.inertia);
        let turned = cross(s2, s3);
        Coupling {
            bodies: self.bodies,
            masses: [dot(s1, s2), dot(s2, s3), dot(s1, s3)].map(|x| inertia * x),
            derivative: inertia * dot(s1, turned),
            second_derivative: inertia * dot(s1, cross(s2, turned)),
        }
    }
}

/// Adds to the mass matrix (n × n, symmetric).
#[inline(always)]
pub(crate) fn add_ball_masses<T: Scalar>(tree: &Tree, frames: &[Frame<T>], out: &mut [T]) {
    let n = tree.len();
    for joint in tree.ball_joints() {
        let c = joint.coupling(tree, frames);
        let [i, j, k] = c.bodies;
        for ((row, column), mass) in [(i, j), (j, k), (i, k)].into_iter().zip(c.masses) {
            for at in [row * n + column, column * n + row] {
                out[at] = out[at] + mass;
            }
        }
    }
}

/// Adds to the generalised forces of a motion.
#[inline(always)]
pub(crate) fn add_ball_forces<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    [dq, ddq]: [&[T]; 2],
    tau: &mut [T],
) {
    for joint in tree.ball_joints() {
        let c = joint.coupling(tree, frames);
        let [i, j, k] = c.bodies;
        let ([v1, v2, v3], [a1, a2, a3]) = (c.bodies.map(|x| dq[x]), c.bodies.map(|x| ddq[x]));
        let [near, far, m] = c.masses;
        tau[i] = tau[i] + near * a2 + m * a3 + c.derivative * v2 * v3;
        tau[j] = tau[j] + near * a1 + far * a3 - c.derivative * v1 * v3;
        tau[k] = tau[k] + far * a2 + m * a1 + c.derivative * v1 * v2;
    }
}

/// Adds to the partials of inverse dynamics.
#[inline(always)]
pub(crate) fn add_ball_partials<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    [dq, ddq]: [&[T]; 2],
    out: &mut Partials<'_, T>,
) {
    let n = tree.len();
    for joint in tree.ball_joints() {
        let c = joint.coupling(tree, frames);
        let ([v1, v2, v3], [a1, _, a3]) = (c.bodies.map(|x| dq[x]), c.bodies.map(|x| ddq[x]));
        let by_angle = [
            c.derivative * a3 + c.second_derivative * v2 * v3,
            -(c.second_derivative * v1 * v3),
            c.derivative * a1 + c.second_derivative * v1 * v2,
        ];
        for (row, value) in c.bodies.into_iter().zip(by_angle) {
            let at = c.bodies[1] * n + row;
            out.wrt_q[at] = out.wrt_q[at] + value;
        }
    }
    add_by_velocity(tree, frames, dq, T::constant(1.0), out.wrt_v);
    add_ball_masses(tree, frames, out.wrt_input);
}

/// Adds to the Coriolis matrix (n × n, column after column).
#[inline(always)]
pub(crate) fn add_ball_coriolis<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    dq: &[T],
    out: &mut [T],
) {
    add_by_velocity(tree, frames, dq, T::constant(0.5), out);
}

/// Adds a multiple of the partials of the generalised forces by velocity.
#[inline(always)]
fn add_by_velocity<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    dq: &[T],
    factor: T,
    out: &mut [T],
) {
    let n = tree.len();
    for joint in tree.ball_joints() {
        let c = joint.coupling(tree, frames);
        let [i, j, k] = c.bodies;
        let [v1, v2, v3] = c.bodies.map(|x| factor * c.derivative * dq[x]);
        for (row, column, value) in [
            (i, j, v3),
            (i, k, v2),
            (j, i, -v3),
            (j, k, -v1),
            (k, i, v2),
            (k, j, v1),
        ] {
            let at = column * n + row;
            out[at] = out[at] + value;
        }
    }
}

/// Adds to the derivative of the mass matrix by coordinate `k`.
#[inline(always)]
pub(crate) fn add_ball_mass_derivative<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    k: usize,
    out: &mut [T],
) {
    let n = tree.len();
    for joint in tree
        .ball_joints()
        .iter()
        .filter(|joint| joint.bodies[1] == k)
    {
        let c = joint.coupling(tree, frames);
        let [first, _, last] = c.bodies;
        for at in [first * n + last, last * n + first] {
            out[at] = out[at] + c.derivative;
        }
    }
}

/// Kinetic energy beyond that of the armature of each coordinate.
#[inline(always)]
pub(crate) fn ball_energy<T: Scalar>(tree: &Tree, frames: &[Frame<T>], dq: &[T]) -> T {
    let mut sum = T::constant(0.0);
    for joint in tree.ball_joints() {
        let c = joint.coupling(tree, frames);
        let [v1, v2, v3] = c.bodies.map(|x| dq[x]);
        let [near, far, m] = c.masses;
        sum = sum + near * v1 * v2 + far * v2 * v3 + m * v1 * v3;
    }
    sum
}
