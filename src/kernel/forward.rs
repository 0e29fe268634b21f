//! Forward kinematics: where each body is.

use super::linear::{constant3, product, scale_add, turn_add};
use super::tree::{Kind, ROOT, Tree};
use crate::math::{LANES, Scalar};

/// The pose of a body's re-framed frame in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame<T> {
    /// Rotation to the world, column-major.
    pub(crate) rotation: [T; 9],
    /// Origin in the world.
    pub(crate) origin: [T; 3],
}

impl<T: Scalar> Frame<T> {
    fn identity() -> Self {
        let (zero, one) = (T::constant(0.0), T::constant(1.0));
        Self {
            rotation: [one, zero, zero, zero, one, zero, zero, zero, one],
            origin: [zero; 3],
        }
    }

    /// The direction of the joint's axis in the world, of length 1.
    #[inline(always)]
    pub(super) fn axis(&self) -> [T; 3] {
        [self.rotation[6], self.rotation[7], self.rotation[8]]
    }
}

/// The frames of all bodies, and the memory that it takes to compute them.
#[derive(Debug, Clone)]
pub(crate) struct Frames<T> {
    // filled up to a multiple of the lanes
    sines: Vec<T>,
    cosines: Vec<T>,
    bodies: Vec<Frame<T>>,
}

impl<T: Scalar> Frames<T> {
    /// Room for the bodies of a tree; all at the origin until [`forward`] is called.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = T::constant(0.0);
        Self {
            sines: vec![zero; tree.len().next_multiple_of(LANES)],
            cosines: vec![zero; tree.len().next_multiple_of(LANES)],
            bodies: vec![Frame::identity(); tree.len()],
        }
    }

    /// One frame per body.
    pub(crate) fn bodies(&self) -> &[Frame<T>] {
        &self.bodies
    }
}

/// Puts every body where the configuration `q` has it.
///
/// # Panics
///
/// If `q` or `out` belong to a tree of another size.
pub(crate) fn forward<T: Scalar>(tree: &Tree, q: &[T], out: &mut Frames<T>) {
    let nodes = tree.nodes();
    let n = nodes.len();
    let (bodies, q) = (&mut out.bodies[..n], &q[..n]);

    // all sines and cosines first: one vector computation, also over the angles that fill it up
    for i in 0..n {
        out.sines[i] = T::constant(nodes[i].turn) * q[i];
    }
    T::sin_cos(&mut out.sines, &mut out.cosines);
    let (sines, cosines) = (&out.sines[..n], &out.cosines[..n]);

    // the frame before this one stays in registers: it is most often the parent
    let mut last = Frame::identity();
    for i in 0..n {
        let node = &nodes[i];
        let r = node.rotation.map(T::constant);
        let t = constant3(&node.translation);

        // the joint turns about z or slides along it: only two columns, or the origin, change
        let local = match node.kind {
            Kind::Revolute => {
                let (s, c) = (sines[i], cosines[i]);
                let x = [0, 1, 2].map(|k| s.mul_add(r[3 + k], c * r[k]));
                let y = [0, 1, 2].map(|k| c * r[3 + k] - s * r[k]);
                Frame {
                    rotation: [x[0], x[1], x[2], y[0], y[1], y[2], r[6], r[7], r[8]],
                    origin: t,
                }
            }
            Kind::Prismatic => Frame {
                rotation: r,
                origin: scale_add(T::constant(node.slide) * q[i], [r[6], r[7], r[8]], t),
            },
        };
        last = if node.parent == ROOT {
            local
        } else {
            let parent = if node.parent as usize + 1 == i {
                last
            } else {
                bodies[node.parent as usize]
            };
            Frame {
                rotation: product(&parent.rotation, &local.rotation),
                origin: turn_add(&parent.rotation, local.origin, parent.origin),
            }
        };
        bodies[i] = last;
    }
}
