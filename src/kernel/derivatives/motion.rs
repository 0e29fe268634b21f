//! Derivatives of the velocity and the acceleration of a point of a body.
//!
//! With spatial velocities `V` and accelerations `A` about the present position of the point, coordinate `j` moves all
//! that is beyond it:
//!
//! ```text
//! ∂V/∂q_j = S_j × (V − V_j)       ∂A/∂q_j = Ṡ_j × (V − V_j) + S_j × (A − A_j)
//! ∂V/∂q̇_j = S_j                   ∂A/∂q̇_j = Ṡ_j + S_j × (V − V_j)              Ṡ_j = V_j × S_j
//! ```
//!
//! The point itself moves with the linear half of `S_j`, and a point accelerates by `ω × v` more than `A` says.

use super::terms::{Motion, motion_cross, motion_cross_add};
use crate::kernel::forward::Frame;
use crate::kernel::jacobian::column;
use crate::kernel::tree::Tree;
use crate::math::Scalar;
use crate::math::linear::{add, cross, cross_add, scale_add, sub};

/// Columns by configuration, by velocity and by acceleration, angular first; those of coordinates that do not move the
/// point are not written.
pub(crate) struct PointPartials<'a, T> {
    /// Of the velocity, by configuration.
    pub(crate) dv_dq: &'a mut [[T; 6]],
    /// Of the acceleration, by configuration.
    pub(crate) da_dq: &'a mut [[T; 6]],
    /// Of the acceleration, by velocity.
    pub(crate) da_dv: &'a mut [[T; 6]],
    /// Of the acceleration by itself, and of the velocity by itself: the Jacobian.
    pub(crate) da_da: &'a mut [[T; 6]],
}

/// Partials at the world point `p_w` of `body`.
#[inline(always)]
pub(crate) fn point_derivatives<T: Scalar>(
    tree: &Tree,
    frames: &[Frame<T>],
    body: Option<usize>,
    p_w: [T; 3],
    dq: &[T],
    ddq: &[T],
    out: &mut PointPartials<'_, T>,
) {
    let rest = [[T::constant(0.0); 3]; 2];
    let v = tree.chain(body).fold(rest, |v, j| {
        add_scaled(dq[j], column(tree, frames, j, p_w), v)
    });
    let (mut a, mut beyond) = (rest, rest);
    for j in tree.chain(body) {
        let s = column(tree, frames, j, p_w);
        let s_dot = motion_cross(subtract(v, beyond), s);
        a = add_scaled(ddq[j], s, add_scaled(dq[j], s_dot, a));
        beyond = add_scaled(dq[j], s, beyond);
    }

    // motion of the point relative to the body that the coordinate moves
    let (mut v_beyond, mut a_beyond) = (rest, rest);
    for j in tree.chain(body) {
        let s = column(tree, frames, j, p_w);
        let s_dot = motion_cross(subtract(v, v_beyond), s);
        let rotated = motion_cross(s, v_beyond);
        let v_partial = [rotated[0], cross_add(v[0], s[1], rotated[1])];
        let a_turned = motion_cross_add(s_dot, v_beyond, motion_cross(s, a_beyond));
        let linear = cross_add(a[0], s[1], cross_add(v_partial[0], v[1], a_turned[1]));
        let da_dq = [a_turned[0], cross_add(v[0], v_partial[1], linear)];
        let da_dv = [
            add(s_dot[0], rotated[0]),
            add(
                add(s_dot[1], rotated[1]),
                cross_add(s[0], v[1], cross(v[0], s[1])),
            ),
        ];
        out.dv_dq[j] = to_array(v_partial);
        out.da_dq[j] = to_array(da_dq);
        out.da_dv[j] = to_array(da_dv);
        out.da_da[j] = to_array(s);
        a_beyond = add_scaled(ddq[j], s, add_scaled(dq[j], s_dot, a_beyond));
        v_beyond = add_scaled(dq[j], s, v_beyond);
    }
}

#[inline(always)]
fn add_scaled<T: Scalar>(rate: T, x: Motion<T>, v: Motion<T>) -> Motion<T> {
    [scale_add(rate, x[0], v[0]), scale_add(rate, x[1], v[1])]
}

#[inline(always)]
fn subtract<T: Scalar>(a: Motion<T>, b: Motion<T>) -> Motion<T> {
    [sub(a[0], b[0]), sub(a[1], b[1])]
}

#[inline(always)]
fn to_array<T: Copy>([w, v]: Motion<T>) -> [T; 6] {
    [w[0], w[1], w[2], v[0], v[1], v[2]]
}
