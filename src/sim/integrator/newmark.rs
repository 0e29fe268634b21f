//! Implicit methods: the trapezoidal rule and generalized-α.
//!
//! The unknown is the value of the equation at the end of the step, `x = f(t + h, y)`: the accelerations of an equation
//! of second order, the rates of any other. With the algorithmic accelerations `A` of Arnold and Brüls (2007),
//!
//! ```text
//!     (1 − αm) A₁ + αm A₀ = (1 − αf) x₁ + αf x₀
//!     q₁ = q₀ + h v₀ + h² ((½ − β) A₀ + β A₁)
//!     v₁ = v₀ + h ((1 − γ) A₀ + γ A₁)
//! ```
//!
//! which with αm = αf = 0, β = ¼ and γ = ½ is the trapezoidal rule.

use super::explicit::Start;
use super::lu::Lu;
use super::ode::{ImplicitEnd, ImplicitStep, Ode};
use crate::{Error, Result};

/// Method of Newmark's family with its memory.
#[derive(Debug, Clone)]
pub(super) struct Newmark {
    weights: Weights,
    // number of unknowns: half of the values, or all
    m: usize,
    is_second_order: bool,
    // whether the equation makes the steps itself
    has_own_step: bool,
    // A at the start and at the end of the last step
    a: Vec<f64>,
    a_end: Vec<f64>,
    has_a: bool,
    // x, the values that follow from it, and their rates
    x: Vec<f64>,
    trial: Vec<f64>,
    rates: Vec<f64>,
    // rates at a perturbed value
    perturbed: Vec<f64>,
    correction: Vec<f64>,
    lu: Lu,
    // step length of the factorization, NaN where there is none
    lu_step: f64,
}

#[derive(Debug, Clone, Copy)]
struct Weights {
    am: f64,
    af: f64,
    beta: f64,
    gamma: f64,
}

impl Newmark {
    pub(super) fn trapezoidal() -> Self {
        Self::new(Weights {
            am: 0.0,
            af: 0.0,
            beta: 0.25,
            gamma: 0.5,
        })
    }

    pub(super) fn generalized_alpha(rho: f64) -> Self {
        let (am, af) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::new(Weights {
            am,
            af,
            gamma: 0.5 - am + af,
            beta: (1.0 - am + af).powi(2) / 4.0,
        })
    }

    fn new(weights: Weights) -> Self {
        Self {
            weights,
            m: 0,
            is_second_order: false,
            has_own_step: false,
            a: Vec::new(),
            a_end: Vec::new(),
            has_a: false,
            x: Vec::new(),
            trial: Vec::new(),
            rates: Vec::new(),
            perturbed: Vec::new(),
            correction: Vec::new(),
            lu: Lu::default(),
            lu_step: f64::NAN,
        }
    }

    pub(super) fn prepare<O: Ode + ?Sized>(&mut self, ode: &O) {
        let (n, own) = (ode.size(), ode.n_implicit_accelerations());
        self.is_second_order = ode.is_second_order();
        self.has_own_step = own.is_some();
        self.m = match own {
            Some(m) => m.min(n),
            None if self.is_second_order => n / 2,
            None => n,
        };
        for numbers in [
            &mut self.a,
            &mut self.a_end,
            &mut self.x,
            &mut self.correction,
        ] {
            numbers.resize(self.m, 0.0);
        }
        for numbers in [&mut self.trial, &mut self.rates, &mut self.perturbed] {
            numbers.resize(n, 0.0);
        }
        self.lu.resize(if self.has_own_step { 0 } else { self.m });
        self.reset();
    }

    /// Discards the algorithmic accelerations and the factorization, after a discontinuity.
    pub(super) fn reset(&mut self) {
        self.has_a = false;
        self.lu_step = f64::NAN;
    }

    /// Marks the last step as accepted.
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.a, &mut self.a_end);
        self.has_a = true;
    }

    /// Writes the values at the end of the step, and the rates there.
    pub(super) fn step<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        [y, f]: [&mut [f64]; 2],
    ) -> Result<()> {
        let first = start.f.len() - self.m;
        let x0 = &start.f[first..];
        if !self.has_a {
            self.a.copy_from_slice(x0);
        }
        if self.has_own_step {
            let Weights {
                am,
                af,
                beta,
                gamma,
            } = self.weights;
            let step = ImplicitStep {
                t: start.t,
                h: start.h,
                y: start.y,
                f: start.f,
                a: &self.a,
                am,
                af,
                beta,
                gamma,
            };
            let a = &mut self.a_end;
            return ode.implicit_step(&step, &mut ImplicitEnd { y, f, a });
        }
        self.x.copy_from_slice(x0);
        let mut factors = 0;
        loop {
            if self.lu_step.to_bits() != start.h.to_bits() {
                self.linearize(ode, start)?;
                factors += 1;
            }
            if self.converge(ode, start)? {
                self.predict(start);
                y.copy_from_slice(&self.trial);
                f[..first].copy_from_slice(&self.trial[first..][..first]);
                f[first..].copy_from_slice(&self.x);
                return Ok(());
            }

            // continue from the last iterate, with a new factorization there
            self.lu_step = f64::NAN;
            if factors == MAX_FACTORIZATIONS || self.x.iter().any(|x| !x.is_finite()) {
                let problem =
                    "Newton's iteration does not converge: the step is too long for these forces";
                return Err(Error::invalid("implicit step", problem));
            }
        }
    }

    /// Runs Newton's iteration with the current factorization; returns whether it converged.
    fn converge<O: Ode + ?Sized>(&mut self, ode: &mut O, start: Start<'_>) -> Result<bool> {
        let (m, first, h) = (self.m, start.y.len() - self.m, start.h);
        let [to_q, to_v] = self.gains(h);
        let mut before = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            self.predict(start);
            ode.rates(start.t + h, &self.trial, &mut self.rates)?;
            for i in 0..m {
                self.correction[i] = self.rates[first + i] - self.x[i];
            }
            self.lu.solve(&mut self.correction);

            // relative to the magnitude of the terms of each value
            let sum =
                |i: usize| 1.0 + self.trial[i].abs() + start.y[i].abs() + h * start.f[i].abs();
            let mut size = 0.0_f64;
            for i in 0..m {
                let change = self.correction[i].abs();
                size = size.max(to_v * change / sum(first + i));
                if self.is_second_order {
                    size = size.max(to_q * change / (sum(i) + h * h * start.f[first + i].abs()));
                }
            }
            for (x, correction) in self.x.iter_mut().zip(&self.correction) {
                *x += correction;
            }
            let has_stalled = size > STALLED * before;
            if size <= CONVERGED || (has_stalled && size <= ACCEPTABLE) {
                return Ok(true);
            }
            if has_stalled || !size.is_finite() {
                return Ok(false);
            }
            before = size;
        }
        Ok(false)
    }

    /// Derivatives of the positions and of the velocities with respect to the unknown.
    fn gains(&self, h: f64) -> [f64; 2] {
        let Weights {
            am,
            af,
            beta,
            gamma,
        } = self.weights;
        let ratio = (1.0 - af) / (1.0 - am);
        [h * h * beta * ratio, h * gamma * ratio]
    }

    /// Computes `trial` and `a_end` from the unknown.
    fn predict(&mut self, start: Start<'_>) {
        let Weights {
            am,
            af,
            beta,
            gamma,
        } = self.weights;
        let (h, m, first) = (start.h, self.m, start.y.len() - self.m);
        for i in 0..m {
            let (a0, x0) = (self.a[i], start.f[first + i]);
            let a1 = ((1.0 - af) * self.x[i] + af * x0 - am * a0) / (1.0 - am);
            self.a_end[i] = a1;
            self.trial[first + i] = start.y[first + i] + h * ((1.0 - gamma) * a0 + gamma * a1);
            if self.is_second_order {
                let drift = start.y[i] + h * start.y[first + i];
                self.trial[i] = drift + h * h * ((0.5 - beta) * a0 + beta * a1);
            }
        }
    }

    /// Factorizes `1 − ∂f/∂x` by finite differences: each unknown perturbs a position and its velocity together.
    fn linearize<O: Ode + ?Sized>(&mut self, ode: &mut O, start: Start<'_>) -> Result<()> {
        let (m, first, end) = (self.m, start.y.len() - self.m, start.t + start.h);
        let [to_q, to_v] = self.gains(start.h);
        self.predict(start);
        ode.rates(end, &self.trial, &mut self.rates)?;
        for j in 0..m {
            let (q, v) = (self.trial[j], self.trial[first + j]);
            self.trial[first + j] += PERTURBATION * (1.0 + v.abs());

            // the perturbation as rounded
            let by = (self.trial[first + j] - v) / to_v;
            if self.is_second_order {
                self.trial[j] += by * to_q;
            }
            ode.rates(end, &self.trial, &mut self.perturbed)?;
            self.trial[first + j] = v;
            if self.is_second_order {
                self.trial[j] = q;
            }
            let column = self.lu.column(j);
            for i in 0..m {
                column[i] = -(self.perturbed[first + i] - self.rates[first + i]) / by;
            }
            column[j] += 1.0;
        }
        if !self.lu.factorize() {
            let problem = "the linear equations are singular or not finite";
            return Err(Error::invalid("implicit step", problem));
        }
        self.lu_step = start.h;
        Ok(())
    }
}

/// Largest number of Newton iterations per factorization.
const MAX_ITERATIONS: usize = 12;
/// Convergence tolerance of a correction, relative to 1 and to each value.
const CONVERGED: f64 = 1e-11;
/// Tolerance where rounding prevents that.
const ACCEPTABLE: f64 = 1e-9;
/// Largest number of factorizations per step.
const MAX_FACTORIZATIONS: usize = 8;
/// An iteration with a worse contraction than this needs a new factorization.
const STALLED: f64 = 0.5;
/// Relative perturbation: the square root of the machine epsilon.
const PERTURBATION: f64 = 1.5e-8;
