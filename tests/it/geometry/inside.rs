//! Containment: hollow meshes, solid ones, points, and rays from anywhere.

use kinworld::geometry::{Geometry, Mesh, Primitive, query};
use kinworld::{Point, Pose, Vector};

use super::pairs::{anywhere, known_shapes};

fn p(x: f64, y: f64, z: f64) -> Point {
    Point::new(x, y, z)
}

fn cuboid(size: f64) -> Primitive {
    Primitive::cuboid(Pose::identity(), Vector::repeat(size)).unwrap()
}

#[test]
fn a_body_inside_a_closed_mesh_is_free_unless_the_mesh_is_solid() {
    let hollow = Geometry::from(cuboid(4.0).to_mesh().unwrap());
    let solid = hollow.clone().with_solid(true);
    let grouped = Geometry::group(vec![(Pose::identity(), hollow.clone())]).with_solid(true);
    let x_w = anywhere();
    for known in known_shapes() {
        let name = known.name;
        let inner = (&known.shape, &(x_w * Pose::translation(0.25, 0.0, 0.0)));
        let separation = query::distance((&hollow, &x_w), inner).unwrap().distance;
        assert!(
            separation > 0.0 && !query::collides((&hollow, &x_w), inner).unwrap(),
            "{name}"
        );
        // the nearest wall is along x for the long shapes; none extends more than 1 to any side
        assert!(
            separation <= 1.75 - known.extent + 1e-9,
            "{name}: {separation}"
        );
        for solid in [&solid, &grouped] {
            assert!(query::collides((solid, &x_w), inner).unwrap(), "{name}");
            assert!(query::collides(inner, (solid, &x_w)).unwrap(), "{name}");
            let found = query::distance(inner, (solid, &x_w)).unwrap();
            assert_eq!((found.distance, found.on_a), (0.0, None), "{name}");
        }
        let outside = (&known.shape, &(x_w * Pose::translation(9.0, 0.0, 0.0)));
        assert!(!query::collides((&solid, &x_w), outside).unwrap(), "{name}");
    }
    assert!(!hollow.is_solid() && solid.is_solid() && grouped.is_solid());
    assert!(!hollow.with_solid(true).with_solid(false).is_solid());
}

#[test]
fn a_hollow_mesh_inside_a_solid_primitive_collides() {
    let small = Geometry::from(cuboid(0.5).to_mesh().unwrap());
    let here = Pose::identity();
    for outer in [
        Primitive::sphere(Point::origin(), 2.0).unwrap(),
        cuboid(4.0),
        Primitive::cylinder(Point::origin(), Vector::z(), 2.0, 4.0).unwrap(),
        Primitive::capsule(p(-1.0, 0.0, 0.0), p(1.0, 0.0, 0.0), 1.0).unwrap(),
        Primitive::ellipsoid(Pose::identity(), Vector::new(1.0, 2.0, 3.0)).unwrap(),
    ] {
        let outer = Geometry::from(outer);
        assert!(query::collides((&outer, &here), (&small, &here)).unwrap());
        let hull = Geometry::from(outer.to_hull().unwrap());
        assert!(query::collides((&hull, &here), (&small, &here)).unwrap());
    }
}

#[test]
fn one_part_of_a_body_inside_a_solid_mesh_is_enough() {
    let solid = Geometry::from(cuboid(2.0).to_mesh().unwrap()).with_solid(true);
    let small = cuboid(0.5).to_mesh().unwrap();
    let (far, near) = (Pose::translation(5.0, 0.0, 0.0), Pose::identity());
    let both = Geometry::from(Mesh::merged([(&far, &small), (&near, &small)]).unwrap());
    let only_far = Geometry::from(Mesh::merged([(&far, &small)]).unwrap());
    let here = Pose::identity();
    assert!(query::collides((&solid, &here), (&both, &here)).unwrap());
    assert!(!query::collides((&solid, &here), (&only_far, &here)).unwrap());
}

#[test]
fn points_are_inside_solids_only() {
    let x_w = anywhere();
    for known in known_shapes() {
        let flat = matches!(
            known.name,
            "point" | "segment" | "triangle" | "polygon" | "mesh" | "cloud"
        );
        let filled = !flat;
        let contains = |shape: &Geometry, x: f64| {
            query::contains_point((shape, &x_w), &(x_w * p(x, 0.0, 0.0))).unwrap()
        };
        // the first member of the group, a sphere, fills its left end
        assert_eq!(
            contains(&known.shape, -known.extent),
            filled,
            "{}",
            known.name
        );
        assert_eq!(
            contains(&known.shape, 0.01 - known.extent),
            filled,
            "{}",
            known.name
        );
        assert!(
            !contains(&known.shape, -known.extent - 1e-6),
            "{}",
            known.name
        );
        let soft = known.shape.clone().with_margin(0.5).unwrap();
        assert!(
            !contains(&soft, -known.extent - 1e-6),
            "{}: margins are left out",
            known.name
        );
    }
    let solid = Geometry::from(cuboid(1.0).to_mesh().unwrap()).with_solid(true);
    let mesh = cuboid(1.0).to_mesh().unwrap();
    let flipped = mesh
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let inside_out = Mesh::new(mesh.vertices().to_vec(), flipped).unwrap();
    let inside_out = Geometry::from(inside_out).with_solid(true);
    for shape in [&solid, &inside_out] {
        let contains = |q: Point| query::contains_point((shape, &x_w), &(x_w * q)).unwrap();
        assert!(contains(p(0.0, 0.0, 0.0)) && contains(p(0.49, -0.49, 0.49)));
        assert!(
            contains(p(0.5, 0.0, 0.0)) && contains(p(0.5, 0.5, 0.5)),
            "the surface belongs to it"
        );
        assert!(!contains(p(0.501, 0.0, 0.0)) && !contains(p(0.6, 0.6, 0.6)));
    }
}

#[test]
fn a_ray_meets_the_near_end_from_outside_and_the_far_end_from_inside() {
    let x_w = anywhere();
    for known in known_shapes() {
        let cast = |from: f64, along: f64, max: f64| {
            let origin = x_w * p(from, 0.0, 0.0);
            query::ray_cast(
                (&known.shape, &x_w),
                &origin,
                &(x_w * Vector::new(along, 0.0, 0.0)),
                max,
            )
            .unwrap()
        };
        let name = known.name;
        if matches!(name, "point" | "segment" | "triangle" | "polygon" | "cloud") {
            assert_eq!(
                cast(-3.0, 1.0, 9.0),
                None,
                "{name}: seen edge on, there is nothing to hit"
            );
            continue;
        }
        let hit = cast(-3.0, 0.5, 9.0).unwrap_or_else(|| panic!("{name}"));
        assert!(
            (hit.distance - (3.0 - known.extent)).abs() < 1e-9,
            "{name}: {}",
            hit.distance
        );
        assert!(
            (hit.point - x_w * p(-known.extent, 0.0, 0.0)).norm() < 1e-9,
            "{name}"
        );
        if name != "box on edge" {
            assert!(
                (hit.normal + x_w * Vector::x()).norm() < 1e-9,
                "{name}: {}",
                hit.normal
            );
        }
        assert_eq!(cast(-3.0, -1.0, 9.0), None, "{name}: behind");
        assert_eq!(
            cast(-3.0, 1.0, 3.0 - known.extent - 1e-6),
            None,
            "{name}: too far"
        );
        let from_right = cast(3.0, -2.0, 9.0).unwrap();
        assert!(
            (from_right.distance - (3.0 - known.extent)).abs() < 1e-9,
            "{name}"
        );
        if name != "group" {
            let from_inside = cast(0.01, 1.0, 9.0).unwrap();
            assert!(
                (from_inside.distance - (known.extent - 0.01)).abs() < 1e-9,
                "{name}"
            );
            let out = from_inside.normal.dot(&(x_w * Vector::x()));
            assert!(
                out > 0.7,
                "{name}: normals look outwards, whichever side is hit"
            );
        }
    }
}

#[test]
fn a_ray_names_the_triangle_and_the_member_and_slips_through_no_edge() {
    let mesh = cuboid(1.0).to_mesh().unwrap();
    let group = Geometry::group(vec![
        (Pose::translation(3.0, 0.0, 0.0), mesh.clone().into()),
        (Pose::identity(), mesh.clone().into()),
    ]);
    let here = Pose::identity();
    let hit = query::ray_cast((&group, &here), &p(-2.0, 0.1, 0.2), &Vector::x(), 9.0)
        .unwrap()
        .unwrap();
    let vertices = mesh.triangles()[hit.element].map(|i| mesh.vertices()[i as usize]);
    assert_eq!((hit.member, hit.distance), (1, 1.5));
    assert!(vertices.iter().all(|c| (c.x + 0.5).abs() < 1e-12));
    // through the diagonals, where triangles meet, and through the vertices
    let mesh = Geometry::from(mesh);
    for i in -50..=50_i32 {
        let t = f64::from(i) / 100.0;
        for target in [p(-0.5, t, t), p(-0.5, t, -t), p(-0.5, t, 0.5)] {
            let origin = p(-2.0, 0.3, -0.4);
            let hit = query::ray_cast((&mesh, &here), &origin, &(target - origin), 9.0).unwrap();
            let hit = hit.unwrap_or_else(|| panic!("{target}"));
            assert!((hit.point - target).norm() < 1e-9, "{target} {}", hit.point);
        }
    }
    let flat = Geometry::from(
        Primitive::triangle(p(0.0, 0.0, 0.0), p(1.0, 0.0, 0.0), p(0.0, 1.0, 0.0)).unwrap(),
    );
    for from in [1.0, -1.0] {
        let hit = query::ray_cast(
            (&flat, &here),
            &p(0.25, 0.25, from),
            &Vector::new(0.0, 0.0, -from),
            9.0,
        );
        assert!(
            (hit.unwrap().unwrap().normal - Vector::z()).norm() < 1e-12,
            "by winding, from both sides"
        );
    }
}
