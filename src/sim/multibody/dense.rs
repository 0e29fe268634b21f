//! Small dense linear system with possibly redundant equations.

/// Square matrix, and then its LU factorization with complete pivoting; redundant equations are dropped.
#[derive(Debug, Clone, Default)]
pub(super) struct Dense {
    n: usize,
    entries: Vec<f64>,
    // one over the root of the diagonal, 0 for empty equations
    scale: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    rank: usize,
    scratch: Vec<f64>,
}

impl Dense {
    pub(super) fn resize(&mut self, n: usize) {
        self.n = n;
        self.entries.resize(n * n, 0.0);
        self.rows.resize(n, 0);
        self.columns.resize(n, 0);
        for numbers in [&mut self.scale, &mut self.scratch] {
            numbers.resize(n, 0.0);
        }
    }

    pub(super) fn entry(&mut self, i: usize, j: usize) -> &mut f64 {
        &mut self.entries[i * self.n + j]
    }

    /// Factorizes the first `n` equations.
    pub(super) fn factor(&mut self, n: usize) {
        let (stride, a) = (self.n, &mut self.entries);
        for i in 0..n {
            let size = a[i * stride + i];
            self.scale[i] = if size > 0.0 && size.is_finite() {
                1.0 / size.sqrt()
            } else {
                0.0
            };
            (self.rows[i], self.columns[i]) = (i, i);
        }
        for i in 0..n {
            for j in 0..n {
                a[i * stride + j] *= self.scale[i] * self.scale[j];
            }
        }
        self.rank = n;
        for k in 0..n {
            // complete pivoting
            let mut best = (k, k, 0.0);
            for i in k..n {
                for j in k..n {
                    let size = a[self.rows[i] * stride + self.columns[j]].abs();
                    if size > best.2 {
                        best = (i, j, size);
                    }
                }
            }
            if best.2 <= DEPENDENT {
                self.rank = k;
                return;
            }
            self.rows.swap(k, best.0);
            self.columns.swap(k, best.1);
            let (row, column) = (self.rows[k] * stride, self.columns[k]);
            let inverse = 1.0 / a[row + column];
            for i in k + 1..n {
                let other = self.rows[i] * stride;
                let factor = a[other + column] * inverse;
                a[other + column] = factor;
                for j in k + 1..n {
                    let c = self.columns[j];
                    a[other + c] -= factor * a[row + c];
                }
            }
        }
    }

    /// Returns whether equation `i` was dropped.
    pub(super) fn is_dropped(&self, i: usize) -> bool {
        !self.rows[..self.rank].contains(&i)
    }

    /// Replaces right-hand sides with unknowns, 0 for dropped equations.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let (stride, a) = (self.n, &self.entries);
        for k in 0..self.rank {
            let row = self.rows[k];
            let mut sum = x[row] * self.scale[row];
            for j in 0..k {
                sum -= a[row * stride + self.columns[j]] * self.scratch[j];
            }
            self.scratch[k] = sum;
        }
        for k in (0..self.rank).rev() {
            let row = self.rows[k] * stride;
            let mut sum = self.scratch[k];
            for j in k + 1..self.rank {
                sum -= a[row + self.columns[j]] * self.scratch[j];
            }
            self.scratch[k] = sum / a[row + self.columns[k]];
        }
        x.fill(0.0);
        for k in 0..self.rank {
            let unknown = self.columns[k];
            x[unknown] = self.scratch[k] * self.scale[unknown];
        }
    }
}

/// Pivot, of equations scaled to 1, below which an equation is redundant.
const DEPENDENT: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_that_follow_from_others_are_left_out() {
        // the third row is the sum of the first two; the fourth is empty
        let rows = [
            [4.0, 1.0, 5.0, 0.0],
            [1.0, 3.0, 4.0, 0.0],
            [5.0, 4.0, 9.0, 0.0],
            [0.0; 4],
        ];
        let mut dense = Dense::default();
        dense.resize(5);
        for (i, row) in rows.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                *dense.entry(i, j) = *x;
            }
        }
        dense.factor(4);
        let dropped: Vec<usize> = (0..4).filter(|i| dense.is_dropped(*i)).collect();
        assert!(dropped.len() == 2 && dropped.contains(&3), "{dropped:?}");
        let mut x = [1.0, -2.0, -1.0, 0.0];
        dense.solve(&mut x);
        for (row, right) in rows.iter().zip([1.0, -2.0, -1.0, 0.0]) {
            let left: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
            assert!((left - right).abs() < 1e-12);
        }
    }
}
