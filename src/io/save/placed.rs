//! What models of worlds hold of robots, rigid objects and terrains, and what they lose.

use super::Losses;
use crate::math::Vector;
use crate::robot::RobotBuilder;
use crate::world::{ContactParameters, RigidObject, RobotRef, Terrain, WorldModel};

/// The gravity that a world names; what belongs to no element and is not kept is reported.
pub(crate) fn gravity<'w>(world: &'w WorldModel, losses: &mut Losses) -> Option<&'w str> {
    let mut gravity = None;
    for (key, value) in world.properties() {
        match key.as_str() {
            "mjcf.gravity" | "sdf.gravity" => gravity = Some(value.as_str()),
            key => losses.add("properties are not kept", key),
        }
    }
    lost_of_world(world, losses);
    gravity
}

/// Reports attachments and pairs that are switched off, which no format of worlds keeps.
pub(crate) fn lost_of_world(world: &WorldModel, losses: &mut Losses) {
    for (id, object) in world.rigid_objects() {
        if world.attachment(id).is_some() {
            losses.add("attachments to links are not kept", &object.name);
        }
    }
    match world.ignored_pairs().count() {
        0 => {}
        1 => losses.say("a pair that is never tested for collision is not kept"),
        n => losses.say(format!(
            "{n} pairs that are never tested for collision are not kept"
        )),
    }
}

/// A robot that starts where it is.
pub(crate) fn as_placed(robot: RobotRef<'_>, losses: &mut Losses) -> RobotBuilder {
    let model = robot.model();
    let mut spec = RobotBuilder::from(model.as_ref());
    for (link, spec) in model.links().iter().zip(&mut spec.links) {
        let value = link.dof().and_then(|dof| robot.config().get(dof.index()));
        spec.initial = value.copied().unwrap_or(0.0);
    }
    if robot.velocity().iter().any(|v| *v != 0.0) {
        losses.add("velocities are not kept", robot.name());
    }
    for key in robot.properties().keys() {
        losses.add("properties are not kept", key);
    }
    spec
}

/// Reports what is not kept of a rigid object beside its pose, inertia, shape and friction.
pub(crate) fn lost_of_object(object: &RigidObject, losses: &mut Losses) {
    if object.velocity != Vector::zeros() || object.angular_velocity != Vector::zeros() {
        losses.add("velocities are not kept", &object.name);
    }
    let rest = ContactParameters {
        friction: object.contact.friction,
        ..ContactParameters::default()
    };
    if object.contact != rest {
        let what = "restitution, stiffness and damping of contacts are not kept";
        losses.add(what, &object.name);
    }
    for key in object.properties.keys() {
        losses.add("properties are not kept", key);
    }
}

/// The friction of a terrain as one number; what is not kept beside it and its shape is reported.
pub(crate) fn friction(terrain: &Terrain, losses: &mut Losses) -> f64 {
    for key in terrain.properties.keys() {
        losses.add("properties are not kept", key);
    }
    let first = terrain.friction.first().copied().unwrap_or(0.5);
    let mut others = terrain.friction.iter();
    if others.any(|other| (other - first).abs() > 0.0) {
        let what = "of the friction of a terrain the first number is kept";
        losses.add(what, &terrain.name);
    }
    first
}
