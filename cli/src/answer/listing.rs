//! The tables of `info`.

use kinworld::robot::{DriverKind, Limits};
use kinworld::world::RobotRef;
use kinworld::{Robot, WorldModel, kinematics};

use super::info::{base_links, joint_type, leaf_links};
use crate::config::{unit, unit_name};
use crate::table::{Table, count, numbers, printable, real, words};

/// A table per robot, and one each for rigid objects and terrains.
pub(super) fn text(world: &WorldModel, degrees: bool) -> String {
    let robots = world.robots();
    let mut parts: Vec<String> = robots.map(|each| robot(each, degrees)).collect();
    if world.rigid_objects().len() > 0 {
        parts.push(rigid_objects(world));
    }
    if world.terrains().len() > 0 {
        parts.push(terrains(world));
    }
    parts.join("\n")
}

fn robot(robot: RobotRef<'_>, degrees: bool) -> String {
    let model = robot.model();
    let mut text = format!(
        "robot {}: {}, {}, {}, {} kg\n{}",
        printable(robot.name()),
        count(robot.n_links(), "link"),
        count(model.n_dofs(), "dof"),
        count(model.drivers().len(), "driver"),
        real(kinematics::total_mass(model)),
        links(robot, degrees),
    );
    text += &ends(model);

    // drivers of one link are listed with the links only
    let plain = |kind: &DriverKind| matches!(kind, DriverKind::Normal { .. });
    if !model.drivers().iter().all(|driver| plain(&driver.kind)) {
        text += &format!(
            "\ndrivers of {}\n{}",
            printable(robot.name()),
            drivers(model)
        );
    }
    text
}

/// Base link, leaf links, end effectors, groups, named states and sensors, a line for each that there are.
fn ends(model: &Robot) -> String {
    let mut text = String::new();
    let mut line = |head: &str, names: Vec<String>| {
        if !names.is_empty() {
            text += &format!("{head}: {}\n", printable(&names.join(", ")));
        }
    };
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
    line("base link", owned(base_links(model)));
    line("leaf links", owned(leaf_links(model)));
    let effectors = model.end_effectors().iter();
    let effectors = effectors.map(|effector| {
        let parent = model.link(effector.parent).name();
        format!("{} (group {}, on {parent})", effector.name, effector.group)
    });
    line("end effectors", effectors.collect());
    let groups = model.groups().iter();
    let groups = groups.map(|group| {
        let n = count(model.dofs_of(group).len(), "dof");
        format!("{} ({n})", group.name)
    });
    line("groups", groups.collect());
    let states = model.named_states().iter();
    let states = states.map(|state| match &state.group {
        Some(group) => format!("{} ({group})", state.name),
        None => state.name.clone(),
    });
    line("named states", states.collect());
    let sensors = model.sensors().iter();
    let sensors = sensors.map(|sensor| {
        let link = model.link(sensor.link).name();
        format!("{} ({} of {link})", sensor.name, sensor.quantity.name())
    });
    line("sensors", sensors.collect());
    text
}

fn links(robot: RobotRef<'_>, degrees: bool) -> Table {
    let mut table = Table::new([
        numbers("#"),
        words("link"),
        words("parent"),
        words("joint"),
        words("type"),
        numbers("mass [kg]"),
        numbers("dof"),
        numbers("q"),
        numbers("q min"),
        numbers("q max"),
        numbers("v max"),
        words("unit"),
    ]);
    let model = robot.model();
    for link in robot.links() {
        let id = link.model().dof();
        let unit = id.map_or(1.0, |dof| unit(model, dof, degrees));
        let unit_name = id.map(|dof| unit_name(model, dof, degrees).to_owned());
        let dof = id.map(|dof| dof.index());
        let of_dof = |value: fn(&Limits) -> f64| {
            let limits = dof.map(|dof| &robot.limits()[dof]);
            or_dash(limits.map(|limits| real(value(limits) / unit)))
        };
        let parent = link.parent().map(|parent| parent.name().to_owned());
        table.row([
            link.id().index().to_string(),
            link.name().to_owned(),
            or_dash(parent),
            or_dash(link.model().joint_name().map(str::to_owned)),
            joint_type(model, link.id()).to_owned(),
            real(link.model().inertia().mass),
            or_dash(dof.map(|dof| dof.to_string())),
            or_dash(dof.map(|dof| real(robot.config()[dof] / unit))),
            of_dof(|limits| limits.q_min),
            of_dof(|limits| limits.q_max),
            of_dof(|limits| limits.v_max),
            or_dash(unit_name),
        ]);
    }
    table
}

fn drivers(robot: &Robot) -> Table {
    let mut table = Table::new([words("driver"), words("type"), words("links")]);
    for driver in robot.drivers() {
        let links = driver.kind.affected_links();
        let names = links.iter().map(|&link| robot.link(link).name());
        table.row([
            driver.name.clone(),
            driver.kind.name().to_owned(),
            names.collect::<Vec<_>>().join(", "),
        ]);
    }
    table
}

fn rigid_objects(world: &WorldModel) -> String {
    let mut table = Table::new([
        numbers("id"),
        words("rigid object"),
        numbers("x [m]"),
        numbers("y [m]"),
        numbers("z [m]"),
        numbers("mass [kg]"),
    ]);
    let ids = world.klampt_ids();
    for (id, object) in world.rigid_objects() {
        let position = object.pose.translation.vector;
        table.row([
            or_dash(ids.number(id).map(|id| id.to_string())),
            object.name.clone(),
            real(position.x),
            real(position.y),
            real(position.z),
            real(object.inertia.mass),
        ]);
    }
    table.to_string()
}

fn terrains(world: &WorldModel) -> String {
    let mut table = Table::new([numbers("id"), words("terrain"), words("friction")]);
    let ids = world.klampt_ids();
    for (id, terrain) in world.terrains() {
        table.row([
            or_dash(ids.number(id).map(|id| id.to_string())),
            terrain.name.clone(),
            match terrain.friction.as_slice() {
                [only] => real(*only),
                many => format!("{} values", many.len()),
            },
        ]);
    }
    table.to_string()
}

fn or_dash(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| "-".to_owned())
}
