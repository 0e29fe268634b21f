//! What is kept when files are loaded again: joints and objects that were moved, attachments, elements that were removed.

use std::collections::HashMap;

use kinworld::robot::LinkMotion;
use kinworld::world::{RigidObjectId, RobotId, RobotRef};
use kinworld::{DofId, EntityId, Robot, WorldModel};

use crate::session::Session;

/// The session of fresh files with the changes that were made since they were last loaded, and sentences about those that
/// cannot be made again.
pub(super) fn over(
    loaded: &WorldModel,
    now: &Session,
    mut fresh: Session,
) -> (Session, Vec<String>) {
    let mut said = Vec::new();
    let now = &now.world;
    let world = &mut fresh.world;
    remove(loaded, now, world);
    for robot in now.robots() {
        if let Ok(id) = world.robot(robot.name()).map(|fresh| fresh.id())
            && let Err(problem) = configure(loaded, robot, world, id)
        {
            said.push(format!(
                "`{}` is as its file has it: {problem}",
                robot.name()
            ));
        }
    }
    for (id, object) in now.rigid_objects() {
        let name = &*object.name;
        let Ok(target) = world.rigid_object_id(name) else {
            continue;
        };
        if let Err(problem) = place(loaded, now, id, world, target) {
            said.push(format!("`{name}` is as its file has it: {problem}"));
        }
    }
    // what was built for the old poses is not of this world
    let world = fresh.world.clone();
    (fresh.with_world(world), said)
}

/// Removes elements that were removed.
fn remove(loaded: &WorldModel, now: &WorldModel, world: &mut WorldModel) {
    let robots = loaded.robots().map(|robot| robot.name());
    let gone: Vec<EntityId> = robots
        .filter(|name| now.robot(*name).is_err())
        .filter_map(|name| Some(world.robot(name).ok()?.id().into()))
        .collect();
    let objects = loaded.rigid_objects().map(|(_, object)| &*object.name);
    let objects: Vec<EntityId> = objects
        .filter(|name| now.rigid_object_id(*name).is_err())
        .filter_map(|name| Some(world.rigid_object_id(name).ok()?.into()))
        .collect();
    let has_terrain = |world: &WorldModel, name: &str| {
        let mut all = world.terrains();
        all.find(|(_, terrain)| &*terrain.name == name)
            .map(|(id, _)| id)
    };
    let terrains = loaded.terrains().map(|(_, terrain)| &*terrain.name);
    let terrains: Vec<EntityId> = terrains
        .filter(|name| has_terrain(now, name).is_none())
        .filter_map(|name| Some(has_terrain(world, name)?.into()))
        .collect();
    for element in gone.into_iter().chain(objects).chain(terrains) {
        // it is there
        let _ = world.remove(element);
    }
}

/// Gives joints that were moved their values, by their names.
fn configure(
    loaded: &WorldModel,
    robot: RobotRef<'_>,
    world: &mut WorldModel,
    id: RobotId,
) -> kinworld::Result<()> {
    let before = loaded.robot(robot.name()).ok();
    let before = before.map(|robot| values(robot.model(), robot.config()));
    let now = values(robot.model(), robot.config());
    let fresh = world.robot(id)?;
    let mut q = fresh.config().to_vec();
    for (i, value) in q.iter_mut().enumerate() {
        let key = key(fresh.model(), DofId::new(i));
        let was = before.as_ref().and_then(|before| before.get(&key));
        match now.get(&key) {
            Some(moved) if was.is_none_or(|was| was.to_bits() != moved.to_bits()) => {
                *value = *moved
            }
            _ => {}
        }
    }
    world.robot_mut(id)?.set_config(&q)
}

/// The name of a degree of freedom, and whether it is a length.
fn key(model: &Robot, dof: DofId) -> (String, bool) {
    let link = model.link(model.dofs()[dof.index()]);
    let slides = matches!(link.motion(), LinkMotion::Prismatic(_));
    (model.dof_name(dof).to_owned(), slides)
}

fn values(model: &Robot, q: &[f64]) -> HashMap<(String, bool), f64> {
    let value = |(i, &q)| (key(model, DofId::new(i)), q);
    q.iter().enumerate().map(value).collect()
}

/// Gives an object that was moved its pose, and its link if it has one.
fn place(
    loaded: &WorldModel,
    now: &WorldModel,
    id: RigidObjectId,
    world: &mut WorldModel,
    target: RigidObjectId,
) -> kinworld::Result<()> {
    let object = now.rigid_object(id)?;
    let before = loaded.rigid_object_id(&*object.name).ok();
    let was_attached = before.is_some_and(|id| loaded.attachment(id).is_some());
    let Some(attachment) = now.attachment(id) else {
        if was_attached && world.attachment(target).is_some() {
            world.detach(target)?;
        }
        let was = before.and_then(|id| loaded.rigid_object(id).ok());
        if was.is_none_or(|was| was.pose != object.pose) {
            world.rigid_object_mut(target)?.set_pose(&object.pose)?;
        }
        return Ok(());
    };
    if world.attachment(target).is_some() {
        world.detach(target)?;
    }
    let robot = now.robot(attachment.robot())?;
    let link = robot.link(attachment.link())?;
    let holder = world.robot(robot.name())?.link(link.name())?;
    let (holder, pose) = (holder.entity(), holder.pose() * attachment.pose_in_link());
    let touch = attachment.touch().filter_map(|entity| {
        let name = now.name(entity).ok()?;
        world.entity(&name).ok()
    });
    let touch: Vec<EntityId> = touch.collect();
    world.rigid_object_mut(target)?.set_pose(&pose)?;
    world.attach(target, holder, &touch)
}
