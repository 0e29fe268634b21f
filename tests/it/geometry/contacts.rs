//! Contacts: points, depths and normals.

use kinworld::geometry::{Geometry, Primitive, query};
use kinworld::{Point, Pose, Vector};
use proptest::prelude::*;

use super::invalid;
use super::pairs::{anywhere, known_shapes};
use super::properties::{any_pose, any_solid, seeded};

#[test]
fn there_is_a_contact_exactly_where_the_distance_is_within_the_prediction() {
    for a in known_shapes() {
        for b in known_shapes() {
            for (separation, x_w) in [
                (0.25, Pose::identity()),
                (0.25, anywhere()),
                (0.0, anywhere()),
                (-0.01, anywhere()),
            ] {
                let pair = format!("{} and {} at {separation}", a.name, b.name);
                let x_b = x_w * Pose::translation(a.extent + separation + b.extent, 0.0, 0.0);
                let (at_a, at_b) = ((&a.shape, &x_w), (&b.shape, &x_b));
                let near = query::contacts(at_a, at_b, 0.3, 100).unwrap();
                let touching = query::contacts(at_a, at_b, 0.0, 100).unwrap();
                let collides = query::collides(at_a, at_b).unwrap();
                assert!(!near.is_empty(), "{pair}: none within 0.3");
                assert_eq!(collides, !touching.is_empty(), "{pair}");
                if separation > 0.0 {
                    // the direction from a to b is x, and the separation is known
                    let deepest = near[0];
                    let out = x_w.rotation.inverse() * deepest.normal;
                    assert!(
                        (deepest.depth + separation).abs() < 1e-6,
                        "{pair}: {}",
                        deepest.depth
                    );
                    assert!((out - Vector::x()).norm() < 1e-3, "{pair}: {out}");
                }
            }
        }
    }
}

#[test]
fn a_box_on_a_box_touches_at_the_vertices_of_the_common_area() {
    let table =
        Geometry::from(Primitive::cuboid(Pose::identity(), Vector::new(2.0, 2.0, 1.0)).unwrap());
    let block = Geometry::from(Primitive::cuboid(Pose::identity(), Vector::repeat(0.5)).unwrap());
    let (here, above) = (Pose::identity(), Pose::translation(0.25, 0.0, 0.74));
    let contacts = query::contacts((&table, &here), (&block, &above), 0.0, 8).unwrap();
    assert_eq!(contacts.len(), 4);
    for contact in &contacts {
        assert!((contact.depth - 0.01).abs() < 1e-9, "{contact:?}");
        assert!((contact.normal - Vector::z()).norm() < 1e-9, "{contact:?}");
        let from_middle = contact.point_b - Point::new(0.25, 0.0, 0.49);
        assert!(
            (from_middle.abs() - Vector::new(0.25, 0.25, 0.0)).norm() < 1e-9,
            "{contact:?}"
        );
    }
    let fewer = query::contacts((&table, &here), (&block, &above), 0.0, 2).unwrap();
    assert_eq!(fewer, contacts[..2]);
}

#[test]
fn margins_add_to_the_depth_and_leave_the_points_on_the_shapes() {
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let soft = sphere.clone().with_margin(0.25).unwrap();
    let (here, there) = (Pose::identity(), Pose::translation(0.0, 1.125, 0.0));
    let found = query::contacts((&soft, &here), (&sphere, &there), 0.0, 1).unwrap();
    assert!((found[0].depth - 0.125).abs() < 1e-12);
    assert!((found[0].point_a - Point::new(0.0, 0.5, 0.0)).norm() < 1e-12);
    assert!((found[0].point_b - Point::new(0.0, 0.625, 0.0)).norm() < 1e-12);
}

#[test]
fn a_contact_names_the_member_and_the_triangle() {
    let cube = Primitive::cuboid(Pose::identity(), Vector::repeat(1.0))
        .unwrap()
        .to_mesh()
        .unwrap();
    let group = Geometry::group(vec![
        (Pose::translation(5.0, 0.0, 0.0), cube.clone().into()),
        (Pose::identity(), cube.clone().into()),
    ]);
    let sphere = Geometry::from(Primitive::sphere(Point::new(0.2, 0.1, 0.75), 0.5).unwrap());
    let here = Pose::identity();
    let found = query::contacts((&sphere, &here), (&group, &here), 0.0, 1).unwrap();
    let (member, triangle) = found[0].element_b;
    assert_eq!(member, 1);
    let vertices = cube.triangles()[triangle].map(|i| cube.vertices()[i as usize]);
    assert!(
        vertices.iter().all(|p| (p.z - 0.5).abs() < 1e-12),
        "{vertices:?}"
    );
    assert_eq!(found[0].element_a, (0, 0));
}

#[test]
fn a_bad_prediction_is_refused() {
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    for prediction in [-1.0, f64::NAN, f64::INFINITY] {
        let here = Pose::identity();
        let problem = invalid(query::contacts(
            (&sphere, &here),
            (&sphere, &here),
            prediction,
            1,
        ));
        assert!(problem.starts_with("contact prediction: "), "{problem}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 4096, ..seeded(11, 256) })]

    #[test]
    fn translating_by_the_deepest_contact_separates_convex_solids(a in any_solid(), b in any_solid(), x in any_pose(0.8), y in any_pose(0.8)) {
        let found = query::contacts((&a, &x), (&b, &y), 0.0, 4).unwrap();
        // too many rejected cases fail the test
        prop_assume!(!found.is_empty());
        let deepest = &found[0];
        prop_assert!(deepest.depth > -1e-9);
        let out = Pose::from_parts((deepest.normal * (deepest.depth + 1e-4)).into(), nalgebra::Rotation3::identity());
        let distance = query::distance((&a, &x), (&b, &(out * y))).unwrap().distance;
        prop_assert!(distance > 0.0 && distance < 2e-4, "{distance} {deepest:?}");
    }

    #[test]
    fn the_deepest_contact_of_separated_boxes_is_at_their_closest_points(
        s in prop::array::uniform3(0.05..0.6), x in any_pose(0.8), t in prop::array::uniform3(0.05..0.6), y in any_pose(0.8),
    ) {
        let [a, b] = [s, t].map(|size| Geometry::from(Primitive::cuboid(Pose::identity(), size.into()).unwrap()));
        let distance = query::distance((&a, &x), (&b, &y)).unwrap().distance;
        prop_assume!(distance > 0.0);
        let found = query::contacts((&a, &x), (&b, &y), 1.01 * distance, 8).unwrap();
        prop_assert!((found[0].depth + distance).abs() < 1e-9, "{distance} {found:?}");
        let between = (found[0].point_b - found[0].point_a).norm();
        prop_assert!((between - distance).abs() < 1e-9, "{between} {distance}");
    }

    #[test]
    fn contacts_of_swapped_shapes_are_the_same(a in any_solid(), b in any_solid(), x in any_pose(0.8), y in any_pose(0.8)) {
        let one = query::contacts((&a, &x), (&b, &y), 0.1, 8).unwrap();
        let other = query::contacts((&b, &y), (&a, &x), 0.1, 8).unwrap();
        prop_assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            prop_assert_eq!((one.point_a, one.point_b, -one.normal), (other.point_b, other.point_a, other.normal));
        }
    }
}
