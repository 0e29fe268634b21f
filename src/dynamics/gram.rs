//! Symmetric positive semi-definite systems, which may be singular.

use crate::{Error, Result};

/// Symmetric positive semi-definite matrix (k × k), its rank, and solutions of `A x = b`.
///
/// Rows are scaled to a diagonal of 1, so that the rank does not depend on units or row lengths. Then `A = L Lᵀ` with
/// diagonal pivoting (Higham (1990): analysis of the Cholesky decomposition of a semi-definite matrix), until only
/// rounding is left: `L` has as many columns as `A` has rank.
#[derive(Debug, Clone, Default)]
pub(super) struct Gram {
    rank: usize,
    // the matrix (k × k), column-major; only the upper triangle is used
    entries: Vec<f64>,
    // 1 / √diagonal (k), 0 for a row of zeros
    scales: Vec<f64>,
    // pivot row of each step, dependent rows last (k)
    order: Vec<usize>,
    // remaining diagonal (k)
    remainder: Vec<f64>,
    // L: a column (k) per step
    factor: Vec<f64>,
    // where the rank is not full, the factor of Lᵀ L (rank × rank)
    inner: Vec<f64>,
    // intermediate values (k)
    scratch: Vec<f64>,
}

impl Gram {
    /// Sets the matrix to zero, k × k, and returns its entries: the caller fills the upper triangle, column-major.
    pub(super) fn cleared(&mut self, k: usize) -> &mut [f64] {
        self.entries.clear();
        self.entries.resize(k * k, 0.0);
        self.scratch.resize(k, 0.0);
        &mut self.entries
    }

    /// Number of rows, k.
    pub(super) fn len(&self) -> usize {
        self.scratch.len()
    }

    /// Computes the factor and the rank: a row counts as dependent where no more than `rounding` of its squared length is
    /// left after elimination of the others.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where an entry has overflowed.
    pub(super) fn factorize(&mut self, what: &'static str, rounding: f64) -> Result<()> {
        let k = self.len();
        if self.entries.iter().any(|x| !x.is_finite()) {
            let problem = "its values overflow when multiplied";
            return Err(Error::invalid(what, problem));
        }
        let largest = (0..k).fold(0.0_f64, |m, i| m.max(self.entries[i * k + i]));
        let scale = |x: f64| {
            if x > ZERO_ROW * largest {
                1.0 / x.sqrt()
            } else {
                0.0
            }
        };
        self.scales.clear();
        self.scales
            .extend((0..k).map(|i| scale(self.entries[i * k + i])));
        self.remainder.clear();
        self.remainder
            .extend(self.scales.iter().map(|s| if *s > 0.0 { 1.0 } else { 0.0 }));
        self.order.clear();
        self.order.extend(0..k);
        self.factor.clear();
        self.factor.resize(k * k, 0.0);

        self.rank = k;
        for step in 0..k {
            // the row with the largest remainder
            let rest = step..k;
            let pivot = rest.fold(step, |best, i| {
                let (a, b) = (
                    self.remainder[self.order[i]],
                    self.remainder[self.order[best]],
                );
                if a > b { i } else { best }
            });
            self.order.swap(step, pivot);
            let p = self.order[step];
            if self.remainder[p] <= rounding {
                self.rank = step;
                break;
            }
            self.eliminate(step, p);
        }
        if self.rank < k {
            self.factorize_inner();
        }
        Ok(())
    }

    /// First row that is zero or a linear combination of others; `None` where there is none.
    pub(super) fn dependent_row(&self) -> Option<usize> {
        self.order[self.rank..].iter().min().copied()
    }

    /// Replaces `b` (k) by the solution: the one with the smallest `Σ aᵢᵢ xᵢ²` where there are several, the one with the
    /// smallest error `Σ (b − A x)ᵢ² / aᵢᵢ` where there is none.
    ///
    /// The pseudo-inverse of `L Lᵀ` is `L (Lᵀ L)⁻² Lᵀ`: Courrieu (2005).
    pub(super) fn solve(&mut self, b: &mut [f64]) {
        let (k, rank) = (self.len(), self.rank);
        let (order, factor, y) = (&self.order, &self.factor, &mut self.scratch[..rank]);
        for (b, scale) in b.iter_mut().zip(&self.scales) {
            *b *= scale;
        }
        if rank == k {
            for j in 0..k {
                let p = order[j];
                let known: f64 = (0..j).map(|s| factor[s * k + p] * y[s]).sum();
                y[j] = (b[p] - known) / factor[j * k + p];
            }
            for j in (0..k).rev() {
                let column = &factor[j * k..][..k];
                let known: f64 = order[j + 1..].iter().map(|&p| column[p] * b[p]).sum();
                b[order[j]] = (y[j] - known) / column[order[j]];
            }
        } else {
            for (j, y) in y.iter_mut().enumerate() {
                let column = &factor[j * k..][..k];
                *y = column.iter().zip(&*b).map(|(l, b)| l * b).sum();
            }
            solve_factored(&self.inner, y);
            solve_factored(&self.inner, y);
            for (i, b) in b.iter_mut().enumerate() {
                *b = (0..rank).map(|j| factor[j * k + i] * y[j]).sum();
            }
        }
        for (b, scale) in b.iter_mut().zip(&self.scales) {
            *b *= scale;
        }
    }

    /// Computes the next column of `L`, from row `p`.
    fn eliminate(&mut self, step: usize, p: usize) {
        let k = self.len();
        let root = self.remainder[p].sqrt();
        let (before, column) = self.factor.split_at_mut(step * k);
        column[p] = root;
        for &i in &self.order[step + 1..] {
            let (row, col) = (i.min(p), i.max(p));
            let entry = self.entries[col * k + row] * self.scales[i] * self.scales[p];
            let known: f64 = before.chunks_exact(k).map(|l| l[i] * l[p]).sum();
            column[i] = (entry - known) / root;
            self.remainder[i] -= column[i] * column[i];
        }
    }

    /// Computes the factor of `Lᵀ L`, which has full rank.
    fn factorize_inner(&mut self) {
        let (k, rank) = (self.len(), self.rank);
        self.inner.clear();
        self.inner.resize(rank * rank, 0.0);
        let columns = || self.factor.chunks_exact(k.max(1)).take(rank);
        for (j, b) in columns().enumerate() {
            for (i, a) in columns().take(j + 1).enumerate() {
                let entry: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let known: f64 = (0..i)
                    .map(|s| self.inner[i * rank + s] * self.inner[j * rank + s])
                    .sum();
                let rest = entry - known;
                self.inner[j * rank + i] = if i == j {
                    rest.sqrt()
                } else {
                    rest / self.inner[i * rank + i]
                };
            }
        }
    }
}

/// Replaces `b` by the solution of `L Lᵀ x = b`; `L` is row-major.
fn solve_factored(factor: &[f64], b: &mut [f64]) {
    let n = b.len();
    for i in 0..n {
        let known: f64 = (0..i).map(|j| factor[i * n + j] * b[j]).sum();
        b[i] = (b[i] - known) / factor[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| factor[j * n + i] * b[j]).sum();
        b[i] = (b[i] - known) / factor[i * n + i];
    }
}

/// Squared length of a row, relative to the largest, below which it counts as zero.
const ZERO_ROW: f64 = 1e-24;
