//! `automass`: mass properties of meshes, as shells, as solids, or as something between.

use nalgebra::Matrix3;

use crate::geometry::{Geometry, Shape};
use crate::math::{Inertia, Point, Pose, Vector};

/// The mass properties of triangles of some mass.
///
/// A `surface_fraction` of 1 spreads the mass evenly over the surface, 0 over the volume inside, and what lies between
/// mixes the moments of the two. The moment is taken about `com` where that is given, else about the centre.
///
/// `None` where the shapes have no triangle with an area.
pub(crate) fn weigh(
    shapes: &[(Pose, Geometry)],
    mass: f64,
    surface_fraction: f64,
    com: Option<Point>,
) -> Option<Inertia> {
    let mut triangles = Vec::new();
    for (x, geometry) in shapes {
        collect(x, geometry, &mut triangles);
    }
    let first = triangles.first()?[0];

    // from a corner of the shape: far from the origin the moments would drown in rounding
    let (mut shell, mut solid) = (Moments::default(), Moments::default());
    for corners in &triangles {
        let [a, b, c] = corners.map(|corner| corner - first);
        let normal = (b - a).cross(&(c - a));
        shell.add(normal.norm() / 2.0, 1.0 / 3.0, 1.0 / 12.0, [a, b, c]);
        // the tetrahedron to the origin
        let volume = a.dot(&b.cross(&c)) / 6.0;
        solid.add(volume, 1.0 / 4.0, 1.0 / 20.0, [a, b, c]);
    }
    let (shell_mean, shell_square) = shell.per_measure()?;
    // a flat shape has no inside, so that all of it is surface
    let (solid_mean, solid_square) = solid.per_measure().unwrap_or((shell_mean, shell_square));
    let (f, g) = (surface_fraction, 1.0 - surface_fraction);
    let mean = shell_mean * f + solid_mean * g;
    let square = shell_square * f + solid_square * g;

    let center = com.map_or(mean, |com| com - first);
    let about_center = square - mean * center.transpose() - center * mean.transpose()
        + center * center.transpose();
    Some(Inertia {
        mass,
        com: first + center,
        moment: (Matrix3::identity() * about_center.trace() - about_center) * mass,
    })
}

/// Appends the corners of all triangles; other shapes have none.
fn collect(x: &Pose, geometry: &Geometry, triangles: &mut Vec<[Point; 3]>) {
    match geometry.shape() {
        Shape::Mesh(mesh) => triangles.extend(mesh.corners().map(|t| t.map(|p| x * p))),
        Shape::Group(members) => {
            for (pose, member) in members {
                collect(&(x * pose), member, triangles);
            }
        }
        _ => {}
    }
}

/// Integrals over a shape.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    /// Area or volume.
    measure: f64,
    /// Of the position.
    first: Vector,
    /// Of the position times itself.
    second: Matrix3<f64>,
}

impl Moments {
    /// Adds a triangle, or the tetrahedron from the origin to it: the integrals of a simplex over its corners.
    fn add(&mut self, measure: f64, first: f64, second: f64, corners: [Vector; 3]) {
        let sum: Vector = corners.iter().sum();
        let squares: Matrix3<f64> = corners.iter().map(|p| p * p.transpose()).sum();
        self.measure += measure;
        self.first += sum * (measure * first);
        self.second += (squares + sum * sum.transpose()) * (measure * second);
    }

    /// Mean position and mean square.
    fn per_measure(&self) -> Option<(Vector, Matrix3<f64>)> {
        let inverse = 1.0 / self.measure;
        inverse
            .is_finite()
            .then(|| (self.first * inverse, self.second * inverse))
    }
}
