//! Point clouds.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::Matrix4;

use super::check::check_points;
use super::transform::Affine;
use crate::math::Point;
use crate::{Error, Result};

/// Points with named properties; cheap to clone.
///
/// As a shape it is a set of points: give its [`Geometry`](super::Geometry) a margin to turn them into spheres.
#[doc(alias = "pcd")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "RawCloud", into = "RawCloud"))]
pub struct PointCloud {
    points: Arc<Vec<Point>>,
    properties: Arc<BTreeMap<String, Vec<f64>>>,
}

impl PointCloud {
    /// A cloud without properties.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a coordinate is not finite.
    pub fn new(points: Vec<Point>) -> Result<Self> {
        check_points("a point cloud", &points)?;
        Ok(Self {
            points: Arc::new(points),
            properties: Arc::default(),
        })
    }

    /// The same cloud with another property: one value per point, kept as data.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] unless there are as many values as points.
    pub fn with_property(mut self, name: impl Into<String>, values: Vec<f64>) -> Result<Self> {
        if values.len() != self.points.len() {
            return Err(Error::Length {
                what: "property of a point cloud",
                expected: self.points.len(),
                found: values.len(),
            });
        }
        Arc::make_mut(&mut self.properties).insert(name.into(), values);
        Ok(self)
    }

    /// The points, in metres.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Values of a property, one per point; `None` for an unknown name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&[f64]> {
        self.properties.get(name).map(Vec::as_slice)
    }

    /// Names of the properties, sorted.
    pub fn property_names(&self) -> impl Iterator<Item = &str> {
        self.properties.keys().map(String::as_str)
    }

    /// The points with these indices, with their properties.
    pub(crate) fn select(&self, indices: &[usize]) -> Self {
        let of = |values: &Vec<f64>| indices.iter().map(|&i| values[i]).collect();
        let properties = self.properties.iter();
        Self {
            points: Arc::new(indices.iter().map(|&i| self.points[i]).collect()),
            properties: Arc::new(
                properties
                    .map(|(name, values)| (name.clone(), of(values)))
                    .collect(),
            ),
        }
    }

    /// The cloud after an affine map; properties are unchanged.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the matrix is not affine or not invertible, or where a result is not finite.
    pub fn transformed(&self, map: &Matrix4<f64>) -> Result<Self> {
        let map = Affine::new(map)?;
        let points = Self::new(self.points.iter().map(|p| map.point(p)).collect())?;
        Ok(Self {
            properties: Arc::clone(&self.properties),
            ..points
        })
    }
}

/// Serialized form, validated when it is read.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct RawCloud {
    points: Vec<Point>,
    #[serde(default)]
    properties: BTreeMap<String, Vec<f64>>,
}

#[cfg(feature = "serde")]
impl TryFrom<RawCloud> for PointCloud {
    type Error = Error;

    fn try_from(raw: RawCloud) -> Result<Self> {
        raw.properties
            .into_iter()
            .try_fold(Self::new(raw.points)?, |cloud, (name, values)| {
                cloud.with_property(name, values)
            })
    }
}

#[cfg(feature = "serde")]
impl From<PointCloud> for RawCloud {
    fn from(cloud: PointCloud) -> Self {
        Self {
            points: cloud.points.to_vec(),
            properties: BTreeMap::clone(&cloud.properties),
        }
    }
}
