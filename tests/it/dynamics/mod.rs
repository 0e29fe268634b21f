//! Forces, masses, energies: identities on robots that nobody designed, a worked example, and what is refused.

mod armature;
mod coriolis;
mod described_otherwise;
mod driven;
mod forced;
mod identities;
mod laws;
mod refused;
mod regressors;
mod slopes;
mod slopes_of_pinocchio;
mod tasks;
mod whole;
mod worked_example;

use kinworld::dynamics::Workspace;
use kinworld::math::Wrench;
use kinworld::robot::JointKind;
use kinworld::{LinkId, Robot, RobotBuilder, State, Vector};
use nalgebra::{DVector, Dim, Matrix, RawStorage, Vector6};
use proptest::prelude::*;

use crate::common::robots::Moving;

/// Where everything falls, not along an axis.
const GRAVITY: Vector = Vector::new(0.8, -1.7, -9.6);

/// The state of a robot.
fn state(robot: &Robot, q: &[f64], dq: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    state.set_velocity(robot, dq).unwrap();
    state
}

/// The robot a moment `t` later, at constant acceleration.
fn later(m: &Moving, t: f64) -> State {
    let mut q = m.q.clone();
    let mut dq = m.dq.clone();
    for i in 0..q.len() {
        q[i] += t * dq[i] + 0.5 * t * t * m.ddq[i];
        dq[i] += t * m.ddq[i];
    }
    state(&m.robot, &q, &dq)
}

/// Two pushes on one link, and one on the root.
fn pushes(m: &Moving) -> [(LinkId, Wrench); 3] {
    let push = |a: f64, b: f64| Wrench::new(Vector::new(a, -b, 1.0), Vector::new(b, 2.0, -a));
    [
        (m.link, push(3.0, -1.0)),
        (LinkId::new(0), push(-2.0, 5.0)),
        (m.link, push(0.5, 4.0)),
    ]
}

/// What each coordinate moves beside the links.
fn armature(robot: &Robot) -> Vec<f64> {
    robot.armature().collect()
}

/// Memory for a robot that is larger than this one.
fn roomy(robot: &Robot) -> Workspace {
    let larger = RobotBuilder::from(robot).with_base(JointKind::Floating);
    Workspace::new(&larger.unwrap().build().unwrap())
}

/// A list as a vector.
fn vector(list: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(list)
}

/// A force as six numbers.
fn six(f: Wrench) -> Vector6<f64> {
    f.into()
}

/// Every entry of two matrices agrees to `tolerance` times `size`, and both have the same shape.
fn close<R: Dim, C: Dim, S, T>(
    a: &Matrix<f64, R, C, S>,
    b: &Matrix<f64, R, C, T>,
    tolerance: f64,
    size: f64,
) -> Result<(), TestCaseError>
where
    S: RawStorage<f64, R, C>,
    T: RawStorage<f64, R, C>,
{
    prop_assert_eq!(a.shape(), b.shape());
    for (k, (x, y)) in a.iter().zip(b.iter()).enumerate() {
        let apart = (x - y).abs();
        prop_assert!(
            apart <= tolerance * size,
            "number {k}: {x} and {y} are {apart:e} apart at size {size}"
        );
    }
    Ok(())
}

/// The largest entry, at least 1.
fn size<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(a: &Matrix<f64, R, C, S>) -> f64 {
    a.iter().fold(1.0, |m, x| m.max(x.abs()))
}
