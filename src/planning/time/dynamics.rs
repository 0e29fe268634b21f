//! Torques along a path.

use super::limits::MotionLimits;
use super::path::GeometricPath;
use super::profile::{Grid, Profile};
use super::reachability::Rows;
use super::torques::{Motions, Terms, Torques};
use crate::{Error, Result};

/// Torques along a path, at both ends of each interval of a grid.
pub(super) struct TorqueRows {
    terms: Terms,
    /// The rows of the terms at both ends of each interval.
    ends: Vec<[usize; 2]>,
    /// The degrees of freedom with a limit.
    limited: Vec<usize>,
    /// What is taken from the limit of each interval and dof, so that it is held between its ends.
    margins: Vec<f64>,
    pub(super) is_viscous: bool,
}

impl TorqueRows {
    /// The terms of all intervals.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a limit is too low to hold the robot, or to overcome its dry friction.
    pub(super) fn new(
        path: &GeometricPath,
        grid: &Grid,
        limits: &MotionLimits,
        torques: &mut Torques<'_>,
    ) -> Result<Self> {
        let mut points: Vec<(usize, f64)> = Vec::with_capacity(grid.len() + 1);
        let mut ends = Vec::with_capacity(grid.len());
        for i in 0..grid.len() {
            let (piece, [from, to]) = (grid.pieces[i], grid.local(path, i));
            let continues = i > 0 && grid.pieces[i - 1] == piece;
            if !continues {
                points.push((piece, from));
            }
            points.push((piece, to));
            ends.push([points.len() - 2, points.len() - 1]);
        }
        let terms = torques.terms(path, &points)?;
        let n = path.n_dofs();
        let limit = limits.torque();
        let limited: Vec<usize> = (0..limit.len())
            .filter(|&dof| limit[dof].is_finite())
            .collect();
        for (i, [first, _]) in ends.iter().enumerate() {
            for &dof in &limited {
                let needed = terms.c[first * n + dof];
                if needed.abs() >= limit[dof] {
                    let what = format!(
                        "torque of {} at {} of the path",
                        limits.name(dof),
                        grid.s[i]
                    );
                    let problem = format!(
                        "{needed:.4} are needed against gravity, springs and friction, the limit is {}",
                        limit[dof]
                    );
                    return Err(Error::invalid(what, problem));
                }
            }
        }
        let is_viscous = terms.v.iter().any(|v| *v != 0.0);
        Ok(Self {
            margins: vec![0.0; grid.len() * limit.len()],
            terms,
            ends,
            limited,
            is_viscous,
        })
    }

    /// These rows and those of the torques.
    ///
    /// Viscous friction grows with √x, which is no line: where it adds to a torque, its tangent at `near` (N + 1) is a bound;
    /// where it helps, the chord up to the largest x is.
    pub(super) fn added_to(
        &self,
        rows: &Rows,
        grid: &Grid,
        limits: &MotionLimits,
        near: &[f64],
    ) -> Rows {
        let mut all = Rows {
            starts: vec![0],
            x_max: rows.x_max.clone(),
            ..Rows::default()
        };
        let n = limits.n_dofs();
        for i in 0..grid.len() {
            let old = rows.starts[i]..rows.starts[i + 1];
            all.coefficient
                .extend_from_slice(&rows.coefficient[old.clone()]);
            all.low.extend_from_slice(&rows.low[old.clone()]);
            all.high.extend_from_slice(&rows.high[old]);
            for (end, row) in self.ends[i].iter().enumerate() {
                let Terms { a, b, c, v } = &self.terms;
                let (near, most) = (near[i + end], rows.x_max[i + end]);
                for &dof in &self.limited {
                    let limit = limits.torque()[dof] - self.margins[i * n + dof];
                    let [a, b, c, v] = [a, b, c, v].map(|all| all[row * n + dof]);
                    let mut add = |[b, shift]: [f64; 2], range: [f64; 2]| {
                        // at the other end, x is x₀ + 2 Δ u
                        let step = if end == 1 { 2.0 * grid.step(i) } else { 0.0 };
                        let range = range.map(|r| r - c - shift);
                        all.add(i, [a + step * b, b], range);
                    };
                    if v == 0.0 {
                        add([b, 0.0], [-limit, limit]);
                        continue;
                    }
                    let root = near.sqrt();
                    let tangent = [b + 0.5 * v / root, 0.5 * v * root];
                    let chord = [b + v / most.sqrt(), 0.0];
                    let (upper, lower) = if v > 0.0 {
                        (tangent, chord)
                    } else {
                        (chord, tangent)
                    };
                    add(upper, [f64::NEG_INFINITY, limit]);
                    add(lower, [-limit, f64::INFINITY]);
                }
            }
            all.starts.push(all.coefficient.len());
        }
        all
    }

    /// Takes what is beyond a limit from the limit of its interval; returns whether any was.
    pub(super) fn tighten(&mut self, excess: &[Excess], n: usize, limits: &MotionLimits) -> bool {
        let mut tightened = false;
        for excess in excess {
            let at = excess.interval * n + excess.dof;
            let limit = limits.torque()[excess.dof];
            let most = TIGHTEST * (limit - excess.resting.abs());
            let margin = (self.margins[at] + OVER * (excess.torque.abs() - limit)).min(most);
            tightened |= margin > self.margins[at];
            self.margins[at] = self.margins[at].max(margin);
        }
        tightened
    }
}

/// How much more than the excess is taken from a limit, and the largest part of what is left beside the resting torque.
const OVER: f64 = 1.1;
const TIGHTEST: f64 = 0.5;

/// A torque beyond its limit.
pub(super) struct Excess {
    pub(super) interval: usize,
    pub(super) dof: usize,
    pub(super) torque: f64,
    /// That without motion.
    pub(super) resting: f64,
}

/// The torques beyond their limits within intervals: the largest of each interval and dof, at `samples` points of each.
pub(super) fn excesses(
    path: &GeometricPath,
    grid: &Grid,
    profile: &Profile,
    limits: &MotionLimits,
    torques: &mut Torques<'_>,
    samples: usize,
) -> Result<Vec<Excess>> {
    let n = path.n_dofs();
    let mut found: Vec<Excess> = Vec::new();
    let row = || vec![0.0; n];
    let (mut q, mut dq, mut ddq, mut curvature) = (row(), row(), row(), row());
    let (zero, mut rows) = (row(), Motions::default());
    let [mut tau, mut resting] = [Vec::new(), Vec::new()];
    let samples = samples + 2;
    for block in 0..grid.len().div_ceil(BLOCK) {
        let intervals = block * BLOCK..grid.len().min((block + 1) * BLOCK);
        rows.clear();
        for i in intervals.clone() {
            let [from, to] = grid.local(path, i);
            for k in 0..samples {
                let share = k as f64 / (samples - 1) as f64;
                let local = from + share * (to - from);
                let x = profile.x[i] + share * (profile.x[i + 1] - profile.x[i]);
                path.evaluate(grid.pieces[i], local, 0, &mut q);
                path.evaluate(grid.pieces[i], local, 1, &mut dq);
                path.evaluate(grid.pieces[i], local, 2, &mut curvature);
                for dof in 0..n {
                    ddq[dof] = dq[dof] * profile.u[i] + curvature[dof] * x;
                    dq[dof] *= x.max(0.0).sqrt();
                }
                rows.push(&q, &dq, &ddq);
            }
        }
        torques.of(&rows, &mut tau)?;
        for (i, (tau, q)) in intervals.zip(tau.chunks(samples * n).zip(rows.q.chunks(samples * n)))
        {
            for dof in 0..n {
                let limit = limits.torque()[dof];
                let torques_of = tau.iter().skip(dof).step_by(n).enumerate();
                let largest = torques_of.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
                let Some((sample, &torque)) = largest else {
                    continue;
                };
                if torque.abs() <= limit * (1.0 + SLACK) {
                    continue;
                }
                let mut still = Motions::default();
                still.push(&q[sample * n..][..n], &zero, &zero);
                torques.of(&still, &mut resting)?;
                found.push(Excess {
                    interval: i,
                    dof,
                    torque,
                    resting: resting[dof],
                });
            }
        }
    }
    Ok(found)
}

/// Intervals whose torques are computed at once.
const BLOCK: usize = 8;

/// Share of a limit that is rounding.
pub(super) const SLACK: f64 = 1e-9;
