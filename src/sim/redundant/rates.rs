//! Constraints on velocities in Newton's matrix: what their rates change by with the unknown of a step.
//!
//! That is not `G` alone, which velocities are constrained by: places move `G`, and turns do not change angular velocities
//! by themselves. A body follows the one that carries it by `ξ = Y ξ_carrier + c + S′ s`, with matrices of its own.

use nalgebra::{Matrix6, Vector6};

use super::System;
use super::forces::Gains;
use super::plan::Room;
use super::slope::{Slope, Way};
use crate::{Error, Result};

impl System {
    /// Lets joints of the tree and the rows of constraints, written for velocities, see all that rates change by.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a joint cannot be told from one that locks less: the step is much too long.
    pub(super) fn write_rates(&mut self, gains: Gains) -> Result<()> {
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return Ok(());
        };
        room.solver.is_led = true;
        for i in 0..self.bodies.len() {
            room.way[i] = Way::new(&room.kin[i], &room.tangent[i], gains);
        }
        for (body, carrier) in plan.carrier.iter().enumerate() {
            let Some((j, _)) = *carrier else {
                room.solver.lead[body] = room.solver.subspace[body];
                continue;
            };
            let (held, at) = (&plan.held[j], &room.joints[j]);
            let bodies = [held.a.body, held.b.body];
            let k = usize::from(bodies[1] == body);
            let (mut own, mut other) = (Matrix6::zeros(), Matrix6::zeros());
            let mut target = Vector6::zeros();
            let ends = room.ends(bodies, gains);
            let off = held.residual_rates(at, ends.kin);
            for row in 0..held.n_rows() {
                let slope = held.residual_rate_slope(at, row, &ends);
                let felt = room.felt(&slope, bodies).map(|felt| felt / gains.v);
                own.set_row(row, &felt[k].transpose());
                other.set_row(row, &-felt[1 - k].transpose());
                target[row] = -off[row] / gains.v;
            }
            for i in 0..held.n_free() {
                let felt = room.across(&at.p, held.push(at, i), bodies);
                own.set_row(held.n_rows() + i, &felt[k].transpose());
                other.set_row(held.n_rows() + i, &-felt[1 - k].transpose());
            }
            let Some(inverse) = own.try_inverse() else {
                let what = format!("joint `{}`", self.joints[j].name);
                let problem = "it turns too far in one step, make steps shorter";
                return Err(Error::invalid(what, problem));
            };
            let solver = &mut room.solver;
            for i in 0..held.n_free() {
                solver.lead[body][i] = inverse.column(held.n_rows() + i).into_owned();
            }
            solver.carry[body] = inverse * other;
            solver.given[body] = inverse * target;
        }
        let mut entry = 0;
        for &j in &plan.loops {
            let (held, at) = (&plan.held[j], room.joints[j]);
            let bodies = [held.a.body, held.b.body];
            for row in 0..held.n_rows() {
                let slope = held.residual_rate_slope(&at, row, &room.ends(bodies, gains));
                room.feel(&mut entry, bodies, &slope, gains.v);
            }
        }
        for [a, b] in &plan.distances {
            let bodies = [a.body, b.body];
            let [one, two] = bodies.map(|body| &room.kin[body]);
            let p = [&one.point(&a.p), &two.point(&b.p)];
            let slope = room.ends(bodies, gains).stretching(p);
            room.feel(&mut entry, bodies, &slope, gains.v);
        }
        for coupling in &self.couplings {
            for &(joint, i, factor) in &coupling.terms {
                let (held, at) = (&plan.held[joint.index()], room.joints[joint.index()]);
                let bodies = [held.a.body, held.b.body];
                let mut slope = Slope::default();
                let ends = room.ends(bodies, gains);
                slope.add(&held.rate_slope(&at, i, &ends), factor);
                room.feel(&mut entry, bodies, &slope, gains.v);
            }
        }
        Ok(())
    }
}

impl Room {
    /// What a number changes by with the twists of two bodies.
    pub(super) fn felt(&self, slope: &Slope, bodies: [usize; 2]) -> [Vector6<f64>; 2] {
        let o = bodies.map(|body| self.origin.get(body).copied().unwrap_or_default());
        let c = bodies.map(|body| &self.kin[body].c);
        slope.of_twists(c, [&o[0], &o[1]])
    }

    /// Lets the next entries, of the second body and of the first, feel this, divided by `gain`; the ground has none.
    fn feel(&mut self, entry: &mut usize, bodies: [usize; 2], slope: &Slope, gain: f64) {
        let felt = self.felt(slope, bodies);
        for k in [1, 0] {
            if bodies[k] < self.origin.len() {
                self.solver.entries[*entry].felt = felt[k] / gain;
                *entry += 1;
            }
        }
    }
}
