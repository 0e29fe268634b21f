//! Derivatives of sampled values, from the quintic spline through them.
//!
//! C. de Boor, "A Practical Guide to Splines" (2001), chapters IX, X and XIII. The spline has degree 5 and four continuous
//! derivatives. Its knots are the samples without three at either end ("not a knot"), so that it needs no end conditions and is
//! exact for polynomials. Fewer than six samples make one polynomial.

/// Spline interpolation at fixed times, factorised once for any number of signals.
#[derive(Debug, Clone)]
pub(crate) struct Spline {
    degree: usize,
    /// Times of the samples (n), increasing.
    times: Vec<f64>,
    /// n + degree + 1.
    knots: Vec<f64>,
    /// `L U` of the matrix that takes coefficients to samples: row `i` holds columns `i − degree` to `i + degree`.
    rows: Vec<Vec<f64>>,
}

impl Spline {
    /// Factorises the splines with samples at these times.
    ///
    /// # Panics
    ///
    /// If there are none, or the times do not increase.
    pub(crate) fn new(times: &[f64]) -> Self {
        assert!(!times.is_empty(), "a spline needs a sample");
        assert!(
            times.windows(2).all(|pair| pair[0] < pair[1]),
            "times of a spline increase"
        );
        let (n, degree) = (times.len(), DEGREE.min(times.len() - 1));
        let ends = degree + 1;
        let mut knots = vec![times[0]; ends];
        knots.extend_from_slice(&times[ends / 2 + ends % 2..n - ends / 2]);
        knots.resize(n + ends, times[n - 1]);
        let mut spline = Self {
            degree,
            times: times.to_vec(),
            knots,
            rows: Vec::with_capacity(n),
        };
        spline.factorise();
        spline
    }

    /// First and second derivatives at the samples, of the spline through these values.
    ///
    /// # Panics
    ///
    /// If there is not one value per time.
    pub(crate) fn derivatives(&self, values: &[f64]) -> (Vec<f64>, Vec<f64>) {
        assert_eq!(values.len(), self.times.len(), "one value per time");
        let first = self.differentiated(&self.coefficients(values), 1);
        let second = self.differentiated(&first, 2);
        (self.at_samples(&first, 1), self.at_samples(&second, 2))
    }

    /// Gaussian elimination without pivots, which matrices of this kind do not need (de Boor, chapter XIII).
    fn factorise(&mut self) {
        let (n, k) = (self.times.len(), self.degree);
        for i in 0..n {
            let mut row = vec![0.0; 2 * k + 1];
            let (first, basis) = self.basis(i, 0);
            for (j, value) in basis.iter().enumerate() {
                row[first + j + k - i] = *value;
            }
            for j in i.saturating_sub(k)..i {
                let above = &self.rows[j];
                let factor = row[j + k - i] / above[k];
                row[j + k - i] = factor;
                for column in j + 1..(j + k + 1).min(n) {
                    row[column + k - i] -= factor * above[column + k - j];
                }
            }
            self.rows.push(row);
        }
    }

    fn coefficients(&self, values: &[f64]) -> Vec<f64> {
        let (n, k) = (values.len(), self.degree);
        let mut c = values.to_vec();
        for i in 0..n {
            for j in i.saturating_sub(k)..i {
                c[i] -= self.rows[i][j + k - i] * c[j];
            }
        }
        for i in (0..n).rev() {
            for j in i + 1..(i + k + 1).min(n) {
                c[i] -= self.rows[i][j + k - i] * c[j];
            }
            c[i] /= self.rows[i][k];
        }
        c
    }

    /// Coefficients of the derivative of this order, from those of the derivative of the order below.
    fn differentiated(&self, c: &[f64], order: usize) -> Vec<f64> {
        let Some(k) = (self.degree + 1).checked_sub(order).filter(|k| *k > 0) else {
            return vec![0.0; c.len()];
        };
        // the outermost knots go, one at either end for each order
        let knot = |i: usize| self.knots[i + order];
        let step = |i: usize| (c[i + 1] - c[i]) * k as f64 / (knot(i + k) - knot(i));
        (0..c.len() - 1).map(step).collect()
    }

    /// A derivative of some order at the samples, from its coefficients.
    fn at_samples(&self, c: &[f64], order: usize) -> Vec<f64> {
        if order > self.degree {
            return vec![0.0; self.times.len()];
        }
        let at = |i: usize| {
            let (first, basis) = self.basis(i, order);
            let terms = basis.iter().zip(&c[first..]);
            terms.map(|(basis, c)| basis * c).sum()
        };
        (0..self.times.len()).map(at).collect()
    }

    /// Index of the first basis function that is not zero at a sample, and the values of all that are not, for derivatives
    /// of an order.
    fn basis(&self, sample: usize, order: usize) -> (usize, Vec<f64>) {
        let (x, k) = (self.times[sample], self.degree - order);
        let knots = &self.knots[order..self.knots.len() - order];
        let n = knots.len() - k - 1;

        // the interval between knots that the sample is in, the last one if it is at the end
        let above = knots.partition_point(|knot| *knot <= x);
        let span = above.clamp(k + 1, n) - 1;
        let mut basis = vec![1.0];
        for degree in 1..=k {
            let mut saved = 0.0;
            for j in 0..degree {
                let (right, left) = (knots[span + j + 1], knots[span + 1 + j - degree]);
                let share = basis[j] / (right - left);
                basis[j] = saved + (right - x) * share;
                saved = (x - left) * share;
            }
            basis.push(saved);
        }
        (span - k, basis)
    }
}

/// Continuous accelerations, and errors of fourth order in them.
const DEGREE: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    /// A polynomial of this degree and its derivatives.
    fn polynomial(degree: i32, t: f64) -> [f64; 3] {
        let d = f64::from(degree);
        let power = |k: i32| if k < 0 { 0.0 } else { (t - 0.3).powi(k) };
        [
            power(degree),
            d * power(degree - 1),
            d * (d - 1.0) * power(degree - 2),
        ]
    }

    #[test]
    fn polynomials_are_reproduced_from_as_many_samples_as_they_need() {
        for n in 1..12_usize {
            // at uneven times
            let times: Vec<f64> = (0..n)
                .map(|i| 0.1 * i as f64 + 0.03 * (i * i % 5) as f64)
                .collect();
            let spline = Spline::new(&times);
            for degree in 0..DEGREE.min(n - 1) + 1 {
                let degree = i32::try_from(degree).expect("small");
                let at = |k: usize| {
                    times
                        .iter()
                        .map(|t| polynomial(degree, *t)[k])
                        .collect::<Vec<_>>()
                };
                let (first, second) = spline.derivatives(&at(0));
                for (ours, theirs) in [(first, at(1)), (second, at(2))] {
                    for (ours, theirs) in ours.iter().zip(theirs) {
                        assert!((ours - theirs).abs() < 1e-9, "{n} samples, degree {degree}");
                    }
                }
            }
        }
    }

    #[test]
    fn errors_fall_as_the_fourth_power_of_the_step() {
        let worst = |n: usize| {
            let times: Vec<f64> = (0..n).map(|i| 3.0 * i as f64 / (n - 1) as f64).collect();
            let values: Vec<f64> = times.iter().map(|t| (2.0 * t).sin()).collect();
            let (first, second) = Spline::new(&times).derivatives(&values);
            let errors = times
                .iter()
                .zip(first.iter().zip(&second))
                .map(|(t, (v, a))| {
                    let (s, c) = (2.0 * t).sin_cos();
                    (v - 2.0 * c).abs().max((a + 4.0 * s).abs())
                });
            errors.fold(0.0, f64::max)
        };
        let (coarse, fine) = (worst(31), worst(61));
        assert!(coarse < 2e-3, "{coarse:e}");
        assert!(coarse / fine > 12.0, "{coarse:e} to {fine:e}");
    }
}
