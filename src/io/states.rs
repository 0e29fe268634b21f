//! Named states of a robot from Klampt's lists of configurations: the first is named `0`.

use super::config;
use super::context::Context;
use super::source::FilePath;
use crate::robot::{LinkId, NamedState, RobotBuilder};
use crate::{Diagnostic, LoadError};

/// Adds the configurations in a file to a robot; returns whether they are its own: of as many numbers as it has degrees of
/// freedom.
pub(super) fn apply(
    context: &mut Context<'_>,
    file: &FilePath,
    robot: &mut RobotBuilder,
) -> Result<(), LoadError> {
    let configs = config::load(context, file)?;
    let links = robot.links.iter().enumerate();
    let moving = links.filter(|(_, link)| !link.motion.is_fixed());
    let dofs: Vec<LinkId> = moving.map(|(i, _)| LinkId::new(i)).collect();
    let first = robot.named_states.len();
    for (i, q) in configs.iter().enumerate() {
        if q.len() != dofs.len() {
            let problem = format!(
                "configuration {i} has {} values, robot `{}` needs {}",
                q.len(),
                robot.name,
                dofs.len()
            );
            robot.named_states.truncate(first);
            return Err(Diagnostic::error(problem).in_file(file).into());
        }
        let values = dofs.iter().copied().zip(q.iter().copied());
        let state = NamedState::new(i.to_string(), None, values.collect());
        robot.named_states.push(state);
    }
    Ok(())
}
