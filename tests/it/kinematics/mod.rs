//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric.

mod properties;
mod refs;
mod sub_robot;
mod worked_example;
