//! A loaded world, and what requests point at in it.

use std::cell::{OnceCell, RefCell};

use kinworld::planning::RobotCSpace;
use kinworld::world::{LinkRef, PairFilter, RobotId, RobotRef, Workspace, WorldCollider};
use kinworld::{EntityId, State, WorldModel, kinematics};

use crate::request::{Key, Place, Posture, Refusal, Shape};

/// A world as it was loaded. Requests look at it and change nothing.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: WorldModel,
    /// Made when it is asked for: many sessions never do.
    collider: OnceCell<WorldCollider>,
    /// Spaces of robots that were asked for.
    spaces: RefCell<Vec<(RobotId, Shape, RobotCSpace)>>,
}

impl Session {
    pub(crate) fn new(world: WorldModel) -> Self {
        Self {
            world,
            collider: OnceCell::new(),
            spaces: RefCell::default(),
        }
    }

    /// The robot that a key points at; without a key, the first.
    pub(crate) fn robot(&self, key: Option<&Key>) -> Result<RobotRef<'_>, Refusal> {
        if self.world.n_robots() == 0 {
            return Err(Refusal("the world has no robot".to_owned()));
        }
        let key = key.unwrap_or(&Key::Index(0));
        Ok(key.look_up(
            |name| self.world.robot(name),
            |index| self.world.robot(index),
        )?)
    }

    /// A robot, and where the posture has it.
    pub(crate) fn posed(&self, posture: &Posture) -> Result<(RobotRef<'_>, State), Refusal> {
        let robot = self.robot(posture.robot.as_ref())?;
        let mut state = robot.state().clone();
        if let Some(values) = &posture.config {
            state.set_config(robot.model(), &configuration(robot, values)?)?;
        }
        Ok((robot, state))
    }

    /// The element that a key points at, by name or by Klampt's number.
    pub(crate) fn entity(&self, key: &Key) -> Result<EntityId, Refusal> {
        let ids = self.world.klampt_ids();
        key.look_up(
            |name| Ok(self.world.entity(name)?),
            |id| {
                let none = || format!("no element with id {id}; the world has {}", ids.len());
                ids.entity(id).ok_or_else(|| Refusal(none()))
            },
        )
    }

    /// The world, frozen for collision.
    pub(crate) fn collider(&self) -> Result<&WorldCollider, Refusal> {
        if let Some(collider) = self.collider.get() {
            return Ok(collider);
        }
        let collider = WorldCollider::new(&self.world, &PairFilter::default())?;
        Ok(self.collider.get_or_init(|| collider))
    }

    /// Asks the space of a robot's configurations.
    pub(crate) fn in_space<T>(
        &self,
        place: &Place,
        ask: impl FnOnce(RobotRef<'_>, &mut RobotCSpace) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let robot = self.robot(place.robot.as_ref())?;
        let mut spaces = self.spaces.borrow_mut();
        let is_it =
            |(id, shape, _): &(RobotId, Shape, _)| (*id, *shape) == (robot.id(), place.shape);
        let at = match spaces.iter().position(is_it) {
            Some(at) => at,
            None => {
                let space = match place.shape {
                    Shape::Mesh => RobotCSpace::new(&self.world, &[robot.id()])?,
                    Shape::Hull => RobotCSpace::new(&self.world.with_hulls()?, &[robot.id()])?,
                    Shape::Spheres => {
                        RobotCSpace::new(&self.world.with_spheres(SPHERES)?, &[robot.id()])?
                    }
                };
                spaces.push((robot.id(), place.shape, space));
                spaces.len() - 1
            }
        };
        ask(robot, &mut spaces[at].2)
    }

    /// All robots as loaded, but for the one that the posture moves.
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

/// The most balls around a link, where nobody says how many.
pub(crate) const SPHERES: usize = 16;

/// The link that a key points at.
pub(crate) fn link<'a>(robot: RobotRef<'a>, key: &Key) -> Result<LinkRef<'a>, Refusal> {
    Ok(key.look_up(|name| robot.link(name), |index| robot.link(index))?)
}

/// The configuration that values stand for: one per coordinate, or else one per driver. Coordinates
/// without a driver stay as loaded.
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
