//! Cones, net wrenches and level support: functions without a solver.

use kinworld::contact::{
    ContactPoint, FrictionCone, grasp_matrix, joint_forces, level_support, net_wrench,
};
use kinworld::{Point, State, Vector, kinematics};
use nalgebra::{DVector, Vector6};
use proptest::prelude::*;

use super::{any_contact, contact};
use crate::common::errors::assert_refused;
use random_robots::{any_moving_robot, any_vector, cases};

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn projection_on_a_cone_is_the_nearest_force_in_it(
        contact in any_contact(),
        force in any_vector(10.0),
        other in any_vector(10.0),
    ) {
        let cone = contact.cone;
        let (nearest, other) = (cone.project(&force), cone.project(&other));
        prop_assert!(cone.contains(&nearest) && cone.contains(&other));
        prop_assert_eq!(cone.contains(&force), (force - nearest).norm() <= 1e-11);

        // projection on a convex cone: the remainder is orthogonal, and in the polar cone
        let remainder = force - nearest;
        prop_assert!(remainder.dot(&nearest).abs() <= 1e-11);
        prop_assert!(remainder.dot(&other) <= 1e-11);
    }

    #[test]
    fn edges_lie_on_the_cone(contact in any_contact(), n in 3..12_usize) {
        let cone = contact.cone;
        let edges = cone.edges(n);
        prop_assert_eq!(edges.len(), if cone.friction() > 0.0 { n } else { 1 });
        for edge in &edges {
            prop_assert!(cone.excess(edge).abs() <= 1e-14);
            prop_assert!((cone.normal().dot(edge) - 1.0).abs() <= 1e-14);
        }
        let sum: Vector = edges.iter().sum();
        prop_assert!((sum / edges.len() as f64 - cone.normal()).norm() <= 1e-13);

        let [t, b] = cone.tangents();
        prop_assert!((t.cross(&b) - cone.normal()).norm() <= 1e-14);
        prop_assert!(t.dot(&b).abs() <= 1e-15);
    }

    #[test]
    fn joint_forces_have_the_power_of_the_contact_forces(
        m in any_moving_robot(),
        contacts in prop::collection::vec((any_contact(), any_vector(5.0)), 1..4),
    ) {
        let mut state = State::new(&m.robot);
        state.set_config(&m.robot, &m.q).unwrap();
        state.set_velocity(&m.robot, &m.dq).unwrap();
        let (contacts, forces): (Vec<ContactPoint>, Vec<Vector>) = contacts.into_iter().unzip();
        let on_link: Vec<_> = contacts.iter().map(|contact| (m.link, *contact)).collect();
        let tau = joint_forces(&m.robot, &state, &on_link, &forces);
        let power: f64 = tau.iter().zip(&m.dq).map(|(tau, v)| tau * v).sum();

        let pose = state.pose(&m.robot, m.link);
        let mut expected = 0.0;
        for (contact, force) in contacts.iter().zip(&forces) {
            let p_link = pose.inverse_transform_point(&contact.point);
            expected += force.dot(&kinematics::point_velocity(&m.robot, &state, m.link, &p_link));
        }
        prop_assert!((power - expected).abs() <= 1e-11 * (1.0 + expected.abs()) * (1.0 + m.dq.len() as f64));
    }

    #[test]
    fn the_grasp_matrix_adds_up_forces(
        contacts in prop::collection::vec((any_contact(), any_vector(5.0)), 0..5),
        about in any_vector(1.0),
    ) {
        let (contacts, forces): (Vec<ContactPoint>, Vec<Vector>) = contacts.into_iter().unzip();
        let about = Point::from(about);
        let all: Vec<f64> = forces.iter().flatten().copied().collect();
        let product = grasp_matrix(&contacts, &about) * DVector::from_vec(all);
        let net = net_wrench(&contacts, &forces, &about);
        prop_assert!((product - Vector6::from(net)).amax() <= 1e-12);
    }
}

#[test]
fn invalid_cones_are_errors() {
    let broken = [
        (Vector::zeros(), 0.5, "has no direction"),
        (Vector::new(0.0, f64::NAN, 1.0), 0.5, "has no direction"),
        (
            Vector::new(0.0, f64::INFINITY, 1.0),
            0.5,
            "has no direction",
        ),
        (Vector::z(), -0.1, "must be finite and not negative"),
        (Vector::z(), f64::NAN, "must be finite and not negative"),
        (
            Vector::z(),
            f64::INFINITY,
            "must be finite and not negative",
        ),
    ];
    for (normal, friction, message) in broken {
        let error = FrictionCone::new(normal, friction).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_refused(
            ContactPoint::new(Point::origin(), normal, friction),
            " of a contact: ",
        );
    }
    assert_refused(
        ContactPoint::new(Point::new(f64::NAN, 0.0, 0.0), Vector::z(), 0.5),
        "point of a contact: must be finite",
    );

    // but a normal may have any length
    for size in [1e-300, 1.0, 1e300] {
        let cone = FrictionCone::new(Vector::new(3.0, 0.0, 4.0) * size, 0.0).unwrap();
        assert!((cone.normal() - Vector::new(0.6, 0.0, 0.8)).norm() < 1e-15);
    }
    let cone = FrictionCone::new(Vector::z(), 1.0).unwrap();
    assert!((cone.angle() - std::f64::consts::FRAC_PI_4).abs() < 1e-15);
    assert_eq!(*cone.reflected().normal(), -Vector::z());
}

#[test]
fn level_ground_supports_what_is_over_the_hull() {
    let feet = |points: &[(f64, f64)]| {
        let foot = |&(x, y): &(f64, f64)| contact(Point::new(x, y, 0.3 * x), Vector::z(), 0.5);
        level_support(&points.iter().map(foot).collect::<Vec<_>>()).unwrap()
    };
    // a square, with a foot inside, one on an edge, and one twice
    let square = feet(&[
        (0.0, 0.0),
        (2.0, 0.0),
        (1.0, 0.5),
        (2.0, 2.0),
        (0.0, 2.0),
        (1.0, 2.0),
        (0.0, 0.0),
    ]);
    let corners: Vec<_> = square.vertices.iter().map(|v| (v.x, v.y)).collect();
    assert_eq!(corners, [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
    assert!((square.area() - 4.0).abs() < 1e-15);
    assert!((square.margin(1.5, 1.0) - 0.5).abs() < 1e-15);
    assert!((square.margin(1.0, -0.25) + 0.25).abs() < 1e-15);
    assert!(square.contains(2.0, 1.0) && !square.contains(2.0 + 1e-9, 1.0));

    let line = feet(&[(0.0, 0.0), (1.0, 1.0), (3.0, 3.0)]);
    assert_eq!((line.vertices.len(), line.area()), (2, 0.0));
    assert!(line.contains(2.0, 2.0) && !line.contains(2.0, 2.1) && !line.contains(3.1, 3.1));
    let point = feet(&[(1.0, 2.0), (1.0, 2.0)]);
    assert!(point.contains(1.0, 2.0) && !point.contains(1.0, 2.1));
    let nothing = feet(&[]);
    assert!(!nothing.contains(0.0, 0.0) && nothing.area() == 0.0);

    let tilted = contact(Point::origin(), Vector::new(0.1, 0.0, 1.0), 0.5);
    let error = level_support(&[tilted]).unwrap_err().to_string();
    assert!(error.starts_with("contact 0: its normal is"), "{error}");
}
