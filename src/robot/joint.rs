//! Joints: groups of degrees of freedom with a common interpolation and distance.

use super::LinkId;

/// Kind of a [`Joint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum JointKind {
    /// One degree of freedom that does not move.
    Weld,
    /// One degree of freedom.
    Normal,
    /// One angle without limits, equal modulo 2π.
    Spin,
    /// Six degrees of freedom: x, y, z and rotations about z, y, x.
    Floating,
    /// Three degrees of freedom: x, y and a rotation about z.
    FloatingPlanar,
    /// Three degrees of freedom: rotations about z, y, x.
    BallAndSocket,
    /// A closed kinematic loop, kept as data.
    Closed,
}

impl JointKind {
    /// The name in files: `weld`, `normal`, `spin`, `floating`, `floatingplanar`, `ballandsocket`, `closed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::Normal => "normal",
            Self::Spin => "spin",
            Self::Floating => "floating",
            Self::FloatingPlanar => "floatingplanar",
            Self::BallAndSocket => "ballandsocket",
            Self::Closed => "closed",
        }
    }

    /// Number of degrees of freedom; `None` for a closed loop.
    #[must_use]
    #[inline]
    pub fn dofs(self) -> Option<usize> {
        match self {
            Self::Weld | Self::Normal | Self::Spin => Some(1),
            Self::Floating => Some(6),
            Self::FloatingPlanar | Self::BallAndSocket => Some(3),
            Self::Closed => None,
        }
    }
}

/// A group of degrees of freedom with a common meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Joint {
    pub(super) name: String,
    /// The kind.
    pub kind: JointKind,
    /// The link that it moves: the last of its chain.
    pub link: LinkId,
    /// The parent of the chain, `None` for the world. For one degree of freedom: the link's parent.
    pub base: Option<LinkId>,
    /// The links whose degrees of freedom it owns, from base to tip.
    pub links: Vec<LinkId>,
}

impl Joint {
    /// The name in the file; that of [`link`](Self::link) where the file has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}
