//! Occupancy of space as an octree.

mod bits;
mod leaves;
mod rays;
mod update;

pub(crate) use bits::BadBits;
pub use leaves::OctreeLeaf;

use super::check::{check_points, check_size};
use crate::math::Point;
use crate::{Error, Result};

/// What is known of space from range measurements: cubes that are occupied, free or unknown.
///
/// OctoMap (Hornung et al. 2013): each cube of the finest size has the logarithm of its odds of being occupied; a measurement that ends
/// in it raises them, one that passes through lowers them, both within bounds, so that the map follows changes. Eight equal
/// cubes are stored as one.
///
/// The map is a cube of 65,536 of the finest cubes around the origin of its frame. As obstacles its
/// occupied cubes are [boxes](Self::boxes), exactly, or [points](Self::cloud) with a margin, for the sphere pre-filter of planners.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Octree, PointCloud};
/// use kinworld::Point;
///
/// // a wall at x = 2, seen from the origin
/// let row = |i: i32| (-10..10).map(move |j| Point::new(2.0, f64::from(i) * 0.05, f64::from(j) * 0.05));
/// let wall = PointCloud::new((-10..10).flat_map(row).collect())?;
/// let mut map = Octree::new(0.05)?;
/// map.insert_scan(&Point::origin(), &wall, 10.0)?;
///
/// assert!(map.probability(&Point::new(2.01, 0.1, 0.1)).is_some_and(|p| p > 0.5));
/// assert!(map.probability(&Point::new(1.0, 0.0, 0.0)).is_some_and(|p| p < 0.5));
/// assert_eq!(map.probability(&Point::new(3.0, 0.0, 0.0)), None, "behind the wall");
/// let obstacle = map.boxes();
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "OctoMap")]
#[doc(alias = "OcTree")]
pub struct Octree {
    resolution: f64,
    /// The root, then blocks of eight children.
    nodes: Vec<Node>,
    /// First nodes of blocks that are not in use.
    free: Vec<u32>,
}

/// A cube: unknown, known as a whole, or divided.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node {
    /// Logarithm of the odds, the largest one of its children where it is divided; `None` where nothing is known.
    log_odds: Option<f32>,
    /// First of its eight children, bit 0 of their number for the upper half along x, 1 along y, 2 along z; 0 where it is whole.
    children: u32,
}

const UNKNOWN: Node = Node {
    log_odds: None,
    children: 0,
};

/// Halvings from the whole map to the finest cubes.
const DEPTH: u32 = 16;
/// Cubes from the origin to the end of the map.
const HALF: f64 = 32768.0;
/// Changes of the logarithm of odds by a measurement that ends in a cube (0.7), and by one that passes (0.4).
const HIT: f32 = 0.847_297_86;
const PASS: f32 = -0.405_465_1;
/// Bounds of the logarithm of odds: probabilities of 0.1192 and 0.971.
const LEAST: f32 = -2.000_028;
const MOST: f32 = 3.511_030_6;

/// Most nodes of a map, 6 GiB.
const MOST_NODES: usize = 1 << 29;

/// Indices of a finest cube along x, y and z.
type Key = [u16; 3];

impl Octree {
    /// An unknown space with finest cubes of a size, m.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a size that is not positive, or so large that the map ends beyond what shapes may have.
    pub fn new(resolution: f64) -> Result<Self> {
        check_size("an octree", "resolution", resolution)?;
        check_size("an octree", "size", 2.0 * HALF * resolution)?;
        Ok(Self {
            resolution,
            nodes: vec![UNKNOWN],
            free: Vec::new(),
        })
    }

    /// Size of the finest cubes, m.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Number of known and of divided cubes.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        let mut count = 0;
        let mut open = vec![0];
        while let Some(at) = open.pop() {
            let node = self.nodes[at];
            count += usize::from(node.log_odds.is_some());
            if node.children != 0 {
                let first = node.children as usize;
                open.extend(first..first + 8);
            }
        }
        count
    }

    /// Probability that the cube around a point is occupied: occupied from 0.5 on; `None` where nothing is known, and outside of
    /// the map.
    #[must_use]
    pub fn probability(&self, point: &Point) -> Option<f64> {
        let node = self.node(self.key(point)?);
        node.log_odds.map(probability)
    }

    /// The finest cube around a point; `None` outside of the map.
    fn key(&self, point: &Point) -> Option<Key> {
        let mut key = [0; 3];
        for (key, x) in key.iter_mut().zip(point.iter()) {
            let cube = (x / self.resolution).floor() + HALF;
            if !(0.0..2.0 * HALF).contains(&cube) {
                return None;
            }
            *key = cube as u16;
        }
        Some(key)
    }

    /// The key of each point.
    fn keys(&self, points: &[Point]) -> Result<Vec<Key>> {
        check_points("a scan", points)?;
        let key = |point: &Point| {
            self.key(point).ok_or_else(|| {
                let end = HALF * self.resolution;
                let problem = format!("{point} is outside of the map, which ends at ±{end} m");
                Error::invalid("a point of a scan", problem)
            })
        };
        points.iter().map(key).collect()
    }

    /// The smallest node around a cube.
    fn node(&self, key: Key) -> Node {
        let mut node = self.nodes[0];
        for level in (0..DEPTH).rev() {
            if node.children == 0 {
                break;
            }
            node = self.nodes[node.children as usize + child_of(key, level)];
        }
        node
    }
}

/// Maps are equal where the same is known in them.
impl PartialEq for Octree {
    fn eq(&self, other: &Self) -> bool {
        self.resolution.total_cmp(&other.resolution).is_eq() && self.leaves().eq(other.leaves())
    }
}

/// Number of the child around a cube, at a level above the finest ones.
fn child_of(key: Key, level: u32) -> usize {
    let bit = |i: usize| usize::from(key[i] >> level & 1);
    bit(0) | bit(1) << 1 | bit(2) << 2
}

fn probability(log_odds: f32) -> f64 {
    1.0 - 1.0 / (1.0 + f64::from(log_odds).exp())
}
