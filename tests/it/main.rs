//! One binary for every integration test: a module per room and journey.
mod kinematics;
mod robot;
