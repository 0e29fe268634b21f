//! Which pairs count, and how near they may come.

use std::collections::BTreeSet;

use crate::world::{EntityId, WorldModel};
use crate::{Error, Result};

/// Which pairs a [`WorldCollider`](super::WorldCollider) leaves out, and how near the others may come.
///
/// | pair | tested |
/// |---|---|
/// | terrain and terrain | never: neither moves |
/// | terrain and rigid object, rigid object and rigid object | always |
/// | link and rigid object, links of two robots | always |
/// | links of one robot | where the [robot says so](crate::Robot::self_collision_enabled) |
/// | link and terrain | unless the robot is mounted there |
/// | [held](crate::WorldModel::attach) object and the link that holds it, or what its rule names | never |
/// | held object and all else, other links included | always |
///
/// *Mounts.* A robot stands on something, and a door hangs in its frame: that contact is how the robot was put up,
/// not a collision. A root link, or one that only welds and fixed links connect to the world, is therefore not tested
/// against the terrains that it touches (to 1 µm) in the robot's
/// [initial configuration](crate::Robot::initial_config). Against all others it is, while Klampt tests no
/// root link against any terrain. [`PairFilter::with_mounts`] tests these pairs too.
///
/// Only what has collision geometry is ever tested.
///
/// *Margins.* A pair with a [margin](Self::with_margin) collides where it is nearer than that, or just as near: where the
/// [distance](super::WorldCollider::distance), from which the shapes' own margins are taken off already, is at most the
/// pair's. Of all margins that name a pair the largest counts. Pairs and first hits follow it, and so do free
/// configurations, ways and proofs of [`planning`](crate::planning); distances, clearances and rays stay what they are.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive};
/// use kinworld::world::{PairFilter, RigidObject, WorldCollider, WorldModel};
/// use kinworld::{Point, Pose};
///
/// let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let mut world = WorldModel::new();
/// let object = |name: &str| RigidObject { geometry: Some(ball.clone()), ..RigidObject::new(name) };
/// let a = world.add_rigid_object(object("a"))?;
/// let b = world.add_rigid_object(object("b"))?;
///
/// let collider = WorldCollider::new(&world, &PairFilter::default())?;
/// assert_eq!(collider.first_collision(), Some((a.into(), b.into())));
///
/// let collider = WorldCollider::new(&world, &PairFilter::default().ignore_pair(a, b))?;
/// assert_eq!(collider.first_collision(), None);
///
/// world.rigid_object_mut(b)?.set_pose(&Pose::translation(1.25, 0.0, 0.0))?;
/// let apart = |metres| WorldCollider::new(&world, &PairFilter::default().with_margin(a, b, metres));
/// assert_eq!(apart(0.2)?.first_collision(), None);
/// assert!(apart(0.3)?.first_collision().is_some());
/// assert_eq!(apart(0.3)?.distance(a, b)?.distance, 0.25);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairFilter {
    elements: BTreeSet<EntityId>,
    /// Smaller id first.
    pairs: BTreeSet<(EntityId, EntityId)>,
    mounts: bool,
    /// Of pairs, m, smaller id first; a pair may occur again.
    #[cfg_attr(feature = "serde", serde(default))]
    margins: Vec<(EntityId, EntityId, f64)>,
    /// Of elements to all else, m; an element may occur again.
    #[cfg_attr(feature = "serde", serde(default))]
    element_margins: Vec<(EntityId, f64)>,
}

impl PairFilter {
    /// Leaves out every pair with this element; a robot stands for all its links.
    #[must_use]
    pub fn ignore(mut self, element: impl Into<EntityId>) -> Self {
        self.elements.insert(element.into());
        self
    }

    /// Leaves out one pair, whatever its order; a robot stands for all its links, twice the same robot for its self
    /// pairs.
    #[must_use]
    pub fn ignore_pair(mut self, a: impl Into<EntityId>, b: impl Into<EntityId>) -> Self {
        self.pairs.insert(sorted(a.into(), b.into()));
        self
    }

    /// Also tests robots against the terrains on which they are mounted.
    #[must_use]
    pub fn with_mounts(mut self) -> Self {
        self.mounts = true;
        self
    }

    /// Has a pair, whatever its order, collide where it is not farther apart than this, m; a robot stands for all its
    /// links, twice the same robot for its self pairs.
    ///
    /// The number must be finite and not negative, or [`WorldCollider::new`](super::WorldCollider::new) refuses it.
    #[must_use]
    pub fn with_margin(
        mut self,
        a: impl Into<EntityId>,
        b: impl Into<EntityId>,
        metres: f64,
    ) -> Self {
        let (a, b) = sorted(a.into(), b.into());
        self.margins.push((a, b, metres));
        self
    }

    /// Has an element collide with all else that is not farther from it than this, m; a robot stands for all its links,
    /// which have no such margin to one another.
    ///
    /// The number must be finite and not negative, or [`WorldCollider::new`](super::WorldCollider::new) refuses it.
    #[must_use]
    pub fn with_margin_of(mut self, element: impl Into<EntityId>, metres: f64) -> Self {
        self.element_margins.push((element.into(), metres));
        self
    }

    /// Whether mounts are tested.
    pub(super) fn tests_mounts(&self) -> bool {
        self.mounts
    }

    /// Everything that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = EntityId> + '_ {
        let pairs = self.pairs.iter().flat_map(|&(a, b)| [a, b]);
        let margins = self.margins.iter().flat_map(|&(a, b, _)| [a, b]);
        let elements = self.element_margins.iter().map(|&(element, _)| element);
        let ignored = self.elements.iter().copied().chain(pairs);
        ignored.chain(margins).chain(elements)
    }

    /// Refuses names that are not in the world, and margins that are no length.
    pub(super) fn check(&self, world: &WorldModel) -> Result<()> {
        for entity in self.named() {
            world.name(entity)?;
        }
        let refuse = |what: String, metres: f64| {
            let problem = format!("must be finite and 0 or more, got {metres} m");
            Err(Error::invalid(what, problem))
        };
        let is_length = |metres: f64| metres.is_finite() && metres >= 0.0;
        for &(a, b, metres) in &self.margins {
            if !is_length(metres) {
                let (a, b) = (world.name(a)?, world.name(b)?);
                return refuse(format!("the margin between `{a}` and `{b}`"), metres);
            }
        }
        for &(element, metres) in &self.element_margins {
            if !is_length(metres) {
                return refuse(format!("the margin of `{}`", world.name(element)?), metres);
            }
        }
        Ok(())
    }

    pub(super) fn has_margins(&self) -> bool {
        !(self.margins.is_empty() && self.element_margins.is_empty())
    }

    /// The margins of pairs as they were named.
    pub(super) fn margins(&self) -> &[(EntityId, EntityId, f64)] {
        &self.margins
    }

    /// What was said of just this element, m.
    pub(super) fn margin_of(&self, element: EntityId) -> f64 {
        let said = self.element_margins.iter().filter(|(e, _)| *e == element);
        said.fold(0.0, |largest, (_, metres)| metres.max(largest))
    }

    /// How much the box around an element must grow, so that the boxes of every pair together grow by its margin.
    pub(super) fn growth(&self, element: EntityId) -> f64 {
        if !self.has_margins() {
            return 0.0;
        }
        let mut growth = 0.0_f64;
        for name in names(element) {
            let named = self.margins.iter().filter(|m| m.0 == name || m.1 == name);
            growth = named.fold(growth, |growth, m| growth.max(0.5 * m.2));
            growth = growth.max(self.margin_of(name));
        }
        growth
    }

    /// Whether the user wants a pair left out.
    pub(super) fn ignores(&self, a: EntityId, b: EntityId) -> bool {
        if self.elements.is_empty() && self.pairs.is_empty() {
            return false;
        }
        let pair_of = |x: EntityId| names(b).any(|y| self.pairs.contains(&sorted(x, y)));
        names(a).chain(names(b)).any(|e| self.elements.contains(&e)) || names(a).any(pair_of)
    }
}

/// What stands for an element: a link is named by itself or by its robot.
pub(super) fn names(entity: EntityId) -> impl Iterator<Item = EntityId> {
    let robot = entity.robot().map(EntityId::Robot);
    std::iter::once(entity).chain(robot)
}

fn sorted(a: EntityId, b: EntityId) -> (EntityId, EntityId) {
    (a.min(b), a.max(b))
}
