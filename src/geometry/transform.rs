//! Affine maps of shapes.

use nalgebra::{Matrix3, Matrix4};

use super::bounds::Aabb;
use super::check::is_finite;
use super::hull::ConvexHull;
use super::primitive::{Primitive, PrimitiveKind};
use super::{Geometry, Shape};
use crate::math::{Point, Pose, Rotation, Vector};
use crate::{Error, Result};

/// Invertible affine map: linear part and translation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Affine {
    linear: Matrix3<f64>,
    translation: Vector,
}

impl Affine {
    /// Splits and validates a homogeneous matrix.
    pub(super) fn new(map: &Matrix4<f64>) -> Result<Self> {
        let what = "transformation matrix";
        let last = map.row(3);
        if (0..3).any(|k| last[k] != 0.0) || (last[3] - 1.0).abs() > 0.0 {
            return Err(Error::invalid(what, "its last row must be 0 0 0 1"));
        }
        let linear: Matrix3<f64> = map.fixed_view::<3, 3>(0, 0).into_owned();
        let translation: Vector = map.fixed_view::<3, 1>(0, 3).into_owned();
        if !is_finite(&translation) || linear.iter().any(|c| !c.is_finite()) {
            return Err(Error::invalid(what, "is not finite"));
        }
        let volume = (linear / linear.amax()).determinant();
        let has_inverse = volume.abs() > 1e-12;
        if !has_inverse {
            return Err(Error::invalid(what, "is singular"));
        }
        Ok(Self {
            linear,
            translation,
        })
    }

    /// Maps a point.
    pub(super) fn point(&self, p: &Point) -> Point {
        Point::from(self.linear * p.coords + self.translation)
    }

    /// Returns whether it reverses orientation.
    pub(super) fn is_reflection(&self) -> bool {
        self.linear.determinant() < 0.0
    }

    /// Scale factor of all lengths, `None` where it depends on the direction.
    fn uniform_scale(&self) -> Option<f64> {
        let gram = self.linear.transpose() * self.linear;
        let square = gram.trace() / 3.0;
        let rest = (gram - Matrix3::identity() * square).amax();
        (rest <= SAME * square).then(|| square.sqrt())
    }

    /// The rigid motion, `None` where the map scales or reflects.
    fn pose(&self) -> Option<Pose> {
        let scale = self.uniform_scale()?;
        ((scale - 1.0).abs() <= SAME && !self.is_reflection()).then(|| {
            let rotation = Rotation::from_matrix_unchecked(self.linear);
            Pose::from_parts(self.translation.into(), rotation)
        })
    }
}

/// Relative tolerance of lengths and right angles.
const SAME: f64 = 1e-9;

impl Geometry {
    /// The shape after an affine map of its own frame, baked in; margin and solidity are kept.
    ///
    /// The kind of a primitive changes as needed: a sphere scaled along one axis becomes an ellipsoid, a sheared box a
    /// convex hull.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the matrix is not affine or not invertible or a result is not finite, and for a
    /// cylinder or capsule that would no longer be one: convert it by [`to_mesh`](Self::to_mesh) first.
    #[doc(alias = "transform")]
    pub fn transformed(&self, map: &Matrix4<f64>) -> Result<Self> {
        let shape = match self.shape() {
            Shape::Mesh(mesh) => Shape::Mesh(mesh.transformed(map)?),
            Shape::Hull(hull) => Shape::Hull(hull.transformed(map)?),
            Shape::Cloud(cloud) => Shape::Cloud(cloud.transformed(map)?),
            Shape::Primitive(primitive) => transform_primitive(primitive.kind(), map)?,
            Shape::Group(members) => {
                let rigid = Affine::new(map)?.pose();
                let moved = members.iter().map(|(pose, member)| match rigid {
                    Some(motion) => Ok((motion * pose, member.clone())),
                    None => {
                        let map_in_world = map * pose.to_homogeneous();
                        Ok((Pose::identity(), member.transformed(&map_in_world)?))
                    }
                });
                Shape::Group(moved.collect::<Result<_>>()?)
            }
        };
        Ok(self.with_shape(shape))
    }

    /// The shape translated in its own frame, baked in.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the translation is not finite.
    pub fn translated(&self, by: &Vector) -> Result<Self> {
        self.transformed(&Matrix4::new_translation(by))
    }

    /// The shape rotated about the origin of its own frame, baked in.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the rotation is not finite.
    pub fn rotated(&self, by: &Rotation) -> Result<Self> {
        self.transformed(&by.to_homogeneous())
    }

    /// The shape scaled about the origin of its own frame by one factor per axis, baked in.
    ///
    /// # Errors
    ///
    /// As [`transformed`](Self::transformed).
    pub fn scaled(&self, factors: [f64; 3]) -> Result<Self> {
        self.transformed(&Matrix4::new_nonuniform_scaling(&factors.into()))
    }
}

fn transform_primitive(kind: &PrimitiveKind, map: &Matrix4<f64>) -> Result<Shape> {
    let affine = Affine::new(map)?;
    let (at, scale) = (|p: &Point| affine.point(p), affine.uniform_scale());
    let moved = match kind {
        PrimitiveKind::Point(p) => Primitive::point(at(p)),
        PrimitiveKind::Segment { a, b } => Primitive::segment(at(a), at(b)),
        PrimitiveKind::Triangle { a, b, c } => Primitive::triangle(at(a), at(b), at(c)),
        PrimitiveKind::Polygon { vertices } => {
            Primitive::polygon(vertices.iter().map(at).collect())
        }
        PrimitiveKind::Sphere { center, radius } => match scale {
            Some(s) => Primitive::sphere(at(center), radius * s),
            None => ellipsoid(at(center), affine.linear * *radius),
        },
        PrimitiveKind::Ellipsoid { pose, radii } => {
            let axes = pose.rotation.matrix() * Matrix3::from_diagonal(radii);
            ellipsoid(at(&pose.translation.vector.into()), affine.linear * axes)
        }
        PrimitiveKind::Capsule { a, b, radius } => match scale {
            Some(s) => Primitive::capsule(at(a), at(b), radius * s),
            None => Err(no_longer("capsule")),
        },
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => {
            let (u, v) = orthogonal_to(axis);
            let edges = affine.linear * Matrix3::from_columns(&[u, v, *axis]);
            let [u, v, w] = [0, 1, 2].map(|k| edges.column(k).norm());
            if !is_box(&edges) || (u - v).abs() > SAME * u {
                return Err(no_longer("cylinder"));
            }
            Primitive::cylinder(at(center), edges.column(2).into(), radius * u, height * w)
        }
        PrimitiveKind::Box { pose, size } => {
            let axes = pose.rotation.matrix() * Matrix3::from_diagonal(size);
            return cuboid(at(&pose.translation.vector.into()), &(affine.linear * axes));
        }
        PrimitiveKind::Aabb(aabb) => {
            let edges = affine.linear * Matrix3::from_diagonal(&(aabb.max - aabb.min));
            let along_axes =
                (0..3).all(|k| edges.column(k).iter().filter(|c| **c != 0.0).count() <= 1);
            if !along_axes {
                return cuboid(at(&aabb.center()), &edges);
            }
            let corners = Aabb::around([at(&aabb.min), at(&aabb.max)]).expect("two points");
            Primitive::aabb(corners.min, corners.max)
        }
    };
    Ok(Shape::Primitive(moved?))
}

fn no_longer(what: &str) -> Error {
    let problem = "this map changes its kind; convert it to a mesh first";
    Error::invalid(format!("scaled {what}"), problem)
}

/// Image of the unit sphere under a linear map.
fn ellipsoid(center: Point, of_sphere: Matrix3<f64>) -> Result<Primitive> {
    let svd = of_sphere.svd(true, false);
    let mut axes = svd.u.expect("computed on request");
    if axes.determinant() < 0.0 {
        axes.neg_mut();
    }
    let rotation = Rotation::from_matrix_unchecked(axes);
    Primitive::ellipsoid(
        Pose::from_parts(center.coords.into(), rotation),
        svd.singular_values,
    )
}

/// The box with these edges, or the hull of its corners where the edges are not at right angles.
fn cuboid(center: Point, edges: &Matrix3<f64>) -> Result<Shape> {
    if is_box(edges) {
        let size = Vector::from_fn(|k, _| edges.column(k).norm());
        let mut axes = Matrix3::from_columns(&[0, 1, 2].map(|k| edges.column(k) / size[k]));
        if axes.determinant() < 0.0 {
            axes.neg_mut();
        }
        let pose = Pose::from_parts(center.coords.into(), Rotation::from_matrix_unchecked(axes));
        return Ok(Shape::Primitive(Primitive::cuboid(pose, size)?));
    }
    let corner = |i: usize| {
        let signs = Vector::from_fn(|k, _| if i >> k & 1 == 0 { -0.5 } else { 0.5 });
        center + edges * signs
    };
    let corners: Vec<Point> = (0..8).map(corner).collect();
    Ok(Shape::Hull(ConvexHull::new(&corners)?))
}

/// Returns whether three edges are at right angles.
fn is_box(edges: &Matrix3<f64>) -> bool {
    let gram = edges.transpose() * edges;
    [(0, 1), (0, 2), (1, 2)]
        .iter()
        .all(|&(i, j)| gram[(i, j)].abs() <= SAME * (gram[(i, i)] * gram[(j, j)]).sqrt())
}

/// Two unit vectors that make a right-handed frame with a unit vector.
pub(super) fn orthogonal_to(axis: &Vector) -> (Vector, Vector) {
    let u = axis.cross(&Vector::ith(axis.iamin(), 1.0)).normalize();
    (u, axis.cross(&u))
}
