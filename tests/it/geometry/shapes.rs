//! Shapes by themselves: what is refused, their boxes, their serialized form.

use kinworld::geometry::{
    ConvexHull, Geometry, Mesh, Placed, PointCloud, Primitive, PrimitiveKind, query,
};
use kinworld::{Point, Pose, Rotation, Vector};

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
fn what_cannot_be_a_shape_is_refused_with_its_reason() {
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
    assert!(PointCloud::new(vec![p(nan, 0.0, 0.0)]).is_err());
    assert!(
        PointCloud::new(vec![o])
            .unwrap()
            .with_property("red", vec![])
            .is_err()
    );
    for margin in [-0.1, nan, f64::INFINITY] {
        assert!(Geometry::from(cube()).with_margin(margin).is_err());
    }
}

#[test]
fn a_polygon_of_a_hundred_thousand_corners_is_read_at_once() {
    let n = 100_000;
    let corner = |i| {
        let angle = std::f64::consts::TAU * f64::from(i) / f64::from(n);
        p(angle.cos(), angle.sin(), 0.5)
    };
    let round = Primitive::polygon((0..n).map(corner).collect()).unwrap();
    assert_eq!(round.to_mesh().unwrap().triangles().len(), 99_998);
    // a star of five points never turns back, but goes round twice
    let star = (0..5).map(|i| corner(40_000 * i)).collect();
    let problem = Primitive::polygon(star).unwrap_err().to_string();
    assert_eq!(problem, "polygon: has edges that cross");
}

#[test]
fn a_thin_sheet_has_a_hull() {
    let turn = Rotation::from_euler_angles(0.3, -0.8, 2.1);
    for thickness in [1e-2, 1e-3, 1e-4, 1e-5, 1e-7] {
        let sheet = Primitive::cuboid(
            Pose::from_parts(Vector::new(3.0, 1.0, -2.0).into(), turn),
            Vector::new(2.0, 1.0, thickness),
        );
        let corners = sheet.unwrap().to_mesh().unwrap();
        let hull = ConvexHull::new(corners.vertices()).unwrap();
        assert_eq!(
            (hull.vertices().len(), hull.surface().triangles().len()),
            (8, 12),
            "{thickness}"
        );
        assert!(hull.surface().is_closed());
    }
}

#[test]
fn a_hull_without_an_inside_is_refused() {
    let line: Vec<Point> = (0..5).map(|i| p(f64::from(i), 2.0, 1.0)).collect();
    let plane: Vec<Point> = (0..9)
        .map(|i| p(f64::from(i % 3), f64::from(i / 3), 0.5))
        .collect();
    let mut points = vec![line, plane, vec![], vec![Point::origin(); 20]];
    for set in points.drain(..) {
        assert!(ConvexHull::new(&set).is_err(), "{set:?}");
    }
    for size in [1e-9, 1.0, 1e9] {
        let corners: Vec<Point> = cube()
            .to_mesh()
            .unwrap()
            .vertices()
            .iter()
            .map(|c| c * size)
            .collect();
        let doubled: Vec<Point> = corners.iter().chain(&corners).copied().collect();
        let hull = ConvexHull::new(&doubled).unwrap();
        assert_eq!(
            (hull.vertices().len(), hull.surface().triangles().len()),
            (8, 12),
            "{size}"
        );
        assert!(hull.surface().is_closed());
        assert!(
            hull.vertices().iter().all(|v| corners.contains(v)),
            "corners are kept exactly"
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
    let nothing = [
        Geometry::group(Vec::new()),
        Mesh::new(Vec::new(), Vec::new()).unwrap().into(),
        PointCloud::new(Vec::new()).unwrap().into(),
        Geometry::from(degenerate).with_solid(true),
    ];
    let (here, ball) = (
        Pose::identity(),
        Geometry::from(Primitive::sphere(o, 1.0).unwrap()),
    );
    for empty in &nothing {
        for other in [&ball, empty] {
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
fn poses_that_are_no_poses_are_refused_by_every_query() {
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 1.0).unwrap());
    let here = Pose::identity();
    let scaled = Rotation::from_matrix_unchecked(nalgebra::Matrix3::identity() * 1.1);
    let bad = [
        Pose::translation(f64::NAN, 0.0, 0.0),
        Pose::translation(0.0, f64::INFINITY, 0.0),
        Pose::translation(1e60, 0.0, 0.0),
        Pose::from_parts(Vector::zeros().into(), scaled),
    ];
    for bad in &bad {
        let at = (&ball, bad);
        assert!(
            query::collides(at, (&ball, &here)).is_err()
                && query::collides((&ball, &here), at).is_err()
        );
        assert!(query::distance((&ball, &here), at).is_err());
        assert!(query::within_distance(at, (&ball, &here), 1.0).is_err());
        assert!(query::contacts(at, (&ball, &here), 0.0, 1).is_err());
        assert!(query::ray_cast(at, &Point::origin(), &Vector::x(), 1.0).is_err());
        assert!(query::support(at, &Vector::x()).is_err());
        assert!(query::contains_point(at, &Point::origin()).is_err());
        let in_group = Geometry::group(vec![(*bad, ball.clone())]);
        if bad.rotation == Rotation::identity() {
            assert!(query::collides((&in_group, &here), (&ball, &here)).is_err());
        }
    }
    assert!(query::within_distance((&ball, &here), (&ball, &here), f64::NAN).is_err());
    for direction in [Vector::zeros(), Vector::new(f64::NAN, 0.0, 1.0)] {
        assert!(query::ray_cast((&ball, &here), &Point::origin(), &direction, 1.0).is_err());
        assert!(query::support((&ball, &here), &direction).is_err());
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
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let (at_a, at_b) = ((&ball, &rough), (&ball, &Pose::identity()));
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
    assert!(Primitive::point(o).unwrap().to_mesh().is_err());
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
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let still = Placed::new(ball.clone(), Pose::identity());
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
fn every_shape_survives_json_and_a_bad_one_does_not_get_in() {
    for known in super::pairs::known_shapes() {
        let shape = known.shape.with_margin(0.5).unwrap();
        let text = serde_json::to_string(&shape).unwrap();
        let back: Geometry = serde_json::from_str(&text).unwrap();
        assert_eq!(back, shape, "{}", known.name);
    }
    let text = serde_json::to_string(&Geometry::from(cube().to_mesh().unwrap())).unwrap();
    assert!(serde_json::from_str::<Geometry>(&text.replace("[0,4,6]", "[0,4,66]")).is_err());
    assert!(
        serde_json::from_str::<Geometry>(&text.replace("\"margin\":0.0", "\"margin\":-1.0"))
            .is_err()
    );
}
