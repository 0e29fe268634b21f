//! Positions, velocities and accelerations that satisfy the constraints.

use super::MultibodySystem;
use super::body_state::{quaternion_rate, rotate};
use super::forces::Gains;
use super::rows::{Constraint, Level};
use crate::kinematics::check_values;
use crate::math::Vector;
use crate::sim::integrator::IntegratorState;
use crate::{Error, Result};

/// Constraint violation of a state.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Residual {
    /// Largest position violation: a distance, m, or the cosine of an angle that should be 90°.
    pub position: f64,
    /// Largest rate of those violations.
    pub velocity: f64,
    /// Constraint with the largest position violation.
    pub constraint: String,
}

/// Redundant constraint: some of its rows follow from others.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redundancy {
    /// Name of the constraint, such as ``joint `pin` ``.
    pub constraint: String,
    /// Number of its rows that follow from other constraints.
    pub rows: usize,
}

impl MultibodySystem {
    /// Corrects positions, then velocities, by as little as satisfies the constraints.
    ///
    /// Newton's method on the constraints, with the shortest mass-weighted steps. Redundant rows are listed in
    /// [`redundancies`](Self::redundancies). Angles of joints are in (−π, π] again: this is how to restart from a state
    /// that the system has left.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for invalid values; [`Error::Stopped`], with the joint, where the
    /// constraints cannot be satisfied. The state is unchanged then.
    pub fn assemble(&mut self, state: &mut IntegratorState) -> Result<()> {
        self.scratch.reset_angles();
        self.assemble_near(state)
    }

    /// Assembles with angles near the stored ones.
    pub(super) fn assemble_near(&mut self, state: &mut IntegratorState) -> Result<()> {
        check_values("state", 13 * self.bodies.len(), &state.y)?;
        let mut y = state.y.clone();
        let stopped = |error: Error| match error {
            Error::Invalid { what, problem } => Error::Stopped {
                time: state.t,
                problem: format!("{what}: {problem}"),
                cause: None,
            },
            other => other,
        };
        self.satisfy_constraints(state.t, &mut y).map_err(stopped)?;
        self.factor_constraints(state.t, &y).map_err(stopped)?;
        self.store_angles();
        state.y = y;
        Ok(())
    }

    /// Redundant constraints at this state: left out of the equations there, and still checked after every step.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], or errors of the time or the values.
    pub fn redundancies(&mut self, state: &IntegratorState) -> Result<Vec<Redundancy>> {
        check_values("state", 13 * self.bodies.len(), &state.y)?;
        self.find_redundancies(state.t, &state.y)
    }

    /// Constraint violation at these values.
    ///
    /// # Errors
    ///
    /// [`Error::Length`], or errors of the time or the values.
    pub fn residual(&mut self, t: f64, y: &[f64]) -> Result<Residual> {
        check_values("values", 13 * self.bodies.len(), y)?;
        self.update_kinematics(t, y)?;
        let position = self.write_rows(Level::Position, 1.0);
        let velocity = self.write_rows(Level::Velocity, 1.0);
        Ok(Residual {
            position: position.max,
            velocity: velocity.max,
            constraint: self.label_of(position.worst),
        })
    }

    /// Corrects values in place until they satisfy the constraints.
    fn satisfy_constraints(&mut self, t: f64, y: &mut [f64]) -> Result<()> {
        self.scratch.reset_tangents();
        self.satisfy_positions(t, y)?;
        self.satisfy_velocities(t, y)
    }

    fn satisfy_positions(&mut self, t: f64, y: &mut [f64]) -> Result<()> {
        let mut before = y.to_vec();
        self.update_kinematics(t, y)?;
        let mut violation = self.write_rows(Level::Position, 1.0);
        let mut damping = (1e-3 * violation.max).min(1e-3);
        for _ in 0..ITERATIONS {
            let close = CLOSE * self.scratch.extent();
            if violation.max <= close {
                break;
            }
            self.write_masses();
            violation = self.write_rows(Level::Position, 1.0);
            let factored = self.scratch.solver.factor(damping);
            factored.map_err(|massless| self.massless(massless))?;
            self.scratch.solver.solve();

            // no body rotates by more than the linearization allows
            let angles = (0..self.bodies.len()).map(|i| self.scratch.twist_at_com(i)[1].norm());
            let most = angles.fold(0.0, f64::max);
            if !most.is_finite() {
                break;
            }
            before.copy_from_slice(y);
            let mut part = if most > MAX_ROTATION {
                MAX_ROTATION / most
            } else {
                1.0
            };
            let mut is_better = false;
            for _ in 0..HALVINGS {
                self.displace(&before, part, y);
                if self.update_kinematics(t, y).is_ok() {
                    let now = self.write_rows(Level::Position, 1.0);
                    if now.sum_of_squares < violation.sum_of_squares {
                        (violation, is_better) = (now, true);
                        break;
                    }
                }

                // back to where the twist was computed
                self.update_kinematics(t, &before)?;
                part *= 0.5;
            }
            if !is_better {
                y.copy_from_slice(&before);
                self.update_kinematics(t, y)?;
                violation = self.write_rows(Level::Position, 1.0);
                if damping > 1.0 || violation.max <= TOLERANCE * self.scratch.extent() {
                    break;
                }
                damping = (damping * 100.0).max(1e-6);
            } else if violation.max < 1e-3 {
                damping = (1e-3 * violation.max).min(damping);
            }
        }
        self.check_violation(
            violation.max,
            violation.worst,
            TOLERANCE * self.scratch.extent(),
            "m or rad",
        )?;
        let plan = self.plan.as_ref();
        let wrong = plan.and_then(|plan| {
            let mut joints = plan.joints.iter().zip(&self.scratch.joints);
            joints.position(|(model, at)| !model.is_correctly_assembled(at))
        });
        match wrong {
            Some(j) => Err(Error::invalid(
                format!("joint `{}`", self.joints[j].name),
                "it is assembled in the opposite direction; start bodies nearer to their assembled poses",
            )),
            None => Ok(()),
        }
    }

    fn satisfy_velocities(&mut self, t: f64, y: &mut [f64]) -> Result<()> {
        let mut most = f64::INFINITY;
        let n = self.bodies.len();
        let speed = y[7 * n..]
            .iter()
            .fold(1.0, |most: f64, v| most.max(v.abs()));
        for _ in 0..4 {
            self.update_kinematics(t, y)?;
            let violation = self.write_rows(Level::Velocity, 1.0);
            let enough = TOLERANCE * self.scratch.extent() * speed;
            if violation.max <= 0.01 * enough || violation.max >= 0.5 * most {
                return self.check_violation(
                    violation.max,
                    violation.worst,
                    enough,
                    "m/s or rad/s",
                );
            }
            most = violation.max;
            self.write_masses();
            self.write_rows(Level::Velocity, 1.0);
            let factored = self.scratch.solver.factor(0.0);
            factored.map_err(|massless| self.massless(massless))?;
            self.scratch.solver.solve();
            self.correct_velocities(y);
        }
        self.update_kinematics(t, y)?;
        let violation = self.write_rows(Level::Velocity, 1.0);
        let enough = TOLERANCE * self.scratch.extent() * speed;
        self.check_violation(violation.max, violation.worst, enough, "m/s or rad/s")
    }

    pub(super) fn check_violation(
        &self,
        most: f64,
        worst: Option<Constraint>,
        enough: f64,
        unit: &str,
    ) -> Result<()> {
        if most <= enough {
            return Ok(());
        }
        let problem = format!(
            "it cannot be satisfied together with the other constraints, {most:.3e} {unit} are left; start bodies nearer to \
             their assembled poses, or lock less"
        );
        Err(Error::invalid(self.label_of(worst), problem))
    }

    /// Writes the positions after the last twist, scaled by `by`, from `from`.
    pub(super) fn displace(&self, from: &[f64], by: f64, y: &mut [f64]) {
        for i in 0..self.bodies.len() {
            let [v, w] = self.scratch.twist_at_com(i);
            for k in 0..3 {
                y[7 * i + k] = from[7 * i + k] + by * v[k];
            }
            let local = self.scratch.kin[i].r.tr_mul(&w) * by;
            rotate(&from[7 * i + 3..][..4], &local, &mut y[7 * i + 3..][..4]);
        }
    }

    /// Adds the last twist to the velocities.
    pub(super) fn correct_velocities(&self, y: &mut [f64]) {
        let n = self.bodies.len();
        for i in 0..n {
            let [v, w] = self.scratch.twist_at_com(i);
            let local = self.scratch.kin[i].r.tr_mul(&w);
            for k in 0..3 {
                y[7 * n + 6 * i + k] += v[k];
                y[7 * n + 6 * i + 3 + k] += local[k];
            }
        }
    }

    fn factor_constraints(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.update_kinematics(t, y)?;
        self.write_masses();
        self.write_rows(Level::Position, 1.0);
        let factored = self.scratch.solver.factor(0.0);
        factored.map_err(|massless| self.massless(massless))
    }

    fn find_redundancies(&mut self, t: f64, y: &[f64]) -> Result<Vec<Redundancy>> {
        self.factor_constraints(t, y)?;
        let mut redundancies: Vec<Redundancy> = Vec::new();
        let mut last = None;
        for (row, owner) in self.owners().into_iter().enumerate() {
            if !self.scratch.solver.is_dependent(row) {
                continue;
            }
            if last == Some(owner) {
                if let Some(found) = redundancies.last_mut() {
                    found.rows += 1;
                }
            } else {
                let constraint = self.label_of(Some(owner));
                redundancies.push(Redundancy {
                    constraint,
                    rows: 1,
                });
            }
            last = Some(owner);
        }
        Ok(redundancies)
    }

    /// Computes accelerations that satisfy the constraints: the twists of the solver.
    pub(super) fn accelerate(&mut self, t: f64, y: &[f64]) -> Result<()> {
        self.scratch.reset_tangents();
        self.update_kinematics(t, y)?;
        self.write_dynamics(Gains { q: 0.0, v: 0.0 }, false)?;
        self.write_rows(Level::Acceleration, 1.0);
        let factored = self.scratch.solver.factor(0.0);
        factored.map_err(|massless| self.massless(massless))?;
        self.scratch.solver.solve();
        Ok(())
    }

    pub(super) fn find_rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.accelerate(t, y)?;
        let n = self.bodies.len();
        write_velocities(y, dy, n);
        for i in 0..n {
            let [a, alpha] = self.scratch.twist_at_com(i);
            let local = self.scratch.kin[i].r.tr_mul(&alpha);
            dy[7 * n + 6 * i..][..3].copy_from_slice(a.as_slice());
            dy[7 * n + 6 * i + 3..][..3].copy_from_slice(local.as_slice());
        }
        Ok(())
    }

    /// Projects drift back onto the constraints; returns whether `y` changed.
    pub(super) fn project_drift(&mut self, t: f64, y: &mut [f64]) -> Result<bool> {
        self.update_kinematics(t, y)?;
        let is_own = self.scratch.is_step_end(y);
        let mut has_changed = false;
        if !is_own {
            let n = self.bodies.len();
            let length = |i: usize| y[7 * i + 3..][..4].iter().map(|x| x * x).sum::<f64>();
            let is_unit = (0..n).all(|i| (length(i) - 1.0).abs() < DRIFT);
            let position = self.write_rows(Level::Position, 1.0).max;
            let velocity = self.write_rows(Level::Velocity, 1.0).max;
            let enough = DRIFT * self.scratch.extent();
            let is_met = position <= enough && velocity <= enough;
            if !(is_unit && is_met) {
                for i in 0..n {
                    let from = [y[7 * i + 3], y[7 * i + 4], y[7 * i + 5], y[7 * i + 6]];
                    rotate(&from, &Vector::zeros(), &mut y[7 * i + 3..][..4]);
                }
                self.satisfy_constraints(t, y)?;
                has_changed = true;
            }
        }
        self.store_angles();
        Ok(has_changed)
    }
}

/// Writes the rates of the positions.
pub(super) fn write_velocities(y: &[f64], dy: &mut [f64], n: usize) {
    for i in 0..n {
        let motion = &y[7 * n + 6 * i..][..6];
        dy[7 * i..][..3].copy_from_slice(&motion[..3]);
        let omega = Vector::new(motion[3], motion[4], motion[5]);
        let rate = quaternion_rate(&y[7 * i + 3..][..4], &omega);
        dy[7 * i + 3..][..4].copy_from_slice(&rate);
    }
}

/// Largest number of position corrections.
const ITERATIONS: usize = 100;
/// Largest number of halvings of a correction.
const HALVINGS: usize = 12;
/// Largest rotation in a correction, rad.
const MAX_ROTATION: f64 = 0.5;
/// Tolerance of constraints, relative to the extent of the system, if rounding allows.
const CLOSE: f64 = 5e-15;
/// Tolerance otherwise.
pub(super) const TOLERANCE: f64 = 1e-11;
/// Drift above this is projected back.
const DRIFT: f64 = 1e-11;
