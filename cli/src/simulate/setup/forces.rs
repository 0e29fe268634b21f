//! Forces of a setup.

use kinworld::math::Wrench;
use kinworld::robot::JointKind;
use kinworld::sim::{Forces, JointStops, Pd};
use kinworld::world::RobotRef;
use kinworld::{Robot, Vector};
use serde::Deserialize;

use super::Setup;
use crate::request::{Key, Refusal};
use crate::session;

/// Gains and targets of a controller of all joints.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::simulate) struct Gains {
    p: Each,
    d: Each,
    position: Vec<f64>,
    velocity: Option<Vec<f64>>,
}

/// One value for all degrees of freedom, or one for each.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Each {
    All(f64),
    One(Vec<f64>),
}

/// Dry friction: off, on, or on with this slip velocity, rad/s or m/s.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(in crate::simulate) enum Friction {
    Is(bool),
    Slip(f64),
}

/// Stops at the joint limits: off, on, or on with these parameters.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(in crate::simulate) enum Stops {
    Is(bool),
    All(Damper),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::simulate) struct Damper {
    stiffness: f64,
    #[serde(default)]
    damping: f64,
}

/// Force and moment on a link, constant in world axes; the force acts at the origin of the link.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::simulate) struct Load {
    link: String,
    #[serde(default)]
    force: [f64; 3],
    #[serde(default)]
    moment: [f64; 3],
}

impl Setup {
    /// Forces on a robot that starts at the configuration `q`.
    pub(in crate::simulate) fn forces(
        &self,
        robot: RobotRef<'_>,
        q: &[f64],
    ) -> Result<Forces, Refusal> {
        let model = robot.model();
        let mut forces = if self.ideal == Some(true) {
            Forces::default()
        } else {
            Forces::of_robot(model, q)?
        };
        if let Some(gravity) = self.gravity {
            forces.gravity = Vector::from(gravity);
        }
        forces.joint = self.torque.clone().unwrap_or_default();
        forces.pd = self.pd(robot)?;
        for load in self.wrenches.iter().flatten() {
            let link = session::link(robot, &Key::Word(load.link.clone()))?.id();
            let wrench = Wrench {
                moment: load.moment.into(),
                force: load.force.into(),
            };
            forces.wrenches.push((link, wrench));
        }
        match self.friction {
            None => {}
            Some(Friction::Is(false)) => forces.friction = None,
            Some(Friction::Is(true)) => forces.friction = Some(Forces::FRICTION_SMOOTHING),
            Some(Friction::Slip(slip)) => forces.friction = Some(slip),
        }
        match self.stops {
            None => {}
            Some(Stops::Is(false)) => forces.stops = None,
            Some(Stops::Is(true)) => forces.stops = Some(JointStops::of_robot(model, q)?),
            Some(Stops::All(Damper { stiffness, damping })) => {
                forces.stops = Some(JointStops::new(model, stiffness, damping));
            }
        }
        Ok(forces)
    }

    /// Controller of the joints.
    fn pd(&self, robot: RobotRef<'_>) -> Result<Pd, Refusal> {
        let Some(gains) = &self.pd else {
            return Ok(Pd::default());
        };
        let model = robot.model();
        Ok(Pd::default()
            .with_p(gains.p.list(model))
            .with_d(gains.d.list(model))
            .with_position(session::configuration(robot, &gains.position)?)
            .with_velocity(match &gains.velocity {
                Some(velocity) => velocity.clone(),
                None => vec![0.0; model.n_dofs()],
            }))
    }
}

impl Each {
    /// One gain per degree of freedom; a common gain leaves out the virtual links of bases.
    fn list(&self, model: &Robot) -> Vec<f64> {
        match self {
            Self::One(list) => list.clone(),
            Self::All(gain) => {
                let of = |link| match model.joint_of(link).map(|joint| joint.kind) {
                    None | Some(JointKind::Normal | JointKind::Spin) => *gain,
                    Some(_) => 0.0,
                };
                model.dofs().iter().map(|&link| of(link)).collect()
            }
        }
    }
}
