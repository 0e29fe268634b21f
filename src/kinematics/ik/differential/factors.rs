//! Factors of a quadratic objective and of the normals of constraints that are held.
//!
//! D. Goldfarb and A. Idnani, "A numerically stable dual method for solving strictly convex quadratic programs" (1983), section 4:
//! `J = L⁻ᵀ Q` with `H = L Lᵀ`, and the triangle `R` of `Jᵀ N = [R; 0]` for the normals `N` (q) that are held. A reflection
//! adds a normal, plane rotations drop one.

use std::ops::Range;

use crate::kinematics::ik::damped_step::dot;

/// The factors for `d` directions.
#[derive(Debug, Clone, Default)]
pub(super) struct Factors {
    /// Columns of `J` (d × d), one after the other.
    j: Vec<f64>,
    /// Columns of `R` (d × d), one after the other.
    r: Vec<f64>,
    /// `L` (d × d), row by row, with the inverse of its diagonal.
    l: Vec<f64>,
    /// The rows (k × d), column by column, while they are factored.
    work: Vec<f64>,
    /// `Jᵀ` times the gradient (d), which turns with the columns of `J`, and `Jᵀ` times a normal.
    turned: Vec<f64>,
    projected: Vec<f64>,
    /// A sum of columns (d).
    sum: Vec<f64>,
}

/// The normal of a constraint.
#[derive(Debug, Clone, Copy)]
pub(super) enum Normal<'a> {
    /// One entry; the others are 0.
    Entry(usize, f64),
    /// All entries (d).
    Of(&'a [f64]),
}

/// Any number of variables or directions.
pub(super) const ANY: usize = 0;

/// A number that is known when the code is compiled, or [`ANY`].
#[inline(always)]
pub(super) fn size<const N: usize>(n: usize) -> usize {
    debug_assert!(N == ANY || N == n, "the code of another size");
    if N == ANY { n } else { N }
}

impl Factors {
    /// Memory for `d` directions.
    pub(super) fn reserve(&mut self, d: usize) {
        for square in [&mut self.j, &mut self.r, &mut self.l] {
            square.resize(d * d, 0.0);
        }
        for line in [&mut self.turned, &mut self.projected, &mut self.sum] {
            line.resize(d, 0.0);
        }
    }

    /// Computes `J = L⁻ᵀ` of `L Lᵀ = Aᵀ A + damping` for rows `A` (k × d); `false` where a number is too large.
    #[inline]
    pub(super) fn set<const D: usize>(
        &mut self,
        rows: &[f64],
        [k, d]: [usize; 2],
        damping: f64,
    ) -> bool {
        let d = size::<D>(d);
        // R of the rows over √damping on the diagonal, column by column: a reflector has one entry of the diagonal and the
        // rows, and no product of rows is summed that could lose the damping to rounding
        self.l[..d * d].fill(0.0);
        let work = &mut self.work;
        work.resize(d * k, 0.0);
        for (i, row) in rows.chunks_exact(d).enumerate() {
            for (x, out) in row.iter().zip(work[i..].iter_mut().step_by(k)) {
                *out = *x;
            }
        }
        let l = &mut self.l[..d * d];
        let root = damping.sqrt();
        for c in 0..d {
            let (done, rest) = work.split_at_mut((c + 1) * k);
            let x = &done[c * k..];
            let length = (damping + dot(x, x)).sqrt();
            if !length.is_finite() {
                return false;
            }
            let first = root + length;
            let beta = 1.0 / (length * first);
            l[c * d + c] = 1.0 / length;
            for (j, other) in rest.chunks_exact_mut(k.max(1)).enumerate().take(d - 1 - c) {
                let share = beta * dot(x, other);
                for (y, x) in other.iter_mut().zip(x) {
                    *y -= share * x;
                }
                l[(c + 1 + j) * d + c] = share * first;
            }
        }
        for c in 0..d {
            let column = &mut self.j[c * d..][..d];
            column.fill(0.0);
            column[c] = l[c * d + c];
            for i in (0..c).rev() {
                let mut sum = 0.0;
                for k in i + 1..=c {
                    sum -= l[k * d + i] * column[k];
                }
                column[i] = sum * l[i * d + i];
            }
        }
        true
    }

    /// Computes `Jᵀ` times the gradient.
    #[inline]
    pub(super) fn turn<const D: usize>(&mut self, gradient: &[f64]) {
        let d = size::<D>(gradient.len());
        for (t, column) in self.turned.iter_mut().zip(self.j.chunks_exact(d)).take(d) {
            *t = dot(column, gradient);
        }
    }

    /// Follows a step that is this fraction of the one to the minimum over these columns.
    #[inline]
    pub(super) fn follow(&mut self, columns: Range<usize>, fraction: f64) {
        // Jᵀ H J is the identity
        let left = &mut self.turned[columns];
        left.iter_mut().for_each(|t| *t *= 1.0 - fraction);
    }

    /// Writes the direction (d) to the minimum over all that the `q` normals leave.
    #[inline]
    pub(super) fn descend<const D: usize>(&self, q: usize, direction: &mut [f64]) {
        let d = size::<D>(direction.len());
        direction.fill(0.0);
        for c in q..d {
            let t = self.turned[c];
            for (w, x) in direction.iter_mut().zip(&self.j[c * d..][..d]) {
                *w -= t * x;
            }
        }
    }

    /// Writes the multipliers (q) of the normals that are held: the gradient is `−N u`.
    #[inline]
    pub(super) fn multipliers<const D: usize>(&self, u: &mut [f64], d: usize) {
        let (d, q) = (size::<D>(d), u.len());
        for i in (0..q).rev() {
            let mut sum = -self.turned[i];
            for k in i + 1..q {
                sum -= self.r[k * d + i] * u[k];
            }
            u[i] = sum / self.r[i * d + i];
        }
    }

    /// Adds a normal to `q` others; `false` where it depends on them.
    #[inline]
    pub(super) fn hold<const D: usize>(&mut self, normal: Normal<'_>, q: usize, d: usize) -> bool {
        let d = size::<D>(d);
        let projected = &mut self.projected[..d];
        for (p, column) in projected.iter_mut().zip(self.j.chunks_exact(d)) {
            *p = match normal {
                Normal::Entry(k, x) => x * column[k],
                Normal::Of(normal) => dot(column, normal),
            };
        }
        // a reflection takes what the held ones leave of it to its first entry
        let v = &mut projected[q..];
        let length = length(v);
        if length == 0.0 {
            return false;
        }
        v.iter_mut().for_each(|v| *v /= length);
        let sign = 1.0_f64.copysign(v[0]);
        v[0] += sign;
        let beta = 1.0 / v[0].abs();
        let (columns, sum) = (&mut self.j[q * d..d * d], &mut self.sum[..d]);
        sum.fill(0.0);
        for (column, v) in columns.chunks_exact(d).zip(&*v) {
            let sums = sum.iter_mut().zip(column);
            sums.for_each(|(sum, x)| *sum += v * x);
        }
        for (column, v) in columns.chunks_exact_mut(d).zip(&*v) {
            let share = beta * v;
            let entries = column.iter_mut().zip(&*sum);
            entries.for_each(|(x, sum)| *x -= share * sum);
        }
        let left = &mut self.turned[q..d];
        let share = beta * dot(left, v);
        left.iter_mut().zip(&*v).for_each(|(t, v)| *t -= share * v);
        self.r[q * d..][..q].copy_from_slice(&projected[..q]);
        self.r[q * d + q] = -sign * length;
        true
    }

    /// Drops one of `q` normals.
    #[inline]
    pub(super) fn release<const D: usize>(&mut self, index: usize, q: usize, d: usize) {
        let d = size::<D>(d);
        self.r.copy_within((index + 1) * d..q * d, index * d);
        for i in index..q - 1 {
            let (a, b) = (self.r[i * d + i], self.r[i * d + i + 1]);
            if b == 0.0 {
                continue;
            }
            let length = a.hypot(b);
            let [c, s] = [a / length, b / length];
            for column in self.r[i * d..].chunks_exact_mut(d).take(q - 1 - i) {
                let (a, b) = (column[i], column[i + 1]);
                column[i] = c * a + s * b;
                column[i + 1] = c * b - s * a;
            }
            rotate(&mut self.j, i * d, (i + 1) * d, d, [c, s]);
            rotate(&mut self.turned, i, i + 1, 1, [c, s]);
        }
    }
}

/// The length of a vector, whose squares may be too large or too small.
fn length(v: &[f64]) -> f64 {
    let squares = dot(v, v);
    if squares.is_normal() {
        squares.sqrt()
    } else {
        v.iter().fold(0.0, |length: f64, x| length.hypot(*x))
    }
}

/// Turns two columns: the first becomes `c a + s b`, the second `c b − s a`.
fn rotate(matrix: &mut [f64], first: usize, second: usize, d: usize, [c, s]: [f64; 2]) {
    let (before, rest) = matrix.split_at_mut(second);
    for (a, b) in before[first..][..d].iter_mut().zip(&mut rest[..d]) {
        (*a, *b) = (c * *a + s * *b, c * *b - s * *a);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    /// The gradient after a descent is minus the sum of the normals times their multipliers, whatever was held and dropped.
    #[test]
    fn what_is_left_of_a_gradient_is_held() {
        let (d, k) = (5, 3);
        let mut random = SplitMix::new(2);
        let mut numbers =
            |count: usize| -> Vec<f64> { (0..count).map(|_| random.uniform() - 0.5).collect() };
        let (rows, gradient) = (numbers(k * d), numbers(d));
        let normals: Vec<Vec<f64>> = (0..3).map(|_| numbers(d)).collect();
        let mut factors = Factors::default();
        factors.reserve(d);
        assert!(factors.set::<ANY>(&rows, [k, d], 0.1));
        factors.turn::<5>(&gradient);
        let mut entry = vec![0.0; d];
        entry[1] = -1.0;
        assert!(factors.hold::<ANY>(Normal::Entry(1, -1.0), 0, d));
        for (q, normal) in normals.iter().enumerate() {
            assert!(factors.hold::<5>(Normal::Of(normal), q + 1, d));
        }
        factors.release::<ANY>(1, 4, d);
        let held = [&entry, &normals[1], &normals[2]];
        let mut direction = vec![0.0; d];
        factors.descend::<ANY>(3, &mut direction);
        factors.follow(3..d, 1.0);
        let mut u = [0.0; 3];
        factors.multipliers::<5>(&mut u, d);
        for normal in held {
            assert!(dot(normal, &direction).abs() < 1e-14);
        }
        // H p + g = −N u
        for i in 0..d {
            let mut sum = gradient[i] + 0.1 * direction[i];
            for row in rows.chunks_exact(d) {
                sum += row[i] * dot(row, &direction);
            }
            for (normal, u) in held.iter().zip(&u) {
                sum += normal[i] * u;
            }
            assert!(sum.abs() < 1e-13, "{sum}");
        }
    }

    #[test]
    fn lengths_of_large_and_small_vectors() {
        for scale in [1e-200, 1.0, 1e200] {
            let found = length(&[3.0 * scale, -4.0 * scale]);
            assert!((found / scale - 5.0).abs() < 1e-14);
        }
        assert!(length(&[0.0, -0.0]).abs() < f64::MIN_POSITIVE);
    }
}
