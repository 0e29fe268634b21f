//! Every kind of shape against every other, with distances that a reader can check by hand.

use kinworld::geometry::{ConvexHull, Geometry, PointCloud, Primitive, query};
use kinworld::{Point, Pose, Vector};

/// Shapes that extend from −`extent` to +`extent` along x at y = z = 0, so that separations along x are known.
pub(super) struct Known {
    pub(super) name: &'static str,
    pub(super) shape: Geometry,
    pub(super) extent: f64,
}

pub(super) fn known_shapes() -> Vec<Known> {
    let o = Point::origin();
    let x = |x: f64| Point::new(x, 0.0, 0.0);
    let cube = || Primitive::aabb(Point::new(-0.5, -0.5, -0.5), Point::new(0.5, 0.5, 0.5)).unwrap();
    let square = [(-0.25, -1.0), (0.25, -1.0), (0.25, 1.0), (-0.25, 1.0)];
    let rows: Vec<(&'static str, f64, Geometry)> = vec![
        ("point", 0.0, Primitive::point(o).unwrap().into()),
        (
            "segment",
            0.75,
            Primitive::segment(x(-0.75), x(0.75)).unwrap().into(),
        ),
        (
            "triangle",
            0.5,
            Primitive::triangle(x(-0.5), x(0.5), Point::new(0.0, 1.0, 0.0))
                .unwrap()
                .into(),
        ),
        (
            "polygon",
            0.25,
            Primitive::polygon(square.map(|(x, y)| Point::new(x, y, 0.0)).to_vec())
                .unwrap()
                .into(),
        ),
        ("sphere", 0.3, Primitive::sphere(o, 0.3).unwrap().into()),
        ("aabb", 0.5, cube().into()),
        (
            "box on edge",
            0.5_f64.sqrt(),
            Primitive::cuboid(
                Pose::rotation(Vector::z() * std::f64::consts::FRAC_PI_4),
                Vector::new(1.0, 1.0, 1.0),
            )
            .unwrap()
            .into(),
        ),
        (
            "cylinder on end",
            0.4,
            Primitive::cylinder(o, Vector::z(), 0.4, 1.0)
                .unwrap()
                .into(),
        ),
        (
            "cylinder lying",
            0.6,
            Primitive::cylinder(o, Vector::x(), 0.4, 1.2)
                .unwrap()
                .into(),
        ),
        (
            "capsule",
            0.7,
            Primitive::capsule(x(-0.5), x(0.5), 0.2).unwrap().into(),
        ),
        (
            "ellipsoid",
            0.8,
            Primitive::ellipsoid(Pose::identity(), Vector::new(0.8, 0.3, 0.2))
                .unwrap()
                .into(),
        ),
        (
            "hull",
            0.5,
            ConvexHull::new(cube().to_mesh().unwrap().vertices())
                .unwrap()
                .into(),
        ),
        ("mesh", 0.5, cube().to_mesh().unwrap().into()),
        (
            "cloud",
            0.5,
            PointCloud::new(vec![x(-0.5), o, x(0.5)]).unwrap().into(),
        ),
        (
            "group",
            0.9,
            Geometry::group(vec![
                (
                    Pose::translation(-0.6, 0.0, 0.0),
                    Primitive::sphere(o, 0.3).unwrap().into(),
                ),
                (
                    Pose::translation(0.4, 0.0, 0.0),
                    cube().to_mesh().unwrap().into(),
                ),
            ]),
        ),
    ];
    rows.into_iter()
        .map(|(name, extent, shape)| Known {
            name,
            shape,
            extent,
        })
        .collect()
}

/// A generic pose, for moving a pair together.
pub(super) fn anywhere() -> Pose {
    Pose::new(Vector::new(0.3, -1.7, 2.2), Vector::new(0.4, -0.8, 1.1))
}

#[test]
fn every_pair_has_the_distance_of_its_ends() {
    for a in known_shapes() {
        for b in known_shapes() {
            for (separation, x_w) in [
                (0.25, Pose::identity()),
                (0.25, anywhere()),
                (1e-3, anywhere()),
            ] {
                let pair = format!("{} and {} at {separation}", a.name, b.name);
                let x_b = x_w * Pose::translation(a.extent + separation + b.extent, 0.0, 0.0);
                let found = query::distance((&a.shape, &x_w), (&b.shape, &x_b)).unwrap();
                assert!(
                    (found.distance - separation).abs() < 1e-9,
                    "{pair}: {}",
                    found.distance
                );
                let (on_a, on_b) = (found.on_a.unwrap(), found.on_b.unwrap());
                assert!(
                    ((on_b - on_a).norm() - separation).abs() < 1e-9,
                    "{pair}: {on_a} {on_b}"
                );
                let end = x_w * Point::new(a.extent, 0.0, 0.0);
                // flat faces touch anywhere, and round ones are flat where they touch
                assert!(
                    (x_w.inverse() * on_a).x - a.extent < 1e-6,
                    "{pair}: {on_a}, end {end}"
                );
                assert!(
                    !query::collides((&a.shape, &x_w), (&b.shape, &x_b)).unwrap(),
                    "{pair}"
                );
                let within =
                    |d| query::within_distance((&a.shape, &x_w), (&b.shape, &x_b), d).unwrap();
                assert!(
                    within(separation + 1e-9) && !within(separation - 1e-9),
                    "{pair}"
                );
            }
        }
    }
}

#[test]
fn every_pair_collides_when_its_ends_touch_or_overlap() {
    for a in known_shapes() {
        for b in known_shapes() {
            for (overlap, x_w) in [
                (0.0, Pose::identity()),
                (0.0, anywhere()),
                (1e-3, anywhere()),
            ] {
                // thin shapes that overlap along a line are separated by rounding, so touch them at the ends
                let pair = format!("{} and {} overlap {overlap}", a.name, b.name);
                let thin = |k: &Known| matches!(k.name, "point" | "cloud");
                if overlap > 0.0 && (thin(&a) || thin(&b)) {
                    continue;
                }
                let x_b = x_w * Pose::translation(a.extent + b.extent - overlap, 0.0, 0.0);
                let (at_a, at_b) = ((&a.shape, &x_w), (&b.shape, &x_b));
                let found = query::distance(at_a, at_b).unwrap();
                assert!(found.distance == 0.0, "{pair}: {}", found.distance);
                assert_eq!((found.on_a, found.on_b), (None, None), "{pair}");
                assert!(query::collides(at_a, at_b).unwrap(), "{pair}");
                assert!(query::collides(at_b, at_a).unwrap(), "{pair}, swapped");
            }
        }
    }
}

#[test]
fn margins_of_both_shapes_shorten_every_distance_and_leave_the_points_on_the_shapes() {
    for a in known_shapes() {
        for b in known_shapes() {
            let pair = format!("{} and {}", a.name, b.name);
            let inflated = (
                a.shape.clone().with_margin(0.125).unwrap(),
                b.shape.clone().with_margin(0.25).unwrap(),
            );
            let (here, there) = (
                Pose::identity(),
                Pose::translation(a.extent + b.extent + 0.5, 0.0, 0.0),
            );
            let bare = query::distance((&a.shape, &here), (&b.shape, &there)).unwrap();
            let found = query::distance((&inflated.0, &here), (&inflated.1, &there)).unwrap();
            assert!(
                (found.distance - 0.125).abs() < 1e-9,
                "{pair}: {}",
                found.distance
            );
            let shift = (found.on_a.unwrap() - bare.on_a.unwrap()).norm();
            let separation = (found.on_b.unwrap() - found.on_a.unwrap()).norm();
            assert!(
                shift < 1.1 && (separation - 0.5).abs() < 1e-9,
                "{pair}: {shift} {separation}"
            );
            let near = Pose::translation(a.extent + b.extent + 0.375, 0.0, 0.0);
            assert!(
                query::collides((&inflated.0, &here), (&inflated.1, &near)).unwrap(),
                "{pair}"
            );
        }
    }
}
