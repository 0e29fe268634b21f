//! Motion of a robot that became a multibody system.

use super::{MultibodySystem, RobotBodies};
use crate::Result;
use crate::kinematics;
use crate::sim::integrator::IntegratorState;

impl RobotBodies {
    /// Configuration and velocity (n each) at this state.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length), or errors of the values.
    pub fn motion(
        &self,
        system: &mut MultibodySystem,
        state: &IntegratorState,
    ) -> Result<[Vec<f64>; 2]> {
        let (mut q, mut dq) = (vec![0.0; self.dofs.len()], vec![0.0; self.dofs.len()]);
        self.config_into(system, state.t, &state.y, &mut q, &mut dq)?;
        Ok([q, dq])
    }

    /// Writes the configuration and the velocity (n each) at a time and values, without allocation: for the observers
    /// that control a robot.
    ///
    /// # Errors
    ///
    /// As [`motion`](Self::motion), and [`Error::Length`](crate::Error::Length) where `q` or `dq` does not have one value per dof.
    pub fn config_into(
        &self,
        system: &mut MultibodySystem,
        t: f64,
        y: &[f64],
        q: &mut [f64],
        dq: &mut [f64],
    ) -> Result<()> {
        kinematics::check_length("configuration", self.dofs.len(), q)?;
        kinematics::check_length("velocity", self.dofs.len(), dq)?;
        kinematics::check_values("state", 13 * system.bodies.len(), y)?;
        system.update_kinematics(t, y)?;
        q.copy_from_slice(self.space.offset());
        dq.fill(0.0);
        let Some(plan) = &system.plan else {
            return Ok(());
        };
        for (i, at) in self.dofs.iter().enumerate() {
            if let Some(at) = at {
                let [c, v, _] = system.scratch.dof_motion(plan, at.joint.index());
                (q[i], dq[i]) = (c[at.index] / at.scale, v[at.index] / at.scale);
            }
        }
        Ok(())
    }
}
