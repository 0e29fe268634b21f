//! The tables of `info`.

use kinworld::robot::{DriverKind, Limits};
use kinworld::world::RobotRef;
use kinworld::{Robot, WorldModel, kinematics};

use super::info::joint;
use crate::table::{Table, count, numbers, printable, real, words};

/// A table per robot, and one each for rigid objects and terrains.
pub(super) fn text(world: &WorldModel) -> String {
    let mut parts: Vec<String> = world.robots().map(robot).collect();
    if world.rigid_objects().len() > 0 {
        parts.push(rigid_objects(world));
    }
    if world.terrains().len() > 0 {
        parts.push(terrains(world));
    }
    parts.join("\n")
}

fn robot(robot: RobotRef<'_>) -> String {
    let model = robot.model();
    let mut text = format!(
        "robot {}: {}, {}, {}, {} kg\n{}",
        printable(robot.name()),
        count(robot.n_links(), "link"),
        count(model.n_dofs(), "dof"),
        count(model.drivers().len(), "driver"),
        real(kinematics::total_mass(model)),
        links(robot),
    );

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

fn links(robot: RobotRef<'_>) -> Table {
    let mut table = Table::new([
        numbers("#"),
        words("link"),
        words("parent"),
        words("kind"),
        words("joint"),
        numbers("mass [kg]"),
        numbers("dof"),
        numbers("q"),
        numbers("q min"),
        numbers("q max"),
        numbers("v max"),
    ]);
    for link in robot.links() {
        let dof = link.model().dof().map(|dof| dof.index());
        let of_dof = |value: fn(&Limits) -> f64| {
            let limits = dof.map(|dof| &robot.limits()[dof]);
            or_dash(limits.map(|limits| real(value(limits))))
        };
        let parent = link.parent().map(|parent| parent.name().to_owned());
        table.row([
            link.id().index().to_string(),
            link.name().to_owned(),
            or_dash(parent),
            link.model().motion().name().to_owned(),
            or_dash(joint(robot.model(), link.id()).map(str::to_owned)),
            real(link.model().inertia().mass),
            or_dash(dof.map(|dof| dof.to_string())),
            or_dash(dof.map(|dof| real(robot.config()[dof]))),
            of_dof(|limits| limits.q_min),
            of_dof(|limits| limits.q_max),
            of_dof(|limits| limits.v_max),
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
