//! Jacobians; columns of bodies that do not carry the point are not written.

use super::forward::Frame;
use super::tree::{Kind, Tree};
use crate::math::Scalar;
use crate::math::linear::{cross, scale, sub};

/// Jacobian column of coordinate `i` at a point in the world: angular, linear.
#[inline(always)]
pub(crate) fn column<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    i: usize,
    p_w: [T; 3],
) -> [[T; 3]; 2] {
    let (node, frame) = (&tree.nodes()[i], &bodies[i]);
    match node.kind {
        Kind::Revolute => {
            let z = scale(T::constant(node.revolute), frame.axis());
            [z, cross(z, sub(p_w, frame.origin()))]
        }
        Kind::Prismatic => {
            let z = scale(T::constant(node.prismatic), frame.axis());
            [[T::constant(0.0); 3], z]
        }
    }
}

/// The 6 × n Jacobian of the world point `p_w` carried by `body`, angular rows first.
#[inline(always)]
pub(crate) fn jacobian<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    body: Option<usize>,
    p_w: [T; 3],
    columns: &mut [[T; 6]],
) {
    for i in tree.chain(body) {
        let [w, v] = column(tree, bodies, i, p_w);
        columns[i] = [w[0], w[1], w[2], v[0], v[1], v[2]];
    }
}
