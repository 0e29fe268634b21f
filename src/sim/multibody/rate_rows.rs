//! Velocity constraints in the Newton matrix: derivatives of their rates with respect to the unknown of a step.
//!
//! These differ from the constraint matrix `G`: positions change `G`, and rotations do not change angular velocities
//! directly. A body follows its parent by `ξ = Y ξ_parent + c + S′ s`, with matrices of its own.

use nalgebra::{Matrix6, Vector6};

use super::MultibodySystem;
use super::derivative::{AngularDerivative, Derivative};
use super::forces::Gains;
use super::plan::Scratch;
use crate::{Error, Result};

impl MultibodySystem {
    /// Replaces the rows of joints and constraints, written for velocities, with the derivatives of their rates.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a joint's rows become dependent: the step is much too long.
    pub(super) fn write_rates(&mut self, gains: Gains) -> Result<()> {
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return Ok(());
        };
        scratch.solver.is_general = true;
        for i in 0..self.bodies.len() {
            scratch.angular[i] =
                AngularDerivative::new(&scratch.kin[i], &scratch.tangent[i], gains);
        }
        for (body, parent_joint) in plan.parent_joint.iter().enumerate() {
            let Some((j, _)) = *parent_joint else {
                scratch.solver.general_subspace[body] = scratch.solver.subspace[body];
                continue;
            };
            let (model, at) = (&plan.joints[j], &scratch.joints[j]);
            let bodies = [model.a.body, model.b.body];
            let k = usize::from(bodies[1] == body);
            let (mut own, mut other) = (Matrix6::zeros(), Matrix6::zeros());
            let mut target = Vector6::zeros();
            let ends = scratch.ends(bodies, gains);
            let violation = model.residual_rates(at, ends.kin);
            for row in 0..model.n_rows() {
                let derivative = model.residual_rate_derivative(at, row, &ends);
                let gradient = scratch
                    .gradient(&derivative, bodies)
                    .map(|gradient| gradient / gains.v);
                own.set_row(row, &gradient[k].transpose());
                other.set_row(row, &-gradient[1 - k].transpose());
                target[row] = -violation[row] / gains.v;
            }
            for i in 0..model.n_free() {
                let gradient = scratch.across(&at.p, model.dof_wrench(at, i), bodies);
                own.set_row(model.n_rows() + i, &gradient[k].transpose());
                other.set_row(model.n_rows() + i, &-gradient[1 - k].transpose());
            }
            let Some(inverse) = own.try_inverse() else {
                let what = format!("joint `{}`", self.joints[j].name);
                let problem = "it rotates too far in one step, make steps shorter";
                return Err(Error::invalid(what, problem));
            };
            let solver = &mut scratch.solver;
            for i in 0..model.n_free() {
                solver.general_subspace[body][i] = inverse.column(model.n_rows() + i).into_owned();
            }
            solver.propagation[body] = inverse * other;
            solver.prescribed[body] = inverse * target;
        }
        let mut entry = 0;
        for &j in &plan.loops {
            let (model, at) = (&plan.joints[j], scratch.joints[j]);
            let bodies = [model.a.body, model.b.body];
            for row in 0..model.n_rows() {
                let derivative =
                    model.residual_rate_derivative(&at, row, &scratch.ends(bodies, gains));
                scratch.set_gradient(&mut entry, bodies, &derivative, gains.v);
            }
        }
        for [a, b] in &plan.distances {
            let bodies = [a.body, b.body];
            let [one, two] = bodies.map(|body| &scratch.kin[body]);
            let p = [&one.point(&a.p), &two.point(&b.p)];
            let derivative = scratch.ends(bodies, gains).distance_rate(p);
            scratch.set_gradient(&mut entry, bodies, &derivative, gains.v);
        }
        for coupling in &self.couplings {
            for &(joint, i, factor) in &coupling.terms {
                let (model, at) = (&plan.joints[joint.index()], scratch.joints[joint.index()]);
                let bodies = [model.a.body, model.b.body];
                let mut derivative = Derivative::default();
                let ends = scratch.ends(bodies, gains);
                derivative.add(&model.rate_derivative(&at, i, &ends), factor);
                scratch.set_gradient(&mut entry, bodies, &derivative, gains.v);
            }
        }
        Ok(())
    }
}

impl Scratch {
    /// Derivative of a scalar with respect to the twists of two bodies.
    pub(super) fn gradient(
        &self,
        derivative: &Derivative,
        bodies: [usize; 2],
    ) -> [Vector6<f64>; 2] {
        let o = bodies.map(|body| self.origin.get(body).copied().unwrap_or_default());
        let c = bodies.map(|body| &self.kin[body].c);
        derivative.of_twists(c, [&o[0], &o[1]])
    }

    /// Sets the gradients of the next entries, of the second body and of the first, divided by `gain`; the ground has
    /// none.
    fn set_gradient(
        &mut self,
        entry: &mut usize,
        bodies: [usize; 2],
        derivative: &Derivative,
        gain: f64,
    ) {
        let gradient = self.gradient(derivative, bodies);
        for k in [1, 0] {
            if bodies[k] < self.origin.len() {
                self.solver.entries[*entry].gradient = gradient[k] / gain;
                *entry += 1;
            }
        }
    }
}
