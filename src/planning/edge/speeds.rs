//! Bounds on the speeds of bodies along an edge.
//!
//! Along an edge every joint moves steadily, so no point of a link is faster than the sum of what the joints below it
//! can do: their change times the largest distance of the link from their axis.

use crate::geometry::Geometry;
use crate::math::Pose;
use crate::planning::RobotCSpace;
use crate::planning::robot_cspace::Member;
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::world::{EntityId, RigidObjectId, RobotId};
use crate::{Result, kinematics};

impl RobotCSpace {
    /// Speed bounds of the robots and of what is attached to them, along the edge from `a` to `b`.
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
                shares(robot, link, bounding_radius(shape, x_l), &changes, farthest)
            };
            let links = robot.links().iter().enumerate().map(|(i, link)| {
                let id = LinkId::new(i);
                shares(id, link.shape(), &Pose::identity())
            });
            speeds.robots.push((*id, links.collect()));
            for (object, attachment) in self.world().attachments() {
                if attachment.robot() == *id {
                    let shape = self.world().rigid_object(object)?.geometry.as_ref();
                    let shares = shares(attachment.link(), shape, attachment.pose_in_link());
                    speeds.attached.push((object, *id, shares));
                }
            }
        }
        Ok(speeds)
    }
}

/// Bounds on the speed of everything that moves: the share of each joint, in metres per edge.
#[derive(Default)]
pub(super) struct Speeds {
    /// Of each link of each robot.
    robots: Vec<(RobotId, Vec<Shares>)>,
    /// Of what is attached to the robots.
    attached: Vec<(RigidObjectId, RobotId, Shares)>,
}

/// Degrees of freedom and what they add, from the link down to the root.
type Shares = Vec<(usize, f64)>;

impl Speeds {
    /// A bound on how fast two elements approach each other.
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

    /// A bound on the speed of an element.
    pub(super) fn at_most(&self, entity: EntityId) -> f64 {
        self.of(entity).map_or(0.0, |(_, shares)| total(shares))
    }

    /// The robot that moves an element and the shares of its joints; `None` for what stands still.
    fn of(&self, entity: EntityId) -> Option<(RobotId, &[(usize, f64)])> {
        match entity {
            EntityId::Link(id, link) => {
                let (_, links) = self.robots.iter().find(|(robot, _)| *robot == id)?;
                Some((id, &links[link.index()]))
            }
            EntityId::RigidObject(id) => {
                let (_, robot, shares) = self.attached.iter().find(|(object, ..)| *object == id)?;
                Some((*robot, shares))
            }
            EntityId::Robot(_) | EntityId::Terrain(_) => None,
        }
    }

    /// A bound on how fast any two elements approach each other.
    pub(super) fn fastest(&self) -> f64 {
        let links = self.robots.iter().flat_map(|(_, links)| links);
        let all = links.chain(self.attached.iter().map(|(_, _, shares)| shares));
        2.0 * all.map(|shares| total(shares)).fold(0.0, f64::max)
    }
}

fn total(shares: &[(usize, f64)]) -> f64 {
    shares.iter().map(|(_, share)| share).sum()
}

/// Share of each joint in the speed of a shape with this bounding radius about the origin of a link.
fn shares(
    robot: &Robot,
    link: LinkId,
    mut radius: f64,
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
                    shares.push((dof, changes[dof] * axis.norm() * radius))
                }
                LinkMotion::Prismatic(axis) => {
                    shares.push((dof, changes[dof] * axis.norm()));
                    radius += farthest(dof) * axis.norm();
                }
                LinkMotion::Fixed => {}
            }
        }
        radius += link.placement().translation.vector.norm();
        at = link.parent();
    }
    shares
}

/// Bounding radius, about the origin of a link, of a shape at a pose in the link.
fn bounding_radius(shape: Option<&Geometry>, x_l: &Pose) -> f64 {
    let bounds = shape.and_then(|shape| shape.aabb(x_l));
    bounds.map_or(0.0, |bounds| {
        let far = bounds.min.coords.abs().sup(&bounds.max.coords.abs());
        far.norm()
    })
}
