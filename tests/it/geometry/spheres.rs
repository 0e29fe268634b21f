//! Spheres around and inside shapes.

use kinworld::geometry::{ConvexHull, Geometry, Mesh, Primitive, Shape, Sphere, query};
use kinworld::{Point, Pose, Vector};

use crate::common::files::data;
use crate::common::random::SplitMix;

/// Pseudo-random numbers.
struct Draw(SplitMix);

impl Draw {
    fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.uniform()
    }
}

/// Solids of every kind, about a metre large.
fn solids() -> Vec<Geometry> {
    let rotated = Pose::new(Vector::new(0.1, -0.2, 0.3), Vector::new(0.4, 0.5, -0.6));
    let vertices = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.1],
        [0.0, 0.7, 0.0],
        [0.2, 0.1, 0.9],
        [0.5, 0.6, 0.5],
    ];
    let vertices = vertices.map(Point::from);
    let hull = Geometry::from(ConvexHull::new(&vertices).unwrap());
    let box_ = Geometry::from(Primitive::cuboid(rotated, Vector::new(1.0, 0.3, 0.1)).unwrap());
    let can = Primitive::cylinder(
        Point::new(0.1, 0.0, 0.0),
        Vector::new(0.6, 0.0, 0.8),
        0.2,
        0.9,
    );
    let egg = Primitive::ellipsoid(rotated, Vector::new(0.5, 0.2, 0.3));
    let pill = Primitive::capsule(Point::origin(), Point::new(0.5, 0.5, 0.0), 0.1);
    let mesh = Geometry::from(hull.to_mesh().unwrap()).with_solid(true);
    let pair = Geometry::group(vec![
        (rotated, hull.clone()),
        (Pose::identity(), box_.clone()),
    ]);
    vec![
        hull,
        box_.with_margin(0.02).unwrap(),
        Geometry::from(can.unwrap()),
        Geometry::from(egg.unwrap()),
        Geometry::from(pill.unwrap()),
        mesh,
        pair.with_margin(0.01).unwrap(),
    ]
}

fn holds(spheres: &[Sphere], p: &Point) -> bool {
    spheres.iter().any(|s| (p - s.center).norm() <= s.radius)
}

#[test]
fn outer_spheres_contain_every_point_of_a_solid() {
    let mut draw = Draw::new(1);
    for (i, solid) in solids().iter().enumerate() {
        let bounds = solid.aabb(&Pose::identity()).unwrap();
        for most in [1, 7, 20] {
            let cover = solid.outer_spheres(most).unwrap();
            assert!(cover.spheres.len() <= most);
            let mut inside = 0;
            for _ in 0..600 {
                let u = Vector::from_fn(|_, _| draw.between(0.0, 1.0));
                let p = bounds.min + (bounds.max - bounds.min).component_mul(&u);
                // the margin is part of it
                let point = Geometry::from(Primitive::point(p).unwrap());
                let here = Pose::identity();
                if query::collides((solid, &here), (&point, &here)).unwrap() {
                    inside += 1;
                    assert!(
                        holds(&cover.spheres, &p),
                        "solid {i}, {most} spheres: {p:?}"
                    );
                }
            }
            assert!(inside > 20, "solid {i}: {inside} points");
        }
    }
}

#[test]
fn inner_spheres_are_inside() {
    let mut draw = Draw::new(2);
    let here = Pose::identity();
    for (i, solid) in solids().iter().enumerate() {
        let inner = solid.inner_spheres(8).unwrap();
        assert!(!inner.is_empty() && inner.len() <= 8, "solid {i}");
        assert!(inner.is_sorted_by(|a, b| a.radius >= b.radius));
        for sphere in inner {
            for _ in 0..100 {
                let d = Vector::from_fn(|_, _| draw.between(-1.0, 1.0)).normalize();
                let p = Primitive::point(sphere.center + d * sphere.radius).unwrap();
                let distance = query::distance((solid, &here), (&p.into(), &here)).unwrap();
                assert!(distance.distance < 1e-9, "solid {i}: {}", distance.distance);
            }
        }
    }
}

#[test]
fn a_mesh_with_a_hole_has_no_inner_spheres() {
    let whole = solids()[0].to_mesh().unwrap();
    let some = whole.triangles()[1..].to_vec();
    let open = Mesh::new(whole.vertices().to_vec(), some).unwrap();
    for (mesh, has_some) in [(whole, true), (open, false)] {
        assert_eq!(mesh.is_closed(), has_some);
        let inner = Geometry::from(mesh).with_solid(true).inner_spheres(8);
        assert_eq!(!inner.unwrap().is_empty(), has_some);
    }
}

#[test]
fn every_triangle_of_a_mesh_is_covered_and_more_spheres_fit_better() {
    let mut draw = Draw::new(3);
    for file in ["arm6/elbow.obj", "shelf.stl", "gripper/palm.off"] {
        let shape = Geometry::load(data(&format!("meshes/{file}")))
            .unwrap()
            .value;
        let Shape::Mesh(mesh) = shape.shape() else {
            panic!("{file} is a mesh");
        };
        let mut last = f64::INFINITY;
        for most in [3, 12] {
            let cover = shape.outer_spheres(most).unwrap();
            for vertices in mesh.triangle_vertices() {
                for _ in 0..4 {
                    let mut w = [0; 3].map(|_| draw.between(0.0, 1.0));
                    let sum: f64 = w.iter().sum();
                    w = w.map(|w| w / sum);
                    let p = vertices
                        .iter()
                        .zip(w)
                        .map(|(p, w)| p.coords * w)
                        .sum::<Vector>();
                    assert!(
                        holds(&cover.spheres, &p.into()),
                        "{file}, {most} spheres: {p:?}"
                    );
                }
            }
            assert!(
                cover.overshoot < last,
                "{file}: {} after {last}",
                cover.overshoot
            );
            last = cover.overshoot;
        }
        assert!(
            shape.inner_spheres(4).unwrap().is_empty(),
            "a surface has no inside"
        );
    }
}

#[test]
fn spheres_stay_spheres() {
    let sphere = |x: f64, r| Primitive::sphere(Point::new(x, 0.0, 0.0), r).unwrap();
    let pair = Geometry::group(vec![
        (Pose::translation(0.0, 1.0, 0.0), sphere(0.0, 0.5).into()),
        (
            Pose::identity(),
            Geometry::from(sphere(2.0, 0.25)).with_margin(0.5).unwrap(),
        ),
    ]);
    let cover = pair.with_margin(0.125).unwrap().outer_spheres(1).unwrap();
    let expected = [([0.0, 1.0, 0.0], 0.625), ([2.0, 0.0, 0.0], 0.875)];
    let expected = expected.map(|(center, radius)| Sphere {
        center: center.into(),
        radius,
    });
    assert_eq!(cover.spheres, expected);
    assert!(cover.overshoot == 0.0);
}

#[test]
fn invalid_numbers_of_spheres_are_rejected() {
    let solid = &solids()[0];
    for most in [0, 4097] {
        let refused = solid.outer_spheres(most).unwrap_err().to_string();
        assert_eq!(
            refused,
            format!("the number of spheres: must be from 1 to 4096, got {most}")
        );
    }
}
