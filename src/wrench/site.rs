//! Frames, and points fixed in them.

use std::fmt;

use crate::math::Point;
use crate::robot::LinkId;

/// A frame: the world, a link, or a custom one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FrameId {
    /// The world, at rest.
    World,
    /// A link.
    Link(LinkId),
    /// A frame added by [`Frames::add`](super::Frames::add).
    Custom(u32),
}

/// A point fixed in a frame; as an observer, an origin with the axes of the frame.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Site {
    /// Frame in which it is fixed.
    pub frame: FrameId,
    /// Position in that frame, m.
    pub position: Point,
}

impl fmt::Display for FrameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World => write!(f, "the world"),
            Self::Link(link) => write!(f, "link {}", link.index()),
            Self::Custom(index) => write!(f, "custom frame {index}"),
        }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = &self.position;
        write!(f, "({}, {}, {}) of {}", p.x, p.y, p.z, self.frame)
    }
}

impl Site {
    /// The origin of the world.
    pub const WORLD: Self = Self::origin(FrameId::World);

    /// The origin of a frame.
    #[must_use]
    pub const fn origin(frame: FrameId) -> Self {
        Self {
            frame,
            position: Point::new(0.0, 0.0, 0.0),
        }
    }

    /// The origin of a link.
    #[must_use]
    pub const fn link(link: LinkId) -> Self {
        Self::origin(FrameId::Link(link))
    }

    /// A point of a link.
    #[must_use]
    pub const fn on_link(link: LinkId, position: Point) -> Self {
        Self {
            frame: FrameId::Link(link),
            position,
        }
    }
}
