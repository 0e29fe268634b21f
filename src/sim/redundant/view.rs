//! What sensors see of a system.

use nalgebra::Vector6;

use super::System;
use super::joint::spatial;
use super::parts::Seat;
use crate::kinematics::check_length;
use crate::math::{Motion, Point, Rotation, Vector};
use crate::robot::LinkId;
use crate::sim::sensor::{Energy, Mechanism, PointMotion};
use crate::{Error, Result};

/// What was seen when a system was looked at: coordinates, rates, accelerations, forces left.
pub(super) type Seen = [Vec<f64>; 4];

impl Mechanism for System {
    fn look(&mut self, t: f64, y: &[f64]) -> Result<()> {
        check_length("values", 13 * self.bodies.len(), y)?;
        self.accelerate(t, y)?;
        let left = self.forces_at_rest();
        for i in 0..self.bodies.len() {
            let [a, alpha] = self.room.twist_at_com(i);
            (self.room.kin[i].a, self.room.kin[i].alpha) = (a, alpha);
        }
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        for seen in &mut self.seen {
            seen.clear();
        }
        for (j, held) in plan.held.iter().enumerate() {
            let [q, dq, ddq] = self.room.seen(plan, j);
            let n = held.n_free();
            self.seen[0].extend_from_slice(&q[..n]);
            self.seen[1].extend_from_slice(&dq[..n]);
            self.seen[2].extend_from_slice(&ddq[..n]);
            self.seen[3].extend_from_slice(&left[j][..n]);
        }
        Ok(())
    }

    fn point_motion(&self, link: LinkId, p: &Point) -> Result<PointMotion> {
        let found = self.link(link)?;
        let (i, pose, home, com) = match found.seat {
            Seat::Body { body, pose } => {
                let it = &self.bodies[body];
                (body, pose, it.pose, it.com)
            }
            Seat::Ground(pose) => {
                let base = self.base.at(0.0)?.pose;
                (self.bodies.len(), pose, base, Vector::zeros())
            }
            Seat::Nowhere => {
                self.body_of(link)?;
                return Err(Error::invalid("sensor", "it is nowhere"));
            }
        };
        let Some(kin) = self.room.kin.get(i) else {
            return Err(Error::invalid("system", "it was not looked at yet"));
        };
        let p_body = pose * p;
        let at = kin.point(&(p_body.coords - com));
        Ok(PointMotion {
            rotation: Rotation::from_matrix_unchecked(kin.r) * pose.rotation,
            position: at.into(),
            reference: home * p_body,
            velocity: Motion::new(kin.w, kin.velocity_at(&at)),
            acceleration: Motion::new(kin.alpha, kin.acceleration_at(&at)),
        })
    }

    /// Of all joints, in their order.
    fn coordinates(&self) -> &[f64] {
        &self.seen[0]
    }

    fn velocities(&self) -> &[f64] {
        &self.seen[1]
    }

    fn accelerations(&self) -> &[f64] {
        &self.seen[2]
    }

    /// With joints that close loops left open: these have what drives do there alone.
    fn forces_left(&self) -> &[f64] {
        &self.seen[3]
    }

    fn coordinate_names(&self) -> Vec<String> {
        let names = |joint: &super::GenericJoint| {
            let (name, n) = (joint.name.clone(), joint.axes.n_free());
            let parts = joint.axes.names();
            parts.map(move |part| match n {
                1 => name.clone(),
                _ => format!("{name}_{part}"),
            })
        };
        self.joints.iter().flat_map(names).collect()
    }

    fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for (body, kin) in self.bodies.iter().zip(&self.room.kin) {
            let w = kin.r.tr_mul(&kin.w);
            energy.kinetic += 0.5 * (body.mass * kin.v.norm_squared() + w.dot(&(body.moment * w)));
            energy.potential -= body.mass * self.gravity.dot(&kin.c);
        }
        for drive in &self.drives {
            let at = self.room.coordinates.get(drive.joint.index());
            let rate = at.map_or(0.0, |[_, dq, _]| dq[drive.coordinate]);
            energy.kinetic += 0.5 * drive.inertia * rate * rate;
        }
        energy
    }
}

impl System {
    /// Per joint, what forces its coordinates would need beside those that act if none of them accelerated, after
    /// [`accelerate`](Self::accelerate).
    fn forces_at_rest(&self) -> Vec<[f64; 6]> {
        let mut out: Vec<[f64; 6]> = self.room.push.iter().map(|push| push.map(|x| -x)).collect();
        let (Some(plan), room) = (&self.plan, &self.room) else {
            return out;
        };

        // twists of the bodies that coordinates without acceleration leave them, outwards
        let (order, parent) = room.solver.tree();
        let mut twist = vec![Vector6::zeros(); self.bodies.len()];
        let mut force = twist.clone();
        for &i in order {
            let Some((j, sign)) = plan.carrier[i] else {
                continue;
            };
            let held = &plan.held[j];
            let ends = [&room.kin[held.a.body], &room.kin[held.b.body]];
            let (at, o) = (&room.joints[j], room.origin[i]);
            let bias = held.accelerations(at, ends);
            twist[i] = parent[i].map_or_else(Vector6::zeros, |carrier| twist[carrier]);
            twist[i] += room.solver.given[i];
            for k in 0..held.n_free() {
                twist[i] -= held.subspace(at, k, &o) * (sign * bias[k]);
            }
        }

        // and the forces for that, inwards
        for &i in order.iter().rev() {
            let (body, kin) = (&self.bodies[i], &room.kin[i]);
            let arm = kin.c - room.origin[i];
            let alpha: Vector = twist[i].fixed_rows::<3>(0).into_owned();
            let a = twist[i].fixed_rows::<3>(3) + alpha.cross(&arm);
            let moment = kin.r * (body.moment * kin.r.tr_mul(&alpha));
            let inertial = a * body.mass;
            force[i] += spatial(&(moment + arm.cross(&inertial)), &inertial) - room.solver.force[i];
            let Some((j, sign)) = plan.carrier[i] else {
                continue;
            };
            for k in 0..plan.held[j].n_free() {
                let s = plan.held[j].subspace(&room.joints[j], k, &room.origin[i]);
                out[j][k] += sign * s.dot(&force[i]);
            }
            if let Some(carrier) = parent[i] {
                let f = force[i];
                force[carrier] += f;
            }
        }
        out
    }
}
