//! Configurations of robots, and poses and attachments of rigid objects: `state`.

use kinworld::Pose;
use serde_json::{Map, Value, json};

use crate::json::{numbers, rotation};
use crate::request::Refusal;
use crate::session::Session;

/// State of a world, by the names of its elements: each of a kind has its own.
pub(crate) fn state(session: &Session) -> Result<Value, Refusal> {
    let world = &session.world;
    let robots = world
        .robots()
        .map(|robot| (robot.name().to_owned(), numbers(robot.config())));
    let robots: Map<String, Value> = robots.collect();
    let mut objects = Map::new();
    for (id, object) in world.rigid_objects() {
        let mut value = pose(&object.pose);
        if let Some(attachment) = world.attachment(id) {
            let robot = world.robot(attachment.robot())?;
            let mut on = pose(attachment.pose_in_link());
            on["robot"] = robot.name().into();
            on["link"] = robot.link(attachment.link())?.name().into();
            on["index"] = attachment.link().index().into();
            value["attached"] = on;
        }
        objects.insert(object.name.to_string(), value);
    }
    Ok(json!({ "robots": robots, "objects": objects }))
}

fn pose(pose: &Pose) -> Value {
    json!({
        "rotation": rotation(&pose.rotation),
        "translation": numbers(&pose.translation.vector),
    })
}
