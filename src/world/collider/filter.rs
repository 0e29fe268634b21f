//! Enabled pairs and their margins.

use std::collections::BTreeSet;

use crate::world::{EntityId, WorldModel};
use crate::{Error, Result};

/// Pairs that a [`WorldCollider`](super::WorldCollider) ignores, and the margins of the others.
///
/// | pair | tested |
/// |---|---|
/// | terrain and terrain | never: both are static |
/// | terrain and rigid object, rigid object and rigid object | always |
/// | link and rigid object, links of two robots | always |
/// | links of one robot | where [enabled in the robot](crate::Robot::self_collision_enabled) |
/// | link and terrain | unless the robot is mounted there |
/// | [attached](crate::WorldModel::attach) object and its link, or an element that it may touch | never |
/// | attached object and all else, other links included | always |
///
/// *Mounts.* The contact between a robot and the terrain on which it is mounted is not a collision. A root link, or one that
/// is connected to the world by welds and fixed links only, is therefore not tested against the terrains that it touches (to
/// 1 µm) in the robot's [initial configuration](crate::Robot::initial_config). It is tested against all others, while Klampt
/// tests no root link against any terrain. [`PairFilter::with_mounts`] tests these pairs too.
///
/// Elements without collision geometry are never tested. Those that should have some, of which loaders know, are refused where
/// they could hide a collision of a pair that counts, unless [`allow_missing_geometry`](Self::allow_missing_geometry) accepts
/// them.
///
/// *Margins.* A pair with a [margin](Self::with_margin) collides where its
/// [distance](super::WorldCollider::distance), from which the shapes' own margins are subtracted already, is at most that
/// margin. The largest of all margins that apply to a pair counts. Margins apply to colliding pairs and to the configurations,
/// edges and certificates of [`planning`](crate::planning), but not to distances, clearances and rays.
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
/// let with_margin = |metres| WorldCollider::new(&world, &PairFilter::default().with_margin(a, b, metres));
/// assert_eq!(with_margin(0.2)?.first_collision(), None);
/// assert!(with_margin(0.3)?.first_collision().is_some());
/// assert_eq!(with_margin(0.3)?.distance(a, b)?.distance, 0.25);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairFilter {
    elements: BTreeSet<EntityId>,
    /// Smaller id first.
    pairs: BTreeSet<(EntityId, EntityId)>,
    mounts: bool,
    #[cfg_attr(feature = "serde", serde(default))]
    missing_geometry: bool,
    /// Margins of pairs, m, smaller id first; pairs may repeat.
    #[cfg_attr(feature = "serde", serde(default))]
    margins: Vec<(EntityId, EntityId, f64)>,
    /// Margins of elements to all others, m; elements may repeat.
    #[cfg_attr(feature = "serde", serde(default))]
    element_margins: Vec<(EntityId, f64)>,
}

impl PairFilter {
    /// Ignores every pair with this element; a robot stands for all its links.
    #[must_use]
    pub fn ignore(mut self, element: impl Into<EntityId>) -> Self {
        self.elements.insert(element.into());
        self
    }

    /// Ignores one pair, in either order; a robot stands for all its links, twice the same robot for its self pairs.
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

    /// Sets the margin of a pair, in either order, m; a robot stands for all its links, twice the same robot for its self
    /// pairs.
    ///
    /// [`WorldCollider::new`](super::WorldCollider::new) refuses a margin that is negative or not finite.
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

    /// Sets the margin of an element to all others, m; a robot stands for all its links, which get no such margin to one
    /// another.
    ///
    /// [`WorldCollider::new`](super::WorldCollider::new) refuses a margin that is negative or not finite.
    #[must_use]
    pub fn with_margin_of(mut self, element: impl Into<EntityId>, metres: f64) -> Self {
        self.element_margins.push((element.into(), metres));
        self
    }

    /// Accepts elements without collision geometry that they should have: pairs with them are not tested.
    ///
    /// Otherwise [`WorldCollider::new`](super::WorldCollider::new) refuses them. What was accepted is in
    /// [`WorldCollider::missing_geometry`](super::WorldCollider::missing_geometry).
    #[must_use]
    pub fn allow_missing_geometry(mut self) -> Self {
        self.missing_geometry = true;
        self
    }

    /// Whether missing geometry is accepted.
    pub(super) fn allows_missing_geometry(&self) -> bool {
        self.missing_geometry
    }

    /// Whether mounts are tested.
    pub(super) fn tests_mounts(&self) -> bool {
        self.mounts
    }

    /// All elements that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = EntityId> + '_ {
        let pairs = self.pairs.iter().flat_map(|&(a, b)| [a, b]);
        let margins = self.margins.iter().flat_map(|&(a, b, _)| [a, b]);
        let elements = self.element_margins.iter().map(|&(element, _)| element);
        let ignored = self.elements.iter().copied().chain(pairs);
        ignored.chain(margins).chain(elements)
    }

    /// Checks that all names are in the world and that all margins are finite and not negative.
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

    /// The margins of pairs, as given.
    pub(super) fn margins(&self) -> &[(EntityId, EntityId, f64)] {
        &self.margins
    }

    /// Largest margin given for just this element, m.
    pub(super) fn margin_of(&self, element: EntityId) -> f64 {
        let said = self.element_margins.iter().filter(|(e, _)| *e == element);
        said.fold(0.0, |largest, (_, metres)| metres.max(largest))
    }

    /// Inflation of the box of an element, m, such that the boxes of every pair together are inflated by its margin.
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

    /// Whether a pair is ignored.
    pub(in crate::world) fn ignores(&self, a: EntityId, b: EntityId) -> bool {
        if self.elements.is_empty() && self.pairs.is_empty() {
            return false;
        }
        let pair_of = |x: EntityId| names(b).any(|y| self.pairs.contains(&sorted(x, y)));
        names(a).chain(names(b)).any(|e| self.elements.contains(&e)) || names(a).any(pair_of)
    }
}

/// The ids that match an element: its own, and for a link that of its robot.
pub(super) fn names(entity: EntityId) -> impl Iterator<Item = EntityId> {
    let robot = entity.robot().map(EntityId::Robot);
    std::iter::once(entity).chain(robot)
}

fn sorted(a: EntityId, b: EntityId) -> (EntityId, EntityId) {
    (a.min(b), a.max(b))
}
