//! Velocity and acceleration of one body, summed from the body to the root.

use super::forward::Frame;
use super::jacobian::column;
use super::tree::Tree;
use crate::math::Scalar;
use crate::math::linear::{add, cross, scale, scale_add};

/// Velocity `J · rates` of the world point `p_w` of `body`, angular first.
#[inline(always)]
pub(crate) fn velocity<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    body: Option<usize>,
    p_w: [T; 3],
    rates: &[T],
) -> [[T; 3]; 2] {
    let mut sum = [[T::constant(0.0); 3]; 2];
    for i in tree.chain(body) {
        let [w, v] = column(tree, bodies, i, p_w);
        sum = [
            scale_add(rates[i], w, sum[0]),
            scale_add(rates[i], v, sum[1]),
        ];
    }
    sum
}

/// Bias acceleration `J̇ · dq` of the point, angular first.
///
/// With `w_i, v_i` the contribution of coordinate `i` to the velocity, everything beyond `i` rotates with
/// `w_i`, and so does the contribution of `i` itself: `Σ w_i × (v_i + 2 Σ_outside v_j)`. The factor two is Coriolis'.
#[inline(always)]
pub(crate) fn bias<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    body: Option<usize>,
    p_w: [T; 3],
    dq: &[T],
) -> [[T; 3]; 2] {
    let zero = [T::constant(0.0); 3];
    let two = T::constant(2.0);
    let (mut outside_w, mut outside_v) = (zero, zero);
    let (mut angular, mut linear) = (zero, zero);
    for i in tree.chain(body) {
        let [w, v] = column(tree, bodies, i, p_w);
        let (w, v) = (scale(dq[i], w), scale(dq[i], v));
        angular = add(angular, cross(w, outside_w));
        linear = add(linear, cross(w, scale_add(two, outside_v, v)));
        outside_w = add(outside_w, w);
        outside_v = add(outside_v, v);
    }
    [angular, linear]
}

/// Rate of the 6 × n Jacobian; columns of other bodies are not written.
///
/// Column `i` rotates with the parent, and its arm changes with the motion of everything from `i` outwards.
#[inline(always)]
pub(crate) fn jacobian_dot<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    body: Option<usize>,
    p_w: [T; 3],
    dq: &[T],
    columns: &mut [[T; 6]],
) {
    // the angular velocity of the parent of `i`, and the velocity of the point relative to it
    let [mut outer_w, _] = velocity(tree, bodies, body, p_w, dq);
    let mut relative = [T::constant(0.0); 3];
    for i in tree.chain(body) {
        let [w, v] = column(tree, bodies, i, p_w);
        outer_w = scale_add(-dq[i], w, outer_w);
        relative = scale_add(dq[i], v, relative);
        let angular = cross(outer_w, w);
        let linear = add(cross(outer_w, v), cross(w, relative));
        columns[i] = [
            angular[0], angular[1], angular[2], linear[0], linear[1], linear[2],
        ];
    }
}
