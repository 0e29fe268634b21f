//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric.

mod worked_example;
