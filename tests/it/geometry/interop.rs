//! Shapes as parry's and back, and parry as an oracle of distances, collisions and rays.

use kinworld::geometry::interop::{self, parry3d_f64 as parry};
use kinworld::geometry::{Geometry, Mesh, PointCloud, Primitive, PrimitiveKind, Shape, query};
use kinworld::{Point, Pose, Vector};
use parry::shape::SharedShape;
use proptest::prelude::*;

use super::properties::{any_pose, any_shape, any_solid, seeded};

/// Distance by parry.
fn theirs(a: &SharedShape, x: &Pose, b: &SharedShape, y: &Pose) -> f64 {
    let (x, y) = (interop::to_pose(x), interop::to_pose(y));
    parry::query::distance(&x, &**a, &y, &**b)
        .expect("parry knows both shapes")
        .distance
}

/// The mean of the vertices of a convex shape, which is inside.
fn inside(solid: &Geometry) -> Point {
    let mesh = solid.to_mesh().unwrap();
    let sum: Vector = mesh.vertices().iter().map(|p| p.coords).sum();
    Point::from(sum / mesh.vertices().len() as f64)
}

proptest! {
    #![proptest_config(seeded(41, 400))]

    #[test]
    fn solids_are_as_far_apart_as_in_parry(
        a in any_solid(), b in any_solid(), x in any_pose(1.5), y in any_pose(1.5), margin in 0.0..0.1_f64, round in any::<bool>(),
    ) {
        let a = if round { a.with_margin(margin).unwrap() } else { a };
        let (shape_a, shape_b) = (interop::to_shape(&a).unwrap(), interop::to_shape(&b).unwrap());

        // an ellipsoid comes back as a hull
        let (a, b) = (interop::from_shape(&*shape_a).unwrap(), interop::from_shape(&*shape_b).unwrap());
        let ours = query::distance((&a, &x), (&b, &y)).unwrap().distance;
        let theirs = theirs(&shape_a, &x, &shape_b, &y);
        prop_assert!((ours - theirs).abs() < 1e-5, "{ours} {theirs}");
        let (px, py) = (interop::to_pose(&x), interop::to_pose(&y));
        let intersect = parry::query::intersection_test(&px, &*shape_a, &py, &*shape_b).unwrap();
        prop_assert!(!intersect.intersecting || ours < 1e-5, "{ours}");
    }

    #[test]
    fn meshes_and_groups_are_as_far_apart_as_in_parry(
        a in any_solid(), b in any_solid(), x in any_pose(1.5), y in any_pose(1.5),
    ) {
        let mesh = Geometry::from(a.to_mesh().unwrap());
        let group = Geometry::group(vec![(y, b.clone()), (x, mesh.clone())]);
        let surface = interop::to_shape(&mesh).unwrap();
        let here = Pose::translation(0.1, -0.2, 0.3);
        let shape_b = interop::to_shape(&b).unwrap();
        let b = interop::from_shape(&*shape_b).unwrap();
        let ours = query::distance((&mesh, &x), (&b, &y)).unwrap().distance;
        // parry's meshes are surfaces, as ours are
        prop_assert!((ours - theirs(&surface, &x, &shape_b, &y)).abs() < 1e-5);

        // in one compound a mesh is a triangle each; in parts it is whole
        let whole = interop::to_shape(&group).unwrap();
        prop_assert!(whole.as_compound().is_some());
        let parts = interop::to_parts(&group).unwrap();
        prop_assert_eq!(parts.len(), 2);
        let ball = Geometry::from(Primitive::sphere(Point::new(3.0, 0.0, 0.0), 0.1).unwrap());
        let small = interop::to_shape(&ball).unwrap();
        let back = interop::from_shape(&*whole).unwrap();
        let ours = query::distance((&back, &here), (&ball, &here)).unwrap().distance;
        prop_assert!((ours - theirs(&whole, &here, &small, &here)).abs() < 1e-5);
    }

    #[test]
    fn every_shape_converts_and_comes_back_with_its_bounds(shape in any_shape()) {
        // triangles without area have no bounds here
        prop_assume!(!has_flat_triangles(&shape));
        if shape.to_bounding_box().is_none() {
            prop_assert!(interop::to_shape(&shape).is_err());
            return Ok(());
        }
        let there = interop::to_shape(&shape).unwrap();
        // a point has no radius in parry, where ours needs one
        let Ok(back) = interop::from_shape(&*there) else { return Ok(()) };

        // a margin may have become a radius: seen from outside it is the same
        let slack = if has_ellipsoid(&shape) { 0.1 } else { 1e-9 };
        let here = Pose::identity();
        for from in [Vector::x(), Vector::y(), Vector::z(), Vector::repeat(-1.0)] {
            let ball = Geometry::from(Primitive::sphere(Point::from(from * 5.0), 0.1).unwrap());
            let [a, b] = [&shape, &back].map(|g| query::distance((g, &here), (&ball, &here)).unwrap().distance);
            prop_assert!((a - b).abs() < slack, "{a} {b}");
        }
    }

    #[test]
    fn rays_hit_where_parrys_do(
        solid in any_solid(), x in any_pose(1.0), from in any_pose(3.0),
    ) {
        let shape = interop::to_shape(&solid).unwrap();
        let solid = interop::from_shape(&*shape).unwrap();
        let target = x * inside(&solid);
        let origin = Point::from(from.translation.vector);
        prop_assume!((target - origin).norm() > 1e-3);
        let direction = (target - origin).normalize();
        let ours = query::ray_cast((&solid, &x), &origin, &direction, 100.0).unwrap();
        let glam = |v: Vector| parry::math::Vector::new(v.x, v.y, v.z);
        let ray = parry::query::Ray::new(glam(origin.coords), glam(direction));
        let theirs = shape.cast_ray(&interop::to_pose(&x), &ray, 100.0, false);
        let (ours, theirs) = (ours.expect("it goes through the middle").distance, theirs.expect("so does theirs"));
        prop_assert!((ours - theirs).abs() < 1e-4, "{ours} {theirs}");
    }

    #[test]
    fn poses_come_back(x in any_pose(3.0)) {
        let back = interop::from_pose(&interop::to_pose(&x));
        prop_assert!((back.to_homogeneous() - x.to_homogeneous()).amax() < 1e-14);
    }
}

fn has_flat_triangles(shape: &Geometry) -> bool {
    match shape.shape() {
        Shape::Mesh(mesh) => mesh.degenerate_triangles() > 0,
        Shape::Group(members) => members.iter().any(|(_, member)| has_flat_triangles(member)),
        _ => false,
    }
}

fn has_ellipsoid(shape: &Geometry) -> bool {
    match shape.shape() {
        Shape::Primitive(primitive) => matches!(primitive.kind(), PrimitiveKind::Ellipsoid { .. }),
        Shape::Group(members) => members.iter().any(|(_, member)| has_ellipsoid(member)),
        _ => false,
    }
}

#[test]
fn kinds_stay_what_they_are() {
    let o = Point::origin();
    let p = Point::new(0.3, 0.1, -0.2);
    let tilted = Pose::new(Vector::new(0.5, -0.25, 2.0), Vector::new(0.3, 1.2, -0.7));
    let size = Vector::new(0.2, 0.3, 0.4);
    let same = [
        Primitive::sphere(o, 0.5),
        Primitive::capsule(o, p, 0.1),
        Primitive::segment(o, p),
        Primitive::triangle(o, p, Point::new(0.0, 1.0, 0.0)),
        Primitive::cuboid(Pose::identity(), size),
    ];
    for shape in same {
        let shape = Geometry::from(shape.unwrap());
        assert_eq!(
            interop::from_shape(&*interop::to_shape(&shape).unwrap()).unwrap(),
            shape
        );
    }
    let kind = |shape: Geometry| interop::to_shape(&shape).unwrap().shape_type();
    let geometry = |p: kinworld::Result<Primitive>| Geometry::from(p.unwrap());
    use parry::shape::ShapeType;
    assert_eq!(
        kind(geometry(Primitive::cuboid(tilted, size))),
        ShapeType::Compound
    );
    let thick = geometry(Primitive::segment(o, p)).with_margin(0.1).unwrap();
    assert_eq!(kind(thick), ShapeType::Capsule);
    let corners = vec![o, p, Point::new(0.0, 1.0, 0.0)];
    let mesh = Geometry::from(Mesh::new(corners.clone(), vec![[0, 1, 2]]).unwrap());
    assert_eq!(kind(mesh.clone()), ShapeType::TriMesh);
    assert_eq!(
        interop::from_shape(&*interop::to_shape(&mesh).unwrap()).unwrap(),
        mesh
    );
    let cloud = Geometry::from(PointCloud::new(corners).unwrap())
        .with_margin(0.05)
        .unwrap();
    assert_eq!(interop::to_parts(&cloud).unwrap().len(), 3);
    let solid = geometry(Primitive::cuboid(Pose::identity(), size))
        .to_mesh()
        .unwrap();
    let solid = Geometry::from(solid).with_solid(true);
    let back = interop::from_shape(&*interop::to_shape(&solid).unwrap()).unwrap();
    assert!(back.is_solid());
}

#[test]
fn shapes_without_a_counterpart_are_refused() {
    let floor = SharedShape::halfspace(parry::math::Vector::new(0.0, 0.0, 1.0));
    let problem = interop::from_shape(&*floor).unwrap_err().to_string();
    assert!(
        problem.contains("HalfSpace") && problem.contains("has no counterpart"),
        "{problem}"
    );
    let empty = interop::to_shape(&Geometry::group(Vec::new())).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "empty shape: has no counterpart in parry"
    );
}
