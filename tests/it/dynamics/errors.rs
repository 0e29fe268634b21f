//! Inputs without an answer, and their error messages.

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

    // functions that do not divide by its inertia have an answer
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
fn parallel_axes_are_an_error() {
    let mut builder = RobotBuilder::new("gimbal");
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
    let gimbal = builder.build().unwrap();
    let tau = [0.1, 0.2, 0.3];
    let free = state(&gimbal, &[0.4, 1.2, -0.3], &[0.0; 3]);
    assert!(dynamics::forward_dynamics(&gimbal, &free, &GRAVITY, &tau).is_ok());
    for yaw in [0.0, 0.4, 2.0] {
        let locked = state(&gimbal, &[yaw, FRAC_PI_2, -0.3], &[0.0; 3]);
        named(
            "yaw",
            dynamics::forward_dynamics(&gimbal, &locked, &GRAVITY, &tau),
        );
        named("yaw", dynamics::mass_matrix_inverse(&gimbal, &locked));
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
    for singular in [FRAC_PI_2, -FRAC_PI_2, 5.0 * FRAC_PI_2] {
        q[4] = singular;
        let locked = state(&brick, &q, &[0.5; 7]);
        named(
            "brick_rz",
            dynamics::forward_dynamics(&brick, &locked, &GRAVITY, &tau),
        );
        named("brick_rz", dynamics::mass_matrix_inverse(&brick, &locked));

        // 1e-3 rad away there is an answer
        q[4] = singular + 1e-3;
        let free = state(&brick, &q, &[0.5; 7]);
        let ddq = dynamics::forward_dynamics(&brick, &free, &GRAVITY, &tau).unwrap();
        let back = dynamics::inverse_dynamics(&brick, &free, &GRAVITY, &ddq).unwrap();
        for (back, tau) in back.iter().zip(tau) {
            assert!((back - tau).abs() < 1e-7, "{back} {tau}");
        }
    }
}

#[test]
fn a_thin_rod_rotates_about_its_axis() {
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
fn missing_or_non_finite_numbers_are_errors() {
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
    let wrenches = [(
        LinkId::new(1),
        Wrench {
            moment: Vector::zeros(),
            force: broken,
        },
    )];
    let broken_wrench = Loads::new(GRAVITY).with_wrenches(&wrenches);
    let unknown = [(LinkId::new(2), Wrench::default())];
    let unknown_link = Loads::new(GRAVITY).with_wrenches(&unknown);
    for (answer, what) in [
        (inverse(unknown_link, &[0.0; 2]), "wrench"),
        (forward(unknown_link, &[0.0; 2]), "wrench"),
        (inverse(weightless(), &[0.0, f64::INFINITY]), "acceleration"),
        (forward(weightless(), &[f64::NAN, 0.0]), "torque"),
        (inverse((&broken).into(), &[0.0; 2]), "gravity"),
        (forward((&broken).into(), &[0.0; 2]), "gravity"),
        (inverse(broken_wrench, &[0.0; 2]), "wrench on link `fore`"),
        (forward(broken_wrench, &[0.0; 2]), "wrench on link `fore`"),
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
fn a_robot_without_dofs_has_empty_results() {
    let mut builder = RobotBuilder::new("statue");
    let mut stone = LinkSpec::new("stone", None, LinkMotion::Fixed);
    stone.inertia = ROD;
    let id = builder.add_link(stone);
    let statue = builder.build().unwrap();
    let state = State::new(&statue);
    let wrenches = [(
        id,
        Wrench {
            moment: Vector::x(),
            force: Vector::y(),
        },
    )];
    let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
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
fn accuracy_does_not_depend_on_the_distance_to_the_origin() {
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
        // positions at 1e6 m are rounded to 1e-10 m
        assert!((near - far).abs() < 1e-7, "value {k}: {near} {far}");
    }
}

const ROD: Inertia = Inertia {
    mass: 2.0,
    com: Point::new(0.25, 0.0, 0.0),
    moment: Matrix3::new(0.001, 0.0, 0.0, 0.0, 0.05, 0.0, 0.0, 0.0, 0.05),
};

/// Revolute links about y, half a metre apart.
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
    let error = answer.expect_err("a dof without inertia").to_string();
    assert!(
        error.starts_with(&format!("link `{link}`: its dof has no inertia")),
        "{error}"
    );
}
