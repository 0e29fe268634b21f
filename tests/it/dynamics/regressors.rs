//! Forces and energies are linear in the inertial parameters.

use kinworld::dynamics;
use kinworld::math::{Inertia, Wrench};
use kinworld::{Error, LinkId, RobotBuilder, State, Vector};
use nalgebra::{DVector, Vector6};
use proptest::prelude::*;

use super::{GRAVITY, armature, close, six, size, state, vector};
use random_robots::{any_moving_robot, any_robot, cases};

proptest! {
    #![proptest_config(cases(256))]

    // the regressor of one robot, and the masses of another with the same geometry
    #[test]
    fn forces_are_the_regressor_times_the_parameters(m in any_moving_robot(), factor in 0.1..4.0) {
        let now = state(&m.robot, &m.q, &m.dq);
        let y = dynamics::inertial_regressor(&m.robot, &now, &GRAVITY, &m.ddq).unwrap();
        let base_regressor = dynamics::base_wrench_regressor(&m.robot, &now, &GRAVITY, &m.ddq).unwrap();

        let mut builder = RobotBuilder::from(&m.robot);
        for (i, link) in builder.links.iter_mut().enumerate() {
            link.inertia.mass *= factor + i as f64;
            link.inertia.com.x += 0.1 * factor;
        }
        let heavier = builder.build().unwrap();
        let there = state(&heavier, &m.q, &m.dq);
        for (robot, state) in [(&m.robot, &now), (&heavier, &there)] {
            let parameters = vector(&dynamics::inertial_parameters(robot));
            let tau = vector(&dynamics::inverse_dynamics(robot, state, &GRAVITY, &m.ddq).unwrap());
            let links = &y * &parameters;
            let rotors = vector(&armature(robot)).component_mul(&vector(&m.ddq));
            let largest = size(&tau).max(size(&y) * size(&parameters));
            close(&(links + rotors), &tau, 1e-12, largest)?;

            let base = six(dynamics::base_wrench(robot, state, &GRAVITY, &m.ddq).unwrap());
            let ours: Vector6<f64> = &base_regressor * &parameters;
            close(&ours, &base, 1e-12, size(&base).max(size(&base_regressor) * size(&parameters)))?;
        }
    }

    #[test]
    fn energies_are_regressors_times_the_parameters(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let parameters = vector(&dynamics::inertial_parameters(&m.robot));
        let kinetic = vector(&dynamics::kinetic_energy_regressor(&m.robot, &now)).dot(&parameters);
        let dq = vector(&m.dq);
        let rotors = 0.5 * vector(&armature(&m.robot)).dot(&dq.component_mul(&dq));
        let expected = dynamics::kinetic_energy(&m.robot, &now);
        let largest = expected.max(size(&dynamics::mass_matrix(&m.robot, &now)));
        prop_assert!((kinetic + rotors - expected).abs() <= 1e-11 * largest, "{kinetic} {expected}");

        let row = vector(&dynamics::potential_energy_regressor(&m.robot, &now, &GRAVITY));
        let expected = dynamics::potential_energy(&m.robot, &now, &GRAVITY);
        prop_assert!((row.dot(&parameters) - expected).abs() <= 1e-12 * size(&row) * size(&parameters));
    }

    // the joint of a leaf transmits the net wrench of its link
    #[test]
    fn the_regressor_of_a_leaf_link_gives_its_joint_wrench(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let transmitted = dynamics::joint_wrenches(&m.robot, &now, &GRAVITY, &m.ddq).unwrap();
        for (i, &link) in m.robot.dofs().iter().enumerate() {
            if m.robot.links().iter().any(|other| other.parent() == Some(link)) {
                continue;
            }
            let matrix = dynamics::link_regressor(&m.robot, &now, &GRAVITY, link, &m.ddq).unwrap();
            let parameters = DVector::from_row_slice(&m.robot.link(link).inertia().parameters());
            let net = Vector6::from_iterator((matrix * parameters).iter().copied());
            let r = now.pose(&m.robot, link).rotation;
            let net = Wrench::from(net);
            let net = Wrench { moment: r * net.moment, force: r * net.force };
            close(&six(net), &six(transmitted[i]), 1e-12, size(&six(transmitted[i])).max(size(&matrix)))?;
        }
    }

    #[test]
    fn inertias_round_trip_through_ten_parameters(robot in any_robot()) {
        for link in robot.links() {
            let expected = link.inertia();
            let again = Inertia::from_parameters(&expected.parameters());
            if expected.mass > 1e-3 {
                prop_assert!((again.matrix() - expected.matrix()).amax() <= 1e-14);
                prop_assert!((again.com - expected.com).amax() <= 1e-14);
                prop_assert!((again.moment - expected.moment).amax() <= 1e-14);
            }
        }
        prop_assert_eq!(Inertia::from_parameters(&[0.0; 10]), Inertia::zero());
    }
}

#[test]
fn invalid_motions_are_errors_for_regressors() {
    let mut builder = RobotBuilder::new("wheel");
    let motion = kinworld::robot::LinkMotion::Revolute(Vector::z());
    builder.add_link(kinworld::robot::LinkSpec::new("wheel", None, motion));
    let robot = builder.build().unwrap();
    let at_rest = State::new(&robot);
    let wheel = LinkId::new(0);
    for (gravity, ddq) in [
        (GRAVITY, vec![]),
        (GRAVITY, vec![f64::NAN]),
        (Vector::new(0.0, f64::INFINITY, 0.0), vec![0.0]),
    ] {
        let answers: [Result<(), Error>; 3] = [
            dynamics::inertial_regressor(&robot, &at_rest, &gravity, &ddq).map(drop),
            dynamics::base_wrench_regressor(&robot, &at_rest, &gravity, &ddq).map(drop),
            dynamics::link_regressor(&robot, &at_rest, &gravity, wheel, &ddq).map(drop),
        ];
        assert!(answers.iter().all(Result::is_err), "{answers:?}");
    }
}
