//! Plans on a road map that a file keeps from one run to the next.

use std::path::Path;

use kinworld::io::SaveOptions;
use kinworld::planning::{Budget, Goal, Plan, RoadMap, RobotCSpace};

use crate::request::Refusal;
use crate::session::Session;

/// Samples of a new map.
const SAMPLES: usize = 1000;

/// A plan on the map in a file, which is made where there is none, and written again with what it learned.
pub(super) fn plan(
    session: &Session,
    space: &RobotCSpace,
    file: &Path,
    (from, goals): (&[f64], &[Goal]),
    budget: &Budget,
    mut watch: impl FnMut(usize) -> bool,
) -> Result<Plan, Refusal> {
    let to = goals.iter().map(|goal| match goal {
        Goal::Config(q) => Ok(&q[..]),
        _ => Err(Refusal(
            "a road map leads to configurations: use --to, or no --roadmap".to_owned(),
        )),
    });
    let to = to.collect::<Result<Vec<&[f64]>, _>>()?;
    let options = SaveOptions::default().with_inputs(&session.inputs);
    options.check(file)?;
    let mut map = if file.exists() {
        RoadMap::load(space, file)?.value
    } else {
        let mut map = RoadMap::new(space).with_seed(budget.seed);
        map.grow_observed(space, SAMPLES, &mut watch)?;
        map
    };
    let found = map.plan_any(space, &[from], &to, budget, watch)?;
    map.save_with(file, &options)?;
    Ok(found)
}
