//! Implicit methods: the trapezoidal rule and generalized-α.
//!
//! Unknown is what the equation gives at the end of the step, `x = f(t + h, y)`: the accelerations of an equation of
//! second order, the rates of any other. With the algorithmic accelerations `A` of Arnold and Brüls (2007),
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

/// A method of Newmark's family with its memory.
#[derive(Debug, Clone)]
pub(super) struct Newmark {
    weights: Weights,
    // how many unknowns: half of the numbers, or all
    m: usize,
    is_second_order: bool,
    // whether the equation makes the steps
    is_own: bool,
    // A at the beginning; what it was at the end of the last step
    a: Vec<f64>,
    a_end: Vec<f64>,
    has_a: bool,
    // x, and what the equation says where it leads
    x: Vec<f64>,
    trial: Vec<f64>,
    rates: Vec<f64>,
    // the same a little beside
    beside: Vec<f64>,
    correction: Vec<f64>,
    lu: Lu,
    // the step that the factor is for, NaN where there is none
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
            is_own: false,
            a: Vec::new(),
            a_end: Vec::new(),
            has_a: false,
            x: Vec::new(),
            trial: Vec::new(),
            rates: Vec::new(),
            beside: Vec::new(),
            correction: Vec::new(),
            lu: Lu::default(),
            lu_step: f64::NAN,
        }
    }

    pub(super) fn prepare<O: Ode + ?Sized>(&mut self, ode: &O) {
        let (n, own) = (ode.size(), ode.implicit_accelerations());
        self.is_second_order = ode.is_second_order();
        self.is_own = own.is_some();
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
        for numbers in [&mut self.trial, &mut self.rates, &mut self.beside] {
            numbers.resize(n, 0.0);
        }
        self.lu.resize(if self.is_own { 0 } else { self.m });
        self.forget();
    }

    /// The values have changed by themselves: nothing that was carried along holds.
    pub(super) fn forget(&mut self) {
        self.has_a = false;
        self.lu_step = f64::NAN;
    }

    /// The step just made counts.
    pub(super) fn accept(&mut self) {
        std::mem::swap(&mut self.a, &mut self.a_end);
        self.has_a = true;
    }

    /// Writes where the step leads, and the rates there.
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
        if self.is_own {
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
                self.place(start);
                y.copy_from_slice(&self.trial);
                f[..first].copy_from_slice(&self.trial[first..][..first]);
                f[first..].copy_from_slice(&self.x);
                return Ok(());
            }

            // from where the iteration got to, with a factor for that place
            self.lu_step = f64::NAN;
            if factors == FACTORS || self.x.iter().any(|x| !x.is_finite()) {
                let problem =
                    "Newton's iteration does not converge, the step is too long for these forces";
                return Err(Error::invalid("implicit step", problem));
            }
        }
    }

    /// Newton's iteration with the factor at hand; whether it arrives.
    fn converge<O: Ode + ?Sized>(&mut self, ode: &mut O, start: Start<'_>) -> Result<bool> {
        let (m, first, h) = (self.m, start.y.len() - self.m, start.h);
        let [to_q, to_v] = self.gains(h);
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            self.place(start);
            ode.rates(start.t + h, &self.trial, &mut self.rates)?;
            for i in 0..m {
                self.correction[i] = self.rates[first + i] - self.x[i];
            }
            self.lu.solve(&mut self.correction);

            // against what each number is the sum of
            let sum =
                |i: usize| 1.0 + self.trial[i].abs() + start.y[i].abs() + h * start.f[i].abs();
            let mut size = 0.0_f64;
            for i in 0..m {
                let by = self.correction[i].abs();
                size = size.max(to_v * by / sum(first + i));
                if self.is_second_order {
                    size = size.max(to_q * by / (sum(i) + h * h * start.f[first + i].abs()));
                }
            }
            for (x, correction) in self.x.iter_mut().zip(&self.correction) {
                *x += correction;
            }
            let has_stalled = size > SLOW * before;
            if size <= CLOSE || (has_stalled && size <= NEARLY) {
                return Ok(true);
            }
            if has_stalled || !size.is_finite() {
                return Ok(false);
            }
            before = size;
        }
        Ok(false)
    }

    /// How much positions and velocities move with the unknown.
    fn gains(&self, h: f64) -> [f64; 2] {
        let Weights {
            am,
            af,
            beta,
            gamma,
        } = self.weights;
        let carried = (1.0 - af) / (1.0 - am);
        [h * h * beta * carried, h * gamma * carried]
    }

    /// Where the unknown leads: `trial`, and `a_end` with it.
    fn place(&mut self, start: Start<'_>) {
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

    /// Factorizes `1 − ∂f/∂x` by differences: each unknown moves a position and its velocity together.
    fn linearize<O: Ode + ?Sized>(&mut self, ode: &mut O, start: Start<'_>) -> Result<()> {
        let (m, first, end) = (self.m, start.y.len() - self.m, start.t + start.h);
        let [to_q, to_v] = self.gains(start.h);
        self.place(start);
        ode.rates(end, &self.trial, &mut self.rates)?;
        for j in 0..m {
            let (q, v) = (self.trial[j], self.trial[first + j]);
            self.trial[first + j] += NUDGE * (1.0 + v.abs());

            // as far as rounding let it move
            let by = (self.trial[first + j] - v) / to_v;
            if self.is_second_order {
                self.trial[j] += by * to_q;
            }
            ode.rates(end, &self.trial, &mut self.beside)?;
            self.trial[first + j] = v;
            if self.is_second_order {
                self.trial[j] = q;
            }
            let column = self.lu.column(j);
            for i in 0..m {
                column[i] = -(self.beside[first + i] - self.rates[first + i]) / by;
            }
            column[j] += 1.0;
        }
        if !self.lu.factorize() {
            let problem = "its linear equations are singular or not finite";
            return Err(Error::invalid("implicit step", problem));
        }
        self.lu_step = start.h;
        Ok(())
    }
}

/// How often Newton's iteration may go round.
const ITERATIONS: usize = 12;
/// A correction below this, relative to 1 and to each number, is the last.
const CLOSE: f64 = 1e-11;
/// Where rounding is larger than that, it may be this.
const NEARLY: f64 = 1e-9;
/// How many factors a step may take.
const FACTORS: usize = 8;
/// An iteration that gains less than this deserves a new factor.
const SLOW: f64 = 0.5;
/// The square root of the rounding error of a number.
const NUDGE: f64 = 1.5e-8;
