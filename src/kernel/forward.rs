//! Forward kinematics.

use super::tree::{Kind, ROOT, SignedAxis, Tree};
use crate::math::Scalar;
use crate::math::linear::constant3;

/// The pose of a body's re-framed frame in the world: three rows of rotation and origin.
///
/// In this layout a row times a pose is a sum of rows, four numbers at a time, and no load straddles two stores.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Frame<T>(pub(super) [[T; 4]; 3]);

impl<T: Scalar> Frame<T> {
    #[inline(always)]
    fn identity() -> Self {
        Self::constant(&[
            [1.0, 0.0, 0.0, 0.0],
            [0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
        ])
    }

    /// A frame that does not depend on the configuration: rows of rotation and origin.
    #[inline(always)]
    pub(crate) fn constant(rows: &[[f64; 4]; 3]) -> Self {
        let [x, y, z] = rows;
        Self([constant_row(x), constant_row(y), constant_row(z)])
    }

    /// Three rows of rotation and origin.
    #[inline(always)]
    pub(super) fn rows(&self) -> &[[T; 4]; 3] {
        &self.0
    }

    /// Position of the origin in the world.
    #[inline(always)]
    pub(crate) fn origin(&self) -> [T; 3] {
        [self.0[0][3], self.0[1][3], self.0[2][3]]
    }

    /// The rotation to the world, column-major.
    #[inline(always)]
    pub(crate) fn rotation(&self) -> [T; 9] {
        let [x, y, z] = &self.0;
        [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]
    }

    /// The direction of the joint's axis in the world, of length 1.
    #[inline(always)]
    pub(super) fn axis(&self) -> [T; 3] {
        [self.0[0][2], self.0[1][2], self.0[2][2]]
    }

    /// Where a point of the body is in the world.
    #[inline(always)]
    pub(crate) fn apply(&self, p: [T; 3]) -> [T; 3] {
        let [x, y, z] = &self.0;
        [apply_row(x, &p), apply_row(y, &p), apply_row(z, &p)]
    }

    /// The frame rotated about its z axis.
    #[inline(always)]
    pub(super) fn rotated_z(self, sine: T, cosine: T) -> Self {
        let ([x, y, z], neg_sine) = (self.0, -sine);
        Self([
            rotate_row(x, sine, cosine, neg_sine),
            rotate_row(y, sine, cosine, neg_sine),
            rotate_row(z, sine, cosine, neg_sine),
        ])
    }

    /// The frame translated along its z axis.
    #[inline(always)]
    pub(super) fn translated_z(mut self, by: T) -> Self {
        for row in &mut self.0 {
            row[3] = by.mul_add(row[2], row[3]);
        }
        self
    }

    /// The frame with permuted axes: x, y, z were y, z, x.
    #[inline(always)]
    pub(super) fn axes_cycled(self) -> Self {
        let [a, b, c] = self.0;
        Self([
            [a[1], a[2], a[0], a[3]],
            [b[1], b[2], b[0], b[3]],
            [c[1], c[2], c[0], c[3]],
        ])
    }

    /// A constant direction of the frame, in world axes; along a coordinate axis without arithmetic.
    #[inline(always)]
    pub(crate) fn direction(&self, along: SignedAxis, [x, y, z]: [f64; 3]) -> [T; 3] {
        let [a, b, c, d, e, f, g, h, i] = self.rotation();
        match along {
            SignedAxis::X => [a, b, c],
            SignedAxis::Y => [d, e, f],
            SignedAxis::Z => [g, h, i],
            SignedAxis::MinusX => [-a, -b, -c],
            SignedAxis::MinusY => [-d, -e, -f],
            SignedAxis::MinusZ => [-g, -h, -i],
            SignedAxis::None => {
                let (x, y, z) = (T::constant(x), T::constant(y), T::constant(z));
                [
                    g.mul_add(z, d.mul_add(y, a * x)),
                    h.mul_add(z, e.mul_add(y, b * x)),
                    i.mul_add(z, f.mul_add(y, c * x)),
                ]
            }
        }
    }

    /// Product of this frame and a constant one, given by rows; `along` holds the coordinate axes of its columns.
    #[inline(always)]
    fn compose_constant(&self, [x, y, z]: &[[f64; 4]; 3], along: [SignedAxis; 3]) -> Self {
        let a = self.direction(along[0], [x[0], y[0], z[0]]);
        let b = self.direction(along[1], [x[1], y[1], z[1]]);
        let c = self.direction(along[2], [x[2], y[2], z[2]]);
        let t = self.apply(constant3(&[x[3], y[3], z[3]]));
        Self([
            [a[0], b[0], c[0], t[0]],
            [a[1], b[1], c[1], t[1]],
            [a[2], b[2], c[2], t[2]],
        ])
    }
}

// Rows are functions and not loops: the compiler would make one vector of three rows of lanes.

/// One coordinate of a transformed point.
#[inline(always)]
fn apply_row<T: Scalar>([x, y, z, t]: &[T; 4], p: &[T; 3]) -> T {
    x.mul_add(p[0], y.mul_add(p[1], z.mul_add(p[2], *t)))
}

#[inline(always)]
fn constant_row<T: Scalar>([x, y, z, t]: &[f64; 4]) -> [T; 4] {
    [
        T::constant(*x),
        T::constant(*y),
        T::constant(*z),
        T::constant(*t),
    ]
}

/// One row of a frame that is rotated about its z axis; `neg_sine` is the negated sine.
#[inline(always)]
fn rotate_row<T: Scalar>([x, y, z, t]: [T; 4], sine: T, cosine: T, neg_sine: T) -> [T; 4] {
    [
        sine.mul_add(y, cosine * x),
        neg_sine.mul_add(x, cosine * y),
        z,
        t,
    ]
}

/// The frames of all bodies, and the memory that it takes to compute them.
#[derive(Debug, Clone)]
pub(crate) struct Frames<T> {
    // padded to a multiple of `T::ANGLES`
    pub(super) sines: Vec<T>,
    pub(super) cosines: Vec<T>,
    pub(super) bodies: Vec<Frame<T>>,
}

impl<T: Scalar> Frames<T> {
    /// Memory for the bodies of a tree; all at the origin until [`forward`] is called.
    pub(crate) fn new(tree: &Tree) -> Self {
        let zero = T::constant(0.0);
        let angles = tree.len().next_multiple_of(T::ANGLES);
        Self {
            sines: vec![zero; angles],
            cosines: vec![zero; angles],
            bodies: vec![Frame::identity(); tree.len()],
        }
    }

    /// One frame per body.
    pub(crate) fn bodies(&self) -> &[Frame<T>] {
        &self.bodies
    }
}

/// Computes the poses of all bodies in the configuration `q`.
///
/// # Panics
///
/// If `q` or `out` belong to a tree of another size.
#[inline(always)]
pub(crate) fn forward<T: Scalar>(tree: &Tree, q: &[T], out: &mut Frames<T>) {
    let nodes = tree.nodes();
    let n = nodes.len();
    let (bodies, q) = (&mut out.bodies[..n], &q[..n]);

    // all sines and cosines first: one vector computation, padding included
    for i in 0..n {
        out.sines[i] = T::constant(nodes[i].revolute) * q[i];
    }
    T::sin_cos(&mut out.sines, &mut out.cosines);
    let (sines, cosines) = (&out.sines[..n], &out.cosines[..n]);

    // the frame before this one stays in registers: it is most often the parent
    let (mut last, mut parent_frame) = (n, Frame::identity());
    if let Some(base) = tree.floating() {
        base.forward(&nodes[base.first()], q, sines, cosines, bodies);
        (last, parent_frame) = (base.body(), bodies[base.body()]);
    }
    for i in tree.ordinary() {
        let node = &nodes[i];

        let frame = if node.parent == ROOT {
            Frame::constant(&node.placement)
        } else {
            let parent = node.parent as usize;
            if parent != last {
                parent_frame = bodies[parent];
            }
            parent_frame.compose_constant(&node.placement, node.along)
        };

        // the joint rotates about z or translates along it: only two columns, or the origin, change
        parent_frame = match node.kind {
            Kind::Revolute => frame.rotated_z(sines[i], cosines[i]),
            Kind::Prismatic => frame.translated_z(T::constant(node.prismatic) * q[i]),
        };
        (bodies[i], last) = (parent_frame, i);
    }
}
