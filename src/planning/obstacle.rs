//! Why a configuration is not free.

use std::fmt;

use crate::robot::DofId;
use crate::world::{EntityId, RobotId, WorldModel};

/// Why a configuration is not free.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Obstacle {
    /// A coordinate is beyond its limits.
    Limit {
        /// Of which robot.
        robot: RobotId,
        /// Which coordinate.
        dof: DofId,
        /// Where it is, rad or m.
        value: f64,
        /// The least and the largest value that it may have.
        range: [f64; 2],
    },
    /// Coordinates that a driver holds together are apart.
    Driver {
        /// Of which robot.
        robot: RobotId,
        /// The index of the driver among [`Robot::drivers`](crate::Robot::drivers).
        driver: usize,
    },
    /// Two links of one robot collide.
    SelfCollision(EntityId, EntityId),
    /// A link, or an object that one holds, collides with another robot, an object or a terrain; the smaller id is named
    /// first.
    Collision(EntityId, EntityId),
}

impl Obstacle {
    /// What two elements that collide are.
    pub(super) fn of_pair(a: EntityId, b: EntityId) -> Self {
        match (a, b) {
            (EntityId::Link(r, _), EntityId::Link(s, _)) if r == s => Self::SelfCollision(a, b),
            _ => Self::Collision(a, b),
        }
    }

    /// The elements that collide, if that is what is wrong.
    #[must_use]
    pub fn pair(&self) -> Option<(EntityId, EntityId)> {
        match *self {
            Self::SelfCollision(a, b) | Self::Collision(a, b) => Some((a, b)),
            Self::Limit { .. } | Self::Driver { .. } => None,
        }
    }

    /// The obstacle in words, with the names of a world: “`arm6[wrist]` and `table` collide”.
    #[must_use]
    pub fn told<'a>(&'a self, world: &'a WorldModel) -> Told<'a> {
        Told {
            obstacle: self,
            world,
        }
    }
}

/// An [`Obstacle`] with the names of its world, for display.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    obstacle: &'a Obstacle,
    world: &'a WorldModel,
}

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |entity: EntityId| {
            let known = self.world.name(entity);
            known.unwrap_or_else(|_| entity.to_string())
        };
        match *self.obstacle {
            Obstacle::Limit {
                robot,
                dof,
                value,
                range: [low, high],
            } => {
                let link = self.world.robot(robot).ok().and_then(|robot| {
                    let link = *robot.model().dofs().get(dof.index())?;
                    Some(name(EntityId::Link(robot.id(), link)))
                });
                let link = link.unwrap_or_else(|| format!("coordinate {}", dof.index()));
                write!(f, "`{link}` is at {value}, outside of {low} to {high}")
            }
            Obstacle::Driver { robot, driver } => {
                let found = self.world.robot(robot).ok().and_then(|robot| {
                    let driver = robot.model().drivers().get(driver)?;
                    Some(driver.name.clone())
                });
                let driver = found.unwrap_or_else(|| driver.to_string());
                write!(
                    f,
                    "coordinates that the driver `{driver}` holds together are apart"
                )
            }
            Obstacle::SelfCollision(a, b) | Obstacle::Collision(a, b) => {
                write!(f, "`{}` and `{}` collide", name(a), name(b))
            }
        }
    }
}
