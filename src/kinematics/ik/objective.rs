//! Goals for links.

use crate::math::{Point, Pose, Rotation, Vector};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// A goal for the pose of a link: position, rotation, or both.
///
/// Targets are relative to the [anchor](Anchor), by default the world. Weights multiply the residuals; they matter
/// only where the goals conflict.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{Objective, RotationGoal};
/// use kinworld::{LinkId, Point, Vector};
///
/// // carry a cup: the rim at a point, its axis up, free to rotate about it
/// let hand = LinkId::new(6);
/// let cup = Objective::point(hand, Point::new(0.0, 0.0, 0.1), Point::new(0.4, 0.2, 0.5))
///     .with_rotation(RotationGoal::Axis { d_link: Vector::z(), target: Vector::z() });
/// assert_eq!((cup.position.rows(), cup.rotation.rows()), (3, 2));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "IKObjective")]
#[doc(alias = "IKGoal")]
pub struct Objective {
    /// The link.
    pub link: LinkId,
    /// Reference frame of the targets.
    pub anchor: Anchor,
    /// Target position of a point of the link.
    pub position: PositionGoal,
    /// Target rotation of the link.
    pub rotation: RotationGoal,
    /// Weight of the position rows, 1/m.
    pub position_weight: f64,
    /// Weight of the rotation rows, 1/rad.
    pub rotation_weight: f64,
}

/// Reference frame of the targets of an [`Objective`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Anchor {
    /// The world.
    #[default]
    World,
    /// Another link of the robot, which may move too.
    Link(LinkId),
    /// A fixed object, by its pose in the world.
    Object(Pose),
}

/// Target position of a point of a link.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PositionGoal {
    /// Anywhere.
    #[default]
    Free,
    /// At a point: 3 rows.
    Point {
        /// In the link.
        p_link: Point,
        /// In the anchor.
        target: Point,
    },
    /// On a line: 2 rows.
    Line {
        /// In the link.
        p_link: Point,
        /// A point of the line, in the anchor.
        through: Point,
        /// Along the line, of any length, in the anchor.
        direction: Vector,
    },
    /// On a plane: 1 row.
    Plane {
        /// In the link.
        p_link: Point,
        /// A point of the plane, in the anchor.
        through: Point,
        /// Normal to the plane, of any length, in the anchor.
        normal: Vector,
    },
    /// Several points, each in the link with its target in the anchor: 3 rows each.
    ///
    /// Sets that are not congruent are fitted by least squares.
    Points(Vec<(Point, Point)>),
}

/// Target rotation of a link.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RotationGoal {
    /// Any rotation.
    #[default]
    Free,
    /// A direction of the link along one of the anchor, free to rotate about it: 2 rows.
    Axis {
        /// In the link, of any length.
        d_link: Vector,
        /// In the anchor, of any length.
        target: Vector,
    },
    /// The rotation from link to anchor: 3 rows.
    Fixed(Rotation),
}

impl PositionGoal {
    /// Number of rows of the residual.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Free => 0,
            Self::Point { .. } => 3,
            Self::Line { .. } => 2,
            Self::Plane { .. } => 1,
            Self::Points(points) => 3 * points.len(),
        }
    }
}

impl RotationGoal {
    /// Number of rows of the residual.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Free => 0,
            Self::Axis { .. } => 2,
            Self::Fixed(_) => 3,
        }
    }
}

impl Objective {
    /// No goal for the link.
    fn free(link: LinkId) -> Self {
        Self {
            link,
            anchor: Anchor::World,
            position: PositionGoal::Free,
            rotation: RotationGoal::Free,
            position_weight: 1.0,
            rotation_weight: 1.0,
        }
    }

    /// Goal: the link at a pose.
    #[must_use]
    pub fn pose(link: LinkId, target: &Pose) -> Self {
        let origin = Point::origin();
        let there = Point::from(target.translation.vector);
        Self::point(link, origin, there).with_rotation(RotationGoal::Fixed(target.rotation))
    }

    /// Goal: a point of the link at a target point.
    #[must_use]
    pub fn point(link: LinkId, p_link: Point, target: Point) -> Self {
        Self::position(link, PositionGoal::Point { p_link, target })
    }

    /// Goal: several points of the link, each at its target; three that are not collinear fix the link.
    #[must_use]
    pub fn points(link: LinkId, points: impl Into<Vec<(Point, Point)>>) -> Self {
        Self::position(link, PositionGoal::Points(points.into()))
    }

    /// Goal for the position alone.
    #[must_use]
    pub fn position(link: LinkId, goal: PositionGoal) -> Self {
        Self {
            position: goal,
            ..Self::free(link)
        }
    }

    /// Goal for the rotation alone.
    #[must_use]
    pub fn rotation(link: LinkId, goal: RotationGoal) -> Self {
        Self::free(link).with_rotation(goal)
    }

    /// The same with a goal for the position.
    #[must_use]
    pub fn with_position(self, goal: PositionGoal) -> Self {
        Self {
            position: goal,
            ..self
        }
    }

    /// The same with a goal for the rotation.
    #[must_use]
    pub fn with_rotation(self, goal: RotationGoal) -> Self {
        Self {
            rotation: goal,
            ..self
        }
    }

    /// The same with targets relative to another frame.
    #[must_use]
    pub fn relative_to(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    /// The same with other weights for position and rotation.
    #[must_use]
    pub fn with_weights(self, position: f64, rotation: f64) -> Self {
        Self {
            position_weight: position,
            rotation_weight: rotation,
            ..self
        }
    }

    /// Number of rows of the residual.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.position.rows() + self.rotation.rows()
    }

    /// Refuses links that do not exist and invalid numbers.
    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        let n = robot.links().len();
        let links = match self.anchor {
            Anchor::Link(anchor) => [self.link, anchor],
            _ => [self.link, self.link],
        };
        if let Some(link) = links.iter().find(|link| link.index() >= n) {
            let problem = format!("there is no link {}; there are {n}", link.index());
            return Err(Error::invalid("objective", problem));
        }
        let what = || format!("objective of link `{}`", robot.link(self.link).name());
        self.check_numbers(what)
    }

    /// Refuses invalid numbers.
    pub(super) fn check_numbers<W: Into<String>>(&self, what: impl Fn() -> W) -> Result<()> {
        let refuse = |problem: &str| Err(Error::invalid(what(), problem));
        if !self.is_finite() {
            return refuse("it has a number that is not finite");
        }
        if !self.directions().all(|d| d.norm() > f64::MIN_POSITIVE) {
            return refuse("one of its directions has length zero");
        }
        if self.position_weight <= 0.0 || self.rotation_weight <= 0.0 {
            return refuse("a weight must be above zero; leave the goal free instead");
        }
        Ok(())
    }

    /// All directions: of lines, normals and axes.
    fn directions(&self) -> impl Iterator<Item = Vector> + '_ {
        let position_rows = match self.position {
            PositionGoal::Line { direction, .. } => Some(direction),
            PositionGoal::Plane { normal, .. } => Some(normal),
            _ => None,
        };
        let of_rotation = match self.rotation {
            RotationGoal::Axis { d_link, target } => [Some(d_link), Some(target)],
            _ => [None; 2],
        };
        position_rows
            .into_iter()
            .chain(of_rotation.into_iter().flatten())
    }

    /// Returns whether every number is finite; without allocation, because goals change within control loops.
    fn is_finite(&self) -> bool {
        let are_finite = |a: &Point, b: &Point| a.iter().chain(b.iter()).all(|x| x.is_finite());
        let position_rows = match &self.position {
            PositionGoal::Free => true,
            PositionGoal::Point { p_link, target } => are_finite(p_link, target),
            PositionGoal::Line {
                p_link, through, ..
            }
            | PositionGoal::Plane {
                p_link, through, ..
            } => are_finite(p_link, through),
            PositionGoal::Points(points) => points.iter().all(|(a, b)| are_finite(a, b)),
        };
        let of_rotation = match &self.rotation {
            RotationGoal::Fixed(r) => r.matrix().iter().all(|x| x.is_finite()),
            RotationGoal::Free | RotationGoal::Axis { .. } => true,
        };
        let of_anchor = match &self.anchor {
            Anchor::Object(pose) => pose.to_homogeneous().iter().all(|x| x.is_finite()),
            Anchor::World | Anchor::Link(_) => true,
        };
        let mut directions = self.directions();
        position_rows
            && of_rotation
            && of_anchor
            && self.position_weight.is_finite()
            && self.rotation_weight.is_finite()
            && directions.all(|d| d.iter().all(|x| x.is_finite()))
    }
}
