//! Klampt's dense ids, as a view.

use super::{EntityId, WorldModel};

/// Klampt's numbering of everything in a world: terrains from 0, then rigid objects, then each robot followed by its
/// links.
///
/// The numbers have no gaps, so adding or removing an element renumbers those after it. Klampt's files and programs use
/// them; to refer to an element over time, keep its [`EntityId`].
///
/// ```
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::world::{Terrain, WorldModel};
///
/// let mut builder = RobotBuilder::new("door");
/// builder.add_link(LinkSpec::new("hinge", None, LinkMotion::Fixed));
/// let mut world = WorldModel::new();
/// world.add_robot(builder.build()?);
/// world.add_terrain(Terrain::new("floor", None))?;
///
/// let ids = world.klampt_ids();
/// assert_eq!(ids.len(), 3);
/// assert_eq!(ids.name(2).as_deref(), Some("door[hinge]"));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KlamptIds<'a> {
    world: &'a WorldModel,
    /// The number of each robot, and one past the last link.
    robots: Vec<usize>,
}

impl<'a> KlamptIds<'a> {
    pub(super) fn new(world: &'a WorldModel) -> Self {
        let mut next = world.terrains.len() + world.rigid_objects.len();
        let mut robots = vec![next];
        for (_, row) in world.robots.iter() {
            next += 1 + row.robot.links().len();
            robots.push(next);
        }
        Self { world, robots }
    }

    /// Number of ids.
    #[must_use]
    pub fn len(&self) -> usize {
        self.robots[self.robots.len() - 1]
    }

    /// Whether the world is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element with this number; `None` if there is none.
    #[must_use]
    pub fn entity(&self, number: usize) -> Option<EntityId> {
        let WorldModel {
            terrains,
            rigid_objects,
            robots,
            ..
        } = self.world;
        if number < terrains.len() {
            return Some(terrains.at(number).0.into());
        }
        let position = number - terrains.len();
        if position < rigid_objects.len() {
            return Some(rigid_objects.at(position).0.into());
        }
        if number >= self.len() {
            return None;
        }
        let position = self.robots.partition_point(|&first| first <= number) - 1;
        let robot = robots.at(position).0;
        Some(match number - self.robots[position] {
            0 => robot.into(),
            link => EntityId::Link(robot, crate::LinkId::new(link - 1)),
        })
    }

    /// Number of an element; `None` if it is not in the world.
    #[must_use]
    pub fn number(&self, entity: impl Into<EntityId>) -> Option<usize> {
        let world = self.world;
        match entity.into() {
            EntityId::Terrain(id) => world.terrains.position_of(id),
            EntityId::RigidObject(id) => {
                Some(world.terrains.len() + world.rigid_objects.position_of(id)?)
            }
            EntityId::Robot(id) => Some(self.robots[world.robots.position_of(id)?]),
            EntityId::Link(id, link) => {
                let position = world.robots.position_of(id)?;
                let (_, row) = world.robots.at(position);
                (link.index() < row.robot.links().len())
                    .then(|| self.robots[position] + 1 + link.index())
            }
        }
    }

    /// Name of the element with this number; of a link, `robot[link]`.
    #[must_use]
    pub fn name(&self, number: usize) -> Option<String> {
        self.world.name(self.entity(number)?).ok()
    }

    /// All elements, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = EntityId> + '_ {
        (0..self.len()).filter_map(|number| self.entity(number))
    }
}
