//! The reason why a configuration is not free, and its display.

use std::fmt;

use crate::robot::DofId;
use crate::world::{EntityId, RobotId, WorldModel};

/// Reason why a configuration is not free.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Obstacle {
    /// A degree of freedom is beyond its limits.
    Limit {
        /// The robot.
        robot: RobotId,
        /// The degree of freedom.
        dof: DofId,
        /// Its value, rad or m.
        value: f64,
        /// Its lower and upper limit.
        range: [f64; 2],
    },
    /// A degree of freedom that is not [active](super::RobotCSpace::with_active) has moved.
    Inactive {
        /// The robot.
        robot: RobotId,
        /// The degree of freedom.
        dof: DofId,
        /// Its value, rad or m.
        value: f64,
        /// The value where it stays.
        at: f64,
    },
    /// Degrees of freedom are not where their driver couples them.
    Driver {
        /// The robot.
        robot: RobotId,
        /// The index of the driver among [`Robot::drivers`](crate::Robot::drivers).
        driver: usize,
    },
    /// Two links of one robot collide.
    SelfCollision(EntityId, EntityId),
    /// A link, or an object attached to one, collides with another robot, an object or a terrain; the smaller id comes first.
    Collision(EntityId, EntityId),
}

impl Obstacle {
    /// The obstacle that a colliding pair is.
    pub(super) fn of_pair(a: EntityId, b: EntityId) -> Self {
        match (a, b) {
            (EntityId::Link(r, _), EntityId::Link(s, _)) if r == s => Self::SelfCollision(a, b),
            _ => Self::Collision(a, b),
        }
    }

    /// The colliding pair; `None` for a limit or a driver.
    #[must_use]
    pub fn pair(&self) -> Option<(EntityId, EntityId)> {
        match *self {
            Self::SelfCollision(a, b) | Self::Collision(a, b) => Some((a, b)),
            Self::Limit { .. } | Self::Inactive { .. } | Self::Driver { .. } => None,
        }
    }

    /// The obstacle with the names of a world, for display: “`arm6[wrist]` and `table` collide”.
    #[must_use]
    pub fn display<'a>(&'a self, world: &'a WorldModel) -> ObstacleDisplay<'a> {
        ObstacleDisplay {
            obstacle: self,
            world,
        }
    }
}

/// [`Display`](fmt::Display) of an [`Obstacle`] with the names of its world.
#[derive(Debug, Clone, Copy)]
pub struct ObstacleDisplay<'a> {
    obstacle: &'a Obstacle,
    world: &'a WorldModel,
}

impl ObstacleDisplay<'_> {
    /// The joint of a degree of freedom, with its robot.
    fn joint(&self, robot: RobotId, dof: DofId) -> String {
        match self.world.robot(robot) {
            Ok(robot) if dof.index() < robot.model().n_dofs() => {
                let joint = robot.model().dof_name(dof);
                format!("joint `{joint}` of `{}`", robot.name())
            }
            _ => format!("dof {}", dof.index()),
        }
    }
}

impl fmt::Display for ObstacleDisplay<'_> {
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
                let joint = self.joint(robot, dof);
                write!(f, "{joint} is at {value}, outside of {low} to {high}")
            }
            Obstacle::Inactive {
                robot,
                dof,
                value,
                at,
            } => {
                let joint = self.joint(robot, dof);
                write!(f, "{joint} stays at {at}, and is at {value}")
            }
            Obstacle::Driver { robot, driver } => {
                let found = self.world.robot(robot).ok().and_then(|robot| {
                    let driver = robot.model().drivers().get(driver)?;
                    Some(driver.name.clone())
                });
                let driver = found.unwrap_or_else(|| driver.to_string());
                write!(
                    f,
                    "the degrees of freedom of driver `{driver}` are not where it couples them"
                )
            }
            Obstacle::SelfCollision(a, b) | Obstacle::Collision(a, b) => {
                write!(f, "`{}` and `{}` collide", name(a), name(b))
            }
        }
    }
}
