//! Convex hulls.

use nalgebra::Matrix4;

use super::check::check_points;
use super::mesh::Mesh;
use super::parry;
use crate::math::Point;
use crate::{Error, Result};

/// Convex hull of points: a solid, cheap to clone.
#[doc(alias = "ConvexPolyhedron")]
#[doc(alias = "convexHull")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Mesh", into = "Mesh"))]
pub struct ConvexHull {
    surface: Mesh,
}

impl ConvexHull {
    /// Computes the hull of points.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a coordinate is not finite, where the points all lie in one plane to a billionth of
    /// their extent (so that the hull has no inside), or where no hull is found.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{Point, geometry::ConvexHull};
    ///
    /// let mut points = vec![Point::origin(), Point::new(1.0, 0.0, 0.0), Point::new(0.0, 1.0, 0.0)];
    /// assert!(ConvexHull::new(&points).is_err()); // flat
    /// points.push(Point::new(0.0, 0.0, 1.0));
    /// points.push(Point::new(0.1, 0.1, 0.1)); // inside
    /// assert_eq!(ConvexHull::new(&points)?.vertices().len(), 4);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn new(points: &[Point]) -> Result<Self> {
        check_points("a convex hull", points)?;
        let surface = parry::convex_hull(points)?;
        Ok(Self { surface })
    }

    /// A hull given by its surface.
    pub(super) fn of_surface(surface: Mesh) -> Self {
        Self { surface }
    }

    /// The vertices, in metres.
    #[must_use]
    pub fn vertices(&self) -> &[Point] {
        self.surface.vertices()
    }

    /// The surface as a triangle mesh, counter-clockwise seen from outside.
    #[must_use]
    pub fn surface(&self) -> &Mesh {
        &self.surface
    }

    /// The volume, m³.
    #[must_use]
    pub fn volume(&self) -> f64 {
        let Some(&tip) = self.vertices().first() else {
            return 0.0;
        };
        let cone = |[a, b, c]: [Point; 3]| (a - tip).dot(&(b - tip).cross(&(c - tip))) / 6.0;
        self.surface.triangle_vertices().map(cone).sum()
    }

    /// The hull after an affine map.
    ///
    /// # Errors
    ///
    /// As [`Mesh::transformed`].
    pub fn transformed(&self, map: &Matrix4<f64>) -> Result<Self> {
        let surface = self.surface.transformed(map)?;
        Ok(Self { surface })
    }
}

impl TryFrom<Mesh> for ConvexHull {
    type Error = Error;

    /// Computes the hull of a mesh's vertices.
    fn try_from(mesh: Mesh) -> Result<Self> {
        Self::new(mesh.vertices())
    }
}

impl From<ConvexHull> for Mesh {
    fn from(hull: ConvexHull) -> Self {
        hull.surface
    }
}
