//! What a batch does not take.

use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{Error, LinkId, Point, Pose, Robot, Vector, batch};

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
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let configs = [0.0, 1.0, 2.0, bad];
        let mut out = vec![Pose::identity(); 2];
        let error =
            batch::poses_into(&robot, &configs, &[tip()], &mut out).expect_err("not finite");
        let said = format!("configuration 1: value 1 is {bad}, it must be finite");
        assert_eq!(error.to_string(), said);
        assert_eq!(out, [Pose::identity(); 2]);

        let error = batch::jacobians(&robot, &configs, tip(), &Point::origin());
        assert_eq!(error.expect_err("not finite").to_string(), said);
        let point = Point::new(0.0, bad, 0.0);
        let error = batch::jacobians(&robot, &[0.0, 0.0], tip(), &point);
        assert!(matches!(error, Err(Error::Invalid { what, .. }) if what == "point"));
    }
}

#[test]
fn answers_of_the_wrong_size_are_refused() {
    let robot = two_joints(true);
    let configs = [0.0; 4];
    for size in [0, 1, 3] {
        let mut out = vec![Pose::identity(); size];
        let error = batch::poses_into(&robot, &configs, &[tip()], &mut out);
        let expected = Error::Length {
            what: "batch of poses",
            expected: 2,
            found: size,
        };
        assert_eq!(error, Err(expected));
    }
    for size in [0, 12, 25] {
        let mut out = vec![0.0; size];
        let error = batch::jacobians_into(&robot, &configs, tip(), &Point::origin(), &mut out);
        let expected = Error::Length {
            what: "batch of Jacobians",
            expected: 24,
            found: size,
        };
        assert_eq!(error, Err(expected));
    }
}

#[test]
fn nothing_is_asked_of_no_links_and_of_robots_that_do_not_move() {
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
    robot.build().expect("a robot of proper links")
}
