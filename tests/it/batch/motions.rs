//! Dynamics of a batch against those of single motions.

use kinworld::batch::{Lanes, Workspace};
use kinworld::math::Inertia;
use kinworld::robot::JointKind;
use kinworld::{LinkId, Point, Robot, RobotBuilder, State, Vector, batch, dynamics};
use nalgebra::Matrix3;
use proptest::prelude::*;

use super::load;
use crate::common::numbers::assert_close;
use random_robots::{any_heavy_robot, cases};

pub(super) const GRAVITY: Vector = Vector::new(0.8, -1.7, -9.6);

/// One, less than one pass of four lanes, more than one of eight, and more than one thread takes at once.
pub(super) const SIZES: [usize; 4] = [1, 3, 13, 600];

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn forces_masses_and_accelerations_are_those_of_single_motions(
        robot in any_heavy_robot(),
        count in 0..12_usize,
        seed in 0..1000_u64,
    ) {
        Motions::new(robot, count, seed).compare();
    }

    #[test]
    fn floating_robots_move_as_single_motions(robot in any_heavy_robot(), count in 0..12_usize, seed in 0..1000_u64) {
        Motions::new(floating(&robot), count, seed).compare();
    }
}

#[test]
fn batches_of_every_size_have_a_result_for_each_motion() {
    for robot in [load("arm6"), floating(&load("arm6"))] {
        for count in SIZES {
            Motions::new(robot.clone(), count, 7).compare();
        }
    }
}

#[test]
fn results_in_lanes_are_those_in_slices_to_the_last_bit() {
    for robot in [load("arm6"), floating(&load("snake30"))] {
        for count in SIZES {
            Motions::new(robot.clone(), count, 3).compare_lanes();
        }
    }
}

/// Inputs of a batch.
pub(super) struct Motions {
    pub(super) robot: Robot,
    pub(super) count: usize,
    pub(super) q: Vec<f64>,
    pub(super) dq: Vec<f64>,
    /// Accelerations or torques.
    pub(super) rest: Vec<f64>,
}

impl Motions {
    pub(super) fn new(robot: Robot, count: usize, seed: u64) -> Self {
        let n = robot.n_dofs();
        let count = if n == 0 { 0 } else { count };

        // multiples of the golden ratio, away from the singular pitch of a base
        let numbers = |scale: f64, seed: u64| -> Vec<f64> {
            let number = |k: usize| {
                scale * (((seed * 77_777) as f64 + k as f64) * 0.618_033_988_749_894_9).fract()
            };
            (0..count * n).map(number).collect()
        };
        Self {
            q: numbers(1.3, seed),
            dq: numbers(2.0, seed + 1),
            rest: numbers(-3.0, seed + 2),
            robot,
            count,
        }
    }

    /// Compares with one motion after the other.
    fn compare(&self) {
        let Self {
            robot, q, dq, rest, ..
        } = self;
        let n = robot.n_dofs();
        let tau = batch::inverse_dynamics(robot, q, dq, rest, &GRAVITY).expect("motions");
        let bias = batch::bias_forces(robot, q, dq, &GRAVITY).expect("motions");
        let masses = batch::mass_matrices(robot, q).expect("configurations");
        let ddq = batch::forward_dynamics(robot, q, dq, &tau, &GRAVITY).expect("motions");
        for result in [&tau, &bias, &ddq] {
            assert_eq!(result.len(), self.count * n);
        }
        assert_eq!(masses.len(), self.count * n * n);
        let mut state = State::new(robot);
        for k in 0..self.count {
            let row = |rows: &[f64]| rows[k * n..][..n].to_vec();
            state.set_config(robot, &row(q)).expect("a configuration");
            state.set_velocity(robot, &row(dq)).expect("a velocity");
            let close = |what: &str, ours: &[f64], expected: &[f64]| {
                let size = expected.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
                assert_close(format!("{what} {k}"), ours, expected, 1e-12 * size);
            };
            let single = dynamics::inverse_dynamics(robot, &state, &GRAVITY, &row(rest));
            close("forces", &row(&tau), &single.expect("a motion"));
            let single = dynamics::bias_forces(robot, &state, &GRAVITY);
            close("bias", &row(&bias), &single);
            let single = dynamics::mass_matrix(robot, &state);
            close("masses", &masses[k * n * n..][..n * n], single.as_slice());

            // accelerations of a light link at the end of a heavy chain have few digits: compare forces
            let back = dynamics::inverse_dynamics(robot, &state, &GRAVITY, &row(&ddq));
            let size = row(&tau).iter().fold(1.0_f64, |size, x| size.max(x.abs()));
            let what = format!("accelerations {k}");
            assert_close(what, &back.expect("a motion"), &row(&tau), 1e-10 * size);
        }
    }

    /// Compares lanes with slices.
    fn compare_lanes(&self) {
        let robot = &self.robot;
        let n = robot.n_dofs();
        let lanes = |rows: &[f64]| Lanes::from_rows(n, rows).expect("whole rows");
        let [q, dq, rest] = [&self.q, &self.dq, &self.rest].map(|rows| lanes(rows));
        let (mut ws, mut out) = (Workspace::new(robot), Lanes::default());
        let same = |what: &str, lanes: &Lanes, rows: &[f64]| {
            assert_eq!(lanes.len(), self.count, "{what}");
            let bits = |rows: &[f64]| rows.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert!(bits(&lanes.to_rows()) == bits(rows), "{what}");
        };

        let tip = LinkId::new(robot.links().len() - 1);
        let links = [tip, LinkId::new(0), tip];
        batch::poses_lanes(robot, &q, &links, &mut ws, &mut out).expect("configurations");
        let poses = batch::poses(robot, &self.q, &links).expect("configurations");
        for (i, pose) in poses.iter().enumerate() {
            assert_eq!(out.pose(i / 3, i % 3), *pose);
        }
        let point = Point::new(0.1, -0.2, 0.3);
        batch::jacobians_lanes(robot, &q, tip, &point, &mut ws, &mut out).expect("configurations");
        let rows = batch::jacobians(robot, &self.q, tip, &point);
        same("Jacobians", &out, &rows.expect("configurations"));
        batch::mass_matrices_lanes(robot, &q, &mut ws, &mut out).expect("configurations");
        let rows = batch::mass_matrices(robot, &self.q);
        same("masses", &out, &rows.expect("configurations"));
        batch::bias_forces_lanes(robot, &q, &dq, &GRAVITY, &mut ws, &mut out).expect("motions");
        let rows = batch::bias_forces(robot, &self.q, &self.dq, &GRAVITY);
        same("bias", &out, &rows.expect("motions"));

        // the output of one function is the input of the next
        batch::forward_dynamics_lanes(robot, &q, &dq, &rest, &GRAVITY, &mut ws, &mut out)
            .expect("motions");
        let ddq = batch::forward_dynamics(robot, &self.q, &self.dq, &self.rest, &GRAVITY)
            .expect("motions");
        same("accelerations", &out, &ddq);
        let mut tau = Lanes::default();
        batch::inverse_dynamics_lanes(robot, &q, &dq, &out, &GRAVITY, &mut ws, &mut tau)
            .expect("motions");
        let rows = batch::inverse_dynamics(robot, &self.q, &self.dq, &ddq, &GRAVITY);
        same("forces", &tau, &rows.expect("motions"));
    }
}

/// The robot on six virtual links, the last of which has a mass: without inertia there is no acceleration. One of them has
/// an armature.
pub(super) fn floating(robot: &Robot) -> Robot {
    let mut floating = RobotBuilder::from(robot)
        .with_base(JointKind::Floating)
        .expect("a base");
    floating.links[5].inertia = Inertia {
        mass: 4.0,
        com: Point::new(0.1, -0.2, 0.3),
        moment: Matrix3::from_diagonal(&Vector::new(0.3, 0.4, 0.5)),
    };
    floating.links[3].armature = 0.2;
    floating.build().expect("a floating robot")
}
