//! Primitives fitted to meshes: a geom of another type that names a mesh.

use nalgebra::{Matrix3, Translation3, Vector3};

use super::asset::MeshAsset;
use super::geom::Kind;
use super::model::GeomShape;
use crate::geometry::Shape;
use crate::math::{Inertia, Pose, Rotation};

/// The primitive of a kind for a mesh, and its pose in the frame of the mesh; `None` where the mesh is not loaded.
pub(super) fn fitted(
    asset: &MeshAsset,
    kind: Kind,
    by_aabb: bool,
    scale: f64,
) -> Option<(GeomShape, Pose)> {
    let solid = asset.solid.as_ref()?;
    let (mut pose, moments) = principal(solid);
    let shape = if by_aabb {
        let Shape::Mesh(mesh) = asset.geometry.as_ref()?.shape() else {
            return None;
        };
        let inverse = pose.inverse();
        let local = || mesh.vertices().iter().map(|p| (inverse * p).coords);
        let low = local().fold(Vector3::repeat(f64::INFINITY), |a, b| a.inf(&b));
        let high = local().fold(Vector3::repeat(f64::NEG_INFINITY), |a, b| a.sup(&b));
        let half = (high - low) / 2.0;
        pose *= Translation3::from((low + high) / 2.0);
        match kind {
            Kind::Sphere => GeomShape::Sphere(half.max() * scale),
            Kind::Capsule => {
                let radius = half.x.max(half.y) * scale;
                GeomShape::Capsule(radius, (half.z * scale - radius).max(0.0))
            }
            Kind::Cylinder => GeomShape::Cylinder(half.x.max(half.y) * scale, half.z * scale),
            Kind::Ellipsoid => GeomShape::Ellipsoid((half * scale).into()),
            _ => GeomShape::Box((half * scale).into()),
        }
    } else {
        // the box of the same mass and moments
        let [x, y, z] = moments;
        let half =
            |a: f64, b: f64, c: f64| scale * (6.0 * (b + c - a) / solid.mass).max(0.0).sqrt() / 2.0;
        let [x, y, z] = [half(x, y, z), half(y, x, z), half(z, x, y)];
        match kind {
            Kind::Sphere => GeomShape::Sphere((x + y + z) / 3.0),
            Kind::Capsule => {
                let radius = (x + y) / 2.0;
                GeomShape::Capsule(radius, (z - radius / 2.0).max(0.0))
            }
            Kind::Cylinder => GeomShape::Cylinder((x + y) / 2.0, z),
            Kind::Ellipsoid => GeomShape::Ellipsoid([x, y, z]),
            _ => GeomShape::Box([x, y, z]),
        }
    };
    Some((shape, pose))
}

/// The pose of the principal axes, largest moment first, and the moments along them.
pub(super) fn principal(inertia: &Inertia) -> (Pose, [f64; 3]) {
    let moment = (inertia.moment + inertia.moment.transpose()) / 2.0;
    let eigen = moment.symmetric_eigen();
    let values = eigen.eigenvalues.iter().copied();
    let axes = eigen
        .eigenvectors
        .column_iter()
        .map(|axis| axis.into_owned());
    let mut pairs: Vec<_> = values.zip(axes).collect();
    pairs.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let pairs = <[(f64, Vector3<f64>); 3]>::try_from(pairs);
    let [(a, x), (b, y), (c, _)] = pairs.expect("a 3 × 3 matrix has three axes");
    let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
    let moments = [a, b, c];
    let position = Translation3::from(inertia.com.coords);
    (
        Pose::from_parts(position, Rotation::from_matrix_unchecked(axes)),
        moments,
    )
}
