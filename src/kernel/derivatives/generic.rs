//! Derivatives body by body, over any scalar: many configurations in lanes, or dual numbers.

use super::Partials;
use super::terms::{Drift, Motion, Products, motion_cross, net_wrench, s_ddot};
use crate::kernel::factor::{factorize, invert, solve};
use crate::kernel::forward::Frame;
use crate::kernel::jacobian::column;
use crate::kernel::joint_armature::add_ball_partials;
use crate::kernel::spatial::{RigidInertia, Wrench};
use crate::kernel::tree::{ROOT, Tree};
use crate::math::Scalar;
use crate::math::linear::scale_add;

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Derivatives<T> {
    bodies: Vec<Body<T>>,
    // of the mass matrix, n × n
    factors: Vec<T>,
}

/// A body; after the backward pass, with its descendants.
#[derive(Debug, Clone, Copy)]
struct Body<T> {
    s: Motion<T>,
    v: Motion<T>,
    a: Motion<T>,
    s_dot: Motion<T>,
    s_ddot: Motion<T>,
    inertia: RigidInertia<T>,
    drift: Drift<T>,
    force: Wrench<T>,
}

impl<T: Scalar> Derivatives<T> {
    /// Memory for the mass matrix or its factors, n × n.
    pub(crate) fn factors_mut(&mut self) -> &mut [T] {
        &mut self.factors
    }

    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = T::constant(0.0);
        let rest = [[zero; 3]; 2];
        let body = Body {
            s: rest,
            v: rest,
            a: rest,
            s_dot: rest,
            s_ddot: rest,
            inertia: RigidInertia::zero(),
            drift: Drift {
                momentum: Wrench::zero(),
                second: [zero; 6],
            },
            force: Wrench::zero(),
        };
        Self {
            bodies: vec![body; tree.len()],
            factors: vec![zero; tree.len() * tree.len()],
        }
    }
}

/// Partials of inverse dynamics, without external wrenches.
#[inline(always)]
pub(crate) fn rnea_derivatives<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    dq: &[T],
    ddq: &[T],
    gravity: [T; 3],
    scratch: &mut Derivatives<T>,
    out: &mut Partials<'_, T>,
) {
    let n = tree.len();
    let Some(centre) = frames.get(tree.centre()) else {
        return;
    };
    let p_w = centre.origin();
    let (nodes, inertias, frames) = (&tree.nodes()[..n], &tree.inertias()[..n], &frames[..n]);
    let (dq, ddq, bodies) = (&dq[..n], &ddq[..n], &mut scratch.bodies[..n]);
    let zero = T::constant(0.0);
    let up = [-gravity[0], -gravity[1], -gravity[2]];

    // forward pass: each body alone
    for i in 0..n {
        let s = column(tree, frames, i, p_w);
        let inertia = RigidInertia::of_body(&inertias[i], &frames[i], p_w);
        let (v, a) = if nodes[i].parent == ROOT {
            ([[zero; 3]; 2], [[zero; 3], up])
        } else {
            let parent = &bodies[nodes[i].parent as usize];
            (parent.v, parent.a)
        };
        let v = add_scaled(dq[i], s, v);
        let s_dot = motion_cross(v, s);
        let a = add_scaled(ddq[i], s, add_scaled(dq[i], s_dot, a));
        let drift = Drift::of_body(&inertia, v);
        bodies[i] = Body {
            s,
            v,
            a,
            s_dot,
            s_ddot: s_ddot(s, s_dot, v, a),
            inertia,
            drift,
            force: net_wrench(&inertia, &drift.momentum, v, a),
        };
    }

    let (wrt_q, wrt_v) = (&mut out.wrt_q[..n * n], &mut out.wrt_v[..n * n]);
    let wrt_input = &mut out.wrt_input[..n * n];
    wrt_q.fill(zero);
    wrt_v.fill(zero);
    wrt_input.fill(zero);

    // backward pass: each body with its descendants
    for i in (0..n).rev() {
        let Body {
            s,
            s_dot,
            s_ddot,
            inertia,
            drift,
            force,
            ..
        } = bodies[i];
        let products = Products::new(s, s_dot, s_ddot, &inertia, &drift, &force);

        // up the branch: an ancestor has a lower index, the world a higher one
        let mut j = i;
        while j <= i {
            let ancestor = &bodies[j];
            let Products {
                inertial, drift, ..
            } = &products;
            let row = Products::row(
                inertial,
                *drift,
                ancestor.s,
                ancestor.s_dot,
                ancestor.s_ddot,
            );
            let column = products.column(ancestor.s);
            wrt_q[j * n + i] = row[0];
            wrt_v[j * n + i] = row[1];
            wrt_q[i * n + j] = column[0];
            wrt_v[i * n + j] = column[1];
            let mass = products.inertial.power(ancestor.s);
            wrt_input[i * n + j] = mass;
            wrt_input[j * n + i] = mass;
            j = nodes[j].parent as usize;
        }
        wrt_input[i * n + i] = wrt_input[i * n + i] + T::constant(nodes[i].armature);
        if nodes[i].parent != ROOT {
            let parent = &mut bodies[nodes[i].parent as usize];
            parent.inertia = parent.inertia.add(&inertia);
            parent.drift = parent.drift.add(&drift);
            parent.force = parent.force.add(&force);
        }
    }
    add_ball_partials(tree, frames, [dq, ddq], out);
}

/// Replaces the partials of inverse dynamics by those of forward dynamics at the same motion.
///
/// From `τ = ID(q, q̇, q̈)`: `∂q̈/∂q = −M⁻¹ ∂τ/∂q`, `∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇`, `∂q̈/∂τ = M⁻¹` (Carpentier, Mansard 2018,
/// section IV). A coordinate that moves no inertia divides by zero.
#[inline(always)]
pub(crate) fn aba_derivatives<T: Scalar>(
    tree: &Tree,
    scratch: &mut Derivatives<T>,
    out: &mut Partials<'_, T>,
) {
    let n = tree.len();
    let factors = &mut scratch.factors[..n * n];
    let inverse = &mut out.wrt_input[..n * n];
    factors.copy_from_slice(inverse);
    factorize(tree, factors);
    let minus = T::constant(-1.0);
    for partials in [&mut *out.wrt_q, &mut *out.wrt_v] {
        // rows of many columns, so that each number on the diagonal is inverted once
        transpose_times(minus, n, partials);
        solve(tree, factors, n, partials);
        transpose_times(T::constant(1.0), n, partials);
    }

    invert(tree, factors, inverse);
}

/// Transposes a matrix and multiplies it by `factor`.
#[inline(always)]
fn transpose_times<T: Scalar>(factor: T, n: usize, matrix: &mut [T]) {
    let matrix = &mut matrix[..n * n];
    for i in 0..n {
        for j in 0..i {
            let (below, above) = (matrix[i * n + j], matrix[j * n + i]);
            matrix[i * n + j] = factor * above;
            matrix[j * n + i] = factor * below;
        }
        matrix[i * n + i] = factor * matrix[i * n + i];
    }
}

/// `v + rate · x`.
#[inline(always)]
fn add_scaled<T: Scalar>(rate: T, x: Motion<T>, v: Motion<T>) -> Motion<T> {
    [scale_add(rate, x[0], v[0]), scale_add(rate, x[1], v[1])]
}
