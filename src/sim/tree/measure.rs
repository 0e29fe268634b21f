//! Measurement of trees.

use super::KinematicTree;
use super::base::{Base, in_world};
use crate::kernel;
use crate::kinematics::{self, check_length};
use crate::math::{Motion, Point};
use crate::robot::{DofId, LinkId};
use crate::sim::integrator::Ode;
use crate::sim::sensor::{Energy, Evaluation, Mechanism, PointMotion};
use crate::{Error, Result, dynamics};

/// Motion of a [`KinematicTree`] at one time.
#[derive(Debug, Clone, Copy)]
pub struct TreeEvaluation<'a>(&'a KinematicTree);

impl Mechanism for KinematicTree {
    type Evaluation<'a> = TreeEvaluation<'a>;

    fn at(&mut self, t: f64, y: &[f64]) -> Result<TreeEvaluation<'_>> {
        check_length("values", self.size(), y)?;
        self.base_motion = self.base.at(t)?;
        self.update(t, y)?;
        let m = y.len() / 2;
        let mut free = std::mem::take(&mut self.ddz);
        let accelerated = self.accelerate(t, &mut free[..m]);
        self.ddz = free;
        accelerated?;
        match &self.space {
            None => self.ddq.copy_from_slice(&self.ddz),
            Some(space) => space.velocity_into(&self.ddz[..m], &mut self.ddq)?,
        }

        // residual forces at zero acceleration
        let (gravity, rest) = (self.gravity_in_base(), &self.rest);
        let loads = dynamics::Loads {
            gravity,
            wrenches: &self.wrenches,
        };
        let [q, dq, ddq, left] = &mut self.outputs;
        dynamics::inverse_dynamics_into(&self.model, &self.state, loads, rest, &mut self.ws, left)?;
        for (left, tau) in left.iter_mut().zip(&self.tau) {
            *left -= tau;
        }
        q.copy_from_slice(&self.q);
        dq.copy_from_slice(&self.dq);
        ddq.copy_from_slice(&self.ddq);
        let here = [self.state.config(), self.state.velocity()];
        for chart in &self.charts {
            chart.acceleration_to_user(here, [q, dq], ddq);
            chart.force_to_user(q, here[0], left);
        }
        self.kinetic = match self.base {
            Base::Fixed(_) => dynamics::kinetic_energy_with(&self.model, &self.state, &mut self.ws),
            Base::Moving(_) => self.kinetic_energy_in_world(),
        };
        Ok(TreeEvaluation(self))
    }

    fn dof_names(&self) -> Vec<String> {
        let dofs = (0..self.robot.n_dofs()).map(DofId::new);
        dofs.map(|dof| self.robot.dof_name(dof).to_owned())
            .collect()
    }
}

impl Evaluation for TreeEvaluation<'_> {
    fn point_motion(&self, link: LinkId, p: &Point) -> Result<PointMotion> {
        let n = self.0.robot.links().len();
        if link.index() >= n {
            let problem = format!("there is no link {}; there are {n}", link.index());
            return Err(Error::invalid("sensor", problem));
        }
        let (robot, state) = (&self.0.model, &self.0.state);
        let x = state.pose(robot, link);
        let p_b = x * p;
        let velocity = Motion {
            angular: kinematics::angular_velocity(robot, state, link),
            linear: kinematics::point_velocity(robot, state, link, p),
        };
        let acceleration = Motion {
            angular: kinematics::angular_acceleration(robot, state, link, &self.0.ddq)?,
            linear: kinematics::point_acceleration(robot, state, link, p, &self.0.ddq)?,
        };
        let [velocity, acceleration] =
            in_world(&self.0.base_motion, &p_b, &velocity, &acceleration);
        let fixed = match &self.0.base {
            Base::Fixed(base) => base.pose,
            Base::Moving(_) => self.0.base.at(0.0)?.pose,
        };
        Ok(PointMotion {
            rotation: self.0.base_motion.pose.rotation * x.rotation,
            position: self.0.base_motion.pose * p_b,
            reference: fixed
                * kinematics::world_position(&self.0.robot, &self.0.reference, link, p),
            velocity,
            acceleration,
        })
    }

    fn positions(&self) -> &[f64] {
        &self.0.outputs[0]
    }

    fn velocities(&self) -> &[f64] {
        &self.0.outputs[1]
    }

    fn accelerations(&self) -> &[f64] {
        &self.0.outputs[2]
    }

    fn residual_forces(&self) -> &[f64] {
        &self.0.outputs[3]
    }

    fn energy(&self) -> Energy {
        let (robot, state) = (&self.0.model, &self.0.state);
        let com = self.0.base_motion.pose * kinematics::com(robot, state);
        let stops = self.0.forces.stops.as_ref();
        let potential = stops.map_or(0.0, |stops| stops.energy(&self.0.q))
            - kinematics::total_mass(robot) * self.0.forces.gravity.dot(&com.coords);
        Energy {
            kinetic: self.0.kinetic,
            potential,
        }
    }
}

impl KinematicTree {
    /// Kinetic energy on a moving base.
    fn kinetic_energy_in_world(&self) -> f64 {
        let (robot, state) = (&self.model, &self.state);

        // on a moving base, the rotors' energy is that relative to their joints
        let armature = robot.armature().zip(state.velocity());
        let mut kinetic: f64 = armature.map(|(a, dq)| 0.5 * a * dq * dq).sum();
        kinetic += kernel::ball_energy(robot.tree(), state.bodies(robot), state.velocity());
        for (i, link) in robot.links().iter().enumerate() {
            let (id, inertia) = (LinkId::new(i), link.inertia());
            let velocity = Motion {
                angular: kinematics::angular_velocity(robot, state, id),
                linear: kinematics::point_velocity(robot, state, id, &inertia.com),
            };
            let x = state.pose(robot, id);
            let [v, _] = in_world(
                &self.base_motion,
                &(x * inertia.com),
                &velocity,
                &Motion::default(),
            );
            let r = self.base_motion.pose.rotation * x.rotation;
            let w = r.inverse_transform_vector(&v.angular);
            kinetic +=
                0.5 * (inertia.mass * v.linear.norm_squared() + w.dot(&(inertia.moment * w)));
        }
        kinetic
    }
}
