//! Simulation: robots, rigid objects, multibody systems and equations of the user.

mod call;
mod control;
mod equation;
mod multibody;
mod planar;
mod plot;
mod recording;
mod running;
mod sensor;
mod steps;
mod tree;

pub(crate) use call::simulate;
pub(crate) use equation::integrate;
pub(crate) use multibody::MultibodySystem;
pub(crate) use planar::PlanarBody;
pub(crate) use plot::Plot;
pub(crate) use recording::Recording;
pub(crate) use sensor::Sensor;
pub(crate) use steps::{methods, tableau};
