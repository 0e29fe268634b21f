//! Which pairs count.

use std::collections::BTreeSet;

use crate::world::EntityId;

/// Which pairs a [`WorldCollider`](super::WorldCollider) leaves out.
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
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive};
/// use kinworld::world::{PairFilter, RigidObject, WorldCollider, WorldModel};
/// use kinworld::Point;
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
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PairFilter {
    elements: BTreeSet<EntityId>,
    /// Smaller id first.
    pairs: BTreeSet<(EntityId, EntityId)>,
    mounts: bool,
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

    /// Whether mounts are tested.
    pub(super) fn tests_mounts(&self) -> bool {
        self.mounts
    }

    /// Everything that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = EntityId> + '_ {
        let pairs = self.pairs.iter().flat_map(|&(a, b)| [a, b]);
        self.elements.iter().copied().chain(pairs)
    }

    /// Whether the user wants a pair left out.
    pub(super) fn ignores(&self, a: EntityId, b: EntityId) -> bool {
        if self.elements.is_empty() && self.pairs.is_empty() {
            return false;
        }
        // a link is named by itself or by its robot
        let names = |entity: EntityId| [Some(entity), entity.robot().map(EntityId::Robot)];
        let named = |e: EntityId| names(e).into_iter().flatten();
        let pair_of = |x: EntityId| named(b).any(|y| self.pairs.contains(&sorted(x, y)));
        named(a).chain(named(b)).any(|e| self.elements.contains(&e)) || named(a).any(pair_of)
    }
}

fn sorted(a: EntityId, b: EntityId) -> (EntityId, EntityId) {
    (a.min(b), a.max(b))
}
