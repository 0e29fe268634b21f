//! The two passes of reachability analysis, and their programs in one and two variables.

use super::profile::{Grid, Profile};

/// Rows `low ≤ u + coefficient · x ≤ high` of each interval, and bounds of x at each point.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// Where the rows of each interval begin, and the end (N + 1).
    pub(super) starts: Vec<usize>,
    pub(super) coefficient: Vec<f64>,
    pub(super) low: Vec<f64>,
    pub(super) high: Vec<f64>,
    /// Largest x (N + 1).
    pub(super) x_max: Vec<f64>,
}

impl Rows {
    /// Adds `low ≤ p u + r x ≤ high` to the last interval, whose number is `i`.
    pub(super) fn add(&mut self, i: usize, [p, r]: [f64; 2], [low, high]: [f64; 2]) {
        let inverse = 1.0 / p;
        let coefficient = r * inverse;
        if !(inverse.is_finite() && coefficient.is_finite()) {
            // without u, a bound of x
            let most = if r > 0.0 { high / r } else { low / r };
            if r != 0.0 {
                self.x_max[i] = self.x_max[i].min(most.max(0.0));
            }
            return;
        }
        let (low, high) = (low * inverse, high * inverse);
        self.coefficient.push(coefficient);
        self.low.push(low.min(high));
        self.high.push(low.max(high));
    }

    /// The interval of u at x: its ends, each with the coefficient of the row that bounds it.
    #[inline]
    fn range(&self, i: usize, x: f64, next: &Next) -> Range {
        let rows = self.starts[i]..self.starts[i + 1];
        let mut range = next.range(x);
        let coefficients = &self.coefficient[rows.clone()];
        let ends = self.low[rows.clone()].iter().zip(&self.high[rows]);
        for (coefficient, (low, high)) in coefficients.iter().zip(ends) {
            let (low, high) = (low - coefficient * x, high - coefficient * x);
            if low > range.low {
                (range.low, range.low_coefficient) = (low, *coefficient);
            }
            if high < range.high {
                (range.high, range.high_coefficient) = (high, *coefficient);
            }
        }
        range
    }
}

/// `lowest ≤ x + 2 Δ u ≤ highest`: the interval that the next point is to be in.
struct Next {
    inverse: f64,
    lowest: f64,
    highest: f64,
}

impl Next {
    fn new(step: f64, lowest: f64, highest: f64) -> Self {
        Self {
            inverse: 0.5 / step,
            lowest,
            highest,
        }
    }

    #[inline]
    fn range(&self, x: f64) -> Range {
        Range {
            low: (self.lowest - x) * self.inverse,
            high: (self.highest - x) * self.inverse,
            low_coefficient: self.inverse,
            high_coefficient: self.inverse,
        }
    }
}

/// Values of u that all rows allow, and the coefficients of the rows at both ends.
struct Range {
    low: f64,
    high: f64,
    low_coefficient: f64,
    high_coefficient: f64,
}

impl Range {
    /// Its length: concave in x, and negative where it is empty.
    fn length(&self) -> f64 {
        self.high - self.low
    }

    /// True if it holds a number, but for rounding.
    fn is_nonempty(&self) -> bool {
        self.length() >= -ROUNDING * (self.high.abs() + self.low.abs())
    }

    /// Change of the length with x.
    fn length_derivative(&self) -> f64 {
        self.low_coefficient - self.high_coefficient
    }
}

/// Relative rounding of the ends of an interval.
const ROUNDING: f64 = 1e-12;

/// More steps than Newton's method takes on the lines of an interval, of which each is met once.
const STEPS: usize = 100;

/// The interval at which no motion is within the limits.
pub(super) struct Blocked {
    pub(super) interval: usize,
    /// True if it is not the path but the speed at its start.
    pub(super) is_start: bool,
}

/// The fastest profile, between squares of the path speeds at the ends.
pub(super) fn fastest(
    grid: &Grid,
    rows: &Rows,
    [start, end]: [f64; 2],
) -> Result<Profile, Blocked> {
    let n = grid.len();
    let blocked = |interval| Blocked {
        interval,
        is_start: false,
    };
    // backwards: the speeds from which the end can be reached
    let (mut lowest, mut highest) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    if end > rows.x_max[n] * (1.0 + ROUNDING) {
        return Err(blocked(n - 1));
    }
    (lowest[n], highest[n]) = (end, end);
    for i in (0..n).rev() {
        let next = Next::new(grid.step(i), lowest[i + 1], highest[i + 1]);
        let most = if grid.stops[i] { 0.0 } else { rows.x_max[i] };
        highest[i] = largest(rows, i, most, &next).ok_or(blocked(i))?;
        lowest[i] = smallest(rows, i, highest[i], &next);
    }
    let slack = ROUNDING * highest[0];
    if start > highest[0] + slack || start < lowest[0] - slack {
        return Err(Blocked {
            interval: 0,
            is_start: true,
        });
    }
    // forwards: the largest of them
    let mut profile = Profile {
        x: vec![start.min(highest[0]); n + 1],
        u: vec![0.0; n],
    };
    for i in 0..n {
        let x = profile.x[i];
        let next = Next::new(grid.step(i), lowest[i + 1], highest[i + 1]);
        let range = rows.range(i, x, &next);
        let u = if range.length() >= 0.0 {
            range.high
        } else {
            0.5 * (range.high + range.low)
        };
        let reached = 2.0f64.mul_add(grid.step(i) * u, x);
        profile.x[i + 1] = reached.max(lowest[i + 1]).min(highest[i + 1]);
        profile.u[i] = (profile.x[i + 1] - x) / (2.0 * grid.step(i));
        if profile.x[i] <= 0.0 && profile.x[i + 1] <= 0.0 {
            return Err(blocked(i));
        }
    }
    Ok(profile)
}

/// The largest x up to `most` for which some u is within all rows: Newton's method from above on the length of the interval of
/// u, which is concave and piecewise linear in x.
fn largest(rows: &Rows, i: usize, most: f64, next: &Next) -> Option<f64> {
    let mut x = most.min(LARGEST);
    for _ in 0..STEPS {
        let range = rows.range(i, x, next);
        if range.is_nonempty() {
            return Some(x);
        }
        let derivative = range.length_derivative();
        if derivative >= 0.0 || x <= 0.0 {
            return None;
        }
        x = (x - range.length() / derivative).max(0.0);
    }
    Some(x)
}

/// The smallest, which is mostly 0.
fn smallest(rows: &Rows, i: usize, largest: f64, next: &Next) -> f64 {
    let mut x = 0.0;
    for _ in 0..STEPS {
        let range = rows.range(i, x, next);
        let derivative = range.length_derivative();
        if range.is_nonempty() || derivative <= 0.0 || x >= largest {
            break;
        }
        x = (x - range.length() / derivative).min(largest);
    }
    x
}

/// Largest square of a speed where nothing bounds it.
const LARGEST: f64 = 1e30;
