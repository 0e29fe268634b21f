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

/// States of a motion along a path.
struct States<'a> {
    path: &'a GeometricPath,
    grid: &'a Grid,
    profile: &'a Profile,
    /// One row: configuration, derivative of the path and second derivative.
    scratch: [Vec<f64>; 3],
    rows: Motions,
}

impl<'a> States<'a> {
    fn new(path: &'a GeometricPath, grid: &'a Grid, profile: &'a Profile) -> Self {
        Self {
            path,
            grid,
            profile,
            scratch: [(); 3].map(|()| vec![0.0; path.n_dofs()]),
            rows: Motions::default(),
        }
    }

    /// Adds the state at a share of an interval.
    fn push(&mut self, i: usize, share: f64) {
        let (path, profile) = (self.path, self.profile);
        let [from, to] = self.grid.local(path, i);
        let local = from + share * (to - from);
        let x = profile.x[i] + share * (profile.x[i + 1] - profile.x[i]);
        for (derivative, row) in self.scratch.iter_mut().enumerate() {
            path.evaluate(self.grid.pieces[i], local, derivative, row);
        }
        let [q, first, second] = &mut self.scratch;
        for (first, second) in first.iter_mut().zip(second.iter_mut()) {
            *second = *first * profile.u[i] + *second * x;
            *first *= x.max(0.0).sqrt();
        }
        self.rows.push(q, first, second);
    }
}

impl TorqueRows {
    /// The torques beyond their limits within intervals: the largest of each interval and dof, at its ends and at `samples` points
    /// between them. Intervals whose torques at the ends and in the middle are not [near a limit](is_near_limit) are left out.
    pub(super) fn excesses(
        &self,
        path: &GeometricPath,
        grid: &Grid,
        profile: &Profile,
        limits: &MotionLimits,
        torques: &mut Torques<'_>,
        samples: usize,
    ) -> Result<Vec<Excess>> {
        let n = path.n_dofs();
        let mut found: Vec<Excess> = Vec::new();
        let mut states = States::new(path, grid, profile);
        let [mut tau, mut resting] = [Vec::new(), Vec::new()];
        let mut near = Vec::new();
        let zero = vec![0.0; n];
        for first in (0..grid.len()).step_by(BLOCK) {
            let intervals = first..grid.len().min(first + BLOCK);
            states.rows.clear();
            intervals.clone().for_each(|i| states.push(i, 0.5));
            torques.of(&states.rows, &mut tau)?;
            let is_near = |(i, middle): &(usize, &[f64])| {
                self.limited.iter().any(|&dof| {
                    let [from, to] = [0, 1].map(|end| self.torque(profile, *i, end, [n, dof]));
                    is_near_limit([from, middle[dof], to], limits.torque()[dof])
                })
            };
            let middles = intervals.zip(tau.chunks_exact(n));
            near.clear();
            near.extend(middles.filter(is_near).map(|(i, _)| i));
            states.rows.clear();
            for &i in &near {
                (0..samples + 2).for_each(|k| states.push(i, k as f64 / (samples + 1) as f64));
            }
            torques.of(&states.rows, &mut tau)?;
            let size = (samples + 2) * n;
            let all = tau.chunks(size).zip(states.rows.q.chunks(size));
            for (&interval, (tau, q)) in near.iter().zip(all) {
                for &dof in &self.limited {
                    let torques_of = tau.iter().skip(dof).step_by(n).enumerate();
                    let largest = torques_of.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
                    let beyond =
                        largest.filter(|(_, tau)| tau.abs() > limits.torque()[dof] * (1.0 + SLACK));
                    let Some((sample, &torque)) = beyond else {
                        continue;
                    };
                    let mut still = Motions::default();
                    still.push(&q[sample * n..][..n], &zero, &zero);
                    torques.of(&still, &mut resting)?;
                    found.push(Excess {
                        interval,
                        dof,
                        torque,
                        resting: resting[dof],
                    });
                }
            }
        }
        Ok(found)
    }

    /// The torque of a dof, of `n`, at an end of an interval.
    fn torque(&self, profile: &Profile, i: usize, end: usize, [n, dof]: [usize; 2]) -> f64 {
        let Terms { a, b, c, v } = &self.terms;
        let at = self.ends[i][end] * n + dof;
        let (x, u) = (profile.x[i + end].max(0.0), profile.u[i]);
        a[at] * u + b[at] * x + c[at] + v[at] * x.sqrt()
    }
}

/// Whether a torque may be beyond its limit between three points where it is this: they are nearer to it than twice as far as
/// they are from each other.
pub(super) fn is_near_limit(torques: [f64; 3], limit: f64) -> bool {
    let low = torques.into_iter().fold(f64::INFINITY, f64::min);
    let high = torques.into_iter().fold(f64::NEG_INFINITY, f64::max);
    low.abs().max(high.abs()) + SPREADS * (high - low) > limit
}

/// How many times their spread the torques between three points may be beyond them.
const SPREADS: f64 = 2.0;

/// Intervals whose torques are computed at once.
const BLOCK: usize = 16;

/// Share of a limit that is rounding.
pub(super) const SLACK: f64 = 1e-9;
