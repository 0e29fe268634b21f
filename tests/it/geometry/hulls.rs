//! Convex hulls in ill-conditioned positions: the search over vertices against that over the triangles of solids.

use kinworld::geometry::{ConvexHull, Geometry, query};
use kinworld::math::so3;
use kinworld::{Point, Pose, Vector};

use super::hard::{cases_of_a_kind, distance_either_way};
use crate::common::random::Random;

/// A pair of hulls at a pose of the second in the frame of the first.
struct Case {
    a: ConvexHull,
    b: ConvexHull,
    x: Pose,
    /// Offset of both from the origin.
    away: Vector,
    /// The length scale of the case.
    size: f64,
}

const KINDS: usize = 10;

/// `None` where a hull would be flat.
fn case(kind: usize, random: &mut Random) -> Option<Case> {
    let (n, m) = (4 + random.below(30), 4 + random.below(30));
    let (mut a, mut b) = (cluster(random, n), cluster(random, m));
    let rotation = so3::from_rotation_vector(&(random.vector() * 3.0));
    let mut x = Pose::from_parts((random.vector() * 2.0).into(), rotation);
    let (mut away, mut size) = (Vector::zeros(), 4.0);
    let small = [0.0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3][random.below(6)];
    match kind {
        0 => {}
        // the lowest vertex of one above a face of the other is on that face, on its edge or on its vertex, or near it
        1 => {
            let hull = ConvexHull::new(&a).ok()?;
            let face = random.below(4);
            let [p, q, r] = hull.surface().triangle_vertices().nth(face)?;
            let normal = normals(&hull)[face];
            let (s, t) = [(0.25, 0.5), (0.5, 0.0), (0.0, 0.0)][random.below(3)];
            let up = |c: &Point| normal.dot(&(rotation * c).coords);
            let lowest = b.iter().min_by(|c, d| up(c).total_cmp(&up(d)))?;
            let to = p + (q - p) * s + (r - p) * t + normal * small;
            x.translation = (to - rotation * lowest).into();
        }
        // prisms that stand on each other: faces against faces, and edges along edges
        2 => {
            (a, b) = (prism(random), prism(random));
            x = Pose::from_parts(
                Vector::new(random.unit(), random.unit(), 1.0 + small).into(),
                so3::from_rotation_vector(&(Vector::z() * [0.0, random.unit()][random.below(2)])),
            );
        }
        // plates
        3 => {
            let thin = 10_f64.powi(-1 - random.below(7) as i32);
            a.iter_mut().chain(&mut b).for_each(|p| p.z *= thin);
        }
        // needles
        4 => {
            let thin = 10_f64.powi(-1 - random.below(4) as i32);
            for p in a.iter_mut().chain(&mut b) {
                *p = Point::new(p.x * thin, p.y * thin, p.z);
            }
            x.translation.vector *= thin;
        }
        // one within the other
        5 => {
            b = a.iter().map(|p| p * 0.3).collect();
            x.translation.vector *= 0.1;
        }
        // coincident copies, or side by side with parallel faces, or nearly
        6 => {
            b = a.clone();
            let mut shift = random.vector() * small;
            if random.below(2) == 0 {
                let hull = ConvexHull::new(&a).ok()?;
                let normal = normals(&hull)[random.below(4)];
                let along = |p: &Point| normal.dot(&p.coords);
                let most = a.iter().map(along).fold(f64::MIN, f64::max);
                let least = a.iter().map(along).fold(f64::MAX, f64::min);
                shift += normal * (most - least);
            }
            x = Pose::new(shift, Vector::zeros());
        }
        // tiny, or huge
        7 => {
            let scale = [1e-7, 1e-4, 1e3, 1e7][random.below(4)];
            a.iter_mut().chain(&mut b).for_each(|p| *p *= scale);
            x.translation.vector *= scale;
            size *= scale;
        }
        // far from the origin
        8 => {
            away = random.vector() * [1e3, 1e6][random.below(2)];
            size += away.norm();
        }
        // many vertices
        _ => {
            let many = [100, 300, 1000, 3000][random.below(4)];
            (a, b) = (egg(random, many), egg(random, many / 2));
            x.translation.vector *= 0.7;
        }
    }
    let (a, b) = (ConvexHull::new(&a).ok()?, ConvexHull::new(&b).ok()?);
    Some(Case {
        a,
        b,
        x,
        away,
        size,
    })
}

fn cluster(random: &mut Random, n: usize) -> Vec<Point> {
    (0..n).map(|_| random.vector().into()).collect()
}

fn normals(hull: &ConvexHull) -> Vec<Vector> {
    let normal = |[p, q, r]: [Point; 3]| (q - p).cross(&(r - p)).normalize();
    hull.surface().triangle_vertices().map(normal).collect()
}

/// A polygon between the heights 0 and 1.
fn prism(random: &mut Random) -> Vec<Point> {
    let vertices = 3 + random.below(6);
    let vertex = |i: usize| {
        let angle = std::f64::consts::TAU * i as f64 / vertices as f64;
        [0.0, 1.0].map(|z| Point::new(angle.cos(), angle.sin(), z))
    };
    (0..vertices).flat_map(vertex).collect()
}

/// Vertices on an ellipsoid.
fn egg(random: &mut Random, n: usize) -> Vec<Point> {
    let half = random.vector().map(|x| 0.1 + x.abs());
    let mut vertex = |_| Point::from(random.vector().normalize().component_mul(&half));
    (0..n).map(&mut vertex).collect()
}

#[test]
fn hard_pairs_of_hulls_have_the_distance_of_their_surfaces() {
    let cases = cases_of_a_kind();
    let mut random = Random::new(2027);
    for kind in 0..KINDS {
        // each of these is some hundred times as large
        let cases = if kind == 9 { cases.min(10_000) } else { cases };
        let (mut met, mut separated) = (0, 0);
        for i in 0..cases {
            let Some(case) = case(kind, &mut random) else {
                continue;
            };
            let solid = |hull: &ConvexHull| Geometry::from(hull.surface().clone()).with_solid(true);
            let (solid_a, solid_b) = (solid(&case.a), solid(&case.b));
            let (hull_a, hull_b) = (Geometry::from(case.a), Geometry::from(case.b));
            let here = Pose::new(case.away, Vector::zeros());
            let there = here * case.x;
            let (at_a, at_b) = ((&hull_a, &here), (&hull_b, &there));
            let what = format!("kind {kind}, case {i}");
            let found = distance_either_way(at_a, at_b, &what);
            let d = found.distance;
            let what = format!("{what}: {d:e}");
            assert!(query::within_distance(at_a, at_b, d).unwrap(), "{what}");
            if d > 0.0 {
                assert!(
                    !query::within_distance(at_a, at_b, d.next_down()).unwrap(),
                    "{what}"
                );
            }

            let expected = query::distance((&solid_a, &here), (&solid_b, &there)).unwrap();
            let expected = expected.distance;
            assert!(
                (d - expected).abs() <= 1e-11 * case.size,
                "{what}, expected {expected:e}"
            );
            if let (Some(p), Some(q)) = (found.on_a, found.on_b) {
                assert!(((q - p).norm() - d).abs() <= 1e-11 * case.size, "{what}");
            }
            *if d > 0.0 { &mut separated } else { &mut met } += 1;
        }
        // a kind that never meets, or always does, tests half of it
        assert!(
            met > cases / 50 && separated > cases / 50,
            "kind {kind}: {met} {separated}"
        );
    }
}
