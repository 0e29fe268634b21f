//! The cubes of an octree.

use super::{DEPTH, HALF, Octree, probability};
use crate::geometry::{Geometry, PointCloud, Primitive};
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// A known cube of an [`Octree`] that is not divided.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct OctreeLeaf {
    /// Its centre.
    pub center: Point,
    /// Length of its edges, m.
    pub size: f64,
    /// Probability that it is occupied.
    pub probability: f64,
}

impl OctreeLeaf {
    /// Returns whether it is more likely occupied than not.
    #[must_use]
    pub fn is_occupied(&self) -> bool {
        self.probability >= 0.5
    }
}

impl Octree {
    /// The known cubes that are not divided.
    pub fn leaves(&self) -> impl Iterator<Item = OctreeLeaf> + '_ {
        // node, its lowest cube along each axis, and the level of its size
        let mut open = vec![(0, [0_u32; 3], DEPTH)];
        std::iter::from_fn(move || {
            while let Some((at, lowest, level)) = open.pop() {
                let node = self.nodes[at];
                if node.children != 0 {
                    for child in (0..8).rev() {
                        let upper = |axis: usize| (child as u32 >> axis & 1) << (level - 1);
                        let lowest = [0, 1, 2].map(|axis| lowest[axis] + upper(axis));
                        open.push((node.children as usize + child, lowest, level - 1));
                    }
                } else if let Some(log_odds) = node.log_odds {
                    let cubes = f64::from(1_u32 << level);
                    let middle = lowest
                        .map(|index| (f64::from(index) + 0.5 * cubes - HALF) * self.resolution);
                    return Some(OctreeLeaf {
                        center: Point::from(middle),
                        size: cubes * self.resolution,
                        probability: probability(log_odds),
                    });
                }
            }
            None
        })
    }

    /// The occupied cubes as a group of boxes, for collision and distance; empty where nothing is occupied.
    #[must_use]
    pub fn boxes(&self) -> Geometry {
        // cubes of one size share their shape
        let mut shapes: [Option<Geometry>; DEPTH as usize + 1] = Default::default();
        let mut members = Vec::new();
        for leaf in self.leaves().filter(OctreeLeaf::is_occupied) {
            let level = (leaf.size / self.resolution).log2().round() as usize;
            let shape = shapes[level].get_or_insert_with(|| {
                let cube = Primitive::cuboid(Pose::identity(), Vector::repeat(leaf.size));
                cube.expect("a cube has a size").into()
            });
            let [x, y, z] = leaf.center.coords.into();
            members.push((Pose::translation(x, y, z), shape.clone()));
        }
        Geometry::group(members)
    }

    /// The occupied cubes as a cloud of the centres of finest cubes, with a margin that encloses these.
    ///
    /// Clouds are what the sphere pre-filter of planners is fast at. The cloud is larger than the [boxes](Self::boxes) by up to 0.37 of the resolution.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for more than ten million cubes.
    pub fn cloud(&self) -> Result<Geometry> {
        let mut points = Vec::new();
        for leaf in self.leaves().filter(OctreeLeaf::is_occupied) {
            let n = (leaf.size / self.resolution).round();
            if points.len() as f64 + n.powi(3) > MOST_POINTS {
                let problem = "has more than ten million occupied cubes of the finest size";
                return Err(Error::invalid("an octree", problem));
            }
            let first = leaf.center.map(|x| x - 0.5 * (leaf.size - self.resolution));
            let n = n as usize;
            for i in 0..n * n * n {
                let offset = [i % n, i / n % n, i / (n * n)].map(|k| k as f64 * self.resolution);
                points.push(first + Vector::from(offset));
            }
        }
        let cloud = Geometry::from(PointCloud::new(points)?);
        cloud.with_margin(0.5 * 3_f64.sqrt() * self.resolution)
    }
}

/// Most points of a cloud.
const MOST_POINTS: f64 = 1e7;
