//! Equations of motion and constraint rows at the current positions.

use nalgebra::{Matrix3, Vector6};

use super::MultibodySystem;
use super::derivative::AngularDerivative;
use super::forces::{Drive, Gains};
use super::joint::spatial;
use super::plan::Scratch;
use super::solver::{Entry, Massless, Row};
use super::tangent::RankOne;
use crate::math::Vector;
use crate::{Error, Result};

/// Derivative of the constraints that is to be 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Position,
    Velocity,
    Acceleration,
}

/// Constraint, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constraint {
    Joint(usize),
    Distance(usize),
    Coupling(usize),
}

/// Constraint violation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Violation {
    /// Largest violation, and its constraint.
    pub(super) max: f64,
    pub(super) worst: Option<Constraint>,
    /// Sum of the squares.
    pub(super) sum_of_squares: f64,
}

impl Violation {
    fn add(&mut self, by: f64, worst: Constraint) {
        self.sum_of_squares += by * by;
        // NaN is the worst
        if by.is_nan() || by.abs() > self.max {
            (self.max, self.worst) = (by.abs(), Some(worst));
        }
    }
}

impl MultibodySystem {
    /// Writes matrices and forces; in a step (`has_x`) at the trial accelerations `x`.
    pub(super) fn write_dynamics(&mut self, gains: Gains, has_x: bool) -> Result<()> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let scratch = &mut self.scratch;
        scratch.rank_ones.clear();
        let has_rates = self.drives.iter().any(Drive::is_moving)
            || self.springs.iter().any(|spring| spring.damping != 0.0);
        for (i, body) in self.bodies.iter().enumerate() {
            let kin = &mut scratch.kin[i];
            let omega = kin.r.tr_mul(&kin.w);
            let spin = body.moment * omega;
            let mut torque = omega.cross(&spin);
            let mut derivative = body.moment;
            if has_x {
                let x = &scratch.x[6 * i..][..6];
                let local_alpha = Vector::new(x[3], x[4], x[5]);
                kin.a = Vector::new(x[0], x[1], x[2]);
                kin.alpha = kin.r * local_alpha;
                torque += body.moment * local_alpha;
                let gyration = omega.cross_matrix() * body.moment - spin.cross_matrix();
                derivative = (derivative + gyration * gains.v) * scratch.tangent[i];
                if has_rates {
                    scratch.angular[i] = AngularDerivative::new(kin, &scratch.tangent[i], gains);
                }
            }
            let (c, r) = (kin.c, kin.r);
            let j = r * derivative * r.transpose();
            let force = (self.gravity - kin.a) * body.mass;
            let moment = -(r * torque);
            let arm = c - scratch.origin[i];
            scratch.solver.set_body(i, &j, body.mass, &arm);
            scratch.solver.force[i] = spatial(&(moment + arm.cross(&force)), &force);
            if has_x && scratch.has_geometric_stiffness {
                scratch.add_force_rotation(i, &c, &force, &moment, gains);
            }
        }
        for (j, model) in plan.joints.iter().enumerate() {
            if plan.needs_dofs[j] {
                let ends = [&scratch.kin[model.a.body], &scratch.kin[model.b.body]];
                scratch.dofs[j][2] = model.accelerations(&scratch.joints[j], ends);
            }
        }
        self.write_drives(gains, has_x)?;
        self.write_loads(gains)?;
        self.write_subspaces();
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let scratch = &mut self.scratch;
        for &(j, i) in &plan.driven {
            let (model, at) = (&plan.joints[j], scratch.joints[j]);
            let [force, moment] = model.dof_wrench(&at, i);
            let by = scratch.drive_force[j][i];
            scratch.apply_pair([model.a.body, model.b.body], &at, [force * by, moment * by]);
        }
        self.check_forces()?;
        self.write_stiffness(gains, has_x);
        Ok(())
    }

    /// Writes the masses alone, without forces.
    pub(super) fn write_masses(&mut self) {
        let scratch = &mut self.scratch;
        for (i, body) in self.bodies.iter().enumerate() {
            let kin = &scratch.kin[i];
            let j = kin.r * body.moment * kin.r.transpose();
            let arm = kin.c - scratch.origin[i];
            scratch.solver.set_body(i, &j, body.mass, &arm);
        }
        for joint in 0..scratch.drive_force.len() {
            scratch.drive_force[joint] = [0.0; 6];
            scratch.resistance[joint] = [0.0; 6];
        }
        scratch.rank_ones.clear();
        self.write_subspaces();
        self.clear_forces();
    }

    /// Sets all forces to zero.
    pub(super) fn clear_forces(&mut self) {
        let solver = &mut self.scratch.solver;
        solver.force.fill(Vector6::zeros());
        solver.dof_force.fill([0.0; 6]);
    }

    /// Writes the motion subspaces of joints, and the forces of drives there.
    fn write_subspaces(&mut self) {
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return;
        };
        scratch.solver.is_general = false;
        for (body, parent_joint) in plan.parent_joint.iter().enumerate() {
            let Some((j, sign)) = *parent_joint else {
                scratch.solver.stiffness[body] = [[Vector6::zeros(); 2]; 6];
                scratch.solver.n_free[body] = 6;
                scratch.solver.resistance[body] = [0.0; 6];
                scratch.solver.dof_force[body] = [0.0; 6];
                for k in 0..6 {
                    scratch.solver.subspace[body][k] = Vector6::ith(k, 1.0);
                }
                continue;
            };
            let (model, at, o) = (&plan.joints[j], &scratch.joints[j], scratch.origin[body]);
            scratch.solver.n_free[body] = model.n_free();
            for i in 0..model.n_free() {
                scratch.solver.subspace[body][i] = model.subspace(at, i, &o) * sign;
                scratch.solver.stiffness[body][i] = [Vector6::zeros(); 2];
            }
            scratch.solver.resistance[body] = scratch.resistance[j];
            scratch.solver.dof_force[body] = scratch.drive_force[j];
        }
    }

    fn check_forces(&self) -> Result<()> {
        let solver = &self.scratch.solver;
        let is_good = |f: &Vector6<f64>| f.sum().is_finite();
        if let Some(i) = solver.force.iter().position(|f| !is_good(f)) {
            let what = format!("force on body `{}`", self.bodies[i].name);
            return Err(Error::invalid(what, "is not finite"));
        }
        let is_good = |force: &[f64; 6]| force.iter().sum::<f64>().is_finite();
        if let Some(j) = self
            .scratch
            .drive_force
            .iter()
            .position(|force| !is_good(force))
        {
            let what = format!("force of the drives of joint `{}`", self.joints[j].name);
            return Err(Error::invalid(what, "is not finite"));
        }
        Ok(())
    }

    /// Writes the constraint rows, with targets that make them 0, divided by `gain`; returns their violation.
    pub(super) fn write_rows(&mut self, level: Level, gain: f64) -> Violation {
        let mut violation = Violation {
            max: 0.0,
            worst: None,
            sum_of_squares: 0.0,
        };
        let (Some(plan), scratch) = (&self.plan, &mut self.scratch) else {
            return violation;
        };
        scratch.solver.rows.clear();
        scratch.solver.entries.clear();
        let residuals = |scratch: &Scratch, j: usize| {
            let (model, at) = (&plan.joints[j], &scratch.joints[j]);
            let ends = [&scratch.kin[model.a.body], &scratch.kin[model.b.body]];
            match level {
                Level::Position => model.residuals(at),
                Level::Velocity => model.residual_rates(at, ends),
                Level::Acceleration => model.residual_accelerations(at, ends),
            }
        };
        for (body, parent_joint) in plan.parent_joint.iter().enumerate() {
            let Some((j, sign)) = *parent_joint else {
                scratch.solver.prescribed[body] = Vector6::zeros();
                continue;
            };
            let mut by = residuals(scratch, j);
            for by in &mut by[..plan.joints[j].n_rows()] {
                violation.add(*by, Constraint::Joint(j));
                *by /= -gain;
            }
            let (at, o) = (&scratch.joints[j], scratch.origin[body]);
            scratch.solver.prescribed[body] = plan.joints[j].correction(at, &by, &o) * sign;
        }
        for &j in &plan.loops {
            let (model, at) = (&plan.joints[j], scratch.joints[j]);
            let by = residuals(scratch, j);
            for row in 0..model.n_rows() {
                violation.add(by[row], Constraint::Joint(j));
                scratch.add_entry_pair(
                    [model.a.body, model.b.body],
                    &at.p,
                    model.constraint_wrench(&at, row),
                    1.0,
                );
                scratch.end_row(Some(-by[row] / gain));
            }
        }
        for (k, [a, b]) in plan.distances.iter().enumerate() {
            let [one, two] = [&scratch.kin[a.body], &scratch.kin[b.body]];
            let (p_a, p_b) = (one.point(&a.p), two.point(&b.p));
            let d = p_b - p_a;
            let length = d.norm();
            let along = d / length;
            let rate = two.velocity_at(&p_b) - one.velocity_at(&p_a);
            let by = match level {
                Level::Position => length - self.distances[k].length,
                Level::Velocity => along.dot(&rate),
                Level::Acceleration => {
                    let second = two.acceleration_at(&p_b) - one.acceleration_at(&p_a);
                    let across = rate.norm_squared() - along.dot(&rate).powi(2);
                    along.dot(&second) + across / length
                }
            };
            violation.add(by, Constraint::Distance(k));
            scratch.add_entry(b.body, &p_b, &along, &Vector::zeros(), 1.0);
            scratch.add_entry(a.body, &p_a, &along, &Vector::zeros(), -1.0);
            scratch.end_row(Some(-by / gain));
        }
        for (k, coupling) in self.couplings.iter().enumerate() {
            let mut by = 0.0;
            if level == Level::Position {
                by = -coupling.value;
            }
            for &(joint, i, factor) in &coupling.terms {
                let (model, at) = (&plan.joints[joint.index()], scratch.joints[joint.index()]);
                let [q, dq, _] = scratch.dofs[joint.index()];
                by += factor
                    * match level {
                        Level::Position => q[i],
                        Level::Velocity => dq[i],
                        Level::Acceleration => {
                            let ends = [&scratch.kin[model.a.body], &scratch.kin[model.b.body]];
                            model.accelerations(&at, ends)[i]
                        }
                    };
                let ends = [model.a.body, model.b.body];
                scratch.add_entry_pair(ends, &at.p, model.dof_wrench(&at, i), factor);
            }
            violation.add(by, Constraint::Coupling(k));
            scratch.end_row(Some(-by / gain));
        }
        for k in 0..scratch.rank_ones.len() {
            scratch.add_rank_one_row(k);
        }
        violation
    }

    /// Constraint of each row of the solver; those of springs and drives follow.
    pub(super) fn owners(&self) -> Vec<Constraint> {
        let Some(plan) = &self.plan else {
            return Vec::new();
        };
        let of_joint =
            |&j: &usize| std::iter::repeat_n(Constraint::Joint(j), plan.joints[j].n_rows());
        let joints = plan.loops.iter().flat_map(of_joint);
        let distances = (0..self.distances.len()).map(Constraint::Distance);
        let couplings = (0..self.couplings.len()).map(Constraint::Coupling);
        joints.chain(distances).chain(couplings).collect()
    }

    /// Name of a constraint, for messages.
    pub(super) fn label_of(&self, constraint: Option<Constraint>) -> String {
        match constraint {
            Some(Constraint::Joint(j)) => format!("joint `{}`", self.joints[j].name),
            Some(Constraint::Distance(k)) => format!("distance `{}`", self.distances[k].name),
            Some(Constraint::Coupling(k)) => format!("coupling `{}`", self.couplings[k].name),
            None => "constraints".to_owned(),
        }
    }

    /// Error for a body whose joint leaves it a motion without inertia.
    pub(super) fn massless(&self, Massless { body }: Massless) -> Error {
        let joint = match self.plan.as_ref().and_then(|plan| plan.parent_joint[body]) {
            Some((j, _)) => format!("joint `{}` leaves it", self.joints[j].name),
            None => "no joint takes it".to_owned(),
        };
        let problem = format!(
            "no mass resists a motion that {joint}, so that it has no acceleration; it and its children need \
             mass and moments of inertia"
        );
        Error::invalid(format!("body `{}`", self.bodies[body].name), problem)
    }
}

impl Scratch {
    /// Adds a force at a point, and a moment, on a body to the current row.
    fn add_entry(&mut self, body: usize, p: &Vector, force: &Vector, moment: &Vector, by: f64) {
        if let Some(o) = self.origin.get(body) {
            let force = spatial(&(moment + (p - o).cross(force)), force) * by;
            self.solver.entries.push(Entry {
                body,
                force,
                gradient: force,
            });
        }
    }

    /// Adds a force and moment to the second body of a joint, and the opposite ones to the first.
    fn add_entry_pair(&mut self, [a, b]: [usize; 2], p: &Vector, f: [Vector; 2], by: f64) {
        self.add_entry(b, p, &f[0], &f[1], by);
        self.add_entry(a, p, &f[0], &f[1], -by);
    }

    fn add_rank_one_row(&mut self, k: usize) {
        let RankOne {
            ends,
            force,
            gradient,
        } = self.rank_ones[k];
        for i in 0..2 {
            self.solver.entries.push(Entry {
                body: ends[i],
                force: force[i],
                gradient: gradient[i],
            });
        }
        self.end_row(None);
    }

    fn end_row(&mut self, target: Option<f64>) {
        let end = self.solver.entries.len();
        self.solver.rows.push(Row { end, target });
    }

    /// Velocity of a body's centre of mass in the last twist, and its angular velocity, in world axes.
    pub(super) fn twist_at_com(&self, body: usize) -> [Vector; 2] {
        let twist = &self.solver.twist[body];
        let w = Vector::new(twist[0], twist[1], twist[2]);
        let v = Vector::new(twist[3], twist[4], twist[5]);
        [v + w.cross(&(self.kin[body].c - self.origin[body])), w]
    }

    /// Returns whether the last implicit step ended at these values.
    pub(super) fn is_step_end(&self, y: &[f64]) -> bool {
        let mut both = self.end.iter().zip(y);
        self.end.len() == y.len() && both.all(|(a, b)| a.to_bits() == b.to_bits())
    }

    /// Stores the multipliers of constraints outside the tree.
    pub(super) fn store_lambda(&mut self) {
        let n = self.lambda.len();
        self.lambda.copy_from_slice(&self.solver.lambda[..n]);
    }

    /// Extent of the system, m, at least 1: the scale of rounding errors.
    pub(super) fn extent(&self) -> f64 {
        let far = |kin: &super::body_state::Kin| kin.c.amax();
        1.0 + self.kin.iter().map(far).fold(0.0, f64::max)
    }

    /// Resets tangents: no step is in progress.
    pub(super) fn reset_tangents(&mut self) {
        self.tangent.fill(Matrix3::identity());
    }
}
