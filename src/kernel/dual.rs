//! Dual numbers, a scalar for tests: kernels over them compute their derivatives.

use std::ops::{Add, Mul, Neg, Sub};

use super::*;
use crate::math::{Ring, Scalar};

/// A value and its derivative.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dual(pub(super) f64, pub(super) f64);

impl Add for Dual {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0, self.1 + b.1)
    }
}

impl Sub for Dual {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0, self.1 - b.1)
    }
}

impl Mul for Dual {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0, self.0 * b.1 + self.1 * b.0)
    }
}

impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

impl Ring for Dual {
    fn mul_add(self, b: Self, c: Self) -> Self {
        self * b + c
    }
}

impl Scalar for Dual {
    fn constant(x: f64) -> Self {
        Self(x, 0.0)
    }

    fn recip(self) -> Self {
        let value = 1.0 / self.0;
        Self(value, -value * value * self.1)
    }

    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]) {
        for (x, cosine) in angles.iter_mut().zip(cosines) {
            let (s, c) = x.0.sin_cos();
            *cosine = Self(c, -s * x.1);
            *x = Self(s, c * x.1);
        }
    }
}

/// A tree with a branch, both kinds of bodies, and axes along and across the coordinate axes.
fn tree() -> Tree {
    let body = |parent, kind, axis, translation| Body {
        parent,
        rotation: [0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6],
        translation,
        kind,
        axis,
        mass: 2.0,
        com: [0.1, -0.2, 0.3],
        moment: [1.0, 0.1, 0.0, 0.1, 2.0, 0.2, 0.0, 0.2, 1.5],
        armature: 0.3,
    };
    Tree::new(vec![
        body(None, Kind::Revolute, [0.0, -1.0, 0.0], [0.1, 0.2, 0.3]),
        body(Some(0), Kind::Prismatic, [0.3, 0.4, -0.5], [0.5, 0.0, 0.1]),
        body(Some(1), Kind::Revolute, [2.0, -1.0, 0.5], [0.0, 0.4, 0.0]),
        body(Some(0), Kind::Revolute, [0.0, 0.0, 1.0], [-0.3, 0.1, 0.2]),
        body(Some(3), Kind::Revolute, [0.0, 0.0, 0.0], [0.2, 0.2, 0.2]),
        body(Some(4), Kind::Prismatic, [-1.0, 0.0, 0.0], [0.0, 0.0, 0.7]),
    ])
}

const Q: [f64; 6] = [0.3, -0.7, 1.9, 2.5, 0.4, -1.1];
const DQ: [f64; 6] = [1.3, 0.2, -0.8, 0.6, 2.0, -0.9];

fn frames<T: Scalar>(q: &[T]) -> Frames<T> {
    let tree = tree();
    let mut frames = Frames::new(&tree);
    forward(&tree, q, &mut frames);
    frames
}

/// The configuration, moving along `dq`.
fn moving(dq: &[f64; 6]) -> Frames<Dual> {
    let q: Vec<Dual> = Q.iter().zip(dq).map(|(&q, &dq)| Dual(q, dq)).collect();
    frames(&q)
}

#[track_caller]
fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() < 1e-13, "{a} {b}");
    }
}

#[test]
fn columns_are_the_derivatives_of_frames() {
    let (tree, at) = (tree(), frames(&Q));
    for j in 0..Q.len() {
        let mut direction = [0.0; 6];
        direction[j] = 1.0;
        let along = moving(&direction);
        for (i, frame) in along.bodies().iter().enumerate() {
            let mut columns = [[0.0; 6]; 6];
            jacobian(
                &tree,
                at.bodies(),
                Some(i),
                frame.origin().map(|x| x.0),
                &mut columns,
            );
            let [wx, wy, wz, v @ ..] = columns[j];
            close(&frame.origin().map(|x| x.1), &v);

            // the axes of the frame move with w ×
            for axis in frame.rotation().chunks_exact(3) {
                let [x, y, z] = [0, 1, 2].map(|k| axis[k].0);
                let moved = [wy * z - wz * y, wz * x - wx * z, wx * y - wy * x];
                close(&[axis[0].1, axis[1].1, axis[2].1], &moved);
            }
        }
    }
}

#[test]
fn the_rate_of_a_jacobian_is_its_derivative_along_the_motion() {
    let (tree, at, along) = (tree(), frames(&Q), moving(&DQ));
    for i in 0..Q.len() {
        let zero = Dual(0.0, 0.0);
        let mut columns = [[zero; 6]; 6];
        let p = along.bodies()[i].origin();
        jacobian(&tree, along.bodies(), Some(i), p, &mut columns);
        let expected = columns.map(|column| column.map(|x| x.1));

        let p = p.map(|x| x.0);
        let mut rates = [[0.0; 6]; 6];
        jacobian_dot(&tree, at.bodies(), Some(i), p, &DQ, &mut rates);
        close(rates.as_flattened(), expected.as_flattened());

        let [w, v] = bias(&tree, at.bodies(), Some(i), p, &DQ);
        let sum = |row: usize| (0..6).map(|j| expected[j][row] * DQ[j]).sum::<f64>();
        close(&[w, v].concat(), &[0, 1, 2, 3, 4, 5].map(sum));
    }
}

#[test]
fn the_moment_jacobian_is_the_derivative_of_the_first_moment() {
    let (tree, at) = (tree(), frames(&Q));
    let mut columns = [[0.0; 3]; 6];
    first_moment_jacobian(&tree, at.bodies(), &mut columns);
    for j in 0..Q.len() {
        let mut direction = [0.0; 6];
        direction[j] = 1.0;
        let moment = first_moment(&tree, moving(&direction).bodies());
        close(&columns[j], &moment.map(|x| x.1));
    }
}

#[test]
fn a_body_along_a_coordinate_axis_is_turned_without_rounding() {
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let mut axis = [0.0; 3];
            axis[k] = sign * 0.1;
            let body = Body {
                parent: None,
                rotation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
                translation: [0.0; 3],
                kind: Kind::Revolute,
                axis,
                mass: 0.0,
                com: [0.0; 3],
                moment: [0.0; 9],
                armature: 0.0,
            };
            let r = Tree::new(vec![body]).reframe(0);
            assert!(r.iter().all(|x| [0.0, 1.0, -1.0].contains(x)), "{r:?}");

            // the axis goes to +z
            close(&[r[3 * k + 2]], &[sign]);
            let determinant = r[0] * (r[4] * r[8] - r[5] * r[7])
                - r[3] * (r[1] * r[8] - r[2] * r[7])
                + r[6] * (r[1] * r[5] - r[2] * r[4]);
            close(&[determinant], &[1.0]);
        }
    }
}
