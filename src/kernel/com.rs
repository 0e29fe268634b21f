//! Centre of mass and moment of inertia of the whole tree.

use super::forward::Frame;
use super::tree::{Kind, ROOT, Tree};
use crate::math::Scalar;
use crate::math::linear::{add, constant3, cross, dot, product, scale, scale_add, sub, transpose};

/// Total mass times the centre of mass, in the world.
#[inline(always)]
pub(crate) fn first_moment<T: Scalar>(tree: &Tree, bodies: &[Frame<T>]) -> [T; 3] {
    let mut sum = [T::constant(0.0); 3];
    for i in 0..tree.len() {
        sum = add(sum, of_body(tree, bodies, i));
    }
    sum
}

/// The 3 × n Jacobian of [`first_moment`].
#[inline(always)]
pub(crate) fn first_moment_jacobian<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    columns: &mut [[T; 3]],
) {
    for i in 0..tree.len() {
        columns[i] = of_body(tree, bodies, i);
    }

    // backward pass: a column first collects the moment of its subtree, is added to its parent's, and becomes the column
    for i in (0..tree.len()).rev() {
        let (node, frame) = (&tree.nodes()[i], &bodies[i]);
        let moment = columns[i];
        if node.parent != ROOT {
            let parent = node.parent as usize;
            columns[parent] = add(columns[parent], moment);
        }
        let mass = tree.subtree_mass(i);
        columns[i] = match node.kind {
            Kind::Revolute => {
                let arm = scale_add(T::constant(-mass), frame.origin(), moment);
                cross(scale(T::constant(node.revolute), frame.axis()), arm)
            }
            Kind::Prismatic => scale(T::constant(node.prismatic * mass), frame.axis()),
        };
    }
}

/// The second derivatives (n × n, symmetric) of [`first_moment`] along a direction; `columns` holds its Jacobian.
///
/// A column rotates with its ancestors: `∂ column_k / ∂q_j = w_j × column_k`, `k` being `j` or beyond it.
#[inline(always)]
pub(crate) fn first_moment_curvature<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    columns: &[[T; 3]],
    along: [T; 3],
    out: &mut [T],
) {
    let (n, nodes) = (tree.len(), tree.nodes());
    let out = &mut out[..n * n];
    out.fill(T::constant(0.0));
    for k in 0..n {
        let lever = cross(columns[k], along);

        // up the branch: an ancestor has a lower index, the world a higher one
        let mut j = k;
        while j <= k {
            let length = T::constant(nodes[j].revolute);
            let curvature = length * dot(bodies[j].axis(), lever);
            out[k * n + j] = curvature;
            out[j * n + k] = curvature;
            j = nodes[j].parent as usize;
        }
    }
}

/// Moment of inertia of all bodies as one, about the world point `p_w` (column-major).
#[inline(always)]
pub(crate) fn moment_about<T: Scalar>(tree: &Tree, bodies: &[Frame<T>], p_w: [T; 3]) -> [T; 9] {
    let mut sum = [T::constant(0.0); 9];
    for i in 0..tree.len() {
        let (inertia, frame) = (&tree.inertias()[i], &bodies[i]);
        let own = inertia.moment.map(T::constant);
        let r = &frame.rotation();
        let rotated = product(&product(r, &own), &transpose(r));
        let com = frame.apply(constant3(&inertia.com));
        let d = sub(com, p_w);
        let md = scale(T::constant(inertia.mass), d);
        let square = d[0].mul_add(md[0], d[1].mul_add(md[1], d[2] * md[2]));
        for j in 0..3 {
            for k in 0..3 {
                let shift = -(md[k] * d[j]);
                sum[3 * j + k] = sum[3 * j + k] + rotated[3 * j + k] + shift;
            }
            sum[4 * j] = sum[4 * j] + square;
        }
    }
    sum
}

#[inline(always)]
fn of_body<T: Scalar>(tree: &Tree, bodies: &[Frame<T>], i: usize) -> [T; 3] {
    let (inertia, frame) = (&tree.inertias()[i], &bodies[i]);
    let com = frame.apply(constant3(&inertia.com));
    scale(T::constant(inertia.mass), com)
}
