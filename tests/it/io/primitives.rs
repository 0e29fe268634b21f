//! Primitives that are saved and loaded again, bit by bit.

use kinworld::geometry::Primitive;
use kinworld::math::{Vector, so3};
use kinworld::world::{RigidObject, Terrain};
use kinworld::{Geometry, Point, Pose, Robot};

use super::same::{assert_same_files, assert_same_shapes};
use super::scratch::folder;
use crate::common::files::{data, files_below};

/// One of each kind, with numbers that have no short form.
fn each_kind(k: f64) -> Vec<Primitive> {
    let s = |x: f64| (k + x).sin();
    let point = |x: f64| Point::new(s(x), 10.0 * s(x + 0.1), 1e-3 * s(x + 0.2));
    let rotation = so3::from_rotation_vector(&Vector::new(2.0 * s(0.3), s(0.4), s(0.5)));
    let pose = Pose::from_parts(point(0.6).coords.into(), rotation);
    let sizes = Vector::new(s(0.7), s(0.8), s(0.9)).abs() + Vector::repeat(1e-3);
    let (min, max) = (point(1.0).inf(&point(2.0)), point(1.0).sup(&point(2.0)));
    let triangle = [point(3.0), point(4.0), point(5.0)];
    [
        Primitive::point(point(1.1)),
        Primitive::segment(point(1.2), point(1.3)),
        Primitive::triangle(triangle[0], triangle[1], triangle[2]),
        Primitive::polygon(triangle.to_vec()),
        Primitive::sphere(point(1.4), sizes.x),
        Primitive::aabb(min, max),
        Primitive::cuboid(pose, sizes),
        Primitive::ellipsoid(pose, sizes),
        Primitive::cylinder(point(1.5), point(1.6).coords, sizes.x, sizes.y),
    ]
    .map(|primitive| primitive.expect("a valid shape"))
    .to_vec()
}

#[test]
fn primitives_read_back_unchanged_from_a_geom() {
    let (mut exact, mut rounded) = (0, 0);
    for k in 0..50 {
        for primitive in each_kind(f64::from(k)) {
            let shape = Geometry::from(primitive);
            let [first, second] = ["x.geom", "y.geom"].map(|name| folder().join(name));
            let lost = shape.save(&first).unwrap();
            let read = Geometry::load(&first).unwrap();
            assert_eq!(read.diagnostics, []);
            // a centre much nearer to zero than the size of its box may have no corner that restores it
            if lost.is_empty() {
                assert!(read.value == shape, "{shape:?} became {:?}", read.value);
                exact += 1;
            } else {
                assert_eq!(lost[0].message, "its centre is rounded in the last digits");
                rounded += 1;
            }
            // a second save is exact
            assert_eq!(read.value.save(&second).unwrap(), []);
            assert_eq!(
                std::fs::read(&first).unwrap(),
                std::fs::read(&second).unwrap()
            );
        }
    }
    assert!(exact > 5 * rounded, "{exact} exact, {rounded} rounded");
}

#[test]
fn a_rob_keeps_the_primitives_of_its_links() {
    let mut n = 0;
    for path in files_below(&data("robots")) {
        let robot = Robot::load(&path).unwrap().value;
        let saved = folder().join("x.rob");
        robot.save(&saved).unwrap();
        let again = Robot::load(&saved).unwrap().value;
        for (a, b) in robot.links().iter().zip(again.links()) {
            let is_exact = a.collision().iter().all(|e| e.geometry.margin() == 0.0);
            if is_exact {
                assert_same_shapes(a.collision(), b.collision(), a.name());
                n += a.collision().len();
            }
        }
    }
    assert!(n > 10, "{n} shapes");
}

#[test]
fn objects_and_terrains_keep_their_primitives() {
    for primitive in each_kind(0.25) {
        // a second save is exact to the last bit
        let path = folder().join("x.geom");
        Geometry::from(primitive).save(&path).unwrap();
        let shape = Geometry::load(&path).unwrap().value;
        let object = RigidObject {
            geometry: Some(shape.clone()),
            ..RigidObject::new("x")
        };
        let (a, b) = (folder().join("x.obj"), folder().join("x.obj"));
        assert_eq!(object.save(&a).unwrap(), []);
        let again = RigidObject::load(&a).unwrap().value;
        assert!(again.geometry == object.geometry);
        again.save(&b).unwrap();
        assert_same_files(&a, &b);

        let terrain = Terrain::new("x", Some(shape));
        let path = folder().join("x.env");
        assert_eq!(terrain.save(&path).unwrap(), []);
        assert!(Terrain::load(&path).unwrap().value.geometry == terrain.geometry);
    }
}

#[test]
fn a_geom_holds_only_primitives_other_than_capsules() {
    let (a, b) = (Point::origin(), Point::new(1.0, 0.0, 0.0));
    let capsule = Geometry::from(Primitive::capsule(a, b, 0.5).unwrap());
    let mesh = Geometry::from(capsule.to_mesh().unwrap());
    for (shape, message) in [
        (capsule, "a .geom cannot hold a capsule"),
        (mesh, "a .geom can hold only a primitive"),
    ] {
        let error = shape.save(folder().join("x.geom")).unwrap_err();
        assert!(error.to_string().ends_with(message), "{error}");
    }
}
