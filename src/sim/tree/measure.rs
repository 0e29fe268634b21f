//! Measurement of trees.

use super::KinematicTree;
use super::base::{Base, in_world};
use crate::kinematics::{self, check_length};
use crate::math::{Motion, Point};
use crate::robot::LinkId;
use crate::sim::integrator::Ode;
use crate::sim::sensor::{Energy, Mechanism, PointMotion};
use crate::{Error, Result, dynamics};

impl Mechanism for KinematicTree {
    fn evaluate(&mut self, t: f64, y: &[f64]) -> Result<()> {
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
        Ok(())
    }

    fn point_motion(&self, link: LinkId, p: &Point) -> Result<PointMotion> {
        let n = self.robot.links().len();
        if link.index() >= n {
            let problem = format!("there is no link {}; there are {n}", link.index());
            return Err(Error::invalid("sensor", problem));
        }
        let (robot, state) = (&self.model, &self.state);
        let x = state.pose(robot, link);
        let p_b = x * p;
        let velocity = Motion::new(
            kinematics::angular_velocity(robot, state, link),
            kinematics::point_velocity(robot, state, link, p),
        );
        let acceleration = Motion::new(
            kinematics::angular_acceleration(robot, state, link, &self.ddq)?,
            kinematics::point_acceleration(robot, state, link, p, &self.ddq)?,
        );
        let [velocity, acceleration] = in_world(&self.base_motion, &p_b, &velocity, &acceleration);
        let fixed = match &self.base {
            Base::Fixed(base) => base.pose,
            Base::Moving(_) => self.base.at(0.0)?.pose,
        };
        Ok(PointMotion {
            rotation: self.base_motion.pose.rotation * x.rotation,
            position: self.base_motion.pose * p_b,
            reference: fixed * kinematics::world_position(&self.robot, &self.reference, link, p),
            velocity,
            acceleration,
        })
    }

    fn positions(&self) -> &[f64] {
        &self.outputs[0]
    }

    fn velocities(&self) -> &[f64] {
        &self.outputs[1]
    }

    fn accelerations(&self) -> &[f64] {
        &self.outputs[2]
    }

    fn residual_forces(&self) -> &[f64] {
        &self.outputs[3]
    }

    fn dof_names(&self) -> Vec<String> {
        let name = |link: &LinkId| self.robot.link(*link).name().to_owned();
        self.robot.dofs().iter().map(name).collect()
    }

    fn energy(&self) -> Energy {
        let (robot, state) = (&self.model, &self.state);
        let com = self.base_motion.pose * kinematics::com(robot, state);
        let stops = self.forces.stops.as_ref();
        let potential = stops.map_or(0.0, |stops| stops.energy(&self.q))
            - kinematics::total_mass(robot) * self.forces.gravity.dot(&com.coords);
        if let Base::Fixed(_) = self.base {
            return Energy {
                kinetic: dynamics::kinetic_energy(robot, state),
                potential,
            };
        }

        // on a moving base, the rotors' energy is that relative to their joints
        let armature = robot.armature().zip(state.velocity());
        let mut kinetic: f64 = armature.map(|(a, dq)| 0.5 * a * dq * dq).sum();
        for (i, link) in robot.links().iter().enumerate() {
            let (id, inertia) = (LinkId::new(i), link.inertia());
            let velocity = Motion::new(
                kinematics::angular_velocity(robot, state, id),
                kinematics::point_velocity(robot, state, id, &inertia.com),
            );
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
        Energy { kinetic, potential }
    }
}
