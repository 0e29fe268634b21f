//! Properties of random robots, each computed in two ways.

use std::borrow::Borrow;

use kinworld::kinematics::{self, Reference};
use kinworld::math::{Inertia, Motion, so3};
use kinworld::robot::LinkMotion;
use kinworld::{DofId, LinkId, Pose, Robot, State, Vector};
use nalgebra::{DVector, Matrix3xX, Matrix6xX, Rotation3, Vector6};
use proptest::prelude::*;

use random_robots::{Moving, any_moving_robot, cases};

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn poses_are_products_of_poses_in_parents(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        for (i, link) in m.robot.links().iter().enumerate() {
            let id = LinkId::new(i);
            let x_wp = link.parent().map_or_else(Pose::identity, |p| state.pose(&m.robot, p));
            let expected = x_wp * state.pose_in_parent(&m.robot, id);
            close(state.pose(&m.robot, id).to_homogeneous(), expected.to_homogeneous(), 1e-11)?;
        }
    }

    #[test]
    fn jacobians_are_central_differences(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let jacobian = kinematics::jacobian(&m.robot, &state, m.link, &m.point);
        let mut expected = Matrix6xX::zeros(m.q.len());
        for j in 0..m.q.len() {
            let [before, after] = [-STEP, STEP].map(|h| moved(&m, |i| if i == j { h } else { 0.0 }));
            expected.set_column(j, &(rate(&m, &before, &after) / (2.0 * STEP)));
        }
        close(jacobian.clone(), expected, 1e-6)?;

        let position = kinematics::position_jacobian(&m.robot, &state, m.link, &m.point);
        let orientation = kinematics::orientation_jacobian(&m.robot, &state, m.link);
        prop_assert_eq!(jacobian.fixed_rows::<3>(0), orientation);
        prop_assert_eq!(jacobian.fixed_rows::<3>(3), position);
    }

    #[test]
    fn jacobians_times_velocity_are_propagated_twists(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let twists = propagated(&m.robot, &state);
        let [local, aligned, world] = [Reference::Local, Reference::LocalWorldAligned, Reference::World]
            .map(|reference| kinematics::frame_velocity(&m.robot, &state, m.link, reference));
        let x_wl = state.pose(&m.robot, m.link);
        let origin = Pose::from_parts(x_wl.translation, Rotation3::identity());
        let ours = [local.transformed(&x_wl), aligned.transformed(&origin), world];
        for ours in ours {
            close(Vector6::from(ours), Vector6::from(twists[m.link.index()]), 1e-9)?;
        }

        let dq = DVector::from_column_slice(&m.dq);
        for (reference, twist) in
            [(Reference::Local, local), (Reference::LocalWorldAligned, aligned), (Reference::World, world)]
        {
            let jacobian = kinematics::frame_jacobian(&m.robot, &state, m.link, reference);
            close(jacobian * &dq, Vector6::from(twist), 1e-9)?;
        }
        let v = kinematics::point_velocity(&m.robot, &state, m.link, &m.point);
        let w = kinematics::angular_velocity(&m.robot, &state, m.link);
        let jacobian = kinematics::jacobian(&m.robot, &state, m.link, &m.point);
        close(jacobian * &dq, Vector6::from(Motion { angular: w, linear: v }), 1e-9)?;
    }

    #[test]
    fn the_time_derivative_of_a_jacobian_is_its_difference_along_the_motion(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let dot = kinematics::jacobian_dot(&m.robot, &state, m.link, &m.point);
        let [before, after] = [-STEP, STEP].map(|h| {
            let state = moved(&m, |i| h * m.dq[i]);
            kinematics::jacobian(&m.robot, &state, m.link, &m.point)
        });
        close(dot.clone(), (after - before) / (2.0 * STEP), 1e-5)?;

        let bias = kinematics::jacobian_dot_times_velocity(&m.robot, &state, m.link, &m.point);
        close(&dot * DVector::from_column_slice(&m.dq), Vector6::from(bias), 1e-9)?;

        let jacobian = kinematics::jacobian(&m.robot, &state, m.link, &m.point);
        let expected = jacobian * DVector::from_column_slice(&m.ddq) + Vector6::from(bias);
        let linear = kinematics::point_acceleration(&m.robot, &state, m.link, &m.point, &m.ddq);
        let angular = kinematics::angular_acceleration(&m.robot, &state, m.link, &m.ddq);
        let ours = Motion { angular: angular.unwrap(), linear: linear.unwrap() };
        close(Vector6::from(ours), expected, 1e-9)?;
    }

    #[test]
    fn chosen_columns_are_those_of_the_whole_jacobian(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let dofs: Vec<DofId> = (0..m.q.len()).rev().step_by(2).map(DofId::new).collect();
        let whole = kinematics::jacobian(&m.robot, &state, m.link, &m.point);
        let full = kinematics::jacobian_columns(&m.robot, &state, m.link, &m.point, &dofs);
        let upper = kinematics::orientation_jacobian_columns(&m.robot, &state, m.link, &dofs);
        let lower = kinematics::position_jacobian_columns(&m.robot, &state, m.link, &m.point, &dofs);
        for (k, dof) in dofs.iter().enumerate() {
            prop_assert_eq!(full.column(k), whole.column(dof.index()));
        }
        prop_assert_eq!(full.fixed_rows::<3>(0), upper);
        prop_assert_eq!(full.fixed_rows::<3>(3), lower);
    }

    #[test]
    fn the_centre_of_mass_is_that_of_all_links(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let links = m.robot.links().iter().enumerate();
        let links = links.map(|(i, link)| link.inertia().transformed(&state.pose(&m.robot, LinkId::new(i))));
        let all = links.fold(Inertia::zero(), |sum, link| sum.merged(&link));
        prop_assume!(all.mass > 0.1);
        prop_assert!((kinematics::total_mass(&m.robot) - all.mass).abs() < 1e-9);
        close(kinematics::com(&m.robot, &state).coords, all.com.coords, 1e-9)?;
        close(kinematics::total_inertia(&m.robot, &state), all.moment, 1e-7)?;

        let jacobian = kinematics::com_jacobian(&m.robot, &state);
        let mut expected = Matrix3xX::zeros(m.q.len());
        for j in 0..m.q.len() {
            let [before, after] = [-STEP, STEP].map(|h| {
                let state = moved(&m, |i| if i == j { h } else { 0.0 });
                kinematics::com(&m.robot, &state)
            });
            expected.set_column(j, &((after - before) / (2.0 * STEP)));
        }
        close(jacobian.clone(), expected, 1e-6)?;
        let velocity = kinematics::com_velocity(&m.robot, &state);
        close(jacobian * DVector::from_column_slice(&m.dq), velocity, 1e-9)?;
    }

    #[test]
    fn points_and_directions_come_back(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let there = kinematics::world_position(&m.robot, &state, m.link, &m.point);
        let back = kinematics::local_position(&m.robot, &state, m.link, &there);
        close(back.coords, m.point.coords, 1e-9)?;
        let there = kinematics::world_direction(&m.robot, &state, m.link, &m.point.coords);
        let back = kinematics::local_direction(&m.robot, &state, m.link, &there);
        close(back, m.point.coords, 1e-9)?;
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn hessians_are_differences_of_jacobians(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let position = kinematics::position_hessian(&m.robot, &state, m.link, &m.point);
        let orientation = kinematics::orientation_hessian(&m.robot, &state, m.link);
        for i in 0..m.q.len() {
            let [before, after] = [-STEP, STEP].map(|h| {
                let state = moved(&m, |k| if k == i { h } else { 0.0 });
                kinematics::jacobian(&m.robot, &state, m.link, &m.point)
            });
            let expected = (after - before) / (2.0 * STEP);
            for k in 0..3 {
                close(orientation[k].row(i).into_owned(), expected.row(k).into_owned(), 1e-5)?;
                close(position[k].row(i).into_owned(), expected.row(3 + k).into_owned(), 1e-5)?;
            }
        }
        for h in position {
            prop_assert_eq!(&h, &h.transpose());
        }
    }
}

/// Twists of all links about the world's origin, in world axes, from root to tips: each adds its own axis.
fn propagated(robot: &Robot, state: &State) -> Vec<Motion> {
    let mut twists: Vec<Motion> = Vec::new();
    for (i, link) in robot.links().iter().enumerate() {
        let carried = link
            .parent()
            .map_or_else(Motion::default, |p| twists[p.index()]);
        let own = match *link.motion() {
            LinkMotion::Fixed => Motion::default(),
            LinkMotion::Revolute(axis) => Motion {
                angular: axis,
                linear: Vector::zeros(),
            },
            LinkMotion::Prismatic(axis) => Motion {
                angular: Vector::zeros(),
                linear: axis,
            },
        };
        let dq = link.dof().map_or(0.0, |dof| state.velocity()[dof.index()]);
        let x_wl = state.pose(robot, LinkId::new(i));
        twists.push(carried + own.transformed(&x_wl) * dq);
    }
    twists
}

fn state(robot: &Robot, q: &[f64], dq: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).unwrap();
    state.set_velocity(robot, dq).unwrap();
    state
}

/// The state after a small step.
fn moved(m: &Moving, step: impl Fn(usize) -> f64) -> State {
    let q: Vec<f64> = m.q.iter().enumerate().map(|(i, q)| q + step(i)).collect();
    state(&m.robot, &q, &m.dq)
}

/// Rotation of the link and displacement of the point on it between two states.
fn rate(m: &Moving, before: &State, after: &State) -> Vector6<f64> {
    let [from, to] = [before, after].map(|state| state.pose(&m.robot, m.link));
    let linear = to * m.point - from * m.point;
    Motion {
        angular: so3::error(&to.rotation, &from.rotation),
        linear,
    }
    .into()
}

/// Every entry of two matrices agrees, relative to the largest entry.
fn close<R: nalgebra::Dim, C: nalgebra::Dim, S, T>(
    a: impl Borrow<nalgebra::Matrix<f64, R, C, S>>,
    b: impl Borrow<nalgebra::Matrix<f64, R, C, T>>,
    tolerance: f64,
) -> Result<(), TestCaseError>
where
    S: nalgebra::RawStorage<f64, R, C> + std::fmt::Debug,
    T: nalgebra::RawStorage<f64, R, C> + std::fmt::Debug,
{
    let (a, b) = (a.borrow(), b.borrow());
    prop_assert_eq!(a.shape(), b.shape());
    let size = b.iter().fold(1.0_f64, |m, x| m.max(x.abs()));
    for (x, y) in a.iter().zip(b.iter()) {
        prop_assert!((x - y).abs() <= tolerance * size, "{a:?}\n{b:?}");
    }
    Ok(())
}

/// With it central differences are accurate to about 1e-10 times third derivatives.
const STEP: f64 = 1e-5;
