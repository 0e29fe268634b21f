//! Robots at configurations.

use kinworld::{Robot, State, kinematics};

/// The robot somewhere within its limits, the same configuration for the same seed.
pub(crate) fn somewhere(robot: &Robot, seed: u64) -> State {
    let mut state = State::new(robot);
    let q = kinematics::sample(robot, seed, 1.0);
    state
        .set_config(robot, &q)
        .expect("a configuration within the limits");
    state
}

/// The robot at a configuration.
pub(crate) fn config(robot: &Robot, q: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).expect("a configuration");
    state
}
