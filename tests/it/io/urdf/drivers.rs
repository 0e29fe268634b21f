//! Drivers, and joints that mimic others.

use kinworld::robot::{Driver, DriverKind, Servo};
use kinworld::{LinkId, Robot, kinematics};

use super::{joint, named_joint, names, robot, with_links, with_warnings};

/// A mimic joint with wide limits.
fn mimic(child: &str, of: &str, attributes: &str) -> String {
    let limit = r#"<limit lower="-9" upper="9" velocity="9" effort="9"/>"#;
    let rest = format!(r#"{limit}<mimic joint="{of}" {attributes}/>"#);
    named_joint(child, "revolute", "base", child, &rest)
}

fn driver<'r>(robot: &'r Robot, name: &str) -> &'r Driver {
    &robot.drivers()[robot.driver_index(name).unwrap()]
}

#[test]
fn each_driven_joint_has_a_driver_named_after_its_link() {
    let text = with_links(
        "base a b c d",
        &(named_joint(
            "ja",
            "revolute",
            "base",
            "a",
            r#"<limit lower="0" upper="1" velocity="1" effort="1"/>"#,
        ) + &joint("continuous", "a", "b", "")
            + &joint("prismatic", "b", "c", "")
            + &joint("fixed", "c", "d", "")),
    );
    let robot = robot(&text);
    let drivers: Vec<(&str, &[LinkId])> = robot
        .drivers()
        .iter()
        .map(|d| (d.name.as_str(), d.kind.links()))
        .collect();
    let link = |i| [LinkId::new(i)];
    assert_eq!(
        drivers,
        [
            ("a", &link(1)[..]),
            ("b", &link(2)[..]),
            ("c", &link(3)[..])
        ]
    );
    assert_eq!(robot.joints()[0].name(), "ja");
}

#[test]
fn chains_of_mimics_follow_the_first_joint() {
    // right = 2 · left + 0.1, thumb = -3 · right + 0.2, tip = thumb
    let text = with_links(
        "base left right thumb tip",
        &(joint("revolute", "base", "left", "")
            + &mimic("right", "left", r#"multiplier="2" offset="0.1""#)
            + &mimic("thumb", "right", r#"multiplier="-3" offset="0.2""#)
            + &mimic("tip", "thumb", "")),
    );
    let robot = robot(&text);
    assert_eq!(robot.drivers().len(), 1);
    let DriverKind::Affine {
        links,
        scale,
        offset,
    } = &driver(&robot, "left").kind
    else {
        panic!("one affine driver");
    };
    let followers: Vec<&str> = links.iter().map(|id| robot.link(*id).name()).collect();
    assert_eq!(followers, ["left", "right", "thumb", "tip"]);
    assert_eq!(scale, &[1.0, 2.0, -6.0, -6.0]);
    let close = |a: &f64, b: &f64| (a - b).abs() < 1e-15;
    assert!(
        offset
            .iter()
            .zip(&[0.0, 0.1, -0.1, -0.1])
            .all(|(a, b)| close(a, b)),
        "{offset:?}"
    );

    // the joint positions satisfy the mimics whatever the order in which they are resolved
    let mut q = robot.initial_config().to_vec();
    kinematics::config_from_drivers(&robot, &[0.3], &mut q).unwrap();
    let expected = [0.3, 0.7, -1.9, -1.9];
    assert!(
        q.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-15),
        "{q:?}"
    );
}

#[test]
fn a_mimic_driver_stays_within_the_limits_of_all_its_links() {
    // left: [-1, 2], speed 3; right = -2 · left + 1 within [-9, 9], speed 9: left in [-4, 5], speed 4.5
    let text = with_links(
        "base left right",
        &(joint("revolute", "base", "left", "")
            + &mimic("right", "left", r#"multiplier="-2" offset="1""#)),
    );
    let arm = robot(&text);
    let limits = arm.driver_limits(driver(&arm, "left"));
    assert_eq!(limits.position, [-1.0, 2.0]);
    assert_eq!(limits.velocity, [-3.0, 3.0]);

    let tight = text.replace(
        r#"lower="-9" upper="9" velocity="9""#,
        r#"lower="-1" upper="3" velocity="2""#,
    );
    let arm = robot(&tight);
    let limits = arm.driver_limits(driver(&arm, "left"));
    assert_eq!(limits.position, [-1.0, 1.0]);
    assert_eq!(limits.velocity, [-1.0, 1.0]);
}

#[test]
fn a_mimic_may_precede_its_master_and_name_it_by_joint() {
    let text = with_links(
        "base left right",
        &(mimic("left", "motor", r#"multiplier="0.5""#)
            + &named_joint(
                "motor",
                "prismatic",
                "base",
                "right",
                r#"<limit lower="0" upper="1" velocity="1" effort="1"/>"#,
            )),
    );
    let robot = robot(&text);
    assert_eq!(names(&robot), ["base", "left", "right"]);
    let links = driver(&robot, "right").kind.links();
    assert_eq!(links, [LinkId::new(2), LinkId::new(1)]);
}

#[test]
fn a_mimic_without_a_master_gets_its_own_driver_and_a_warning() {
    let text = with_links(
        "base plate left right",
        &(joint("fixed", "base", "plate", "")
            + &mimic("left", "ghost", "")
            + &mimic("right", "plate", "")),
    );
    let (robot, warnings) = with_warnings(&text);
    assert_eq!(robot.drivers().len(), 2);
    assert_eq!(warnings.len(), 2);
    assert!(warnings[0].contains("joint `left`: it mimics `ghost`, which is not a joint"));
    assert!(warnings[1].contains("joint `right`: it mimics `plate`, which is not a joint"));
}

#[test]
fn friction_and_gains_come_from_dynamics_and_klampt() {
    let dynamics = r#"<dynamics friction="0.5" damping="0.25"/>"#;
    let load = |klampt: &str| {
        let joints = joint("revolute", "world", "a", dynamics) + klampt;
        robot(&with_links("world a", &joints)).drivers()[0].servo
    };
    let from_dynamics = Servo::default()
        .with_dry_friction(0.5)
        .with_viscous_friction(0.25);
    assert_eq!(load(""), from_dynamics);
    let by_default = from_dynamics.with_gains(100.0, 0.0, 10.0);
    assert_eq!(load("<klampt/>"), by_default);
    let tuned = load(
        r#"<klampt><link name="a" servoP="1" servoI="2" servoD="3" dryFriction="4"/></klampt>"#,
    );
    let expected = from_dynamics
        .with_gains(1.0, 2.0, 3.0)
        .with_dry_friction(4.0);
    assert_eq!(tuned, expected);
}

#[test]
fn a_driver_has_the_friction_of_the_joints_that_mimic_it() {
    let dynamics =
        |dry: f64, viscous: f64| format!(r#"<dynamics friction="{dry}" damping="{viscous}"/>"#);
    let follower = r#"<mimic joint="a_joint" multiplier="-2"/>"#.to_owned() + &dynamics(0.1, 0.3);
    let text = with_links(
        "base a b",
        &(named_joint("a_joint", "continuous", "base", "a", &dynamics(0.5, 0.25))
            + &named_joint("b_joint", "continuous", "a", "b", &follower)),
    );
    let robot = robot(&text);
    let found = driver(&robot, "a").servo;
    let expected = Servo::default()
        .with_dry_friction(0.5 + 2.0 * 0.1)
        .with_viscous_friction(0.25 + 4.0 * 0.3);
    assert_eq!(found, expected);

    // the power that friction takes from the driver is that of the joints
    let mut state = kinworld::State::new(&robot);
    state.set_velocity(&robot, &[0.7, -1.4]).unwrap();
    let forces = kinworld::dynamics::friction_forces(&robot, &state, 0.0).unwrap();
    let power = forces[0] * 0.7 + forces[1] * -1.4;
    let of_joints = -(0.5 * 0.7 + 0.25 * 0.7 * 0.7) - (0.1 * 1.4 + 0.3 * 1.4 * 1.4);
    assert!((power - of_joints).abs() < 1e-12, "{power} {of_joints}");
}
