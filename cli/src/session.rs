//! A loaded world, and the resolution of references to it.

use std::cell::{OnceCell, RefCell};
use std::path::PathBuf;

use kinworld::planning::RobotCSpace;
use kinworld::world::{LinkRef, PairFilter, RobotId, RobotRef, Workspace, WorldCollider};
use kinworld::{DofId, EntityId, State, WorldModel};

use crate::args::Missing;
use crate::hints::Hints;
use crate::missing;
use crate::request::{Config, Key, Posture, Refusal, Shape, Space};

/// A world as loaded, which requests do not change.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) world: WorldModel,
    /// The files that it was read from, those that they name included.
    pub(crate) inputs: Vec<PathBuf>,
    /// Pairs that count.
    filter: PairFilter,
    /// Built on first use.
    collider: OnceCell<WorldCollider>,
    /// Configuration spaces, built on first use.
    spaces: RefCell<Vec<(RobotId, Shape, RobotCSpace)>>,
    /// Hints about the current request.
    hints: RefCell<Hints>,
}

impl Session {
    pub(crate) fn new(world: WorldModel) -> Self {
        Self {
            world,
            inputs: Vec::new(),
            filter: PairFilter::default(),
            collider: OnceCell::new(),
            spaces: RefCell::default(),
            hints: RefCell::default(),
        }
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

    /// Hints about the current request, which ends with it.
    pub(crate) fn take_hints(&self) -> Hints {
        self.hints.take()
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
                let other;
                let world = match space.shape {
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
                let built = RobotCSpace::with_filter(world, &[robot.id()], &self.filter)?;
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

/// Configuration of a list of values: one per dof, or one per driver. Dofs without a driver stay as loaded.
pub(crate) fn configuration(robot: RobotRef<'_>, values: &[f64]) -> Result<Vec<f64>, Refusal> {
    configured(robot, &Config::from(values.to_vec()))
}

/// Configuration as given; dofs that are not given stay as loaded.
pub(crate) fn configured(robot: RobotRef<'_>, config: &Config) -> Result<Vec<f64>, Refusal> {
    config.resolve(robot, robot.config(), None)
}
