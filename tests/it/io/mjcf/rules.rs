//! What parts of a model become: drivers, couplings, orientations, defaults, and what is reported.

use kinworld::nalgebra::DMatrix;
use kinworld::robot::{DriverKind, JointKind};

use kinworld::io::{Loader, Source};

use super::{refusal, robot, warnings};
use crate::common::files;
use crate::io::scratch::folder;

/// A model with one body.
fn body(inside: &str) -> String {
    format!("<mujoco><worldbody><body name='b'>{inside}</body></worldbody></mujoco>")
}

fn assert_near(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    let is_near = a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(is_near, "{a:?} is not {b:?}");
}

#[test]
fn actuators_become_drivers_with_the_friction_of_their_joints() {
    let arm = kinworld::Robot::load(files::data("mjcf/arm.xml"))
        .unwrap()
        .value;
    let named = |name: &str| arm.drivers().iter().find(|d| d.name == name).unwrap();
    let names: Vec<&str> = arm.drivers().iter().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["yaw_motor", "pitch_servo", "roll", "flex", "grip"]);

    // a motor of control range 3 and gear 10
    let yaw = arm.driver_limits(named("yaw_motor"));
    assert_near(&yaw.torque, &[-30.0, 30.0]);
    let servo = named("pitch_servo").servo;
    assert_near(&[servo.p, servo.d], &[50.0, 3.0]);
    let pitch = arm.driver_limits(named("pitch_servo"));
    assert_near(&pitch.torque, &[-25.0, 25.0]);
    let roll = named("roll").servo;
    let gains = [roll.d, roll.dry_friction, roll.viscous_friction];
    assert_near(&gains, &[4.0, 0.02, 0.1]);
    // nothing drives this joint
    assert_near(&arm.driver_limits(named("flex")).torque, &[0.0, 0.0]);

    // right = 0.01 + 0.002 + 0.5 left
    let DriverKind::Affine { scale, offset, .. } = &named("grip").kind else {
        panic!("the fingers move together");
    };
    assert_eq!(scale, &[1.0, 0.5]);
    assert!((offset[1] - 0.012).abs() < 1e-15);
    let grip = named("grip");
    assert_near(&[grip.servo.p, grip.servo.d], &[120.0, 8.0]);
    assert!((grip.rotor.reflected() - 0.04).abs() < 1e-15);
}

#[test]
fn a_hinge_without_a_range_turns_for_ever() {
    let loose = robot(&body("<joint/><geom size='1'/>"));
    assert_eq!(loose.joints()[0].kind, JointKind::Spin);
    let limited = robot(&body("<joint range='-90 90'/><geom size='1'/>"));
    assert_eq!(limited.joints()[0].kind, JointKind::Normal);
    assert!((limited.limits()[0].q_max - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
}

#[test]
fn what_stays_out_is_said_with_its_line() {
    let text = "<mujoco>
<option><flag gravity='enable'/></option>
<worldbody><body name='b'><joint type='ball' name='j' stiffness='2'/><geom size='1'/><site name='s'/></body></worldbody>
<tendon><spatial><site site='s'/></spatial></tendon>
<equality><flex flex='f'/></equality>
<sensor><jointpos joint='j'/></sensor>
<deformable/>
</mujoco>";
    let expected = [
        "model.xml:3:27: warning: model: `stiffness` of ball and free joints is left out",
        "model.xml:4:9: warning: model: <spatial> tendons are left out",
        "model.xml:5:11: warning: model: <equality><flex> is left out",
        "model.xml:6:9: warning: model: <jointpos> of <sensor> is left out",
        "model.xml:7:1: warning: model: <deformable> is left out",
    ];
    assert_eq!(warnings(text), expected);
}

#[test]
fn fixed_tendons_with_an_actuator_are_affine_drivers() {
    let text = "<mujoco><worldbody><body name='b'><joint name='a'/><joint name='c' axis='1 0 0'/><geom size='1'/></body></worldbody>
<tendon><fixed name='t'><joint joint='a' coef='3'/><joint joint='c' coef='4'/></fixed></tendon>
<actuator><position name='pull' tendon='t' kp='7'/></actuator></mujoco>";
    let hand = robot(text);
    let DriverKind::Affine { scale, .. } = &hand.drivers()[0].kind else {
        panic!("it moves two joints");
    };
    // the length 3 a + 4 c is the value of the driver
    assert!((3.0 * scale[0] + 4.0 * scale[1] - 1.0).abs() < 1e-15);
    assert_eq!(hand.drivers()[0].servo.p.to_bits(), 7.0_f64.to_bits());
}

#[test]
fn joints_and_bodies_that_contradict_each_other_are_refused() {
    let cases = [
        (
            "<joint type='ball'/><joint/>",
            "a ball joint, and no other may rotate it",
        ),
        (
            "<joint/><joint type='free'/>",
            "a free joint is the only one of its body",
        ),
        ("<freejoint/><joint/>", "its body has a free joint"),
        (
            "<body name='i'><freejoint/></body>",
            "for children of the world only",
        ),
        ("<joint axis='0 0 0'/>", "its axis has no direction"),
        ("<joint range='5 -5'/>", "`range` must grow"),
        ("<joint class='none'/>", "there is no default class `none`"),
        (
            "<joint type='hinges'/>",
            "`type` of <joint> must be one of free, ball, slide, hinge",
        ),
        (
            "<geom type='box' size='1 1'/>",
            "number 3 of the `size` of its box must be positive",
        ),
        ("<geom size='1' quat='0 0 0 0'/>", "`quat` has length 0"),
        (
            "<geom size='1' euler='0 0 0' quat='1 0 0 0'/>",
            "it has both `quat` and `euler`",
        ),
        ("<geom size='nan'/>", "`nan` is not a finite number"),
        ("<geom size='1' mass='-1'/>", "`mass` cannot be negative"),
        ("<geom type='mesh' mesh='m'/>", "there is no mesh `m`"),
        (
            "<inertial mass='1'/>",
            "<inertial> needs the attribute `pos`",
        ),
        (
            "<inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/>",
            "must satisfy A + B >= C",
        ),
        (
            "<inertial pos='0 0 0' mass='1' fullinertia='1 1 -1 0 0 0'/>",
            "is not positive definite",
        ),
    ];
    for (inside, problem) in cases {
        let said = refusal(&body(inside));
        assert!(said.contains(problem), "{inside}: {said}");
    }
}

#[test]
fn the_armature_of_a_free_joint_adds_to_translations_and_rotations() {
    use kinworld::{State, dynamics};
    let mass = |joint: &str| {
        let text = body(&format!(
            "<joint type='free' {joint}/><geom type='box' size='.1 .2 .3'/>"
        ));
        let brick = robot(&text);
        let mut state = State::new(&brick);
        let q = brick
            .config_from_mujoco(&[0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5])
            .unwrap();
        let q: Vec<f64> = q.iter().map(|x| x + 0.1).collect();
        state.set_config(&brick, &q).unwrap();
        let e = brick
            .mujoco_velocity_map(&q)
            .unwrap()
            .try_inverse()
            .unwrap();
        e.transpose() * dynamics::mass_matrix(&brick, &state) * e
    };
    let added = mass("armature='3'") - mass("");
    let expected = DMatrix::identity(6, 6) * 3.0;
    assert!((added - expected).norm() < 1e-12);
}

#[test]
fn the_armature_of_a_ball_joint_acts_on_its_angular_velocity() {
    use kinworld::{Robot, State, dynamics};
    let load = |joint: &str| {
        robot(&body(&format!(
            "<joint/><geom size='.1'/><body pos='.3 0 0'><joint type='ball' {joint}/><geom type='box' size='.1 .2 .3'/></body>"
        )))
    };
    let mass = |arm: &Robot| {
        let mut state = State::new(arm);
        let q = arm.config_from_mujoco(&[0.4, 0.5, 0.1, -0.7, 0.5]).unwrap();
        state.set_config(arm, &q).unwrap();
        let e = arm.mujoco_velocity_map(&q).unwrap().try_inverse().unwrap();
        e.transpose() * dynamics::mass_matrix(arm, &state) * e
    };
    let arm = load("armature='3'");
    let added = mass(&arm) - mass(&load(""));
    let expected = DMatrix::from_diagonal(&[0.0, 3.0, 3.0, 3.0].to_vec().into());
    assert!((added - expected).norm() < 1e-12);

    // written and read again
    let file = folder().join("arm.mjcf");
    let lost = arm.save(&file).unwrap();
    assert!(
        !lost
            .iter()
            .any(|lost| lost.to_string().contains("armature")),
        "{lost:?}"
    );
    let again = Robot::load(&file).unwrap().value;
    assert!((mass(&again) - mass(&arm)).norm() < 1e-12);
}

#[test]
fn a_model_names_assets_of_those_that_it_attaches() {
    let arm = "<mujoco><asset><material name='red' rgba='1 0 0 1'/></asset>
        <worldbody><body name='hand'><geom size='0.1'/></body></worldbody></mujoco>";
    let cell = |material: &str| {
        format!(
            "<mujoco><asset><model name='arm' file='arm.xml'/></asset><worldbody>
            <geom name='table' type='box' size='1 1 1' material='{material}'/>
            <body name='base'><joint/><geom size='0.1'/><attach model='arm' prefix='left_'/></body></worldbody></mujoco>"
        )
    };
    let load = |material: &str| {
        let source = Source::memory()
            .with_file("arm.xml", arm.as_bytes().to_vec())
            .with_file("cell.xml", cell(material).into_bytes());
        Loader::new().with_source(source).world("cell.xml")
    };
    // as MuJoCo 4.0.0, which gives what is attached its prefix
    let lists = load("left_red").unwrap().diagnostics;
    assert!(lists.is_empty(), "{lists:?}");
    for unknown in ["red", "left_blue"] {
        let error = load(unknown).map(drop).unwrap_err().to_string();
        assert!(
            error.contains(&format!("there is no material `{unknown}`")),
            "{error}"
        );
    }
}
