//! Forward kinematics, Jacobians, centre of mass, distances between configurations.

mod config_space;
mod ik;
mod properties;
mod recording;
mod sample;
mod state;
mod sub_robot;
mod worked_example;

/// Returns whether a call failed because of a wrong length.
fn is_length<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Length { .. }))
}

/// Returns whether a call failed because of an invalid value.
fn is_invalid<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Invalid { .. }))
}
