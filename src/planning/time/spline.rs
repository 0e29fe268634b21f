//! Cubic splines.

use super::blend::{distance, distinct};
use super::path::GeometricPath;
use crate::{Error, Result, kinematics};

/// See [`GeometricPath::hermite`].
pub(super) fn hermite<Q: AsRef<[f64]>>(
    parameters: &[f64],
    values: &[Q],
    derivatives: &[Q],
) -> Result<GeometricPath> {
    let rows = parameters.len();
    for found in [values.len(), derivatives.len()] {
        if found != rows {
            return Err(Error::Length {
                what: "the values and derivatives of a path",
                expected: rows,
                found,
            });
        }
    }
    if let Some(i) = parameters.windows(2).position(|pair| pair[1] <= pair[0]) {
        let problem = format!(
            "do not increase from {} to {}",
            parameters[i],
            parameters[i + 1]
        );
        return Err(Error::invalid("the parameters of a path", problem));
    }
    let n = values.first().map_or(0, |q| q.as_ref().len());
    for row in values.iter().chain(derivatives) {
        kinematics::check_values("a value or derivative of a path", n, row.as_ref())?;
    }
    let mut coefficients = Vec::with_capacity(4 * n * rows);
    for k in 1..rows {
        let h = parameters[k] - parameters[k - 1];
        let ends = [&values[k - 1], &values[k]].map(AsRef::as_ref);
        let rates = [&derivatives[k - 1], &derivatives[k]].map(AsRef::as_ref);
        for dof in 0..n {
            let [a, b] = ends.map(|q| q[dof]);
            let [da, db] = rates.map(|dq| dq[dof]);
            let mean = (b - a) / h;
            let (c2, c3) = (
                (3.0 * mean - 2.0 * da - db) / h,
                (da + db - 2.0 * mean) / (h * h),
            );
            coefficients.extend([a, da, c2, c3]);
        }
    }
    GeometricPath::polynomials(n, 3, parameters.to_vec(), coefficients)
}

/// See [`GeometricPath::spline`].
pub(super) fn natural<Q: AsRef<[f64]>>(waypoints: &[Q]) -> Result<GeometricPath> {
    let points = distinct(waypoints)?;
    let mut parameters = vec![0.0];
    for pair in points.windows(2) {
        parameters.push(parameters[parameters.len() - 1] + distance(pair[0], pair[1]));
    }
    natural_at(&parameters, &points)
}

/// See [`GeometricPath::spline_at`].
pub(super) fn natural_at<Q: AsRef<[f64]>>(
    parameters: &[f64],
    waypoints: &[Q],
) -> Result<GeometricPath> {
    let points: Vec<&[f64]> = waypoints.iter().map(AsRef::as_ref).collect();
    let n = points.first().map_or(0, |first| first.len());
    let is_even = points.len() == parameters.len() && points.iter().all(|q| q.len() == n);
    if !is_even || n == 0 || points.len() < 2 {
        // which refuses it
        return hermite(parameters, &points, &points);
    }
    let derivatives = natural_derivatives(parameters, &points);
    let derivatives: Vec<&[f64]> = derivatives.chunks_exact(n).collect();
    hermite(parameters, &points, &derivatives)
}

/// First derivatives at the knots, by Thomas' algorithm: the second ones are continuous, and 0 at the ends.
fn natural_derivatives(s: &[f64], points: &[&[f64]]) -> Vec<f64> {
    let (last, n) = (points.len() - 1, points[0].len());
    let inverse = |k: usize| 1.0 / (s[k + 1] - s[k]);
    let mut upper = vec![0.0; last + 1];
    let mut derivatives = vec![0.0; (last + 1) * n];
    for k in 0..=last {
        let before = (k > 0).then(|| inverse(k - 1));
        let after = (k < last).then(|| inverse(k));
        let (left, right) = (before.unwrap_or(0.0), after.unwrap_or(0.0));
        let pivot = 2.0 * (left + right) - if k > 0 { left * upper[k - 1] } else { 0.0 };
        upper[k] = right / pivot;
        for dof in 0..n {
            let step = |k: usize| points[k + 1][dof] - points[k][dof];
            let mut rhs = 0.0;
            if k > 0 {
                rhs += 3.0 * step(k - 1) * left * left - left * derivatives[(k - 1) * n + dof];
            }
            if k < last {
                rhs += 3.0 * step(k) * right * right;
            }
            derivatives[k * n + dof] = rhs / pivot;
        }
    }
    for k in (0..last).rev() {
        for dof in 0..n {
            derivatives[k * n + dof] -= upper[k] * derivatives[(k + 1) * n + dof];
        }
    }
    derivatives
}
