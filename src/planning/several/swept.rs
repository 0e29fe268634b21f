//! Reserved swept volumes: what robots pass through on their motions, as obstacles of those that are planned later.
//!
//! A volume is kept as copies of each shape along the motion, so close together that at no sample of it a point of the shape is farther
//! from its place in a copy than a spacing. Pairs with a copy keep the spacing as a margin, so that what is free of the copies is free of the
//! volume, up to what moves between two samples.

use super::motion::Track;
use super::one::with_attached;
use crate::geometry::{Aabb, Geometry};
use crate::math::Pose;
use crate::planning::RobotCSpace;
use crate::planning::time::sample_times;
use crate::robot::LinkId;
use crate::world::{EntityId, PairFilter, RigidObject, RobotId, WorldModel};
use crate::{Error, Result};

/// Adds the volumes that robots sweep to a world, as rigid objects, with margins to one robot and to what is attached to it.
///
/// Motions are sampled at the resolution of their space.
pub(super) fn reserve(
    space: &RobotCSpace,
    tracks: &[Track],
    robot: RobotId,
    spacing: f64,
    world: &mut WorldModel,
    mut filter: PairFilter,
) -> Result<PairFilter> {
    let own = elements(world, robot)?;
    let collider = &space.snapshot.collider;
    let mut count = 0;
    for track in tracks {
        for (entity, geometry, poses) in copies(space, track, spacing)? {
            let name = space.world().name(entity)?;
            count += poses.len();
            if count > MOST {
                let problem = format!(
                    "takes more than {MOST} copies of shapes; choose a larger spacing than {spacing} m"
                );
                return Err(Error::invalid(
                    format!("the volume swept by `{name}`"),
                    problem,
                ));
            }
            let pairs: Vec<_> = own
                .iter()
                .map(|&own| (own, collider.margin(entity, own)))
                .collect();
            let margins = pairs.iter().filter_map(|(_, margin)| *margin);
            let margin = spacing + margins.fold(0.0, f64::max);
            for pose in poses {
                let copy = world.add_rigid_object(RigidObject {
                    geometry: Some(geometry.clone()),
                    pose,
                    ..RigidObject::new(format!("volume swept by {name}"))
                })?;
                for element in with_attached(world, robot) {
                    filter = filter.with_margin(element, copy, margin);
                }
                for (element, _) in pairs.iter().filter(|(_, margin)| margin.is_none()) {
                    filter = filter.ignore_pair(*element, copy);
                }
            }
        }
    }
    Ok(filter)
}

/// The links of a robot with a shape, and what is attached to it.
fn elements(world: &WorldModel, robot: RobotId) -> Result<Vec<EntityId>> {
    let links = 0..world.robot(robot)?.model().links().len();
    let links = links.map(|i| EntityId::Link(robot, LinkId::new(i)));
    let attached = with_attached(world, robot).into_iter().skip(1);
    let mut all: Vec<EntityId> = links.chain(attached).collect();
    all.retain(|&entity| world.geometry(entity).is_some());
    Ok(all)
}

/// Each shape that a track moves, and the poses of its copies.
fn copies(
    space: &RobotCSpace,
    track: &Track,
    spacing: f64,
) -> Result<Vec<(EntityId, Geometry, Vec<Pose>)>> {
    let mut world = space.world().clone();
    let mut copies: Vec<Copies> = Vec::new();
    for id in &track.robots {
        for entity in elements(&world, *id)? {
            let shape = world.geometry(entity).map(|placed| placed.geometry);
            let bounds = shape
                .as_ref()
                .and_then(|shape| shape.aabb(&Pose::identity()));
            if let Some((shape, bounds)) = shape.zip(bounds) {
                copies.push(Copies {
                    entity,
                    shape,
                    bounds,
                    poses: Vec::new(),
                });
            }
        }
    }
    for time in track.sample_times(space.resolution())? {
        let [q, ..] = track.state_at(time);
        for member in space.members() {
            if track.robots.contains(&member.id) {
                let first = track.range.start;
                let own = member.range.start - first..member.range.end - first;
                world.robot_mut(member.id)?.set_config(&q[own])?;
            }
        }
        for copies in &mut copies {
            if let Some(pose) = world.pose(copies.entity) {
                copies.keep(pose, spacing);
            }
        }
    }
    let each = copies.into_iter();
    Ok(each.map(|c| (c.entity, c.shape, c.poses)).collect())
}

/// A shape along a motion.
struct Copies {
    entity: EntityId,
    shape: Geometry,
    bounds: Aabb,
    poses: Vec<Pose>,
}

impl Copies {
    /// Keeps a pose if a point of the shape is farther than the spacing from its place at the last one.
    fn keep(&mut self, pose: Pose, spacing: f64) {
        let is_near = self.poses.last().is_some_and(|last| {
            // the distance is convex in the point: no point of a box moves further than all of its corners
            let corners = self.bounds.corners();
            corners
                .iter()
                .all(|p| (pose * p - last * p).norm() <= spacing)
        });
        if !is_near {
            self.poses.push(pose);
        }
    }
}

impl Track {
    /// Times so close together that no number moves further than a resolution between two of them, s.
    pub(super) fn sample_times(&self, resolution: f64) -> Result<Vec<f64>> {
        let mut times = vec![0.0];
        for piece in &self.pieces {
            let own = sample_times(
                piece.along.motion.knots(),
                |t| piece.along.motion.at(t),
                resolution,
            )?;
            times.extend(own.iter().map(|t| piece.begins + t));
        }
        times.dedup_by(|b, a| *b <= *a);
        Ok(times)
    }
}

/// Most copies of shapes.
const MOST: usize = 100_000;
