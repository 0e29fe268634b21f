//! Convex decomposition of shapes.

mod blocks;
mod fit;
mod hull;
mod join;

use super::bounds::Aabb;
use super::check::orthonormal;
use super::hull::ConvexHull;
use super::mesh::Mesh;
use super::{Geometry, Shape};
use crate::math::Pose;
use crate::{Error, Result};

/// Options of a convex decomposition.
#[doc(alias = "VHACDParameters")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PartOptions {
    /// The largest number of parts of one mesh, 1 to 256; with 1 the part is its hull.
    pub max_parts: usize,
    /// Parts whose hulls exceed their content by less than this share of the volume of the hull of all are not cut
    /// further; above 0, at most 1.
    pub concavity: f64,
    /// Number of grid cells along the longest side, 8 to 128; cuts run along this grid.
    pub resolution: u32,
}

impl Default for PartOptions {
    /// At most 16 parts, a concavity of 0.01, 64 cells.
    fn default() -> Self {
        Self {
            max_parts: 16,
            concavity: 0.01,
            resolution: 64,
        }
    }
}

/// Convex parts that together contain a shape.
#[doc(alias = "convex_decomposition")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ConvexParts {
    /// The parts; every point of the shape is in one of them, to a billionth of its size. A part may exceed the hull of
    /// its content by a hundred thousandth.
    pub hulls: Vec<ConvexHull>,
    /// Largest distance of the parts from the shape and its inside, m, over the centres of their faces and edges.
    pub overshoot: f64,
}

impl Geometry {
    /// Convex decomposition: parts that together contain the shape without its margin, with less volume than its
    /// [hull](Self::to_hull).
    ///
    /// A mesh is cut by V-HACD (Mamou and Ghorbel 2009, as ported to parry3d) along the planes of a grid, down to boxes
    /// in which it is nearly convex. A part is the hull of the content of its box: the surface, clipped at the sides,
    /// and the corners of the box that the surface encloses. That contains everything there, the inside included: a
    /// plane between the hull and a point inside would cut off a corner of the box. Parts whose common hull is little
    /// larger are merged, and more where there are too many. Content that is flat becomes a plate, two millionths of
    /// the shape thick; where no hull is found, the box replaces it.
    ///
    /// Primitives, hulls and point clouds give one part each, groups the parts of their members. So does a mesh that is
    /// [marked as solid](Self::with_solid) and not [closed](Mesh::is_closed), since its triangles do not bound its
    /// inside.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for options out of range; as [`to_hull`](Self::to_hull), so for a shape that is flat as a
    /// whole; for a mesh whose triangles would have to be tested against more than 2·10⁸ cells; and where no parts are
    /// found.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::{Geometry, PartOptions, Primitive, query};
    /// use kinworld::{Point, Pose, Vector};
    ///
    /// // two boards at a right angle, as one mesh
    /// let board = |size| Primitive::cuboid(Pose::identity(), size);
    /// let lying = (Pose::translation(0.5, 0.0, 0.05), board(Vector::new(1.0, 1.0, 0.1))?.into());
    /// let standing = (Pose::translation(0.05, 0.0, 0.6), board(Vector::new(0.1, 1.0, 1.0))?.into());
    /// let corner = Geometry::from(Geometry::group(vec![lying, standing]).to_mesh()?);
    ///
    /// let parts = corner.to_convex_parts(&PartOptions::default())?;
    /// assert!(parts.overshoot < 0.05); // that of the hull is half a metre
    /// let parts = Geometry::from(parts);
    /// let here = Pose::identity();
    /// let in_the_corner = Point::new(0.3, 0.0, 0.3);
    /// assert!(!query::contains_point((&parts, &here), &in_the_corner)?);
    /// assert!(query::contains_point((&corner.to_hull()?.into(), &here), &in_the_corner)?);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "convex_decomposition")]
    #[doc(alias = "vhacd")]
    #[doc(alias = "coacd")]
    pub fn to_convex_parts(&self, options: &PartOptions) -> Result<ConvexParts> {
        let hulls = self.convex_hulls(options)?;
        let overshoot = fit::overshoot(self, &hulls);
        Ok(ConvexParts { hulls, overshoot })
    }

    /// The hulls of [`to_convex_parts`](Self::to_convex_parts), without the overshoot.
    pub(crate) fn convex_hulls(&self, options: &PartOptions) -> Result<Vec<ConvexHull>> {
        options.check()?;
        self.hulls_of_parts(options)
    }

    fn hulls_of_parts(&self, options: &PartOptions) -> Result<Vec<ConvexHull>> {
        match self.shape() {
            Shape::Mesh(mesh)
                if options.max_parts > 1 && (!self.is_solid() || mesh.is_closed()) =>
            {
                of_mesh(mesh, options)
            }
            Shape::Group(members) => {
                let mut hulls = Vec::new();
                for (pose, member) in members {
                    for hull in member.hulls_of_parts(options)? {
                        hulls.push(hull.transformed(&orthonormal(pose).to_homogeneous())?);
                    }
                }
                Ok(hulls)
            }
            _ => Ok(vec![self.to_hull()?]),
        }
    }
}

impl From<ConvexParts> for Geometry {
    /// One hull, or a group of hulls.
    fn from(parts: ConvexParts) -> Self {
        Self::of_hulls(parts.hulls)
    }
}

impl Geometry {
    /// One hull, or a group of hulls.
    pub(crate) fn of_hulls(mut hulls: Vec<ConvexHull>) -> Self {
        match (hulls.pop(), hulls.is_empty()) {
            (Some(only), true) => only.into(),
            (last, _) => {
                let members = hulls.into_iter().chain(last);
                Self::group(
                    members
                        .map(|hull| (Pose::identity(), hull.into()))
                        .collect(),
                )
            }
        }
    }
}

impl PartOptions {
    /// These options with another [`max_parts`](Self::max_parts).
    #[must_use]
    pub fn with_max_parts(mut self, max_parts: usize) -> Self {
        self.max_parts = max_parts;
        self
    }

    /// These options with another [`concavity`](Self::concavity).
    #[must_use]
    pub fn with_concavity(mut self, concavity: f64) -> Self {
        self.concavity = concavity;
        self
    }

    /// These options with another [`resolution`](Self::resolution).
    #[must_use]
    pub fn with_resolution(mut self, resolution: u32) -> Self {
        self.resolution = resolution;
        self
    }

    pub(crate) fn check(&self) -> Result<()> {
        let refused = |what: &str, range: &str, found: String| {
            Err(Error::invalid(
                what,
                format!("must be {range}, got {found}"),
            ))
        };
        if !(1..=256).contains(&self.max_parts) {
            return refused(
                "the number of parts",
                "from 1 to 256",
                self.max_parts.to_string(),
            );
        }
        if !(self.concavity > 0.0 && self.concavity <= 1.0) {
            let found = self.concavity.to_string();
            return refused("the concavity of parts", "above 0 and at most 1", found);
        }
        if !(8..=128).contains(&self.resolution) {
            let found = self.resolution.to_string();
            return refused("the resolution of parts", "from 8 to 128", found);
        }
        Ok(())
    }
}

/// Decomposes a mesh.
fn of_mesh(mesh: &Mesh, options: &PartOptions) -> Result<Vec<ConvexHull>> {
    // rejects flat and empty meshes
    let whole = Geometry::from(mesh.clone()).to_hull()?;
    let vertices = whole.vertices().iter().copied();
    let size = Aabb::around(vertices).map_or(0.0, |b| b.half_size().amax());
    let contents = blocks::contents(mesh, options)?;
    if contents.is_empty() {
        return Ok(vec![whole]);
    }
    let joined = join::join(contents, options, whole.volume());
    joined
        .iter()
        .map(|points| hull::around(points, size))
        .collect()
}
