//! What a simulation leaves out.

use kinworld::sim::Forces;
use kinworld::world::RobotRef;
use kinworld::{Diagnostic, DofId, WorldModel};

use crate::session::Session;

/// Warnings about what the simulation of a robot, from the configuration `q`, leaves out.
pub(super) fn warnings(
    world: &WorldModel,
    robot: RobotRef<'_>,
    forces: &Forces,
    q: &[f64],
) -> Vec<Diagnostic> {
    let moved_stops = forces.stops.is_some().then(|| beyond_limits(robot, q));
    [contact(world, robot), moved_stops.flatten()]
        .into_iter()
        .flatten()
        .collect()
}

/// Contact with anything that the robot could touch.
fn contact(world: &WorldModel, robot: RobotRef<'_>) -> Option<Diagnostic> {
    let others = world.robots().filter(|other| other.id() != robot.id());
    let others = others.filter(|other| other.links().any(|link| link.geometry().is_some()));
    let others = others.map(|other| format!("robot `{}`", other.name()));
    let terrains = world.terrains().filter(|(_, it)| it.geometry.is_some());
    let terrains = terrains.map(|(_, it)| format!("terrain `{}`", it.name));
    let objects = world
        .rigid_objects()
        .filter(|(_, it)| it.geometry.is_some());
    let objects = objects.map(|(_, it)| format!("object `{}`", it.name));
    let mut touched: Vec<String> = terrains.chain(objects).chain(others).collect();
    let rest = touched.len().saturating_sub(SHOWN);
    touched.truncate(SHOWN);
    if rest > 0 {
        touched.push(format!("{rest} more"));
    }
    if robot.model().self_collision_pairs().next().is_some() {
        touched.push("each other".to_owned());
    }
    let list = listed(&touched)?;
    Some(Diagnostic::warning(format!(
        "no contact: links pass through {list}"
    )))
}

/// A named state in which the robot collides: the file says so, and the simulation passes through it.
pub(super) fn collision(
    session: &Session,
    robot: RobotRef<'_>,
    state: &str,
    q: &[f64],
) -> Option<Diagnostic> {
    // without geometry there is nothing to say
    let collider = session.collider().ok()?;
    let mut workspace = session.current_workspace().ok()?;
    workspace.set_config(robot.id(), q).ok()?;
    let (a, b) = collider.first_collision_with(&mut workspace)?;
    let [a, b] = [a, b].map(|id| session.world.name(id).unwrap_or_default());
    let warning = format!("the state `{state}` is in collision: `{a}` and `{b}`, perhaps others");
    let help =
        format!("`collide --config @{state}` lists all; `acm` finds pairs that always touch");
    Some(Diagnostic::warning(warning).help(help))
}

/// Joints that start beyond their limits.
fn beyond_limits(robot: RobotRef<'_>, q: &[f64]) -> Option<Diagnostic> {
    let model = robot.model();
    let dofs = (0..model.n_dofs()).map(DofId::new);
    let dofs = dofs.zip(model.limits()).zip(q);
    let outside = dofs.filter(|((_, limits), q)| **q < limits.q_min || **q > limits.q_max);
    let mut names: Vec<String> = outside
        .map(|((dof, _), _)| format!("`{}`", model.dof_name(dof)))
        .collect();
    let rest = names.len().saturating_sub(SHOWN);
    names.truncate(SHOWN);
    if rest > 0 {
        names.push(format!("{rest} more"));
    }
    let list = listed(&names)?;
    Some(Diagnostic::warning(format!(
        "beyond joint limits at the start: {list}; each has its stop where it starts"
    )))
}

/// List in words; `None` for an empty one.
fn listed(names: &[String]) -> Option<String> {
    let (last, first) = names.split_last()?;
    if first.is_empty() {
        return Some(last.clone());
    }
    Some(format!("{} and {last}", first.join(", ")))
}

/// Number of names in a list; the rest is counted.
const SHOWN: usize = 8;
