//! Derivatives of a batch against those of single motions.

use kinworld::batch::{Lanes, Workspace};
use kinworld::{Error, Robot, State, Vector, batch, dynamics};
use nalgebra::{DMatrix, DMatrixView};
use proptest::prelude::*;

use super::load;
use super::motions::{GRAVITY, Motions, SIZES, floating};
use random_robots::{any_heavy_robot, cases};

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn derivatives_are_those_of_single_motions(robot in any_heavy_robot(), count in 0..12_usize, seed in 0..1000_u64) {
        compare(&Motions::new(robot, count, seed));
    }

    #[test]
    fn floating_robots_have_the_derivatives_of_single_motions(robot in any_heavy_robot(), count in 0..12_usize, seed in 0..1000_u64) {
        compare(&Motions::new(floating(&robot), count, seed));
    }
}

#[test]
fn batches_of_every_size_have_derivatives_for_each_motion() {
    for robot in [load("arm6"), floating(&load("arm6"))] {
        for count in SIZES {
            compare(&Motions::new(robot.clone(), count, 7));
        }
    }
}

#[test]
fn forward_derivatives_of_a_well_conditioned_arm_are_accurate() {
    for robot in [load("arm6"), floating(&load("arm6"))] {
        let Motions { q, dq, rest, .. } = Motions::new(robot.clone(), 13, 11);
        let n = robot.n_dofs();
        let ours = batch::forward_dynamics_derivatives(&robot, &q, &dq, &rest, &GRAVITY);
        for (k, ours) in ours.expect("motions").chunks(3 * n * n).enumerate() {
            let row = |rows: &[f64]| rows[k * n..][..n].to_vec();
            let state = state(&robot, &row(&q), &row(&dq));
            let single =
                dynamics::forward_dynamics_derivatives(&robot, &state, &GRAVITY, &row(&rest));
            let single = single.expect("a motion");
            let expected = [single.ddq_dq, single.ddq_dv, single.ddq_dtau];
            for (ours, expected) in matrices(n, ours).iter().zip(&expected) {
                let tolerance = 1e-11 * expected.amax().max(1e-3);
                close(&format!("motion {k}"), ours, expected, tolerance);
            }
        }
    }
}

#[test]
fn derivatives_in_lanes_are_those_in_slices_to_the_last_bit() {
    for robot in [load("arm6"), floating(&load("snake30"))] {
        for count in SIZES {
            let Motions { q, dq, rest, .. } = Motions::new(robot.clone(), count, 3);
            let lanes = |rows: &[f64]| Lanes::from_rows(robot.n_dofs(), rows).expect("whole rows");
            let (ql, dql, restl) = (lanes(&q), lanes(&dq), lanes(&rest));
            let (mut ws, mut out) = (Workspace::new(&robot), Lanes::default());
            let same = |lanes: &Lanes, rows: &[f64]| {
                let bits = |rows: &[f64]| rows.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(lanes.len(), count);
                assert!(bits(&lanes.to_rows()) == bits(rows));
            };

            let g = &GRAVITY;
            batch::inverse_dynamics_derivatives_lanes(
                &robot, &ql, &dql, &restl, g, &mut ws, &mut out,
            )
            .expect("motions");
            let rows = batch::inverse_dynamics_derivatives(&robot, &q, &dq, &rest, g);
            same(&out, &rows.expect("motions"));
            batch::forward_dynamics_derivatives_lanes(
                &robot, &ql, &dql, &restl, g, &mut ws, &mut out,
            )
            .expect("motions");
            let rows = batch::forward_dynamics_derivatives(&robot, &q, &dq, &rest, g);
            same(&out, &rows.expect("motions"));
        }
    }
}

#[test]
fn derivatives_are_refused_where_motions_are() {
    let (robot, gravity) = (load("arm6"), Vector::z());
    let n = robot.n_dofs();
    let (fine, short) = (vec![0.3; 9 * n], vec![0.3; 8 * n]);
    let mut broken = fine.clone();
    broken[7 * n + 2] = f64::NAN;
    for k in 0..3 {
        let evaluate = |other: &Vec<f64>| {
            let mut rows = [fine.clone(), fine.clone(), fine.clone()];
            rows[k].clone_from(other);
            let [q, dq, rest] = &rows;
            [
                batch::inverse_dynamics_derivatives(&robot, q, dq, rest, &gravity),
                batch::forward_dynamics_derivatives(&robot, q, dq, rest, &gravity),
            ]
        };
        for result in evaluate(&short) {
            assert!(matches!(result, Err(Error::Length { .. })), "{result:?}");
        }
        let words = [
            ["configuration", "velocity", "acceleration"][k],
            ["configuration", "velocity", "torque"][k],
        ];
        for (result, word) in evaluate(&broken).into_iter().zip(words) {
            let message = result.expect_err("not finite").to_string();
            assert_eq!(
                message,
                format!("{word} 7: value 2 is NaN, it must be finite")
            );
        }
    }
    let (mut ws, mut out) = (Workspace::new(&robot), vec![0.0; 3 * n * n]);
    let refused = batch::inverse_dynamics_derivatives_into(
        &robot, &fine, &fine, &fine, &gravity, &mut ws, &mut out,
    );
    let expected = Error::Length {
        what: "batch of derivatives",
        expected: 27 * n * n,
        found: 3 * n * n,
    };
    assert_eq!(refused, Err(expected));
}

#[test]
fn forward_derivatives_name_a_singular_coordinate() {
    // a floating base is singular at a pitch of π/2
    let robot = floating(&load("arm6"));
    let mut links = kinworld::RobotBuilder::from(&robot);
    links.links[3].armature = 0.0;
    let robot = links.build().expect("a robot");
    let n = robot.n_dofs();
    let rest = vec![0.0; 20 * n];
    let mut q = rest.clone();
    q[13 * n + 4] = std::f64::consts::FRAC_PI_2;
    let partials = batch::forward_dynamics_derivatives(&robot, &q, &rest, &rest, &GRAVITY);
    let accelerations = batch::forward_dynamics(&robot, &q, &rest, &rest, &GRAVITY);
    let message = accelerations.expect_err("singular").to_string();
    assert!(message.starts_with("configuration 13, link `"), "{message}");
    assert_eq!(partials.expect_err("singular").to_string(), message);
    batch::inverse_dynamics_derivatives(&robot, &q, &rest, &rest, &GRAVITY).expect("forces");
}

/// Compares with one motion after the other.
fn compare(motions: &Motions) {
    let Motions {
        robot, q, dq, rest, ..
    } = motions;
    let (n, count) = (robot.n_dofs(), motions.count);
    let inverse = batch::inverse_dynamics_derivatives(robot, q, dq, rest, &GRAVITY);
    let inverse = inverse.expect("motions");
    let forward = batch::forward_dynamics_derivatives(robot, q, dq, rest, &GRAVITY);
    let forward = forward.expect("motions");
    let ddq = batch::forward_dynamics(robot, q, dq, rest, &GRAVITY).expect("motions");
    assert_eq!(inverse.len(), count * 3 * n * n);
    assert_eq!(forward.len(), count * 3 * n * n);
    for k in 0..count {
        let row = |rows: &[f64]| rows[k * n..][..n].to_vec();
        let state = state(robot, &row(q), &row(dq));
        let single = |ddq: &[f64]| {
            let partials = dynamics::inverse_dynamics_derivatives(robot, &state, &GRAVITY, ddq);
            let partials = partials.expect("a motion");
            [partials.dtau_dq, partials.dtau_dv, partials.dtau_da]
        };
        let what = format!("motion {k}");
        let ours = matrices(n, &inverse[k * 3 * n * n..]);
        let expected = single(&row(rest));
        let size = largest(&expected);
        for (ours, expected) in ours.iter().zip(&expected) {
            close(&what, ours, expected, 1e-13 * size);
        }

        // accelerations of a light link at the end of a heavy chain have few digits: compare forces
        let partials = single(&row(&ddq));
        let size = largest(&partials);
        let [dtau_dq, dtau_dv, mass] = partials;
        let identity = -DMatrix::identity(n, n);
        let [a, b, c] = matrices(n, &forward[k * 3 * n * n..]);
        assert_eq!(c, c.transpose());
        for (ours, expected) in [(a, dtau_dq), (b, dtau_dv), (c, identity)] {
            let terms = (mass.abs() * ours.abs()).amax();
            close(&what, &(&mass * ours), &-expected, 1e-10 * terms.max(size));
        }
    }
}

/// The largest entry of the three partials of a motion, in which terms of that size cancel.
fn largest(partials: &[DMatrix<f64>; 3]) -> f64 {
    partials.iter().map(DMatrix::amax).fold(0.0, f64::max)
}

fn close(what: &str, ours: &DMatrix<f64>, expected: &DMatrix<f64>, tolerance: f64) {
    let error = (ours - expected).amax();
    assert!(error <= tolerance, "{what}: {error:e} beyond {tolerance:e}");
}

/// The three matrices of a motion.
fn matrices(n: usize, partials: &[f64]) -> [DMatrix<f64>; 3] {
    [0, 1, 2].map(|k| DMatrixView::from_slice(&partials[k * n * n..], n, n).into_owned())
}

fn state(robot: &Robot, q: &[f64], dq: &[f64]) -> State {
    let mut state = State::new(robot);
    state.set_config(robot, q).expect("a configuration");
    state.set_velocity(robot, dq).expect("a velocity");
    state
}
