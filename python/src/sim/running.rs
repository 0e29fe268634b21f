//! Bodies in redundant coordinates in a run.

use kinworld::sim::{
    Evaluation, ImplicitEnd, ImplicitStep, IntegratorState, Mechanism, MultibodySystem as Bodies,
    Ode, Pd, RobotBodies, SystemEvaluation,
};

use super::control::{Controlled, refused};

/// A system in a run.
pub(super) struct Running {
    pub(super) system: Bodies,
    pub(super) robot: Option<RobotBodies>,
    pub(super) pd: Pd,
}

impl Controlled for Running {
    fn motion(&mut self, state: &IntegratorState) -> kinworld::Result<[Vec<f64>; 2]> {
        if let Some(robot) = &self.robot {
            return robot.motion(&mut self.system, state);
        }
        let now = self.system.at(state.t, &state.y)?;
        Ok([now.positions().to_vec(), now.velocities().to_vec()])
    }

    fn command(&mut self, forces: Vec<f64>) -> kinworld::Result<()> {
        if let Some(robot) = &mut self.robot {
            return robot.set_pd(&mut self.system, &self.pd, &forces);
        }
        if forces.len() != self.system.drives.len() {
            let problem = format!(
                "gave {} forces, the system has {} drives",
                forces.len(),
                self.system.drives.len()
            );
            return Err(refused("controller", problem));
        }
        for (drive, force) in self.system.drives.iter_mut().zip(forces) {
            drive.force = force;
        }
        Ok(())
    }
}

impl Ode for Running {
    fn size(&self) -> usize {
        self.system.size()
    }

    fn rates(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> kinworld::Result<()> {
        self.system.rates(t, y, dy)
    }

    fn is_second_order(&self) -> bool {
        self.system.is_second_order()
    }

    fn label(&self, i: usize) -> String {
        self.system.label(i)
    }

    fn post_step(&mut self, t: f64, y: &mut [f64]) -> kinworld::Result<bool> {
        self.system.post_step(t, y)
    }

    fn n_implicit_accelerations(&self) -> Option<usize> {
        self.system.n_implicit_accelerations()
    }

    fn implicit_step(
        &mut self,
        step: &ImplicitStep<'_>,
        end: &mut ImplicitEnd<'_>,
    ) -> kinworld::Result<()> {
        self.system.implicit_step(step, end)
    }
}

impl Mechanism for Running {
    type Evaluation<'a> = SystemEvaluation<'a>;

    fn at(&mut self, t: f64, y: &[f64]) -> kinworld::Result<SystemEvaluation<'_>> {
        self.system.at(t, y)
    }

    fn dof_names(&self) -> Vec<String> {
        self.system.dof_names()
    }
}
