//! LU factorization without allocation.

/// Square matrix, column-major, and then its LU factorization with partial pivoting.
#[derive(Debug, Clone, Default)]
pub(super) struct Lu {
    n: usize,
    entries: Vec<f64>,
    // pivot row of each column
    pivots: Vec<usize>,
}

impl Lu {
    pub(super) fn resize(&mut self, n: usize) {
        self.n = n;
        self.entries.resize(n * n, 0.0);
        self.pivots.resize(n, 0);
    }

    /// Column `j` of the matrix, for writing.
    pub(super) fn column(&mut self, j: usize) -> &mut [f64] {
        &mut self.entries[j * self.n..][..self.n]
    }

    /// Factorizes in place; returns false where the matrix is singular or not finite.
    pub(super) fn factorize(&mut self) -> bool {
        let n = self.n;
        let a = &mut self.entries;
        for k in 0..n {
            let size = |i: usize| a[k * n + i].abs();
            let pivot = (k..n).fold(k, |best, i| if size(i) > size(best) { i } else { best });
            if !(size(pivot) > 0.0 && size(pivot).is_finite()) {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                for j in 0..n {
                    a.swap(j * n + k, j * n + pivot);
                }
            }
            let inverse = 1.0 / a[k * n + k];
            for i in k + 1..n {
                a[k * n + i] *= inverse;
            }
            for j in k + 1..n {
                let factor = a[j * n + k];
                for i in k + 1..n {
                    a[j * n + i] -= a[k * n + i] * factor;
                }
            }
        }
        true
    }

    /// Replaces the right-hand side with the solution.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let (n, a) = (self.n, &self.entries);
        for k in 0..n {
            x.swap(k, self.pivots[k]);
        }
        for k in 0..n {
            for i in k + 1..n {
                x[i] -= a[k * n + i] * x[k];
            }
        }
        for k in (0..n).rev() {
            x[k] /= a[k * n + k];
            for i in 0..k {
                x[i] -= a[k * n + i] * x[k];
            }
        }
    }
}
