//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric.

mod refs;
mod worked_example;
