//! The sphere model: spheres, obstacles, enabled pairs and bounding radii, all independent of the configuration.

use std::f64::consts::PI;
use std::ops::Range;
use std::sync::Arc;

use super::obstacles::{Obstacles, gather};
use super::sphere::Sphere32;
use crate::Result;
use crate::geometry::{Geometry, Sphere};
use crate::math::{Point, Pose};
use crate::robot::{LinkMotion, Robot};
use crate::world::RobotId;
use crate::world::collider::{Workspace, WorldCollider};

/// Spheres of some robots, and the obstacles that they are checked against.
#[derive(Debug, Clone)]
pub(super) struct Model {
    pub(super) robots: Vec<MovingRobot>,
    pub(super) bodies: Vec<Body>,
    pub(super) links: Vec<Link>,
    /// Bounding spheres of the links, in the frames of their bodies.
    pub(super) spheres: Vec<Sphere32>,
    /// The link of each sphere.
    pub(super) sphere_link: Vec<u32>,
    /// Spheres inside solid links, in the frames of their bodies.
    pub(super) inner: Vec<Sphere32>,
    pub(super) obstacles: Obstacles,
    pub(super) pairs: Vec<BodyPair>,
    pub(super) link_pairs: Vec<LinkPair>,
    /// Largest displacement per unit of a dof of each body, and then of each pair of bodies relative to one another, m: one
    /// row per dof, padded to a multiple of sixteen.
    pub(super) motions: Vec<f32>,
    /// Bounding radius of everything about the world origin with all prismatic joints at zero, m, and the largest depth.
    extent: f64,
    depth: usize,
    /// For each dof: whether it is revolute, and the length of its axis.
    axes: Vec<(bool, f64)>,
    /// Bound on rounding errors within the limits, m; `None` where a dof has no limits.
    pub(super) within_limits: Option<f32>,
    /// Whether parts that cannot move relative to each other collide: static parts, and parts of one body.
    stuck: [bool; 2],
}

/// A robot and the range of its dofs among all.
#[derive(Debug, Clone)]
pub(super) struct MovingRobot {
    id: RobotId,
    pub(super) robot: Arc<Robot>,
    pub(super) range: Range<usize>,
}

/// Links without relative motion.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) robot: usize,
    pub(super) frame: usize,
    pub(super) around: Sphere32,
    pub(super) links: Range<usize>,
    /// A bit for each obstacle that is enabled for one of its links.
    pub(super) meets: Vec<u32>,
}

/// A part that moves: a link, or an attached object.
#[derive(Debug, Clone)]
pub(super) struct Link {
    pub(super) body: usize,
    pub(super) part: usize,
    pub(super) around: Sphere32,
    pub(super) spheres: Range<usize>,
    /// Spheres that it encloses.
    pub(super) inner: Range<usize>,
    /// Whether its spheres equal its shape.
    pub(super) exact: bool,
    /// Whether what is wholly inside collides.
    pub(super) solid: bool,
    /// A bit for each enabled obstacle.
    pub(super) meets: Vec<u32>,
}

/// Two bodies with enabled pairs of links.
#[derive(Debug, Clone)]
pub(super) struct BodyPair {
    pub(super) bodies: [usize; 2],
    /// In [`Model::link_pairs`].
    pub(super) links: Range<usize>,
    /// Largest margin of its link pairs, rounded up, m.
    pub(super) margin: f32,
}

/// An enabled pair of links.
#[derive(Debug, Clone)]
pub(super) struct LinkPair {
    /// In [`Model::pairs`].
    pub(super) bodies: u32,
    pub(super) links: [u32; 2],
    /// Margin of the pair, rounded up and rounded down, m.
    pub(super) margin: [f32; 2],
    /// Whether the spheres of both equal their shapes.
    pub(super) exact: bool,
}

impl LinkPair {
    /// The two links, in [`Model::links`].
    pub(super) fn links(&self) -> [usize; 2] {
        [self.links[0] as usize, self.links[1] as usize]
    }

    /// What is added to the radii of two spheres where they may overlap, and where they certainly do.
    pub(super) fn edges(&self, rounding: f32) -> [f32; 2] {
        [
            self.margin[0] + 2.0 * rounding,
            self.margin[1] - 2.0 * rounding,
        ]
    }
}

/// Spheres per object attached to a robot that consists of spheres.
const ATTACHED_SPHERES: usize = 16;

/// Relative rounding error of a margin in single precision, alone and in sums with radii.
const ROUNDED: f64 = 1e-6;

/// Squares of larger lengths overflow in single precision.
const FARTHEST: f64 = 1e12;

impl Model {
    /// Builds the model; `None` where a link does not consist of spheres and no number is given.
    pub(super) fn new(
        collider: &WorldCollider,
        ws: &Workspace,
        robots: &[RobotId],
        most: Option<usize>,
    ) -> Result<Option<Self>> {
        let scene = &collider.scene;
        let mut model = Self {
            robots: Vec::new(),
            bodies: Vec::new(),
            links: Vec::new(),
            spheres: Vec::new(),
            sphere_link: Vec::new(),
            inner: Vec::new(),
            obstacles: Obstacles::new(Vec::new()),
            pairs: Vec::new(),
            link_pairs: Vec::new(),
            motions: Vec::new(),
            extent: 0.0,
            depth: 0,
            axes: Vec::new(),
            within_limits: None,
            stuck: [false; 2],
        };
        // moving parts, sorted by body
        let mut moving: Vec<(usize, usize, usize)> = Vec::new();
        let mut first = 0;
        for (i, &id) in robots.iter().enumerate() {
            let frozen = &scene.robots[collider.initial.robot(id)?];
            let range = first..first + frozen.robot.n_dofs();
            first = range.end;
            for part in frozen.parts.clone() {
                let Some((link, _)) = scene.parts[part].carrier() else {
                    continue;
                };
                if let Some(frame) = frozen.robot.attachment(link).body {
                    moving.push((i, frame, part));
                }
            }
            model.robots.push(MovingRobot {
                id,
                robot: Arc::clone(&frozen.robot),
                range,
            });
        }
        moving.sort_unstable();
        for (robot, frame, part) in moving {
            let Some((link, x_lo)) = scene.parts[part].carrier() else {
                continue;
            };
            let mut x_bl = model.robots[robot].robot.attachment(link).x_bl;
            // attached objects get spheres even where the links need none
            let mut most = most;
            if let Some(x_lo) = x_lo {
                x_bl *= x_lo;
                most = most.or(Some(ATTACHED_SPHERES));
            }
            if !model.add_link(
                (robot, frame),
                part,
                &scene.parts[part].geometry,
                &x_bl,
                most,
            )? {
                return Ok(None);
            }
        }
        model.close_bodies();
        model.set_obstacles(collider, ws);
        model.add_pairs(collider);
        model.add_motions();
        model.measure();
        Ok(Some(model))
    }

    /// Adds the spheres of a link; false where it does not consist of spheres and no number is given.
    fn add_link(
        &mut self,
        (robot, frame): (usize, usize),
        part: usize,
        shape: &Geometry,
        x_bl: &Pose,
        most: Option<usize>,
    ) -> Result<bool> {
        let own = shape.as_spheres();
        let exact = own.is_some();
        let (outer, inner) = match (own, most) {
            (Some(own), _) => (own, Vec::new()),
            (None, Some(most)) => (shape.cover(most)?, shape.enclosed_spheres(most)?),
            (None, None) => return Ok(false),
        };
        let placed = |s: &Sphere| Sphere32::new(&(x_bl * s.center), s.radius);
        let body = match self.bodies.last() {
            Some(body) if (body.robot, body.frame) == (robot, frame) => self.bodies.len() - 1,
            _ => {
                let links = self.links.len()..self.links.len();
                self.bodies.push(Body {
                    robot,
                    frame,
                    around: Sphere32::NONE,
                    links,
                    meets: Vec::new(),
                });
                self.bodies.len() - 1
            }
        };
        let (first, first_inner) = (self.spheres.len(), self.inner.len());
        self.spheres.extend(outer.iter().map(placed));
        self.inner.extend(inner.iter().map(placed));
        let link = u32::try_from(self.links.len()).expect("fewer than 2^32 links");
        self.sphere_link.resize(self.spheres.len(), link);
        self.links.push(Link {
            body,
            part,
            around: Sphere32::around(&self.spheres[first..]),
            spheres: first..self.spheres.len(),
            inner: first_inner..self.inner.len(),
            exact,
            solid: shape.is_solid(),
            meets: Vec::new(),
        });
        self.bodies[body].links.end = self.links.len();
        Ok(true)
    }

    /// Computes the bounding sphere of each body.
    fn close_bodies(&mut self) {
        for i in 0..self.bodies.len() {
            let links = &self.links[self.bodies[i].links.clone()];
            let around: Vec<Sphere32> = links.iter().map(|link| link.around).collect();
            self.bodies[i].around = match around[..] {
                [one] => one,
                _ => Sphere32::around(&around),
            };
        }
    }

    /// Takes as obstacles all that no dof moves, at its pose in `ws`: terrains, objects, other robots, and links fixed to the
    /// world.
    pub(super) fn set_obstacles(&mut self, collider: &WorldCollider, ws: &Workspace) {
        let scene = &collider.scene;
        let mut list = Vec::new();
        let mut is_moving = vec![false; scene.parts.len()];
        for link in &self.links {
            is_moving[link.part] = true;
        }
        // a part appears once for each margin that some link has to it
        let margin = |a: usize, b: usize| {
            let pair = (a.min(b), a.max(b));
            let is_enabled = scene.is_enabled(pair.0, pair.1);
            is_enabled.then(|| scene.margins.of(pair))
        };
        let mut obstacle_margins: Vec<f64> = Vec::new();
        for part in (0..scene.parts.len()).filter(|&part| !is_moving[part]) {
            let margins = self.links.iter().filter_map(|link| margin(part, link.part));
            let mut margins: Vec<f64> = margins.collect();
            margins.sort_unstable_by(f64::total_cmp);
            margins.dedup_by(|a, b| a.total_cmp(b).is_eq());
            let (geometry, pose) = ws.placed(part);
            for margin in margins {
                gather(part, geometry, pose, margin, &mut list);
                obstacle_margins.resize(list.len(), margin);
            }
        }
        for body in &mut self.bodies {
            body.meets.clear();
        }
        for link in &mut self.links {
            let mut meets = vec![0_u32; list.len().div_ceil(32)];
            for (i, obstacle) in list.iter().enumerate() {
                let own = margin(obstacle.part, link.part);
                if own.is_some_and(|own| own.total_cmp(&obstacle_margins[i]).is_eq()) {
                    meets[i / 32] |= 1 << (i % 32);
                }
            }
            let body = &mut self.bodies[link.body].meets;
            body.resize(meets.len(), 0);
            for (all, own) in body.iter_mut().zip(&meets) {
                *all |= own;
            }
            link.meets = meets;
        }

        // static parts of these robots may collide with other static parts, whatever the configuration
        let of_robots = self.robots.iter().map(|robot| robot.id);
        let own_parts: Vec<usize> = of_robots
            .filter_map(|id| ws.robot(id).ok())
            .flat_map(|robot| scene.robots[robot].parts.clone())
            .filter(|&part| !is_moving[part])
            .collect();
        let still = |a: usize| {
            (0..scene.parts.len())
                .filter(move |&b| b != a)
                .map(move |b| (a.min(b), a.max(b)))
        };
        let pairs = own_parts.iter().flat_map(|&a| still(a));
        let pairs = pairs.filter(|&(a, b)| !is_moving[a] && !is_moving[b]);
        let mut pairs = pairs.filter(|&(a, b)| scene.is_enabled(a, b));
        self.stuck[0] = pairs.any(|pair| ws.meet(pair));
        self.obstacles = Obstacles::new(list);
    }

    /// Lists the pairs of links with relative motion, grouped by pairs of bodies.
    fn add_pairs(&mut self, collider: &WorldCollider) {
        let scene = &collider.scene;
        for a in 0..self.bodies.len() {
            for b in a..self.bodies.len() {
                let first = self.link_pairs.len();
                for i in self.bodies[a].links.clone() {
                    for j in self.bodies[b].links.clone().filter(|&j| j > i) {
                        let (p, q) = (self.links[i].part, self.links[j].part);
                        if !scene.is_enabled(p.min(q), p.max(q)) {
                            continue;
                        }
                        if a == b {
                            self.stuck[1] |= collider.initial.meet((p.min(q), p.max(q)));
                            continue;
                        }
                        let margin = scene.margins.of((p.min(q), p.max(q)));
                        self.link_pairs.push(LinkPair {
                            bodies: self.pairs.len() as u32,
                            links: [i as u32, j as u32],
                            margin: [1.0 + ROUNDED, 1.0 - ROUNDED].map(|x| (margin * x) as f32),
                            exact: self.links[i].exact && self.links[j].exact,
                        });
                    }
                }
                let links = first..self.link_pairs.len();
                if links.is_empty() {
                    continue;
                }
                let of_links = self.link_pairs[links.clone()].iter();
                let margin = of_links.fold(0.0_f32, |m, pair| m.max(pair.margin[0]));
                self.pairs.push(BodyPair {
                    bodies: [a, b],
                    links,
                    margin,
                });
            }
        }
    }

    /// Computes the bounding radius, the depth and the rounding bound.
    fn measure(&mut self) {
        for body in &self.bodies {
            let robot = &self.robots[body.robot].robot;
            let center = Point::from(body.around.center.map(f64::from));
            let mut extent = center.coords.norm() + f64::from(body.around.radius);
            let mut depth = 0;
            for at in robot.tree().chain(Some(body.frame)) {
                extent += offset(robot, at);
                depth += 1;
            }
            self.extent = self.extent.max(extent);
            self.depth = self.depth.max(depth);
        }
        let mut farthest = Vec::new();
        for MovingRobot { robot, .. } in &self.robots {
            for (limits, &link) in robot.limits().iter().zip(robot.dofs()) {
                self.axes.push(match *robot.link(link).motion() {
                    LinkMotion::Revolute(axis) => (true, axis.norm()),
                    LinkMotion::Prismatic(axis) => (false, axis.norm()),
                    LinkMotion::Fixed => (false, 0.0),
                });
                farthest.push(limits.q_min.abs().max(limits.q_max.abs()) + 1e-6);
            }
        }
        if farthest.iter().all(|q| q.is_finite()) {
            self.within_limits = Some(self.rounding(|i| farthest[i]));
        }
    }

    /// Bound on the rounding error of a position, m, for configurations with `|q[i]| ≤ dof(i)`; infinite where single
    /// precision overflows.
    ///
    /// Each joint adds the rounding of its angle, of sine and cosine, and of the product of frames, together less than
    /// 1e-6 for angles up to π, times the distance to the tip, also where a direction within 1e-8 of an axis counts as it; and poses
    /// from files are orthonormal to 1e-6 only, which the exact shapes correct.
    pub(super) fn rounding(&self, dof: impl Fn(usize) -> f64) -> f32 {
        let (mut travel, mut angle) = (0.0, PI);
        for (i, &(is_revolute, length)) in self.axes.iter().enumerate() {
            let moved = length * dof(i);
            if is_revolute {
                angle = angle.max(moved);
            } else {
                travel += moved;
            }
        }
        let extent = self.extent + travel;
        let rounding = 1e-6 * (4.0 + self.depth as f64) * extent * (1.0 + angle / PI);
        if extent < FARTHEST && angle < FARTHEST {
            rounding as f32
        } else {
            f32::INFINITY
        }
    }

    /// Whether parts collide in every configuration.
    pub(super) fn is_stuck(&self) -> bool {
        self.stuck != [false; 2]
    }

    /// Number of dofs of all robots.
    pub(super) fn width(&self) -> usize {
        self.robots.last().map_or(0, |robot| robot.range.end)
    }
}

/// Distance between the frames of a body and its parent, bounded by the sum over the fixed links between them, m.
pub(super) fn offset(robot: &Robot, body: usize) -> f64 {
    let mut offset = 0.0;
    let mut at = Some(robot.dofs()[body]);
    while let Some(link) = at {
        offset += robot.link(link).placement().translation.vector.norm();
        at = robot.link(link).parent();
        if at.is_some_and(|parent| robot.link(parent).dof().is_some()) {
            break;
        }
    }
    offset
}
