//! Index of a set of points, for positions in lanes: which of them are within a distance of a point.
//!
//! Two structures in single precision, about the centre of the points. A [`Field`] has a lower bound on the distance to the
//! nearest point in each cell of a grid: one number per position tells most of them apart from all points. A [`Tree`] finds
//! out about the rest. The collision-affording point trees of Ramsey et al. (2024) do it in one structure, for a range of
//! radii that is known in advance and with lists that grow with the density of the points; here any radius is exact, memory is
//! bounded (16 bytes per point and as many cells), and what is far from the points does not descend a tree.

mod field;
mod order;
#[cfg(test)]
mod tests;
mod tree;

use super::Aabb;
use crate::math::{Lanes, Level, Point, outlined};
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

/// Half-lengths above this are left to double precision, m: squares would overflow.
const FARTHEST: f64 = 1e12;

impl PointIndex {
    /// Indexes points; `None` where there are none, or where they are too far apart for single precision.
    pub(crate) fn new(points: &[Point]) -> Option<Self> {
        let bounds = Aabb::around(points.iter().copied())?;
        if bounds.half_size().amax() > FARTHEST || u32::try_from(points.len()).is_err() {
            return None;
        }
        let center = bounds.center();
        let points: Vec<[f32; 3]> = points
            .iter()
            .map(|p| [0, 1, 2].map(|k| (p[k] - center[k]) as f32))
            .collect();
        let mut ends = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
        for p in &points {
            for k in 0..3 {
                ends[0][k] = ends[0][k].min(p[k]);
                ends[1][k] = ends[1][k].max(p[k]);
            }
        }
        Some(Self {
            bounds,
            fields: field::fields(&points, &ends),
            tree: Tree::new(&points, &ends),
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
