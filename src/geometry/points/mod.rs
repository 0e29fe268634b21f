//! Index of a set of points, for positions in lanes: which of them are within a distance of a point.
//!
//! Two structures in single precision, about the centre of the points. A [`Field`] has a lower bound on the distance to the
//! nearest point in each cell of a grid: one number per position tells most of them apart from all points. A [`Tree`] finds
//! out about the rest. The collision-affording point trees of Ramsey et al. (2024) do it in one structure, for a range of
//! radii that is known in advance and with lists that grow with the density of the points; here any radius is exact, memory is
//! bounded (16 bytes per point and up to 16 cells), and what is far from the points does not descend a tree.

mod field;
mod order;
mod spread;
#[cfg(test)]
mod tests;
mod tree;

use super::Aabb;
use crate::math::{Lanes, Level, Point, outlined};
use crate::threads;
use field::Field;
use tree::Tree;

/// Index of a set of points; positions are relative to the centre of their bounding box, along its axes.
#[derive(Debug)]
pub(crate) struct PointIndex {
    bounds: Aabb,
    /// From fine to coarse; the last has a bound that is not capped.
    fields: Vec<Field>,
    tree: Tree,
}

/// A position in each lane, m.
type Position<const N: usize, L> = [Lanes<N, L, f32>; 3];

/// Points in single precision, about the centre of the box around them.
struct Centered<'a> {
    points: &'a [Point],
    center: Point,
    /// Corners of the box.
    ends: [[f32; 3]; 2],
}

impl<'a> Centered<'a> {
    fn new(points: &'a [Point], bounds: &Aabb) -> Self {
        let mut set = Self {
            points,
            center: bounds.center(),
            ends: Default::default(),
        };
        set.ends = [&bounds.min, &bounds.max].map(|p| set.single(p));
        set
    }

    fn iter(&self) -> impl ExactSizeIterator<Item = [f32; 3]> {
        self.points.iter().map(|p| self.single(p))
    }

    #[inline]
    fn single(&self, p: &Point) -> [f32; 3] {
        [0, 1, 2].map(|k| (p[k] - self.center[k]) as f32)
    }
}

/// From this number of points on grid and tree are built side by side where there are threads for both.
const SHARED: usize = 4096;

/// Half-lengths above this are left to double precision, m: squares would overflow.
const FARTHEST: f64 = 1e12;

impl PointIndex {
    /// Indexes points in a box; `None` where they are too far apart for single precision.
    pub(super) fn new(points: &[Point], bounds: Aabb) -> Option<Self> {
        if bounds.half_size().amax() > FARTHEST || u32::try_from(points.len()).is_err() {
            return None;
        }
        let set = Centered::new(points, &bounds);
        let (fields, tree) = if points.len() >= SHARED && threads::count() > 1 {
            threads::both(|| field::fields(&set, set.iter()), || Tree::new(&set))
        } else {
            // in the order of the tree, in which neighbours in the grid follow one another
            let tree = Tree::new(&set);
            (field::fields(&set, tree.points()), tree)
        };
        Some(Self {
            bounds,
            fields,
            tree,
        })
    }

    /// The box around the points, in their frame.
    pub(crate) fn bounds(&self) -> &Aabb {
        &self.bounds
    }

    /// Mask of the lanes whose positions may be within a distance of a point; the others are not.
    #[inline(always)]
    pub(crate) fn near<const N: usize, L: Level>(&self, p: &Position<N, L>, limit: f32) -> u32 {
        let mut field = &self.fields[0];
        for coarser in &self.fields[1..] {
            if field.reach >= limit {
                break;
            }
            field = coarser;
        }
        field.near(p, limit)
    }

    /// Mask of those of some lanes whose positions are within a distance of a point, up to the rounding of single precision.
    #[inline(always)]
    pub(crate) fn within<const N: usize, L: Level>(
        &self,
        p: &Position<N, L>,
        limit: f32,
        lanes: u32,
    ) -> u32 {
        let near = self.near(p, limit) & lanes;
        if near == 0 {
            return 0;
        }
        outlined::<L, _>(
            #[inline(always)]
            || {
                let (mut left, mut found) = (near, 0);
                while left != 0 {
                    let lane = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let p = [
                        p[0].values()[lane],
                        p[1].values()[lane],
                        p[2].values()[lane],
                    ];
                    found |= u32::from(self.tree.is_within::<N, L>(&p, limit * limit)) << lane;
                }
                found
            },
        )
    }
}
