//! Measurement of multibody systems.

use nalgebra::Vector6;

use super::MultibodySystem;
use super::joint::spatial;
use super::parts::Attachment;
use crate::kinematics::check_length;
use crate::math::{Motion, Point, Rotation, Vector};
use crate::robot::LinkId;
use crate::sim::sensor::{Energy, Evaluation, Mechanism, PointMotion};
use crate::{Error, Result};

/// Results of an evaluation.
#[derive(Clone, Default)]
pub(super) struct Outputs {
    // positions, velocities, accelerations, residual forces of all joints
    dofs: [Vec<f64>; 4],
    // residual forces of each joint
    left: Vec<[f64; 6]>,
    // scratch: acceleration of each body, force on it
    twist: Vec<Vector6<f64>>,
    force: Vec<Vector6<f64>>,
}

/// Motion of a [`MultibodySystem`] at one time.
#[derive(Debug, Clone, Copy)]
pub struct SystemEvaluation<'a>(&'a MultibodySystem);

impl Mechanism for MultibodySystem {
    type Evaluation<'a> = SystemEvaluation<'a>;

    fn at(&mut self, t: f64, y: &[f64]) -> Result<SystemEvaluation<'_>> {
        check_length("values", 13 * self.bodies.len(), y)?;
        self.accelerate(t, y)?;
        let mut outputs = std::mem::take(&mut self.outputs);
        self.write_static_residual_forces(&mut outputs);
        self.outputs = outputs;
        for i in 0..self.bodies.len() {
            let [a, alpha] = self.scratch.twist_at_com(i);
            (self.scratch.kin[i].a, self.scratch.kin[i].alpha) = (a, alpha);
        }
        let Some(plan) = &self.plan else {
            return Ok(SystemEvaluation(self));
        };
        let Outputs { dofs, left, .. } = &mut self.outputs;
        for seen in dofs.iter_mut() {
            seen.clear();
        }
        for (j, model) in plan.joints.iter().enumerate() {
            let [q, dq, ddq] = self.scratch.dof_motion(plan, j);
            let n = model.n_free();
            dofs[0].extend_from_slice(&q[..n]);
            dofs[1].extend_from_slice(&dq[..n]);
            dofs[2].extend_from_slice(&ddq[..n]);
            dofs[3].extend_from_slice(&left[j][..n]);
        }
        Ok(SystemEvaluation(self))
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
}

impl Evaluation for SystemEvaluation<'_> {
    fn point_motion(&self, link: LinkId, p: &Point) -> Result<PointMotion> {
        let found = self.0.link(link)?;
        let (i, pose, reference, com) = match found.attachment {
            Attachment::Body { body, pose } => {
                let it = &self.0.bodies[body];
                (body, pose, it.pose, it.com)
            }
            Attachment::Ground(pose) => {
                let base = self.0.base.at(0.0)?.pose;
                (self.0.bodies.len(), pose, base, Vector::zeros())
            }
            Attachment::Virtual => {
                self.0.body_of(link)?;
                return Err(Error::invalid("sensor", "its link has no body"));
            }
        };
        let kin = &self.0.scratch.kin[i];
        let p_body = pose * p;
        let at = kin.point(&(p_body.coords - com));
        Ok(PointMotion {
            rotation: Rotation::from_matrix_unchecked(kin.r) * pose.rotation,
            position: at.into(),
            reference: reference * p_body,
            velocity: Motion {
                angular: kin.w,
                linear: kin.velocity_at(&at),
            },
            acceleration: Motion {
                angular: kin.alpha,
                linear: kin.acceleration_at(&at),
            },
        })
    }

    /// Of all joints, in their order.
    fn positions(&self) -> &[f64] {
        &self.0.outputs.dofs[0]
    }

    fn velocities(&self) -> &[f64] {
        &self.0.outputs.dofs[1]
    }

    fn accelerations(&self) -> &[f64] {
        &self.0.outputs.dofs[2]
    }

    /// With loop-closing joints open: those have the forces of their drives only.
    fn residual_forces(&self) -> &[f64] {
        &self.0.outputs.dofs[3]
    }

    fn energy(&self) -> Energy {
        let mut energy = Energy::default();
        for (body, kin) in self.0.bodies.iter().zip(&self.0.scratch.kin) {
            let w = kin.r.tr_mul(&kin.w);
            energy.kinetic += 0.5 * (body.mass * kin.v.norm_squared() + w.dot(&(body.moment * w)));
            energy.potential -= body.mass * self.0.gravity.dot(&kin.c);
        }
        for drive in &self.0.drives {
            let at = self.0.scratch.dofs.get(drive.joint.index());
            let rate = at.map_or(0.0, |[_, dq, _]| dq[drive.dof]);
            energy.kinetic += 0.5 * drive.inertia * rate * rate;
        }
        energy
    }
}

impl MultibodySystem {
    /// Writes the residual forces of each joint at zero acceleration of its degrees of freedom, after
    /// [`accelerate`](Self::accelerate).
    fn write_static_residual_forces(&self, outputs: &mut Outputs) {
        let Outputs {
            left: out,
            twist,
            force,
            ..
        } = outputs;
        out.clear();
        let drives = self.scratch.drive_force.iter();
        out.extend(drives.map(|force| force.map(|x| -x)));
        let (Some(plan), scratch) = (&self.plan, &self.scratch) else {
            return;
        };

        // forward pass: accelerations of the bodies at zero joint accelerations
        let (order, parent) = scratch.solver.tree();
        for list in [&mut *twist, &mut *force] {
            list.clear();
            list.resize(self.bodies.len(), Vector6::zeros());
        }
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
    }
}
