//! Inputs that a batch refuses.

use crate::common::errors::assert_refused;
use kinworld::batch::{Lanes, Workspace};
use kinworld::math::Inertia;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{Error, LinkId, Point, Pose, Robot, Vector, batch};
use nalgebra::Matrix3;

#[test]
fn incomplete_configurations_are_refused() {
    let robot = two_joints(true);
    let expected = Error::Length {
        what: "batch of configurations",
        expected: 4,
        found: 3,
    };
    let configs = [0.0; 3];
    assert_eq!(
        batch::poses(&robot, &configs, &[tip()]),
        Err(expected.clone())
    );
    let jacobians = batch::jacobians(&robot, &configs, tip(), &Point::origin());
    assert_eq!(jacobians, Err(expected));
}

#[test]
fn numbers_that_are_not_finite_are_named_and_nothing_is_written() {
    let robot = two_joints(true);
    let mut ws = Workspace::new(&robot);
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let configs = [0.0, 1.0, 2.0, bad];
        let mut out = vec![Pose::identity(); 2];
        let error = batch::poses_into(&robot, &configs, &[tip()], &mut ws, &mut out)
            .expect_err("not finite");
        let message = format!("configuration 1: value 1 is {bad}, it must be finite");
        assert_eq!(error.to_string(), message);
        assert_eq!(out, [Pose::identity(); 2]);

        let error = batch::jacobians(&robot, &configs, tip(), &Point::origin());
        assert_eq!(error.expect_err("not finite").to_string(), message);
        let point = Point::new(0.0, bad, 0.0);
        let error = batch::jacobians(&robot, &[0.0, 0.0], tip(), &point);
        assert!(matches!(error, Err(Error::Invalid { what, .. }) if what == "point"));
    }
}

#[test]
fn outputs_of_the_wrong_size_are_refused() {
    let robot = two_joints(true);
    let mut ws = Workspace::new(&robot);
    let configs = [0.0; 4];
    for size in [0, 1, 3] {
        let mut out = vec![Pose::identity(); size];
        let error = batch::poses_into(&robot, &configs, &[tip()], &mut ws, &mut out);
        let expected = Error::Length {
            what: "batch of poses",
            expected: 2,
            found: size,
        };
        assert_eq!(error, Err(expected));
    }
    for size in [0, 12, 25] {
        let mut out = vec![0.0; size];
        let error =
            batch::jacobians_into(&robot, &configs, tip(), &Point::origin(), &mut ws, &mut out);
        let expected = Error::Length {
            what: "batch of Jacobians",
            expected: 24,
            found: size,
        };
        assert_eq!(error, Err(expected));
    }
}

#[test]
fn no_links_and_fixed_robots_give_empty_results() {
    let robot = two_joints(true);
    assert_eq!(batch::poses(&robot, &[0.0; 4], &[]), Ok(vec![]));
    let still = two_joints(false);
    assert_eq!(batch::poses(&still, &[], &[tip()]), Ok(vec![]));
    let jacobians = batch::jacobians(&still, &[], tip(), &Point::origin());
    assert_eq!(jacobians, Ok(vec![]));
    assert!(matches!(
        batch::poses(&still, &[0.0], &[tip()]),
        Err(Error::Length { .. })
    ));
}

#[test]
fn motions_that_are_not_finite_are_named() {
    let robot = two_joints(true);
    let (fine, gravity) = ([0.5; 40], Vector::z());
    for (k, word) in ["configuration", "velocity", "acceleration", "torque"]
        .into_iter()
        .enumerate()
    {
        let mut rows = [fine; 4];
        rows[k][37] = f64::NAN;
        let message = format!("{word} 18: value 1 is NaN, it must be finite");
        let [q, dq, ddq, tau] = &rows;
        let inverse = batch::inverse_dynamics(&robot, q, dq, ddq, &gravity);
        let forward = batch::forward_dynamics(&robot, q, dq, tau, &gravity);
        let [ql, dql, ddql, taul] = rows.map(|rows| Lanes::from_rows(2, &rows).expect("rows"));
        let (mut ws, mut out) = (Workspace::new(&robot), Lanes::default());
        let inverse_lanes =
            batch::inverse_dynamics_lanes(&robot, &ql, &dql, &ddql, &gravity, &mut ws, &mut out);
        let forward_lanes =
            batch::forward_dynamics_lanes(&robot, &ql, &dql, &taul, &gravity, &mut ws, &mut out);
        let inverse = [inverse.map(|_| ()), inverse_lanes];
        let forward = [forward.map(|_| ()), forward_lanes];
        for (results, unused) in [(inverse, "torque"), (forward, "acceleration")] {
            for result in results {
                let error = result.err().map(|error| error.to_string());

                // two massless links cannot be accelerated, but numbers are checked first
                if word == unused {
                    assert!(
                        error.is_none_or(|error| error.contains("no inertia")),
                        "{word}"
                    );
                } else {
                    assert_eq!(error.as_ref(), Some(&message));
                }
            }
        }
    }
    let broken = Vector::new(0.0, f64::INFINITY, 0.0);
    let error = batch::bias_forces(&robot, &fine, &fine, &broken).expect_err("not finite");
    assert!(error.to_string().starts_with("gravity: "), "{error}");
}

#[test]
fn motions_of_the_wrong_size_are_refused() {
    let robot = two_joints(true);
    let (four, two) = ([0.0; 4], [0.0; 2]);
    let gravity = Vector::z();
    let refused = |result: Result<Vec<f64>, Error>, what: &str| {
        let error = result.expect_err("too few").to_string();
        assert_eq!(error, format!("{what} needs 4 values, got 2"));
    };
    refused(
        batch::bias_forces(&robot, &four, &two, &gravity),
        "batch of velocities",
    );
    refused(
        batch::inverse_dynamics(&robot, &four, &four, &two, &gravity),
        "batch of accelerations",
    );
    refused(
        batch::forward_dynamics(&robot, &four, &four, &two, &gravity),
        "batch of torques",
    );
    let (narrow, wide) = (Lanes::zeros(2, 1), Lanes::zeros(2, 2));
    let (mut ws, mut out) = (Workspace::new(&robot), Lanes::default());
    let mut bias = |q, dq| batch::bias_forces_lanes(&robot, q, dq, &gravity, &mut ws, &mut out);
    assert_eq!(bias(&wide, &wide), Ok(()));
    for (q, dq) in [
        (&narrow, &wide),
        (&wide, &narrow),
        (&wide, &Lanes::zeros(3, 2)),
    ] {
        assert!(matches!(bias(q, dq), Err(Error::Length { .. })));
    }
    assert_refused(Lanes::from_rows(2, &[0.0; 3]), "rows needs 4 values, got 3");
    assert_refused(Lanes::zeros(2, 2).set_row(2, &two), "there is no row 2");
    assert_refused(
        Lanes::zeros(2, 2).set_row(1, &four),
        "row needs 2 values, got 4",
    );
}

#[test]
fn a_singular_coordinate_is_named_with_its_configuration() {
    let mut brick = RobotBuilder::new("brick");
    let base = brick
        .add_virtual_chain(JointKind::Floating, "brick", None, &Pose::identity())
        .expect("a base");
    brick.links[base.index()].inertia = Inertia {
        mass: 3.0,
        com: Point::new(0.1, 0.2, 0.3),
        moment: Matrix3::from_diagonal(&Vector::new(1.0, 1.2, 1.5)),
    };
    let brick = brick.build().expect("a robot");
    let rest = [0.0; 6 * 700];
    let mut q = rest;
    let mut ws = Workspace::new(&brick);
    for bad in [650, 300, 5] {
        // a floating base is singular at a pitch of π/2; later ones do not hide earlier ones
        q[6 * bad + 4] = std::f64::consts::FRAC_PI_2;
        let error = batch::forward_dynamics(&brick, &q, &rest, &rest, &Vector::z());
        let error = error.expect_err("singular");
        let message = error.to_string();
        assert!(
            message.starts_with(&format!(
                "configuration {bad}, link `brick_rz`: its dof has no inertia"
            )),
            "{message}"
        );
        let lanes = Lanes::from_rows(6, &q).expect("rows");
        let (still, mut out) = (Lanes::zeros(700, 6), Lanes::default());
        let result = batch::forward_dynamics_lanes(
            &brick,
            &lanes,
            &still,
            &still,
            &Vector::z(),
            &mut ws,
            &mut out,
        );
        assert_eq!(result, Err(error));
    }
}

/// The last of two links.
fn tip() -> LinkId {
    LinkId::new(1)
}

/// Two links, moving or fixed.
fn two_joints(moving: bool) -> Robot {
    let motion = if moving {
        LinkMotion::Revolute(Vector::z())
    } else {
        LinkMotion::Fixed
    };
    let mut robot = RobotBuilder::new("two joints");
    let first = robot.add_link(LinkSpec::new("first", None, motion));
    robot.add_link(LinkSpec::new("second", Some(first), motion));
    robot.build().expect("a valid robot")
}
