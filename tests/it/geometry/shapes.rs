//! Shapes by themselves: rejected values, boxes, serialized form.

use kinworld::geometry::{
    ConvexHull, Geometry, Mesh, Placed, PointCloud, Primitive, PrimitiveKind, query,
};
use kinworld::{Point, Pose, Rotation, Vector};

use super::invalid;
use super::pairs::anywhere;

/// A point.
pub(super) fn p(x: f64, y: f64, z: f64) -> Point {
    Point::new(x, y, z)
}

/// A cube of side 1 about the origin.
pub(super) fn cube() -> Primitive {
    Primitive::cuboid(Pose::identity(), Vector::repeat(1.0)).unwrap()
}

#[test]
fn invalid_shapes_are_rejected_with_a_reason() {
    let (o, nan, x) = (Point::origin(), f64::NAN, Vector::x());
    let flipped = Pose::from_parts(
        Vector::zeros().into(),
        Rotation::from_matrix_unchecked(-nalgebra::Matrix3::identity()),
    );
    let rows = [
        (
            Primitive::sphere(o, 0.0),
            "sphere: its radius must be a positive number, got 0",
        ),
        (
            Primitive::sphere(o, -1.0),
            "sphere: its radius must be a positive number, got -1",
        ),
        (
            Primitive::sphere(p(0.0, nan, 0.0), 1.0),
            "point 0 of sphere: is not finite: (0, NaN, 0)",
        ),
        (
            Primitive::segment(o, p(f64::INFINITY, 0.0, 0.0)),
            "point 1 of segment: is not finite: (inf, 0, 0)",
        ),
        (
            Primitive::cuboid(Pose::identity(), Vector::new(1.0, nan, 1.0)),
            "box: its size must be a positive number, got NaN",
        ),
        (
            Primitive::cuboid(flipped, x),
            "pose of box: is not a rotation",
        ),
        (
            Primitive::cylinder(o, Vector::zeros(), 1.0, 1.0),
            "cylinder: (0, 0, 0) is not a direction",
        ),
        (
            Primitive::cylinder(o, x, 1.0, f64::INFINITY),
            "cylinder: its height must be a positive number, got inf",
        ),
        (
            Primitive::aabb(p(1.0, 0.0, 0.0), o),
            "axis-aligned box: its lower corner is above its upper one",
        ),
        (
            Primitive::polygon(vec![o, p(1.0, 0.0, 0.0)]),
            "polygon: needs at least three vertices, got 2",
        ),
        (
            Primitive::polygon(vec![o, p(1.0, 0.0, 0.0), p(2.0, 0.0, 0.0)]),
            "polygon: has no area",
        ),
        (
            Primitive::polygon(vec![
                o,
                p(1.0, 0.0, 0.0),
                p(1.0, 1.0, 0.5),
                p(0.0, 1.0, 0.0),
            ]),
            "polygon: is not flat: a vertex is",
        ),
        (
            Primitive::polygon(vec![
                o,
                p(3.0, 0.0, 0.0),
                p(1.0, 1.0, 0.0),
                p(1.0, -2.0, 0.0),
                p(0.0, 2.0, 0.0),
            ]),
            "polygon: has edges that cross",
        ),
    ];
    for (made, reason) in rows {
        let problem = made.unwrap_err().to_string();
        assert!(problem.starts_with(reason), "{problem}\n{reason}");
    }
    assert_eq!(
        Mesh::new(vec![o], vec![[0, 0, 7]]).unwrap_err().to_string(),
        "triangle 0 of a mesh: names vertex 7 of 1"
    );
    let cloud = invalid(PointCloud::new(vec![p(nan, 0.0, 0.0)]));
    assert!(
        cloud.starts_with("point 0 of a point cloud: is not finite"),
        "{cloud}"
    );
    let cloud = PointCloud::new(vec![o]).unwrap();
    assert!(matches!(
        cloud.with_property("red", vec![]),
        Err(kinworld::Error::Length {
            expected: 1,
            found: 0,
            ..
        })
    ));
    for margin in [-0.1, nan, f64::INFINITY] {
        let problem = invalid(Geometry::from(cube()).with_margin(margin));
        assert!(problem.starts_with("collision margin: "), "{problem}");
    }
}

#[test]
fn a_polygon_of_a_hundred_thousand_vertices_is_triangulated_quickly() {
    let n = 100_000;
    let vertex = |i| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        p(angle.cos(), angle.sin(), 0.5)
    };
    let round = Primitive::polygon((0..n).map(vertex).collect()).unwrap();
    assert_eq!(round.to_mesh().unwrap().triangles().len(), 99_998);
    // a star of five points has no reflex vertex, but winds twice
    let star = (0..5).map(|i| vertex(40_000 * i)).collect();
    let problem = Primitive::polygon(star).unwrap_err().to_string();
    assert_eq!(problem, "polygon: has edges that cross");
}

#[test]
fn a_thin_sheet_has_a_hull() {
    let rotation = Rotation::from_euler_angles(0.3, -0.8, 2.1);
    for thickness in [1e-2, 1e-3, 1e-4, 1e-5, 1e-7] {
        let sheet = Primitive::cuboid(
            Pose::from_parts(Vector::new(3.0, 1.0, -2.0).into(), rotation),
            Vector::new(2.0, 1.0, thickness),
        );
        let vertices = sheet.unwrap().to_mesh().unwrap();
        let hull = ConvexHull::new(vertices.vertices()).unwrap();
        assert_eq!(
            (hull.vertices().len(), hull.surface().triangles().len()),
            (8, 12),
            "{thickness}"
        );
        assert!(hull.surface().is_closed());
    }
}

#[test]
fn a_hull_without_an_inside_is_rejected() {
    let line: Vec<Point> = (0..5).map(|i| p(f64::from(i), 2.0, 1.0)).collect();
    let plane: Vec<Point> = (0..9)
        .map(|i| p(f64::from(i % 3), f64::from(i / 3), 0.5))
        .collect();
    for (points, reason) in [
        (line, "has no inside: its 5 points lie in one plane"),
        (plane, "has no inside: its 9 points lie in one plane"),
        (vec![], "needs points, got none"),
        (
            vec![Point::origin(); 20],
            "has no inside: its 20 points lie in one plane",
        ),
    ] {
        let problem = invalid(ConvexHull::new(&points));
        assert_eq!(problem, format!("convex hull: {reason}"));
    }
    for size in [1e-9, 1.0, 1e9] {
        let vertices: Vec<Point> = cube()
            .to_mesh()
            .unwrap()
            .vertices()
            .iter()
            .map(|c| c * size)
            .collect();
        let doubled: Vec<Point> = vertices.iter().chain(&vertices).copied().collect();
        let hull = ConvexHull::new(&doubled).unwrap();
        assert_eq!(
            (hull.vertices().len(), hull.surface().triangles().len()),
            (8, 12),
            "{size}"
        );
        assert!(hull.surface().is_closed());
        assert!(
            hull.vertices().iter().all(|v| vertices.contains(v)),
            "vertices are kept exactly"
        );
    }
}

#[test]
fn empty_and_degenerate_shapes_are_harmless() {
    let o = Point::origin();
    let degenerate = Mesh::new(
        vec![o, p(1.0, 0.0, 0.0), p(2.0, 0.0, 0.0)],
        vec![[0, 1, 2], [0, 0, 1]],
    )
    .unwrap();
    assert_eq!(degenerate.degenerate_triangles(), 2);
    // a line is harmless, but not nothing
    let line = Geometry::from(degenerate).with_solid(true);
    assert!(!query::contains_point((&line, &Pose::identity()), &p(0.5, 0.1, 0.0)).unwrap());
    let nothing = [
        Geometry::group(Vec::new()),
        Mesh::new(Vec::new(), Vec::new()).unwrap().into(),
        PointCloud::new(Vec::new()).unwrap().into(),
    ];
    let (here, sphere) = (
        Pose::identity(),
        Geometry::from(Primitive::sphere(o, 1.0).unwrap()),
    );
    for empty in &nothing {
        for other in [&sphere, empty] {
            let found = query::distance((empty, &here), (other, &here)).unwrap();
            assert_eq!(
                (found.distance, found.on_a, found.on_b),
                (f64::INFINITY, None, None)
            );
            assert!(!query::collides((empty, &here), (other, &here)).unwrap());
            assert!(
                query::contacts((empty, &here), (other, &here), 1.0, 4)
                    .unwrap()
                    .is_empty()
            );
        }
        assert_eq!((empty.aabb(&here), empty.aabb_tight(&here)), (None, None));
        assert_eq!(query::support((empty, &here), &Vector::x()).unwrap(), None);
        assert_eq!(
            query::ray_cast((empty, &here), &o, &Vector::x(), 9.0).unwrap(),
            None
        );
        assert!(!query::contains_point((empty, &here), &o).unwrap());
    }
}

#[test]
fn invalid_poses_are_rejected_by_every_query() {
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 1.0).unwrap());
    let here = Pose::identity();
    let scaled = Rotation::from_matrix_unchecked(nalgebra::Matrix3::identity() * 1.1);
    let infinite = "geometry: its bounding box is not finite or extends beyond 1e50 m";
    let not_finite = "pose of a geometry: is not finite";
    let bad = [
        (Pose::translation(f64::NAN, 0.0, 0.0), not_finite),
        (Pose::translation(0.0, f64::INFINITY, 0.0), not_finite),
        (Pose::translation(1e60, 0.0, 0.0), infinite),
        (
            Pose::from_parts(Vector::zeros().into(), scaled),
            "pose of a geometry: is not a rotation",
        ),
    ];
    for (bad, reason) in &bad {
        let (at, still) = ((&sphere, bad), (&sphere, &here));
        for problem in [
            invalid(query::collides(at, still)),
            invalid(query::collides(still, at)),
            invalid(query::distance(still, at)),
            invalid(query::within_distance(at, still, 1.0)),
            invalid(query::contacts(at, still, 0.0, 1)),
            invalid(query::ray_cast(at, &Point::origin(), &Vector::x(), 1.0)),
            invalid(query::support(at, &Vector::x())),
            invalid(query::contains_point(at, &Point::origin())),
        ] {
            assert_eq!(problem, *reason);
        }
        let in_group = Geometry::group(vec![(*bad, sphere.clone())]);
        if bad.rotation == Rotation::identity() {
            let problem = invalid(query::collides((&in_group, &here), still));
            assert_eq!(problem, infinite);
        }
    }
    let still = (&sphere, &here);
    let problem = invalid(query::within_distance(still, still, f64::NAN));
    assert_eq!(problem, "distance to be within: is not a number");
    for direction in [Vector::zeros(), Vector::new(f64::NAN, 0.0, 1.0)] {
        let ray = invalid(query::ray_cast(still, &Point::origin(), &direction, 1.0));
        assert!(ray.starts_with("ray direction: ") && ray.ends_with("is not a direction"));
        let support = invalid(query::support(still, &direction));
        assert!(support.starts_with("support direction: "), "{support}");
    }
}

#[test]
fn a_rotation_from_a_file_with_six_digits_is_good_enough() {
    let rough = Pose::new(Vector::zeros(), Vector::new(0.3, 0.2, 0.1))
        .rotation
        .matrix()
        .map(|c| (c * 1e6).round() / 1e6);
    let rough = Pose::from_parts(
        Vector::new(0.0, 0.0, 1.0).into(),
        Rotation::from_matrix_unchecked(rough),
    );
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let (at_a, at_b) = ((&sphere, &rough), (&sphere, &Pose::identity()));
    assert!(query::collides(at_a, at_b).unwrap() && query::collides(at_b, at_a).unwrap());
}

#[test]
fn primitives_become_meshes_as_klampt_makes_them_and_triangles_are_counted() {
    let o = Point::origin();
    let rows = [
        (cube(), 12),
        (Primitive::cylinder(o, Vector::z(), 0.5, 1.0).unwrap(), 80),
        (Primitive::sphere(o, 0.5).unwrap(), 360),
        (Primitive::capsule(o, p(1.0, 0.0, 0.0), 0.5).unwrap(), 400),
        (
            Primitive::polygon(vec![
                o,
                p(2.0, 0.0, 0.0),
                p(0.5, 0.5, 0.0),
                p(0.0, 2.0, 0.0),
            ])
            .unwrap(),
            2,
        ),
    ];
    for (primitive, triangles) in rows {
        let mesh = primitive.to_mesh().unwrap();
        assert_eq!(mesh.triangles().len(), triangles, "{}", primitive.name());
        assert_eq!(mesh.is_closed(), triangles > 2, "{}", primitive.name());
        let group = Geometry::group(vec![
            (Pose::identity(), mesh.clone().into()),
            (Pose::identity(), primitive.into()),
        ]);
        assert_eq!(group.n_triangles(), triangles);
    }
    assert_eq!(
        invalid(Primitive::point(o).unwrap().to_mesh()),
        "point: has no surface to make triangles of"
    );
    let group = Geometry::group(vec![
        (Pose::translation(1.0, 0.0, 0.0), cube().into()),
        (anywhere(), cube().into()),
    ]);
    assert_eq!(group.to_mesh().unwrap().triangles().len(), 24);
    assert_eq!(group.to_cloud().unwrap().points().len(), 16);
    assert_eq!(
        Geometry::from(cube()).to_hull().unwrap().vertices().len(),
        8
    );
    let around = group.to_bounding_box().unwrap();
    assert!(matches!(around.kind(), PrimitiveKind::Aabb(_)));
}

#[test]
fn placed_shapes_share_the_geometry_but_not_the_pose() {
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let still = Placed::new(sphere.clone(), Pose::identity());
    let mut moved = still.clone();
    moved.pose = Pose::translation(2.0, 0.0, 0.0);
    assert_eq!(still.pose, Pose::identity());
    assert!((still.distance(&moved).unwrap().distance - 1.0).abs() < 1e-12);
    assert!(!still.collides(&moved).unwrap() && still.within_distance(&moved, 1.5).unwrap());
    assert!(moved.contains_point(&p(2.25, 0.0, 0.0)).unwrap());
    assert_eq!(moved.support(&Vector::x()).unwrap(), Some(p(2.5, 0.0, 0.0)));
    assert_eq!(moved.aabb_tight().unwrap().min, p(1.5, -0.5, -0.5));
}

#[cfg(feature = "serde")]
#[test]
fn every_shape_survives_json_and_invalid_ones_are_rejected() {
    for known in super::pairs::known_shapes() {
        let shape = known.shape.with_margin(0.5).unwrap();
        let text = serde_json::to_string(&shape).unwrap();
        let back: Geometry = serde_json::from_str(&text).unwrap();
        assert_eq!(back, shape, "{}", known.name);
    }
    let text = serde_json::to_string(&Geometry::from(cube().to_mesh().unwrap())).unwrap();
    for (good, bad, reason) in [
        ("[0,4,6]", "[0,4,66]", "names vertex 66 of 8"),
        (
            "\"margin\":0.0",
            "\"margin\":-1.0",
            "collision margin: must",
        ),
    ] {
        assert!(text.contains(good), "{good}");
        let problem = serde_json::from_str::<Geometry>(&text.replace(good, bad)).unwrap_err();
        assert!(problem.to_string().contains(reason), "{problem}");
    }
}
