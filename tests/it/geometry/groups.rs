//! Groups of many solids against their members, one by one.

use kinworld::geometry::{ConvexHull, Geometry, Primitive, query};
use kinworld::math::so3;
use kinworld::{Point, Pose};

use crate::common::random::Random;

/// A solid of about a given size near the origin; the kinds take turns.
fn solid(random: &mut Random, kind: usize, size: f64) -> Geometry {
    let center = Point::from(random.vector() * 0.5);
    let half = random.vector().abs().add_scalar(0.2) * size;
    match kind % 5 {
        0 => Primitive::aabb(center - half, center + half)
            .unwrap()
            .into(),
        1 => {
            let axis = random.vector().add_scalar(1e-3);
            let solid = Primitive::cylinder(center, axis, 2.0 * half.x, half.y);
            solid.unwrap().into()
        }
        2 => Primitive::sphere(center, half.x).unwrap().into(),
        3 => {
            let points: Vec<Point> = (0..12).map(|_| center + random.vector() * size).collect();
            ConvexHull::new(&points).unwrap().into()
        }
        _ => {
            let corners = [0, 1, 2].map(|_| center + random.vector() * size);
            let [a, b, c] = corners;
            Primitive::triangle(a, b, c).unwrap().into()
        }
    }
}

#[test]
fn groups_are_as_far_apart_as_their_closest_members() {
    let mut random = Random::new(3);
    let here = Pose::identity();
    let (mut apart, mut together) = (0, 0);
    for n in [2, 5, 16, 17, 60] {
        for kinds in [5, 1] {
            let size = 0.5 / f64::from(n).cbrt();
            let mut members = || -> Vec<Geometry> {
                (0..n)
                    .map(|i| solid(&mut random, i as usize % kinds, size))
                    .collect()
            };
            let (a, b) = (members(), members());
            let group =
                |all: &[Geometry]| Geometry::group(all.iter().map(|g| (here, g.clone())).collect());
            let (both_a, both_b) = (group(&a), group(&b));
            for _ in 0..12 {
                let x = Pose::from_parts(
                    (random.vector() * 1.5).into(),
                    so3::from_rotation_vector(&(random.vector() * 3.0)),
                );
                let pairs = a.iter().flat_map(|a| b.iter().map(move |b| (a, b)));
                let expected = pairs
                    .map(|(a, b)| query::distance((a, &here), (b, &x)).unwrap().distance)
                    .fold(f64::INFINITY, f64::min);
                let (at_a, at_b) = ((&both_a, &here), (&both_b, &x));
                let found = query::distance(at_a, at_b).unwrap().distance;
                assert!((found - expected).abs() < 1e-9, "{n}: {found} {expected}");
                let collide = query::collides(at_a, at_b).unwrap();
                assert_eq!(collide, expected <= 0.0, "{n}: {expected}");
                for (d, near) in [(expected + 1e-6, true), (expected - 1e-6, collide)] {
                    let within = query::within_distance(at_a, at_b, d.max(0.0)).unwrap();
                    assert_eq!(within, near, "{n}: {d} {expected}");
                }
                if collide {
                    together += 1;
                } else {
                    apart += 1;
                }
            }
        }
    }
    assert!(apart > 20 && together > 20, "{apart} {together}");
}
