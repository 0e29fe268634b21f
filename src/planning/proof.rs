//! The straight way between two configurations, without samples: conservative advancement.
//!
//! Along the way every joint moves steadily, so no point of a link is faster than the sum of what the joints below it
//! can do: their change times the farthest that the link can reach from their axis. Two links whose gap is `d` and whose
//! speeds add to `v` cannot meet within `d / v` of the way. The pair for which that is least says how far to go on
//! (Mirtich and Canny 1995; Zhang, Lee and Kim 2006). The gap of a pair is its distance less its margin.

use super::robot_cspace::Member;
use super::{Contact, RobotCSpace};
use crate::geometry::Geometry;
use crate::math::Pose;
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::world::{EntityId, RigidObjectId, RobotId, WorldDistance};
use crate::{Error, Result, kinematics};

/// What can be said of all of a way, not of samples on it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Proof {
    /// Nothing on the way collides.
    Free,
    /// The way meets an obstacle here.
    Contact(Contact),
    /// The way passes so near to an obstacle that the proof stops here.
    Near {
        /// How far along the way, from 0 to 1; up to here it is free.
        t: f64,
        /// The pair, and its distance; a [margin](crate::world::PairFilter::with_margin) of the pair is not taken off.
        nearest: WorldDistance,
    },
}

/// The most steps of a proof, as gaps never below the least allow them.
const MOST_STEPS: f64 = 1e7;

impl RobotCSpace {
    /// Whether the whole way from `a` to `b` is free, without any resolution.
    ///
    /// `least_gap` (m) is the distance, less the pair's margin, below which the proof gives up: the smaller, the more steps along obstacles.
    ///
    /// # Errors
    ///
    /// As [`obstacle`](Self::obstacle), for a `least_gap` that is not positive and finite, and for a way that is too long
    /// for it.
    pub fn prove_edge(&mut self, a: &[f64], b: &[f64], least_gap: f64) -> Result<Proof> {
        if !(least_gap > 0.0 && least_gap.is_finite()) {
            let problem = format!("{least_gap} is not a positive length");
            return Err(Error::invalid("the least gap of a proof", problem));
        }
        for (t, q) in [(0.0, a), (1.0, b)] {
            if let Some(obstacle) = self.obstacle(q)? {
                return Ok(Proof::Contact(Contact { t, obstacle }));
            }
        }
        let speeds = self.speeds(a, b)?;
        let fastest = speeds.fastest();
        if fastest / least_gap > MOST_STEPS {
            let problem = format!("is too long for a least gap of {least_gap} m");
            return Err(Error::invalid(
                "the way between two configurations",
                problem,
            ));
        }
        let ids: Vec<RobotId> = self.members().iter().map(|member| member.id).collect();
        let mut t = 0.0;
        while t < 1.0 {
            if let Some(obstacle) = self.obstacle_between(a, b, t)? {
                return Ok(Proof::Contact(Contact { t, obstacle }));
            }
            let (collider, ws) = self.collider();
            let soonest = collider.soonest_with(&ids, ws, |a, b| speeds.between(a, b))?;
            let Some(soonest) = soonest else {
                break;
            };
            if soonest.gap <= least_gap {
                let nearest = soonest.nearest;
                return Ok(Proof::Near { t, nearest });
            }
            t += soonest.time;
        }
        Ok(Proof::Free)
    }

    pub(super) fn speeds(&self, a: &[f64], b: &[f64]) -> Result<Speeds> {
        let mut speeds = Speeds::default();
        for Member {
            id, robot, range, ..
        } in self.members()
        {
            let (a, b) = (&a[range.clone()], &b[range.clone()]);
            let changes = kinematics::changes(robot, a, b)?;
            let farthest = |i: usize| a[i].abs().max(b[i].abs());
            let shares = |link: LinkId, shape: Option<&Geometry>, x_l: &Pose| {
                shares(robot, link, radius(shape, x_l), &changes, farthest)
            };
            let links = robot.links().iter().enumerate().map(|(i, link)| {
                let id = LinkId::new(i);
                shares(id, link.shape(), &Pose::identity())
            });
            speeds.robots.push((*id, links.collect()));
            for (object, held) in self.world().attachments() {
                if held.robot() == *id {
                    let shape = self.world().rigid_object(object)?.geometry.as_ref();
                    let shares = shares(held.link(), shape, held.pose_in_link());
                    speeds.held.push((object, *id, shares));
                }
            }
        }
        Ok(speeds)
    }
}

/// Bounds on the speed of everything that moves: what each joint adds to it, in metres per way.
#[derive(Default)]
pub(super) struct Speeds {
    /// Of each link of each robot.
    robots: Vec<(RobotId, Vec<Shares>)>,
    /// Of what the robots hold.
    held: Vec<(RigidObjectId, RobotId, Shares)>,
}

/// Coordinates and what they add, from the link down to the root.
type Shares = Vec<(usize, f64)>;

impl Speeds {
    /// A bound on how fast two elements near each other.
    pub(super) fn between(&self, a: EntityId, b: EntityId) -> f64 {
        match (self.of(a), self.of(b)) {
            // joints below both move them together
            (Some((r, a)), Some((s, b))) if r == s => {
                let shared = a.iter().rev().zip(b.iter().rev());
                let shared = shared.take_while(|(a, b)| a.0 == b.0).count();
                total(&a[..a.len() - shared]) + total(&b[..b.len() - shared])
            }
            (a, b) => [a, b].into_iter().flatten().map(|(_, x)| total(x)).sum(),
        }
    }

    /// A bound on how fast an element is.
    pub(super) fn at_most(&self, entity: EntityId) -> f64 {
        self.of(entity).map_or(0.0, |(_, shares)| total(shares))
    }

    /// What moves an element, and the robot that does; `None` for what stands still.
    fn of(&self, entity: EntityId) -> Option<(RobotId, &[(usize, f64)])> {
        match entity {
            EntityId::Link(id, link) => {
                let (_, links) = self.robots.iter().find(|(robot, _)| *robot == id)?;
                Some((id, &links[link.index()]))
            }
            EntityId::RigidObject(id) => {
                let (_, robot, shares) = self.held.iter().find(|(object, ..)| *object == id)?;
                Some((*robot, shares))
            }
            EntityId::Robot(_) | EntityId::Terrain(_) => None,
        }
    }

    pub(super) fn fastest(&self) -> f64 {
        let links = self.robots.iter().flat_map(|(_, links)| links);
        let all = links.chain(self.held.iter().map(|(_, _, shares)| shares));
        2.0 * all.map(|shares| total(shares)).fold(0.0, f64::max)
    }
}

fn total(shares: &[(usize, f64)]) -> f64 {
    shares.iter().map(|(_, share)| share).sum()
}

/// What each joint adds to the speed of a shape that reaches so far from the origin of a link.
fn shares(
    robot: &Robot,
    link: LinkId,
    mut reach: f64,
    changes: &[f64],
    farthest: impl Fn(usize) -> f64,
) -> Shares {
    let mut shares = Vec::new();
    let mut at = Some(link);
    while let Some(id) = at {
        let link = robot.link(id);
        if let Some(dof) = link.dof().map(|dof| dof.index()) {
            match *link.motion() {
                LinkMotion::Revolute(axis) => {
                    shares.push((dof, changes[dof] * axis.norm() * reach))
                }
                LinkMotion::Prismatic(axis) => {
                    shares.push((dof, changes[dof] * axis.norm()));
                    reach += farthest(dof) * axis.norm();
                }
                LinkMotion::Fixed => {}
            }
        }
        reach += link.placement().translation.vector.norm();
        at = link.parent();
    }
    shares
}

/// The farthest that a shape at a pose in a link reaches from the origin of the link's frame.
fn radius(shape: Option<&Geometry>, x_l: &Pose) -> f64 {
    let bounds = shape.and_then(|shape| shape.aabb(x_l));
    bounds.map_or(0.0, |bounds| {
        let far = bounds.min.coords.abs().sup(&bounds.max.coords.abs());
        far.norm()
    })
}
