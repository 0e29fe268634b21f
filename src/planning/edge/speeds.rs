//! Bounds on the speeds of bodies along an edge.
//!
//! Along an edge every joint moves steadily, so no point of a link is faster than the sum of what the joints below it
//! can do: their change times the largest distance of the link from their axis. That distance is at most the length of the
//! chain between them; around a configuration it is nearer to the one there.

use crate::geometry::Geometry;
use crate::math::{Point, Pose, Vector};
use crate::planning::RobotCSpace;
use crate::planning::robot_cspace::Member;
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::world::{self, EntityId, RigidObjectId, RobotId};
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
            let body = |link: LinkId, shape: Option<&Geometry>, x_l: &Pose| {
                Body::new(robot, link, (shape, x_l), &changes, farthest)
            };
            let links = robot.links().iter().enumerate().map(|(i, link)| {
                let id = LinkId::new(i);
                body(id, link.shape(), &Pose::identity())
            });
            speeds.robots.push((*id, links.collect()));
            for (object, attachment) in self.world().attachments() {
                if attachment.robot() == *id {
                    let shape = self.world().rigid_object(object)?.geometry.as_ref();
                    let body = body(attachment.link(), shape, attachment.pose_in_link());
                    speeds.attached.push((object, *id, body));
                }
            }
        }
        Ok(speeds)
    }

    /// Tightens the bounds to the part of the edge on either side of the configuration of a workspace. Valid where
    /// no joint turns about several axes at once.
    pub(super) fn tighten(
        &self,
        speeds: &mut Speeds,
        part: f64,
        ws: &world::Workspace,
    ) -> Result<()> {
        let Speeds {
            robots,
            attached,
            axes,
        } = speeds;
        for (Member { id, robot, .. }, (_, links)) in self.members().iter().zip(robots) {
            let state = ws.state(*id)?;
            axes.clear();
            axes.extend(robot.links().iter().enumerate().map(|(i, link)| {
                let pose = state.pose(robot, LinkId::new(i));
                match *link.motion() {
                    LinkMotion::Revolute(axis) => (pose, pose.rotation * axis.normalize()),
                    _ => (pose, Vector::zeros()),
                }
            }));
            let attached = attached.iter_mut().filter(|(_, owner, _)| owner == id);
            for body in links.iter_mut().chain(attached.map(|(_, _, body)| body)) {
                body.tighten(part, axes);
            }
        }
        Ok(())
    }
}

/// Bounds on the speed of everything that moves, in metres per edge.
#[derive(Default)]
pub(super) struct Speeds {
    /// The links of each robot.
    robots: Vec<(RobotId, Vec<Body>)>,
    /// What is attached to the robots.
    attached: Vec<(RigidObjectId, RobotId, Body)>,
    /// Scratch: poses and axes of the links of a robot.
    axes: Vec<(Pose, Vector)>,
}

/// How bodies move at most.
pub(super) struct Moves<'a> {
    /// Along the edge.
    pub(super) speeds: Speeds,
    /// Beside it.
    pub(super) bend: &'a Speeds,
}

impl Moves<'_> {
    /// By how much two elements approach each other within a part of the edge, and beside it.
    pub(super) fn between(&self, part: f64, a: EntityId, b: EntityId) -> f64 {
        part * self.speeds.between(a, b) + self.bend.between(a, b)
    }
}

/// Bounds on the speed of a shape.
struct Body {
    link: LinkId,
    /// A sphere around the shape, in the frame of the link.
    center: Point,
    radius: f64,
    /// What the joints add, from the link down to the root.
    shares: Vec<Share>,
}

/// What a degree of freedom adds to a speed.
struct Share {
    dof: usize,
    link: LinkId,
    /// By how much it turns along the edge; 0 where it does not turn.
    turn: f64,
    /// Anywhere on the edge.
    at_most: f64,
    /// Where the bounds were tightened to.
    bound: f64,
}

impl Speeds {
    /// A bound on how fast two elements approach each other.
    pub(super) fn between(&self, a: EntityId, b: EntityId) -> f64 {
        match (self.of(a), self.of(b)) {
            // joints below both move them together
            (Some((r, a)), Some((s, b))) if r == s => {
                let shared = a.iter().rev().zip(b.iter().rev());
                let shared = shared.take_while(|(a, b)| a.dof == b.dof).count();
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
    fn of(&self, entity: EntityId) -> Option<(RobotId, &[Share])> {
        match entity {
            EntityId::Link(id, link) => {
                let (_, links) = self.robots.iter().find(|(robot, _)| *robot == id)?;
                Some((id, &links[link.index()].shares))
            }
            EntityId::RigidObject(id) => {
                let (_, robot, body) = self.attached.iter().find(|(object, ..)| *object == id)?;
                Some((*robot, &body.shares))
            }
            EntityId::Robot(_) | EntityId::Terrain(_) => None,
        }
    }

    /// A bound on the speed of any element; two approach each other at most twice as fast.
    pub(super) fn fastest(&self) -> f64 {
        let links = self.robots.iter().flat_map(|(_, links)| links);
        let all = links.chain(self.attached.iter().map(|(_, _, body)| body));
        all.map(|body| total(&body.shares)).fold(0.0, f64::max)
    }
}

fn total(shares: &[Share]) -> f64 {
    shares.iter().map(|share| share.bound).sum()
}

impl Body {
    /// A shape at a pose in a link.
    fn new(
        robot: &Robot,
        link: LinkId,
        (shape, x_l): (Option<&Geometry>, &Pose),
        changes: &[f64],
        farthest: impl Fn(usize) -> f64,
    ) -> Self {
        let bounds = shape.and_then(|shape| shape.aabb(x_l));
        let (center, radius) = bounds.map_or((Point::origin(), 0.0), |bounds| {
            let diagonal = bounds.max - bounds.min;
            (bounds.min + 0.5 * diagonal, 0.5 * diagonal.norm())
        });
        // about the origin of each link below
        let mut reach = bounds.map_or(0.0, |bounds| {
            let far = bounds.min.coords.abs().sup(&bounds.max.coords.abs());
            far.norm()
        });
        let mut shares = Vec::new();
        let mut at = Some(link);
        while let Some(id) = at {
            let link = robot.link(id);
            if let Some(dof) = link.dof().map(|dof| dof.index()) {
                let (turn, at_most) = match *link.motion() {
                    LinkMotion::Revolute(axis) => {
                        let turn = changes[dof] * axis.norm();
                        (turn, turn * reach)
                    }
                    LinkMotion::Prismatic(axis) => {
                        reach += farthest(dof) * axis.norm();
                        (0.0, changes[dof] * axis.norm())
                    }
                    LinkMotion::Fixed => (0.0, 0.0),
                };
                shares.push(Share {
                    dof,
                    link: id,
                    turn,
                    at_most,
                    bound: at_most,
                });
            }
            reach += link.placement().translation.vector.norm();
            at = link.parent();
        }
        Self {
            link,
            center,
            radius,
            shares,
        }
    }

    /// Tightens the bounds to the part of the edge on either side of these poses and axes of links.
    fn tighten(&mut self, part: f64, axes: &[(Pose, Vector)]) {
        let center = axes[self.link.index()].0 * self.center;
        // how far the shape moves beside the axis
        let mut moved = 0.0;
        for share in &mut self.shares {
            share.bound = share.at_most;
            if share.turn > 0.0 {
                let (pose, axis) = &axes[share.link.index()];
                let from_axis = (center.coords - pose.translation.vector).cross(axis).norm();
                let bound = share.turn * (from_axis + self.radius + moved);
                share.bound = bound.min(share.at_most);
            }
            moved += part * share.bound;
        }
    }
}
