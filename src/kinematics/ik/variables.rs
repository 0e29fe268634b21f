//! Search variables: active degrees of freedom, with one variable per driver.

use std::f64::consts::TAU;

use super::Options;
use crate::kinematics::{DriverDof, DriverSpace, check_length};
use crate::robot::{DofId, LinkMotion, Robot};
use crate::{Error, Result};

/// The search variables (n), each the value of a driver or of a degree of freedom without one.
#[derive(Debug, Clone)]
pub(super) struct Variables {
    /// The degrees of freedom that move, with the variable of each.
    pub(super) follows: Vec<Follow>,
    /// Lower limits, never above the upper ones.
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
    /// Change after which a variable gives the same pose; 0 where there is none.
    pub(super) period: Vec<f64>,
    // scratch for reading a configuration
    count: Vec<f64>,
}

/// A degree of freedom that follows a variable: `q = scale · x + offset`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Follow {
    pub(super) dof: usize,
    pub(super) variable: usize,
    pub(super) scale: f64,
    pub(super) offset: f64,
}

impl Variables {
    /// Variables of the active degrees of freedom, else of those marked in `relevant`.
    pub(super) fn new(robot: &Robot, options: &Options, relevant: &[bool]) -> Result<Self> {
        let chosen = match &options.active {
            None => relevant.to_vec(),
            Some(active) => chosen(robot, active)?,
        };
        let space = DriverSpace::new(robot);
        let mut number = vec![None; space.len()];
        let mut kept = Vec::new();
        for (dof, y, _) in space.entries() {
            if chosen[dof] && number[y].is_none() {
                number[y] = Some(0);
            }
        }
        for (y, number) in number.iter_mut().enumerate() {
            if number.is_some() {
                *number = Some(kept.len());
                kept.push(y);
            }
        }
        let follow = |(dof, y, scale): (usize, usize, f64)| {
            Some(Follow {
                dof,
                variable: number[y]?,
                scale,
                offset: space.offset()[dof],
            })
        };
        let mut variables = Self {
            follows: space.entries().filter_map(follow).collect(),
            lower: vec![f64::NEG_INFINITY; kept.len()],
            upper: vec![f64::INFINITY; kept.len()],
            period: vec![0.0; kept.len()],
            count: vec![0.0; kept.len()],
        };
        variables.intersect_limits(robot, options)?;
        for (k, &y) in kept.iter().enumerate() {
            if let DriverDof::Driver(d) = space.dofs()[y]
                && let Some(limits) = robot.drivers()[d].limits
            {
                let [min, max] = limits.position;
                variables.lower[k] = variables.lower[k].max(min);
                variables.upper[k] = variables.upper[k].min(max);
            }
            variables.upper[k] = variables.upper[k].max(variables.lower[k]);
        }
        variables.find_periods(robot);
        Ok(variables)
    }

    /// Number of variables.
    pub(super) fn len(&self) -> usize {
        self.lower.len()
    }

    /// Intersects the limits of the degrees of freedom, converted to limits of the variables.
    fn intersect_limits(&mut self, robot: &Robot, options: &Options) -> Result<()> {
        if let Some(limits) = &options.limits {
            check_length("limits", robot.n_dofs(), limits)?;
            if limits.iter().flatten().any(|x| x.is_nan()) {
                return Err(Error::invalid("limits", "one of them is not a number"));
            }
        }
        for follow in &self.follows {
            let [min, max] = match &options.limits {
                Some(limits) => limits[follow.dof],
                None => {
                    let limits = &robot.limits()[follow.dof];
                    [limits.q_min, limits.q_max]
                }
            };
            let ends = [min, max].map(|q| (q - follow.offset) / follow.scale);
            let k = follow.variable;
            self.lower[k] = self.lower[k].max(ends[0].min(ends[1]));
            self.upper[k] = self.upper[k].min(ends[0].max(ends[1]));
        }
        Ok(())
    }

    /// Finds the periodic variables.
    fn find_periods(&mut self, robot: &Robot) {
        let mut followers = vec![0; self.len()];
        for follow in &self.follows {
            followers[follow.variable] += 1;
            let link = robot.link(robot.dofs()[follow.dof]);
            if let LinkMotion::Revolute(axis) = link.motion() {
                let period = TAU / (axis.norm() * follow.scale.abs());
                self.period[follow.variable] = if period.is_finite() { period } else { 0.0 };
            }
        }
        for (period, followers) in self.period.iter_mut().zip(followers) {
            if followers != 1 {
                *period = 0.0;
            }
        }
    }

    /// Returns whether a full turn could bring a variable to where its limits block it.
    pub(super) fn can_wrap(&self) -> bool {
        let limited = |k: usize| self.lower[k].is_finite() || self.upper[k].is_finite();
        (0..self.len()).any(|k| self.period[k] > 0.0 && limited(k))
    }

    /// Writes the degrees of freedom that follow the variables; the others stay.
    #[inline]
    pub(super) fn write(&self, x: &[f64], q: &mut [f64]) {
        for follow in &self.follows {
            q[follow.dof] = follow.scale.mul_add(x[follow.variable], follow.offset);
        }
    }

    /// Reads the variables from a configuration: the mean over the followers of each.
    pub(super) fn read(&mut self, q: &[f64], x: &mut [f64]) {
        x.fill(0.0);
        self.count.fill(0.0);
        for follow in &self.follows {
            x[follow.variable] += (q[follow.dof] - follow.offset) / follow.scale;
            self.count[follow.variable] += 1.0;
        }
        for (x, count) in x.iter_mut().zip(&self.count) {
            *x /= count;
        }
    }

    /// Brings every variable within its limits: periodic ones by full turns, to the value nearest to `near`;
    /// else by clamping.
    pub(super) fn wrap_into_limits(&self, near: &[f64], x: &mut [f64]) {
        for k in 0..self.len() {
            let (lower, upper, period) = (self.lower[k], self.upper[k], self.period[k]);
            if period > 0.0 {
                let mut wrapped = x[k] - ((x[k] - near[k]) / period).round() * period;
                if wrapped < lower {
                    wrapped += ((lower - wrapped) / period).ceil() * period;
                } else if wrapped > upper {
                    wrapped -= ((wrapped - upper) / period).ceil() * period;
                }
                if lower <= wrapped && wrapped <= upper {
                    x[k] = wrapped;
                }
            }
            x[k] = x[k].min(upper).max(lower);
        }
    }
}

/// Flags of the named degrees of freedom.
fn chosen(robot: &Robot, active: &[DofId]) -> Result<Vec<bool>> {
    let n = robot.n_dofs();
    let mut chosen = vec![false; n];
    for dof in active {
        match chosen.get_mut(dof.index()) {
            Some(chosen) => *chosen = true,
            None => {
                let problem = format!(
                    "there is no degree of freedom {}; there are {n}",
                    dof.index()
                );
                return Err(Error::invalid("active degrees of freedom", problem));
            }
        }
    }
    Ok(chosen)
}
