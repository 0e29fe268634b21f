//! Joint wrenches as every observer explains them.

mod any_observer;
mod frames;
mod piglet;
mod refused;

use kinworld::wrench::AppliedWrench;
use kinworld::{Robot, State};
use nalgebra::Vector6;

/// The state of a robot.
fn state(robot: &Robot, q: &[f64], dq: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    state.set_velocity(robot, dq).unwrap();
    state
}

/// The components of a wrench, moment first.
fn six(applied: &AppliedWrench) -> Vector6<f64> {
    applied.wrench.into()
}
