//! Convex parts contain a shape, inside included, with less volume than its hull.

use kinworld::geometry::{Aabb, ConvexHull, Geometry, Mesh, PartOptions, Primitive, Shape, query};
use kinworld::{Point, Pose, Vector};

use crate::common::files::data;
use crate::common::random::Random;

fn mesh(shape: &Geometry) -> &Mesh {
    match shape.shape() {
        Shape::Mesh(mesh) => mesh,
        other => panic!("{other:?} is no mesh"),
    }
}

/// A hull by its planes.
struct Planes(Vec<(Vector, f64)>);

impl Planes {
    fn of(hull: &ConvexHull) -> Self {
        let plane = |[a, b, c]: [Point; 3]| {
            let normal = (b - a).cross(&(c - a)).normalize();
            (normal, normal.dot(&a.coords))
        };
        Self(hull.surface().triangle_vertices().map(plane).collect())
    }

    /// Signed distance of a point from the farthest plane: a lower bound on its distance outside.
    fn beyond(&self, p: &Point) -> f64 {
        let beyond = self.0.iter().map(|(n, d)| n.dot(&p.coords) - d);
        beyond.fold(f64::NEG_INFINITY, f64::max)
    }
}

fn beyond_all(parts: &[Planes], p: &Point) -> f64 {
    parts
        .iter()
        .map(|part| part.beyond(p))
        .fold(f64::INFINITY, f64::min)
}

fn on_triangle(random: &mut Random, [a, b, c]: &[Point; 3]) -> Point {
    let w = [0; 3].map(|_| random.unit().abs() + 1e-3);
    let sum: f64 = w.iter().sum();
    Point::from((a.coords * w[0] + b.coords * w[1] + c.coords * w[2]) / sum)
}

fn in_box(random: &mut Random, bounds: &Aabb) -> Point {
    bounds.center() + random.vector().component_mul(&bounds.half_size())
}

/// What parts must keep, whatever the mesh; tells how many there are, and the volumes of the inside, the parts and the
/// hull, by random points.
pub(crate) fn check(name: &str, shape: &Geometry, options: &PartOptions) -> (usize, [f64; 3]) {
    let mut random = Random::new(1);
    let mesh = mesh(shape);
    let bounds = shape.aabb_tight(&Pose::identity()).unwrap();
    let size = bounds.half_size().amax();
    let found = shape
        .to_convex_parts(options)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(
        (1..=options.max_parts).contains(&found.hulls.len()),
        "{name}"
    );
    let parts: Vec<Planes> = found.hulls.iter().map(Planes::of).collect();
    let whole = Planes::of(&shape.to_hull().unwrap());

    // every triangle is contained, and every part is in the hull
    let step = mesh.triangles().len().div_ceil(600);
    for vertices in mesh.triangle_vertices().step_by(step) {
        // triangles without area are skipped by every query
        let [ab, ac] = [vertices[1] - vertices[0], vertices[2] - vertices[0]];
        if ab.cross(&ac).norm() <= 1e-12 * ab.norm_squared().max(ac.norm_squared()) {
            continue;
        }
        for p in vertices
            .into_iter()
            .chain((0..3).map(|_| on_triangle(&mut random, &vertices)))
        {
            let beyond = beyond_all(&parts, &p);
            assert!(beyond <= 2e-9 * size, "{name}: {p:?} is {beyond} outside");
        }
    }
    for p in found.hulls.iter().flat_map(ConvexHull::vertices) {
        assert!(whole.beyond(p) <= 2e-5 * size, "{name}: {p:?}");
    }

    // and so is the inside
    let solid = shape.clone().with_solid(true);
    let is_closed = mesh.is_closed();
    let here = Pose::identity();
    let (mut counts, n) = ([0; 3], 400);
    for _ in 0..n {
        let p = in_box(&mut random, &bounds);
        let inside = query::contains_point((&solid, &here), &p).unwrap();
        let held = beyond_all(&parts, &p) <= 1e-9 * size;
        assert!(held || !inside || !is_closed, "{name}: {p:?} is left out");
        counts[0] += usize::from(inside);
        counts[1] += usize::from(held);
        counts[2] += usize::from(whole.beyond(&p) <= 0.0);
        if held && !inside {
            let point = Geometry::from(Primitive::point(p).unwrap());
            let distance = query::distance((&solid, &here), (&point, &here))
                .unwrap()
                .distance;
            // the centres of faces and edges are not quite the farthest points
            let most = 1.5 * found.overshoot + 1e-3 * size;
            assert!(
                distance <= most,
                "{name}: {distance} beyond, reported {}",
                found.overshoot
            );
        }
    }
    let sides = bounds.max - bounds.min;
    let share = sides.x * sides.y * sides.z / f64::from(n);
    (
        parts.len(),
        counts.map(|count| f64::from(u32::try_from(count).unwrap()) * share),
    )
}

#[test]
fn parts_contain_the_meshes_of_this_library() {
    for file in [
        "arm6/elbow.obj",
        "arm6/forearm.stl",
        "arm6/wrist.off",
        "bracket.stl",
        "shelf.stl",
        "gripper/palm.off",
        "table.off",
        "thin_cube.off",
        "drone/rotor.off",
    ] {
        let shape = Geometry::load(data(&format!("meshes/{file}")))
            .unwrap()
            .value;
        let (_, [inside, parts, hull]) = check(file, &shape, &PartOptions::default());
        assert!(
            inside <= parts && parts <= hull,
            "{file}: {inside} {parts} {hull}"
        );
        let (n, _) = check(file, &shape, &PartOptions::default().with_max_parts(3));
        assert!(n <= 3, "{file}");
        let one = PartOptions::default().with_max_parts(1);
        let one = shape.to_convex_parts(&one).unwrap().hulls;
        assert_eq!(one, [shape.to_hull().unwrap()], "{file}");
    }
}

#[test]
fn a_shelf_keeps_the_space_between_its_boards() {
    let shape = Geometry::load(data("meshes/shelf.stl")).unwrap().value;
    let (_, [inside, parts, hull]) = check("shelf", &shape, &PartOptions::default());
    assert!(
        parts < 0.5 * hull && parts < 1.5 * inside,
        "{inside} {parts} {hull}"
    );
}

/// Two boards that make an L, as one closed mesh along the axes.
fn angle_of_boards() -> Geometry {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let profile = [
        (0.0, 0.0),
        (1.0, 0.0),
        (1.0, 0.1),
        (0.1, 0.1),
        (0.1, 1.0),
        (0.0, 1.0),
    ];
    let vertices = [0.0, 0.6]
        .iter()
        .flat_map(|&y| profile.map(|(x, z)| p(x, y, z)));
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, b, c], [6 + a, 6 + c, 6 + b]]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.extend([[j, i, 6 + i], [j, 6 + i, 6 + j]]);
    }
    Mesh::new(vertices.collect(), triangles).unwrap().into()
}

#[test]
fn two_boards_make_two_parts_of_their_volume() {
    let shape = angle_of_boards();
    assert!(mesh(&shape).is_closed());
    for (scale, shift) in [(1.0, 0.0), (1e-3, 0.0), (1e6, 3e6), (1e-12, 0.0)] {
        let moved = |p: &Point| p * scale + Vector::repeat(shift);
        let vertices = mesh(&shape).vertices().iter().map(moved).collect();
        let shape = Geometry::from(Mesh::new(vertices, mesh(&shape).triangles().to_vec()).unwrap());
        let parts = shape.to_convex_parts(&PartOptions::default()).unwrap();
        assert_eq!(parts.hulls.len(), 2, "{scale}");
        let volume: f64 = parts.hulls.iter().map(ConvexHull::volume).sum();
        let exact = 0.6 * (1.0 * 0.1 + 0.1 * 0.9);
        // a cut may miss the edge by a cell, a 63rd of the side
        let ratio = volume / (exact * scale.powi(3));
        assert!((1.0 - 1e-6..1.1).contains(&ratio), "{scale}: {ratio}");
        assert!(
            parts.overshoot <= scale / 60.0,
            "{scale}: {}",
            parts.overshoot
        );
    }
}

#[test]
fn parts_contain_open_folded_and_broken_meshes_too() {
    let p = |x: f64, y: f64, z: f64| Point::new(x, y, z);
    let fold = vec![
        p(0.0, 0.0, 0.0),
        p(1.0, 0.0, 0.0),
        p(1.0, 1.0, 0.0),
        p(0.0, 1.0, 0.0),
        p(0.0, 0.0, 1.0),
        p(0.0, 1.0, 1.0),
    ];
    let fold = Mesh::new(fold, vec![[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]]).unwrap();
    let (n, [_, parts, hull]) = check("a folded sheet", &fold.into(), &PartOptions::default());
    assert!(n >= 2 && parts < 0.2 * hull, "{n} {parts} {hull}");

    // random triangles, slivers among them, some repeated, some without area
    let mut random = Random::new(2);
    for (i, (n, thin)) in [(2, 1.0), (5, 1e-3), (12, 1.0), (40, 1e-9), (60, 0.0)]
        .into_iter()
        .enumerate()
    {
        let mut vertices: Vec<Point> = Vec::new();
        for _ in 0..n {
            let (a, b, c) = (random.vector(), random.vector(), random.vector());
            vertices.extend([a, b, a + (b - a) * 0.4 + (c - a) * thin].map(Point::from));
        }
        vertices.extend([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]].map(Point::from));
        let count = u32::try_from(vertices.len() / 3).unwrap();
        let mut triangles: Vec<[u32; 3]> =
            (0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        triangles.extend([[0, 1, 2], [0, 0, 1], [2, 1, 0]]);
        let soup = Geometry::from(Mesh::new(vertices, triangles).unwrap());
        for resolution in [8, 33] {
            let options = PartOptions::default().with_resolution(resolution);
            check(&format!("soup {i} at {resolution}"), &soup, &options);
        }
    }
}

#[test]
fn shapes_that_cannot_be_decomposed_are_rejected_with_a_reason() {
    let shape = angle_of_boards();
    let refused = |shape: &Geometry, options: PartOptions| {
        shape.to_convex_parts(&options).unwrap_err().to_string()
    };
    let standard = PartOptions::default();
    for (options, words) in [
        (
            standard.with_max_parts(0),
            "the number of parts: must be from 1 to 256, got 0",
        ),
        (
            standard.with_max_parts(257),
            "the number of parts: must be from 1 to 256, got 257",
        ),
        (
            standard.with_concavity(0.0),
            "the concavity of parts: must be above 0 and at most 1, got 0",
        ),
        (
            standard.with_concavity(f64::NAN),
            "the concavity of parts: must be above 0 and at most 1, got NaN",
        ),
        (
            standard.with_resolution(7),
            "the resolution of parts: must be from 8 to 128, got 7",
        ),
        (
            standard.with_resolution(1000),
            "the resolution of parts: must be from 8 to 128, got 1000",
        ),
    ] {
        assert_eq!(refused(&shape, options), words);
    }
    let flat = Primitive::triangle(
        Point::origin(),
        Point::new(1.0, 0.0, 0.0),
        Point::new(0.0, 1.0, 0.0),
    );
    let flat = Geometry::from(flat.unwrap().to_mesh().unwrap());
    assert!(refused(&flat, standard).contains("lie in one plane"));
    let empty = Geometry::from(Mesh::new(Vec::new(), Vec::new()).unwrap());
    assert!(refused(&empty, standard).contains("needs points, got none"));
    let line = Mesh::new(
        vec![Point::origin(), Point::new(1.0, 1.0, 1.0)],
        vec![[0, 1, 0]],
    )
    .unwrap();
    assert!(refused(&line.into(), standard).contains("lie in one plane"));

    // triangles as large as the whole, thousands of them: memory and time stay bounded
    let mut random = Random::new(3);
    let vertices: Vec<Point> = (0..6000).map(|_| Point::from(random.vector())).collect();
    let triangles = (0..2000).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let hay = Geometry::from(Mesh::new(vertices, triangles).unwrap());
    let fine = standard.with_resolution(128);
    assert!(refused(&hay, fine).contains("lower the resolution or simplify the mesh"));
    let far = mesh(&shape).vertices().iter().map(|p| p * 1e60).collect();
    let far = Geometry::from(Mesh::new(far, mesh(&shape).triangles().to_vec()).unwrap());
    assert!(refused(&far, standard).contains("extends beyond 1e50 m"));
}

#[test]
fn solids_clouds_and_groups_have_parts_too() {
    let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5).unwrap());
    let options = PartOptions::default();
    let parts = sphere.to_convex_parts(&options).unwrap();
    assert_eq!(parts.hulls, [sphere.to_hull().unwrap()]);
    assert!(
        parts.overshoot == 0.0,
        "the triangles of a sphere have their vertices on it"
    );

    let shape = angle_of_boards();
    let x = Pose::new(Vector::new(1.0, 2.0, 3.0), Vector::new(0.3, -0.2, 0.5));
    let alone = shape.to_convex_parts(&options).unwrap();
    let group = Geometry::group(vec![(Pose::identity(), sphere), (x, shape.clone())]);
    let grouped = group.to_convex_parts(&options).unwrap();
    assert_eq!(grouped.hulls.len(), 1 + alone.hulls.len());
    for (hull, moved) in alone.hulls.iter().zip(&grouped.hulls[1..]) {
        for (p, q) in hull.vertices().iter().zip(moved.vertices()) {
            assert!((x * p - q).norm() < 1e-12);
        }
    }
    let as_shape = Geometry::from(grouped);
    assert!(matches!(as_shape.shape(), Shape::Group(members) if members.len() == 3));
    assert!(as_shape.is_solid());

    // an open mesh marked as solid has its hull, since its inside is not bounded
    let open: Vec<[u32; 3]> = mesh(&shape).triangles()[1..].to_vec();
    let open = Mesh::new(mesh(&shape).vertices().to_vec(), open).unwrap();
    let open = Geometry::from(open).with_solid(true);
    let parts = open.to_convex_parts(&options).unwrap();
    assert_eq!(parts.hulls, [open.to_hull().unwrap()]);
}
