//! Explicit Runge–Kutta steps for any Butcher tableau.

use super::Ode;
use super::method::Tolerance;
use super::tableau::{DOPRI5_INTERPOLANT, Dense, Estimate, INTERPOLANT, MORE_A, MORE_C, Tableau};
use crate::Result;

/// Explicit Runge–Kutta method with its memory.
#[derive(Debug, Clone)]
pub(super) struct Explicit {
    tableau: &'static Tableau,
    n: usize,
    // rates of the stages, one after another
    k: Vec<f64>,
    // y at a stage
    stage: Vec<f64>,
    // interpolant of order 7: its terms, one after another, computed on demand
    terms: Vec<f64>,
    has_terms: bool,
}

/// Start of a step: time, length, and the values and rates there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) t: f64,
    pub(super) h: f64,
    pub(super) y: &'a [f64],
    pub(super) f: &'a [f64],
}

impl Explicit {
    pub(super) fn new(tableau: &'static Tableau) -> Self {
        Self {
            tableau,
            n: 0,
            k: Vec::new(),
            stage: Vec::new(),
            terms: Vec::new(),
            has_terms: false,
        }
    }

    /// Allocates memory for equations of `n` values.
    pub(super) fn prepare(&mut self, n: usize) {
        self.n = n;
        self.k.resize(self.tableau.stages() * n, 0.0);
        self.stage.resize(n, 0.0);
        if self.tableau.dense == Dense::Dop853 {
            self.terms.resize((MORE_C.len() + TERMS) * n, 0.0);
        }
    }

    /// Writes the values at the end of the step.
    #[inline]
    pub(super) fn step<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        y: &mut [f64],
    ) -> Result<()> {
        let (n, h) = (self.n, start.h);
        let Tableau { a, b, c, .. } = *self.tableau;
        self.has_terms = false;
        self.k[..n].copy_from_slice(start.f);
        for i in 1..c.len() {
            let (before, here) = self.k.split_at_mut(i * n);
            combine(start.y, h, a[i], before, &mut self.stage);
            ode.rates(start.t + c[i] * h, &self.stage, &mut here[..n])?;
        }
        combine(start.y, h, b, &self.k, y);
        Ok(())
    }

    /// Returns whether the error estimate needs the rates at the end.
    pub(super) fn needs_end(&self) -> bool {
        matches!(self.tableau.estimate, Some(Estimate::Difference { .. }))
    }

    /// Order of the estimated local error.
    pub(super) fn estimated_order(&self) -> f64 {
        match self.tableau.estimate {
            Some(Estimate::Difference { order, .. }) => f64::from(order + 1),
            Some(Estimate::TwoOrders { .. }) | None => f64::from(self.tableau.order),
        }
    }

    /// Estimated error of the last step, in units of the tolerance; `end` holds the values and rates there.
    pub(super) fn error(&self, start: Start<'_>, end: [&[f64]; 2], tolerance: &Tolerance) -> f64 {
        let n = self.n;
        let unit = |i: usize| {
            let size = start.y[i].abs().max(end[0][i].abs());
            tolerance.absolute + tolerance.relative * size
        };
        let weighted = |weights: &[f64], i: usize| {
            let stages = weights.iter().enumerate();
            stages.map(|(j, w)| w * self.k[j * n + i]).sum::<f64>()
        };
        let count = if n == 0 { 1.0 } else { n as f64 };
        match self.tableau.estimate {
            Some(Estimate::Difference { weights, .. }) => {
                let (last, stages) = weights
                    .split_last()
                    .expect("a weight per stage and one more");
                let squares = (0..n).map(|i| {
                    let error = start.h * (weighted(stages, i) + last * end[1][i]);
                    (error / unit(i)).powi(2)
                });
                (squares.sum::<f64>() / count).sqrt()
            }
            Some(Estimate::TwoOrders { third, fifth }) => {
                let (mut third_sum, mut fifth_sum) = (0.0, 0.0);
                for i in 0..n {
                    third_sum += (weighted(third, i) / unit(i)).powi(2);
                    fifth_sum += (weighted(fifth, i) / unit(i)).powi(2);
                }
                if fifth_sum == 0.0 {
                    return 0.0;
                }
                start.h * fifth_sum / ((fifth_sum + 0.01 * third_sum) * count).sqrt()
            }
            None => 0.0,
        }
    }

    /// Writes the values at fraction `x` of the last step; `end` holds the values and rates there.
    pub(super) fn interpolate<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        end: [&[f64]; 2],
        x: f64,
        y: &mut [f64],
    ) -> Result<()> {
        match self.tableau.dense {
            Dense::Cubic => cubic(start, end, x, y),
            Dense::Dopri5 => {
                let n = self.n;
                let weights =
                    DOPRI5_INTERPOLANT.map(|p| x * (p[0] + x * (p[1] + x * (p[2] + x * p[3]))));
                for i in 0..n {
                    let stages = weights[..6].iter().enumerate();
                    let sum: f64 = stages.map(|(j, w)| w * self.k[j * n + i]).sum();
                    y[i] = start.y[i] + start.h * (sum + weights[6] * end[1][i]);
                }
            }
            Dense::Dop853 => {
                if !self.has_terms {
                    self.compute_terms(ode, start, end)?;
                }
                let n = self.n;
                let terms = &self.terms[MORE_C.len() * n..];
                for i in 0..n {
                    let mut sum = 0.0;
                    for k in (0..TERMS).rev() {
                        sum = (sum + terms[k * n + i]) * if k % 2 == 0 { x } else { 1.0 - x };
                    }
                    y[i] = start.y[i] + sum;
                }
            }
        }
        Ok(())
    }

    /// Computes the terms of the interpolant of order 7: three more stages.
    fn compute_terms<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        end: [&[f64]; 2],
    ) -> Result<()> {
        let (n, h) = (self.n, start.h);
        let (more, terms) = self.terms.split_at_mut(MORE_C.len() * n);
        for (s, (c, a)) in MORE_C.iter().zip(&MORE_A).enumerate() {
            let (before, here) = more.split_at_mut(s * n);
            let (stages, rest) = a.split_at(12);
            combine(start.y, h, stages, &self.k, &mut self.stage);
            for i in 0..n {
                self.stage[i] += h * rest[0] * end[1][i];
            }
            for (k, a) in before.chunks_exact(n).zip(&rest[1..]) {
                for i in 0..n {
                    self.stage[i] += h * a * k[i];
                }
            }
            ode.rates(start.t + c * h, &self.stage, &mut here[..n])?;
        }
        for i in 0..n {
            let delta = end[0][i] - start.y[i];
            terms[i] = delta;
            terms[n + i] = h * start.f[i] - delta;
            terms[2 * n + i] = 2.0 * delta - h * (end[1][i] + start.f[i]);
            for (k, weights) in INTERPOLANT.iter().enumerate() {
                let mut sum = weights[12] * end[1][i];
                for j in 0..12 {
                    sum += weights[j] * self.k[j * n + i];
                }
                for j in 0..MORE_C.len() {
                    sum += weights[13 + j] * more[j * n + i];
                }
                terms[(3 + k) * n + i] = h * sum;
            }
        }
        self.has_terms = true;
        Ok(())
    }
}

/// Cubic Hermite interpolant of the values and rates at both ends.
pub(super) fn cubic(start: Start<'_>, [y1, f1]: [&[f64]; 2], x: f64, y: &mut [f64]) {
    let z = 1.0 - x;
    for i in 0..y.len() {
        let delta = y1[i] - start.y[i];
        let (a, b) = (start.h * start.f[i] - delta, delta - start.h * f1[i]);
        y[i] = start.y[i] + x * (delta + z * (z * a + x * b));
    }
}

/// Writes `y + h Σ weights k`.
#[inline]
fn combine(y: &[f64], h: f64, weights: &[f64], k: &[f64], out: &mut [f64]) {
    out.copy_from_slice(y);
    if y.is_empty() {
        return;
    }
    for (weight, k) in weights.iter().zip(k.chunks_exact(y.len())) {
        if *weight != 0.0 {
            let weight = h * weight;
            for (out, k) in out.iter_mut().zip(k) {
                *out += weight * k;
            }
        }
    }
}

/// Number of terms of the interpolant of order 7.
const TERMS: usize = 7;
