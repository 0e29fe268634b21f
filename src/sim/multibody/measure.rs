//! Measurement of multibody systems.

use nalgebra::Vector6;

use super::MultibodySystem;
use super::joint::spatial;
use super::parts::Attachment;
use crate::kinematics::check_length;
use crate::math::{Motion, Point, Rotation, Vector};
use crate::robot::LinkId;
use crate::sim::sensor::{Energy, Mechanism, PointMotion};
use crate::{Error, Result};

/// Results of `evaluate`: positions, velocities, accelerations, residual forces.
pub(super) type Outputs = [Vec<f64>; 4];

impl Mechanism for MultibodySystem {
    fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<()> {
        check_length("values", 13 * self.bodies.len(), y)?;
        self.accelerate(t, y)?;
        let left = self.static_residual_forces();
        for i in 0..self.bodies.len() {
            let [a, alpha] = self.scratch.twist_at_com(i);
            (self.scratch.kin[i].a, self.scratch.kin[i].alpha) = (a, alpha);
        }
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        for seen in &mut self.outputs {
            seen.clear();
        }
        for (j, model) in plan.joints.iter().enumerate() {
            let [q, dq, ddq] = self.scratch.dof_motion(plan, j);
            let n = model.n_free();
            self.outputs[0].extend_from_slice(&q[..n]);
            self.outputs[1].extend_from_slice(&dq[..n]);
            self.outputs[2].extend_from_slice(&ddq[..n]);
            self.outputs[3].extend_from_slice(&left[j][..n]);
        }
        Ok(())
    }

    fn point_motion(&self, link: LinkId, p: &Point) -> Result<PointMotion> {
        let found = self.link(link)?;
        let (i, pose, reference, com) = match found.attachment {
            Attachment::Body { body, pose } => {
                let it = &self.bodies[body];
                (body, pose, it.pose, it.com)
            }
            Attachment::Ground(pose) => {
                let base = self.base.at(0.0)?.pose;
                (self.bodies.len(), pose, base, Vector::zeros())
            }
            Attachment::Virtual => {
                self.body_of(link)?;
                return Err(Error::invalid("sensor", "its link has no body"));
            }
        };
        let Some(kin) = self.scratch.kin.get(i) else {
            return Err(Error::invalid("system", "it was not evaluated yet"));
        };
        let p_body = pose * p;
        let at = kin.point(&(p_body.coords - com));
        Ok(PointMotion {
            rotation: Rotation::from_matrix_unchecked(kin.r) * pose.rotation,
            position: at.into(),
            reference: reference * p_body,
            velocity: Motion::new(kin.w, kin.velocity_at(&at)),
            acceleration: Motion::new(kin.alpha, kin.acceleration_at(&at)),
        })
    }

    /// Of all joints, in their order.
    fn positions(&self) -> &[f64] {
        &self.outputs[0]
    }

    fn velocities(&self) -> &[f64] {
        &self.outputs[1]
    }

    fn accelerations(&self) -> &[f64] {
        &self.outputs[2]
    }

    /// With loop-closing joints open: those have the forces of their drives only.
    fn residual_forces(&self) -> &[f64] {
        &self.outputs[3]
    }

    fn dof_names(&self) -> Vec<String> {
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
        for (body, kin) in self.bodies.iter().zip(&self.scratch.kin) {
            let w = kin.r.tr_mul(&kin.w);
            energy.kinetic += 0.5 * (body.mass * kin.v.norm_squared() + w.dot(&(body.moment * w)));
            energy.potential -= body.mass * self.gravity.dot(&kin.c);
        }
        for drive in &self.drives {
            let at = self.scratch.dofs.get(drive.joint.index());
            let rate = at.map_or(0.0, |[_, dq, _]| dq[drive.dof]);
            energy.kinetic += 0.5 * drive.inertia * rate * rate;
        }
        energy
    }
}

impl MultibodySystem {
    /// Residual forces of each joint at zero acceleration of its degrees of freedom, after
    /// [`accelerate`](Self::accelerate).
    fn static_residual_forces(&self) -> Vec<[f64; 6]> {
        let mut out: Vec<[f64; 6]> = self
            .scratch
            .drive_force
            .iter()
            .map(|force| force.map(|x| -x))
            .collect();
        let (Some(plan), scratch) = (&self.plan, &self.scratch) else {
            return out;
        };

        // forward pass: accelerations of the bodies at zero joint accelerations
        let (order, parent) = scratch.solver.tree();
        let mut twist = vec![Vector6::zeros(); self.bodies.len()];
        let mut force = twist.clone();
        for &i in order {
            let Some((j, sign)) = plan.parent_joint[i] else {
                continue;
            };
            let model = &plan.joints[j];
            let ends = [&scratch.kin[model.a.body], &scratch.kin[model.b.body]];
            let (at, o) = (&scratch.joints[j], scratch.origin[i]);
            let bias = model.accelerations(at, ends);
            twist[i] = parent[i].map_or_else(Vector6::zeros, |parent| twist[parent]);
            twist[i] += scratch.solver.prescribed[i];
            for k in 0..model.n_free() {
                twist[i] -= model.subspace(at, k, &o) * (sign * bias[k]);
            }
        }

        // backward pass: the forces for them
        for &i in order.iter().rev() {
            let (body, kin) = (&self.bodies[i], &scratch.kin[i]);
            let arm = kin.c - scratch.origin[i];
            let alpha: Vector = twist[i].fixed_rows::<3>(0).into_owned();
            let a = twist[i].fixed_rows::<3>(3) + alpha.cross(&arm);
            let moment = kin.r * (body.moment * kin.r.tr_mul(&alpha));
            let inertial = a * body.mass;
            force[i] +=
                spatial(&(moment + arm.cross(&inertial)), &inertial) - scratch.solver.force[i];
            let Some((j, sign)) = plan.parent_joint[i] else {
                continue;
            };
            for k in 0..plan.joints[j].n_free() {
                let s = plan.joints[j].subspace(&scratch.joints[j], k, &scratch.origin[i]);
                out[j][k] += sign * s.dot(&force[i]);
            }
            if let Some(parent) = parent[i] {
                let f = force[i];
                force[parent] += f;
            }
        }
        out
    }
}
