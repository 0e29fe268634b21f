//! Splitting methods: positions and velocities are updated alternately.

use super::Ode;
use super::explicit::Start;
use crate::Result;

/// Semi-implicit Euler and velocity Verlet.
#[derive(Debug, Clone)]
pub(super) struct Split {
    is_verlet: bool,
    // y and its rates where forces are evaluated
    trial: Vec<f64>,
    rates: Vec<f64>,
}

impl Split {
    pub(super) fn new(is_verlet: bool) -> Self {
        Self {
            is_verlet,
            trial: Vec::new(),
            rates: Vec::new(),
        }
    }

    pub(super) fn prepare(&mut self, n: usize) {
        self.trial.resize(n, 0.0);
        self.rates.resize(n, 0.0);
    }

    /// Writes the values at the end of the step; returns whether the rates there are written, too.
    pub(super) fn step<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        [y, f]: [&mut [f64]; 2],
    ) -> Result<bool> {
        let (n, h) = (y.len() / 2, start.h);
        let ((q0, v0), a0) = (start.y.split_at(n), &start.f[n..]);
        if !self.is_verlet {
            for i in 0..n {
                y[n + i] = v0[i] + h * a0[i];
                y[i] = q0[i] + h * y[n + i];
            }
            return Ok(false);
        }

        // drift at the midpoint velocity; forces see the velocity that this acceleration predicts, so that an error of
        // order 2 becomes one of order 3 in the second kick
        for i in 0..n {
            let half = v0[i] + 0.5 * h * a0[i];
            self.trial[i] = q0[i] + h * half;
            self.trial[n + i] = half + 0.5 * h * a0[i];
        }
        ode.rates(start.t + h, &self.trial, &mut self.rates)?;
        for i in 0..n {
            y[i] = self.trial[i];
            y[n + i] = v0[i] + 0.5 * h * (a0[i] + self.rates[n + i]);
            f[i] = y[n + i];
            f[n + i] = self.rates[n + i];
        }
        Ok(true)
    }
}
