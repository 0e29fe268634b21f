//! Contacts with friction: cones, equilibrium, closure, support.

mod cone;
mod functions;
mod results;

pub(crate) use cone::{ContactPoint, FrictionCone};
pub(crate) use functions::{
    closure_margin, equilibrium, force_closure, grasp_matrix, joint_forces, level_support,
    net_wrench, robot_equilibrium, support_polygon,
};
pub(crate) use results::{Equilibrium, RobotEquilibrium, SupportPolygon};
