//! Fewer points of a cloud, evenly.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use super::{Aabb, PointCloud};
use crate::math::{Digits, Point, mix};
use crate::{Error, Result};

impl PointCloud {
    /// The cloud with fewer points: the first one in each cell of a grid, so that every point that is left out is within
    /// `spacing` metres of one that is kept. Properties are kept with their points.
    ///
    /// The cells are cubes of `spacing / √3`. An obstacle of thinned points with the spacing as its
    /// [margin](super::Geometry::with_margin) contains all of the points.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a spacing that is not positive and finite, or of which the cloud is more than 2³¹ times as long.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Point;
    /// use kinworld::geometry::PointCloud;
    ///
    /// let line = (0..1000).map(|i| Point::new(0.001 * f64::from(i), 0.0, 0.0));
    /// let thin = PointCloud::new(line.collect())?.thinned(0.05)?;
    /// assert_eq!(thin.points().len(), 35);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "voxel_down_sample")]
    #[doc(alias = "VoxelGrid")]
    #[doc(alias = "UniformSampling")]
    #[doc(alias = "downsample")]
    pub fn thinned(&self, spacing: f64) -> Result<Self> {
        if !(spacing.is_finite() && spacing > 0.0) {
            let problem = format!(
                "must be a positive number of metres, got {}",
                Digits(spacing)
            );
            return Err(Error::invalid("the spacing of points", problem));
        }
        let Some(bounds) = Aabb::around(self.points().iter().copied()) else {
            return Ok(self.clone());
        };
        // two points of a cell are a little less than the spacing apart, whatever rounding does
        let inverse = 1.0 / (0.577 * spacing);
        let longest = (bounds.max - bounds.min).amax() * inverse;
        if longest.is_nan() || longest > f64::from(1_u32 << 31) {
            let problem = format!(
                "is too small for points that are {} m apart: give a larger one, or leave out what is far away",
                Digits((bounds.max - bounds.min).amax())
            );
            return Err(Error::invalid("the spacing of points", problem));
        }
        let cell = |p: &Point| Cell([0, 1, 2].map(|k| ((p[k] - bounds.min[k]) * inverse) as u32));
        let mut cells: HashSet<Cell, BuildHasherDefault<Mixed>> = HashSet::default();
        let points = (0..).zip(self.points());
        let kept: Vec<usize> = points
            .filter(|(_, p)| cells.insert(cell(p)))
            .map(|(i, _)| i)
            .collect();
        Ok(self.select(&kept))
    }
}

/// The coordinates of a cell of the grid.
#[derive(PartialEq, Eq)]
struct Cell([u32; 3]);

impl Hash for Cell {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [x, y, z] = self.0.map(u64::from);
        state.write_u64((x << 32 | y) ^ z.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
}

/// Mixes the bits of one number.
#[derive(Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mix(self.0 ^ number);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
