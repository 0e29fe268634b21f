//! Joint wrenches as every observer explains them.

mod any_observer;
mod frames;
mod piglet;
mod refused;

use kinworld::{Robot, State};

/// The state of a robot.
fn state(robot: &Robot, q: &[f64], dq: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    state.set_velocity(robot, dq).unwrap();
    state
}
