//! Python bindings of kinworld: conversions and methods, nothing decided.

use pyo3::prelude::*;

mod batch;
mod builder;
mod camera;
mod collider;
mod contact;
mod convert;
mod describe;
mod dh;
mod driver;
mod error;
mod function;
mod geometry;
mod ik;
mod inertia;
mod interrupt;
mod io;
mod load;
mod loops;
mod material;
mod motion;
mod motors;
mod names;
mod objects;
mod parts;
mod pickle;
mod planning;
mod robot;
mod sim;
mod spaces;
mod srdf;
mod state;
mod trajectory;
mod transforms;
mod tree;
mod view;
mod world;
mod wrench;

/// The compiled part of kinworld.
#[pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::builder::{LinkMap, RobotBuilder};
    #[pymodule_export]
    use super::camera::{Camera, CameraSensor};
    #[pymodule_export]
    use super::collider::{Collider, Hit, Nearest};
    #[pymodule_export]
    use super::driver::Driver;
    #[pymodule_export]
    use super::error::Diagnostic;
    #[pymodule_export]
    use super::geometry::{ContactPair, Geometry, Octree};
    #[pymodule_export]
    use super::inertia::Inertia;
    #[pymodule_export]
    use super::load::LoadOptions;
    #[pymodule_export]
    use super::loops::LoopClosure;
    #[pymodule_export]
    use super::material::Appearance;
    #[pymodule_export]
    use super::motion::{
        CartesianPath, GeometricPath, JointMotion, MotionLimits, PrioritizedPlan, SmoothTrajectory,
    };
    #[pymodule_export]
    use super::objects::{RigidObject, Terrain};
    #[pymodule_export]
    use super::parts::{DriverSpace, SelfCollisionMask, SubRobot};
    #[pymodule_export]
    use super::planning::{Plan, Proof, RoadMap, Space};
    #[pymodule_export]
    use super::robot::{Joint, Limits, Link, Robot};
    #[pymodule_export]
    use super::spaces::{ConstrainedSpace, RigidObjectSpace};
    #[pymodule_export]
    use super::state::State;
    #[pymodule_export]
    use super::trajectory::Trajectory;
    #[pymodule_export]
    use super::tree::EndEffector;
    #[pymodule_export]
    use super::view::Picture;
    #[pymodule_export]
    use super::world::{
        Attachment, Entity, RigidObjectView, RigidObjects, RobotView, Robots, TerrainView,
        Terrains, World, WorldPoses, load,
    };

    /// Many configurations at once.
    #[pymodule]
    mod batch {
        #[pymodule_export]
        use crate::batch::{
            bias_forces, forward_dynamics, forward_dynamics_derivatives, inverse_dynamics,
            inverse_dynamics_derivatives, jacobians, mass_matrices, poses, poses_f32,
        };
        #[pymodule_export]
        use crate::ik::inverse_kinematics;
    }

    /// Contacts with friction.
    #[pymodule]
    mod contact {
        #[pymodule_export]
        use crate::contact::{
            ContactPoint, Equilibrium, FrictionCone, RobotEquilibrium, SupportPolygon,
            closure_margin, equilibrium, force_closure, grasp_matrix, joint_forces, level_support,
            net_wrench, robot_equilibrium, support_polygon,
        };
    }

    /// Denavit-Hartenberg tables.
    #[pymodule]
    mod dh {
        #[pymodule_export]
        use crate::dh::{DhRow, DhTable, Parameters, modified, row_dofs, row_values, standard};
    }

    /// Inverse kinematics.
    #[pymodule]
    mod ik {
        #[pymodule_export]
        use crate::ik::{
            Objective, Solution, VelocitySolution, VelocityTask, analytic, differential,
            joint_velocity_task, objective, position_barrier, residual, residual_jacobian, solve,
            solve_batch, solve_nearby, solve_path, subdivide, towards, velocity, velocity_task,
        };
    }

    /// Files beside models.
    #[pymodule]
    mod io {
        #[pymodule_export]
        use crate::io::{
            convert, kind, lint, load_configurations, load_objectives, load_recording,
            robot_from_files, save_configurations, save_objectives, world_from_files, xacro,
        };
        #[pymodule_export]
        use crate::srdf::Srdf;
    }

    /// Poses: 4 × 4 arrays.
    #[pymodule]
    mod se3 {
        #[pymodule_export]
        use crate::transforms::se3::{
            cross, cross_force, distance, error, exp, from_klampt, from_parts, from_rpy,
            from_translation, from_wxyz, from_xyzw, identity, interpolate, inverse, log, to_klampt,
            to_wxyz, to_xyzw, transform_motion, transform_wrench,
        };
    }

    /// Rotations: 3 × 3 arrays.
    #[pymodule]
    mod so3 {
        #[pymodule_export]
        use crate::transforms::so3::{
            align, distance, error, exp, from_axis_angle, from_rpy, from_uniform, from_wxyz,
            from_xyz, from_xyzw, identity, interpolate, inverse, log, skew, to_axis_angle, to_rpy,
            to_wxyz, to_xyz, to_xyzw,
        };
    }

    /// Simulation.
    #[pymodule]
    mod sim {
        #[pymodule_export]
        use crate::sim::{
            MultibodySystem, PlanarBody, Plot, Recording, Sensor, integrate, methods, simulate,
            tableau,
        };
    }

    /// Wrenches and their balances.
    #[pymodule]
    mod wrench {
        #[pymodule_export]
        use crate::wrench::{
            AppliedWrench, Balance, Frame, Frames, Segment, balance, chain, limb, table,
        };
    }

    /// The version, that of the library.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python uses")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
