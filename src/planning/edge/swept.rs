//! Boxes into which robots may come along an edge.

use super::speeds::Speeds;
use crate::Result;
use crate::geometry::Aabb;
use crate::planning::robot_cspace::Member;
use crate::planning::{RobotCSpace, Workspace};

impl RobotCSpace {
    /// Returns whether a robot or what is attached to it may come into one of these boxes along the edge from `a` to `b`: `false`
    /// is certain.
    ///
    /// An interval of the edge is halved until, at its middle, the boxes around the links, inflated by how far these move within
    /// the interval, meet none of them, or until that is less than [`SMALL`].
    pub(in crate::planning) fn may_sweep(
        &self,
        a: &[f64],
        b: &[f64],
        boxes: &[Aabb],
        ws: &mut Workspace,
    ) -> Result<bool> {
        // between the ends of other joints bounds of speeds do not hold
        if !self.snapshot.is_steady {
            return Ok(true);
        }
        ws.update(&self.snapshot)?;
        let speeds = self.speeds(a, b)?;
        let mut intervals = vec![(0.0, 1.0)];
        while let Some((low, high)) = intervals.pop() {
            let middle = 0.5 * (low + high);
            self.between_into(a, b, middle, &mut ws.poses.between)?;
            self.set_robots(&ws.poses.between, &mut ws.poses.world)?;
            let Some(travel) = self.meeting(&speeds, 0.5 * (high - low), boxes, ws)? else {
                continue;
            };
            if travel < SMALL {
                return Ok(true);
            }
            intervals.extend([(middle, high), (low, middle)]);
        }
        Ok(false)
    }

    /// Of the elements that may come into a box within a part of the edge, how far the one that moves most does, m; `None` where
    /// none may.
    fn meeting(
        &self,
        speeds: &Speeds,
        part: f64,
        boxes: &[Aabb],
        ws: &Workspace,
    ) -> Result<Option<f64>> {
        let mut most = None;
        for Member { id, .. } in self.members() {
            for (entity, bounds) in ws.poses.world.robot_boxes(*id)? {
                let travel = SAFE * part * speeds.at_most(entity) + ROUNDING;
                let around = bounds.inflated(travel);
                if boxes.iter().any(|other| around.overlaps(other)) {
                    most = Some(travel.max(most.unwrap_or(0.0)));
                }
            }
        }
        Ok(most)
    }
}

/// Motion of an element within an interval, m, below which it is not halved any more.
const SMALL: f64 = 0.01;

/// Factor that covers the rounding of the bounds of speeds.
const SAFE: f64 = 1.0 + 1e-6;

/// Rounding of positions, m.
const ROUNDING: f64 = 1e-9;
