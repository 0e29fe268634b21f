//! A loaded world, and the resolution of references to it.

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use kinworld::planning::RobotCSpace;
use kinworld::world::{LinkRef, PairFilter, RobotId, RobotRef, Workspace, WorldCollider};
use kinworld::{Diagnostic, DofId, EntityId, State, WorldModel};

use crate::args::Missing;
use crate::change::{Change, make_names_unique};
use crate::hints::Hints;
use crate::missing;
use crate::request::{Config, Key, Posture, Refusal, Shape, Space};

/// A world, and what has been built for its queries. Each element of a kind has a name of its own.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: WorldModel,
    /// The files that it was read from, those that they name included.
    pub(crate) inputs: Vec<PathBuf>,
    /// Pairs that count.
    filter: PairFilter,
    /// Built on first use; its poses may be older than those of the world.
    collider: Arc<OnceLock<WorldCollider>>,
    /// Configuration spaces, built on first use.
    spaces: RefCell<Vec<(RobotId, Shape, RobotCSpace)>>,
    /// Hints about the current request.
    hints: RefCell<Hints>,
}

impl Session {
    pub(crate) fn new(mut world: WorldModel) -> Self {
        make_names_unique(&mut world);
        Self {
            world,
            inputs: Vec::new(),
            filter: PairFilter::default(),
            collider: Arc::default(),
            spaces: RefCell::default(),
            hints: RefCell::default(),
        }
    }

    /// A session with a changed world; this one stays as it is.
    pub(crate) fn changed(&self, change: &Change) -> Result<Self, Refusal> {
        let mut changed = self.with_world(change.of(&self.world)?);
        if change.only_moves() {
            changed.collider = Arc::clone(&self.collider);
        }
        Ok(changed)
    }

    /// A session with another world, in which the same pairs count.
    pub(crate) fn with_world(&self, world: WorldModel) -> Self {
        let mut other = Self::new(world);
        other.filter = self.filter.clone();
        other.inputs.clone_from(&self.inputs);
        other
    }

    /// The same session, which accepts missing geometry if asked to.
    pub(crate) fn allowing(mut self, missing: Missing) -> Self {
        if missing.allow_missing_geometry {
            self.filter = self.filter.allow_missing_geometry();
        }
        self
    }

    /// Robot of a key; the first without a key.
    pub(crate) fn robot(&self, key: Option<&Key>) -> Result<RobotRef<'_>, Refusal> {
        robot(&self.world, key)
    }

    /// Values of a configuration; those of the robot in this world where none are given.
    pub(crate) fn values(
        &self,
        robot: Option<&Key>,
        values: Option<&Config>,
    ) -> Result<Config, Refusal> {
        match values {
            Some(values) => Ok(values.clone()),
            None => Ok(self.robot(robot)?.config().to_vec().into()),
        }
    }

    /// A robot and its state for a posture.
    pub(crate) fn posed(&self, posture: &Posture) -> Result<(RobotRef<'_>, State), Refusal> {
        self.posed_in(posture, None)
    }

    /// A robot and its state for a posture, whose named states are those of a group if that has them.
    pub(crate) fn posed_in(
        &self,
        posture: &Posture,
        group: Option<&str>,
    ) -> Result<(RobotRef<'_>, State), Refusal> {
        let robot = self.robot(posture.robot.as_ref())?;
        let mut state = robot.state().clone();
        if let Some(values) = &posture.config {
            let q = values.resolve(robot, robot.config(), group)?;
            state.set_config(robot.model(), &q)?;
        }
        let mut hints = self.hints.borrow_mut();
        hints.check_limits(robot, state.config(), posture.degrees);
        Ok((robot, state))
    }

    /// Notes the joints of robots that are beyond their limits.
    pub(crate) fn check_limits(&self, robots: &[RobotId]) -> Result<(), Refusal> {
        let mut hints = self.hints.borrow_mut();
        for &id in robots {
            let robot = self.world.robot(id)?;
            hints.check_limits(robot, robot.config(), false);
        }
        Ok(())
    }

    /// Link of a key; a joint stands for the link that it moves.
    pub(crate) fn link<'a>(&self, robot: RobotRef<'a>, key: &Key) -> Result<LinkRef<'a>, Refusal> {
        let found = link(robot, key)?;
        if let Key::Name(name) | Key::Word(name) = key
            && name != found.name()
            && found.model().joint_name() == Some(name.as_str())
        {
            let sentence = format!("`{name}` is a joint; its link `{}` is taken", found.name());
            self.hint(sentence);
        }
        Ok(found)
    }

    /// Adds a hint about the current request.
    pub(crate) fn hint(&self, sentence: String) {
        self.hints.borrow_mut().add(sentence);
    }

    /// Adds warnings about a file that the current request names.
    pub(crate) fn warn(&self, diagnostics: Vec<Diagnostic>) {
        self.hints.borrow_mut().warnings.extend(diagnostics);
    }

    /// Hints about the current request, which ends with it.
    pub(crate) fn take_hints(&self) -> Hints {
        self.hints.take()
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
        let collider = WorldCollider::new(&self.world, &self.filter)?;
        Ok(self.collider.get_or_init(|| collider))
    }

    /// Names of the elements whose missing geometry could hide a collision.
    pub(crate) fn missing(&self) -> Result<Vec<String>, Refusal> {
        let missing = self.collider()?.missing_geometry();
        Ok(missing::names(&self.world, missing))
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
                let built = self.space_of(&[robot.id()], space.shape)?;
                spaces.push((robot.id(), space.shape, built));
                spaces.len() - 1
            }
        };
        ask(robot, &mut spaces[at].2)
    }

    /// The configuration space of several robots.
    pub(crate) fn space_of(
        &self,
        robots: &[RobotId],
        shape: Shape,
    ) -> Result<RobotCSpace, Refusal> {
        let other;
        let world = match shape {
            Shape::Mesh => &self.world,
            Shape::Hull => {
                other = self.world.with_hulls()?;
                &other
            }
            Shape::Spheres => {
                other = self.world.with_spheres(SPHERES)?;
                &other
            }
        };
        Ok(RobotCSpace::with_filter(world, robots, &self.filter)?)
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
            let q = configured(robot, values)?;
            workspace.set_config(robot.id(), &q)?;
            let mut hints = self.hints.borrow_mut();
            hints.check_limits(robot, &q, posture.degrees);
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

/// Dofs of a group.
pub(crate) fn dofs_of(robot: RobotRef<'_>, group: &str) -> Result<Vec<DofId>, Refusal> {
    let model = robot.model();
    if model.groups().is_empty() {
        let name = robot.name();
        let problem = format!("`{name}` has no groups; --srdf {name}=FILE reads those of an SRDF");
        return Err(Refusal(problem));
    }
    let dofs = model.dofs_of(model.group(group)?);
    if dofs.is_empty() {
        return Err(Refusal(format!("group `{group}` has no joint that moves")));
    }
    Ok(dofs)
}

/// Link of a key; a joint stands for the link that it moves.
pub(crate) fn link<'a>(robot: RobotRef<'a>, key: &Key) -> Result<LinkRef<'a>, Refusal> {
    let model = robot.model();
    let by_name = |name: &str| match (robot.link(name), model.link_of_joint(name)) {
        (Err(_), Ok(link)) => Ok(robot.link(link)?),
        (link, _) => Ok(link?),
    };
    key.resolve(by_name, |index| Ok(robot.link(index)?))
}

/// Configuration of a list of values: one per dof, or one per driver. Dofs without a driver stay as they are in the world.
pub(crate) fn configuration(robot: RobotRef<'_>, values: &[f64]) -> Result<Vec<f64>, Refusal> {
    configured(robot, &Config::from(values.to_vec()))
}

/// Configuration as given; dofs that are not given stay as they are in the world.
pub(crate) fn configured(robot: RobotRef<'_>, config: &Config) -> Result<Vec<f64>, Refusal> {
    config.resolve(robot, robot.config(), None)
}
