//! Forward kinematics.

use super::sparse::{OnAxis, SignedAxis, SparsePlacement};
use super::tree::{Kind, ROOT, Tree};
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

    /// Where a constant point of the body is in the world; on a coordinate axis with a third of the arithmetic.
    #[inline(always)]
    fn apply_constant(&self, on: OnAxis, [x, y, z]: [f64; 3]) -> [T; 3] {
        match on {
            OnAxis::Origin => self.origin(),
            OnAxis::X => self.along_axis(0, x),
            OnAxis::Y => self.along_axis(1, y),
            OnAxis::Z => self.along_axis(2, z),
            OnAxis::None => self.apply(constant3(&[x, y, z])),
        }
    }

    /// Where the point at `by` on a coordinate axis is in the world.
    #[inline(always)]
    fn along_axis(&self, axis: usize, by: f64) -> [T; 3] {
        let (by, [x, y, z]) = (T::constant(by), &self.0);
        [
            by.mul_add(x[axis], x[3]),
            by.mul_add(y[axis], y[3]),
            by.mul_add(z[axis], z[3]),
        ]
    }

    /// Product of this frame and a constant one, given by rows.
    #[inline(always)]
    fn compose_constant(&self, [x, y, z]: &[[f64; 4]; 3], sparse: SparsePlacement) -> Self {
        let along = sparse.columns;
        let a = self.direction(along[0], [x[0], y[0], z[0]]);
        let b = self.direction(along[1], [x[1], y[1], z[1]]);
        let c = self.direction(along[2], [x[2], y[2], z[2]]);
        let t = self.apply_constant(sparse.origin, [x[3], y[3], z[3]]);
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
    let sparse = &tree.sparse(T::SINGLE)[..n];
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
            parent_frame.compose_constant(&node.placement, sparse[i])
        };

        // the joint rotates about z or translates along it: only two columns, or the origin, change
        parent_frame = match node.kind {
            Kind::Revolute => frame.rotated_z(sines[i], cosines[i]),
            Kind::Prismatic => frame.translated_z(T::constant(node.prismatic) * q[i]),
        };
        (bodies[i], last) = (parent_frame, i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::sparse::TOLERANCES;
    use crate::math::SplitMix;

    /// Every column an axis or none, every origin on an axis or off it.
    fn placements() -> Vec<[[f64; 4]; 3]> {
        let (s, c) = (0.6, 0.8);
        let rotations = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
            [[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]],
            [[-1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
            [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
            [[c, -s, 0.0], [0.0, 0.0, -1.0], [s, c, 0.0]],
        ];
        let origins = [
            [0.0; 3],
            [0.3, 0.0, 0.0],
            [0.0, -0.2, 0.0],
            [0.0, 0.0, 0.1],
            [0.3, 0.0, 0.1],
            [0.3, -0.2, 0.1],
        ];
        let mut all = Vec::new();
        for r in rotations {
            for t in origins {
                all.push([0, 1, 2].map(|k| [r[k][0], r[k][1], r[k][2], t[k]]));
            }
        }
        all
    }

    #[test]
    fn what_a_placement_lacks_is_left_out() {
        let mut random = SplitMix::new(7);
        for placement in placements() {
            let sparse = SparsePlacement::of(&placement, 0.0);
            let frame = Frame([0; 3].map(|_| [0; 4].map(|_| 2.0 * random.uniform() - 1.0)));
            let own = frame.compose_constant(&placement, sparse);
            for (row, own) in frame.0.iter().zip(&own.0) {
                for k in 0..4 {
                    let sum: f64 = (0..3).map(|j| row[j] * placement[j][k]).sum();
                    let wanted = sum + if k == 3 { row[3] } else { 0.0 };
                    assert!((own[k] - wanted).abs() < 1e-15, "{placement:?} {k}");
                }
            }
            let dense = SparsePlacement {
                columns: [SignedAxis::None; 3],
                origin: OnAxis::None,
            };
            assert_eq!(own, frame.compose_constant(&placement, dense));
        }
    }

    #[test]
    fn right_angles_of_a_few_digits_are_right_in_single_precision_only() {
        // how far the numbers in files are from it
        for (off, is_right) in [
            (5e-12_f64, [false, true]),
            (1.8e-9, [false, true]),
            (3e-7, [false; 2]),
        ] {
            let (c, s) = off.sin_cos();
            let placement = [[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.1]];
            for (tolerance, is_right) in TOLERANCES.into_iter().zip(is_right) {
                let sparse = SparsePlacement::of(&placement, tolerance);
                let right = [SignedAxis::X, SignedAxis::Z, SignedAxis::MinusY];
                assert_eq!(sparse.columns == right, is_right, "{off} {tolerance}");
                assert_eq!(sparse.origin, OnAxis::Z);
            }
        }
    }
}
