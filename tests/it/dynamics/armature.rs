//! Rotors behind gears.

use kinworld::dynamics;
use kinworld::math::Inertia;
use kinworld::robot::{Driver, DriverKind, JointKind, LinkMotion, LinkSpec, Rotor};
use kinworld::{Error, LinkId, Robot, RobotBuilder, State, Vector};
use nalgebra::DMatrix;
use proptest::prelude::*;

use super::{GRAVITY, armature, close, size, state, vector};
use random_robots::{Moving, any_moving_heavy_robot, cases};

proptest! {
    #![proptest_config(cases(256))]

    // the same robot with its rotors and without
    #[test]
    fn armature_is_added_to_the_diagonal_and_to_nothing_else(m in any_moving_heavy_robot(), floats in any::<bool>()) {
        let m = if floats { floating(&m) } else { m };
        let rotors = vector(&armature(&m.robot));
        let mut builder = RobotBuilder::from(&m.robot);
        for link in &mut builder.links {
            link.armature = 0.0;
        }
        let bare = builder.build().unwrap();
        prop_assert!(bare.armature().all(|x| x == 0.0));
        let [with, without] = [&m.robot, &bare].map(|robot| state(robot, &m.q, &m.dq));

        let light = dynamics::mass_matrix(&bare, &without);
        let mass = dynamics::mass_matrix(&m.robot, &with);

        // half of it, to the last bit
        let n = m.robot.n_dofs();
        let mut lower = DMatrix::from_element(n, n, f64::NAN);
        let mut ws = dynamics::Workspace::new(&m.robot);
        dynamics::mass_matrix_lower_into(&m.robot, &with, &mut ws, &mut lower);
        prop_assert_eq!(lower.lower_triangle(), mass.lower_triangle());
        let expected = &light + DMatrix::from_diagonal(&rotors);
        close(&mass, &expected, 1e-15, size(&mass))?;

        let tau = vector(&dynamics::inverse_dynamics(&m.robot, &with, &GRAVITY, &m.ddq).unwrap());
        let bare_tau = vector(&dynamics::inverse_dynamics(&bare, &without, &GRAVITY, &m.ddq).unwrap());
        let rotor_forces = rotors.component_mul(&vector(&m.ddq));
        close(&tau, &(bare_tau + rotor_forces), 1e-14, size(&tau))?;
        prop_assert_eq!(
            dynamics::bias_forces(&m.robot, &with, &GRAVITY),
            dynamics::bias_forces(&bare, &without, &GRAVITY)
        );

        let dq = vector(&m.dq);
        let energy = dynamics::kinetic_energy(&m.robot, &with);
        let added = 0.5 * rotors.dot(&dq.component_mul(&dq));
        let bare_energy = dynamics::kinetic_energy(&bare, &without);
        prop_assert!((energy - added - bare_energy).abs() <= 1e-14 * energy);
        prop_assert_eq!(
            dynamics::momentum(&m.robot, &with, &m.point),
            dynamics::momentum(&bare, &without, &m.point)
        );

        // against a dense factorisation of the matrix above
        let bias = vector(&dynamics::bias_forces(&bare, &without, &GRAVITY));
        let factor = expected.cholesky().unwrap();
        let ddq = factor.solve(&(&tau - bias));
        let idle = factor.solve(&tau);
        let ours = dynamics::forward_dynamics(&m.robot, &with, &GRAVITY, tau.as_slice()).unwrap();
        close(&vector(&ours), &ddq, 1e-9, size(&ddq).max(size(&idle)))?;
        let inverse = dynamics::mass_matrix_inverse(&m.robot, &with).unwrap();
        close(&inverse, &factor.inverse(), 1e-9, size(&inverse))?;
    }
}

#[test]
fn a_massless_link_with_a_rotor_accelerates() {
    let mut link = LinkSpec::new("wheel", None, LinkMotion::Revolute(Vector::z()));
    link.armature = 0.25;
    let mut builder = RobotBuilder::new("motor");
    builder.add_link(link);
    let robot = builder.build().unwrap();
    let ddq = dynamics::forward_dynamics(&robot, &State::new(&robot), &GRAVITY, &[1.0]).unwrap();
    assert_eq!(ddq, [4.0]);
}

#[test]
fn armature_grows_with_the_square_of_the_gear_ratio() {
    let robot = crane([Rotor::new(1e-4, -100.0); 2]).unwrap();
    let expected = [1.0 + 0.5, 1.0 / 9.0, 0.0];
    let close = |(a, b): (f64, &f64)| (a - b).abs() < 1e-15;
    assert!(
        robot.armature().zip(&expected).all(close),
        "{:?}",
        armature(&robot)
    );

    // the builder keeps the armature of the link, without that of the rotors
    let again = RobotBuilder::from(&robot);
    assert!((again.links[0].armature - 0.5).abs() < 1e-15);
    let again = again.build().unwrap();
    assert_eq!(armature(&again), armature(&robot));

    // with a scale of 3, the rail has a ninth of the inertia, and the driver all of it
    let mass = dynamics::mass_matrix(&robot, &State::new(&robot));
    let driver_inertia = 9.0 * mass[(1, 1)];
    assert!(
        (driver_inertia - (9.0 + 1.0)).abs() < 1e-14,
        "{driver_inertia}"
    );
}

#[test]
fn invalid_rotors_are_errors() {
    for (inertia, gear_ratio) in [
        (-1.0, 1.0),
        (f64::NAN, 1.0),
        (1.0, f64::INFINITY),
        (1e200, 1e200),
    ] {
        let error = crane([Rotor::new(inertia, gear_ratio); 2]).unwrap_err();
        assert!(
            error.to_string().starts_with("driver `rotate`: its rotor"),
            "{error}"
        );
    }
    for armature in [-0.1, f64::NAN, f64::INFINITY] {
        let mut link = LinkSpec::new("wheel", None, LinkMotion::Revolute(Vector::z()));
        link.armature = armature;
        let mut builder = RobotBuilder::new("motor");
        builder.add_link(link);
        let error = builder.build().unwrap_err().to_string();
        assert_eq!(
            error,
            "link `wheel`: its armature is negative or not finite"
        );
    }
}

/// The same robot on a floating base, each dof of which has an armature.
fn floating(m: &Moving) -> Moving {
    let mut builder = RobotBuilder::from(&m.robot);
    builder = builder.with_base(JointKind::Floating).unwrap();
    for (i, link) in builder.links[..6].iter_mut().enumerate() {
        link.armature = 0.5 + i as f64;
    }
    let [q, dq, ddq] = [&m.q, &m.dq, &m.ddq].map(|list| {
        let base = [0.3, -0.2, 0.7, 2.0, 0.4, -1.1];
        [&base, list.as_slice()].concat()
    });
    Moving {
        robot: builder.build().unwrap(),
        q,
        dq,
        ddq,
        link: LinkId::new(m.link.index() + 6),
        point: m.point,
    }
}

/// A rotating post, and two rails of 1 kg on it that one motor moves.
fn crane(rotors: [Rotor; 2]) -> Result<Robot, Error> {
    let mut builder = RobotBuilder::new("crane");
    let mut post = LinkSpec::new("post", None, LinkMotion::Revolute(Vector::z()));
    post.armature = 0.5;
    let post = builder.add_link(post);
    for name in ["left", "right"] {
        let mut rail = LinkSpec::new(name, Some(post), LinkMotion::Prismatic(Vector::x()));
        rail.inertia = Inertia {
            mass: 1.0,
            ..Inertia::zero()
        };
        builder.add_link(rail);
    }
    let rails = DriverKind::Affine {
        links: vec![LinkId::new(2), LinkId::new(1)],
        scale: vec![0.0, 3.0],
        offset: vec![0.0; 2],
    };
    let rotate = DriverKind::Normal { link: post };
    let drivers =
        [("rotate", rotate), ("rails", rails)].map(|(name, kind)| Driver::new(name, kind));
    let drivers = drivers.into_iter().zip(rotors);
    builder.drivers = Some(
        drivers
            .map(|(driver, rotor)| driver.with_rotor(rotor))
            .collect(),
    );
    builder.build()
}
