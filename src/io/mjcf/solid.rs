//! Volumes and moments of inertia of the shapes of geoms, with MuJoCo's formulas.

use std::f64::consts::PI;

use nalgebra::{Matrix3, Vector3};

use super::model::GeomShape;

/// A shape of density 1 about its own centre and along its own axes: mass and principal moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Solid {
    pub(super) mass: f64,
    pub(super) moments: [f64; 3],
}

impl Solid {
    /// The moment of inertia for a mass.
    pub(super) fn moment(&self, mass: f64) -> Matrix3<f64> {
        Matrix3::from_diagonal(&(Vector3::from(self.moments) * (mass / self.mass)))
    }
}

/// The volume and moments of a primitive; those of its surface for a shell. `None` for a shape that has no mass.
pub(super) fn of(shape: &GeomShape, is_shell: bool) -> Option<Solid> {
    Some(match (shape, is_shell) {
        (&GeomShape::Sphere(r), false) => uniform(4.0 / 3.0 * PI * r.powi(3), 0.4 * r * r),
        (&GeomShape::Sphere(r), true) => uniform(4.0 * PI * r * r, 2.0 / 3.0 * r * r),
        (&GeomShape::Capsule(r, half), false) => capsule(r, 2.0 * half),
        (&GeomShape::Capsule(r, half), true) => capsule_shell(r, 2.0 * half),
        (&GeomShape::Cylinder(r, half), false) => {
            let (h, mass) = (2.0 * half, PI * r * r * 2.0 * half);
            let across = mass * (3.0 * r * r + h * h) / 12.0;
            around(mass, across, mass * r * r / 2.0)
        }
        (&GeomShape::Cylinder(r, half), true) => cylinder_shell(r, 2.0 * half),
        (&GeomShape::Ellipsoid(radii), false) => ellipsoid(radii),
        (&GeomShape::Ellipsoid(radii), true) => ellipsoid_shell(radii),
        (&GeomShape::Box([x, y, z]), false) => {
            let mass = 8.0 * x * y * z;
            let moment = |a: f64, b: f64| mass * (a * a + b * b) / 3.0;
            let moments = [moment(y, z), moment(x, z), moment(x, y)];
            Solid { mass, moments }
        }
        (&GeomShape::Box(half), true) => box_shell(half),
        _ => return None,
    })
}

fn uniform(mass: f64, per_mass: f64) -> Solid {
    let moments = [mass * per_mass; 3];
    Solid { mass, moments }
}

/// A body of revolution about z.
fn around(mass: f64, across: f64, along: f64) -> Solid {
    let moments = [across, across, along];
    Solid { mass, moments }
}

fn capsule(r: f64, h: f64) -> Solid {
    let (ball, tube) = (4.0 / 3.0 * PI * r.powi(3), PI * r * r * h);
    let in_ball = 0.4 * ball * r * r;
    let across =
        tube * (3.0 * r * r + h * h) / 12.0 + in_ball + ball * h * (3.0 * r + 2.0 * h) / 8.0;
    around(ball + tube, across, tube * r * r / 2.0 + in_ball)
}

fn capsule_shell(r: f64, h: f64) -> Solid {
    let (ball, tube) = (4.0 * PI * r * r, 2.0 * PI * r * h);
    let in_ball = 2.0 / 3.0 * ball * r * r;
    // the centre of a hemisphere is half a radius above its rim
    let shift = (h / 2.0 + r / 2.0).powi(2) - (r / 2.0).powi(2);
    let across = tube * (6.0 * r * r + h * h) / 12.0 + in_ball + ball * shift;
    around(ball + tube, across, tube * r * r + in_ball)
}

fn cylinder_shell(r: f64, h: f64) -> Solid {
    let (ends, tube) = (2.0 * PI * r * r, 2.0 * PI * r * h);
    let across = tube * (6.0 * r * r + h * h) / 12.0 + ends * (r * r / 4.0 + h * h / 4.0);
    around(ends + tube, across, tube * r * r + ends * r * r / 2.0)
}

fn ellipsoid([a, b, c]: [f64; 3]) -> Solid {
    let mass = 4.0 / 3.0 * PI * a * b * c;
    let moment = |a: f64, b: f64| mass * (a * a + b * b) / 5.0;
    let moments = [moment(b, c), moment(a, c), moment(a, b)];
    Solid { mass, moments }
}

/// The difference of two ellipsoids, as MuJoCo approximates it; the area by Thomsen's formula.
fn ellipsoid_shell(radii: [f64; 3]) -> Solid {
    const EPS: f64 = 1e-6;
    const P: f64 = 1.6075;
    let [a, b, c] = radii;
    let powers = (a * b).powf(P) + (b * c).powf(P) + (c * a).powf(P);
    let mass = 4.0 * PI * (powers / 3.0).powf(1.0 / P);
    let (inner, outer) = (ellipsoid(radii), ellipsoid(radii.map(|r| r + EPS)));
    let per_mass = mass / (outer.mass - inner.mass);
    let [x, y, z] = inner.moments;
    let [u, v, w] = outer.moments;
    let moments = [u - x, v - y, w - z].map(|moment| moment * per_mass);
    Solid { mass, moments }
}

fn box_shell([x, y, z]: [f64; 3]) -> Solid {
    // pairs of faces normal to x, y and z, each with sides 2u and 2v
    let faces = [
        (8.0 * y * z, [0.0, y, z], x, 0),
        (8.0 * x * z, [x, 0.0, z], y, 1),
        (8.0 * x * y, [x, y, 0.0], z, 2),
    ];
    let mut solid = Solid {
        mass: 0.0,
        moments: [0.0; 3],
    };
    for (area, [u, v, w], shift, normal) in faces {
        solid.mass += area;
        let squares = [v * v + w * w, u * u + w * w, u * u + v * v];
        for (axis, (moment, square)) in solid.moments.iter_mut().zip(squares).enumerate() {
            let away = if axis == normal { 0.0 } else { shift * shift };
            *moment += area * (square / 3.0 + away);
        }
    }
    solid
}
