//! Models as bytes: data, not paths, so that another machine needs no files.

use std::collections::BTreeMap;
use std::sync::Arc;

use kinworld::nalgebra::Matrix3;
use kinworld::world::{RigidObject, Terrain};
use kinworld::{Geometry, LinkId, MissingGeometry, Point, Pose, Robot, WorldModel};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::error;

/// Number of the format, before the data.
const VERSION: u8 = 1;

/// A value as bytes.
pub(crate) fn to_bytes<T: Serialize>(value: &T) -> PyResult<Vec<u8>> {
    let mut bytes = vec![VERSION];
    let mut writer = rmp_serde::Serializer::new(&mut bytes).with_struct_map();
    value
        .serialize(&mut writer)
        .map_err(|problem| error(format!("cannot be pickled: {problem}")))?;
    Ok(bytes)
}

/// A value from its bytes.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> PyResult<T> {
    match bytes.split_first() {
        Some((&VERSION, data)) => rmp_serde::from_slice(data)
            .map_err(|problem| error(format!("the pickle cannot be read: {problem}"))),
        _ => Err(error("the pickle is of another version of kinworld")),
    }
}

/// The data of a world.
#[derive(Serialize, serde::Deserialize)]
pub(crate) struct WorldData {
    robots: Vec<RobotData>,
    rigid_objects: Vec<RigidObjectData>,
    terrains: Vec<TerrainData>,
    /// The object, the robot and the link by index, the pose in the link, and elements by name.
    attachments: Vec<(usize, usize, usize, Pose, Vec<String>)>,
    properties: BTreeMap<String, String>,
}

#[derive(Serialize, serde::Deserialize)]
struct RobotData {
    name: String,
    robot: Arc<Robot>,
    config: Vec<f64>,
    velocity: Vec<f64>,
    properties: BTreeMap<String, String>,
}

/// The data of a rigid object.
#[derive(Serialize, serde::Deserialize)]
pub(crate) struct RigidObjectData {
    name: String,
    geometry: Option<Geometry>,
    missing_geometry: Option<MissingGeometry>,
    pose: Pose,
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
    inertia: [f64; 10],
    contact: [f64; 4],
    properties: BTreeMap<String, String>,
}

/// The data of a terrain.
#[derive(Serialize, serde::Deserialize)]
pub(crate) struct TerrainData {
    name: String,
    geometry: Option<Geometry>,
    missing_geometry: Option<MissingGeometry>,
    friction: Vec<f64>,
    properties: BTreeMap<String, String>,
}

impl RigidObjectData {
    /// The data of an object.
    pub(crate) fn of(object: &RigidObject) -> Self {
        let (inertia, contact) = (&object.inertia, &object.contact);
        let moment = &inertia.moment;
        Self {
            name: object.name.clone(),
            geometry: object.geometry.clone(),
            missing_geometry: object.missing_geometry,
            pose: object.pose,
            velocity: object.velocity.into(),
            angular_velocity: object.angular_velocity.into(),
            inertia: [
                inertia.mass,
                inertia.com.x,
                inertia.com.y,
                inertia.com.z,
                moment.m11,
                moment.m22,
                moment.m33,
                moment.m12,
                moment.m13,
                moment.m23,
            ],
            contact: [
                contact.friction,
                contact.restitution,
                contact.stiffness,
                contact.damping,
            ],
            properties: object.properties.clone(),
        }
    }

    /// The object.
    pub(crate) fn build(self) -> RigidObject {
        let [mass, x, y, z, xx, yy, zz, xy, xz, yz] = self.inertia;
        let [friction, restitution, stiffness, damping] = self.contact;
        let mut object = RigidObject::new(self.name);
        object.geometry = self.geometry;
        object.missing_geometry = self.missing_geometry;
        object.pose = self.pose;
        object.velocity = self.velocity.into();
        object.angular_velocity = self.angular_velocity.into();
        object.inertia.mass = mass;
        object.inertia.com = Point::new(x, y, z);
        object.inertia.moment = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        object.contact.friction = friction;
        object.contact.restitution = restitution;
        object.contact.stiffness = stiffness;
        object.contact.damping = damping;
        object.properties = self.properties;
        object
    }
}

impl TerrainData {
    /// The data of a terrain.
    pub(crate) fn of(terrain: &Terrain) -> Self {
        Self {
            name: terrain.name.clone(),
            geometry: terrain.geometry.clone(),
            missing_geometry: terrain.missing_geometry,
            friction: terrain.friction.clone(),
            properties: terrain.properties.clone(),
        }
    }

    /// The terrain.
    pub(crate) fn build(self) -> Terrain {
        let mut terrain = Terrain::new(self.name, self.geometry);
        terrain.missing_geometry = self.missing_geometry;
        terrain.friction = self.friction;
        terrain.properties = self.properties;
        terrain
    }
}

impl WorldData {
    /// The data of a world.
    pub(crate) fn of(world: &WorldModel) -> Self {
        let robots: Vec<_> = world.robots().map(|robot| robot.id()).collect();
        let objects: Vec<_> = world.rigid_objects().map(|(id, _)| id).collect();
        let name = |id| world.name(id).unwrap_or_default();
        Self {
            robots: world
                .robots()
                .map(|robot| RobotData {
                    name: robot.name().to_owned(),
                    robot: robot.model().clone(),
                    config: robot.config().to_vec(),
                    velocity: robot.velocity().to_vec(),
                    properties: robot.properties().clone(),
                })
                .collect(),
            rigid_objects: world
                .rigid_objects()
                .map(|(_, object)| RigidObjectData::of(object))
                .collect(),
            terrains: world
                .terrains()
                .map(|(_, terrain)| TerrainData::of(terrain))
                .collect(),
            attachments: world
                .attachments()
                .filter_map(|(object, attachment)| {
                    Some((
                        objects.iter().position(|&id| id == object)?,
                        robots.iter().position(|&id| id == attachment.robot())?,
                        attachment.link().index(),
                        *attachment.pose_in_link(),
                        attachment.touch().map(name).collect(),
                    ))
                })
                .collect(),
            properties: world.properties().clone(),
        }
    }

    /// The world.
    pub(crate) fn build(self) -> kinworld::Result<WorldModel> {
        let mut world = WorldModel::new();
        let mut robots = Vec::new();
        for data in self.robots {
            let id = world.add_robot(data.robot);
            world.rename(id, data.name)?;
            let mut robot = world.robot_mut(id)?;
            robot.set_config(&data.config)?;
            robot.set_velocity(&data.velocity)?;
            *world.properties_of_mut(id)? = data.properties;
            robots.push(id);
        }
        let mut objects = Vec::new();
        for data in self.rigid_objects {
            objects.push(world.add_rigid_object(data.build())?);
        }
        for data in self.terrains {
            world.add_terrain(data.build())?;
        }
        for (object, robot, link, pose, touch) in self.attachments {
            let touch = touch
                .iter()
                .map(|name| world.entity(name))
                .collect::<kinworld::Result<Vec<_>>>()?;
            if let (Some(&object), Some(&robot)) = (objects.get(object), robots.get(robot)) {
                world.grasp(object, (robot, LinkId::new(link)), &pose, &touch)?;
            }
        }
        *world.properties_mut() = self.properties;
        Ok(world)
    }
}
