//! Implicit steps on R³ × SO(3) with constraints: generalized-α and the trapezoidal rule.
//!
//! The unknowns are the accelerations `v̇₁` at the end. They determine `a₁`, the positions, and the rotation
//! `R₀ exp(ψ)` with `ψ = h ω₀ + h² ((½ − β) a₀ + β a₁)`. Newton's method solves for the body's rotation after that, from
//! which `v̇₁` changes by the inverse tangent: so the constraint rows are those of the joints. From the second iteration on
//! the matrix has the geometric stiffness (module `tangent`), with the multipliers of the iteration before. For
//! velocities it takes the derivatives of their rates (module `rate_rows`), where convergence would be slow.

use super::MultibodySystem;
use super::assemble::write_velocities;
use super::body_state::{inverse_tangent, rotate};
use super::forces::Gains;
use super::rows::Level;
use crate::math::Vector;
use crate::sim::integrator::{ImplicitEnd, ImplicitStep};
use crate::{Error, Result};

impl MultibodySystem {
    /// Makes a step.
    pub(super) fn step(
        &mut self,
        step: &ImplicitStep<'_>,
        end: &mut ImplicitEnd<'_>,
    ) -> Result<()> {
        let n = self.bodies.len();
        let t = step.t + step.h;
        let [to_q, to_v] = step.gains();
        let gains = Gains { q: to_q, v: to_v };
        let level = if step.is_trapezoidal() {
            (Level::Velocity, to_v)
        } else {
            (Level::Position, to_q)
        };
        self.prepare()?;
        self.scratch.x.copy_from_slice(&step.f[7 * n..]);
        let (mut before, mut is_close, mut has_rates) = (f64::INFINITY, false, false);
        for count in 0.. {
            self.move_to(step, end.y, end.a);
            self.update_kinematics(t, end.y)?;
            let violation = self.write_rows(level.0, level.1);
            let enough = STEP_TOLERANCE * self.scratch.extent();
            if is_close && (violation.max <= enough || count > ITERATIONS / 2) {
                break;
            }

            // the first iteration does not need the geometric stiffness, and many steps need no second one
            self.scratch.has_geometric_stiffness =
                count > 0 && (level.0 == Level::Position || has_rates);
            self.write_dynamics(gains, true)?;

            // the rank-one rows of springs are known only now
            self.write_rows(level.0, level.1);
            if has_rates {
                self.write_rates(gains)?;
            }
            let factored = self.scratch.solver.factor(0.0);
            factored.map_err(|massless| self.massless(massless))?;
            self.scratch.solver.solve();
            self.scratch.store_lambda();
            let size = self.apply_correction(step, to_v);
            let rate = size / before;
            is_close = size <= CLOSE || (rate < 0.1 && size * rate <= CLOSE);
            if !size.is_finite() || count == ITERATIONS {
                let problem = "Newton's iteration does not converge, the step is too long for these forces and constraints";
                return Err(Error::invalid("implicit step", problem));
            }
            before = size;

            // costs more than an iteration, so only where several are left
            let is_slow = count > 0 && size * rate.powi(3) > CLOSE;
            has_rates |= level.0 == Level::Velocity && is_slow;
        }
        self.project(t, end.y)?;
        write_velocities(end.y, end.f, n);
        end.f[7 * n..].copy_from_slice(&self.scratch.x);
        self.scratch.end.clear();
        self.scratch.end.extend_from_slice(end.y);
        Ok(())
    }

    /// Computes values, `a`, and tangents from the accelerations `x`.
    pub(super) fn move_to(&mut self, step: &ImplicitStep<'_>, y: &mut [f64], a: &mut [f64]) {
        let (n, h) = (self.bodies.len(), step.h);
        let ImplicitStep {
            am,
            af,
            beta,
            gamma,
            ..
        } = *step;
        let (x0, scratch) = (&step.f[7 * n..], &mut self.scratch);
        for i in 0..n {
            let mut delta = [0.0; 6];
            for k in 0..6 {
                let j = 6 * i + k;
                let (a0, v0) = (step.a[j], step.y[7 * n + j]);
                let a1 = ((1.0 - af) * scratch.x[j] + af * x0[j] - am * a0) / (1.0 - am);
                a[j] = a1;
                y[7 * n + j] = v0 + h * ((1.0 - gamma) * a0 + gamma * a1);
                delta[k] = h * v0 + h * h * ((0.5 - beta) * a0 + beta * a1);
            }
            for k in 0..3 {
                y[7 * i + k] = step.y[7 * i + k] + delta[k];
            }
            let psi = Vector::new(delta[3], delta[4], delta[5]);
            let from = &step.y[7 * i + 3..][..4];
            rotate(from, &psi, &mut y[7 * i + 3..][..4]);
            scratch.tangent[i] = inverse_tangent(&psi);
        }
    }

    /// Adds the correction to the accelerations; returns the largest change of a velocity, relative to its terms.
    pub(super) fn apply_correction(&mut self, step: &ImplicitStep<'_>, to_v: f64) -> f64 {
        let n = self.bodies.len();
        let mut size = 0.0_f64;
        for i in 0..n {
            let [v, w] = self.scratch.twist_at_com(i);
            let local = self.scratch.tangent[i] * self.scratch.kin[i].r.tr_mul(&w);
            for k in 0..3 {
                for (j, by) in [(6 * i + k, v[k]), (6 * i + 3 + k, local[k])] {
                    self.scratch.x[j] += by;
                    let scale = 1.0 + step.y[7 * n + j].abs() + step.h * step.f[7 * n + j].abs();
                    let part = to_v * by.abs() / scale;

                    // NaN must be reported
                    size = if part.is_nan() { part } else { size.max(part) };
                    if size.is_nan() {
                        return size;
                    }
                }
            }
        }
        size
    }

    /// Projects positions and velocities onto their constraints, and refuses what violates them.
    ///
    /// Uses the factorization of the last correction, valid to rounding; after a velocity correction, one of the
    /// masses.
    fn project(&mut self, t: f64, y: &mut [f64]) -> Result<()> {
        if self.scratch.solver.is_general {
            self.write_masses();
            self.write_rows(Level::Position, 1.0);
            let factored = self.scratch.solver.factor(0.0);
            factored.map_err(|massless| self.massless(massless))?;
        }
        self.clear_forces();
        let n = self.bodies.len();
        let speed = y[7 * n..]
            .iter()
            .fold(1.0, |most: f64, v| most.max(v.abs()));
        let mut violation = self.write_rows(Level::Position, 1.0);
        let extent = self.scratch.extent();
        for _ in 0..PROJECTIONS {
            if violation.max <= STEP_TOLERANCE * extent {
                break;
            }
            self.scratch.solver.solve();
            self.displace_in_place(y);
            self.update_kinematics(t, y)?;
            violation = self.write_rows(Level::Position, 1.0);
        }
        self.check_violation(
            violation.max,
            violation.worst,
            TOLERANCE * extent,
            "m or rad",
        )?;
        violation = self.write_rows(Level::Velocity, 1.0);
        for _ in 0..PROJECTIONS {
            if violation.max <= STEP_TOLERANCE * extent * speed {
                break;
            }
            self.scratch.solver.solve();
            self.correct_velocities(y);
            self.update_kinematics(t, y)?;
            violation = self.write_rows(Level::Velocity, 1.0);
        }
        self.check_violation(
            violation.max,
            violation.worst,
            10.0 * TOLERANCE * extent * speed,
            "m/s or rad/s",
        )
    }

    fn displace_in_place(&self, y: &mut [f64]) {
        for i in 0..self.bodies.len() {
            let [v, w] = self.scratch.twist_at_com(i);
            for k in 0..3 {
                y[7 * i + k] += v[k];
            }
            let q = [y[7 * i + 3], y[7 * i + 4], y[7 * i + 5], y[7 * i + 6]];
            let local = self.scratch.kin[i].r.tr_mul(&w);
            rotate(&q, &local, &mut y[7 * i + 3..][..4]);
        }
    }
}

/// Largest number of Newton iterations.
const ITERATIONS: usize = 24;
/// Convergence tolerance of a correction, relative to each velocity and 1.
const CLOSE: f64 = 1e-11;
/// Tolerance of constraints, relative to the extent of the system.
const STEP_TOLERANCE: f64 = 2e-13;
/// Largest accepted violation.
const TOLERANCE: f64 = 2e-11;
/// Largest number of projections, of positions and of velocities.
const PROJECTIONS: usize = 4;
