//! Robots through time: integrators, the mechanisms that they move, sensors. Floor 5.
//!
//! An [`Integrator`] takes a [`Phase`] of an [`Ode`] from one time to another, by one of twelve [`Method`]s, while a
//! [`Watch`] looks on. What can be measured while it moves is a [`Mechanism`]:
//!
//! | mechanism | what |
//! |---|---|
//! | [`KinematicTree`] | any robot: its joints, gravity, controllers, friction, stops, pushes, a base that moves; a rigid object of a world |
//! | [`PlanarBody`] | one rigid body in a plane, its centre of mass anywhere |
//! | [`System`] | bodies that joints, distances, couplings and springs hold together, in trees and loops |
//!
//! A [`Recorder`] is an onlooker that samples [`Sensor`]s into a [`Table`].

mod integrator;
mod planar;
mod plot;
mod recorder;
mod redundant;
mod sensor;
mod tree;

pub use integrator::{
    Crossing, FirstOrder, ImplicitEnd, ImplicitStep, Integrator, Method, Ode, Outcome, Phase,
    Reply, SecondOrder, Step, Steps, Stop, Tableau, Tolerance, Watch, first_order, second_order,
};
pub use planar::{PlanarBody, PlanarForce};
pub use recorder::{Recorder, Table};
pub use redundant::{
    Axes, Coupling, Distance, Drive, GenericJoint, JointId, Load, Marker, Redundancy, Residual,
    RobotBodies, Spring, System,
};
pub use sensor::{Energy, Mechanism, PointMotion, Probe, Quantity, Sensor};
pub use tree::{BaseMotion, Forces, KinematicTree, Pd, Stops};
