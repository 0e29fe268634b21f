//! The frozen scene of a collider: shapes, poses of static parts, enabled pairs.

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
/// Static parts come first: terrains, then free rigid objects. Then follows robot after robot, its links before its attached
/// objects.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) parts: Vec<Part>,
    pub(super) robots: Vec<FrozenRobot>,
    objects: Vec<FrozenObject>,
    /// Part indices in the order of entity ids, which is Klampt's.
    pub(super) by_id: Vec<u32>,
    filter: PairFilter,
    pub(super) margins: Margins,
    /// Pairs that may touch: mounts and their terrains, attached objects and what they may touch.
    allowed_contacts: HashSet<(usize, usize)>,

    // of the static parts, which come first
    pub(super) poses: Vec<Pose>,
    pub(super) boxes: Vec<Aabb>,
    pub(super) tree: BoxTree,
    /// The same boxes in packed form, where that is faster.
    scan: Option<BoxScan>,
    /// Colliding pairs among them, computed on demand.
    pub(super) still_collisions: OnceLock<Vec<(usize, usize)>>,

    /// Enabled pairs of moving parts, where there are few enough to list.
    pub(super) link_pairs: Option<Vec<(usize, usize)>>,
}

/// An element with collision geometry.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) entity: EntityId,
    pub(super) geometry: Geometry,
    /// Box in its own frame, inflated by its margin and by its share of the margins of its pairs.
    pub(super) bounds: Aabb,
    /// Relative cost of a test of this shape.
    pub(super) cost: usize,
    /// Whether it is a single convex piece.
    pub(super) is_convex: bool,
    /// Link and pose in the link of an attached object.
    attached: Option<(LinkId, Pose)>,
}

/// A robot and its state when the world was frozen.
#[derive(Debug)]
pub(super) struct FrozenRobot {
    pub(super) id: RobotId,
    pub(super) robot: Arc<Robot>,
    pub(super) state: State,
    /// Range of its links and attached objects in [`Scene::parts`].
    pub(super) parts: Range<usize>,
    /// Range of its links among them.
    pub(super) links: Range<usize>,
}

/// A rigid object when the world was frozen.
#[derive(Debug)]
pub(super) struct FrozenObject {
    id: RigidObjectId,
    pub(super) name: String,
    /// Index in [`Scene::parts`]; `None` without a shape.
    pub(super) part: Option<usize>,
    /// Name of the robot that it is attached to.
    pub(super) holder: Option<String>,
}

/// From this many moving parts on, pairs are found by a sweep in each query instead of listed once.
const LISTED_LINKS: usize = 400;

/// Largest distance between a mounted robot and its terrain, m: files have about six digits.
const MOUNT_GAP: f64 = 1e-6;

/// Relative inflation of boxes, so that shapes that touch up to rounding are candidates.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Scene {
    pub(super) fn new(world: &WorldModel, filter: &PairFilter) -> Result<Self> {
        world.prepare_without_clouds();
        let mut scene = Self {
            parts: Vec::new(),
            robots: Vec::new(),
            objects: Vec::new(),
            filter: filter.clone(),
            margins: Margins::default(),
            by_id: Vec::new(),
            allowed_contacts: HashSet::new(),
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
                return Err(Error::invalid(what, "its bounding box is not finite"));
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
            let attached = world.attachments().filter(|(_, a)| a.robot() == robot.id());
            scene.parts.extend(attached.filter_map(|(id, attachment)| {
                let part = Part::new(world, id.into(), filter)?;
                let attached = Some((attachment.link(), *attachment.pose_in_link()));
                Some(Part { attached, ..part })
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
            let holder = world
                .attachment(id)
                .map(|attached| world.robot(attached.robot()));
            let holder = holder.transpose()?;
            scene.objects.push(FrozenObject {
                id,
                name: object.name.clone(),
                part: scene.part_of(id.into()),
                holder: holder.map(|robot| robot.name().to_owned()),
            });
        }
        if !filter.tests_mounts() {
            scene.allowed_contacts = scene.find_mounts();
        }
        scene.add_allowed_contacts(world);
        if scene.parts.len() - scene.n_still() < LISTED_LINKS {
            scene.link_pairs = Some(scene.all_link_pairs().collect());
        }
        Ok(scene)
    }

    /// Number of static parts; links and attached objects come after them.
    #[inline]
    pub(super) fn n_still(&self) -> usize {
        self.poses.len()
    }

    /// Appends pairs of a static part and the number, counted from `first`, of a box that may overlap it.
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

    /// Returns whether a pair is enabled, smaller index first.
    pub(super) fn is_enabled(&self, a: usize, b: usize) -> bool {
        let allowed = match (self.parts[a].entity, self.parts[b].entity) {
            (EntityId::Terrain(_), EntityId::Terrain(_)) => false,
            (EntityId::Terrain(_), EntityId::Link(..)) => !self.allowed_contacts.contains(&(a, b)),
            (EntityId::Link(r, i), EntityId::Link(s, j)) if r == s => self
                .owner(a)
                .is_some_and(|(owner, _)| owner.robot.self_collision_enabled(i, j)),
            _ if self.is_attached(a) || self.is_attached(b) => {
                a != b && !self.allowed_contacts.contains(&(a, b))
            }
            _ => a != b,
        };
        allowed
            && !self
                .filter
                .ignores(self.parts[a].entity, self.parts[b].entity)
    }

    #[inline]
    fn is_attached(&self, part: usize) -> bool {
        self.parts[part].attached.is_some()
    }

    /// Enabled pairs of moving parts.
    fn all_link_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let links = self.n_still()..self.parts.len();
        links
            .clone()
            .flat_map(move |a| (a + 1..links.end).map(move |b| (a, b)))
            .filter(|&(a, b)| self.is_enabled(a, b))
    }

    /// Enabled pairs, sorted by ids.
    pub(super) fn all_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.parts.len();
        (0..n)
            .flat_map(move |a| (a + 1..n).map(move |b| (a, b)))
            .map(|(a, b)| (self.by_id[a] as usize, self.by_id[b] as usize))
            .map(|(a, b)| (a.min(b), a.max(b)))
            .filter(|&(a, b)| self.is_enabled(a, b))
    }

    /// Disables the pairs of attached objects and what they may touch.
    fn add_allowed_contacts(&mut self, world: &WorldModel) {
        for (id, attachment) in world.attachments() {
            let Some(attached) = self.part_of(id.into()) else {
                continue;
            };
            let others = self.parts.iter().enumerate();
            let others = others.filter(|(_, other)| attachment.may_touch(other.entity));
            let pairs = others.map(|(other, _)| (attached.min(other), attached.max(other)));
            self.allowed_contacts.extend(pairs);
        }
    }

    /// Pairs of a terrain and a base link that touch in the initial configuration.
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
    /// The part of an element; `None` without collision geometry.
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
            attached: None,
        })
    }

    /// Link that moves it, and its pose in the link's frame for an attached object; `None` for a static part.
    #[inline]
    pub(super) fn carrier(&self) -> Option<(LinkId, Option<&Pose>)> {
        match (self.entity, &self.attached) {
            (EntityId::Link(_, link), _) => Some((link, None)),
            (_, Some((link, x_lo))) => Some((*link, Some(x_lo))),
            _ => None,
        }
    }

    /// Box in the world at a pose; `None` where it is not finite.
    #[inline]
    pub(super) fn bounds_at(&self, pose: &Pose) -> Option<Aabb> {
        world_bounds(&self.bounds, pose)
    }
}

/// Box in the world around a box at a pose, inflated by a bound on rounding; `None` where it is not finite.
#[inline]
pub(super) fn world_bounds(bounds: &Aabb, pose: &Pose) -> Option<Aabb> {
    let placed = bounds.transformed(pose);
    let corners = [bounds.min, bounds.max, placed.min, placed.max];
    let length: f64 = corners.iter().map(|p| p.coords.abs().sum()).sum();
    // lengths are squared later
    let in_range = (length * length).is_finite();
    in_range.then(|| placed.inflated(ROUNDING * length))
}

/// Returns whether a link is fixed to the world: a root, or connected by welds and fixed links only.
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
