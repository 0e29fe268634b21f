//! What has no answer, and how that is said.

use std::f64::consts::FRAC_PI_2;

use kinworld::dynamics::{self, Loads, Workspace};
use kinworld::math::{Inertia, Wrench};
use kinworld::robot::{JointKind, LinkMotion, LinkSpec};
use kinworld::{Error, LinkId, Point, Pose, Robot, RobotBuilder, State, Vector};
use nalgebra::Matrix3;

use super::{GRAVITY, state};

#[test]
fn a_link_that_moves_no_mass_is_named() {
    let robot = arm(&[("upper", ROD), ("tool", Inertia::zero())]);
    let at_rest = State::new(&robot);
    named(
        "tool",
        dynamics::forward_dynamics(&robot, &at_rest, &GRAVITY, &[1.0, 0.0]),
    );
    named("tool", dynamics::mass_matrix_inverse(&robot, &at_rest));
    named("tool", dynamics::mass_matrix_cholesky(&robot, &at_rest));

    // what does not divide by its mass is answered
    let tau = dynamics::inverse_dynamics(&robot, &at_rest, &GRAVITY, &[1.0, 2.0]).unwrap();
    assert!(tau[1] == 0.0);
}

#[test]
fn a_massless_link_that_carries_a_mass_is_fine() {
    let robot = arm(&[("upper", Inertia::zero()), ("tool", ROD)]);
    let bent = state(&robot, &[0.3, 0.4], &[1.0, -2.0]);
    let ddq = dynamics::forward_dynamics(&robot, &bent, &GRAVITY, &[1.0, 0.5]).unwrap();
    let tau = dynamics::inverse_dynamics(&robot, &bent, &GRAVITY, &ddq).unwrap();
    assert!(
        (tau[0] - 1.0).abs() < 1e-12 && (tau[1] - 0.5).abs() < 1e-12,
        "{tau:?}"
    );
}

#[test]
fn angles_that_turn_about_one_axis_are_an_error_and_not_a_number() {
    let mut builder = RobotBuilder::new("ball");
    let mut parent = None;
    for (name, axis) in [
        ("yaw", Vector::z()),
        ("pitch", Vector::y()),
        ("roll", Vector::x()),
    ] {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Revolute(axis));
        if name == "roll" {
            link.inertia = ROD;
        }
        parent = Some(builder.add_link(link));
    }
    let ball = builder.build().unwrap();
    let tau = [0.1, 0.2, 0.3];
    let free = state(&ball, &[0.4, 1.2, -0.3], &[0.0; 3]);
    assert!(dynamics::forward_dynamics(&ball, &free, &GRAVITY, &tau).is_ok());
    for yaw in [0.0, 0.4, 2.0] {
        let locked = state(&ball, &[yaw, FRAC_PI_2, -0.3], &[0.0; 3]);
        named(
            "yaw",
            dynamics::forward_dynamics(&ball, &locked, &GRAVITY, &tau),
        );
        named("yaw", dynamics::mass_matrix_inverse(&ball, &locked));
    }
}

#[test]
fn a_floating_base_is_an_error_only_where_its_angles_are_singular() {
    let mut brick = RobotBuilder::new("brick");
    let base = brick
        .add_virtual_chain(JointKind::Floating, "brick", None, &Pose::identity())
        .unwrap();
    brick.links[base.index()].inertia = ROD;
    let mut arm = LinkSpec::new("arm", Some(base), LinkMotion::Revolute(Vector::y()));
    arm.inertia = ROD;
    brick.add_link(arm);
    let brick = brick.build().unwrap();
    let tau = [1.0, 2.0, 3.0, 0.1, 0.2, 0.3, 0.4];
    let mut q = [5.0, -3.0, 1.0, 0.4, 0.0, -0.3, 0.2];
    for right in [FRAC_PI_2, -FRAC_PI_2, 5.0 * FRAC_PI_2] {
        q[4] = right;
        let locked = state(&brick, &q, &[0.5; 7]);
        named(
            "brick_rz",
            dynamics::forward_dynamics(&brick, &locked, &GRAVITY, &tau),
        );
        named("brick_rz", dynamics::mass_matrix_inverse(&brick, &locked));

        // a thousandth beside it there is an answer
        q[4] = right + 1e-3;
        let free = state(&brick, &q, &[0.5; 7]);
        let ddq = dynamics::forward_dynamics(&brick, &free, &GRAVITY, &tau).unwrap();
        let back = dynamics::inverse_dynamics(&brick, &free, &GRAVITY, &ddq).unwrap();
        for (back, tau) in back.iter().zip(tau) {
            assert!((back - tau).abs() < 1e-7, "{back} {tau}");
        }
    }
}

#[test]
fn a_thin_rod_turns_about_itself() {
    // a wire of a tenth of a millimetre, a metre long
    let thin = Inertia {
        mass: 1e-4,
        com: Point::new(0.0, 0.0, 0.5),
        moment: Matrix3::from_diagonal(&Vector::new(8e-6, 8e-6, 1e-13)),
    };
    let mut builder = RobotBuilder::new("drill");
    let mut bit = LinkSpec::new("bit", None, LinkMotion::Revolute(Vector::z()));
    bit.inertia = thin;
    builder.add_link(bit);
    let drill = builder.build().unwrap();
    let ddq = dynamics::forward_dynamics(&drill, &State::new(&drill), &GRAVITY, &[1e-13]).unwrap();
    assert!((ddq[0] - 1.0).abs() < 1e-12);
}

#[test]
fn numbers_that_are_missing_or_not_finite_are_refused() {
    let robot = arm(&[("upper", ROD), ("fore", ROD)]);
    let at_rest = State::new(&robot);
    let inverse =
        |loads: Loads<'_>, ddq: &[f64]| dynamics::inverse_dynamics(&robot, &at_rest, loads, ddq);
    let forward =
        |loads: Loads<'_>, tau: &[f64]| dynamics::forward_dynamics(&robot, &at_rest, loads, tau);
    let weightless = Loads::default;
    for answer in [
        inverse(weightless(), &[0.0]),
        forward(weightless(), &[0.0; 3]),
    ] {
        assert!(
            matches!(answer, Err(Error::Length { expected: 2, .. })),
            "{answer:?}"
        );
    }
    let broken = Vector::new(0.0, f64::NAN, 0.0);
    let push = [(LinkId::new(1), Wrench::new(Vector::zeros(), broken))];
    let pushed = Loads {
        gravity: GRAVITY,
        wrenches: &push,
    };
    let elsewhere = [(LinkId::new(2), Wrench::default())];
    let nowhere = Loads {
        gravity: GRAVITY,
        wrenches: &elsewhere,
    };
    for (answer, what) in [
        (inverse(nowhere, &[0.0; 2]), "wrench"),
        (forward(nowhere, &[0.0; 2]), "wrench"),
        (inverse(weightless(), &[0.0, f64::INFINITY]), "acceleration"),
        (forward(weightless(), &[f64::NAN, 0.0]), "torque"),
        (inverse((&broken).into(), &[0.0; 2]), "gravity"),
        (forward((&broken).into(), &[0.0; 2]), "gravity"),
        (inverse(pushed, &[0.0; 2]), "wrench on link `fore`"),
        (forward(pushed, &[0.0; 2]), "wrench on link `fore`"),
    ] {
        assert!(
            matches!(&answer, Err(Error::Invalid { what: w, .. }) if w == what),
            "{answer:?}"
        );
    }
    let mut short = [0.0];
    let mut ws = Workspace::new(&robot);
    let answer =
        dynamics::inverse_dynamics_into(&robot, &at_rest, &GRAVITY, &[0.0; 2], &mut ws, &mut short);
    assert!(
        matches!(answer, Err(Error::Length { what: "output", .. })),
        "{answer:?}"
    );
}

#[test]
fn a_robot_that_cannot_move_has_nothing_to_answer() {
    let mut builder = RobotBuilder::new("statue");
    let mut stone = LinkSpec::new("stone", None, LinkMotion::Fixed);
    stone.inertia = ROD;
    let id = builder.add_link(stone);
    let statue = builder.build().unwrap();
    let state = State::new(&statue);
    let push = [(id, Wrench::new(Vector::x(), Vector::y()))];
    let loads = Loads {
        gravity: GRAVITY,
        wrenches: &push,
    };
    assert!(
        dynamics::inverse_dynamics(&statue, &state, loads, &[])
            .unwrap()
            .is_empty()
    );
    assert!(
        dynamics::forward_dynamics(&statue, &state, loads, &[])
            .unwrap()
            .is_empty()
    );
    assert!(dynamics::mass_matrix(&statue, &state).is_empty());
    assert!(
        dynamics::mass_matrix_cholesky(&statue, &state)
            .unwrap()
            .is_empty()
    );
    assert!(
        dynamics::mass_matrix_inverse(&statue, &state)
            .unwrap()
            .is_empty()
    );
    assert!(dynamics::kinetic_energy(&statue, &state) == 0.0);
}

#[test]
fn no_digit_is_lost_far_from_the_origin_of_the_world() {
    let [near, far] = [0.0, 1e6].map(|away| {
        let mut builder = RobotBuilder::new("arm");
        let mut parent = None;
        for i in 0..4 {
            let axis = if i % 2 == 0 { Vector::z() } else { Vector::y() };
            let mut link = LinkSpec::new(format!("link{i}"), parent, LinkMotion::Revolute(axis));
            link.placement.translation.vector.x = if i == 0 { away } else { 0.5 };
            link.inertia = ROD;
            parent = Some(builder.add_link(link));
        }
        builder.build().unwrap()
    });
    let (q, dq, ddq) = (
        [0.3, -1.1, 2.0, 0.7],
        [1.0, 2.0, -3.0, 0.5],
        [0.5, -0.5, 1.0, 2.0],
    );
    let [near, far] = [near, far].map(|robot| {
        let state = state(&robot, &q, &dq);
        let mut numbers = dynamics::mass_matrix(&robot, &state).as_slice().to_vec();
        numbers.extend(dynamics::inverse_dynamics(&robot, &state, &GRAVITY, &ddq).unwrap());
        numbers.extend(dynamics::forward_dynamics(&robot, &state, &GRAVITY, &ddq).unwrap());
        numbers.push(dynamics::kinetic_energy(&robot, &state));
        numbers.extend(dynamics::angular_momentum(&robot, &state).iter());
        numbers
    });
    for (k, (near, far)) in near.iter().zip(&far).enumerate() {
        // a million metres are known to 1e-10 only
        assert!((near - far).abs() < 1e-7, "number {k}: {near} {far}");
    }
}

const ROD: Inertia = Inertia {
    mass: 2.0,
    com: Point::new(0.25, 0.0, 0.0),
    moment: Matrix3::new(0.001, 0.0, 0.0, 0.0, 0.05, 0.0, 0.0, 0.0, 0.05),
};

/// Links that turn about y, half a metre apart.
fn arm(links: &[(&str, Inertia)]) -> Robot {
    let mut builder = RobotBuilder::new("arm");
    let mut parent = None;
    for (name, inertia) in links {
        let mut link = LinkSpec::new(*name, parent, LinkMotion::Revolute(Vector::y()));
        link.placement.translation.vector.x = 0.5;
        link.inertia = *inertia;
        parent = Some(builder.add_link(link));
    }
    builder.build().unwrap()
}

#[track_caller]
fn named<T: std::fmt::Debug>(link: &str, answer: Result<T, Error>) {
    let error = answer
        .expect_err("nothing resists a coordinate")
        .to_string();
    assert!(
        error.starts_with(&format!("link `{link}`: no mass")),
        "{error}"
    );
}
