//! Inertia of solids: textbook formulas, the shapes' own integrals, and fine meshes.

#![expect(clippy::float_cmp, reason = "the numbers are equal to the last bit")]

use kinworld::geometry::{Geometry, Primitive};
use kinworld::math::Inertia;
use kinworld::{Point, Pose, Vector};
use nalgebra::Matrix3;
use proptest::prelude::*;

use random_robots::cases;

fn close(a: &Inertia, b: &Inertia, tolerance: f64) -> bool {
    let size = b.moment.amax();
    a.mass == b.mass
        && (a.com - b.com).amax() <= tolerance
        && (a.moment - b.moment).amax() <= tolerance * size
}

fn solid(primitive: kinworld::Result<Primitive>, mass: f64) -> Inertia {
    Geometry::from(primitive.unwrap())
        .mass_properties(mass, 0.0)
        .unwrap()
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn solids_have_the_moments_of_their_shapes(
        mass in 0.1..10.0_f64,
        r in 0.05..2.0_f64,
        h in 0.05..3.0_f64,
        w in 0.05..2.0_f64,
    ) {
        let (o, z) = (Point::origin(), Vector::z());
        let size = Vector::new(r, h, w);
        let cuboid = solid(Primitive::cuboid(Pose::identity(), size), mass);
        prop_assert!(close(&Inertia::cuboid(mass, size).unwrap(), &cuboid, 1e-14));
        let sphere = solid(Primitive::sphere(o, r), mass);
        prop_assert!(close(&Inertia::sphere(mass, r).unwrap(), &sphere, 1e-14));
        let cylinder = solid(Primitive::cylinder(o, z, r, h), mass);
        prop_assert!(close(&Inertia::cylinder(mass, r, h).unwrap(), &cylinder, 1e-14));
        let end = Point::from(z * (0.5 * h));
        let capsule = solid(Primitive::capsule(-end, end, r), mass);
        prop_assert!(close(&Inertia::capsule(mass, r, h).unwrap(), &capsule, 1e-13));
        let rod = solid(Primitive::segment(-end, end), mass);
        prop_assert!(close(&Inertia::rod(mass, h).unwrap(), &rod, 1e-14));
    }
}

#[test]
fn moments_are_those_of_the_textbook() {
    let diagonal = |i: Inertia| {
        assert_eq!(i.com, Point::origin());
        assert_eq!(i.moment, Matrix3::from_diagonal(&i.moment.diagonal()));
        i.moment.diagonal()
    };
    let near = |a: Vector, b: [f64; 3]| assert!((a - Vector::from(b)).amax() < 1e-14, "{a} {b:?}");
    near(
        diagonal(Inertia::cuboid(12.0, Vector::new(1.0, 2.0, 3.0)).unwrap()),
        [13.0, 10.0, 5.0],
    );
    near(diagonal(Inertia::sphere(5.0, 2.0).unwrap()), [8.0; 3]);
    near(
        diagonal(Inertia::cylinder(12.0, 2.0, 3.0).unwrap()),
        [21.0, 21.0, 24.0],
    );
    near(diagonal(Inertia::rod(12.0, 2.0).unwrap()), [4.0, 4.0, 0.0]);

    // a capsule of radius 3 and length 4 has half of its volume in the cylinder and half in the ends
    let across =
        0.5 * (27.0 + 16.0) / 12.0 + 0.5 * (83.0 / 320.0 * 9.0 + (2.0_f64 + 9.0 / 8.0).powi(2));
    near(
        diagonal(Inertia::capsule(1.0, 3.0, 4.0).unwrap()),
        [across, across, 0.5 * 4.5 + 0.5 * 3.6],
    );
}

#[test]
fn fine_meshes_have_nearly_the_same_moments() {
    // the meshes of the shapes lie inside: 20 sides
    let end = Point::new(0.0, 0.0, 0.4);
    let shapes = [
        (
            Primitive::cuboid(Pose::identity(), Vector::new(0.3, 0.4, 0.5)),
            1e-14,
        ),
        (Primitive::sphere(Point::origin(), 0.3), 0.05),
        (
            Primitive::cylinder(Point::origin(), Vector::z(), 0.2, 0.8),
            0.04,
        ),
        (Primitive::capsule(-end, end, 0.2), 0.06),
    ];
    let ours = [
        Inertia::cuboid(2.0, Vector::new(0.3, 0.4, 0.5)),
        Inertia::sphere(2.0, 0.3),
        Inertia::cylinder(2.0, 0.2, 0.8),
        Inertia::capsule(2.0, 0.2, 0.8),
    ];
    for ((shape, tolerance), ours) in shapes.into_iter().zip(ours) {
        let mesh = Geometry::from(shape.unwrap().to_mesh().unwrap());
        let meshed = mesh.mass_properties(2.0, 0.0).unwrap();
        assert!(close(&meshed, &ours.unwrap(), tolerance), "{meshed:?}");
    }
}

#[test]
fn bad_masses_and_sizes_are_refused_by_name() {
    let refused = |result: kinworld::Result<Inertia>| result.unwrap_err().to_string();
    assert_eq!(
        refused(Inertia::sphere(-1.0, 1.0)),
        "inertia of a sphere: its mass must be a number from 0 up, got -1"
    );
    assert_eq!(
        refused(Inertia::cylinder(1.0, 1.0, 0.0)),
        "inertia of a cylinder: its height must be a positive number, got 0"
    );
    assert!(refused(Inertia::cuboid(1.0, Vector::new(1.0, f64::NAN, 1.0))).contains("edge length"));
    assert!(refused(Inertia::capsule(1.0, f64::INFINITY, 1.0)).contains("radius"));
    assert!(refused(Inertia::rod(f64::NAN, 1.0)).contains("mass"));
    assert_eq!(Inertia::rod(0.0, 1.0).unwrap().moment, Matrix3::zeros());
}
