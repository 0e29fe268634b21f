//! Limits of velocity and acceleration along a path, as rows of the passes.
//!
//! On an interval of length Δ a piece of degree d has q′ of degree d − 1 and q″ of degree d − 2, and x is a line from
//! x₀ to x₁ = x₀ + 2 Δ u. So q̈ = q′ u + q″ x is a polynomial of degree d − 1 whose Bernstein coefficients are linear in u and
//! x₀. The first and the last are its values at the ends; while all are within the limits, so is it in between. The same goes
//! for the square of the velocity, q′² x, of degree 2 d − 1.

use super::limits::MotionLimits;
use super::path::{GeometricPath, MAX_DEGREE};
use super::profile::Grid;
use super::reachability::Rows;

/// The limits of a path, without those of torque.
pub(super) fn kinematic_rows(path: &GeometricPath, grid: &Grid, limits: &MotionLimits) -> Rows {
    let (n, dofs) = (grid.len(), path.n_dofs());
    let mut rows = Rows {
        starts: vec![0],
        x_max: vec![f64::INFINITY; n + 1],
        ..Rows::default()
    };
    let intervals: Vec<Interval> = (0..n * dofs)
        .map(|k| Interval::new(path, grid, k / dofs, k % dofs))
        .collect();
    for (k, interval) in intervals.iter().enumerate() {
        let (i, range) = (k / dofs, limits.velocity()[k % dofs]);
        let ends = [
            interval.derivative[0],
            interval.derivative[path.degree() - 1],
        ];
        for (point, derivative) in [i, i + 1].into_iter().zip(ends) {
            let most = if derivative > 0.0 { range[1] } else { range[0] };
            let speed = most / derivative;
            // of a dof that rests it is not a number, or infinite
            if speed * speed < rows.x_max[point] {
                rows.x_max[point] = speed * speed;
            }
        }
    }
    for i in 0..n {
        for dof in 0..dofs {
            let interval = &intervals[i * dofs + dof];
            if interval.is_still(path.degree()) {
                continue;
            }
            acceleration(
                &mut rows,
                path.degree(),
                i,
                interval,
                limits.acceleration()[dof],
            );
            velocity(
                &mut rows,
                path.degree(),
                i,
                interval,
                limits.velocity()[dof],
            );
        }
        rows.starts.push(rows.coefficient.len());
    }
    rows
}

/// Bernstein coefficients of q′ and q″ of a degree of freedom on an interval, and the length of the interval.
struct Interval {
    length: f64,
    derivative: [f64; MAX_DEGREE],
    curvature: [f64; MAX_DEGREE],
}

impl Interval {
    fn new(path: &GeometricPath, grid: &Grid, i: usize, dof: usize) -> Self {
        let (length, from) = (grid.step(i), grid.local(path, i)[0]);
        let (c, d) = (path.of(grid.pieces[i], dof), path.degree());
        // coefficients of q′ in the position on the interval, from 0 to 1: Horner's rule, shifted
        let mut powers = [0.0; MAX_DEGREE];
        for k in (1..=d).rev() {
            for j in (1..d).rev() {
                powers[j] = powers[j] * from + powers[j - 1];
            }
            powers[0] = powers[0] * from + k as f64 * c[k];
        }
        let mut scale = 1.0;
        for power in &mut powers[..d] {
            *power *= scale;
            scale *= length;
        }
        let mut derivative = [0.0; MAX_DEGREE];
        for (k, derivative) in derivative[..d].iter_mut().enumerate() {
            *derivative = (0..=k)
                .map(|j| BINOMIALS[k][j] / BINOMIALS[d - 1][j] * powers[j])
                .sum();
        }
        let mut curvature = [0.0; MAX_DEGREE];
        for k in 1..d {
            curvature[k - 1] = (d - 1) as f64 * (derivative[k] - derivative[k - 1]) / length;
        }
        Self {
            length,
            derivative,
            curvature,
        }
    }

    fn is_still(&self, degree: usize) -> bool {
        self.derivative[..degree].iter().all(|x| *x == 0.0)
    }
}

/// `|q̈| ≤ most`.
fn acceleration(rows: &mut Rows, degree: usize, i: usize, interval: &Interval, most: f64) {
    if most == f64::INFINITY {
        return;
    }
    let Interval {
        length,
        derivative,
        curvature,
    } = interval;
    let top = (degree - 1).max(1) as f64;
    let bends = curvature[..degree - 1].iter().any(|x| *x != 0.0);
    // on a line all coefficients are the same
    let count = if bends { degree } else { 1 };
    for k in 0..count {
        let here = k as f64 / top;
        let before = if k > 0 { here * curvature[k - 1] } else { 0.0 };
        let after = (1.0 - here) * curvature[k];
        let p = derivative[k] + 2.0 * length * before;
        rows.add(i, [p, before + after], [-most, most]);
    }
}

/// `min ≤ q̇ ≤ max` between the ends of the interval.
fn velocity(rows: &mut Rows, degree: usize, i: usize, interval: &Interval, [min, max]: [f64; 2]) {
    let derivative = &interval.derivative[..degree];
    let most = if derivative.iter().all(|x| *x >= 0.0) {
        max
    } else if derivative.iter().all(|x| *x <= 0.0) {
        -min
    } else {
        max.min(-min)
    };
    if degree < 2 || most == f64::INFINITY {
        return;
    }
    let (last, most) = (degree - 1, most * most);
    let mut squares = [0.0; 2 * MAX_DEGREE];
    for (a, x) in derivative.iter().enumerate() {
        for (b, y) in derivative.iter().enumerate() {
            let share = BINOMIALS[last][a] * BINOMIALS[last][b] / BINOMIALS[2 * last][a + b];
            squares[a + b] += share * x * y;
        }
    }
    let top = (2 * last + 1) as f64;
    let ends = [rows.x_max[i], rows.x_max[i + 1]];
    for k in 1..=2 * last {
        let here = k as f64 / top;
        let (first, second) = ((1.0 - here) * squares[k], here * squares[k - 1]);
        // most are within the limit at whatever speed the ends allow
        if first.max(0.0) * ends[0] + second.max(0.0) * ends[1] > most {
            let p = 2.0 * interval.length * second;
            rows.add(i, [p, first + second], [f64::NEG_INFINITY, most]);
        }
    }
}

/// Binomial coefficients.
const BINOMIALS: [[f64; 2 * MAX_DEGREE - 1]; 2 * MAX_DEGREE - 1] = {
    let mut rows = [[0.0; 2 * MAX_DEGREE - 1]; 2 * MAX_DEGREE - 1];
    let mut n = 0;
    while n < rows.len() {
        rows[n][0] = 1.0;
        let mut k = 1;
        while k <= n {
            rows[n][k] = rows[n - 1][k - 1] + rows[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    rows
};
