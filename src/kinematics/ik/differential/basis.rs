//! Directions that leave levels of higher priority as they are.

use crate::kinematics::ik::damped_step::dot;

/// Orthonormal columns (m × d): the directions that are left.
#[derive(Debug, Clone, Default)]
pub(super) struct Basis {
    /// Number of columns.
    d: usize,
    /// One after the other; not used while all directions are left.
    columns: Vec<f64>,
    is_all: bool,
    // scratch: rows in the basis, a reflector, and products with it
    reduced: Vec<f64>,
    reflector: Vec<f64>,
    product: Vec<f64>,
}

impl Basis {
    /// Makes it all directions of `m` variables.
    pub(super) fn reset(&mut self, m: usize) {
        (self.d, self.is_all) = (m, true);
        self.columns.resize(m * m, 0.0);
        self.reflector.resize(m, 0.0);
        self.product.resize(m, 0.0);
    }

    /// Number of directions.
    pub(super) fn len(&self) -> usize {
        self.d
    }

    /// The columns, one after the other; `None` for the identity.
    pub(super) fn columns(&self) -> Option<&[f64]> {
        (!self.is_all).then(|| &self.columns[..])
    }

    /// Leaves out all directions that change rows (k × m, row by row): Householder's factors of the rows in this basis, the
    /// longest remaining row first. Rows shorter than [`RANK`] of the longest one count as dependent.
    pub(super) fn remove(&mut self, rows: &[f64], m: usize) {
        if self.is_all {
            self.columns.truncate(m * m);
            self.columns.fill(0.0);
            self.columns
                .iter_mut()
                .step_by(m + 1)
                .for_each(|x| *x = 1.0);
            self.is_all = false;
        }
        let d = self.d;
        let mut longest = 0.0_f64;
        self.reduced.clear();
        for row in rows.chunks_exact(m) {
            longest = longest.max(norm(row));
            let products = self.columns.chunks_exact(m).take(d).map(|z| dot(row, z));
            self.reduced.extend(products);
        }
        let mut rank = 0;
        while rank < d {
            let pick = (0..self.reduced.len() / d)
                .map(|i| (i, norm(&self.reduced[i * d + rank..(i + 1) * d])))
                .max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((pick, length)) = pick.filter(|(_, length)| *length > RANK * longest) else {
                break;
            };

            // H = 1 − β v vᵀ takes the row to its first entry
            let v = &mut self.reflector[..d - rank];
            v.copy_from_slice(&self.reduced[pick * d + rank..(pick + 1) * d]);
            v.iter_mut().for_each(|x| *x /= length);
            v[0] += 1.0_f64.copysign(v[0]);
            let beta = 2.0 / dot(v, v);
            for row in self.reduced.chunks_exact_mut(d) {
                let part = &mut row[rank..];
                let share = beta * dot(part, v);
                part.iter_mut().zip(&*v).for_each(|(x, v)| *x -= share * v);
            }
            let columns = &mut self.columns[rank * m..d * m];
            self.product.fill(0.0);
            for (column, v) in columns.chunks_exact(m).zip(&*v) {
                let sums = self.product.iter_mut().zip(column);
                sums.for_each(|(sum, z)| *sum += v * z);
            }
            for (column, v) in columns.chunks_exact_mut(m).zip(&*v) {
                let entries = column.iter_mut().zip(&self.product);
                entries.for_each(|(z, sum)| *z -= beta * v * sum);
            }
            rank += 1;
        }
        self.columns.copy_within(rank * m..d * m, 0);
        self.d = d - rank;
        self.columns.truncate(self.d * m);
    }
}

fn norm(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}

/// A row that is less than this part of the longest one, after what other rows have of it, is dependent on them.
const RANK: f64 = 1e-10;
