//! Wrench balances for any observer.

mod any_observer;
mod errors;
mod frames;
mod piglet;

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
