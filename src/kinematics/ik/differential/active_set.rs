//! Damped least squares within bounds and rows of inequalities: a primal active set.
//!
//! Every iterate is within all limits, so that whatever ends the search leaves a velocity that is. Steps and multipliers
//! come from [factors](super::factors) that follow the constraints that are held.

use super::basis::Basis;
use super::factors::{ANY, Factors, Normal, size};
use crate::kinematics::ik::damped_step::dot;

/// What is minimised: `½ |A x − b|² + ½ damping |x|²` over `x = x₀ + Z y`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Objective<'a> {
    /// `A` (k × m), row by row.
    pub(super) rows: &'a [f64],
    /// `b` (k).
    pub(super) target: &'a [f64],
    /// Above 0.
    pub(super) damping: f64,
    /// `Z` (m × d), with orthonormal columns.
    pub(super) basis: &'a Basis,
}

/// Bounds of each variable, and rows of length 1 with `row · x ≤ limit`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits<'a> {
    pub(super) lower: &'a [f64],
    pub(super) upper: &'a [f64],
    /// Row by row (r × m); rows of zeros do not count.
    pub(super) rows: &'a [f64],
    /// Limit of each row (r).
    pub(super) limits: &'a [f64],
}

/// A constraint that can be held with equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Held {
    Lower(usize),
    Upper(usize),
    Row(usize),
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// At the minimum.
    Minimum,
    /// Within the limits, but not at the minimum: rounding let the search go in circles.
    Stopped,
    /// Some number became too large; the variables are unchanged.
    Overflow,
}

/// Scratch of searches.
#[derive(Debug, Clone, Default)]
pub(super) struct ActiveSet {
    /// The constraints that are held (q), in the order of the columns of `R`.
    pub(super) held: Vec<Held>,
    factors: Factors,
    /// `A Z` (k × d), row by row.
    reduced: Vec<f64>,
    residual: Vec<f64>,
    gradient: Vec<f64>,
    /// Direction (d), and the same in the variables (m).
    direction: Vec<f64>,
    step: Vec<f64>,
    normal: Vec<f64>,
    multipliers: Vec<f64>,
}

/// The first constraint along a step, as a fraction of it.
#[derive(Clone, Copy)]
struct Blocking {
    fraction: f64,
    /// Outward speed, relative to the length of the normal: of equal fractions the largest is taken.
    speed: f64,
    by: Held,
}

impl ActiveSet {
    /// Memory for `m` variables.
    pub(super) fn reserve(&mut self, m: usize) {
        self.factors.reserve(m);
        for line in [
            &mut self.gradient,
            &mut self.direction,
            &mut self.step,
            &mut self.normal,
            &mut self.multipliers,
        ] {
            line.resize(m, 0.0);
        }
        self.held.reserve(m);
    }

    /// Moves `x` (m), which is within the limits, to the minimum.
    pub(super) fn minimize(
        &mut self,
        objective: &Objective<'_>,
        limits: &Limits<'_>,
        x: &mut [f64],
    ) -> Outcome {
        let (m, d) = (x.len(), objective.basis.len());
        self.reserve(m);
        self.held.clear();
        self.residual.resize(objective.target.len(), 0.0);
        // arms, after no level, a position and a pose
        match (m, d) {
            (_, 0) => Outcome::Minimum,
            (6, 6) => self.search::<6, 6>(objective, limits, x),
            (7, 7) => self.search::<7, 7>(objective, limits, x),
            (7, 4) => self.search::<7, 4>(objective, limits, x),
            (7, 1) => self.search::<7, 1>(objective, limits, x),
            _ => self.search::<ANY, ANY>(objective, limits, x),
        }
    }

    /// [`minimize`](Self::minimize) for so many variables and directions, or for as many as there are.
    fn search<const M: usize, const D: usize>(
        &mut self,
        objective: &Objective<'_>,
        limits: &Limits<'_>,
        x: &mut [f64],
    ) -> Outcome {
        let (m, d) = sizes::<M, D>(objective, x.len());
        if !self.factor::<M, D>(objective, m) {
            return Outcome::Overflow;
        }
        let patience = 5 * (m + 1);
        let most = 20 * (m + 1) + 2 * limits.limits.len();
        let mut dropped = None;
        self.differentiate::<M, D>(objective, x);
        for iteration in 0..most {
            let q = self.held.len();
            if q < d {
                let Some(longest) = self.direct::<M, D>(objective, x.len()) else {
                    return if iteration == 0 {
                        Outcome::Overflow
                    } else {
                        Outcome::Stopped
                    };
                };
                // lowest indices first, once the search may be going in circles (Bland's rule)
                let blocking =
                    self.first_blocking::<M, D>(limits, x, longest, dropped, iteration > patience);
                let fraction = blocking.map_or(1.0, |blocking| blocking.fraction);
                self.factors.follow(q..d, fraction);
                for k in 0..m {
                    let end = x[k] + fraction * self.step[k];
                    x[k] = end.min(limits.upper[k]).max(limits.lower[k]);
                }
                if let Some(Blocking { by, .. }) = blocking {
                    match by {
                        Held::Lower(k) => x[k] = limits.lower[k],
                        Held::Upper(k) => x[k] = limits.upper[k],
                        Held::Row(_) => {}
                    }
                    if !self.hold::<M, D>(by, objective.basis, limits, m) {
                        return Outcome::Stopped;
                    }
                    dropped = None;
                    continue;
                }
                if q == 0 {
                    return Outcome::Minimum;
                }
            }
            self.differentiate::<M, D>(objective, x);
            let Some(worst) = self.most_negative::<M, D>(objective, x, iteration > patience) else {
                return Outcome::Minimum;
            };
            dropped = Some(self.held[worst]);
            self.factors.release::<D>(worst, self.held.len(), d);
            self.held.remove(worst);
        }
        Outcome::Stopped
    }

    /// Computes `A Z`, and `J = L⁻ᵀ` of `L Lᵀ = (A Z)ᵀ A Z + damping`; `false` where a number is too large.
    fn factor<const M: usize, const D: usize>(
        &mut self,
        objective: &Objective<'_>,
        m: usize,
    ) -> bool {
        let (m, d) = sizes::<M, D>(objective, m);
        self.reduced.clear();
        for row in objective.rows.chunks_exact(m) {
            match objective.basis.columns() {
                None => self.reduced.extend_from_slice(row),
                Some(columns) => {
                    let products = columns.chunks_exact(m).map(|column| dot(row, column));
                    self.reduced.extend(products);
                }
            }
        }

        let k = objective.target.len();
        self.factors
            .set::<D>(&self.reduced, [k, d], objective.damping)
    }

    /// Computes the gradient (d) at `x`, and `Jᵀ` times it.
    fn differentiate<const M: usize, const D: usize>(
        &mut self,
        objective: &Objective<'_>,
        x: &[f64],
    ) {
        let (m, d) = sizes::<M, D>(objective, x.len());
        let gradient = &mut self.gradient[..d];
        match objective.basis.columns() {
            None => {
                for (g, x) in gradient.iter_mut().zip(x) {
                    *g = objective.damping * x;
                }
            }
            Some(columns) => {
                for (g, column) in gradient.iter_mut().zip(columns.chunks_exact(m)) {
                    *g = objective.damping * dot(column, x);
                }
            }
        }
        let rows = objective.rows.chunks_exact(m).zip(objective.target);
        let outs = self.residual.iter_mut().zip(self.reduced.chunks_exact(d));
        for ((row, target), (residual, reduced)) in rows.zip(outs) {
            *residual = dot(row, x) - target;
            for (g, a) in gradient.iter_mut().zip(reduced) {
                *g += *residual * a;
            }
        }
        self.factors.turn::<D>(gradient);
    }

    /// Computes the step to the minimum over all that is not held; its largest entry, or `None` where it is not finite.
    fn direct<const M: usize, const D: usize>(
        &mut self,
        objective: &Objective<'_>,
        m: usize,
    ) -> Option<f64> {
        let (m, d) = sizes::<M, D>(objective, m);
        let direction = &mut self.direction[..d];
        self.factors.descend::<D>(self.held.len(), direction);
        let step = &mut self.step[..m];
        match objective.basis.columns() {
            None => step.copy_from_slice(direction),
            Some(columns) => {
                step.fill(0.0);
                for (w, column) in direction.iter().zip(columns.chunks_exact(m)) {
                    for (s, z) in step.iter_mut().zip(column) {
                        *s += w * z;
                    }
                }
            }
        }
        for held in &self.held {
            if let Held::Lower(k) | Held::Upper(k) = *held {
                step[k] = 0.0;
            }
        }
        let sum: f64 = step.iter().map(|s| s.abs()).sum();
        sum.is_finite().then_some(sum)
    }

    /// Finds the first constraint along the step.
    fn first_blocking<const M: usize, const D: usize>(
        &self,
        limits: &Limits<'_>,
        x: &[f64],
        longest: f64,
        dropped: Option<Held>,
        lowest: bool,
    ) -> Option<Blocking> {
        let m = size::<M>(x.len());
        let (x, step) = (&x[..m], &self.step[..m]);
        let slowest = LEAST_SPEED * longest;
        let mut first: Option<Blocking> = None;
        let mut meet = |fraction: f64, speed: f64, by: Held| {
            let is_first = first.is_none_or(|first| {
                fraction < first.fraction
                    || (!lowest && fraction <= first.fraction && speed > first.speed)
            });
            if is_first {
                first = Some(Blocking {
                    fraction,
                    speed,
                    by,
                });
            }
        };
        for k in 0..m {
            let (end, speed) = (x[k] + step[k], step[k].abs());
            let (limit, by) = if end > limits.upper[k] {
                (limits.upper[k], Held::Upper(k))
            } else if end < limits.lower[k] {
                (limits.lower[k], Held::Lower(k))
            } else {
                continue;
            };
            if speed > slowest && dropped != Some(by) {
                meet(((limit - x[k]) / step[k]).max(0.0), speed, by);
            }
        }
        for (i, (row, limit)) in limits.rows.chunks_exact(m).zip(limits.limits).enumerate() {
            let (speed, by) = (dot(row, step), Held::Row(i));
            if speed <= slowest || dropped == Some(by) {
                continue;
            }
            let slack = (limit - dot(row, x)).max(0.0);
            if slack < speed && !self.held.contains(&by) {
                meet(slack / speed, speed, by);
            }
        }
        first.filter(|first| first.fraction < 1.0)
    }

    /// Adds a constraint; `false` where its normal depends on those that are held.
    fn hold<const M: usize, const D: usize>(
        &mut self,
        by: Held,
        basis: &Basis,
        limits: &Limits<'_>,
        m: usize,
    ) -> bool {
        let (m, d) = (size::<M>(m), size::<D>(basis.len()));
        let normal = &mut self.normal[..d];
        let sign = if matches!(by, Held::Lower(_)) {
            -1.0
        } else {
            1.0
        };
        let normal = match (by, basis.columns()) {
            (Held::Lower(k) | Held::Upper(k), None) => Normal::Entry(k, sign),
            (Held::Lower(k) | Held::Upper(k), Some(columns)) => {
                for (n, column) in normal.iter_mut().zip(columns.chunks_exact(m)) {
                    *n = sign * column[k];
                }
                Normal::Of(normal)
            }
            (Held::Row(i), None) => Normal::Of(&limits.rows[i * m..][..m]),
            (Held::Row(i), Some(columns)) => {
                let row = &limits.rows[i * m..][..m];
                for (n, column) in normal.iter_mut().zip(columns.chunks_exact(m)) {
                    *n = dot(row, column);
                }
                Normal::Of(normal)
            }
        };
        let is_held = self.factors.hold::<D>(normal, self.held.len(), d);
        if is_held {
            self.held.push(by);
        }
        is_held
    }

    /// The held constraint that pulls inwards most, at the minimum over all that is not held: the gradient is `−N u` with
    /// multipliers `u`, which are not negative at the minimum.
    fn most_negative<const M: usize, const D: usize>(
        &mut self,
        objective: &Objective<'_>,
        x: &[f64],
        lowest: bool,
    ) -> Option<usize> {
        let (m, d) = sizes::<M, D>(objective, x.len());
        let q = self.held.len();
        self.factors.multipliers::<D>(&mut self.multipliers[..q], d);

        // what the gradient may have lost to cancellation
        let mut scale = 0.0_f64;
        for ((row, residual), target) in objective
            .rows
            .chunks_exact(m)
            .zip(&self.residual)
            .zip(objective.target)
        {
            let sum: f64 = row.iter().zip(x).map(|(a, x)| (a * x).abs()).sum();
            let largest = row.iter().fold(0.0_f64, |largest, a| largest.max(a.abs()));
            scale = scale.max(largest * (sum + target.abs()).max(residual.abs()));
        }
        for x in x {
            scale = scale.max(objective.damping * x.abs());
        }
        let mut worst = None;
        let mut least = -ROUNDING * scale;
        for (i, (held, &u)) in self.held.iter().zip(&self.multipliers).enumerate() {
            if u < least {
                worst = Some((i, held));
                if lowest {
                    break;
                }
                least = u;
            }
        }
        worst.map(|(i, _)| i)
    }
}

/// Variables and directions.
#[inline(always)]
fn sizes<const M: usize, const D: usize>(objective: &Objective<'_>, m: usize) -> (usize, usize) {
    (size::<M>(m), size::<D>(objective.basis.len()))
}

/// A step that approaches a constraint slower than this part of its length runs along it, up to rounding.
const LEAST_SPEED: f64 = 1e-12;
/// Multipliers this much below zero, relative to the terms of the gradient, are rounding.
const ROUNDING: f64 = 1e-13;
