//! Symmetric positive definite systems whose entries are near the diagonal.

/// A symmetric matrix with `width` entries beside the diagonal on either side, of which the lower half is kept.
#[derive(Debug, Clone)]
pub(super) struct Banded {
    width: usize,
    /// Of each row, the entries from `width` columns before the diagonal up to it.
    rows: Vec<f64>,
}

impl Banded {
    /// A matrix of zeros.
    pub(super) fn new(size: usize, width: usize) -> Self {
        Self {
            width,
            rows: vec![0.0; size * (width + 1)],
        }
    }

    fn size(&self) -> usize {
        self.rows.len() / (self.width + 1)
    }

    fn index(&self, row: usize, column: usize) -> usize {
        row * (self.width + 1) + self.width + column - row
    }

    /// Adds to an entry on the diagonal or below it, and so to the one above it.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        let index = self.index(row, column);
        self.rows[index] += value;
    }

    /// Replaces the right-hand side by the solution, and the matrix by its Cholesky factor. Returns `false` where the matrix
    /// is not positive definite; then neither has a meaning.
    pub(super) fn solve(&mut self, rhs: &mut [f64]) -> bool {
        let (n, width) = (self.size(), self.width);
        for i in 0..n {
            let first = i.saturating_sub(width);
            let (above, row) = self.rows.split_at_mut(i * (width + 1));
            for j in first..i {
                // both rows hold the columns from the later beginning on side by side
                let from = first.max(j.saturating_sub(width));
                let other = &above[j * (width + 1)..][..width + 1];
                let terms = row[width + from - i..width + j - i].iter();
                let terms = terms.zip(&other[width + from - j..width]);
                let sum: f64 = terms.map(|(a, b)| a * b).sum();
                row[width + j - i] = (row[width + j - i] - sum) / other[width];
            }
            let squares: f64 = row[width + first - i..width].iter().map(|x| x * x).sum();
            let pivot = row[width] - squares;
            if pivot.is_nan() || pivot <= 0.0 {
                return false;
            }
            row[width] = pivot.sqrt();
            let terms = row[width + first - i..width].iter().zip(&rhs[first..i]);
            let sum: f64 = terms.map(|(a, b)| a * b).sum();
            rhs[i] = (rhs[i] - sum) / row[width];
        }
        for i in (0..n).rev() {
            let row = &self.rows[i * (width + 1)..][..width + 1];
            rhs[i] /= row[width];
            let (first, x) = (i.saturating_sub(width), rhs[i]);
            for (b, a) in rhs[first..i].iter_mut().zip(&row[width + first - i..]) {
                *b -= a * x;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    #[test]
    fn solutions_satisfy_their_system() {
        let mut random = SplitMix::new(5);
        for (n, width) in [(1, 0), (1, 3), (6, 0), (7, 2), (12, 11), (40, 9)] {
            let mut matrix = Banded::new(n, width);
            let mut dense = vec![vec![0.0; n]; n];
            for i in 0..n {
                for j in i.saturating_sub(width)..=i {
                    let value = random.uniform() + if i == j { 2.0 * width as f64 } else { 0.0 };
                    matrix.add(i, j, value);
                    (dense[i][j], dense[j][i]) = (value, value);
                }
            }
            let rhs: Vec<f64> = (0..n).map(|_| random.uniform()).collect();
            let mut x = rhs.clone();
            assert!(matrix.solve(&mut x));
            for (row, b) in dense.iter().zip(&rhs) {
                let product: f64 = row.iter().zip(&x).map(|(a, x)| a * x).sum();
                assert!((product - b).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_is_not_positive_definite_is_refused() {
        let mut matrix = Banded::new(2, 1);
        matrix.add(0, 0, 1.0);
        matrix.add(1, 0, 2.0);
        matrix.add(1, 1, 1.0);
        assert!(!matrix.solve(&mut [1.0, 1.0]));
    }
}
