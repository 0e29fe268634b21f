//! Affine maps and poses of shapes.

use std::f64::consts::FRAC_PI_4;

use kinworld::geometry::{Geometry, Mesh, Primitive, Shape, query};
use kinworld::{Point, Pose, Rotation, Vector};
use nalgebra::Matrix4;

use super::invalid;
use super::pairs::{anywhere, known_shapes};
use super::shapes::{cube, p};

#[test]
fn affine_maps_change_the_kind_of_a_shape_as_needed() {
    let rotation = Rotation::from_axis_angle(&Vector::z_axis(), FRAC_PI_4);
    let factors = [2.0, 1.0, 1.0];
    let kind = |g: &Geometry| match g.shape() {
        Shape::Primitive(primitive) => primitive.name(),
        Shape::Hull(_) => "hull",
        _ => "other",
    };
    let o = Point::origin();
    let cylinder = Geometry::from(Primitive::cylinder(o, Vector::x(), 0.5, 1.0).unwrap());
    let capsule = Geometry::from(Primitive::capsule(o, p(1.0, 0.0, 0.0), 0.5).unwrap());
    let sphere = Geometry::from(Primitive::sphere(o, 0.5).unwrap());
    let boxed = Geometry::from(cube());
    let aabb = Geometry::from(Primitive::aabb(o, p(1.0, 1.0, 1.0)).unwrap());
    let rows = [
        (sphere.scaled([2.0; 3]), "sphere"),
        (sphere.scaled(factors), "ellipsoid"),
        (
            sphere
                .scaled(factors)
                .and_then(|g| g.scaled([0.5, 1.0, 1.0])),
            "ellipsoid",
        ),
        (boxed.scaled(factors), "box"),
        (
            boxed.rotated(&rotation).and_then(|g| g.scaled(factors)),
            "hull",
        ),
        (aabb.scaled([-1.0, 2.0, 3.0]), "axis-aligned box"),
        (aabb.rotated(&rotation), "box"),
        (cylinder.scaled(factors), "cylinder"),
        (capsule.translated(&Vector::y()), "capsule"),
    ];
    for (moved, expected) in rows {
        let moved = moved.unwrap();
        assert_eq!(kind(&moved), expected);
    }
    let sheared = cylinder.rotated(&rotation).unwrap().scaled(factors);
    assert!(invalid(sheared).starts_with("scaled cylinder: this map changes its kind"));
    assert!(invalid(capsule.scaled(factors)).starts_with("scaled capsule: this map"));
    for bad in [
        Matrix4::zeros(),
        Matrix4::identity() * 2.0,
        Matrix4::new_nonuniform_scaling(&Vector::new(1.0, 0.0, 1.0)),
    ] {
        for known in known_shapes() {
            let problem = invalid(known.shape.transformed(&bad));
            assert!(problem.starts_with("transformation matrix: "), "{problem}");
        }
    }
}

#[test]
fn baking_a_pose_is_the_same_as_placing() {
    let probe = Geometry::from(Primitive::segment(p(2.0, -1.0, 1.0), p(2.5, 1.0, 2.0)).unwrap());
    let (here, x) = (Pose::identity(), anywhere());
    for known in known_shapes() {
        let soft = known.shape.clone().with_margin(0.0625).unwrap();
        let baked = soft.transformed(&x.to_homogeneous()).unwrap();
        let placed = query::distance((&soft, &x), (&probe, &here))
            .unwrap()
            .distance;
        let found = query::distance((&baked, &here), (&probe, &here))
            .unwrap()
            .distance;
        assert!(
            (placed - found).abs() < 1e-9,
            "{}: {placed} {found}",
            known.name
        );
        let (a, b) = (
            soft.aabb_tight(&x).unwrap(),
            baked.aabb_tight(&here).unwrap(),
        );
        assert!(
            (a.min - b.min).norm() < 1e-9 && (a.max - b.max).norm() < 1e-9,
            "{}",
            known.name
        );
    }
}

#[test]
fn a_reflection_keeps_a_mesh_oriented_outwards() {
    let mesh = cube().to_mesh().unwrap();
    let mirrored = mesh.scaled([-1.0, 1.0, 1.0]).unwrap();
    let volume = |mesh: &Mesh| -> f64 {
        mesh.triangle_vertices()
            .map(|[a, b, c]| a.coords.dot(&b.coords.cross(&c.coords)) / 6.0)
            .sum()
    };
    assert!((volume(&mesh) - 1.0).abs() < 1e-12 && (volume(&mirrored) - 1.0).abs() < 1e-12);
    assert!(mirrored.is_closed());
}

#[test]
fn a_map_without_inverse_is_refused() {
    let mesh = Mesh::new(
        vec![
            Point::origin(),
            Point::new(1.0, 0.0, 0.0),
            Point::new(0.0, 1.0, 0.0),
        ],
        vec![[0, 1, 2]],
    )
    .unwrap();
    let flat = Matrix4::new_nonuniform_scaling(&Vector::new(1.0, 1.0, 0.0));
    let error = mesh.transformed(&flat).unwrap_err().to_string();
    assert!(
        error.ends_with("transformation matrix: is singular"),
        "{error}"
    );
}
