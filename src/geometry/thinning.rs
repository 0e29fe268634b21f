//! Fewer points of a cloud, evenly.

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
    /// [`Error::Invalid`] for a spacing that is not positive and finite, or of which the cloud is more than 2³¹ times as long,
    /// and for 2³² points and more.
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
        if u32::try_from(self.points().len()).is_err() {
            let problem =
                "has more than 4294967295 points: thin parts of it, and then all of them together";
            return Err(Error::invalid("the cloud", problem));
        }
        let extent = bounds.max - bounds.min;
        let cell =
            |p: &Point| -> Cell { [0, 1, 2].map(|k| ((p[k] - bounds.min[k]) * inverse) as u32) };
        let counts = [0, 1, 2].map(|k| (extent[k] * inverse) as usize + 1);
        let n_cells: f64 = counts.iter().map(|&n| n as f64).product();
        let cells = self.points().iter().map(cell);
        let kept = if n_cells <= (DENSE * self.points().len() as f64).min(MOST) {
            let mut grid = Grid::new(counts);
            firsts(cells, |cell| grid.insert(cell))
        } else {
            let cells: Vec<Cell> = cells.collect();
            let mut table = Table::new(&cells);
            firsts(0..cells.len(), |i| table.insert(i))
        };
        Ok(self.select(&kept))
    }
}

/// The coordinates of a cell of the grid.
type Cell = [u32; 3];

/// Cells per point, and in all, up to which each has a bit: 64 bytes per point.
const DENSE: f64 = 512.0;
const MOST: f64 = 1e9;

/// The numbers of the items that are new.
fn firsts<T>(
    items: impl ExactSizeIterator<Item = T>,
    mut is_new: impl FnMut(T) -> bool,
) -> Vec<usize> {
    let mut kept = vec![0; items.len()];
    let mut count = 0;
    // always written, and counted where it is new: a branch could not be predicted
    for (i, item) in items.enumerate() {
        kept[count] = i;
        count += usize::from(is_new(item));
    }
    kept.truncate(count);
    kept
}

/// A bit for each cell of a grid: whether it has a point.
struct Grid {
    counts: [usize; 3],
    bits: Vec<u64>,
}

impl Grid {
    fn new(counts: [usize; 3]) -> Self {
        let n_cells: usize = counts.iter().product();
        Self {
            counts,
            bits: vec![0; n_cells.div_ceil(64)],
        }
    }

    fn insert(&mut self, cell: Cell) -> bool {
        let [x, y, z] = cell.map(|i| i as usize);
        let index = (z * self.counts[1] + y) * self.counts[0] + x;
        let (word, bit) = (&mut self.bits[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// The cells that have a point, by hashes: for each slot the number of one, from 1 on, or 0.
struct Table<'a> {
    cells: &'a [Cell],
    slots: Vec<u32>,
}

impl<'a> Table<'a> {
    fn new(cells: &'a [Cell]) -> Self {
        let slots = vec![0; (2 * cells.len()).next_power_of_two()];
        Self { cells, slots }
    }

    fn insert(&mut self, i: usize) -> bool {
        let cell = self.cells[i];
        let [x, y, z] = cell.map(u64::from);
        let mut at = mix((x << 32 | y) ^ mix(z)) as usize;
        loop {
            // their number is a power of two
            at &= self.slots.len() - 1;
            match &mut self.slots[at] {
                empty @ 0 => {
                    *empty = i as u32 + 1;
                    return true;
                }
                &mut other if self.cells[other as usize - 1] == cell => return false,
                _ => at += 1,
            }
        }
    }
}
