//! The limb of the notebook: three segments that rotate at constant rates, without gravity.
//!
//! Mielke (2020), "The N-segment piglet limb": the printed formulas, and the numbers that an independent model of the
//! same limb gives for each of its observers.

use kinworld::robot::JointKind;
use kinworld::wrench::{AppliedWrench, Balance, FrameId, Frames, Segment, Site, chain, limb};
use kinworld::{LinkId, Point, Robot, Vector};

use super::{six, state};
use crate::common::files::exudyn_refs;
use crate::common::numbers::{assert_close, list, number, numbers};

const LENGTHS: [f64; 3] = [0.8, 0.6, 0.4];
const MASSES: [f64; 3] = [0.7, 0.5, 0.3];
const RATES: [f64; 3] = [1.0, 2.0, 4.0];

fn piglet() -> Robot {
    let segment = |i: usize| Segment::new(format!("segment{i}"), LENGTHS[i], MASSES[i]);
    limb("piglet", JointKind::Normal, &[0, 1, 2].map(segment)).unwrap()
}

/// The observers of the notebook: the world, and each segment from its lower end.
fn observer(name: &str) -> Site {
    let segment = ["A", "B", "C"].iter().position(|frame| *frame == name);
    segment.map_or(Site::WORLD, |i| {
        Site::on_link(LinkId::new(i), Point::new(0.0, LENGTHS[i], 0.0))
    })
}

/// Checks the balances of the segments at a time; the closure gives a wrench in the axes of a segment.
fn at(t: f64, name: &str, check: impl Fn(&[Balance], &dyn Fn(&AppliedWrench, usize) -> Vec<f64>)) {
    let robot = piglet();
    let state = state(&robot, &RATES.map(|rate| rate * t), &RATES);
    let frames = Frames::new(&robot, &state, &[0.0; 3]).unwrap();
    let balances = chain(&frames, &observer(name), &Vector::zeros(), &[]).unwrap();
    let in_axes = |wrench: &AppliedWrench, segment: usize| {
        let frame = FrameId::Link(LinkId::new(segment));
        let wrench = wrench.expressed(frame, &frames).unwrap();
        six(&wrench).as_slice().to_vec()
    };
    check(&balances, &in_axes);
}

/// A wrench in the plane, moment first.
fn planar(x: f64, y: f64, moment: f64) -> [f64; 6] {
    [0.0, 0.0, moment, x, y, 0.0]
}

/// Six numbers that are given force first, moment first.
fn moment_first(wrench: &[f64]) -> [f64; 6] {
    [3, 4, 5, 0, 1, 2].map(|i| wrench[i])
}

#[test]
fn wrenches_match_the_printed_formulas() {
    for t in [0.0, 0.1, 0.35, 0.7, 1.3, 2.9, 6.0] {
        let (s, c) = (|k: f64| (k * t).sin(), |k: f64| (k * t).cos());
        let close = |what: &str, ours: &[f64], printed: [f64; 6]| {
            assert_close(format!("{what} at {t} s"), ours, &printed, 1e-12);
        };
        let m_2 = 81.0 * s(4.0) / 250.0 + 6.0 * s(6.0) / 125.0;

        // "Inertial Frame Kinetics"
        at(t, "W", |balances, in_axes| {
            close(
                "dynamic wrench of segment 2",
                six(&balances[2].dynamic).as_slice(),
                planar(
                    6.0 * s(1.0) / 25.0 + 81.0 * s(3.0) / 50.0 + 147.0 * s(7.0) / 50.0,
                    -6.0 * c(1.0) / 25.0 - 81.0 * c(3.0) / 50.0 - 147.0 * c(7.0) / 50.0,
                    m_2,
                ),
            );
            close(
                "joint wrench of segment 2 in its axes",
                &in_axes(&balances[2].joint, 2),
                planar(
                    -81.0 * s(4.0) / 50.0 - 6.0 * s(6.0) / 25.0,
                    -81.0 * c(4.0) / 50.0 - 6.0 * c(6.0) / 25.0 - 147.0 / 50.0,
                    m_2,
                ),
            );
        });

        // "Kinetics in Any Frame": the last segment from the one before
        at(t, "B", |balances, _| {
            let seen = |wrench: &AppliedWrench| six(wrench).as_slice().to_vec();
            let last = &balances[2];
            let dynamic = planar(24.0 * s(4.0) / 25.0, -24.0 * c(4.0) / 25.0, 0.0);
            close("dynamic wrench in B", &seen(&last.dynamic), dynamic);
            close(
                "d'Alembert wrench in B",
                &seen(&last.dalembert),
                planar(6.0 * s(2.0) / 25.0, 6.0 * c(2.0) / 25.0 + 81.0 / 50.0, -m_2),
            );
            close("Euler wrench in B", &seen(&last.euler), [0.0; 6]);
            let centrifugal = planar(-27.0 * s(4.0) / 50.0, 27.0 * c(4.0) / 50.0, 0.0);
            close("centrifugal in B", &seen(&last.centrifugal), centrifugal);
            let coriolis = planar(-36.0 * s(4.0) / 25.0, 36.0 * c(4.0) / 25.0, 0.0);
            close("Coriolis in B", &seen(&last.coriolis), coriolis);
            close(
                "joint wrench of segment 2 in B",
                &seen(&last.joint),
                planar(
                    -6.0 * s(2.0) / 25.0 + 147.0 * s(4.0) / 50.0,
                    -6.0 * c(2.0) / 25.0 - 147.0 * c(4.0) / 50.0 - 81.0 / 50.0,
                    m_2,
                ),
            );

            // "Wrenching Up The Chain"
            let m_1 = 33.0 * s(2.0) / 125.0 - 36.0 * s(4.0) / 25.0 + 6.0 * s(6.0) / 125.0;
            close(
                "joint wrench of segment 1 in B",
                &seen(&balances[1].joint),
                planar(
                    -16.0 * s(2.0) / 25.0 + 147.0 * s(4.0) / 50.0,
                    -16.0 * c(2.0) / 25.0 - 147.0 * c(4.0) / 50.0 - 297.0 / 100.0,
                    m_1,
                ),
            );
            close(
                "d'Alembert wrench of segment 1 in B",
                &seen(&balances[1].dalembert),
                planar(
                    2.0 * s(2.0) / 5.0,
                    2.0 * c(2.0) / 5.0 + 27.0 / 10.0,
                    -3.0 * s(2.0) / 25.0,
                ),
            );
        });
        at(t, "A", |balances, _| {
            let seen = |wrench: &AppliedWrench| six(wrench).as_slice().to_vec();
            let x = 297.0 * s(2.0) / 100.0 + 147.0 * s(6.0) / 50.0;
            let y = -297.0 * c(2.0) / 100.0 - 147.0 * c(6.0) / 50.0;
            let m_1 = 33.0 * s(2.0) / 125.0 - 36.0 * s(4.0) / 25.0 + 6.0 * s(6.0) / 125.0;
            let m_0 = -264.0 * s(2.0) / 125.0 - 36.0 * s(4.0) / 25.0 - 288.0 * s(6.0) / 125.0;
            close(
                "joint wrench of segment 1 in A",
                &seen(&balances[1].joint),
                planar(x, y - 16.0 / 25.0, m_1),
            );
            close(
                "joint wrench of segment 0 in A",
                &seen(&balances[0].joint),
                planar(x, y - 23.0 / 25.0, m_0),
            );
        });
    }
}

#[test]
fn kinematics_match_the_printed_formulas() {
    let robot = piglet();
    let (a, b) = (FrameId::Link(LinkId::new(0)), FrameId::Link(LinkId::new(1)));
    let com = |i: usize| Site::on_link(LinkId::new(i), Point::new(0.0, LENGTHS[i] / 2.0, 0.0));
    for t in [0.0, 0.1, 0.7, 1.3, 2.9] {
        let state = state(&robot, &RATES.map(|rate| rate * t), &RATES);
        let frames = Frames::new(&robot, &state, &[0.0; 3]).unwrap();
        let close = |what: &str, ours: Vector, printed: [f64; 3]| {
            assert_close(format!("{what} at {t} s"), ours.as_slice(), &printed, 1e-14);
        };
        let (s, c) = (|k: f64| (k * t).sin(), |k: f64| (k * t).cos());

        // "Linear Kinematics": the velocity of C_1 from the shoulder, as three observers see it, in the axes of A
        let in_a = |axes: FrameId| {
            let seen = frames.between(&Site::WORLD, &com(1), axes).unwrap();
            frames.rotation(a, axes).unwrap() * seen.velocity
        };
        close("velocity in B", in_a(b), [1.6, 0.0, 0.0]);
        close(
            "velocity in A",
            in_a(a),
            [-0.6 * c(2.0), -0.6 * s(2.0), 0.0],
        );
        let in_w = [-0.9 * c(2.0) - 0.8, -0.9 * s(2.0), 0.0];
        close("velocity in W", in_a(FrameId::World), in_w);

        // "check derivatives": how centres of mass accelerate about the joints above them for the segment before
        let before = [FrameId::World, a, b];
        for (i, (k, size)) in [(1.0, 0.4), (3.0, 1.2), (7.0, 3.2)].into_iter().enumerate() {
            let joint = Site::link(LinkId::new(i));
            let seen = frames.between(&joint, &com(i), before[i]).unwrap();
            let to_world = frames.rotation(FrameId::World, before[i]).unwrap();
            let printed = [size * s(k), -size * c(k), 0.0];
            close("acceleration", to_world * seen.acceleration, printed);
        }

        // "Angular Kinematics"
        let (w, dw) = frames.angular(b, FrameId::World).unwrap();
        close("ω of B in W", w, [0.0, 0.0, 3.0]);
        close("ω̇ of B in W", dw, [0.0; 3]);
        close(
            "ω of B in A",
            frames.angular(b, a).unwrap().0,
            [0.0, 0.0, 2.0],
        );
        close("ω of B in B", frames.angular(b, b).unwrap().0, [0.0; 3]);

        // "Inertias": about the upper joint in the world; printed as R I, where a tensor rotates as R I Rᵀ
        let inertia = frames.inertia(LinkId::new(1), &Site::link(LinkId::new(1)), FrameId::World);
        let inertia = inertia.unwrap();
        let printed = [0.045 * c(3.0), 0.045 * s(3.0), 0.0];
        let column = frames
            .rotation(FrameId::World, b)
            .unwrap()
            .matrix()
            .column(0)
            .into_owned();
        close("inertia", inertia * column, printed);
        assert!((inertia[(2, 2)] - 0.045).abs() < 1e-15);
    }
}

#[test]
fn wrenches_match_an_independent_model_for_every_observer() {
    let refs = exudyn_refs();
    let mut seen = 0;
    for instant in list(&refs["piglet"]["n3"]) {
        let t = number(&instant["t"]);
        for name in ["W", "A", "B", "C"] {
            at(t, name, |balances, in_axes| {
                for (i, (ours, theirs)) in balances
                    .iter()
                    .zip(list(&instant["fictitious"]))
                    .enumerate()
                {
                    let rows = [
                        ("dynamic", ours.dynamic),
                        ("joint", ours.joint),
                        ("D", ours.dalembert),
                        ("E", ours.euler),
                        ("Cf", ours.centrifugal),
                        ("Cor", ours.coriolis),
                    ];
                    for (key, wrench) in rows {
                        assert_close(
                            format!("{key} of segment {i} in {name} at {t} s"),
                            six(&wrench).as_slice(),
                            &moment_first(&numbers(&theirs[name][key])),
                            1e-12,
                        );
                    }
                    let theirs = &instant["joint_wrenches"][i]["segment_frame"];
                    let ours = in_axes(&ours.joint, i);
                    assert_close(
                        format!("joint {i} at {t} s"),
                        &ours,
                        &moment_first(&numbers(theirs)),
                        1e-12,
                    );
                }
            });
            seen += 1;
        }
    }
    assert!(seen > 0, "the references have instants");
}
