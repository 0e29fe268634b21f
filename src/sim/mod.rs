//! Simulation: integrators, the mechanisms that they move, sensors and recorders. Layer 5.
//!
//! An [`Integrator`] advances an [`IntegratorState`] of an [`Ode`] from one time to another by one of twelve
//! [`Method`]s, and calls an [`Observer`] before and after each step. A [`Mechanism`] is an equation whose motion
//! sensors can measure; [`at`](Mechanism::at) gives it at any time, and nothing has to be called first:
//!
//! | mechanism | what |
//! |---|---|
//! | [`KinematicTree`] | any robot: joints, gravity, controllers, friction, stops, external wrenches, a moving base; a rigid object of a world |
//! | [`PlanarBody`] | one rigid body in a plane, its centre of mass anywhere |
//! | [`MultibodySystem`] | bodies connected by joints, distances, couplings and springs, with trees and loops |
//!
//! A [`Recorder`] is an observer that samples [`Sensor`]s into a [`Table`].

mod integrator;
mod multibody;
mod planar;
pub mod plot;
mod recorder;
mod sensor;
mod tree;

pub use integrator::{
    Action, EventDirection, FirstOrder, ImplicitEnd, ImplicitStep, Integrator, IntegratorState,
    Method, Observer, Ode, Outcome, SecondOrder, Stability, Step, Steps, Tableau, Termination,
    Tolerance, first_order, second_order,
};
pub use multibody::{
    Axes, Coupling, DistanceConstraint, Drive, GenericJoint, JointId, Load, Marker,
    MultibodySystem, Redundancy, Residual, RobotBodies, Spring, SystemEvaluation,
};
pub use planar::{PlanarBody, PlanarEvaluation, PlanarForce};
pub use recorder::{Recorder, Table};
pub use sensor::{Energy, Evaluation, Mechanism, PointMotion, Probe, Sensor};

pub use crate::robot::Quantity;
pub use tree::{BaseMotion, Forces, JointStops, KinematicTree, Pd, TreeEvaluation};
