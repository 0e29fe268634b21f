//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric.

mod ik;
mod metric;
mod properties;
mod recording;
mod sample;
mod state;
mod sub_robot;
mod worked_example;
