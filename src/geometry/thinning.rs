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
        let counts = [0, 1, 2].map(|k| (extent[k] * inverse) as u32 + 1);
        let n_cells: f64 = counts.iter().map(|&n| f64::from(n)).product();
        let points = self.points();
        let kept = if n_cells < f64::from(u32::MAX) {
            let numbers = numbers(points, &bounds.min, inverse, counts);
            if n_cells <= DENSE * points.len() as f64 {
                let mut grid = Grid::new(n_cells as usize);
                firsts(points.len(), |i| grid.insert(numbers[i]))
            } else {
                let mut table = Numbers::new(points.len());
                firsts(points.len(), |i| table.insert(numbers[i]))
            }
        } else {
            let cell = |p: &Point| [0, 1, 2].map(|k| ((p[k] - bounds.min[k]) * inverse) as u32);
            let cells: Vec<Cell> = points.iter().map(cell).collect();
            let mut table = Table::new(&cells);
            firsts(points.len(), |i| table.insert(i))
        };
        Ok(self.select(&kept))
    }
}

/// The coordinates of a cell of the grid.
type Cell = [u32; 3];

/// Cells per point up to which each has a bit: 32 bytes per point.
const DENSE: f64 = 256.0;

/// Adding this rounds to an integer, and leaves it in the lowest bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// The number of the cell of each point, of fewer than 2³² in all.
///
/// On their own, for what finds out which are new cannot be predicted, and what the processor does ahead of it is lost.
fn numbers(points: &[Point], min: &Point, inverse: f64, counts: [u32; 3]) -> Vec<u32> {
    let [x, y, _] = counts.map(f64::from);
    let strides = [1.0, x, x * y];
    let number = |p: &Point| {
        let mut number = ROUND;
        for k in 0..3 {
            // to the nearest integer: on the border of two cells either will do
            let cell = ((p[k] - min[k]) * inverse - 0.5 + ROUND) - ROUND;
            number += cell * strides[k];
        }
        number.to_bits() as u32
    };
    points.iter().map(number).collect()
}

/// The items of so many that are new.
fn firsts(count: usize, mut is_new: impl FnMut(usize) -> bool) -> Vec<usize> {
    let mut kept = vec![0; count];
    let mut n_kept = 0;
    // always written, and counted where it is new: a branch could not be predicted
    for i in 0..count {
        kept[n_kept] = i;
        n_kept += usize::from(is_new(i));
    }
    kept.truncate(n_kept);
    kept
}

/// A bit for each cell of a grid: whether it has a point.
struct Grid(Vec<u64>);

impl Grid {
    fn new(n_cells: usize) -> Self {
        Self(vec![0; n_cells.div_ceil(64)])
    }

    fn insert(&mut self, cell: u32) -> bool {
        let cell = cell as usize;
        let (word, bit) = (&mut self.0[cell / 64], 1 << (cell % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

/// The cells that have a point, by hashes of their numbers in the grid: for each slot one more than that of its cell, or 0.
struct Numbers {
    slots: Vec<u32>,
}

impl Numbers {
    fn new(n_points: usize) -> Self {
        Self {
            slots: vec![0; (2 * n_points).next_power_of_two()],
        }
    }

    fn insert(&mut self, cell: u32) -> bool {
        let number = cell + 1;
        // their number is a power of two
        let last = self.slots.len() - 1;
        let mut at = mix(cell.into()) as usize & last;
        loop {
            let slot = self.slots[at];
            if slot == 0 || slot == number {
                self.slots[at] = number;
                return slot == 0;
            }
            at = (at + 1) & last;
        }
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
