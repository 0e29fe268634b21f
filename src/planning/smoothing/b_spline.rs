//! Uniform cubic B-splines.
//!
//! L. Piegl and W. Tiller, "The NURBS Book" (1997), chapter 3. Instead of repeated knots an end has a control point beyond it
//! that mirrors the second one, so that the curve begins at the first control point, straight.

use crate::Result;
use crate::planning::GeometricPath;
use crate::planning::time::distance;

/// A uniform cubic B-spline that begins at its first control point and ends at its last. Each piece lies in the hull of the
/// control points beside it, and so within limits that they keep.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BSpline {
    n_dofs: usize,
    /// Control points, one more than pieces, one after the other.
    points: Vec<f64>,
}

/// Fewest pieces.
pub(super) const FEWEST: usize = 4;

/// Control points that a piece depends on.
pub(super) const SUPPORT: usize = 4;

/// A point on a spline: its first control point, and the weights of it and of those behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Weights {
    pub(super) first: usize,
    pub(super) weights: [f64; SUPPORT],
}

impl BSpline {
    /// A spline with control points at equal distances along straight lines, in so many pieces, of which there are at least
    /// [`FEWEST`].
    pub(super) fn along(waypoints: &[&[f64]], pieces: usize) -> Self {
        let mut along = vec![0.0];
        for ends in waypoints.windows(2) {
            along.push(along[along.len() - 1] + distance(ends[0], ends[1]));
        }
        let (total, pieces) = (along[along.len() - 1], pieces.max(FEWEST));
        let mut points = Vec::with_capacity((pieces + 1) * waypoints[0].len());
        for j in 0..=pieces {
            let at = total * j as f64 / pieces as f64;
            let edge = along
                .partition_point(|&l| l <= at)
                .clamp(1, along.len() - 1)
                - 1;
            let u = ((at - along[edge]) / (along[edge + 1] - along[edge])).clamp(0.0, 1.0);
            let ends = waypoints[edge].iter().zip(waypoints[edge + 1]);
            points.extend(ends.map(|(a, b)| (1.0 - u) * a + u * b));
        }
        Self {
            n_dofs: waypoints[0].len(),
            points,
        }
    }

    pub(super) fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    pub(super) fn pieces(&self) -> usize {
        self.points.len() / self.n_dofs - 1
    }

    pub(super) fn point(&self, j: usize) -> &[f64] {
        &self.points[j * self.n_dofs..][..self.n_dofs]
    }

    pub(super) fn point_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.points[j * self.n_dofs..][..self.n_dofs]
    }

    /// The weights at `u`, from 0 to 1, on a piece.
    pub(super) fn weights(&self, piece: usize, u: f64) -> Weights {
        let v = 1.0 - u;
        let [a, b, c, d] = [
            v * v * v,
            4.0 - 3.0 * u * u * (2.0 - u),
            4.0 - 3.0 * v * v * (2.0 - v),
            u * u * u,
        ]
        .map(|w| w / 6.0);
        let last = self.pieces();
        // a point beyond an end is twice the end less the one on this side of it
        if piece == 0 {
            let weights = [b + 2.0 * a, c - a, d, 0.0];
            Weights { first: 0, weights }
        } else if piece + 1 == last {
            let weights = [0.0, a, b - d, c + 2.0 * d];
            Weights {
                first: last - 3,
                weights,
            }
        } else {
            let weights = [a, b, c, d];
            Weights {
                first: piece - 1,
                weights,
            }
        }
    }

    /// The point of these weights.
    pub(super) fn at(&self, Weights { first, weights }: Weights, out: &mut [f64]) {
        for (dof, out) in out.iter_mut().enumerate() {
            let of = |k: usize| weights[k] * self.points[(first + k) * self.n_dofs + dof];
            *out = (0..SUPPORT).map(of).sum();
        }
    }

    /// The ends of a part of a piece, from `u` to `v`, and how far it leaves the edge between them at most, by degree of freedom: an
    /// eighth of the largest second derivative, which is at an end.
    pub(super) fn chord(&self, piece: usize, [u, v]: [f64; 2]) -> [Vec<f64>; 3] {
        let end = |u: f64| {
            let mut q = vec![0.0; self.n_dofs];
            self.at(self.weights(piece, u), &mut q);
            q
        };
        let second = |j: usize, dof: usize| {
            if j == 0 || j == self.pieces() {
                return 0.0;
            }
            let [a, b, c] = [j - 1, j, j + 1].map(|j| self.point(j)[dof]);
            a - 2.0 * b + c
        };
        let bend = |dof| {
            let [first, last] = [piece, piece + 1].map(|j| second(j, dof));
            let at = |u: f64| ((1.0 - u) * first + u * last).abs();
            (v - u) * (v - u) * at(u).max(at(v)) / 8.0
        };
        [end(u), end(v), (0..self.n_dofs).map(bend).collect()]
    }

    /// The curve as a path whose parameter is about its length.
    pub(super) fn to_path(&self) -> Result<GeometricPath> {
        let pieces = self.pieces();
        let mut length = 0.0;
        for piece in 0..pieces {
            let [a, b, _] = self.chord(piece, [0.0, 1.0]);
            length += distance(&a, &b);
        }
        let h = length / pieces as f64;
        let breaks = (0..=pieces).map(|j| j as f64 * h).collect();
        let mut coefficients = Vec::with_capacity(pieces * self.n_dofs * SUPPORT);
        for piece in 0..pieces {
            for dof in 0..self.n_dofs {
                let of = |j: usize| self.point(j)[dof];
                let (b, c) = (of(piece), of(piece + 1));
                let a = if piece == 0 {
                    2.0 * b - c
                } else {
                    of(piece - 1)
                };
                let d = if piece + 1 == pieces {
                    2.0 * c - b
                } else {
                    of(piece + 2)
                };
                coefficients.extend([
                    (a + 4.0 * b + c) / 6.0,
                    (c - a) / (2.0 * h),
                    (a - 2.0 * b + c) / (2.0 * h * h),
                    (d - a + 3.0 * (b - c)) / (6.0 * h * h * h),
                ]);
            }
        }
        GeometricPath::polynomials(self.n_dofs, 3, breaks, coefficients)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    fn wild(pieces: usize) -> BSpline {
        let mut spline = BSpline::along(&[&[0.0, 1.0], &[2.0, -1.0]], pieces);
        let mut random = SplitMix::new(3);
        for point in &mut spline.points {
            *point += 0.5 * random.uniform();
        }
        spline
    }

    #[test]
    fn weights_and_polynomials_are_the_same_curve_with_two_continuous_derivatives() {
        for pieces in [4, 5, 9] {
            let spline = wild(pieces);
            let path = spline.to_path().unwrap();
            let h = path.length() / pieces as f64;
            let mut q = [0.0; 2];
            for piece in 0..pieces {
                for u in [0.0, 0.3, 0.5, 0.999] {
                    let weights = spline.weights(piece, u);
                    assert!((weights.weights.iter().sum::<f64>() - 1.0).abs() < 1e-15);
                    spline.at(weights, &mut q);
                    let other = path.at((piece as f64 + u) * h);
                    assert!((0..2).all(|k| (q[k] - other[k]).abs() < 1e-12));
                }
            }
            let near = |a: &[f64], b: &[f64]| (0..2).all(|k| (a[k] - b[k]).abs() < 1e-6);
            for s in &path.breaks()[1..pieces] {
                let (before, after) = (s - 1e-9, s + 1e-9);
                assert!(near(
                    &path.derivative_at(before),
                    &path.derivative_at(after)
                ));
                let second = [before, after].map(|s| path.second_derivative_at(s));
                assert!(near(&second[0], &second[1]));
            }
            assert_eq!(path.at(0.0), spline.point(0));
            let end = path.at(path.length());
            assert!(near(&end, spline.point(pieces)));
        }
    }

    #[test]
    fn a_piece_leaves_its_edge_by_its_bend_at_most() {
        let spline = wild(7);
        let mut worst = 0.0_f64;
        let parts = [[0.0, 1.0], [0.25, 0.5]];
        for (piece, [from, to]) in (0..7).flat_map(|k| parts.map(|part| (k, part))) {
            let [a, b, bend] = spline.chord(piece, [from, to]);
            for k in 0..=100 {
                let u = f64::from(k) / 100.0;
                let mut q = [0.0; 2];
                spline.at(spline.weights(piece, from + u * (to - from)), &mut q);
                for dof in 0..2 {
                    let beside = (q[dof] - (1.0 - u) * a[dof] - u * b[dof]).abs();
                    assert!(beside <= bend[dof] + 1e-15);
                    worst = worst.max(beside / bend[dof]);
                }
            }
        }
        assert!(worst > 0.8, "{worst}");
    }

    #[test]
    fn equal_distances_on_lines() {
        let spline = BSpline::along(&[&[0.0], &[3.0], &[2.0]], 8);
        assert_eq!(spline.points, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 2.5, 2.0]);
    }
}
