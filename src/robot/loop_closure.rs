//! Closed kinematic loops: joints between links that the tree does not connect.

use super::check::is_finite;
use super::edit::LinkImage;
use super::{LinkId, Robot, RobotBuilder};
use crate::math::Pose;
use crate::{Error, Result};

/// Joint that closes a loop of a robot: it holds two frames on links together.
///
/// A tree has no place for it, so that configurations may violate it: see
/// [`loop_errors`](crate::kinematics::loop_errors). [`Contacts::close_loops`](crate::dynamics::Contacts::close_loops) gives
/// its rows to constrained dynamics, and [`MultibodySystem::from_robot`](crate::sim::MultibodySystem::from_robot) makes
/// a joint of it.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LoopClosure {
    /// The name in the file, often empty.
    pub name: String,
    /// The motions that it locks.
    pub kind: LoopKind,
    /// The first frame.
    pub a: LoopFrame,
    /// The second frame, which it holds to the first.
    pub b: LoopFrame,
}

/// Kind of a [`LoopClosure`]: that of the joint which would connect the two frames in a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum LoopKind {
    /// The origins coincide: 3 rows (MuJoCo's `connect`).
    Spherical,
    /// The origins and the z axes coincide: 5 rows.
    Revolute,
    /// The frames coincide: 6 rows (MuJoCo's `weld`).
    Fixed,
}

/// Frame on a link, or in the world, that a [`LoopClosure`] holds.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LoopFrame {
    /// The link, `None` for the world.
    pub link: Option<LinkId>,
    /// The frame in that of the link.
    pub pose: Pose,
}

impl LoopKind {
    /// Number of locked motions.
    #[must_use]
    pub fn n_rows(self) -> usize {
        match self {
            Self::Spherical => 3,
            Self::Revolute => 5,
            Self::Fixed => 6,
        }
    }

    /// Name: `spherical`, `revolute`, `fixed`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Spherical => "spherical",
            Self::Revolute => "revolute",
            Self::Fixed => "fixed",
        }
    }
}

impl LoopFrame {
    /// Frame at a pose in a link, `None` for the world.
    #[must_use]
    pub fn new(link: Option<LinkId>, pose: Pose) -> Self {
        Self { link, pose }
    }
}

impl LoopClosure {
    /// Joint of this kind between two frames.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: LoopKind, a: LoopFrame, b: LoopFrame) -> Self {
        Self {
            name: name.into(),
            kind,
            a,
            b,
        }
    }

    /// The closure after an edit, `None` where a link was removed.
    pub(super) fn after(&self, image: &dyn Fn(LinkId) -> Option<LinkImage>) -> Option<Self> {
        let end = |end: LoopFrame| -> Option<LoopFrame> {
            let Some(link) = end.link else {
                return Some(end);
            };
            match image(link)? {
                LinkImage::Link(id) => Some(LoopFrame::new(Some(id), end.pose)),
                LinkImage::Part(id, x) => Some(LoopFrame::new(Some(id), x * end.pose)),
                LinkImage::Removed => None,
            }
        };
        Some(Self {
            a: end(self.a)?,
            b: end(self.b)?,
            ..self.clone()
        })
    }
}

impl Robot {
    /// The joints that close loops.
    #[must_use]
    pub fn loop_closures(&self) -> &[LoopClosure] {
        &self.loop_closures
    }
}

impl RobotBuilder {
    /// Refuses closures of links that do not exist, of a link with itself, and numbers that are not finite.
    pub(super) fn check_loop_closures(&self) -> Result<()> {
        let n = self.links.len();
        for (k, closure) in self.loop_closures.iter().enumerate() {
            let what = || match closure.name.as_str() {
                "" => format!("loop closure {k}"),
                name => format!("loop closure `{name}`"),
            };
            let refuse = |problem: String| Err(Error::invalid(what(), problem));
            for LoopFrame { link, pose } in [closure.a, closure.b] {
                if link.is_some_and(|link| link.index() >= n) {
                    return refuse(format!("there are only {n} links"));
                }
                if !is_finite(&pose) {
                    return refuse("the pose of a frame is not finite".to_owned());
                }
            }
            if closure.a.link == closure.b.link {
                return refuse("it connects a link to itself".to_owned());
            }
        }
        Ok(())
    }
}
