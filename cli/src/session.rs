//! A loaded world, and the resolution of references to it.

use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;

use kinworld::planning::RobotCSpace;
use kinworld::world::{LinkRef, PairFilter, RobotId, RobotRef, Workspace, WorldCollider};
use kinworld::{EntityId, State, WorldModel, kinematics};

use crate::request::{Key, Posture, Refusal, Shape, Space};

/// A world as loaded, which requests do not change.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: WorldModel,
    /// The files that it was read from, those that they name included.
    pub(crate) inputs: Vec<PathBuf>,
    /// Built on first use.
    collider: OnceCell<WorldCollider>,
    /// Configuration spaces, built on first use.
    spaces: RefCell<Vec<(RobotId, Shape, RobotCSpace)>>,
}

impl Session {
    pub(crate) fn new(world: WorldModel) -> Self {
        Self {
            world,
            inputs: Vec::new(),
            collider: OnceCell::new(),
            spaces: RefCell::default(),
        }
    }

    /// Robot of a key; the first without a key.
    pub(crate) fn robot(&self, key: Option<&Key>) -> Result<RobotRef<'_>, Refusal> {
        if self.world.n_robots() == 0 {
            return Err(Refusal("the world has no robot".to_owned()));
        }
        let key = key.unwrap_or(&Key::Index(0));
        Ok(key.resolve(
            |name| self.world.robot(name),
            |index| self.world.robot(index),
        )?)
    }

    /// A robot and its state for a posture.
    pub(crate) fn posed(&self, posture: &Posture) -> Result<(RobotRef<'_>, State), Refusal> {
        let robot = self.robot(posture.robot.as_ref())?;
        let mut state = robot.state().clone();
        if let Some(values) = &posture.config {
            state.set_config(robot.model(), &configuration(robot, values)?)?;
        }
        Ok((robot, state))
    }

    /// Element of a key, by name or by Klampt id.
    pub(crate) fn entity(&self, key: &Key) -> Result<EntityId, Refusal> {
        let ids = self.world.klampt_ids();
        key.resolve(
            |name| Ok(self.world.entity(name)?),
            |id| {
                let none = || format!("no element with id {id}; the world has {}", ids.len());
                ids.entity(id).ok_or_else(|| Refusal(none()))
            },
        )
    }

    /// Collision snapshot of the world.
    pub(crate) fn collider(&self) -> Result<&WorldCollider, Refusal> {
        if let Some(collider) = self.collider.get() {
            return Ok(collider);
        }
        let collider = WorldCollider::new(&self.world, &PairFilter::default())?;
        Ok(self.collider.get_or_init(|| collider))
    }

    /// Calls a function with the configuration space of a robot.
    pub(crate) fn in_space<T>(
        &self,
        space: &Space,
        ask: impl FnOnce(RobotRef<'_>, &mut RobotCSpace) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let robot = self.robot(space.robot.as_ref())?;
        let mut spaces = self.spaces.borrow_mut();
        let is_it =
            |(id, shape, _): &(RobotId, Shape, _)| (*id, *shape) == (robot.id(), space.shape);
        let at = match spaces.iter().position(is_it) {
            Some(at) => at,
            None => {
                let built = match space.shape {
                    Shape::Mesh => RobotCSpace::new(&self.world, &[robot.id()])?,
                    Shape::Hull => RobotCSpace::new(&self.world.with_hulls()?, &[robot.id()])?,
                    Shape::Spheres => {
                        RobotCSpace::new(&self.world.with_spheres(SPHERES)?, &[robot.id()])?
                    }
                };
                spaces.push((robot.id(), space.shape, built));
                spaces.len() - 1
            }
        };
        ask(robot, &mut spaces[at].2)
    }

    /// Collision workspace with one robot at a posture, the others as loaded.
    pub(crate) fn workspace(&self, posture: &Posture) -> Result<Workspace, Refusal> {
        let mut workspace = self.collider()?.workspace();
        if posture.robot.is_none() && posture.config.is_none() {
            return Ok(workspace);
        }
        let robot = self.robot(posture.robot.as_ref())?;
        if let Some(values) = &posture.config {
            workspace.set_config(robot.id(), &configuration(robot, values)?)?;
        }
        Ok(workspace)
    }
}

/// Default maximum number of spheres per link.
pub(crate) const SPHERES: usize = 16;

/// Link of a key.
pub(crate) fn link<'a>(robot: RobotRef<'a>, key: &Key) -> Result<LinkRef<'a>, Refusal> {
    Ok(key.resolve(|name| robot.link(name), |index| robot.link(index))?)
}

/// Configuration of a list of values: one per dof, or one per driver. Dofs without a driver stay as
/// loaded.
pub(crate) fn configuration(robot: RobotRef<'_>, values: &[f64]) -> Result<Vec<f64>, Refusal> {
    let model = robot.model();
    let (n, n_drivers) = (model.n_dofs(), model.drivers().len());
    if values.len() == n {
        return Ok(values.to_vec());
    }
    if values.len() == n_drivers {
        let mut q = robot.config().to_vec();
        kinematics::config_from_drivers(model, values, &mut q)?;
        return Ok(q);
    }
    let drivers = if n == n_drivers {
        String::new()
    } else {
        format!(", or {n_drivers} for its drivers")
    };
    Err(Refusal(format!(
        "a configuration of `{}` needs {n} values{drivers}, got {}",
        robot.name(),
        values.len()
    )))
}
