//! Meshes against brute force: all pairs of triangles, and an independent intersection test.

use kinworld::geometry::{Geometry, Mesh, Primitive, query};
use kinworld::{Point, Pose, Vector};
use proptest::prelude::*;

use super::properties::{any_pose, seeded};

type Triangle = [Point; 3];

/// A blob of many small triangles, so that both trees are deep.
fn soup(seed: u64, n: usize) -> Vec<Triangle> {
    let mut state = seed
        .wrapping_mul(2_654_435_769)
        .wrapping_add(88_172_645_463_325_252);
    let mut next = || {
        // xorshift, Marsaglia (2003)
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    let mut vector = |size: f64| Vector::new(next(), next(), next()) * size;
    (0..n)
        .map(|_| {
            let middle = Point::from(vector(2.0));
            [
                middle + vector(0.4),
                middle + vector(0.4),
                middle + vector(0.4),
            ]
        })
        .collect()
}

fn mesh(triangles: &[Triangle]) -> Geometry {
    let indices =
        (0..u32::try_from(triangles.len()).unwrap()).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    Mesh::new(triangles.concat(), indices.collect())
        .unwrap()
        .into()
}

/// Six times the signed volume of a tetrahedron.
fn volume(a: &Point, b: &Point, c: &Point, d: &Point) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a))
}

/// Returns whether a segment crosses a triangle, by the signs of five volumes; touching is undefined.
fn pierces(p: &Point, q: &Point, [a, b, c]: &Triangle) -> bool {
    let sides = [volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)];
    let around = sides.iter().all(|v| *v > 0.0) || sides.iter().all(|v| *v < 0.0);
    around && (volume(a, b, c, p) > 0.0) != (volume(a, b, c, q) > 0.0)
}

fn cross(s: &Triangle, t: &Triangle) -> bool {
    let edges = |t: &Triangle| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    edges(s).iter().any(|(p, q)| pierces(p, q, t)) || edges(t).iter().any(|(p, q)| pierces(p, q, s))
}

proptest! {
    #![proptest_config(seeded(7, 150))]

    #[test]
    fn meshes_meet_where_some_pair_of_triangles_does(seed in any::<u64>(), x in any_pose(2.5), n in 1_usize..40, m in 1_usize..60) {
        let (a, b) = (soup(seed, n), soup(seed ^ 0xabcdef, m));
        let (mesh_a, mesh_b, here) = (mesh(&a), mesh(&b), Pose::identity());
        let moved: Vec<Triangle> = b.iter().map(|t| t.map(|p| x * p)).collect();
        let meet = a.iter().any(|s| moved.iter().any(|t| cross(s, t)));
        prop_assert_eq!(query::collides((&mesh_a, &here), (&mesh_b, &x)).unwrap(), meet);

        // and their distance is that of the closest pair of triangles
        let single = |t: &Triangle| Geometry::from(Primitive::triangle(t[0], t[1], t[2]).unwrap());
        let (a, b): (Vec<Geometry>, Vec<Geometry>) = (a.iter().map(single).collect(), b.iter().map(single).collect());
        let mut nearest = f64::INFINITY;
        for s in &a {
            for t in &b {
                nearest = nearest.min(query::distance((s, &here), (t, &x)).unwrap().distance);
            }
        }
        let found = query::distance((&mesh_a, &here), (&mesh_b, &x)).unwrap().distance;
        prop_assert!((found - nearest).abs() < 1e-12, "{} {}", found, nearest);
        prop_assert!(query::within_distance((&mesh_a, &here), (&mesh_b, &x), nearest + 1e-12).unwrap());
        prop_assert!(nearest == 0.0 || !query::within_distance((&mesh_a, &here), (&mesh_b, &x), nearest - 1e-12).unwrap());

        // and a ray hits the first triangle on it
        let (origin, along) = (Point::new(-3.0, 0.1, 0.2), Vector::new(1.0, 0.02, -0.03));
        let far = origin + along * 9.0;
        let first = query::ray_cast((&mesh_a, &here), &origin, &along, 9.0).unwrap();
        let singles = a.iter().filter_map(|s| query::ray_cast((s, &here), &origin, &along, 9.0).unwrap());
        let expected = singles.map(|hit| hit.distance).min_by(f64::total_cmp);
        prop_assert_eq!(first.map(|hit| hit.distance), expected);
        let met = soup(seed, n).iter().any(|t| pierces(&origin, &far, t));
        prop_assert_eq!(first.is_some(), met);
    }
}

#[test]
fn triangles_that_share_a_plane_an_edge_or_a_corner_touch() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let base = [p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0)];
    let touching = [
        ("itself", base),
        (
            "overlap in the plane",
            [p(0.2, 0.2, 0.0), p(1.2, 0.2, 0.0), p(0.2, 1.2, 0.0)],
        ),
        (
            "inside in the plane",
            [p(0.1, 0.1, 0.0), p(0.3, 0.1, 0.0), p(0.1, 0.3, 0.0)],
        ),
        (
            "around in the plane",
            [p(-5.0, -5.0, 0.0), p(5.0, -5.0, 0.0), p(0.0, 9.0, 0.0)],
        ),
        (
            "an edge",
            [p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0), p(1.0, 1.0, 1.0)],
        ),
        (
            "a part of an edge",
            [p(0.25, 0.0, 0.0), p(4.0, 0.0, 0.0), p(0.0, -1.0, 1.0)],
        ),
        (
            "a vertex",
            [p(0.0, 1.0, 0.0), p(0.0, 2.0, 1.0), p(0.0, 2.0, -1.0)],
        ),
        (
            "a vertex on the face",
            [p(0.25, 0.25, 0.0), p(0.25, 0.25, 1.0), p(1.0, 0.25, 1.0)],
        ),
        (
            "an edge through the face",
            [p(0.25, 0.25, -1.0), p(0.25, 0.25, 1.0), p(9.0, 9.0, 0.0)],
        ),
        (
            "a vertex on an edge",
            [p(0.5, 0.5, 0.0), p(1.0, 1.0, 0.0), p(1.0, 1.0, 1.0)],
        ),
    ];
    let separated = [
        ("above", base.map(|q| q + Vector::z() * 1e-9)),
        ("beside", base.map(|q| q + Vector::x() * (1.0 + 1e-9))),
        (
            "in the plane",
            [p(1.0, 1.0, 0.0), p(2.0, 1.0, 0.0), p(1.0, 2.0, 0.0)],
        ),
    ];
    let poses = [
        Pose::identity(),
        Pose::new(Vector::new(3.0, -2.0, 1.0), Vector::new(0.5, 1.5, -0.3)),
    ];
    let at = |t: &Triangle| mesh(std::slice::from_ref(t));
    for pose in &poses {
        for (what, other) in &touching {
            let found = query::distance((&at(&base), pose), (&at(other), pose))
                .unwrap()
                .distance;
            assert!(found == 0.0, "{what}: {found}");
            assert!(
                query::collides((&at(other), pose), (&at(&base), pose)).unwrap(),
                "{what}"
            );
        }
        for (what, other) in &separated {
            assert!(
                !query::collides((&at(&base), pose), (&at(other), pose)).unwrap(),
                "{what}"
            );
        }
    }
}
