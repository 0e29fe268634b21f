//! Inverse dynamics by Newton and Euler: Featherstone (2008), table 5.1; Luh, Walker, Paul (1980); O(n).
//!
//! The frames are computed before, so everything is in world axes and no vector is rotated from link to link; each
//! body's quantities are about its own origin, so that a robot far from the world's origin loses no digits.
//!
//! | here | table 5.1 | |
//! |---|---|---|
//! | `w`; the velocity of the origin is not needed | `v_i` | |
//! | `dw`, `a` | `a_i` | *classical* accelerations: `a` is that of the origin as a point, `ω × v` more than the book's |
//! | `subspace[0]`, `subspace[1]` | `S_i` | angular and linear half |
//! | `forces[i]` | `f_i` | the wrench transmitted by the joint to the body, about the body's origin |
//! | `−gravity` for the world's `a` | `a_0 = −a_g` | the world accelerates upwards instead of each body downwards |
//! | `r` | `ⁱX_λ(i)` | from the parent's origin to this one |
//!
//! The book's `f = I a + v ×* I v` is taken about the centre of mass, where it separates into Newton's `m a_c` and
//! Euler's `I α + ω × I ω`.

use super::forward::Frame;
use super::spatial::{Wrench, moment_of};
use super::tree::{BodyInertia, Kind, ROOT, Tree};
use crate::math::Scalar;
use crate::math::linear::{
    add, constant3, cross, dot, rotate, rotate_inverse, scale, scale_add, sub, symmetric_mul,
};

/// Scratch memory.
#[derive(Debug, Clone)]
pub(crate) struct Rnea<T> {
    motions: Vec<Accelerating<T>>,
    forces: Vec<Wrench<T>>,
}

/// Angular velocity and acceleration of a body, and linear acceleration of its origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Accelerating<T> {
    pub(super) w: [T; 3],
    pub(super) dw: [T; 3],
    pub(super) a: [T; 3],
}

impl<T: Scalar> Rnea<T> {
    /// Memory for the bodies of a tree.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = [T::constant(0.0); 3];
        let rest = Accelerating {
            w: zero,
            dw: zero,
            a: zero,
        };
        Self {
            motions: vec![rest; tree.len()],
            forces: vec![Wrench::zero(); tree.len()],
        }
    }

    /// The wrench transmitted by each joint to its body, about the body's origin, after [`backward_pass`].
    #[cfg(test)]
    pub(crate) fn forces(&self) -> &[Wrench<T>] {
        &self.forces
    }

    /// Net body wrenches between the two passes; subtract external wrenches here.
    pub(crate) fn forces_mut(&mut self) -> &mut [Wrench<T>] {
        &mut self.forces
    }
}

/// Forward pass: the net wrench of each body at `dq` and `ddq`, gravity included.
#[inline(always)]
pub(crate) fn forward_pass<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    dq: &[T],
    ddq: &[T],
    gravity: [T; 3],
    out: &mut Rnea<T>,
) {
    let n = tree.len();
    let (nodes, inertias) = (&tree.nodes()[..n], &tree.inertias()[..n]);
    let (bodies, dq, ddq) = (&bodies[..n], &dq[..n], &ddq[..n]);
    let (motions, forces) = (&mut out.motions[..n], &mut out.forces[..n]);
    let up = [-gravity[0], -gravity[1], -gravity[2]];
    if let Some(base) = tree.floating() {
        let body = base.body();
        motions[body] = base.accelerate(bodies, dq, ddq, up);
        forces[base.virtual_links()].fill(Wrench::zero());
        forces[body] = net_wrench(&inertias[body], &bodies[body], &motions[body]);
    }
    for i in tree.ordinary() {
        let (node, frame) = (&nodes[i], &bodies[i]);
        let z = frame.axis();

        // a rate of 1 moves the joint by the length of the axis
        let length = T::constant(node.revolute + node.prismatic);
        let (rate, acceleration) = (scale(length * dq[i], z), scale(length * ddq[i], z));
        let moving = if node.parent == ROOT {
            let still = [T::constant(0.0); 3];
            match node.kind {
                Kind::Revolute => Accelerating {
                    w: rate,
                    dw: acceleration,
                    a: up,
                },
                Kind::Prismatic => Accelerating {
                    w: still,
                    dw: still,
                    a: add(up, acceleration),
                },
            }
        } else {
            let parent = node.parent as usize;
            let Accelerating { w, dw, a } = motions[parent];
            let r = sub(frame.origin(), bodies[parent].origin());

            // the parent's acceleration at a distance, then the joint's
            let a = add(a, add(cross(dw, r), cross(w, cross(w, r))));
            let coriolis = cross(w, rate);
            match node.kind {
                Kind::Revolute => Accelerating {
                    w: add(w, rate),
                    dw: add(dw, add(acceleration, coriolis)),
                    a,
                },
                Kind::Prismatic => Accelerating {
                    w,
                    dw,
                    a: add(a, scale_add(T::constant(2.0), coriolis, acceleration)),
                },
            }
        };
        motions[i] = moving;
        forces[i] = net_wrench(&inertias[i], frame, &moving);
    }
}

/// Backward pass: the generalised forces, projections of `f_i` on `S_i` plus armature times acceleration.
#[inline(always)]
pub(crate) fn backward_pass<T: Scalar>(
    tree: &Tree,
    bodies: &[Frame<T>],
    ddq: &[T],
    scratch: &mut Rnea<T>,
    tau: &mut [T],
) {
    let n = tree.len();
    let nodes = &tree.nodes()[..n];
    let (bodies, ddq) = (&bodies[..n], &ddq[..n]);
    let (forces, tau) = (&mut scratch.forces[..n], &mut tau[..n]);
    for i in tree.ordinary().rev() {
        let (node, frame, f) = (&nodes[i], &bodies[i], forces[i]);
        let passed = match node.kind {
            Kind::Revolute => T::constant(node.revolute) * dot(frame.axis(), f.moment),
            Kind::Prismatic => T::constant(node.prismatic) * dot(frame.axis(), f.force),
        };
        tau[i] = T::constant(node.armature).mul_add(ddq[i], passed);
        if node.parent != ROOT {
            let parent = node.parent as usize;
            let r = sub(frame.origin(), bodies[parent].origin());
            forces[parent] = forces[parent].add(&f.shifted(r));
        }
    }
    if let Some(base) = tree.floating() {
        let passed = base.transmit(bodies, forces);
        for (i, passed) in base.range().zip(passed) {
            tau[i] = T::constant(nodes[i].armature).mul_add(ddq[i], passed);
        }
    }
}

/// Net wrench by Newton and Euler at the centre of mass, then about the origin of the body.
#[inline(always)]
fn net_wrench<T: Scalar>(
    inertia: &BodyInertia,
    frame: &Frame<T>,
    moving: &Accelerating<T>,
) -> Wrench<T> {
    let Accelerating { w, dw, a } = *moving;
    let r = &frame.rotation();
    let c = rotate(r, constant3(&inertia.com));
    let a_c = add(a, add(cross(dw, c), cross(w, cross(w, c))));
    let force = scale(T::constant(inertia.mass), a_c);

    // the moment of inertia is constant in the body's own axes
    let moment = moment_of(inertia);
    let (w, dw) = (rotate_inverse(r, w), rotate_inverse(r, dw));
    let euler = add(
        symmetric_mul(&moment, dw),
        cross(w, symmetric_mul(&moment, w)),
    );
    Wrench {
        moment: add(rotate(r, euler), cross(c, force)),
        force,
    }
}
