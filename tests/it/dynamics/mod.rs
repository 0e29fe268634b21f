//! Forces, masses, energies: identities on random robots, a worked example, and errors.

mod armature;
mod ball_armature;
mod coriolis;
mod derivatives;
mod driven;
mod equivalent_models;
mod errors;
mod identities;
mod laws;
mod pinocchio_derivatives;
mod regressors;
mod simd_levels;
mod tasks;
mod whole_robot;
mod worked_example;

use kinworld::dynamics::Workspace;
use kinworld::math::Wrench;
use kinworld::robot::JointKind;
use kinworld::{LinkId, Robot, RobotBuilder, State, Vector};
use nalgebra::{DVector, Dim, Matrix, RawStorage, Vector6};
use proptest::prelude::*;

use random_robots::Moving;

/// Gravity, not along an axis.
const GRAVITY: Vector = Vector::new(0.8, -1.7, -9.6);

/// The state of a robot.
fn state(robot: &Robot, q: &[f64], dq: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    state.set_velocity(robot, dq).unwrap();
    state
}

/// The state at a time `t` later, at constant acceleration.
fn later(m: &Moving, t: f64) -> State {
    let mut q = m.q.clone();
    let mut dq = m.dq.clone();
    for i in 0..q.len() {
        q[i] += t * dq[i] + 0.5 * t * t * m.ddq[i];
        dq[i] += t * m.ddq[i];
    }
    state(&m.robot, &q, &dq)
}

/// Two external wrenches on one link, and one on the root.
fn external_wrenches(m: &Moving) -> [(LinkId, Wrench); 3] {
    let wrench = |a: f64, b: f64| Wrench {
        moment: Vector::new(a, -b, 1.0),
        force: Vector::new(b, 2.0, -a),
    };
    [
        (m.link, wrench(3.0, -1.0)),
        (LinkId::new(0), wrench(-2.0, 5.0)),
        (m.link, wrench(0.5, 4.0)),
    ]
}

/// The armature of each dof.
fn armature(robot: &Robot) -> Vec<f64> {
    robot.armature().collect()
}

/// A workspace made for a larger robot.
fn larger_workspace(robot: &Robot) -> Workspace {
    let larger = RobotBuilder::from(robot).with_base(JointKind::Floating);
    Workspace::new(&larger.unwrap().build().unwrap())
}

/// A list as a vector.
fn vector(list: &[f64]) -> DVector<f64> {
    DVector::from_column_slice(list)
}

/// The components of a wrench, moment first.
fn six(f: Wrench) -> Vector6<f64> {
    f.into()
}

/// Asserts that two matrices have the same shape and agree to `tolerance` times `size`.
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
        let error = (x - y).abs();
        prop_assert!(
            error <= tolerance * size,
            "entry {k}: {x} and {y} differ by {error:e} at size {size}"
        );
    }
    Ok(())
}

/// The largest entry, at least 1.
fn size<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(a: &Matrix<f64, R, C, S>) -> f64 {
    a.iter().fold(1.0, |m, x| m.max(x.abs()))
}
