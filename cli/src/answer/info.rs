//! Contents of a world: `info`.

use kinworld::world::{RigidObjectId, Terrain};
use kinworld::{EntityId, LinkId, Robot, WorldModel};
use serde_json::{Value, json};

use super::{Answer, listing};
use crate::json::{number, numbers, rotation, rows};
use crate::session::Session;

/// Contents of a world.
#[derive(Debug)]
pub(crate) struct Info<'a>(&'a Session);

impl<'a> Info<'a> {
    pub(crate) fn of(session: &'a Session) -> Self {
        Self(session)
    }
}

impl Answer for Info<'_> {
    fn json(&self) -> Value {
        let world = &self.0.world;
        let ids = world.klampt_ids();
        let robots = world.robots().map(|robot| {
            let links = robot.links().map(|link| {
                let (placement, inertia) = (link.model().placement(), link.model().inertia());
                json!({
                    "name": link.name(),
                    "id": ids.number(link.entity()),
                    "parent": link.model().parent().map(LinkId::index),
                    "dof": link.model().dof().map(|dof| dof.index()),
                    "kind": link.model().motion().name(),
                    "joint": joint(robot.model(), link.id()),
                    "axis": link.model().motion().axis().map(|axis| numbers(&axis)),
                    "rotation": rotation(&placement.rotation),
                    "translation": numbers(&placement.translation.vector),
                    "mass": number(inertia.mass),
                    "com": numbers(&inertia.com.coords),
                    "inertia": rows(|i, j| inertia.moment[(i, j)]),
                })
            });
            json!({
                "name": robot.name(),
                "id": ids.number(robot.id()),
                "q": numbers(robot.config()),
                "links": links.collect::<Value>(),
                "dofs": dofs(robot.model()),
                "drivers": drivers(robot.model()),
            })
        });
        let objects = world.rigid_objects().map(|(id, object)| {
            json!({
                "name": object.name,
                "id": ids.number(id),
                "rotation": rotation(&object.pose.rotation),
                "translation": numbers(&object.pose.translation.vector),
                "mass": number(object.inertia.mass),
                "com": numbers(&object.inertia.com.coords),
                "attached": attached(world, id),
            })
        });
        let terrains = world.terrains().map(|(id, terrain)| {
            json!({
                "name": terrain.name,
                "id": ids.number(id),
                "friction": friction(terrain),
            })
        });
        json!({
            "protocol": PROTOCOL,
            "units": {
                "length": "m", "angle": "rad", "time": "s", "mass": "kg", "force": "N", "moment": "N m",
            },
            "robots": robots.collect::<Value>(),
            "rigid_objects": objects.collect::<Value>(),
            "terrains": terrains.collect::<Value>(),
        })
    }

    fn text(&self) -> String {
        listing::text(&self.0.world)
    }
}

/// Robot and link that an object is attached to.
fn attached(world: &WorldModel, object: RigidObjectId) -> Option<String> {
    let attachment = world.attachment(object)?;
    let link = EntityId::Link(attachment.robot(), attachment.link());
    world.name(link).ok()
}

/// Type of the joint that owns the dof of a link.
pub(super) fn joint(robot: &Robot, link: LinkId) -> Option<&'static str> {
    robot.joint_of(link).map(|joint| joint.kind.name())
}

fn dofs(robot: &Robot) -> Value {
    let dofs = robot.dofs().iter().zip(robot.limits());
    dofs.map(|(link, limits)| {
        json!({
            "link": link.index(),
            "q_min": number(limits.q_min),
            "q_max": number(limits.q_max),
            "v_max": number(limits.v_max),
            "a_max": number(limits.a_max),
            "tau_max": number(limits.tau_max),
        })
    })
    .collect()
}

fn drivers(robot: &Robot) -> Value {
    let drivers = robot.drivers().iter();
    drivers
        .map(|driver| {
            let links = driver
                .kind
                .affected_links()
                .into_iter()
                .map(|link| link.index());
            json!({
                "name": driver.name,
                "type": driver.kind.name(),
                "links": links.collect::<Vec<_>>(),
            })
        })
        .collect()
}

/// One coefficient, or one per triangle.
fn friction(terrain: &Terrain) -> Value {
    match terrain.friction.as_slice() {
        [only] => number(*only),
        many => numbers(many),
    }
}

/// Version of the protocol of `query`. Version 2 has sessions that requests change.
const PROTOCOL: u32 = 2;
