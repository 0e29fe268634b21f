//! Worlds as data: robots, objects and terrains themselves, not the files that they were read from.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{EntityId, RigidObject, RigidObjectId, RobotId, Terrain, WorldModel};
use crate::math::Pose;
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Serialized form of a world, validated when it is read. Elements are named by their place in it, since handles are given anew.
#[derive(Serialize, Deserialize)]
pub(super) struct RawWorld {
    robots: Vec<RawRobot>,
    rigid_objects: Vec<RigidObject>,
    terrains: Vec<Terrain>,
    #[serde(default)]
    attachments: Vec<RawAttachment>,
    #[serde(default)]
    ignored_pairs: Vec<(RawEntity, RawEntity)>,
    #[serde(default)]
    properties: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct RawRobot {
    name: String,
    robot: Arc<Robot>,
    config: Vec<f64>,
    velocity: Vec<f64>,
    #[serde(default)]
    properties: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct RawAttachment {
    object: usize,
    robot: usize,
    link: usize,
    pose_in_link: Pose,
    touch: Vec<RawEntity>,
}

#[derive(Serialize, Deserialize)]
enum RawEntity {
    Robot(usize),
    Link(usize, usize),
    RigidObject(usize),
    Terrain(usize),
}

/// Places of the elements of a world.
struct Places {
    robots: Vec<RobotId>,
    objects: Vec<RigidObjectId>,
    terrains: Vec<super::TerrainId>,
}

impl Places {
    fn of(world: &WorldModel) -> Self {
        Self {
            robots: world.robots().map(|robot| robot.id()).collect(),
            objects: world.rigid_objects().map(|(id, _)| id).collect(),
            terrains: world.terrains().map(|(id, _)| id).collect(),
        }
    }

    fn robot(&self, id: RobotId) -> Option<usize> {
        self.robots.iter().position(|&other| other == id)
    }

    fn entity(&self, id: EntityId) -> Option<RawEntity> {
        Some(match id {
            EntityId::Robot(id) => RawEntity::Robot(self.robot(id)?),
            EntityId::Link(id, link) => RawEntity::Link(self.robot(id)?, link.index()),
            EntityId::RigidObject(id) => {
                RawEntity::RigidObject(self.objects.iter().position(|&other| other == id)?)
            }
            EntityId::Terrain(id) => {
                RawEntity::Terrain(self.terrains.iter().position(|&other| other == id)?)
            }
        })
    }

    fn id(&self, entity: &RawEntity) -> Result<EntityId> {
        Ok(match *entity {
            RawEntity::Robot(at) => EntityId::Robot(get(&self.robots, at)?),
            RawEntity::Link(at, link) => EntityId::Link(get(&self.robots, at)?, LinkId::new(link)),
            RawEntity::RigidObject(at) => EntityId::RigidObject(get(&self.objects, at)?),
            RawEntity::Terrain(at) => EntityId::Terrain(get(&self.terrains, at)?),
        })
    }
}

fn get<T: Copy>(all: &[T], at: usize) -> Result<T> {
    let found = all.get(at).copied();
    found.ok_or_else(|| {
        let problem = format!(
            "names element {at}, but there are {} of its kind",
            all.len()
        );
        Error::invalid("serialized world", problem)
    })
}

impl From<WorldModel> for RawWorld {
    fn from(world: WorldModel) -> Self {
        let places = Places::of(&world);
        let attachments = world.attachments().filter_map(|(object, attachment)| {
            Some(RawAttachment {
                object: places.objects.iter().position(|&id| id == object)?,
                robot: places.robot(attachment.robot())?,
                link: attachment.link().index(),
                pose_in_link: *attachment.pose_in_link(),
                touch: attachment
                    .touch()
                    .filter_map(|id| places.entity(id))
                    .collect(),
            })
        });
        let ignored = world
            .ignored_pairs()
            .filter_map(|(a, b)| Some((places.entity(a)?, places.entity(b)?)));
        Self {
            attachments: attachments.collect(),
            ignored_pairs: ignored.collect(),
            robots: world
                .robots()
                .map(|robot| RawRobot {
                    name: robot.name().to_owned(),
                    robot: Arc::clone(robot.model()),
                    config: robot.config().to_vec(),
                    velocity: robot.velocity().to_vec(),
                    properties: robot.properties().clone(),
                })
                .collect(),
            rigid_objects: world
                .rigid_objects()
                .map(|(_, object)| object.clone())
                .collect(),
            terrains: world
                .terrains()
                .map(|(_, terrain)| terrain.clone())
                .collect(),
            properties: world.properties().clone(),
        }
    }
}

impl TryFrom<RawWorld> for WorldModel {
    type Error = Error;

    fn try_from(raw: RawWorld) -> Result<Self> {
        let mut world = Self::new();
        for raw in raw.robots {
            let id = world.add_robot(raw.robot);
            world.rename(id, raw.name)?;
            let mut robot = world.robot_mut(id)?;
            robot.set_config(&raw.config)?;
            robot.set_velocity(&raw.velocity)?;
            *world.properties_of_mut(id)? = raw.properties;
        }
        for object in raw.rigid_objects {
            world.add_rigid_object(object)?;
        }
        for terrain in raw.terrains {
            world.add_terrain(terrain)?;
        }
        let places = Places::of(&world);
        for raw in &raw.attachments {
            let touch: Result<Vec<EntityId>> =
                raw.touch.iter().map(|entity| places.id(entity)).collect();
            let (object, robot) = (
                get(&places.objects, raw.object)?,
                get(&places.robots, raw.robot)?,
            );
            let link = LinkId::new(raw.link);
            world.grasp(object, (robot, link), &raw.pose_in_link, &touch?)?;
        }
        for (a, b) in &raw.ignored_pairs {
            world.ignore_pair(places.id(a)?, places.id(b)?)?;
        }
        *world.properties_mut() = raw.properties;
        Ok(world)
    }
}
