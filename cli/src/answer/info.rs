//! Contents of a world: `info`.

use kinworld::robot::{EndEffector, Group, JointKind, Link, LoopFrame, NamedState};
use kinworld::world::{RigidObjectId, Terrain};
use kinworld::{DofId, EntityId, LinkId, Robot, WorldModel};
use serde_json::{Map, Value, json};

use super::{Answer, listing};
use crate::json::{number, numbers, rotation, rows};
use crate::session::Session;

/// Contents of a world.
#[derive(Debug)]
pub(crate) struct Info<'a> {
    session: &'a Session,
    /// True if tables show angles in degrees.
    degrees: bool,
}

impl<'a> Info<'a> {
    pub(crate) fn of(session: &'a Session, degrees: bool) -> Self {
        Self { session, degrees }
    }
}

impl Answer for Info<'_> {
    fn json(&self) -> Value {
        let world = &self.session.world;
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
                    "joint_name": link.model().joint_name(),
                    "joint_type": joint_type(robot.model(), link.id()),
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
                "base_link": base_links(robot.model()).first(),
                "leaf_links": leaf_links(robot.model()),
                "end_effectors": end_effectors(robot.model()),
                "groups": groups(robot.model()),
                "states": states(robot.model()),
                "dofs": dofs(robot.model()),
                "drivers": drivers(robot.model()),
                "loops": loops(robot.model()),
                "sensors": sensors(robot.model()),
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
        listing::text(&self.session.world, self.degrees)
    }
}

/// Joints that close loops, with their frames; the world is null.
fn loops(robot: &Robot) -> Value {
    let frame = |frame: &LoopFrame| {
        json!({
            "link": frame.link.map(|link| robot.link(link).name()),
            "rotation": rotation(&frame.pose.rotation),
            "translation": numbers(&frame.pose.translation.vector),
        })
    };
    let closures = robot.loop_closures().iter();
    closures
        .map(|closure| {
            json!({
                "name": closure.name,
                "kind": closure.kind.name(),
                "a": frame(&closure.a),
                "b": frame(&closure.b),
            })
        })
        .collect()
}

/// Sensors at frames of links.
fn sensors(robot: &Robot) -> Value {
    let sensors = robot.sensors().iter();
    sensors
        .map(|sensor| {
            json!({
                "name": sensor.name,
                "quantity": sensor.quantity.name(),
                "link": robot.link(sensor.link).name(),
                "rotation": rotation(&sensor.frame.rotation),
                "translation": numbers(&sensor.frame.translation.vector),
            })
        })
        .collect()
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

/// Type of the joint above a link, in the words of its file: those of a URDF, or of a `.rob`, which names no joints.
pub(super) fn joint_type(robot: &Robot, link: LinkId) -> &'static str {
    let motion = robot.link(link).motion().name();
    let Some(joint) = robot.joint_of(link).filter(|joint| joint.link == link) else {
        return motion;
    };
    let names_joints = robot.links().iter().any(|link| link.joint_name().is_some());
    match (joint.kind, names_joints) {
        (JointKind::Normal, _) => motion,
        (JointKind::Weld, true) => "fixed",
        (JointKind::Spin, true) => "continuous",
        (JointKind::FloatingPlanar, true) => "planar",
        (JointKind::BallAndSocket, true) => "spherical",
        (kind, _) => kind.name(),
    }
}

/// Names of the links without a parent.
pub(super) fn base_links(robot: &Robot) -> Vec<&str> {
    let links = robot.links().iter();
    let bases = links.filter(|link| link.parent().is_none());
    bases.map(Link::name).collect()
}

/// Names of the links without children.
pub(super) fn leaf_links(robot: &Robot) -> Vec<&str> {
    let mut is_leaf = vec![true; robot.links().len()];
    for parent in robot.links().iter().filter_map(Link::parent) {
        is_leaf[parent.index()] = false;
    }
    let links = robot.links().iter().zip(is_leaf);
    links
        .filter(|(_, is_leaf)| *is_leaf)
        .map(|(link, _)| link.name())
        .collect()
}

fn end_effectors(robot: &Robot) -> Value {
    let each = |effector: &EndEffector| {
        json!({
            "name": effector.name,
            "group": effector.group,
            "parent": robot.link(effector.parent).name(),
            "parent_group": effector.parent_group,
        })
    };
    robot.end_effectors().iter().map(each).collect()
}

fn groups(robot: &Robot) -> Value {
    let each = |group: &Group| {
        let links = group.links.iter().map(|&link| robot.link(link).name());
        let dofs = robot.dofs_of(group);
        let joints = dofs.iter().map(|&dof| robot.dof_name(dof));
        json!({
            "name": group.name,
            "links": links.collect::<Vec<_>>(),
            "joints": joints.collect::<Vec<_>>(),
        })
    };
    robot.groups().iter().map(each).collect()
}

fn states(robot: &Robot) -> Value {
    let each = |state: &NamedState| {
        let values = state.values.iter().filter_map(|&(link, value)| {
            let dof = robot.link(link).dof()?;
            Some((robot.dof_name(dof).to_owned(), number(value)))
        });
        json!({
            "name": state.name,
            "group": state.group,
            "q": values.collect::<Map<_, _>>(),
        })
    };
    robot.named_states().iter().map(each).collect()
}

fn dofs(robot: &Robot) -> Value {
    let dofs = robot.dofs().iter().zip(robot.limits()).enumerate();
    dofs.map(|(i, (link, limits))| {
        json!({
            "joint": robot.dof_name(DofId::new(i)),
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
