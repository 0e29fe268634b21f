//! Measurements change an octree.

use super::{DEPTH, HIT, Key, LEAST, MOST, MOST_NODES, Node, Octree, PASS, UNKNOWN, child_of};
use crate::geometry::PointCloud;
use crate::math::Point;
use crate::{Error, Result};

impl Octree {
    /// Inserts a scan: the points that a sensor at `origin` has measured, both in the frame of the map.
    ///
    /// The cubes of the points become more likely to be occupied, those between the sensor and them less likely, each once per scan,
    /// and where a cube is both, occupied. Points beyond `max_range`, m, only free what is within it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a range that is not positive, a point that is not finite or outside of the map, and for more than 134
    /// million cubes along the rays or 537 million in the map; then nothing has changed.
    pub fn insert_scan(
        &mut self,
        origin: &Point,
        points: &PointCloud,
        max_range: f64,
    ) -> Result<()> {
        if max_range.is_nan() || max_range <= 0.0 {
            let problem = format!("{max_range} m is not a positive length");
            return Err(Error::invalid("the range of a scan", problem));
        }
        let from = self.keys(&[*origin])?[0];
        let mut rays = Vec::with_capacity(points.points().len());
        for point in points.points() {
            let ray = point - origin;
            let is_far = ray.norm() > max_range;
            let end = match is_far {
                true => origin + ray * (max_range / ray.norm()),
                false => *point,
            };
            rays.push((end, self.keys(&[end])?[0], is_far));
        }
        let ends = rays.iter().filter(|(.., is_far)| !is_far);
        let mut hit: Vec<u64> = ends.map(|(_, key, _)| interleaved(*key)).collect();
        single(&mut hit);
        let (mut passed, mut enough) = (Vec::new(), MANY);
        for (end, key, _) in &rays {
            self.pass(origin, from, end, *key, |key| passed.push(interleaved(key)));
            // rays share most of their cubes
            if passed.len() > enough {
                single(&mut passed);
                if passed.len() > MOST_CUBES {
                    let problem =
                        format!("pass more than {MOST_CUBES} cubes of {} m", self.resolution);
                    return Err(Error::invalid("the rays of a scan", problem));
                }
                enough = 2 * passed.len() + MANY;
            }
        }
        single(&mut passed);
        passed.retain(|key| hit.binary_search(key).is_err());
        if self.nodes.len() + 8 * (divisions(&passed) + divisions(&hit)) > MOST_NODES {
            let problem = format!("has more than {MOST_NODES} cubes, or would have them");
            return Err(Error::invalid("an octree", problem));
        }
        // neighbours one after the other
        for key in passed {
            self.add(divided(key), PASS);
        }
        for key in hit {
            self.add(divided(key), HIT);
        }
        Ok(())
    }

    /// Adds to the logarithm of the odds of a cube.
    fn add(&mut self, key: Key, by: f32) {
        let bound = if by > 0.0 { MOST } else { LEAST };
        if self.node(key).log_odds == Some(bound) {
            return;
        }
        self.change(key, |log_odds| {
            (log_odds.unwrap_or(0.0) + by).clamp(LEAST, MOST)
        });
    }

    /// Changes the logarithm of the odds of a cube, divides cubes around it for that and joins those that have become equal.
    fn change(&mut self, key: Key, to: impl FnOnce(Option<f32>) -> f32) {
        let mut path = [0; DEPTH as usize];
        let mut at = 0;
        for level in (0..DEPTH).rev() {
            path[level as usize] = at;
            if self.nodes[at].children == 0 {
                self.nodes[at].children = self.block(self.nodes[at].log_odds);
            }
            at = self.nodes[at].children as usize + child_of(key, level);
        }
        self.nodes[at].log_odds = Some(to(self.nodes[at].log_odds));
        for at in path {
            self.join(at);
        }
    }

    /// Makes a divided node whole where its children are equal, and gives it the largest of their odds.
    pub(super) fn join(&mut self, at: usize) {
        let first = self.nodes[at].children as usize;
        let children = &self.nodes[first..first + 8];
        let of_first = children[0];
        if of_first.children == 0 && children.iter().all(|child| *child == of_first) {
            self.nodes[at] = of_first;
            self.free.push(first as u32);
            return;
        }
        let known = children.iter().filter_map(|child| child.log_odds);
        self.nodes[at].log_odds = known.reduce(f32::max);
    }

    /// Eight whole nodes.
    pub(super) fn block(&mut self, log_odds: Option<f32>) -> u32 {
        let node = Node {
            log_odds,
            ..UNKNOWN
        };
        if let Some(first) = self.free.pop() {
            self.nodes[first as usize..first as usize + 8].fill(node);
            return first;
        }
        let first = u32::try_from(self.nodes.len()).expect("a map has less than 2^32 cubes");
        self.nodes.extend([node; 8]);
        first
    }
}

/// Sorts keys and drops those that are there twice.
fn single(keys: &mut Vec<u64>) {
    keys.sort_unstable();
    keys.dedup();
}

/// Number of cubes around these, of all sizes: what a scan divides at most. The keys are sorted.
fn divisions(keys: &[u64]) -> usize {
    let levels = keys.windows(2).map(|pair| {
        let differ = u64::BITS - (pair[0] ^ pair[1]).leading_zeros();
        differ.div_ceil(3).saturating_sub(1) as usize
    });
    levels.sum::<usize>() + DEPTH as usize
}

/// Cubes of rays that are worth sorting.
const MANY: usize = 1 << 18;
/// Most cubes along the rays of a scan, 1 GiB.
const MOST_CUBES: usize = 1 << 27;

/// The bits of a key, interleaved: cubes that are near each other have near numbers.
fn interleaved(key: Key) -> u64 {
    let [x, y, z] = key.map(|index| {
        let mut bits = u64::from(index);
        for (shift, mask) in SPREAD {
            bits = (bits | bits << shift) & mask;
        }
        bits
    });
    x | y << 1 | z << 2
}

/// The key of interleaved bits.
fn divided(bits: u64) -> Key {
    [0, 1, 2].map(|axis: u32| {
        let mut bits = bits >> axis & SPREAD[3].1;
        for i in (0..4).rev() {
            let mask = if i > 0 { SPREAD[i - 1].1 } else { 0xffff };
            bits = (bits | bits >> SPREAD[i].0) & mask;
        }
        bits as u16
    })
}

/// Steps that move the bits of a number of 16 bits apart, to every third place.
const SPREAD: [(u32, u64); 4] = [
    (16, 0x0000_ff00_00ff),
    (8, 0x00f0_0f00_f00f),
    (4, 0x0c30_c30c_30c3),
    (2, 0x2492_4924_9249),
];

#[cfg(test)]
mod tests {
    use super::{divided, divisions, interleaved};

    #[test]
    fn divided_cubes_are_counted() {
        let mut keys: Vec<u64> = (0..300_u64)
            .map(|k| (k * k * 0x9e37_79b9) & 0xffff_ffff_ffff)
            .collect();
        keys.extend([0, 1, 7, 8, 9, 63, 64]);
        keys.sort_unstable();
        keys.dedup();
        let around = keys
            .iter()
            .flat_map(|key| (1..=16).map(move |level| (level, key >> (3 * level))));
        let around: std::collections::HashSet<(u32, u64)> = around.collect();
        assert_eq!(divisions(&keys), around.len());
    }

    #[test]
    fn bits_are_interleaved_and_divided() {
        for key in [
            [0, 0, 0],
            [65535, 0, 1],
            [1, 2, 3],
            [0x1234, 0xabcd, 0x8001],
            [65535; 3],
        ] {
            let bits = interleaved(key);
            for (axis, index) in key.into_iter().enumerate() {
                for bit in 0..16 {
                    assert_eq!(bits >> (3 * bit + axis) & 1, u64::from(index) >> bit & 1);
                }
            }
            assert_eq!(divided(bits), key);
        }
    }
}
