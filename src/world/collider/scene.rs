//! What a collider froze: the shapes, the places of those that do not move, and which pairs count.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::PairFilter;
use super::margins::Margins;
use super::scan::BoxScan;
use super::tree::BoxTree;
use crate::geometry::{Aabb, Geometry, query};
use crate::kinematics::State;
use crate::math::Pose;
use crate::robot::{JointKind, LinkId, Robot};
use crate::world::{EntityId, RigidObjectId, RobotId, WorldModel};
use crate::{Error, Result};

/// A frozen world.
///
/// Parts that do not move come first: terrains, then rigid objects. Then comes robot after robot, its links before what they
/// hold.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) parts: Vec<Part>,
    pub(super) robots: Vec<FrozenRobot>,
    objects: Vec<FrozenObject>,
    /// The parts in Klampt's order, which is that of their ids.
    pub(super) by_id: Vec<u32>,
    filter: PairFilter,
    pub(super) margins: Margins,
    /// What may touch: terrains and robots that stand there, what is held and what it may touch.
    touching: HashSet<(usize, usize)>,

    // of the parts that do not move, which come first
    pub(super) poses: Vec<Pose>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) tree: BoxTree,
    /// The same boxes side by side, where that is quicker.
    scan: Option<BoxScan>,
    /// Colliding pairs among them, once somebody asked.
    pub(super) still_collisions: OnceLock<Vec<(usize, usize)>>,

    /// Pairs of links to look at, where listing them costs little.
    pub(super) link_pairs: Option<Vec<(usize, usize)>>,
}

/// One thing with a shape.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) entity: EntityId,
    pub(super) geometry: Geometry,
    /// The box in its own frame, margin included, and its share of the margins of its pairs.
    pub(super) bounds: Aabb,
    /// A number that grows with the time that a test of this shape takes.
    pub(super) cost: usize,
    /// Whether it is one convex piece.
    pub(super) is_convex: bool,
    /// Of what is held: the link that holds it, and where.
    held: Option<(LinkId, Pose)>,
}

/// A robot, and where it was when the world was frozen.
#[derive(Debug)]
pub(super) struct FrozenRobot {
    pub(super) id: RobotId,
    pub(super) robot: Arc<Robot>,
    pub(super) state: State,
    /// All that moves with it and has a shape, in [`Scene::parts`].
    pub(super) parts: Range<usize>,
    /// Its links among them.
    pub(super) links: Range<usize>,
}

/// A rigid object when the world was frozen.
#[derive(Debug)]
pub(super) struct FrozenObject {
    id: RigidObjectId,
    pub(super) name: String,
    /// In [`Scene::parts`]; `None` without a shape.
    pub(super) part: Option<usize>,
    /// The name of the robot that holds it.
    pub(super) holder: Option<String>,
}

/// From this many links with a shape on, pairs of links are found anew each time instead of listed.
const LISTED_LINKS: usize = 400;

/// A robot stands on a terrain that is nearer than this, m: files have about six digits.
const MOUNT_GAP: f64 = 1e-6;

/// Boxes are larger by this part of the lengths at hand, so that shapes that touch to rounding are looked at.
const HAIR: f64 = 64.0 * f64::EPSILON;

impl Scene {
    pub(super) fn new(world: &WorldModel, filter: &PairFilter) -> Result<Self> {
        filter.check(world)?;
        world.prepare();
        let mut scene = Self {
            parts: Vec::new(),
            robots: Vec::new(),
            objects: Vec::new(),
            filter: filter.clone(),
            margins: Margins::default(),
            by_id: Vec::new(),
            touching: HashSet::new(),
            poses: Vec::new(),
            boxes: Vec::new(),
            tree: BoxTree::new(Vec::new()),
            scan: None,
            still_collisions: OnceLock::new(),
            link_pairs: None,
        };
        let terrains = world.terrains().map(|(id, _)| EntityId::from(id));
        let objects = world.rigid_objects().map(|(id, _)| id);
        let objects = objects.filter(|&id| world.attachment(id).is_none());
        let objects = objects.map(EntityId::from);
        for entity in terrains.chain(objects) {
            let (Some(part), Some(pose)) = (Part::new(world, entity, filter), world.pose(entity))
            else {
                continue;
            };
            let Some(bounds) = part.bounds_at(&pose) else {
                let what = format!("{} `{}`", entity.kind(), world.name(entity)?);
                return Err(Error::invalid(what, "reaches out of the numbers"));
            };
            scene.boxes.push(bounds);
            scene.poses.push(pose);
            scene.parts.push(part);
        }
        scene.tree = BoxTree::new(scene.boxes.iter().copied().zip(0..).collect());
        scene.scan = BoxScan::new(&scene.boxes);
        for robot in world.robots() {
            let start = scene.parts.len();
            let links = robot.links().map(|link| link.entity());
            scene
                .parts
                .extend(links.filter_map(|link| Part::new(world, link, filter)));
            let links = start..scene.parts.len();
            let held = world.attachments().filter(|(_, a)| a.robot() == robot.id());
            scene.parts.extend(held.filter_map(|(id, attachment)| {
                let part = Part::new(world, id.into(), filter)?;
                let held = Some((attachment.link(), *attachment.pose_in_link()));
                Some(Part { held, ..part })
            }));
            scene.robots.push(FrozenRobot {
                id: robot.id(),
                robot: Arc::clone(robot.model()),
                state: robot.state().clone(),
                parts: start..scene.parts.len(),
                links,
            });
        }
        let entities = scene.parts.iter().map(|part| part.entity);
        scene.margins = Margins::new(filter, entities);
        scene.by_id = (0..scene.parts.len() as u32).collect();
        scene
            .by_id
            .sort_unstable_by_key(|&part| scene.parts[part as usize].entity);
        for (id, object) in world.rigid_objects() {
            let holder = world.attachment(id).map(|held| world.robot(held.robot()));
            let holder = holder.transpose()?;
            scene.objects.push(FrozenObject {
                id,
                name: object.name.clone(),
                part: scene.part_of(id.into()),
                holder: holder.map(|robot| robot.name().to_owned()),
            });
        }
        if !filter.tests_mounts() {
            scene.touching = scene.find_mounts();
        }
        scene.add_touching(world);
        if scene.parts.len() - scene.n_still() < LISTED_LINKS {
            scene.link_pairs = Some(scene.all_link_pairs().collect());
        }
        Ok(scene)
    }

    /// How many parts do not move; links and what they hold come after them.
    pub(super) fn n_still(&self) -> usize {
        self.poses.len()
    }

    /// Appends what stands still and the numbers, counted from `first`, of boxes that may meet it.
    pub(super) fn still_near(&self, boxes: &[Aabb], first: usize, out: &mut Vec<(u32, u32)>) {
        if let Some(scan) = &self.scan {
            return scan.overlapping(boxes, first, out);
        }
        for (number, bounds) in (first as u32..).zip(boxes) {
            self.tree
                .overlapping(bounds, |still| out.push((still, number)));
        }
    }

    /// A rigid object of the frozen world.
    pub(super) fn object(&self, id: RigidObjectId) -> Result<&FrozenObject> {
        let objects = &self.objects;
        let position = objects.binary_search_by_key(&id, |object| object.id);
        let known = objects.iter().map(|object| &*object.name);
        let found = position.map(|position| &objects[position]);
        found.map_err(|_| Error::not_found("rigid object", id.to_string(), known))
    }

    /// The robot that owns a part, and its link.
    pub(super) fn owner(&self, part: usize) -> Option<(&FrozenRobot, LinkId)> {
        let EntityId::Link(_, link) = self.parts[part].entity else {
            return None;
        };
        let robot = self.robots.partition_point(|robot| robot.parts.end <= part);
        Some((&self.robots[robot], link))
    }

    /// The part of an element with a shape.
    pub(super) fn part_of(&self, entity: EntityId) -> Option<usize> {
        let id = |part: &u32| self.parts[*part as usize].entity;
        let found = self.by_id.binary_search_by_key(&entity, id).ok()?;
        Some(self.by_id[found] as usize)
    }

    /// Whether a pair counts, smaller index first.
    pub(super) fn is_enabled(&self, a: usize, b: usize) -> bool {
        let allowed = match (self.parts[a].entity, self.parts[b].entity) {
            (EntityId::Terrain(_), EntityId::Terrain(_)) => false,
            (EntityId::Terrain(_), EntityId::Link(..)) => !self.touching.contains(&(a, b)),
            (EntityId::Link(r, i), EntityId::Link(s, j)) if r == s => self
                .owner(a)
                .is_some_and(|(owner, _)| owner.robot.self_collision_enabled(i, j)),
            _ if self.is_held(a) || self.is_held(b) => a != b && !self.touching.contains(&(a, b)),
            _ => a != b,
        };
        allowed
            && !self
                .filter
                .ignores(self.parts[a].entity, self.parts[b].entity)
    }

    fn is_held(&self, part: usize) -> bool {
        self.parts[part].held.is_some()
    }

    /// Every pair of parts that move that counts.
    fn all_link_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let links = self.n_still()..self.parts.len();
        links
            .clone()
            .flat_map(move |a| (a + 1..links.end).map(move |b| (a, b)))
            .filter(|&(a, b)| self.is_enabled(a, b))
    }

    /// Every pair that counts, sorted by ids.
    pub(super) fn all_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.parts.len();
        (0..n)
            .flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
            .map(|(a, b)| (self.by_id[a] as usize, self.by_id[b] as usize))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .filter(|&(a, b)| self.is_enabled(a, b))
    }

    /// What is held, and all that it may touch.
    fn add_touching(&mut self, world: &WorldModel) {
        for (id, attachment) in world.attachments() {
            let Some(held) = self.part_of(id.into()) else {
                continue;
            };
            let others = self.parts.iter().enumerate();
            let others = others.filter(|(_, other)| attachment.may_touch(other.entity));
            let pairs = others.map(|(other, _)| (held.min(other), held.max(other)));
            self.touching.extend(pairs);
        }
    }

    /// Terrains and links that touch where a robot was put up.
    fn find_mounts(&self) -> HashSet<(usize, usize)> {
        let mut mounts = HashSet::new();
        for FrozenRobot { robot, links, .. } in &self.robots {
            let initial = State::new(robot);
            for link_part in links.clone() {
                let EntityId::Link(_, link) = self.parts[link_part].entity else {
                    continue;
                };
                if !is_base(robot, link) {
                    continue;
                }
                let part = &self.parts[link_part];
                let pose = initial.pose(robot, link);
                let Some(bounds) = part.bounds_at(&pose) else {
                    continue;
                };
                self.tree.overlapping(&bounds.inflated(MOUNT_GAP), |still| {
                    let still = still as usize;
                    let there = (&self.parts[still].geometry, &self.poses[still]);
                    let is_terrain = matches!(self.parts[still].entity, EntityId::Terrain(_));
                    if is_terrain
                        && query::within_distance_at((&part.geometry, &pose), there, MOUNT_GAP)
                    {
                        mounts.insert((still, link_part));
                    }
                });
            }
        }
        mounts
    }
}

impl Part {
    /// The part that an element makes, `None` for one without a shape.
    fn new(world: &WorldModel, entity: EntityId, filter: &PairFilter) -> Option<Self> {
        let geometry = world.shape(entity)?.clone();
        Some(Self {
            entity,
            bounds: geometry
                .aabb(&Pose::identity())?
                .inflated(filter.growth(entity)),
            cost: 1 + geometry.n_triangles(),
            is_convex: geometry.is_one_piece(),
            geometry,
            held: None,
        })
    }

    /// The link that carries it, and where it is in the link's frame if that is not its own; `None` for what stands still.
    pub(super) fn carrier(&self) -> Option<(LinkId, Option<&Pose>)> {
        match (self.entity, &self.held) {
            (EntityId::Link(_, link), _) => Some((link, None)),
            (_, Some((link, x_lo))) => Some((*link, Some(x_lo))),
            _ => None,
        }
    }

    /// The box around it at a pose, `None` where that reaches out of the numbers.
    pub(super) fn bounds_at(&self, pose: &Pose) -> Option<Aabb> {
        around(&self.bounds, pose)
    }
}

/// A box in the world around a box at a pose, a hair larger; `None` where it reaches out of the numbers.
pub(super) fn around(bounds: &Aabb, pose: &Pose) -> Option<Aabb> {
    let placed = bounds.transformed(pose);
    let corners = [bounds.min, bounds.max, placed.min, placed.max];
    let length: f64 = corners.iter().map(|p| p.coords.abs().sum()).sum();
    // lengths are squared later
    let in_range = (length * length).is_finite();
    in_range.then(|| placed.inflated(HAIR * length))
}

/// Whether a link hangs on the world: as a root, or by welds and fixed links alone.
fn is_base(robot: &Robot, link: LinkId) -> bool {
    let is_still = |link: LinkId| {
        let joint = robot.joint_of(link);
        robot.link(link).motion().is_fixed()
            || joint.is_some_and(|joint| joint.kind == JointKind::Weld)
    };
    let mut at = link;
    while let Some(parent) = robot.link(at).parent() {
        if !is_still(at) {
            return false;
        }
        at = parent;
    }
    at == link || is_still(at)
}
