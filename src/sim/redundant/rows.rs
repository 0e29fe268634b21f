//! The equations of motion and of the constraints, where everything was placed.

use nalgebra::{Matrix3, Vector6};

use super::System;
use super::forces::{Drive, Gains};
use super::joint::spatial;
use super::newton::Soft;
use super::plan::Room;
use super::slope::Way;
use super::solver::{Entry, Massless, Row};
use crate::math::Vector;
use crate::{Error, Result};

/// What of the constraints is asked to be 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Place,
    Motion,
    Acceleration,
}

/// A constraint, as it was added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Constraint {
    Joint(usize),
    Distance(usize),
    Coupling(usize),
}

/// How far constraints are from holding.
#[derive(Debug, Clone, Copy)]
pub(super) struct Off {
    /// The largest of all, and whose it is.
    pub(super) most: f64,
    pub(super) whose: Option<Constraint>,
    /// The sum of the squares.
    pub(super) squares: f64,
}

impl Off {
    fn note(&mut self, by: f64, whose: Constraint) {
        self.squares += by * by;
        // what is no number is worst
        if by.is_nan() || by.abs() > self.most {
            (self.most, self.whose) = (by.abs(), Some(whose));
        }
    }
}

impl System {
    /// Writes matrices and forces: the dynamics at the accelerations `x`, which steps of some length try.
    pub(super) fn write_dynamics(&mut self, gains: Gains, has_x: bool) -> Result<()> {
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let room = &mut self.room;
        room.softs.clear();
        let has_rates = self.drives.iter().any(Drive::is_moving)
            || self.springs.iter().any(|spring| spring.damping != 0.0);
        for (i, body) in self.bodies.iter().enumerate() {
            let kin = &mut room.kin[i];
            let omega = kin.r.tr_mul(&kin.w);
            let spin = body.moment * omega;
            let mut torque = omega.cross(&spin);
            let mut slope = body.moment;
            if has_x {
                let x = &room.x[6 * i..][..6];
                let turned = Vector::new(x[3], x[4], x[5]);
                kin.a = Vector::new(x[0], x[1], x[2]);
                kin.alpha = kin.r * turned;
                torque += body.moment * turned;
                let gyration = omega.cross_matrix() * body.moment - spin.cross_matrix();
                slope = (slope + gyration * gains.v) * room.tangent[i];
                if has_rates {
                    room.way[i] = Way::new(kin, &room.tangent[i], gains);
                }
            }
            let (c, r) = (kin.c, kin.r);
            let j = r * slope * r.transpose();
            let force = (self.gravity - kin.a) * body.mass;
            let moment = -(r * torque);
            let arm = c - room.origin[i];
            room.solver.set_body(i, &j, body.mass, &arm);
            room.solver.force[i] = spatial(&(moment + arm.cross(&force)), &force);
            if has_x && room.is_whole {
                room.turn_force(i, &c, &force, &moment, gains);
            }
        }
        for (j, held) in plan.held.iter().enumerate() {
            if plan.is_looked_at[j] {
                let ends = [&room.kin[held.a.body], &room.kin[held.b.body]];
                room.coordinates[j][2] = held.accelerations(&room.joints[j], ends);
            }
        }
        self.drive(gains, has_x)?;
        self.load(gains)?;
        self.write_freedom();
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let room = &mut self.room;
        for &(j, i) in &plan.driven {
            let (held, at) = (&plan.held[j], room.joints[j]);
            let [force, moment] = held.push(&at, i);
            let by = room.push[j][i];
            room.act_across([held.a.body, held.b.body], &at, [force * by, moment * by]);
        }
        self.check_forces()?;
        self.write_bends(gains, has_x);
        Ok(())
    }

    /// Writes masses alone, for motions that do without forces.
    pub(super) fn write_masses(&mut self) {
        let room = &mut self.room;
        for (i, body) in self.bodies.iter().enumerate() {
            let kin = &room.kin[i];
            let j = kin.r * body.moment * kin.r.transpose();
            let arm = kin.c - room.origin[i];
            room.solver.set_body(i, &j, body.mass, &arm);
        }
        for joint in 0..room.push.len() {
            room.push[joint] = [0.0; 6];
            room.resistance[joint] = [0.0; 6];
        }
        room.softs.clear();
        self.write_freedom();
        self.quieten();
    }

    /// Takes forces away, leaving masses.
    pub(super) fn quieten(&mut self) {
        let solver = &mut self.room.solver;
        solver.force.fill(Vector6::zeros());
        solver.push.fill([0.0; 6]);
    }

    /// Writes what joints leave bodies, and what drives do there.
    fn write_freedom(&mut self) {
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return;
        };
        room.solver.is_led = false;
        for (body, carrier) in plan.carrier.iter().enumerate() {
            let Some((j, sign)) = *carrier else {
                room.solver.bend[body] = [[Vector6::zeros(); 2]; 6];
                room.solver.n_free[body] = 6;
                room.solver.resistance[body] = [0.0; 6];
                room.solver.push[body] = [0.0; 6];
                for k in 0..6 {
                    room.solver.subspace[body][k] = Vector6::ith(k, 1.0);
                }
                continue;
            };
            let (held, at, o) = (&plan.held[j], &room.joints[j], room.origin[body]);
            room.solver.n_free[body] = held.n_free();
            for i in 0..held.n_free() {
                room.solver.subspace[body][i] = held.subspace(at, i, &o) * sign;
                room.solver.bend[body][i] = [Vector6::zeros(); 2];
            }
            room.solver.resistance[body] = room.resistance[j];
            room.solver.push[body] = room.push[j];
        }
    }

    fn check_forces(&self) -> Result<()> {
        let solver = &self.room.solver;
        let is_good = |f: &Vector6<f64>| f.sum().is_finite();
        if let Some(i) = solver.force.iter().position(|f| !is_good(f)) {
            let what = format!("force on body `{}`", self.bodies[i].name);
            return Err(Error::invalid(what, "is not finite"));
        }
        let is_good = |push: &[f64; 6]| push.iter().sum::<f64>().is_finite();
        if let Some(j) = self.room.push.iter().position(|push| !is_good(push)) {
            let what = format!("force of the drives of joint `{}`", self.joints[j].name);
            return Err(Error::invalid(what, "is not finite"));
        }
        Ok(())
    }

    /// Writes the constraints: what makes them 0, divided by `gain`; and tells how far they are from it.
    pub(super) fn write_rows(&mut self, level: Level, gain: f64) -> Off {
        let mut off = Off {
            most: 0.0,
            whose: None,
            squares: 0.0,
        };
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return off;
        };
        room.solver.rows.clear();
        room.solver.entries.clear();
        let residuals = |room: &Room, j: usize| {
            let (held, at) = (&plan.held[j], &room.joints[j]);
            let ends = [&room.kin[held.a.body], &room.kin[held.b.body]];
            match level {
                Level::Place => held.residuals(at),
                Level::Motion => held.residual_rates(at, ends),
                Level::Acceleration => held.residual_accelerations(at, ends),
            }
        };
        for (body, carrier) in plan.carrier.iter().enumerate() {
            let Some((j, sign)) = *carrier else {
                room.solver.given[body] = Vector6::zeros();
                continue;
            };
            let mut by = residuals(room, j);
            for by in &mut by[..plan.held[j].n_rows()] {
                off.note(*by, Constraint::Joint(j));
                *by /= -gain;
            }
            let (at, o) = (&room.joints[j], room.origin[body]);
            room.solver.given[body] = plan.held[j].correction(at, &by, &o) * sign;
        }
        for &j in &plan.loops {
            let (held, at) = (&plan.held[j], room.joints[j]);
            let by = residuals(room, j);
            for row in 0..held.n_rows() {
                off.note(by[row], Constraint::Joint(j));
                room.enter_across([held.a.body, held.b.body], &at.p, held.row(&at, row), 1.0);
                room.end_row(Some(-by[row] / gain));
            }
        }
        for (k, [a, b]) in plan.distances.iter().enumerate() {
            let [one, two] = [&room.kin[a.body], &room.kin[b.body]];
            let (p_a, p_b) = (one.point(&a.p), two.point(&b.p));
            let d = p_b - p_a;
            let length = d.norm();
            let along = d / length;
            let rate = two.velocity_at(&p_b) - one.velocity_at(&p_a);
            let by = match level {
                Level::Place => length - self.distances[k].length,
                Level::Motion => along.dot(&rate),
                Level::Acceleration => {
                    let second = two.acceleration_at(&p_b) - one.acceleration_at(&p_a);
                    let across = rate.norm_squared() - along.dot(&rate).powi(2);
                    along.dot(&second) + across / length
                }
            };
            off.note(by, Constraint::Distance(k));
            room.enter(b.body, &p_b, &along, &Vector::zeros(), 1.0);
            room.enter(a.body, &p_a, &along, &Vector::zeros(), -1.0);
            room.end_row(Some(-by / gain));
        }
        for (k, coupling) in self.couplings.iter().enumerate() {
            let mut by = 0.0;
            if level == Level::Place {
                by = -coupling.value;
            }
            for &(joint, i, factor) in &coupling.terms {
                let (held, at) = (&plan.held[joint.index()], room.joints[joint.index()]);
                let [q, dq, _] = room.coordinates[joint.index()];
                by += factor
                    * match level {
                        Level::Place => q[i],
                        Level::Motion => dq[i],
                        Level::Acceleration => {
                            let ends = [&room.kin[held.a.body], &room.kin[held.b.body]];
                            held.accelerations(&at, ends)[i]
                        }
                    };
                let ends = [held.a.body, held.b.body];
                room.enter_across(ends, &at.p, held.push(&at, i), factor);
            }
            off.note(by, Constraint::Coupling(k));
            room.end_row(Some(-by / gain));
        }
        for k in 0..room.softs.len() {
            room.enter_soft(k);
        }
        off
    }

    /// Which constraint each row of the solver belongs to, springs and drives behind them.
    pub(super) fn owners(&self) -> Vec<Constraint> {
        let Some(plan) = &self.plan else {
            return Vec::new();
        };
        let of_joint =
            |&j: &usize| std::iter::repeat_n(Constraint::Joint(j), plan.held[j].n_rows());
        let joints = plan.loops.iter().flat_map(of_joint);
        let distances = (0..self.distances.len()).map(Constraint::Distance);
        let couplings = (0..self.couplings.len()).map(Constraint::Coupling);
        joints.chain(distances).chain(couplings).collect()
    }

    /// What a constraint is, for messages.
    pub(super) fn label_of(&self, constraint: Option<Constraint>) -> String {
        match constraint {
            Some(Constraint::Joint(j)) => format!("joint `{}`", self.joints[j].name),
            Some(Constraint::Distance(k)) => format!("distance `{}`", self.distances[k].name),
            Some(Constraint::Coupling(k)) => format!("coupling `{}`", self.couplings[k].name),
            None => "constraints".to_owned(),
        }
    }

    /// The error of a body whose joint leaves it a motion that nothing resists.
    pub(super) fn massless(&self, Massless { body }: Massless) -> Error {
        let joint = match self.plan.as_ref().and_then(|plan| plan.carrier[body]) {
            Some((j, _)) => format!("joint `{}` leaves it", self.joints[j].name),
            None => "no joint takes it".to_owned(),
        };
        let problem = format!(
            "no mass resists a motion that {joint}, so that it has no acceleration; it and what it carries need \
             mass and moments of inertia"
        );
        Error::invalid(format!("body `{}`", self.bodies[body].name), problem)
    }
}

impl Room {
    /// Adds to the row at hand a force at a point, and a moment, on a body.
    fn enter(&mut self, body: usize, p: &Vector, force: &Vector, moment: &Vector, by: f64) {
        if let Some(o) = self.origin.get(body) {
            let force = spatial(&(moment + (p - o).cross(force)), force) * by;
            self.solver.entries.push(Entry {
                body,
                force,
                felt: force,
            });
        }
    }

    /// The same on both sides of a joint.
    fn enter_across(&mut self, [a, b]: [usize; 2], p: &Vector, f: [Vector; 2], by: f64) {
        self.enter(b, p, &f[0], &f[1], by);
        self.enter(a, p, &f[0], &f[1], -by);
    }

    fn enter_soft(&mut self, k: usize) {
        let Soft { ends, force, felt } = self.softs[k];
        for i in 0..2 {
            self.solver.entries.push(Entry {
                body: ends[i],
                force: force[i],
                felt: felt[i],
            });
        }
        self.end_row(None);
    }

    fn end_row(&mut self, target: Option<f64>) {
        let end = self.solver.entries.len();
        self.solver.rows.push(Row { end, target });
    }

    /// How a body's centre of mass moves with the twist that was solved for, and how it turns, in world axes.
    pub(super) fn twist_at_com(&self, body: usize) -> [Vector; 2] {
        let twist = &self.solver.twist[body];
        let w = Vector::new(twist[0], twist[1], twist[2]);
        let v = Vector::new(twist[3], twist[4], twist[5]);
        [v + w.cross(&(self.kin[body].c - self.origin[body])), w]
    }

    /// Whether the last step of its own led to these values.
    pub(super) fn ended_at(&self, y: &[f64]) -> bool {
        let mut both = self.end.iter().zip(y);
        self.end.len() == y.len() && both.all(|(a, b)| a.to_bits() == b.to_bits())
    }

    /// Remembers what constraints outside the tree push with.
    pub(super) fn keep_lambda(&mut self) {
        let n = self.lambda.len();
        self.lambda.copy_from_slice(&self.solver.lambda[..n]);
    }

    /// Places as large as those that occur, m, and 1: what rounding is measured against.
    pub(super) fn extent(&self) -> f64 {
        let far = |kin: &super::kin::Kin| kin.c.amax();
        1.0 + self.kin.iter().map(far).fold(0.0, f64::max)
    }

    /// No step is under way.
    pub(super) fn rest_tangents(&mut self) {
        self.tangent.fill(Matrix3::identity());
    }
}
