//! Properties of random shapes.

use kinworld::geometry::{ConvexHull, Geometry, Mesh, PointCloud, Primitive, query};
use kinworld::{Point, Pose, Vector};
use proptest::prelude::*;

pub(super) use random_robots::seeded;

fn vector(bound: f64) -> impl Strategy<Value = Vector> {
    prop::array::uniform3(-bound..bound).prop_map(Vector::from)
}

fn point() -> impl Strategy<Value = Point> {
    vector(0.5).prop_map(Point::from)
}

/// A pose no farther from the origin than `bound` along each axis.
pub(super) fn any_pose(bound: f64) -> impl Strategy<Value = Pose> {
    (vector(bound), vector(3.0)).prop_map(|(t, r)| Pose::new(t, r))
}

/// A convex solid with a volume, smaller than 1.
pub(super) fn any_solid() -> impl Strategy<Value = Geometry> {
    let sizes = || prop::array::uniform3(0.05..0.6).prop_map(Vector::from);
    let hull = prop::collection::vec(point(), 8..20);
    prop_oneof![
        (point(), 0.05..0.5).prop_map(|(c, r)| Primitive::sphere(c, r).unwrap().into()),
        (any_pose(0.3), sizes()).prop_map(|(x, s)| Primitive::cuboid(x, s).unwrap().into()),
        (point(), sizes()).prop_map(|(p, s)| Primitive::aabb(p, p + s).unwrap().into()),
        (point(), point(), 0.05..0.3)
            .prop_map(|(a, b, r)| Primitive::capsule(a, b, r).unwrap().into()),
        (point(), vector(1.0), 0.05..0.5, 0.05..0.8)
            .prop_filter("a direction", |(_, v, _, _)| v.norm() > 1e-3)
            .prop_map(|(c, v, r, h)| Primitive::cylinder(c, v, r, h).unwrap().into()),
        (any_pose(0.3), sizes()).prop_map(|(x, s)| Primitive::ellipsoid(x, s).unwrap().into()),
        hull.prop_map(|points| ConvexHull::new(&points).unwrap().into()),
    ]
}

/// A shape that is one convex piece.
fn any_convex() -> impl Strategy<Value = Geometry> {
    prop_oneof![
        4 => any_solid(),
        1 => point().prop_map(|p| Primitive::point(p).unwrap().into()),
        1 => (point(), point()).prop_map(|(a, b)| Primitive::segment(a, b).unwrap().into()),
        1 => (point(), point(), point()).prop_map(|(a, b, c)| Primitive::triangle(a, b, c).unwrap().into()),
    ]
}

fn any_mesh() -> impl Strategy<Value = Mesh> {
    prop::collection::vec(point(), 3..12).prop_flat_map(|points| {
        let index = 0..u32::try_from(points.len()).unwrap();
        prop::collection::vec(prop::array::uniform3(index), 1..16)
            .prop_map(move |triangles| Mesh::new(points.clone(), triangles).unwrap())
    })
}

/// Any shape, with or without a margin.
pub(super) fn any_shape() -> impl Strategy<Value = Geometry> {
    let cloud = prop::collection::vec(point(), 1..12);
    let single = prop_oneof![
        3 => any_convex(),
        2 => any_mesh().prop_map(Geometry::from),
        1 => any_solid().prop_map(|g| Geometry::from(g.to_mesh().unwrap()).with_solid(true)),
        1 => cloud.prop_map(|points| PointCloud::new(points).unwrap().into()),
    ]
    .boxed();
    let margin = |g: Geometry, m: f64| g.with_margin(m).unwrap();
    let members = prop::collection::vec((any_pose(0.5), single.clone(), 0.0..0.1), 0..4);
    prop_oneof![
        4 => single.clone(),
        2 => (single, 0.0..0.2).prop_map(move |(g, m)| margin(g, m)),
        1 => members.prop_map(move |list| {
            Geometry::group(list.into_iter().map(|(x, g, m)| (x, margin(g, m))).collect())
        }),
    ]
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits()
}

proptest! {
    #![proptest_config(seeded(1, 1500))]

    #[test]
    fn shapes_collide_exactly_when_their_distance_is_zero_in_either_order(
        a in any_shape(), b in any_shape(), x in any_pose(1.0), y in any_pose(1.0)
    ) {
        let (at_a, at_b) = ((&a, &x), (&b, &y));
        let (one, other) = (query::distance(at_a, at_b).unwrap(), query::distance(at_b, at_a).unwrap());
        prop_assert!(same(one.distance, other.distance));
        prop_assert_eq!((one.on_a, one.on_b), (other.on_b, other.on_a));
        let touches = same(one.distance, 0.0);
        prop_assert_eq!(query::collides(at_a, at_b).unwrap(), touches);
        prop_assert_eq!(query::collides(at_b, at_a).unwrap(), touches);
        prop_assert_eq!(one.on_a.is_none(), touches || one.distance.is_infinite());
        prop_assert!(query::within_distance(at_a, at_b, one.distance).unwrap());
        if one.distance > 0.0 && one.distance.is_finite() {
            prop_assert!(!query::within_distance(at_a, at_b, one.distance.next_down()).unwrap());
            prop_assert!(query::within_distance(at_b, at_a, one.distance.next_up()).unwrap());
        }
    }

    #[test]
    fn the_nearest_points_belong_to_the_shapes_and_are_as_far_apart_as_the_distance_says(
        a in any_shape(), b in any_shape(), x in any_pose(1.0), y in any_pose(1.0)
    ) {
        let found = query::distance((&a, &x), (&b, &y)).unwrap();
        // too many rejected cases fail the test
        prop_assume!(found.on_a.is_some());
        if let (Some(on_a), Some(on_b)) = (found.on_a, found.on_b) {
            let on = |g: &Geometry, x: &Pose, p: Point| {
                let bare = g.clone().with_margin(0.0).unwrap();
                let p = Geometry::from(Primitive::point(p).unwrap());
                query::distance((&bare, x), (&p, &Pose::identity())).unwrap().distance
            };
            prop_assert!(on(&a, &x, on_a) < 1e-7 && on(&b, &y, on_b) < 1e-7);
            let separation = (on_b - on_a).norm() - a.margin() - b.margin();
            // members of groups have margins of their own, which the points leave out
            prop_assert!(separation >= found.distance - 1e-7 && separation <= found.distance + 0.2 + 1e-7);
        }
    }

    #[test]
    fn no_plane_separates_convex_shapes_by_more_than_their_distance(
        a in any_convex(), b in any_convex(), x in any_pose(1.0), y in any_pose(1.0)
    ) {
        let found = query::distance((&a, &x), (&b, &y)).unwrap();
        prop_assume!(found.on_a.is_some());
        if let (Some(on_a), Some(on_b)) = (found.on_a, found.on_b) {
            // Numbers prone to overflow, underflow and cancellation.
            let n = (on_b - on_a).normalize();
            let far_a = query::support((&a, &x), &n).unwrap().unwrap();
            let far_b = query::support((&b, &y), &-n).unwrap().unwrap();
            let proved = n.dot(&(far_b - far_a));
            prop_assert!(proved <= found.distance + 1e-9);
            prop_assert!(proved >= found.distance - 1e-6 * (1.0 + found.distance), "{} {}", proved, found.distance);
        }
    }

    #[test]
    fn moving_both_shapes_together_changes_nothing(
        a in any_shape(), b in any_shape(), x in any_pose(1.0), y in any_pose(1.0), whole in any_pose(100.0)
    ) {
        let here = query::distance((&a, &x), (&b, &y)).unwrap().distance;
        let there = query::distance((&a, &(whole * x)), (&b, &(whole * y))).unwrap().distance;
        prop_assert!(same(here, there) || (here - there).abs() < 1e-9, "{} {}", here, there);
    }

    #[test]
    fn boxes_hold_the_shape_and_a_ray_meets_what_it_says(
        a in any_shape(), x in any_pose(1.0), from in vector(2.0), along in vector(1.0)
    ) {
        let Some(tight) = a.aabb_tight(&x) else { return Ok(()) };
        let safe = a.aabb(&x).unwrap();
        prop_assert!(safe.contains(&tight.min) && safe.contains(&tight.max));
        for axis in [Vector::x(), Vector::y(), Vector::z()] {
            let far = query::support((&a, &x), &axis).unwrap();
            let near = query::support((&a, &x), &-axis).unwrap();
            if let (Some(far), Some(near)) = (far, near) {
                prop_assert!((axis.dot(&far.coords) - axis.dot(&tight.max.coords)).abs() < 1e-12);
                prop_assert!((axis.dot(&near.coords) - axis.dot(&tight.min.coords)).abs() < 1e-12);
            }
        }
        if let Some(hit) = query::ray_cast((&a, &x), &from.into(), &along, 5.0).unwrap() {
            let p = Geometry::from(Primitive::point(hit.point).unwrap());
            let off = query::distance((&a, &x), (&p, &Pose::identity())).unwrap().distance;
            prop_assert!(off < 1e-9, "{}", off);
            prop_assert!((hit.point - from - along.normalize() * hit.distance).coords.norm() < 1e-9);
            prop_assert!((hit.normal.norm() - 1.0).abs() < 1e-9);
        }
    }
}

/// Numbers that make trouble.
fn nasty() -> impl Strategy<Value = f64> {
    prop_oneof![
        3 => -1.0..1.0,
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(1e-300),
        1 => Just(1e-160),
        1 => Just(1e-12),
        1 => Just(1e9),
        1 => Just(1e30),
        1 => Just(1e49),
        1 => Just(1e200),
        1 => Just(f64::MAX),
    ]
}

proptest! {
    #![proptest_config(seeded(2, 1500))]

    #[test]
    fn no_mesh_however_hostile_makes_a_query_panic(
        points in prop::collection::vec(prop::array::uniform3(nasty()), 4..9),
        t in prop::array::uniform3(nasty()),
        other in any_shape(),
    ) {
        let points: Vec<Point> = points.into_iter().map(Point::from).collect();
        let last = u32::try_from(points.len() - 1).unwrap();
        let triangles = (0..=last).map(|i| [i, (i + 1) % last, (i * i) % last]).collect();
        // coordinates beyond 1e100 are refused
        let Ok(mesh) = Mesh::new(points.clone(), triangles) else {
            return Ok(());
        };
        let mesh = Geometry::from(mesh);
        let hull = ConvexHull::new(&points).ok().map(Geometry::from);
        let cloud = Geometry::from(PointCloud::new(points.clone()).unwrap());
        let x = Pose::translation(t[0], t[1], t[2]);
        for shape in [Some(mesh.clone()), Some(mesh.with_solid(true)), hull, Some(cloud)].into_iter().flatten() {
            let (at_a, at_b) = ((&shape, &x), (&other, &Pose::identity()));
            let collides = query::collides(at_a, at_b);
            let distance = query::distance(at_a, at_b);
            prop_assert_eq!(collides.is_ok(), distance.is_ok());
            if let (Ok(collides), Ok(distance)) = (collides, distance) {
                prop_assert_eq!(collides, same(distance.distance, 0.0));
            }
            let _ = query::contacts(at_a, at_b, 0.1, 4);
            let _ = query::ray_cast(at_a, &Point::origin(), &Vector::x(), f64::INFINITY);
            let _ = query::contains_point(at_a, &Point::origin());
            let _ = shape.mass_properties(1.0, 0.5);
            let _ = shape.aabb(&x);
        }
    }
}
