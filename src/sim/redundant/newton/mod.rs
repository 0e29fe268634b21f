//! What Newton's matrix of an implicit step has beside masses: forces that turn with bodies.
//!
//! A joint of the tree pushes its two bodies with one force and moment, to and fro. What both feel of its change is gone
//! where they are added, so that the tree needs no more than how the free motions `S` of the joint see it. Constraints have
//! no power in these wherever bodies are, `Sᵀ f = 0`, and so `Sᵀ δf = −δSᵀ f`; of drives `Sᵀ f` is what they push with. What
//! is not of the tree comes as equations of its own, one for each direction in which it changes.

use nalgebra::{Matrix3, Vector6};

use super::System;
use super::forces::{Gains, Spring};
use super::joint::spatial;
use super::plan::Room;
use super::slope::{Ends, Slope};
use crate::math::Vector;

/// Two bodies that are pushed with what is felt of both.
#[derive(Debug, Clone, Copy)]
pub(super) struct Soft {
    pub(super) ends: [usize; 2],
    pub(super) force: [Vector6<f64>; 2],
    pub(super) felt: [Vector6<f64>; 2],
}

impl System {
    /// Writes how joints and distances turn what they carry, and how drives follow velocities and accelerations.
    pub(super) fn write_bends(&mut self, gains: Gains, has_x: bool) {
        if has_x && self.room.is_whole {
            self.bend_joints(gains);
        }
        self.soften_drives(gains, has_x);
    }

    fn bend_joints(&mut self, gains: Gains) {
        self.carry();
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return;
        };
        for (j, held) in plan.held.iter().enumerate() {
            let (at, bodies) = (room.joints[j], [held.a.body, held.b.body]);
            let [force, moment] = room.carried[j];
            let o = bodies.map(|body| room.origin.get(body).copied().unwrap_or_default());
            for i in 0..held.n_free() {
                let [a, b, p] = held.bend(&at, i, [&force, &moment]);
                let zero = Vector::zeros();
                let a = spatial(&a, &zero) * gains.q;
                let b = spatial(&(b + (at.p - o[1]).cross(&p)), &p) * gains.q;
                match plan.carries[j] {
                    Some(body) => room.bend(body, i, bodies, [a, b]),
                    None => {
                        let force = room.across(&at.p, held.push(&at, i), bodies);
                        room.soften(Soft {
                            ends: bodies,
                            force,
                            felt: [a, b],
                        });
                    }
                }
            }
        }
        for (k, [a, b]) in plan.distances.iter().enumerate() {
            let bodies = [a.body, b.body];
            let [p_a, p_b] = [room.kin[a.body].point(&a.p), room.kin[b.body].point(&b.p)];
            let d = p_b - p_a;
            let length = d.norm();
            let along = d / length;
            let push = -room.lambda[plan.first_distance + k];
            let zero = Vector::zeros();
            room.turn_force(b.body, &p_b, &(along * push), &zero, gains);
            room.turn_force(a.body, &p_a, &(along * -push), &zero, gains);
            let by = -push / length * gains.q;
            room.soften_across(bodies, [&p_a, &p_b], &along, by);
        }
    }

    /// Finds what joints carry: those that close loops as they were solved for last, those of the tree from the leaves to
    /// the roots.
    fn carry(&mut self) {
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return;
        };
        let n = self.bodies.len();
        for carried in &mut room.carried {
            *carried = [Vector::zeros(); 2];
        }
        room.net.copy_from_slice(&room.solver.force);
        let mut row = 0;
        for &j in &plan.loops {
            let (held, at) = (&plan.held[j], room.joints[j]);
            let mut sum = [Vector::zeros(); 2];
            for k in 0..held.n_rows() {
                let [force, moment] = held.row(&at, k);
                sum[0] -= force * room.lambda[row];
                sum[1] -= moment * room.lambda[row];
                row += 1;
            }
            room.carried[j] = sum;
        }
        row += plan.distances.len();
        for coupling in &self.couplings {
            for &(joint, i, factor) in &coupling.terms {
                let j = joint.index();
                if plan.carries[j].is_none() {
                    let [force, moment] = plan.held[j].push(&room.joints[j], i);
                    room.carried[j][0] -= force * (factor * room.lambda[row]);
                    room.carried[j][1] -= moment * (factor * room.lambda[row]);
                }
            }
            row += 1;
        }
        for &j in &plan.loops {
            let (held, at) = (&plan.held[j], room.joints[j]);
            let f = room.across(&at.p, room.carried[j], [held.a.body, held.b.body]);
            for (body, f) in [(held.a.body, f[0]), (held.b.body, f[1])] {
                if body < n {
                    room.net[body] += f;
                }
            }
        }

        // drives across loops are among the forces already
        for &(j, i) in &plan.driven {
            let [force, moment] = plan.held[j].push(&room.joints[j], i);
            let by = room.push[j][i];
            room.carried[j][0] += force * by;
            room.carried[j][1] += moment * by;
        }
        for (k, [a, b]) in plan.distances.iter().enumerate() {
            let [p_a, p_b] = [room.kin[a.body].point(&a.p), room.kin[b.body].point(&b.p)];
            let push = (p_b - p_a).normalize() * -room.lambda[plan.first_distance + k];
            for (body, p, by) in [(b.body, p_b, 1.0), (a.body, p_a, -1.0)] {
                if body < n {
                    let arm = p - room.origin[body];
                    room.net[body] += spatial(&arm.cross(&push), &push) * by;
                }
            }
        }
        let (order, parent) = room.solver.tree();
        for &body in order.iter().rev() {
            let net = room.net[body];
            if let Some((j, sign)) = plan.carrier[body] {
                let on_b = net * -sign;
                let force = on_b.fixed_rows::<3>(3).into_owned();
                let moment = on_b.fixed_rows::<3>(0).into_owned();
                let arm = room.joints[j].p - room.origin[body];
                room.carried[j] = [force, moment - arm.cross(&force)];
            }
            if let Some(parent) = parent[body] {
                room.net[parent] += net;
            }
        }
    }

    /// Writes what drives resist with beside their stiffness, and across loops all of it.
    fn soften_drives(&mut self, gains: Gains, has_x: bool) {
        let (Some(plan), room) = (&self.plan, &mut self.room) else {
            return;
        };
        for drive in &self.drives {
            let (j, i) = (drive.joint.index(), drive.coordinate);
            let (held, at) = (&plan.held[j], room.joints[j]);
            let bodies = [held.a.body, held.b.body];
            let is_moving = has_x && drive.is_moving();
            if !is_moving && plan.carries[j].is_some() {
                continue;
            }
            let mut felt = [Vector6::zeros(); 2];
            if is_moving {
                let ends = room.ends(bodies, gains);
                let mut slope = Slope::default();
                if drive.d != 0.0 {
                    slope.add(&held.rate_slope(&at, i, &ends), drive.d);
                }
                if drive.inertia != 0.0 {
                    slope.add(&held.acceleration_slope(&at, i, &ends), drive.inertia);
                }
                felt = room.felt(&slope, bodies);
            }
            if let Some(body) = plan.carries[j] {
                room.bend(body, i, bodies, felt);
                continue;
            }
            let force = room.across(&at.p, held.push(&at, i), bodies);
            let by = match has_x {
                true => gains.q * drive.p,
                false => drive.inertia,
            };
            for k in 0..2 {
                felt[k] += force[k] * by;
            }
            room.soften(Soft {
                ends: bodies,
                force,
                felt,
            });
        }
    }
}

impl Room {
    /// Adds to what coordinate `i` of the joint that carries a body resists with.
    fn bend(&mut self, body: usize, i: usize, [a, b]: [usize; 2], felt: [Vector6<f64>; 2]) {
        let own = if body == b { felt[1] } else { felt[0] };
        let whole = if a < self.origin.len() && b < self.origin.len() {
            felt[0] + felt[1]
        } else {
            own
        };
        let bend = &mut self.solver.bend[body][i];
        bend[0] += own;
        bend[1] += whole;
    }

    /// Lets a force of a body, that stays in the world, turn with the body as it moves: its moment changes.
    pub(super) fn turn_force(
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
        let turned = -across * r.cross_matrix() + (moment * gains.q).cross_matrix();
        let mut add = |column: usize, block: &Matrix3<f64>| {
            let mut old = matrix.fixed_view_mut::<3, 3>(0, column);
            old += block;
        };
        add(0, &turned);
        add(3, &across);
    }

    /// What a force and moment at a point do to two bodies, to the second as they are and to the first backwards.
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
            way: [&self.way[a], &self.way[b]],
            gains,
        }
    }

    /// Lets a spring give way: along it, and across as it turns.
    pub(super) fn soften_spring(
        &mut self,
        spring: &Spring,
        bodies: [usize; 2],
        p: [&Vector; 2],
        pull: f64,
        gains: Gains,
    ) {
        let d = p[1] - p[0];
        let length = d.norm();
        if gains.q == 0.0 || length == 0.0 {
            return;
        }
        let along = d / length;
        let ends = self.ends(bodies, gains);
        let mut slope = Slope::default();
        slope.add(&ends.way_between(&along, p), spring.stiffness * gains.q);
        if spring.damping != 0.0 {
            slope.add(&ends.stretching(p), spring.damping);
        }
        let felt = self.felt(&slope, bodies);
        let pair = |n: &Vector| [-self.at(bodies[0], p[0], n), self.at(bodies[1], p[1], n)];
        let force = pair(&along);
        self.soften(Soft {
            ends: bodies,
            force,
            felt,
        });
        self.soften_across(bodies, p, &along, pull / length * gains.q);
    }

    /// Resists motions of two points across a direction.
    fn soften_across(&mut self, bodies: [usize; 2], p: [&Vector; 2], along: &Vector, by: f64) {
        let least = along.iamin();
        let one = along.cross(&Vector::ith(least, 1.0)).normalize();
        for n in [one, along.cross(&one)] {
            let force = [-self.at(bodies[0], p[0], &n), self.at(bodies[1], p[1], &n)];
            self.soften(Soft {
                ends: bodies,
                force,
                felt: force.map(|f| f * by),
            });
        }
    }

    /// A force at a point, told about what the twist of the body is.
    fn at(&self, body: usize, p: &Vector, force: &Vector) -> Vector6<f64> {
        let o = self.origin.get(body).copied().unwrap_or_default();
        spatial(&(p - o).cross(force), force)
    }

    /// Adds what gives way, if it does: of one body to its matrix, of two as an equation.
    fn soften(&mut self, mut soft: Soft) {
        let n = self.origin.len();
        match soft.ends {
            [a, b] if a >= n && b >= n => {}
            [a, b] if a >= n => self.solver.matrix[b].ger(1.0, &soft.force[1], &soft.felt[1], 1.0),
            [a, b] if b >= n => self.solver.matrix[a].ger(1.0, &soft.force[0], &soft.felt[0], 1.0),
            _ => {
                let size = |x: &[Vector6<f64>; 2]| x[0].norm_squared() + x[1].norm_squared();
                let (force, felt) = (size(&soft.force), size(&soft.felt));
                if felt == 0.0 || force == 0.0 {
                    return;
                }

                // as large on both sides, so that equations compare
                let by = (felt / force).sqrt().sqrt();
                for k in 0..2 {
                    soft.force[k] *= by;
                    soft.felt[k] /= by;
                }
                self.softs.push(soft);
            }
        }
    }
}

#[cfg(test)]
mod tests;
