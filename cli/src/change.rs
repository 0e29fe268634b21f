//! Changes of a world between requests: configurations, poses, attachments, elements that go.

use kinworld::world::RobotId;
use kinworld::{EntityId, Pose, Rotation, WorldModel};

use crate::request::{Config, Key, Refusal};
use crate::session::{configured, entity, link, robot};

/// A change of a world: what goes first, then what moves, then what is attached.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Change {
    /// Rigid objects to detach from their links.
    pub(crate) detach: Vec<Key>,
    /// Elements to remove.
    pub(crate) remove: Vec<Key>,
    /// Robots and their configurations.
    pub(crate) robots: Vec<(Key, Config)>,
    /// Rigid objects and their poses.
    pub(crate) objects: Vec<(Key, PartialPose)>,
    /// Rigid objects to attach to links.
    pub(crate) attach: Vec<Attach>,
}

/// A pose in the world, of which parts may be left out: these stay as they are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct PartialPose {
    pub(crate) translation: Option<[f64; 3]>,
    pub(crate) rotation: Option<Rotation>,
}

/// A rigid object, and the link that it is attached to where it is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attach {
    pub(crate) object: Key,
    /// The first robot where none is given.
    pub(crate) robot: Option<Key>,
    pub(crate) link: Key,
    /// Elements that the object may touch besides its link.
    pub(crate) touch: Vec<Key>,
}

impl Change {
    /// Returns whether robots and objects move, and nothing else changes.
    pub(crate) fn only_moves(&self) -> bool {
        self.detach.is_empty() && self.remove.is_empty() && self.attach.is_empty()
    }

    /// The changed world; the given one stays as it is.
    pub(crate) fn of(&self, world: &WorldModel) -> Result<WorldModel, Refusal> {
        // a clone shares robots and geometry
        let mut world = world.clone();
        for key in &self.detach {
            let object = object(&world, key)?;
            world.detach(object)?;
        }
        for key in &self.remove {
            let gone = entity(&world, key)?;
            world.remove(gone)?;
        }
        for (key, config) in &self.robots {
            let robot = robot(&world, Some(key))?;
            let (id, q) = (robot.id(), configured(robot, config)?);
            world.robot_mut(id)?.set_config(&q)?;
        }
        for (key, pose) in &self.objects {
            let object = object(&world, key)?;
            let now = world.rigid_object(object)?.pose;
            let translation = pose.translation.map_or(now.translation, Into::into);
            let rotation = pose.rotation.unwrap_or(now.rotation);
            let pose = Pose::from_parts(translation, rotation);
            world.rigid_object_mut(object)?.set_pose(&pose)?;
        }
        for attach in &self.attach {
            let object = object(&world, &attach.object)?;
            let holder = link(robot(&world, attach.robot.as_ref())?, &attach.link)?.entity();
            let touch = attach.touch.iter().map(|key| entity(&world, key));
            let touch: Vec<EntityId> = touch.collect::<Result<_, _>>()?;
            world.attach(object, holder, &touch)?;
        }
        Ok(world)
    }

    /// Robots that get a configuration.
    pub(crate) fn moved_robots(&self, world: &WorldModel) -> Result<Vec<RobotId>, Refusal> {
        let id = |(key, _): &(Key, _)| Ok(robot(world, Some(key))?.id());
        self.robots.iter().map(id).collect()
    }
}

/// Rigid object of a key: by name, or by index in load order.
fn object(world: &WorldModel, key: &Key) -> Result<kinworld::world::RigidObjectId, Refusal> {
    Ok(key.resolve(
        |name| world.rigid_object_id(name),
        |index| world.rigid_object_id(index),
    )?)
}

/// Renames elements whose name an earlier one of the same kind has: `arm`, `arm#2`, `arm#3`.
pub(crate) fn make_names_unique(world: &mut WorldModel) {
    use std::collections::BTreeSet;

    let kinds: [Vec<EntityId>; 3] = [
        world.terrains().map(|(id, _)| id.into()).collect(),
        world.rigid_objects().map(|(id, _)| id.into()).collect(),
        world.robots().map(|robot| robot.id().into()).collect(),
    ];
    for elements in kinds {
        let names: Vec<String> = elements
            .iter()
            .map(|&id| world.name(id).unwrap_or_default())
            .collect();
        let all: BTreeSet<&String> = names.iter().collect();
        if all.len() == names.len() {
            continue;
        }
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for (&id, name) in elements.iter().zip(&names) {
            let mut unique = name.clone();
            let mut n = 1_usize;
            while taken.contains(&unique) || (n > 1 && all.contains(&unique)) {
                n += 1;
                unique = format!("{name}#{n}");
            }
            if n > 1 {
                // the handle is of this world, and no link
                let _ = world.rename(id, unique.clone());
            }
            taken.insert(unique);
        }
    }
}
