//! A loaded world, and the resolution of references to it.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use kinworld::planning::RobotCSpace;
use kinworld::world::{LinkRef, PairFilter, RobotId, RobotRef, Workspace, WorldCollider};
use kinworld::{EntityId, State, WorldModel, kinematics};

use crate::change::{Change, make_names_unique};
use crate::request::{Key, Posture, Refusal, Shape, Space};

/// A world, and what has been built for its queries. Each element of a kind has a name of its own.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: WorldModel,
    /// Built on first use; its poses may be older than those of the world.
    collider: Rc<OnceCell<WorldCollider>>,
    /// Configuration spaces, built on first use.
    spaces: RefCell<Vec<(RobotId, Shape, RobotCSpace)>>,
}

impl Session {
    pub(crate) fn new(mut world: WorldModel) -> Self {
        make_names_unique(&mut world);
        Self {
            world,
            collider: Rc::default(),
            spaces: RefCell::default(),
        }
    }

    /// A session with a changed world; this one stays as it is.
    pub(crate) fn changed(&self, change: &Change) -> Result<Self, Refusal> {
        let mut changed = Self::new(change.of(&self.world)?);
        if change.only_moves() {
            changed.collider = Rc::clone(&self.collider);
        }
        Ok(changed)
    }

    /// Robot of a key; the first without a key.
    pub(crate) fn robot(&self, key: Option<&Key>) -> Result<RobotRef<'_>, Refusal> {
        robot(&self.world, key)
    }

    /// Values of a configuration; those of the robot in this world where none are given.
    pub(crate) fn values(
        &self,
        robot: Option<&Key>,
        values: Option<&Vec<f64>>,
    ) -> Result<Vec<f64>, Refusal> {
        match values {
            Some(values) => Ok(values.clone()),
            None => Ok(self.robot(robot)?.config().to_vec()),
        }
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
        entity(&self.world, key)
    }

    /// Collision snapshot of the elements of the world; [`workspace`](Self::workspace) has their poses.
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

    /// Collision workspace with the robots and objects where they are in the world.
    pub(crate) fn current_workspace(&self) -> Result<Workspace, Refusal> {
        let collider = self.collider()?;
        let mut workspace = collider.workspace();
        for robot in self.world.robots() {
            if workspace.state(robot.id())?.config() != robot.config() {
                workspace.set_config(robot.id(), robot.config())?;
            }
        }
        for (id, object) in self.world.rigid_objects() {
            let moves_alone = object.geometry.is_some() && self.world.attachment(id).is_none();
            if moves_alone && workspace.pose(id)? != object.pose {
                workspace.set_pose(id, &object.pose)?;
            }
        }
        Ok(workspace)
    }

    /// Collision workspace with one robot at a posture, all else as in the world.
    pub(crate) fn workspace(&self, posture: &Posture) -> Result<Workspace, Refusal> {
        let mut workspace = self.current_workspace()?;
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

/// Robot of a key; the first without a key.
pub(crate) fn robot<'a>(world: &'a WorldModel, key: Option<&Key>) -> Result<RobotRef<'a>, Refusal> {
    if world.n_robots() == 0 {
        return Err(Refusal("the world has no robot".to_owned()));
    }
    let key = key.unwrap_or(&Key::Index(0));
    Ok(key.resolve(|name| world.robot(name), |index| world.robot(index))?)
}

/// Element of a key, by name or by Klampt id.
pub(crate) fn entity(world: &WorldModel, key: &Key) -> Result<EntityId, Refusal> {
    let ids = world.klampt_ids();
    key.resolve(
        |name| Ok(world.entity(name)?),
        |id| {
            let none = || format!("no element with id {id}; the world has {}", ids.len());
            ids.entity(id).ok_or_else(|| Refusal(none()))
        },
    )
}

/// Link of a key.
pub(crate) fn link<'a>(robot: RobotRef<'a>, key: &Key) -> Result<LinkRef<'a>, Refusal> {
    Ok(key.resolve(|name| robot.link(name), |index| robot.link(index))?)
}

/// Configuration of a list of values: one per dof, or one per driver. Dofs without a driver stay as
/// they are in the world.
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
