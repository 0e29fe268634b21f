//! Handles of the elements of a world, and lookup keys.

use std::fmt;

use crate::robot::LinkId;

/// Stable handle of an element of a world, or of one link of a robot.
///
/// Handles are stable: removing a terrain changes no other handle, and no handle is reused in the same
/// world. For Klampt's dense numbers see [`WorldModel::klampt_ids`](super::WorldModel::klampt_ids).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EntityId {
    /// A terrain.
    Terrain(TerrainId),
    /// A rigid object.
    RigidObject(RigidObjectId),
    /// A robot as a whole.
    Robot(RobotId),
    /// One link of a robot.
    Link(RobotId, LinkId),
}

impl EntityId {
    /// `terrain`, `rigid object`, `robot` or `link`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Self::Terrain(_) => "terrain",
            Self::RigidObject(_) => "rigid object",
            Self::Robot(_) => "robot",
            Self::Link(..) => "link",
        }
    }

    /// The robot itself, or the robot of a link; `None` for other elements.
    #[must_use]
    pub fn robot(self) -> Option<RobotId> {
        match self {
            Self::Robot(robot) | Self::Link(robot, _) => Some(robot),
            Self::Terrain(_) | Self::RigidObject(_) => None,
        }
    }
}

impl fmt::Display for EntityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Terrain(id) => id.fmt(f),
            Self::RigidObject(id) => id.fmt(f),
            Self::Robot(id) => id.fmt(f),
            Self::Link(robot, link) => write!(f, "{robot} link {}", link.index()),
        }
    }
}

/// Lookup key: a handle, an index in the order of insertion, or a name.
///
/// Names may repeat; the first match counts. Keys are made by conversion: `world.robot("arm")`, `world.robot(0)` and
/// `world.robot(id)` all work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key<'a, I> {
    /// By handle.
    Id(I),
    /// By index in the order of insertion, from 0.
    Index(usize),
    /// By name.
    Name(&'a str),
}

impl<I> From<usize> for Key<'_, I> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl<'a, I> From<&'a str> for Key<'a, I> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a, I> From<&'a String> for Key<'a, I> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

impl From<LinkId> for Key<'_, LinkId> {
    fn from(id: LinkId) -> Self {
        Self::Id(id)
    }
}

/// A handle numbered by a counter that all kinds of a world share, so that no two elements have the same number.
pub(super) trait Handle: Copy + Ord + fmt::Display {
    fn numbered(number: u64) -> Self;
}

macro_rules! handle {
    ($id:ident, $variant:ident, $noun:literal) => {
        #[doc = concat!("Stable handle of a ", $noun, ", never reused.")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $id(u64);

        impl Handle for $id {
            fn numbered(number: u64) -> Self {
                Self(number)
            }
        }

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($noun, " #{}"), self.0)
            }
        }

        impl From<$id> for EntityId {
            fn from(id: $id) -> Self {
                Self::$variant(id)
            }
        }

        impl From<$id> for Key<'_, $id> {
            fn from(id: $id) -> Self {
                Self::Id(id)
            }
        }
    };
}
handle!(RobotId, Robot, "robot");
handle!(RigidObjectId, RigidObject, "rigid object");
handle!(TerrainId, Terrain, "terrain");

impl From<(RobotId, LinkId)> for EntityId {
    fn from((robot, link): (RobotId, LinkId)) -> Self {
        Self::Link(robot, link)
    }
}
