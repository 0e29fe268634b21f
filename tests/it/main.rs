//! One binary for every integration test: a module per room and journey.

mod architecture;
mod batch;
mod common;
mod contact;
mod dynamics;
mod geometry;
mod golden;
mod io;
mod kinematics;
mod math;
mod planning;
mod robot;
mod sim;
#[cfg(feature = "viewer")]
mod viewer;
mod wasm;
mod without_allocation;
mod words;
mod world;
mod wrench;
