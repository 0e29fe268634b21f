//! Meshes in ill-conditioned positions, against all pairs of their triangles.

use kinworld::geometry::{Geometry, Mesh, query};
use kinworld::math::so3;
use kinworld::{Point, Pose, Vector};

use super::hard::{cases_of_a_kind, distance_either_way};
use crate::common::random::Random;

type Triangle = [Point; 3];

/// A pair of meshes at a pose of the second in the frame of the first.
struct Case {
    a: Vec<Triangle>,
    b: Vec<Triangle>,
    x: Pose,
    /// Offset of both from the origin.
    away: Vector,
    /// The length scale of the case.
    size: f64,
}

const KINDS: usize = 10;

fn case(kind: usize, random: &mut Random) -> Case {
    let (n, m) = (1 + random.below(9), 1 + random.below(9));
    let mut a = soup(random, n, 0.6);
    let mut b = soup(random, m, 0.6);
    let rotation = so3::from_rotation_vector(&(random.vector() * 3.0));
    let mut x = Pose::from_parts((random.vector() * 2.0).into(), rotation);
    let (mut away, mut size) = (Vector::zeros(), 4.0);
    match kind {
        0 => {}
        // a vertex of one on a face of the other, or on its edge, or on its vertex
        1 => {
            let [p, q, r] = a[random.below(n)];
            let (s, t) = [(0.25, 0.5), (0.5, 0.0), (0.0, 0.0)][random.below(3)];
            let on_a = p + (q - p) * s + (r - p) * t;
            x.translation = (on_a - x.rotation * b[random.below(m)][0]).into();
        }
        // all in one plane
        2 => {
            for p in a.iter_mut().chain(&mut b).flatten() {
                p.z = 0.0;
            }
            x = Pose::from_parts(
                Vector::new(x.translation.x, x.translation.y, 0.0).into(),
                so3::from_rotation_vector(&(Vector::z() * random.unit() * 3.0)),
            );
        }
        // in parallel planes close together
        3 => {
            for p in a.iter_mut().chain(&mut b).flatten() {
                p.z = 0.0;
            }
            let separation = 10_f64.powi(-(random.below(9) as i32));
            x = Pose::translation(x.translation.x * 0.2, x.translation.y * 0.2, separation);
        }
        // slivers
        4 => {
            let thin = 10_f64.powi(-2 - random.below(7) as i32);
            for [p, q, r] in a.iter_mut().chain(&mut b) {
                *r = *p + (*q - *p) * 0.4 + (*r - *p) * thin;
            }
        }
        // a part of the other
        5 => b = a.iter().take(m).copied().collect(),
        // coincident copies, or nearly
        6 => {
            b = a.clone();
            let nearly = [0.0, 1e-16, 1e-12, 1e-7, 1e-3][random.below(5)];
            x = Pose::from_parts(
                (random.vector() * nearly).into(),
                so3::from_rotation_vector(&Vector::zeros()),
            );
        }
        // tiny, or huge
        7 | 8 => {
            let scale = [1e-7, 1e-4, 1e3, 1e7][random.below(4)];
            for p in a.iter_mut().chain(&mut b).flatten() {
                *p *= scale;
            }
            x.translation.vector *= scale;
            size *= scale;
        }
        // far from the origin
        _ => {
            away = random.vector() * [1e3, 1e6][random.below(2)];
            size += away.norm() * 1e-3;
        }
    }
    Case {
        a,
        b,
        x,
        away,
        size,
    }
}

fn soup(random: &mut Random, n: usize, size: f64) -> Vec<Triangle> {
    let mut triangle = |_| {
        let middle = Point::from(random.vector());
        [0, 1, 2].map(|_| middle + random.vector() * size)
    };
    (0..n).map(&mut triangle).collect()
}

fn mesh(triangles: &[Triangle]) -> Geometry {
    let n = u32::try_from(triangles.len()).unwrap();
    let indices = (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::new(triangles.concat(), indices.collect());
    mesh.unwrap().into()
}

/// The distance of two triangles: 0 where an edge crosses a face, otherwise that of edges, or of a vertex and a face.
fn distance(s: &Triangle, t: &Triangle) -> f64 {
    let edges = |t: &Triangle| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
    let pierced = |t: &Triangle, (p, q): (Point, Point)| {
        let volume =
            |a: &Point, b: &Point, c: &Point, d: &Point| (b - a).cross(&(c - a)).dot(&(d - a));
        let [a, b, c] = t;
        let sides = [
            volume(&p, &q, a, b),
            volume(&p, &q, b, c),
            volume(&p, &q, c, a),
        ];
        let around = sides.iter().all(|v| *v > 0.0) || sides.iter().all(|v| *v < 0.0);
        around && volume(a, b, c, &p) * volume(a, b, c, &q) < 0.0
    };
    if edges(s).iter().any(|e| pierced(t, *e)) || edges(t).iter().any(|e| pierced(s, *e)) {
        return 0.0;
    }
    let mut least = f64::INFINITY;
    for (p, q) in edges(s) {
        for (u, v) in edges(t) {
            least = least.min(of_segments((p, q), (u, v)));
        }
    }
    for (vertices, face) in [(s, t), (t, s)] {
        for p in vertices {
            least = least.min(above(p, face));
        }
    }
    least
}

/// Along the common perpendicular where it meets both, otherwise from the ends.
fn of_segments((p, q): (Point, Point), (u, v): (Point, Point)) -> f64 {
    let to_segment = |x: &Point, a: &Point, b: &Point| {
        let d = b - a;
        let t = if d.norm_squared() > 0.0 {
            (x - a).dot(&d) / d.norm_squared()
        } else {
            0.0
        };
        (a + d * t.clamp(0.0, 1.0) - x).norm()
    };
    let ends = [
        to_segment(&p, &u, &v),
        to_segment(&q, &u, &v),
        to_segment(&u, &p, &q),
        to_segment(&v, &p, &q),
    ];
    let least = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (d, e) = (q - p, v - u);
    let n = d.cross(&e);
    if n.norm_squared() == 0.0 {
        return least;
    }
    let s = (u - p).cross(&e).dot(&n) / n.norm_squared();
    let t = (u - p).cross(&d).dot(&n) / n.norm_squared();
    if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
        least.min((u + e * t - (p + d * s)).norm())
    } else {
        least
    }
}

/// Distance of a point from the inside of a face, infinite where it is not over it.
fn above(p: &Point, [a, b, c]: &Triangle) -> f64 {
    let n = (b - a).cross(&(c - a));
    let is_over = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(u, v)| n.cross(&(*v - *u)).dot(&(p - *u)) >= 0.0);
    if is_over && n.norm() > 0.0 {
        n.dot(&(p - a)).abs() / n.norm()
    } else {
        f64::INFINITY
    }
}

#[test]
fn hard_pairs_of_meshes_have_the_distance_of_their_triangles() {
    let mut random = Random::new(2026);
    for kind in 0..KINDS {
        let mut compared = 0;
        for i in 0..cases_of_a_kind() {
            let Case {
                a,
                b,
                x,
                away,
                size,
            } = case(kind, &mut random);
            let (mesh_a, mesh_b) = (mesh(&a), mesh(&b));
            let here = Pose::from_parts(away.into(), so3::from_rotation_vector(&Vector::zeros()));
            let there = here * x;
            let (at_a, at_b) = ((&mesh_a, &here), (&mesh_b, &there));
            let what = format!("kind {kind}, case {i}");
            let found = distance_either_way(at_a, at_b, &what);
            let d = found.distance;
            let what = format!("{what}: {d:e}");
            let is_flat =
                |t: &Triangle| (t[1] - t[0]).cross(&(t[2] - t[0])).norm() <= 1e-12 * size * size;
            if a.iter().chain(&b).any(is_flat) {
                continue;
            }
            let moved: Vec<Triangle> = b.iter().map(|t| t.map(|p| x * p)).collect();
            let pairs = a
                .iter()
                .flat_map(|s| moved.iter().map(move |t| distance(s, t)));
            let expected = pairs.fold(f64::INFINITY, f64::min);
            let slack = 1e-11 * size;
            assert!(
                (d - expected).abs() <= slack,
                "{what}, expected {expected:e}"
            );
            assert!(
                query::within_distance(at_a, at_b, expected + slack).unwrap(),
                "{what}"
            );
            assert!(
                expected <= slack || !query::within_distance(at_a, at_b, expected - slack).unwrap(),
                "{what}"
            );
            if let (Some(p), Some(q)) = (found.on_a, found.on_b) {
                assert!(((p - q).norm() - d).abs() <= slack, "{what}");
            }
            compared += 1;
        }
        assert!(compared > cases_of_a_kind() / 2, "kind {kind}: {compared}");
    }
}
