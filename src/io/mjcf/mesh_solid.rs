//! Volume, centre and moment of inertia of meshes, with MuJoCo's algorithms.

use nalgebra::Matrix3;

use crate::math::{Inertia, Point, Vector};

/// How a mesh has mass: `inertia` of `<mesh>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MeshInertia {
    Convex,
    Exact,
    /// Pyramids below faces count as positive, whichever way the face looks.
    Legacy,
    Shell,
}

/// The body of density 1 inside a mesh, or its surface; `None` where it has no volume.
pub(super) fn of(faces: &[[Point; 3]], rule: MeshInertia) -> Option<Inertia> {
    let center = face_center(faces)?;
    let com = centroid(faces, rule, center)?;
    // positive pyramids of a shape that is not convex add up to another volume from each point: this one counts
    let mass = faces.iter().map(|face| weight(face, com, rule)).sum();
    (mass > MIN_VOLUME).then(|| Inertia {
        mass,
        com,
        moment: moment(faces, rule, com),
    })
}

/// Smallest volume that is one, as in MuJoCo.
const MIN_VOLUME: f64 = 1e-14;

/// Twice the area vector of a face.
fn normal([a, b, c]: &[Point; 3]) -> Vector {
    (b - a).cross(&(c - a))
}

/// The centre of the surface.
fn face_center(faces: &[[Point; 3]]) -> Option<Point> {
    let mut sum = Vector::zeros();
    let mut total = 0.0;
    for face in faces {
        let area = normal(face).norm() / 2.0;
        sum += middle(face).coords * area;
        total += area;
    }
    (total > 0.0).then(|| Point::from(sum / total))
}

fn middle([a, b, c]: &[Point; 3]) -> Point {
    Point::from((a.coords + b.coords + c.coords) / 3.0)
}

/// The mass of the pyramid from a point to a face, or of the face.
fn weight(face: &[Point; 3], from: Point, rule: MeshInertia) -> f64 {
    let volume = (middle(face) - from).dot(&normal(face)) / 6.0;
    match rule {
        MeshInertia::Legacy => volume.abs(),
        MeshInertia::Shell => normal(face).norm() / 2.0,
        MeshInertia::Convex | MeshInertia::Exact => volume,
    }
}

fn centroid(faces: &[[Point; 3]], rule: MeshInertia, from: Point) -> Option<Point> {
    let mut sum = Vector::zeros();
    let mut total = 0.0;
    for face in faces {
        let weight = weight(face, from, rule);
        let center = match rule {
            MeshInertia::Shell => middle(face).coords,
            _ => middle(face).coords * 0.75 + from.coords * 0.25,
        };
        sum += center * weight;
        total += weight;
    }
    (total > MIN_VOLUME).then(|| Point::from(sum / total))
}

fn moment(faces: &[[Point; 3]], rule: MeshInertia, com: Point) -> Matrix3<f64> {
    // second moments of pyramids with the tip at the centre, or of faces
    let divisor = if rule == MeshInertia::Shell {
        12.0
    } else {
        20.0
    };
    let mut second = Matrix3::zeros();
    for face in faces {
        let [a, b, c] = face.map(|p| p - com);
        let sum = a + b + c;
        let squares = a * a.transpose() + b * b.transpose() + c * c.transpose();
        let products = sum * sum.transpose() + squares;
        second += products * (weight(face, com, rule) / divisor);
    }
    Matrix3::from_diagonal_element(second.trace()) - second
}
