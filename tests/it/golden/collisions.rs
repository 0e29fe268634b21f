//! Asserts that the same links of a robot collide.

use std::collections::BTreeSet;

use kinworld::State;
use kinworld::geometry::query;

use super::checks::Known;
use super::expected::Case;

/// The pairs that collide, among those that are enabled here and certain there.
pub(crate) fn check_collisions(known: &Known<'_>, case: &Case) {
    let robot = known.robot;
    let mut state = State::new(robot);
    state.set_config(robot, &case.q).expect("a configuration");
    let doubtful = known.pairs(&case.doubtful);
    let enabled = robot
        .self_collision_pairs()
        .filter(|pair| !doubtful.contains(pair));
    let (mut ours, mut theirs) = (BTreeSet::new(), known.pairs(&case.colliding));
    let enabled: BTreeSet<_> = enabled.collect();
    theirs.retain(|pair| enabled.contains(pair));
    for (a, b) in enabled {
        let shape = |id| robot.link(id).shape().expect("enabled pairs have shapes");
        let (x_a, x_b) = (state.pose(robot, a), state.pose(robot, b));
        if query::collides((shape(a), &x_a), (shape(b), &x_b)).expect("finite poses") {
            ours.insert((a, b));
        }
    }
    assert_eq!(
        ours, theirs,
        "{}: colliding pairs at {:?}",
        known.file, case.q
    );
}
