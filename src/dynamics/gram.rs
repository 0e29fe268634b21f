//! Symmetric systems that may be singular: what masses are along a few directions.

use crate::{Error, Result};

/// A symmetric positive semi-definite matrix (k × k), its rank, and the solutions of `A x = b`.
///
/// Rows are scaled to a diagonal of 1, so that neither units nor the lengths of rows decide what depends on what. Then
/// `A = L Lᵀ` with the largest diagonal entry first (Higham (1990): analysis of the Cholesky decomposition of a
/// semi-definite matrix), until nothing but rounding is left: `L` has as many columns as `A` has rank.
#[derive(Debug, Clone, Default)]
pub(super) struct Gram {
    rank: usize,
    // the matrix (k × k), of which the upper triangle counts, column-major
    entries: Vec<f64>,
    // 1 / √diagonal (k), 0 for a row of zeros
    scales: Vec<f64>,
    // which row is taken at each step, those that are not needed last (k)
    order: Vec<usize>,
    // what is left of the diagonal (k)
    left: Vec<f64>,
    // L: a column (k) per step
    factor: Vec<f64>,
    // where the rank is not full, the factor of Lᵀ L (rank × rank)
    inner: Vec<f64>,
    // room (k)
    scratch: Vec<f64>,
}

impl Gram {
    /// Room for k rows, all of them 0: the upper triangle, column-major, is to be filled.
    pub(super) fn cleared(&mut self, k: usize) -> &mut [f64] {
        self.entries.clear();
        self.entries.resize(k * k, 0.0);
        self.scratch.resize(k, 0.0);
        &mut self.entries
    }

    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.scratch.len()
    }

    /// Finds the factor, and the rank with it: a row of which no more than `rounding` of its square is left when what it
    /// has in common with others is taken off counts as a sum of those.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a number has overflown.
    pub(super) fn factorize(&mut self, what: &'static str, rounding: f64) -> Result<()> {
        let k = self.len();
        if self.entries.iter().any(|x| !x.is_finite()) {
            let problem = "its numbers are too large to be multiplied with each other";
            return Err(Error::invalid(what, problem));
        }
        let largest = (0..k).fold(0.0_f64, |m, i| m.max(self.entries[i * k + i]));
        let scale = |x: f64| {
            if x > NOTHING * largest {
                1.0 / x.sqrt()
            } else {
                0.0
            }
        };
        self.scales.clear();
        self.scales
            .extend((0..k).map(|i| scale(self.entries[i * k + i])));
        self.left.clear();
        self.left
            .extend(self.scales.iter().map(|s| if *s > 0.0 { 1.0 } else { 0.0 }));
        self.order.clear();
        self.order.extend(0..k);
        self.factor.clear();
        self.factor.resize(k * k, 0.0);

        self.rank = k;
        for step in 0..k {
            // the row that has most left
            let rest = step..k;
            let most = rest.fold(step, |best, i| {
                let (a, b) = (self.left[self.order[i]], self.left[self.order[best]]);
                if a > b { i } else { best }
            });
            self.order.swap(step, most);
            let p = self.order[step];
            if self.left[p] <= rounding {
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

    /// A row that is a sum of others, or 0; `None` where there is none.
    pub(super) fn dependent_row(&self) -> Option<usize> {
        self.order[self.rank..].iter().min().copied()
    }

    /// Replaces `b` (k) by the solution: that with the smallest `Σ aᵢᵢ xᵢ²` where there are several, that with the
    /// smallest error `Σ (b − A x)ᵢ² / aᵢᵢ` where there is none.
    ///
    /// Of a matrix `L Lᵀ` the pseudo-inverse is `L (Lᵀ L)⁻² Lᵀ`: Courrieu (2005).
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

    /// The next column of `L`, from row `p`.
    fn eliminate(&mut self, step: usize, p: usize) {
        let k = self.len();
        let root = self.left[p].sqrt();
        let (before, column) = self.factor.split_at_mut(step * k);
        column[p] = root;
        for &i in &self.order[step + 1..] {
            let (row, col) = (i.min(p), i.max(p));
            let entry = self.entries[col * k + row] * self.scales[i] * self.scales[p];
            let known: f64 = before.chunks_exact(k).map(|l| l[i] * l[p]).sum();
            column[i] = (entry - known) / root;
            self.left[i] -= column[i] * column[i];
        }
    }

    /// The factor of `Lᵀ L`, which has full rank.
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

/// Replaces `b` by the solution of `L Lᵀ x = b`; the rows of `L` one after the other.
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

/// A row whose square is this much smaller than the largest is rounding.
const NOTHING: f64 = 1e-24;
