//! Forward kinematics, Jacobians, centre of mass, distances between configurations.

mod config_space;
mod ik;
mod properties;
mod recording;
mod relative;
mod sample;
mod state;
mod sub_robot;
mod worked_example;
