//! Balances and grasps with closed-form answers.

use std::f64::consts::{FRAC_PI_2, TAU};

use kinworld::contact::{
    ContactPoint, Friction, GraspSpace, closure_margin, equilibrium, force_closure, level_support,
    support_polygon,
};
use kinworld::math::Wrench;
use kinworld::{Point, Vector};
use nalgebra::{Rotation3, Unit};
use proptest::prelude::*;

use super::contact;
use crate::common::errors::assert_refused;
use random_robots::cases;

const WEIGHT: Vector = Vector::new(0.0, 0.0, -50.0);

/// Contacts at the lower corners of a block of 2 × 1 × 0.4 m, its middle at the origin, on an incline towards an azimuth.
fn block(incline: f64, azimuth: f64, friction: f64) -> Vec<ContactPoint> {
    let axis = Unit::new_normalize(Vector::new(-azimuth.sin(), azimuth.cos(), 0.0));
    let tilt = Rotation3::from_axis_angle(&axis, incline);
    let corners = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)];
    let corner = |(x, y)| contact(tilt * Point::new(x, y, -0.2), tilt * Vector::z(), friction);
    corners.map(corner).to_vec()
}

fn holds(contacts: &[ContactPoint], load: Vector, friction: Friction) -> bool {
    let load = Wrench {
        moment: Vector::zeros(),
        force: load,
    };
    equilibrium(contacts, &load, &Point::origin(), friction)
        .unwrap()
        .holds()
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn a_block_slides_beyond_the_angle_of_friction(incline in 0.05..0.9, azimuth in 0.0..TAU) {
        let limit = f64::tan(incline);
        prop_assert!(holds(&block(incline, azimuth, limit * 1.0001), WEIGHT, Friction::Exact));
        prop_assert!(!holds(&block(incline, azimuth, limit * 0.9999), WEIGHT, Friction::Exact));

        // a pyramid has less friction, but never less than midway between two of its edges
        let n = 8;
        let least = limit / (std::f64::consts::PI / f64::from(n)).cos();
        let pyramid = Friction::Pyramid(n as u32);
        prop_assert!(holds(&block(incline, azimuth, least * 1.0001), WEIGHT, pyramid));
        prop_assert!(!holds(&block(incline, azimuth, limit * 0.9999), WEIGHT, pyramid));
    }

    #[test]
    fn two_fingers_close_in_a_plane_where_the_line_between_them_is_in_both_cones(
        tilt in prop::array::uniform2(-1.2..1.2_f64),
        friction in prop::array::uniform2(0.05..1.5_f64),
        rotation in prop::array::uniform3(-3.0..3.0_f64),
    ) {
        // Nguyen (1988)
        let margins = [0, 1].map(|k| friction[k].atan() - tilt[k].abs());
        prop_assume!(margins.iter().all(|margin| margin.abs() > 1e-3));
        let rotation = Rotation3::new(Vector::from(rotation));
        let finger = |k: usize, x: f64| {
            let normal = Vector::new(-x * tilt[k].cos(), tilt[k].sin(), 0.0);
            contact(rotation * Point::new(x, 0.0, 0.0), rotation * normal, friction[k])
        };
        let fingers = [finger(0, 1.0), finger(1, -1.0)];
        let plane = GraspSpace::Planar(rotation * Vector::z());
        let closes = margins.iter().all(|margin| *margin > 0.0);
        prop_assert_eq!(force_closure(&fingers, &plane).unwrap(), closes);

        // in space the body rotates about the line between them
        prop_assert!(!force_closure(&fingers, &GraspSpace::Spatial).unwrap());
    }

    #[test]
    fn level_feet_support_their_triangle_whatever_the_friction(
        feet in prop::array::uniform3(prop::array::uniform2(-1.0..1.0_f64)),
        friction in 0.0..1.0_f64,
    ) {
        let feet = feet.map(|[x, y]| contact(Point::new(x, y, 0.1), Vector::z(), friction));
        let triangle = level_support(&feet).unwrap();
        prop_assume!(triangle.area() > 0.05);
        for friction in [Friction::Exact, Friction::Pyramid(4)] {
            let support = support_polygon(&feet, friction).unwrap();
            prop_assert!(support.is_bounded);
            prop_assert!((support.area() - triangle.area()).abs() < 1e-5);
            for v in &triangle.vertices {
                prop_assert!(support.margin(v.x, v.y).abs() < 1e-5, "{:?} {:?}", support, v);
            }
        }
    }
}

#[test]
fn three_fingers_close_around_a_sphere_only_with_friction() {
    let finger = |k: usize, friction: f64| {
        let (s, c) = (TAU * k as f64 / 3.0).sin_cos();
        contact(Point::new(c, s, 0.0), Vector::new(-c, -s, 0.0), friction)
    };
    let fingers = |friction| [0, 1, 2].map(|k| finger(k, friction));
    let margin = |friction| closure_margin(&fingers(friction), &GraspSpace::Spatial).unwrap();
    // each presses with 1 N on the centre, the largest possible margin
    assert!((margin(0.5) - 1.0).abs() < 1e-6, "{}", margin(0.5));
    assert!(margin(0.0) < 1e-9);
    assert!(!force_closure(&fingers(0.5)[..2], &GraspSpace::Spatial).unwrap());
    assert!(!force_closure(&[], &GraspSpace::Spatial).unwrap());
}

#[test]
fn four_frictionless_pins_hold_a_square_if_their_moments_oppose() {
    // Reuleaux: off the middles of the sides, two with positive and two with negative moment
    let pin = |k: usize, offset: f64| {
        let (s, c) = (FRAC_PI_2 * k as f64).sin_cos();
        let across = Vector::new(-s, c, 0.0) * offset;
        contact(
            Point::new(c, s, 0.0) + across,
            Vector::new(-c, -s, 0.0),
            0.0,
        )
    };
    let pins = |offsets: [f64; 4]| [0, 1, 2, 3].map(|k| pin(k, offsets[k]));
    let closes =
        |pins: &[ContactPoint]| force_closure(pins, &GraspSpace::Planar(Vector::z())).unwrap();
    assert!(closes(&pins([0.3, -0.3, 0.3, -0.3])));
    // all moments of one sign: the body rotates the other way
    assert!(!closes(&pins([0.3, 0.3, 0.3, 0.3])));
    assert!(!closes(&pins([0.0; 4])));
    assert!(!closes(&pins([0.3, -0.3, 0.3, -0.3])[..3]));
}

#[test]
fn a_contact_out_of_the_plane_is_an_error() {
    let out = contact(Point::origin(), Vector::z(), 0.5);
    let error = force_closure(&[out], &GraspSpace::Planar(Vector::z()))
        .unwrap_err()
        .to_string();
    assert!(error.contains("not in the plane"), "{error}");
    assert_refused(
        force_closure(&[out], &GraspSpace::Planar(Vector::zeros())),
        "has no direction",
    );
}

#[test]
fn opposing_hands_have_unbounded_support() {
    let hand = |x: f64| contact(Point::new(x, 0.0, 0.0), -Vector::x() * x, 1.0);
    let support = support_polygon(&[hand(1.0), hand(-1.0)], Friction::Exact).unwrap();
    assert!(!support.is_bounded);
    assert!(support.contains(90.0, 0.0), "{support:?}");

    // one hand alone holds nothing
    let support = support_polygon(&[hand(1.0)], Friction::Exact).unwrap();
    assert!(support.vertices.is_empty());
}

#[test]
fn support_of_few_feet_is_a_line_a_point_or_empty() {
    let foot = |x: f64| contact(Point::new(x, 2.0 * x, 0.0), Vector::z(), 0.3);
    let line = support_polygon(&[foot(0.0), foot(1.0)], Friction::Exact).unwrap();
    assert!(line.area() < 1e-6);
    let ends = [line.vertices[0], line.vertices[line.vertices.len() - 1]];
    assert!((ends[0] - ends[1]).norm() > 2.236 - 1e-4, "{line:?}");
    let point = support_polygon(&[foot(1.0)], Friction::Exact).unwrap();
    assert!((point.vertices[0].coords - nalgebra::Vector2::new(1.0, 2.0)).norm() < 1e-5);
    assert!(
        support_polygon(&[], Friction::Exact)
            .unwrap()
            .vertices
            .is_empty()
    );
    let slippery = contact(Point::origin(), Vector::new(0.5, 0.0, 1.0), 0.3);
    assert!(
        support_polygon(&[slippery], Friction::Exact)
            .unwrap()
            .vertices
            .is_empty()
    );
}

#[test]
fn invalid_loads_and_pyramids_are_errors() {
    let contacts = block(0.1, 0.0, 0.5);
    let broken = Wrench {
        moment: Vector::zeros(),
        force: Vector::new(0.0, 0.0, f64::NAN),
    };
    assert_refused(
        equilibrium(&contacts, &broken, &Point::origin(), Friction::Exact),
        "load on contacts: must be finite",
    );
    let load = Wrench {
        moment: Vector::zeros(),
        force: WEIGHT,
    };
    let error = equilibrium(&contacts, &load, &Point::origin(), Friction::Pyramid(2)).unwrap_err();
    assert!(error.to_string().contains("2 edges"), "{error}");
    assert_refused(
        support_polygon(&contacts, Friction::Pyramid(0)),
        "0 edges: there must be 3 to 1000",
    );

    // zero load needs zero forces, and a load without contacts is the residual
    let none = Wrench {
        moment: Vector::zeros(),
        force: Vector::zeros(),
    };
    let idle = equilibrium(&contacts, &none, &Point::origin(), Friction::Exact).unwrap();
    assert!(idle.holds() && idle.forces == [Vector::zeros(); 4]);
    let falls = equilibrium(&[], &load, &Point::origin(), Friction::Exact).unwrap();
    assert!(!falls.holds() && falls.residual.force == WEIGHT);
}
