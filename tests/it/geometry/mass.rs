//! Mass properties: exact solids and shells, meshes against them, and Klampt's numbers for its own meshes.

use super::invalid;
use kinworld::geometry::{ConvexHull, Geometry, Mesh, PointCloud, Primitive};
use kinworld::math::Inertia;
use kinworld::{Point, Pose, Vector};

use crate::common::numbers::assert_close;

fn tilted() -> Pose {
    Pose::new(Vector::new(0.5, -0.25, 2.0), Vector::new(0.3, 1.2, -0.7))
}

/// Centre, then the moment row by row.
fn flat(inertia: &Inertia) -> Vec<f64> {
    let moment = inertia.moment.transpose();
    inertia
        .com
        .coords
        .iter()
        .chain(moment.iter())
        .copied()
        .collect()
}

/// The principal moments about an axis z and across it, of a body of mass 1.
fn around_z(geometry: &Geometry, fraction: f64) -> [f64; 2] {
    let moment = geometry.mass_properties(1.0, fraction).unwrap().moment;
    [moment[(2, 2)], moment[(0, 0)]]
}

#[test]
fn round_primitives_have_the_textbooks_moments() {
    let o = Point::origin();
    let sphere = Geometry::from(Primitive::sphere(o, 2.0).unwrap());
    let cylinder = Geometry::from(Primitive::cylinder(o, Vector::z(), 2.0, 3.0).unwrap());
    let ends = (Point::new(0.0, 0.0, -1.5), Point::new(0.0, 0.0, 1.5));
    let capsule = Geometry::from(Primitive::capsule(ends.0, ends.1, 2.0).unwrap());
    let ellipsoid = Primitive::ellipsoid(Pose::identity(), Vector::new(2.0, 2.0, 2.0));
    let ellipsoid = Geometry::from(ellipsoid.unwrap());
    let (r, h) = (2.0_f64, 3.0_f64);
    // a solid capsule from its cylinder and its two hemispheres, whose centres are 3r/8 off the cut
    let (tube, caps) = (h, 4.0 / 3.0 * r);
    let half = 83.0 / 320.0 * r * r + (h / 2.0 + 0.375 * r).powi(2);
    let capsule_x = (tube * (3.0 * r * r + h * h) / 12.0 + caps * half) / (tube + caps);
    let capsule_z = (tube * r * r / 2.0 + caps * 0.4 * r * r) / (tube + caps);
    // a closed shell of a cylinder from its side and its two ends
    let (side, ends) = (2.0 * r * h, 2.0 * r * r);
    let shell_z = (side * r * r + ends * r * r / 2.0) / (side + ends);
    let shell_x =
        (side * (r * r / 2.0 + h * h / 12.0) + ends * (r * r / 4.0 + h * h / 4.0)) / (side + ends);
    let rows = [
        ("solid sphere", &sphere, 0.0, [0.4 * r * r, 0.4 * r * r]),
        (
            "shell sphere",
            &sphere,
            1.0,
            [2.0 / 3.0 * r * r, 2.0 / 3.0 * r * r],
        ),
        (
            "half and half",
            &sphere,
            0.5,
            [8.0 / 15.0 * r * r, 8.0 / 15.0 * r * r],
        ),
        (
            "solid cylinder",
            &cylinder,
            0.0,
            [r * r / 2.0, (3.0 * r * r + h * h) / 12.0],
        ),
        ("shell cylinder", &cylinder, 1.0, [shell_z, shell_x]),
        ("solid capsule", &capsule, 0.0, [capsule_z, capsule_x]),
        (
            "solid ellipsoid",
            &ellipsoid,
            0.0,
            [0.4 * r * r, 0.4 * r * r],
        ),
        (
            "shell ellipsoid",
            &ellipsoid,
            1.0,
            [2.0 / 3.0 * r * r, 2.0 / 3.0 * r * r],
        ),
    ];
    for (what, geometry, fraction, expected) in rows {
        assert_close(what, &around_z(geometry, fraction), &expected, 1e-9);
    }
}

#[test]
fn a_mesh_weighs_like_the_shape_that_it_is() {
    let size = Vector::new(1.0, 2.0, 3.0);
    let cuboid = Primitive::cuboid(tilted(), size).unwrap();
    let mesh = cuboid.to_mesh().unwrap();
    let hull = ConvexHull::new(mesh.vertices()).unwrap();
    let exact = Geometry::from(cuboid);
    let inside_out = mesh
        .triangles()
        .iter()
        .map(|&[a, b, c]| [a, c, b])
        .collect();
    let inside_out = Mesh::new(mesh.vertices().to_vec(), inside_out).unwrap();
    for fraction in [0.0, 0.25, 1.0] {
        let expected = flat(&exact.mass_properties(7.0, fraction).unwrap());
        for (what, other) in [
            ("mesh", Geometry::from(mesh.clone())),
            ("hull", Geometry::from(hull.clone())),
            ("inside out", Geometry::from(inside_out.clone())),
        ] {
            let found = flat(&other.mass_properties(7.0, fraction).unwrap());
            assert_close(what, &found, &expected, 1e-12);
        }
    }
    // meshes of curved shapes are close, from below
    for shape in [
        Primitive::capsule(Point::new(1.0, 0.0, 0.0), Point::new(0.0, 2.0, 0.0), 0.5).unwrap(),
        Primitive::ellipsoid(tilted(), Vector::new(0.5, 1.0, 2.0)).unwrap(),
        Primitive::cylinder(
            Point::new(1.0, 0.0, 0.0),
            Vector::new(1.0, 1.0, 0.0),
            0.5,
            2.0,
        )
        .unwrap(),
    ] {
        let mesh = Geometry::from(shape.to_mesh().unwrap());
        let exact = Geometry::from(shape);
        for fraction in [0.0, 1.0] {
            let found = mesh.mass_properties(1.0, fraction).unwrap();
            let exact = exact.mass_properties(1.0, fraction).unwrap();
            let off = (found.moment - exact.moment).norm() / exact.moment.norm();
            assert!(off < 0.05 && (found.com - exact.com).norm() < 1e-3, "{off}");
        }
    }
}

#[test]
fn a_group_of_halves_weighs_like_the_whole() {
    let whole = Primitive::cuboid(tilted(), Vector::new(2.0, 1.0, 1.0)).unwrap();
    let half = |x: f64| {
        let cube = Primitive::cuboid(Pose::translation(x, 0.0, 0.0), Vector::repeat(1.0)).unwrap();
        (tilted(), Geometry::from(cube))
    };
    let group = Geometry::group(vec![half(-0.5), half(0.5)]);
    let expected = flat(&Geometry::from(whole).mass_properties(3.0, 0.0).unwrap());
    let found = flat(&group.mass_properties(3.0, 0.0).unwrap());
    assert_close("group", &found, &expected, 1e-12);
}

#[test]
fn flat_thin_and_empty_shapes_have_sensible_masses() {
    let square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    let square = square.map(|(x, y)| Point::new(x, y, 0.0)).to_vec();
    let plate: Geometry = Primitive::polygon(square.clone()).unwrap().into();
    let open: Geometry = Mesh::new(square.clone(), vec![[0, 1, 2], [0, 2, 3]])
        .unwrap()
        .into();
    let vertices: Geometry = PointCloud::new(square).unwrap().into();
    let (a, b) = (Point::new(0.5, 0.5, -1.0), Point::new(0.5, 0.5, 1.0));
    let rod: Geometry = Primitive::segment(a, b).unwrap().into();
    let middle = [0.5, 0.5, 0.0];
    for fraction in [0.0, 0.5, 1.0] {
        for (what, shape, moments) in [
            ("plate", &plate, [1.0 / 12.0, 1.0 / 12.0, 1.0 / 6.0]),
            ("open mesh", &open, [1.0 / 12.0, 1.0 / 12.0, 1.0 / 6.0]),
            ("points", &vertices, [0.25, 0.25, 0.5]),
            ("rod", &rod, [1.0 / 3.0, 1.0 / 3.0, 0.0]),
        ] {
            let found = shape.mass_properties(1.0, fraction).unwrap();
            assert_close(what, found.com.coords.as_slice(), &middle, 1e-12);
            assert_close(what, found.moment.diagonal().as_slice(), &moments, 1e-12);
        }
    }
    let nothing = Geometry::group(Vec::new())
        .mass_properties(2.0, 1.0)
        .unwrap();
    assert_eq!(flat(&nothing), vec![0.0; 12]);
    let weightless = plate.mass_properties(0.0, 1.0).unwrap();
    assert_eq!((weightless.mass, weightless.moment.norm()), (0.0, 0.0));
    assert_close("centre", weightless.com.coords.as_slice(), &middle, 1e-12);
    for (mass, fraction) in [(-1.0, 0.0), (f64::NAN, 0.0), (1.0, 1.5), (1.0, f64::NAN)] {
        let problem = invalid(plate.mass_properties(mass, fraction));
        let what = ["mass: must be", "surface fraction: must be"];
        assert!(what.iter().any(|w| problem.starts_with(w)), "{problem}");
    }
}
