//! Geometric stiffness and drive terms of the Newton matrix of an implicit step.
//!
//! A joint of the tree acts on its two bodies with opposite wrenches. Changes that both bodies share cancel in the sum,
//! so that the tree needs only the change seen by the joint's motion subspace `S`. Constraint forces have no power in
//! it at any pose, `Sᵀ f = 0`, and so `Sᵀ δf = −δSᵀ f`; for drives `Sᵀ f` is the drive force. Forces outside the tree
//! add rank-one terms, one for each direction in which they change.

use nalgebra::{Matrix3, Vector6};

use super::MultibodySystem;
use super::derivative::{Derivative, Ends};
use super::forces::{Gains, Spring};
use super::joint::spatial;
use super::plan::Scratch;
use crate::math::Vector;

/// Rank-one stiffness term: a wrench on two bodies, proportional to the gradient of both twists.
#[derive(Debug, Clone, Copy)]
pub(super) struct RankOne {
    pub(super) ends: [usize; 2],
    pub(super) force: [Vector6<f64>; 2],
    pub(super) gradient: [Vector6<f64>; 2],
}

impl MultibodySystem {
    /// Writes the geometric stiffness of joints and distances, and the damping and inertia of drives.
    pub(super) fn write_stiffness(&mut self, gains: Gains, has_x: bool) {
        if has_x && self.scratch.has_geometric_stiffness {
            self.write_joint_stiffness(gains);
        }
        self.write_drive_stiffness(gains, has_x);
    }

    fn write_joint_stiffness(&mut self, gains: Gains) {
        self.write_transmitted();
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return;
        };
        for (j, model) in plan.joints.iter().enumerate() {
            let (at, bodies) = (scratch.joints[j], [model.a.body, model.b.body]);
            let [force, moment] = scratch.transmitted[j];
            let o = bodies.map(|body| scratch.origin.get(body).copied().unwrap_or_default());
            for i in 0..model.n_free() {
                let [a, b, p] = model.dof_wrench_derivative(&at, i, [&force, &moment]);
                let zero = Vector::zeros();
                let a = spatial(&a, &zero) * gains.q;
                let b = spatial(&(b + (at.p - o[1]).cross(&p)), &p) * gains.q;
                match plan.child_body[j] {
                    Some(body) => scratch.add_dof_stiffness(body, i, bodies, [a, b]),
                    None => {
                        let force = scratch.across(&at.p, model.dof_wrench(&at, i), bodies);
                        scratch.add_rank_one(RankOne {
                            ends: bodies,
                            force,
                            gradient: [a, b],
                        });
                    }
                }
            }
        }
        for (k, [a, b]) in plan.distances.iter().enumerate() {
            let bodies = [a.body, b.body];
            let [p_a, p_b] = [
                scratch.kin[a.body].point(&a.p),
                scratch.kin[b.body].point(&b.p),
            ];
            let d = p_b - p_a;
            let length = d.norm();
            let along = d / length;
            let force = -scratch.lambda[plan.first_distance + k];
            let zero = Vector::zeros();
            scratch.add_force_rotation(b.body, &p_b, &(along * force), &zero, gains);
            scratch.add_force_rotation(a.body, &p_a, &(along * -force), &zero, gains);
            let by = -force / length * gains.q;
            scratch.add_transverse_stiffness(bodies, [&p_a, &p_b], &along, by);
        }
    }

    /// Computes the transmitted wrenches: of loop-closing joints from the last multipliers, of the tree from the leaves
    /// to the roots.
    fn write_transmitted(&mut self) {
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return;
        };
        let n = self.bodies.len();
        for transmitted in &mut scratch.transmitted {
            *transmitted = [Vector::zeros(); 2];
        }
        scratch.net.copy_from_slice(&scratch.solver.force);
        let mut row = 0;
        for &j in &plan.loops {
            let (model, at) = (&plan.joints[j], scratch.joints[j]);
            let mut sum = [Vector::zeros(); 2];
            for k in 0..model.n_rows() {
                let [force, moment] = model.constraint_wrench(&at, k);
                sum[0] -= force * scratch.lambda[row];
                sum[1] -= moment * scratch.lambda[row];
                row += 1;
            }
            scratch.transmitted[j] = sum;
        }
        row += plan.distances.len();
        for coupling in &self.couplings {
            for &(joint, i, factor) in &coupling.terms {
                let j = joint.index();
                if plan.child_body[j].is_none() {
                    let [force, moment] = plan.joints[j].dof_wrench(&scratch.joints[j], i);
                    scratch.transmitted[j][0] -= force * (factor * scratch.lambda[row]);
                    scratch.transmitted[j][1] -= moment * (factor * scratch.lambda[row]);
                }
            }
            row += 1;
        }
        for &j in &plan.loops {
            let (model, at) = (&plan.joints[j], scratch.joints[j]);
            let f = scratch.across(&at.p, scratch.transmitted[j], [model.a.body, model.b.body]);
            for (body, f) in [(model.a.body, f[0]), (model.b.body, f[1])] {
                if body < n {
                    scratch.net[body] += f;
                }
            }
        }

        // drives across loops are among the forces already
        for &(j, i) in &plan.driven {
            let [force, moment] = plan.joints[j].dof_wrench(&scratch.joints[j], i);
            let by = scratch.drive_force[j][i];
            scratch.transmitted[j][0] += force * by;
            scratch.transmitted[j][1] += moment * by;
        }
        for (k, [a, b]) in plan.distances.iter().enumerate() {
            let [p_a, p_b] = [
                scratch.kin[a.body].point(&a.p),
                scratch.kin[b.body].point(&b.p),
            ];
            let force = (p_b - p_a).normalize() * -scratch.lambda[plan.first_distance + k];
            for (body, p, by) in [(b.body, p_b, 1.0), (a.body, p_a, -1.0)] {
                if body < n {
                    let arm = p - scratch.origin[body];
                    scratch.net[body] += spatial(&arm.cross(&force), &force) * by;
                }
            }
        }
        let (order, parent) = scratch.solver.tree();
        for &body in order.iter().rev() {
            let net = scratch.net[body];
            if let Some((j, sign)) = plan.parent_joint[body] {
                let on_b = net * -sign;
                let force = on_b.fixed_rows::<3>(3).into_owned();
                let moment = on_b.fixed_rows::<3>(0).into_owned();
                let arm = scratch.joints[j].p - scratch.origin[body];
                scratch.transmitted[j] = [force, moment - arm.cross(&force)];
            }
            if let Some(parent) = parent[body] {
                scratch.net[parent] += net;
            }
        }
    }

    /// Writes the terms of drives beyond their stiffness; for loop-closing joints all of them.
    fn write_drive_stiffness(&mut self, gains: Gains, has_x: bool) {
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return;
        };
        for drive in &self.drives {
            let (j, i) = (drive.joint.index(), drive.dof);
            let (model, at) = (&plan.joints[j], scratch.joints[j]);
            let bodies = [model.a.body, model.b.body];
            let is_moving = has_x && drive.is_moving();
            if !is_moving && plan.child_body[j].is_some() {
                continue;
            }
            let mut gradient = [Vector6::zeros(); 2];
            if is_moving {
                let ends = scratch.ends(bodies, gains);
                let mut derivative = Derivative::default();
                if drive.d != 0.0 {
                    derivative.add(&model.rate_derivative(&at, i, &ends), drive.d);
                }
                if drive.inertia != 0.0 {
                    derivative.add(&model.acceleration_derivative(&at, i, &ends), drive.inertia);
                }
                gradient = scratch.gradient(&derivative, bodies);
            }
            if let Some(body) = plan.child_body[j] {
                scratch.add_dof_stiffness(body, i, bodies, gradient);
                continue;
            }
            let force = scratch.across(&at.p, model.dof_wrench(&at, i), bodies);
            let by = match has_x {
                true => gains.q * drive.p,
                false => drive.inertia,
            };
            for k in 0..2 {
                gradient[k] += force[k] * by;
            }
            scratch.add_rank_one(RankOne {
                ends: bodies,
                force,
                gradient,
            });
        }
    }
}

impl Scratch {
    /// Adds to the stiffness of degree of freedom `i` of the joint between a body and its parent.
    fn add_dof_stiffness(
        &mut self,
        body: usize,
        i: usize,
        [a, b]: [usize; 2],
        gradient: [Vector6<f64>; 2],
    ) {
        let own = if body == b { gradient[1] } else { gradient[0] };
        let rigid = if a < self.origin.len() && b < self.origin.len() {
            gradient[0] + gradient[1]
        } else {
            own
        };
        let stiffness = &mut self.solver.stiffness[body][i];
        stiffness[0] += own;
        stiffness[1] += rigid;
    }

    /// Adds the derivative of a world-fixed force at a point of a body: its moment changes as the body rotates.
    pub(super) fn add_force_rotation(
        &mut self,
        body: usize,
        p: &Vector,
        force: &Vector,
        moment: &Vector,
        gains: Gains,
    ) {
        let Some(matrix) = self.solver.matrix.get_mut(body) else {
            return;
        };
        let (f, r) = (force * gains.q, p - self.origin[body]);
        let across = f.cross_matrix();
        let block = -across * r.cross_matrix() + (moment * gains.q).cross_matrix();
        let mut add = |column: usize, block: &Matrix3<f64>| {
            let mut old = matrix.fixed_view_mut::<3, 3>(0, column);
            old += block;
        };
        add(0, &block);
        add(3, &across);
    }

    /// Wrenches of a force and moment at a point: on the second body as given, on the first with opposite sign.
    pub(super) fn across(
        &self,
        p: &Vector,
        [force, moment]: [Vector; 2],
        bodies: [usize; 2],
    ) -> [Vector6<f64>; 2] {
        let about = |body: usize| {
            let o = self.origin.get(body).copied().unwrap_or_default();
            spatial(&(moment + (p - o).cross(&force)), &force)
        };
        [-about(bodies[0]), about(bodies[1])]
    }

    pub(super) fn ends(&self, [a, b]: [usize; 2], gains: Gains) -> Ends<'_> {
        Ends {
            kin: [&self.kin[a], &self.kin[b]],
            angular: [&self.angular[a], &self.angular[b]],
            gains,
        }
    }

    /// Adds the stiffness of a spring: along it, and transverse by its tension.
    pub(super) fn add_spring_stiffness(
        &mut self,
        spring: &Spring,
        bodies: [usize; 2],
        p: [&Vector; 2],
        tension: f64,
        gains: Gains,
    ) {
        let d = p[1] - p[0];
        let length = d.norm();
        if gains.q == 0.0 || length == 0.0 {
            return;
        }
        let along = d / length;
        let ends = self.ends(bodies, gains);
        let mut derivative = Derivative::default();
        derivative.add(
            &ends.displacement_between(&along, p),
            spring.stiffness * gains.q,
        );
        if spring.damping != 0.0 {
            derivative.add(&ends.distance_rate(p), spring.damping);
        }
        let gradient = self.gradient(&derivative, bodies);
        let pair = |n: &Vector| [-self.at(bodies[0], p[0], n), self.at(bodies[1], p[1], n)];
        let force = pair(&along);
        self.add_rank_one(RankOne {
            ends: bodies,
            force,
            gradient,
        });
        self.add_transverse_stiffness(bodies, p, &along, tension / length * gains.q);
    }

    /// Adds a stiffness transverse to a direction, between two points.
    fn add_transverse_stiffness(
        &mut self,
        bodies: [usize; 2],
        p: [&Vector; 2],
        along: &Vector,
        by: f64,
    ) {
        let least = along.iamin();
        let one = along.cross(&Vector::ith(least, 1.0)).normalize();
        for n in [one, along.cross(&one)] {
            let force = [-self.at(bodies[0], p[0], &n), self.at(bodies[1], p[1], &n)];
            self.add_rank_one(RankOne {
                ends: bodies,
                force,
                gradient: force.map(|f| f * by),
            });
        }
    }

    /// Wrench of a force at a point, about the reference point of the body's twist.
    fn at(&self, body: usize, p: &Vector, force: &Vector) -> Vector6<f64> {
        let o = self.origin.get(body).copied().unwrap_or_default();
        spatial(&(p - o).cross(force), force)
    }

    /// Adds a rank-one term: to the matrix of a single body, or as an equation between two.
    fn add_rank_one(&mut self, mut term: RankOne) {
        let n = self.origin.len();
        match term.ends {
            [a, b] if a >= n && b >= n => {}
            [a, b] if a >= n => {
                self.solver.matrix[b].ger(1.0, &term.force[1], &term.gradient[1], 1.0)
            }
            [a, b] if b >= n => {
                self.solver.matrix[a].ger(1.0, &term.force[0], &term.gradient[0], 1.0)
            }
            _ => {
                let size = |x: &[Vector6<f64>; 2]| x[0].norm_squared() + x[1].norm_squared();
                let (force, gradient) = (size(&term.force), size(&term.gradient));
                if gradient == 0.0 || force == 0.0 {
                    return;
                }

                // balanced on both sides, so that equations compare
                let by = (gradient / force).sqrt().sqrt();
                for k in 0..2 {
                    term.force[k] *= by;
                    term.gradient[k] /= by;
                }
                self.rank_ones.push(term);
            }
        }
    }
}

#[cfg(test)]
mod tests;
