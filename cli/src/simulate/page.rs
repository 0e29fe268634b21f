//! The page of a simulation: the motion of the robot, and curves of all sensors.

use std::collections::HashSet;

use kinworld::kinematics::Samples;
use kinworld::sim::Table;
use kinworld::viewer::Page;
use kinworld::world::RobotRef;
use kinworld::{DofId, LinkId};

use crate::export;
use crate::request::Refusal;
use crate::session::Session;

/// The page of a table that has the positions of the robot.
pub(super) fn html(
    session: &Session,
    robot: RobotRef<'_>,
    table: &Table,
) -> Result<String, Refusal> {
    let model = robot.model();
    let columns = |prefix: &str| -> Option<Vec<usize>> {
        let column = |(i, link): (usize, &LinkId)| {
            let names = [model.link(*link).name(), model.dof_name(DofId::new(i))];
            let mut known = names
                .iter()
                .filter_map(|name| table.column(&format!("{prefix}_{name}")));
            known.next()
        };
        model.dofs().iter().enumerate().map(column).collect()
    };
    let (Some(positions), Some(time)) = (columns("q"), table.column("time")) else {
        let problem = "no page can be made: the setup has no sensor of all positions; add { quantity = \"positions\", name = \"q\" }";
        return Err(Refusal(problem.to_owned()));
    };
    // an event may end a step at a time that is recorded already
    let mut rows: Vec<&[f64]> = Vec::new();
    for row in table.rows() {
        if rows.last().is_none_or(|last| row[time] > last[time]) {
            rows.push(row);
        }
    }
    let times = rows.iter().map(|row| row[time]).collect();
    let of = |columns: &[usize]| -> Vec<Vec<f64>> {
        let row = |row: &&[f64]| columns.iter().map(|&i| row[i]).collect();
        rows.iter().map(row).collect()
    };
    let mut samples = Samples::new(times, of(&positions));
    let mut known: HashSet<usize> = positions.iter().copied().chain([time]).collect();
    if let Some(velocities) = columns("dq") {
        samples = samples.with_velocities(of(&velocities));
        known.extend(velocities);
    }
    let others = table.columns().iter().enumerate();
    let others = others.filter(|(i, _)| !known.contains(i));
    let curves = others.map(|(i, name)| (name.clone(), rows.iter().map(|row| row[i]).collect()));
    let mut page = Page::new(&session.world).with_motion(robot.id(), &samples)?;
    for plot in export::plots(curves) {
        page = page.with_plot(plot);
    }
    Ok(page.html()?)
}
