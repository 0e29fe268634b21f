//! Cubes along a ray.

use super::{HALF, Key, Octree};
use crate::math::Point;

impl Octree {
    /// Calls `visit` with the cubes that a ray passes before the one it ends in (Amanatides and Woo 1987).
    pub(super) fn pass(
        &self,
        from: &Point,
        first: Key,
        to: &Point,
        last: Key,
        mut visit: impl FnMut(Key),
    ) {
        let ray = to - from;
        let mut at = first.map(i32::from);
        let last = last.map(i32::from);
        // fractions of the ray at the next side of the cube, and between two
        let (mut next, mut step) = ([f64::INFINITY; 3], [0.0; 3]);
        for axis in 0..3 {
            if last[axis] != at[axis] {
                let side = f64::from(at[axis] + i32::from(ray[axis] > 0.0)) - HALF;
                next[axis] = (side * self.resolution - from[axis]) / ray[axis];
                step[axis] = self.resolution / ray[axis].abs();
            }
        }
        // as many steps as there are sides between the ends, whatever rounding does
        while at != last {
            visit(at.map(|index| index as u16));
            let axis = (0..3)
                .filter(|&axis| at[axis] != last[axis])
                .min_by(|&a, &b| next[a].total_cmp(&next[b]));
            let Some(axis) = axis else { break };
            at[axis] += (last[axis] - at[axis]).signum();
            next[axis] += step[axis];
        }
    }
}
