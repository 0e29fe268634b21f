//! Shapes, and queries about them. Layer 1; the only module that uses parry3d.
//!
//! A [`Geometry`] is a shape in its own frame: a triangle [`Mesh`], a [`Primitive`], a [`ConvexHull`], a [`PointCloud`]
//! or a group of these. It is cheap to clone and has no pose: functions in [`query`] take one beside it, and [`Placed`]
//! stores the two together.
//!
//! # Collision rules
//!
//! * Primitives and hulls are solid. Meshes and clouds are surfaces: a body wholly inside a closed mesh does not
//!   collide, unless the mesh is marked [solid](Geometry::with_solid).
//! * Touching collides. The [margins](Geometry::with_margin) of both shapes count: `distance = max(0, separation −
//!   margins)`.
//! * Two shapes collide exactly when their distance is 0, in either order.

use std::sync::{Arc, OnceLock};

mod appearance;
mod bounds;
mod check;
mod cloud;
mod convert;
mod ear_clipping;
mod hull;
#[cfg(feature = "parry")]
pub mod interop;
mod mass;
mod materials;
mod mesh;
mod narrow;
mod octree;
mod parry;
mod parts;
mod placed;
mod points;
mod polygon;
mod prepare;
mod primitive;
pub mod query;
mod spheres;
mod thinning;
mod transform;

pub use appearance::Appearance;
pub use bounds::Aabb;
pub use cloud::PointCloud;
pub use hull::ConvexHull;
pub use materials::{MaterialRange, MeshMaterials};
pub use mesh::Mesh;
pub use octree::{Octree, OctreeLeaf};
pub use parts::{ConvexParts, PartOptions};
pub use placed::Placed;
pub use primitive::{Primitive, PrimitiveKind};
pub use spheres::{Sphere, SphereCover};

pub(crate) use check::{check_direction, check_pose};
pub(crate) use ear_clipping::clip_ears;
pub(crate) use octree::BadBits;
pub(crate) use points::PointIndex;
pub(crate) use prepare::prepare_all;

use crate::math::{Digits, Pose};
use crate::{Error, Result};
use narrow::Body;

/// A shape that can collide, in its own frame; cheap to clone.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "RawGeometry", into = "RawGeometry")
)]
#[doc(alias = "Geometry3D")]
#[doc(alias = "CollisionGeometry")]
#[doc(alias = "collision_object")]
pub struct Geometry {
    inner: Arc<Inner>,
    margin: f64,
    solid: bool,
}

/// State shared by clones.
#[derive(Debug)]
struct Inner {
    shape: Shape,
    body: OnceLock<Body>,
    /// Of a cloud: the box around it.
    bounds: OnceLock<Option<Aabb>>,
    /// Of a cloud.
    points: OnceLock<Option<Arc<PointIndex>>>,
}

/// Kinds of [`Geometry`], to match on.
#[doc(alias = "TypedShape")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Shape {
    /// A set of points.
    Cloud(PointCloud),
    /// Several geometries as one, each at its pose.
    Group(Vec<(Pose, Geometry)>),
    /// A solid convex hull.
    Hull(ConvexHull),
    /// A surface of triangles.
    Mesh(Mesh),
    /// A solid or flat shape described by a few numbers.
    Primitive(Primitive),
}

impl Geometry {
    fn from_shape(shape: Shape) -> Self {
        Self {
            inner: Arc::new(Inner {
                shape,
                body: OnceLock::new(),
                bounds: OnceLock::new(),
                points: OnceLock::new(),
            }),
            margin: 0.0,
            solid: false,
        }
    }

    /// Returns another shape with the margin and the solidity of this one.
    fn with_shape(&self, shape: Shape) -> Self {
        Self {
            margin: self.margin,
            solid: self.solid,
            ..Self::from_shape(shape)
        }
    }

    /// A group of geometries, each at its pose; a member keeps its own margin and solidity.
    #[doc(alias = "Compound")]
    #[must_use]
    pub fn group(members: Vec<(Pose, Self)>) -> Self {
        Self::from_shape(Shape::Group(members))
    }

    /// Shapes at their poses as one: a single one that is not moved as it is, `None` without any.
    pub(crate) fn joined(mut members: Vec<(Pose, Self)>) -> Option<Self> {
        match members.as_slice() {
            [] => None,
            [(pose, _)] if *pose == Pose::identity() => members.pop().map(|(_, shape)| shape),
            _ => Some(Self::group(members)),
        }
    }

    /// The shape, to match on.
    #[must_use]
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.inner.shape
    }

    /// Distance by which the shape is inflated, m.
    #[must_use]
    #[inline]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The same shape, inflated by `margin` metres in every direction.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a margin that is negative or not finite.
    #[doc(alias = "setCollisionMargin")]
    #[doc(alias = "padding")]
    pub fn with_margin(mut self, margin: f64) -> Result<Self> {
        if !(margin.is_finite() && margin >= 0.0) {
            let problem = format!("must be a number from 0 up, got {}", Digits(margin));
            return Err(Error::invalid("collision margin", problem));
        }
        self.margin = margin;
        Ok(self)
    }

    /// Returns whether a body wholly inside collides.
    ///
    /// True for primitives and hulls, false for point clouds; a group is solid when all its members are.
    #[must_use]
    #[inline]
    pub fn is_solid(&self) -> bool {
        match self.shape() {
            Shape::Primitive(_) | Shape::Hull(_) => true,
            Shape::Cloud(_) => false,
            Shape::Mesh(_) => self.solid,
            Shape::Group(members) => self.solid || members.iter().all(|(_, m)| m.is_solid()),
        }
    }

    /// The same shape with its meshes marked as solid, or as surfaces; on a group it applies to every member.
    ///
    /// The mesh should be [closed](Mesh::is_closed). Small holes do no harm: a point is inside where the winding number
    /// is above one half.
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

    /// Key that differs between living geometries: the address of the shared state, the margin and the solidity.
    #[inline]
    pub(crate) fn identity(&self) -> (usize, u64, bool) {
        let shared = Arc::as_ptr(&self.inner).cast::<()>().addr();
        (shared, self.margin.to_bits(), self.solid)
    }

    /// The index of a cloud, shared by clones, computed by the first call on the threads of rayon's current pool; `None` for other
    /// shapes, and as [`PointIndex::new`].
    pub(crate) fn point_index(&self) -> Option<&Arc<PointIndex>> {
        let Shape::Cloud(cloud) = self.shape() else {
            return None;
        };
        if self.inner.points.get().is_none() {
            // not inside the lock, as in `prepared`
            let (bounds, _) = self.extent()?;
            let index = PointIndex::new(cloud.points(), bounds);
            drop(self.inner.points.set(index.map(Arc::new)));
        }
        self.inner.points.get()?.as_ref()
    }

    /// Address of the shared state: equal for clones, whatever their margins, and unique among living geometries.
    #[inline]
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

/// Serialized form, validated when it is read.
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
