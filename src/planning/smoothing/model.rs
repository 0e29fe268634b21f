//! The quadratic model of a step of the [descent](super::descent).

use super::b_spline::{BSpline, SUPPORT, Weights};
use super::banded::Banded;

/// Active sets in a step.
const SETS: usize = 4;

/// Distance of a pair at a sample of the curve.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Index of the sample.
    pub(super) sample: usize,
    pub(super) weights: Weights,
    /// Distance less what it has to be, m.
    pub(super) excess: f64,
    /// Derivatives by the active degrees of freedom.
    pub(super) gradient: Vec<f64>,
    /// Weight of the square of the distance that is missing.
    pub(super) weight: f64,
}

/// What the control points of a curve are to minimise but for the distances.
#[derive(Debug)]
pub(super) struct Model {
    /// Degrees of freedom that move.
    pub(super) active: Vec<usize>,
    /// Weights of the squares of first and of second differences of control points.
    pub(super) differences: [f64; 2],
}

impl Model {
    /// The change of the inner control points to the least of the model, where distances count that are missing there: these are
    /// found one set after the other. `None` where the system has no solution.
    pub(super) fn step(&self, spline: &BSpline, rows: &[Row]) -> Option<Vec<f64>> {
        let mut counts: Vec<bool> = rows.iter().map(|row| row.excess < 0.0).collect();
        let mut change = None;
        for _ in 0..SETS {
            let active = rows.iter().zip(&counts).filter(|(_, counts)| **counts);
            let solved = self.solved(spline, active.map(|(row, _)| row))?;
            let missing = |row: &Row| row.excess + self.product(row, &solved) < 0.0;
            let next: Vec<bool> = rows.iter().map(missing).collect();
            change = Some(solved);
            if next == counts {
                break;
            }
            counts = next;
        }
        change
    }

    /// By how much a distance changes, to first order.
    fn product(&self, row: &Row, change: &[f64]) -> f64 {
        let width = self.active.len();
        let inner = change.len() / width;
        let of = |k: usize| {
            let j = row.weights.first + k;
            // the ends stay
            if j == 0 || j > inner {
                return 0.0;
            }
            let terms = row.gradient.iter().zip(&change[(j - 1) * width..]);
            row.weights.weights[k] * terms.map(|(a, b)| a * b).sum::<f64>()
        };
        (0..SUPPORT).map(of).sum()
    }

    /// The least of the quadratic model with these rows.
    fn solved<'a>(
        &self,
        spline: &BSpline,
        rows: impl Iterator<Item = &'a Row>,
    ) -> Option<Vec<f64>> {
        let (width, inner) = (self.active.len(), spline.pieces() - 1);
        let mut system = System {
            matrix: Banded::new(inner * width, SUPPORT * width - 1),
            rhs: vec![0.0; inner * width],
            width,
            inner,
        };
        let [first, second] = self.differences;
        for j in 0..spline.pieces() {
            self.add_square(&[-1.0, 1.0], j, first, spline, &mut system);
            if j > 0 {
                self.add_square(&[1.0, -2.0, 1.0], j - 1, second, spline, &mut system);
            }
        }
        rows.for_each(|row| system.add_row(row));
        let System { matrix, rhs, .. } = &mut system;
        matrix.solve(rhs).then_some(system.rhs)
    }

    /// Adds the square of a difference of control points from the first one on.
    fn add_square(
        &self,
        difference: &[f64],
        first: usize,
        weight: f64,
        spline: &BSpline,
        system: &mut System,
    ) {
        for (a, &dof) in self.active.iter().enumerate() {
            let terms = difference.iter().enumerate();
            let value: f64 = terms.map(|(k, w)| w * spline.point(first + k)[dof]).sum();
            for (k, w) in difference.iter().enumerate() {
                let Some(row) = system.begin_of(first + k) else {
                    continue;
                };
                system.rhs[row + a] -= weight * w * value;
                for (l, v) in difference[..=k].iter().enumerate() {
                    if let Some(column) = system.begin_of(first + l) {
                        system.matrix.add(row + a, column + a, weight * w * v);
                    }
                }
            }
        }
    }
}

/// Normal equations of the inner control points.
struct System {
    matrix: Banded,
    rhs: Vec<f64>,
    /// Degrees of freedom of a control point.
    width: usize,
    inner: usize,
}

impl System {
    /// Index of the first number of an inner control point.
    fn begin_of(&self, j: usize) -> Option<usize> {
        (1..=self.inner).contains(&j).then(|| (j - 1) * self.width)
    }

    /// Adds the square of what is missing of a distance.
    fn add_row(&mut self, row: &Row) {
        let Weights { first, weights } = row.weights;
        for k in 0..SUPPORT {
            let Some(begin) = self.begin_of(first + k) else {
                continue;
            };
            let of_point = row.weight * weights[k];
            for (a, x) in row.gradient.iter().enumerate() {
                self.rhs[begin + a] -= of_point * x * row.excess;
                for l in 0..=k {
                    let Some(other) = self.begin_of(first + l) else {
                        continue;
                    };
                    let factor = of_point * x * weights[l];
                    let columns = if l == k { a + 1 } else { self.width };
                    for (b, y) in row.gradient[..columns].iter().enumerate() {
                        self.matrix.add(begin + a, other + b, factor * y);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    /// The value of the model after a change.
    fn value(model: &Model, spline: &BSpline, rows: &[Row], change: &[f64]) -> f64 {
        let mut moved = spline.clone();
        let width = model.active.len();
        for j in 1..spline.pieces() {
            for (a, &dof) in model.active.iter().enumerate() {
                moved.point_mut(j)[dof] += change[(j - 1) * width + a];
            }
        }
        let mut sum = 0.0;
        for &dof in &model.active {
            let of = |j: usize| moved.point(j)[dof];
            for j in 0..spline.pieces() {
                sum += model.differences[0] * (of(j + 1) - of(j)).powi(2);
            }
            for j in 1..spline.pieces() {
                sum += model.differences[1] * (of(j - 1) - 2.0 * of(j) + of(j + 1)).powi(2);
            }
        }
        for row in rows {
            // through the curve instead of the control points
            let [mut before, mut after] = [(); 2].map(|()| vec![0.0; spline.n_dofs()]);
            spline.at(row.weights, &mut before);
            moved.at(row.weights, &mut after);
            let moves = model.active.iter().map(|&dof| after[dof] - before[dof]);
            let gained: f64 = moves.zip(&row.gradient).map(|(a, b)| a * b).sum();
            sum += row.weight * (row.excess + gained).min(0.0).powi(2);
        }
        sum
    }

    #[test]
    fn no_other_change_is_better() {
        let mut random = SplitMix::new(8);
        let spline = BSpline::along(&[&[0.0, 0.0, 1.0], &[1.0, 0.5, 1.0], &[1.5, -1.0, 1.0]], 9);
        let model = Model {
            active: vec![0, 1],
            differences: [3.0, 0.4],
        };
        let rows: Vec<Row> = (0..12)
            .map(|k| Row {
                sample: k,
                weights: spline.weights(k % 9, random.uniform()),
                excess: 0.2 * random.uniform() - 0.1,
                gradient: vec![random.uniform() - 0.5, random.uniform() - 0.5],
                weight: 50.0,
            })
            .collect();
        let change = model.step(&spline, &rows).unwrap();
        let least = value(&model, &spline, &rows, &change);
        assert!(least < value(&model, &spline, &rows, &vec![0.0; change.len()]));
        for size in [1e-1, 1e-3, 1e-5] {
            for _ in 0..200 {
                let other = change.iter().map(|x| x + size * (random.uniform() - 0.5));
                let other: Vec<f64> = other.collect();
                assert!(value(&model, &spline, &rows, &other) >= least - 1e-12);
            }
        }
    }
}
