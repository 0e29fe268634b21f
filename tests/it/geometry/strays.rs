//! Triangles without area: segments and points to every query.

#![expect(clippy::float_cmp, reason = "the numbers are equal to the last bit")]

use kinworld::geometry::{Geometry, Mesh, Primitive, query};
use kinworld::{Point, Pose, Vector};

fn p(x: f64, y: f64, z: f64) -> Point {
    Point::new(x, y, z)
}

fn mesh(vertices: Vec<Point>, triangles: Vec<[u32; 3]>) -> Geometry {
    Mesh::new(vertices, triangles).unwrap().into()
}

#[test]
fn a_mesh_of_triangles_without_area_is_what_its_segments_and_points_are() {
    let vertices = vec![
        p(0.0, 0.0, 0.0),
        p(1.0, 0.0, 0.0),
        p(2.0, 0.0, 0.0),
        p(0.0, 3.0, 0.0),
    ];
    // a segment from 0 to 2, named from its middle, and a point
    let thin = mesh(vertices.clone(), vec![[1, 0, 2], [3, 3, 3]]);
    let parts = Geometry::group(vec![
        (
            Pose::identity(),
            Primitive::segment(vertices[0], vertices[2]).unwrap().into(),
        ),
        (
            Pose::identity(),
            Primitive::point(vertices[3]).unwrap().into(),
        ),
    ]);
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    for at in [
        [1.0, 0.4, 0.0],
        [1.0, 0.6, 0.0],
        [0.0, 2.6, 0.3],
        [0.0, 2.0, 0.0],
        [3.0, 0.0, 0.0],
    ] {
        let (here, there) = (Pose::identity(), Pose::translation(at[0], at[1], at[2]));
        let ours = query::distance((&thin, &here), (&ball, &there)).unwrap();
        let theirs = query::distance((&parts, &here), (&ball, &there)).unwrap();
        assert_eq!(ours.distance, theirs.distance, "{at:?}");
        assert_eq!(ours.on_a, theirs.on_a, "{at:?}");
        let collides = query::collides((&thin, &here), (&ball, &there)).unwrap();
        assert_eq!(collides, ours.distance == 0.0, "{at:?}");
    }
    let bounds = thin.aabb_tight(&Pose::identity()).unwrap();
    assert_eq!(
        (bounds.min, bounds.max),
        (p(0.0, 0.0, 0.0), p(2.0, 3.0, 0.0))
    );
    // no ray meets it, and it encloses nothing
    let hit = query::ray_cast(
        (&thin, &Pose::identity()),
        &p(1.0, 0.0, 1.0),
        &-Vector::z(),
        9.0,
    );
    assert_eq!(hit.unwrap(), None);
}

#[test]
fn triangles_on_the_edges_of_others_change_no_answer() {
    let vertices = vec![
        p(0.0, 0.0, 0.0),
        p(1.0, 0.0, 0.0),
        p(0.0, 1.0, 0.0),
        p(0.5, 0.0, 0.0),
    ];
    let plain = mesh(vertices.clone(), vec![[0, 1, 2]]);
    let folded = mesh(vertices, vec![[0, 1, 2], [0, 3, 1], [2, 2, 2], [0, 0, 1]]);
    let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.25).unwrap());
    for (x, z) in [(0.5, 0.2), (0.5, 0.3), (2.0, 0.0), (-0.2, 0.1)] {
        let (here, there) = (Pose::identity(), Pose::translation(x, -0.1, z));
        let [a, b] = [&plain, &folded]
            .map(|shape| query::distance((shape, &here), (&ball, &there)).unwrap());
        assert_eq!((a.distance, a.on_a), (b.distance, b.on_a));
    }
}

#[test]
fn coordinates_and_sizes_out_of_range_are_refused_with_the_range() {
    for error in [
        Mesh::new(vec![p(1e101, 0.0, 0.0)], Vec::new()).unwrap_err(),
        Primitive::sphere(p(0.0, -1e200, 0.0), 1.0).unwrap_err(),
        Primitive::sphere(Point::origin(), 1e150).unwrap_err(),
    ] {
        let said = error.to_string();
        assert!(said.contains("1e100") && said.len() < 120, "{said}");
    }
    assert!(Primitive::sphere(p(1e100, 0.0, 0.0), 1.0).is_ok());
}
