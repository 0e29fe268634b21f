//! Shapes and the questions asked about them. Floor 1; the only room that knows parry3d.
//!
//! A [`Geometry`] is a shape in its own frame: a triangle [`Mesh`], a [`Primitive`], a [`ConvexHull`], a [`PointCloud`]
//! or a group of these. It is cheap to clone and knows no pose; the questions in [`query`] take one
//! beside it, and [`Placed`] keeps the two together.
//!
//! # What collides
//!
//! * Primitives and hulls are solid. Meshes and clouds are surfaces: a body wholly inside a closed mesh is free,
//!   unless the mesh is marked [solid](Geometry::with_solid).
//! * Touching collides. The [margins](Geometry::with_margin) of both shapes count: `distance = max(0, gap − margins)`.
//! * Two shapes collide exactly when their distance is 0, in either order.

use std::sync::{Arc, OnceLock};

mod appearance;
mod bounds;
mod check;
mod cloud;
mod convert;
mod ears;
mod hull;
mod mass;
mod materials;
mod mesh;
mod narrow;
mod parry;
mod parts;
mod placed;
mod polygon;
mod prepare;
mod primitive;
pub mod query;
mod spheres;
mod transform;

pub use appearance::Appearance;
pub use bounds::Aabb;
pub use cloud::PointCloud;
pub use hull::ConvexHull;
pub use materials::{MaterialRange, MeshMaterials};
pub use mesh::Mesh;
pub use parts::{ConvexParts, PartOptions};
pub use placed::Placed;
pub use primitive::{Primitive, PrimitiveKind};
pub use spheres::{Sphere, SphereCover};

pub(crate) use check::{check_direction, check_pose};
pub(crate) use ears::clip_ears;
pub(crate) use prepare::prepare_all;

use crate::math::Pose;
use crate::{Error, Result};
use narrow::Body;

/// A shape that can collide, in its own frame; cheap to clone.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "RawGeometry", into = "RawGeometry")
)]
pub struct Geometry {
    inner: Arc<Inner>,
    margin: f64,
    solid: bool,
}

/// What clones share.
#[derive(Debug)]
struct Inner {
    shape: Shape,
    body: OnceLock<Body>,
}

/// What a [`Geometry`] is, to match on.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// Points.
    Cloud(PointCloud),
    /// Several geometries as one, each at its place.
    Group(Vec<(Pose, Geometry)>),
    /// A solid convex hull.
    Hull(ConvexHull),
    /// A surface of triangles.
    Mesh(Mesh),
    /// A solid or flat shape of a few numbers.
    Primitive(Primitive),
}

impl Geometry {
    fn from_shape(shape: Shape) -> Self {
        Self {
            inner: Arc::new(Inner {
                shape,
                body: OnceLock::new(),
            }),
            margin: 0.0,
            solid: false,
        }
    }

    /// Another shape with the margin and the solidity of this one.
    fn with_shape(&self, shape: Shape) -> Self {
        Self {
            margin: self.margin,
            solid: self.solid,
            ..Self::from_shape(shape)
        }
    }

    /// Several geometries as one, each at its place; a member keeps its own margin and solidity.
    #[must_use]
    pub fn group(members: Vec<(Pose, Self)>) -> Self {
        Self::from_shape(Shape::Group(members))
    }

    /// What it is.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.inner.shape
    }

    /// How far the surface reaches beyond the shape, m.
    #[must_use]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The same shape, treated as if it reached `margin` metres farther in every direction.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a margin that is negative or not finite.
    pub fn with_margin(mut self, margin: f64) -> Result<Self> {
        if !(margin.is_finite() && margin >= 0.0) {
            let problem = format!("must be a number from 0 up, got {margin}");
            return Err(Error::invalid("collision margin", problem));
        }
        self.margin = margin;
        Ok(self)
    }

    /// Whether a body wholly inside collides.
    ///
    /// Always so for primitives and hulls, never for point clouds; a group is solid when all its members are.
    #[must_use]
    pub fn is_solid(&self) -> bool {
        match self.shape() {
            Shape::Primitive(_) | Shape::Hull(_) => true,
            Shape::Cloud(_) => false,
            Shape::Mesh(_) => self.solid,
            Shape::Group(members) => self.solid || members.iter().all(|(_, m)| m.is_solid()),
        }
    }

    /// The same shape with its meshes marked as solid, or as surfaces; on a group it reaches every member.
    ///
    /// The mesh should be [closed](Mesh::is_closed); small holes do no harm: a point is inside where the surface turns
    /// around it more than half.
    #[must_use]
    pub fn with_solid(mut self, solid: bool) -> Self {
        if let Shape::Group(members) = self.shape() {
            let members = members
                .iter()
                .map(|(pose, m)| (*pose, m.clone().with_solid(solid)));
            self = self.with_shape(Shape::Group(members.collect()));
        }
        self.solid = solid;
        self
    }

    /// What tells this shape from others that are alive: what its clones share, its margin and its solidity.
    pub(crate) fn identity(&self) -> (usize, u64, bool) {
        let shared = Arc::as_ptr(&self.inner).cast::<()>().addr();
        (shared, self.margin.to_bits(), self.solid)
    }

    /// A number that clones share, whatever their margins, and no other living geometry has.
    pub(crate) fn shape_identity(&self) -> usize {
        Arc::as_ptr(&self.inner) as usize
    }

    /// The number of triangles in meshes, before any welding; primitives and hulls have none.
    #[must_use]
    pub fn n_triangles(&self) -> usize {
        match self.shape() {
            Shape::Mesh(mesh) => mesh.triangles().len(),
            Shape::Group(members) => members.iter().map(|(_, m)| m.n_triangles()).sum(),
            _ => 0,
        }
    }
}

impl PartialEq for Geometry {
    fn eq(&self, other: &Self) -> bool {
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits();
        same(self.margin, other.margin)
            && self.solid == other.solid
            && (Arc::ptr_eq(&self.inner, &other.inner) || self.shape() == other.shape())
    }
}

impl From<Mesh> for Geometry {
    fn from(mesh: Mesh) -> Self {
        Self::from_shape(Shape::Mesh(mesh))
    }
}

impl From<Primitive> for Geometry {
    fn from(primitive: Primitive) -> Self {
        Self::from_shape(Shape::Primitive(primitive))
    }
}

impl From<ConvexHull> for Geometry {
    fn from(hull: ConvexHull) -> Self {
        Self::from_shape(Shape::Hull(hull))
    }
}

impl From<PointCloud> for Geometry {
    fn from(cloud: PointCloud) -> Self {
        Self::from_shape(Shape::Cloud(cloud))
    }
}

/// The serialized form, checked again when it is read.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RawGeometry {
    shape: Shape,
    #[serde(default)]
    margin: f64,
    #[serde(default)]
    solid: bool,
}

#[cfg(feature = "serde")]
impl TryFrom<RawGeometry> for Geometry {
    type Error = Error;

    fn try_from(raw: RawGeometry) -> Result<Self> {
        let mut geometry = Self::from_shape(raw.shape).with_margin(raw.margin)?;
        geometry.solid = raw.solid;
        Ok(geometry)
    }
}

#[cfg(feature = "serde")]
impl From<Geometry> for RawGeometry {
    fn from(geometry: Geometry) -> Self {
        Self {
            shape: geometry.shape().clone(),
            margin: geometry.margin,
            solid: geometry.solid,
        }
    }
}
