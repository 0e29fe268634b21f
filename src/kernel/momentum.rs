//! Momentum and kinetic energy of all bodies together.

use super::forward::Frame;
use super::joint_armature::ball_energy;
use super::spatial::{RigidInertia, Wrench};
use super::tree::{Kind, ROOT, Tree};
use crate::math::Scalar;
use crate::math::linear::{add, cross, scale, sub};

/// Momentum of all bodies about the world point `p_w`.
#[inline(always)]
pub(crate) fn momentum<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    dq: &[T],
    p_w: [T; 3],
    velocities: &mut [[[T; 3]; 2]],
) -> Wrench<T> {
    let mut sum = Wrench::zero();
    for_each_body(tree, bodies, dq, velocities, |frame, momentum, _| {
        let arm = sub(frame.origin(), p_w);
        sum = sum.add(&momentum.shifted(arm));
    });
    sum
}

/// The kinetic energy of all bodies and armatures.
#[inline(always)]
pub(crate) fn kinetic_energy<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    dq: &[T],
    velocities: &mut [[[T; 3]; 2]],
) -> T {
    let mut twice = T::constant(0.0);
    for_each_body(tree, bodies, dq, velocities, |_, momentum, velocity| {
        twice = twice + momentum.power(velocity);
    });
    for (node, &dq) in tree.nodes().iter().zip(dq) {
        twice = twice + T::constant(node.armature) * (dq * dq);
    }
    T::constant(0.5) * twice + ball_energy(tree, bodies, dq)
}

/// Calls `visit` with the frame of each body, its momentum and its velocity, both about its origin.
#[inline(always)]
fn for_each_body<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    dq: &[T],
    velocities: &mut [[[T; 3]; 2]],
    mut visit: impl FnMut(&Frame<T>, Wrench<T>, [[T; 3]; 2]),
) {
    for i in 0..tree.len() {
        let (node, frame) = (&tree.nodes()[i], &bodies[i]);
        let [mut w, mut v] = [[T::constant(0.0); 3]; 2];
        if node.parent != ROOT {
            let parent = node.parent as usize;
            let r = sub(frame.origin(), bodies[parent].origin());
            let [w_p, v_p] = velocities[parent];
            [w, v] = [w_p, add(v_p, cross(w_p, r))];
        }
        match node.kind {
            Kind::Revolute => w = add(w, scale(T::constant(node.revolute) * dq[i], frame.axis())),
            Kind::Prismatic => v = add(v, scale(T::constant(node.prismatic) * dq[i], frame.axis())),
        }
        velocities[i] = [w, v];
        let inertia = RigidInertia::of_body(&tree.inertias()[i], frame, frame.origin());
        visit(frame, inertia.momentum([w, v]), [w, v]);
    }
}
