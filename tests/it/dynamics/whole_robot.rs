//! Quantities of the whole robot: all terms at once, subtree inertias, base wrench.

use kinworld::dynamics::{self, Loads, Terms};
use kinworld::kinematics::{self, Reference};
use kinworld::math::{Inertia, Motion, Wrench};
use kinworld::robot::{JointKind, LinkMotion};
use kinworld::{Error, LinkId, Point, RobotBuilder, State, Vector};
use nalgebra::Vector6;
use proptest::prelude::*;

use super::{
    GRAVITY, armature, close, external_wrenches, larger_workspace, six, size, state, vector,
};
use crate::common::errors::assert_refused;
use random_robots::{any_moving_robot, cases};

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn all_terms_equal_the_single_functions(m in any_moving_robot()) {
        let (now, n) = (state(&m.robot, &m.q, &m.dq), m.q.len());
        let (mut ws, mut terms) = (larger_workspace(&m.robot), Terms::new(&m.robot));

        // at another state first, of which nothing may remain
        let other = state(&m.robot, &m.ddq, &m.q);
        dynamics::all_terms_into(&m.robot, &other, &Vector::x(), &mut ws, &mut terms).unwrap();
        dynamics::all_terms_into(&m.robot, &now, &GRAVITY, &mut ws, &mut terms).unwrap();
        prop_assert_eq!(&terms, &dynamics::all_terms(&m.robot, &now, &GRAVITY).unwrap());

        prop_assert_eq!(&terms.mass_matrix, &dynamics::mass_matrix(&m.robot, &now));
        prop_assert_eq!(&terms.coriolis_forces, &dynamics::coriolis_forces(&m.robot, &now));
        prop_assert_eq!(terms.com, kinematics::com(&m.robot, &now));
        prop_assert_eq!(&terms.com_jacobian, &kinematics::com_jacobian(&m.robot, &now));
        prop_assert_eq!(terms.total_inertia, kinematics::total_inertia(&m.robot, &now));
        prop_assert_eq!(&terms.centroidal_momentum_matrix, &dynamics::centroidal_momentum_matrix(&m.robot, &now));
        let gravity = vector(&dynamics::gravity_forces(&m.robot, &now, &GRAVITY));
        close(&vector(&terms.gravity_forces), &gravity, 1e-12, size(&gravity))?;
        let bias = vector(&dynamics::bias_forces(&m.robot, &now, &GRAVITY));
        let largest = size(&gravity).max(size(&vector(&terms.coriolis_forces)));
        close(&vector(&terms.bias_forces), &bias, 1e-12, largest)?;

        let momentum = dynamics::momentum(&m.robot, &now, &terms.com);
        let terms_of_momentum = size(&terms.centroidal_momentum_matrix) * n as f64;
        close(&six(terms.centroidal_momentum), &six(momentum), 1e-12, terms_of_momentum)?;
        close(&terms.com_velocity, &kinematics::com_velocity(&m.robot, &now), 1e-12, size(&terms.com_jacobian) * n as f64)?;
        let kinetic = dynamics::kinetic_energy(&m.robot, &now);
        prop_assert!((terms.kinetic_energy - kinetic).abs() <= 1e-11 * kinetic.max(size(&terms.mass_matrix)));
        let potential = dynamics::potential_energy(&m.robot, &now, &GRAVITY);
        prop_assert!((terms.potential_energy - potential).abs() <= 1e-13 * potential.abs());

        let jacobian = kinematics::frame_jacobian(&m.robot, &now, m.link, Reference::World);
        for (i, &link) in m.robot.dofs().iter().enumerate() {
            let axis = terms.axes.column(i).into_owned();
            let moves = m.robot.is_ancestor_or_self(link, m.link);
            let expected = if moves { axis } else { Vector6::zeros() };
            close(&jacobian.column(i).into_owned(), &expected, 1e-13, size(&jacobian))?;
        }
    }

    // the diagonal of the mass matrix is twice the energy of a subtree that rotates or translates as one body
    #[test]
    fn the_inertia_of_a_subtree_is_on_the_diagonal_of_the_mass_matrix(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let (mass, rotors) = (dynamics::mass_matrix(&m.robot, &now), armature(&m.robot));
        for (i, &link) in m.robot.dofs().iter().enumerate() {
            let inertia = dynamics::subtree_inertia(&m.robot, &now, link);
            let rate = match *m.robot.link(link).motion() {
                LinkMotion::Revolute(axis) => Motion { angular: axis, linear: Vector::zeros() },
                LinkMotion::Prismatic(axis) => Motion { angular: Vector::zeros(), linear: axis },
                LinkMotion::Fixed => Motion::default(),
            };
            let twice_energy = 2.0 * inertia.kinetic_energy(&rate) + rotors[i];
            prop_assert!((twice_energy - mass[(i, i)]).abs() <= 1e-12 * size(&mass), "{twice_energy} {}", mass[(i, i)]);
        }
        let composite = dynamics::composite_inertia(&m.robot, &now);
        let total = kinematics::total_mass(&m.robot);
        prop_assert!((composite.mass - total).abs() <= 1e-13 * total);
        prop_assume!(total > 0.1);
        let com = kinematics::com(&m.robot, &now);
        close(&composite.com.coords, &com.coords, 1e-12, size(&com.coords))?;
        let moment = kinematics::total_inertia(&m.robot, &now);
        close(&composite.moment, &moment, 1e-11, size(&moment))?;
    }

    // on a floating base at rest, the forces on its six dofs are the base wrench
    #[test]
    fn the_base_wrench_is_the_force_on_a_floating_base(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let wrenches = external_wrenches(&m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let ours = dynamics::base_wrench(&m.robot, &now, loads, &m.ddq).unwrap();

        let floating = RobotBuilder::from(&m.robot).with_base(JointKind::Floating).unwrap().build().unwrap();
        let shifted = wrenches.map(|(link, wrench)| (LinkId::new(link.index() + 6), wrench));
        let loads = Loads::new(GRAVITY).with_wrenches(&shifted);
        let [q, dq, ddq] = [&m.q, &m.dq, &m.ddq].map(|list| [&[0.0; 6], list.as_slice()].concat());
        let there = state(&floating, &q, &dq);
        let tau = dynamics::inverse_dynamics(&floating, &there, loads, &ddq).unwrap();
        let expected = Wrench { moment: Vector::new(tau[5], tau[4], tau[3]), force: Vector::new(tau[0], tau[1], tau[2]) };
        let largest = size(&vector(&tau)).max(size(&six(ours)));
        close(&six(ours), &six(expected), 1e-12, largest)?;

        // so is the base wrench of the floating robot
        let again = dynamics::base_wrench(&floating, &there, loads, &ddq).unwrap();
        close(&six(again), &six(ours), 1e-12, largest)?;
    }

    #[test]
    fn a_payload_equals_a_fixed_link(m in any_moving_robot(), mass in 0.0..5.0) {
        let payload = Inertia { mass, com: m.point, moment: nalgebra::Matrix3::from_diagonal_element(0.1 * mass) };
        let loaded = m.robot.with_payload(m.link, &payload).unwrap();
        let mut builder = RobotBuilder::from(&m.robot);
        let mut parcel = kinworld::robot::LinkSpec::new("parcel", Some(m.link), LinkMotion::Fixed);
        parcel.inertia = payload;
        builder.add_link(parcel);
        let carrying = builder.build().unwrap();

        // the state of the bare robot fits the loaded one
        let bare = state(&m.robot, &m.q, &m.dq);
        let there = state(&carrying, &m.q, &m.dq);
        let (ours, expected) = (dynamics::mass_matrix(&loaded, &bare), dynamics::mass_matrix(&carrying, &there));
        close(&ours, &expected, 1e-12, size(&expected))?;
        let ours = vector(&dynamics::inverse_dynamics(&loaded, &bare, &GRAVITY, &m.ddq).unwrap());
        let expected = vector(&dynamics::inverse_dynamics(&carrying, &there, &GRAVITY, &m.ddq).unwrap());
        close(&ours, &expected, 1e-11, size(&expected))?;
    }
}

#[test]
fn invalid_payloads_are_errors() {
    let mut builder = RobotBuilder::new("hand");
    let hand = builder.add_link(kinworld::robot::LinkSpec::new(
        "hand",
        None,
        LinkMotion::Fixed,
    ));
    let robot = builder.build().unwrap();
    let stone = |mass, x| Inertia {
        mass,
        com: Point::new(x, 0.0, 0.0),
        ..Inertia::zero()
    };
    for (link, payload, what) in [
        (LinkId::new(1), stone(1.0, 0.0), "payload"),
        (hand, stone(-1.0, 0.0), "payload"),
        (hand, stone(f64::NAN, 0.0), "payload"),
        (hand, stone(1.0, f64::INFINITY), "link `hand`"),
    ] {
        let error = robot.with_payload(link, &payload).unwrap_err();
        assert!(
            matches!(&error, Error::Invalid { what: w, .. } if w == what),
            "{error}"
        );
    }
}

#[test]
fn the_base_wrench_of_a_fixed_link_is_its_weight() {
    let mut builder = RobotBuilder::new("statue");
    let mut stone = kinworld::robot::LinkSpec::new("stone", None, LinkMotion::Fixed);
    stone.inertia = Inertia {
        mass: 2.0,
        com: Point::new(0.5, 0.0, 0.0),
        ..Inertia::zero()
    };
    stone.placement.translation.vector.x = 1.0;
    let id = builder.add_link(stone);
    let statue = builder.build().unwrap();
    let state = State::new(&statue);
    let wrenches = [(
        id,
        Wrench {
            moment: Vector::zeros(),
            force: Vector::new(0.0, 0.0, -3.0),
        },
    )];
    let loads = Loads::new(Vector::new(0.0, 0.0, -10.0)).with_wrenches(&wrenches);
    let base = dynamics::base_wrench(&statue, &state, loads, &[]).unwrap();
    assert_eq!(base.force, Vector::new(0.0, 0.0, 23.0));
    assert_eq!(base.moment, Vector::new(0.0, -33.0, 0.0));
    let error = dynamics::base_wrench(&statue, &state, loads, &[1.0]).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Length {
                what: "acceleration",
                ..
            }
        ),
        "{error}"
    );
    let broken = Vector::new(f64::NAN, 0.0, 0.0);
    assert_refused(
        dynamics::all_terms(&statue, &state, &broken),
        "gravity: [NaN, 0.0, 0.0] must be finite",
    );
}
