//! Edges that are free for certain: certificates of all of an interval, and fine samples where obstacles are near.
//!
//! Bisection, as Schwarzer, Saha and Latombe (2005) check edges: an interval around a configuration needs no more checks where all pairs are
//! farther apart than they can approach each other within it. To ask that takes a fraction of the time of the distances that
//! [conservative advancement](super::proof) needs.

use super::certified::{MAX_LENGTH, certify};
use super::{Proof, sampled};
use crate::Result;
use crate::planning::{CSpace, RobotCSpace, Workspace};

impl RobotCSpace {
    /// Returns whether an edge is free: proved where nothing is nearer than `least_gap` (m), elsewhere at the samples of the
    /// resolution.
    pub(in crate::planning) fn is_surely_free_with(
        &self,
        a: &[f64],
        b: &[f64],
        least_gap: f64,
        ws: &mut Workspace,
    ) -> Result<bool> {
        ws.update(&self.snapshot)?;
        if !self.snapshot.is_steady {
            return match self.prove_edge_with(a, b, least_gap, ws)? {
                Proof::Free => Ok(true),
                Proof::Collision(_) => Ok(false),
                Proof::Near { .. } => self.is_edge_free_with(a, b, ws),
            };
        }
        // an edge that takes more samples than there may be has as many
        let finest = |_| self.edge(a, b, Some(sampled::MAX_STEPS as usize));
        let edge = self.edge(a, b, None).or_else(finest)?;
        let poses = &mut ws.poses;
        let steps = edge.steps;
        if !sampled::is_edge_free(self, &edge, [0, steps], poses)? {
            return Ok(false);
        }
        let speeds = self.speeds(a, b)?;
        let fastest = speeds.fastest() / steps as f64;
        poses.intervals.clear();
        poses.intervals.push((0, steps));
        // of each interval both ends are free
        while let Some((low, high)) = poses.intervals.pop() {
            let middle = low + (high - low) / 2;
            let half = (high - middle) as f64;
            if half * fastest <= MAX_LENGTH {
                self.set_step(&edge, middle, poses)?;
                if certify(self, &speeds, half / steps as f64, poses)? {
                    continue;
                }
            }
            if high - low < 2 {
                continue;
            }
            if !sampled::is_edge_free(self, &edge, [middle], poses)? {
                return Ok(false);
            }
            if half * fastest > least_gap {
                poses.intervals.extend([(middle, high), (low, middle)]);
            } else if !sampled::is_edge_free(self, &edge, low + 1..high, poses)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::Proof;
    use crate::geometry::Primitive;
    use crate::planning::{CSpace, RobotCSpace};
    use crate::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
    use crate::world::Terrain;
    use crate::{Point, Pose, Vector, WorldModel, kinematics};

    const LEAST_GAP: f64 = 0.02;

    /// Four bars that turn, one on the other, among blocks.
    fn bars_among_blocks() -> WorldModel {
        let block = |at: Point, size: Vector| Primitive::aabb(at, at + size).unwrap();
        let bar = || {
            Element::new(
                block(
                    Point::new(-0.025, -0.025, 0.05),
                    Vector::new(0.05, 0.05, 0.3),
                )
                .into(),
            )
        };
        let mut bars = RobotBuilder::new("bars");
        let mut below = None;
        for i in 0..5 {
            let motion = match i {
                0 => LinkMotion::Fixed,
                1 | 4 => LinkMotion::Revolute(Vector::z()),
                _ => LinkMotion::Revolute(Vector::y()),
            };
            let mut link = LinkSpec::new(format!("bar{i}"), below, motion);
            link.placement = Pose::translation(0.0, 0.0, if i > 1 { 0.4 } else { 0.0 });
            (link.limits.q_min, link.limits.q_max) = (-2.5, 2.5);
            link.collision.push(bar());
            below = Some(bars.add_link(link));
        }
        let mut world = WorldModel::new();
        world.add_robot(bars.build().unwrap());
        for (i, x) in [-0.9, -0.5, 0.5, 0.9].into_iter().enumerate() {
            let at = Point::new(x, 0.3 * x, 0.7 - 0.5 * x);
            let block = block(at, Vector::repeat(0.2));
            let block = Terrain::new(format!("block{i}"), Some(block.into()));
            world.add_terrain(block).unwrap();
        }
        world
    }

    #[test]
    fn what_is_surely_free_is_free_at_fine_samples_and_what_is_proved_is_surely_free() {
        let world = bars_among_blocks();
        let arm = world.robot("bars").unwrap();
        let space = RobotCSpace::new(&world, &[arm.id()]).unwrap();
        let fine = space.clone().with_resolution(1e-3).unwrap();
        let mut ws = fine.workspace();
        let rows: Vec<Vec<f64>> = (0..400)
            .map(|seed| kinematics::sample(arm.model(), seed, 1.0))
            .filter(|q| space.is_free(q).unwrap())
            .collect();
        let (mut sure, mut blocked, mut proved) = (0, 0, 0);
        for edge in rows.windows(2) {
            let (a, b) = (&edge[0], &edge[1]);
            let is_sure = fine.is_surely_free_with(a, b, LEAST_GAP, &mut ws).unwrap();
            let steps = (space.distance(a, b) / 2e-3).ceil() as usize;
            let is_free = space.is_edge_free_in_steps(a, b, steps).unwrap();
            assert!(is_free || !is_sure);
            match fine.prove_edge_with(a, b, LEAST_GAP, &mut ws).unwrap() {
                Proof::Free => {
                    assert!(is_sure);
                    proved += 1;
                }
                Proof::Collision(_) => assert!(!is_sure),
                Proof::Near { .. } => {}
            }
            sure += usize::from(is_sure);
            blocked += usize::from(!is_free);
        }
        assert!(
            proved > 10 && sure > proved && blocked > 10,
            "{proved} {sure} {blocked}"
        );
    }
}
