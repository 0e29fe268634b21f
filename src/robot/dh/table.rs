//! Denavit-Hartenberg tables and the robots that they describe.

use super::DhParameters;
use crate::math::{Inertia, Pose, Vector};
use crate::robot::{
    Driver, DriverKind, Limits, LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder, Servo,
};
use crate::{Error, Result};

/// A robot as a Denavit-Hartenberg table.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DhTable {
    /// The name of the robot.
    pub name: String,
    /// World pose of the base, the parent frame of the first row.
    pub base: Pose,
    /// One row per joint.
    pub rows: Vec<DhRow>,
    /// Pose of the tool in the last link; `None` for no link `tool`.
    pub tool: Option<Pose>,
}

/// Row of a table: a joint and its link.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct DhRow {
    /// The name of the link.
    pub name: String,
    /// The Denavit-Hartenberg parameters, or a joint about any axis.
    pub parameters: DhParameters,
    /// Whether the joint is prismatic; else it is revolute.
    pub prismatic: bool,
    /// The parent.
    pub parent: DhParent,
    /// Mass, centre of mass and moment of inertia about it, in the frame of the link.
    pub inertia: Inertia,
    /// Limits of the joint.
    pub limits: Limits,
    /// Initial value of the joint, rad or m.
    pub initial: f64,
    /// Gains and friction of the drive.
    #[cfg_attr(feature = "serde", serde(default))]
    pub servo: Servo,
}

/// The links that a row of a table becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RowLinks {
    /// The massless link that the joint moves; its frame is that of [`DhTable::joint_frames`].
    pub joint: LinkId,
    /// The link fixed to it, which carries the mass; its frame is that of [`DhTable::link_frames`].
    pub link: LinkId,
}

/// Parent of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DhParent {
    /// The previous row, or the base for the first row: a serial robot.
    #[default]
    Previous,
    /// The base: one of several arms.
    Base,
    /// The link of an earlier row, counted from 0: a tree.
    Row(usize),
}

impl DhRow {
    /// A revolute joint with a massless link.
    pub fn revolute(name: impl Into<String>, parameters: impl Into<DhParameters>) -> Self {
        Self {
            name: name.into(),
            parameters: parameters.into(),
            prismatic: false,
            parent: DhParent::Previous,
            inertia: Inertia::zero(),
            limits: Limits::UNLIMITED,
            initial: 0.0,
            servo: Servo::default(),
        }
    }

    /// A prismatic joint with a massless link.
    pub fn prismatic(name: impl Into<String>, parameters: impl Into<DhParameters>) -> Self {
        Self {
            prismatic: true,
            ..Self::revolute(name, parameters)
        }
    }

    /// See [`DhParameters::around_joint`]; errors name the row, which is number `i`.
    pub(super) fn around_joint(&self, i: usize) -> Result<(Pose, Vector, Pose)> {
        let named = |error| match error {
            Error::Invalid { what, problem } => {
                Error::invalid(format!("row {i} (`{}`): {what}", self.name), problem)
            }
            other => other,
        };
        self.parameters.around_joint().map_err(named)
    }

    /// Sets the parent row.
    #[must_use]
    pub fn with_parent(mut self, parent: DhParent) -> Self {
        self.parent = parent;
        self
    }

    /// Sets mass, centre of mass and moment of inertia, in the frame of the link.
    #[must_use]
    pub fn with_inertia(mut self, inertia: Inertia) -> Self {
        self.inertia = inertia;
        self
    }

    /// Sets the limits of the joint.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the initial value of the joint, rad or m.
    #[must_use]
    pub fn with_initial(mut self, initial: f64) -> Self {
        self.initial = initial;
        self
    }

    /// Sets gains and friction of the drive.
    #[must_use]
    pub fn with_servo(mut self, servo: Servo) -> Self {
        self.servo = servo;
        self
    }
}

impl DhTable {
    /// A serial robot at the origin of the world, without a tool.
    pub fn new(name: impl Into<String>, rows: Vec<DhRow>) -> Self {
        Self {
            name: name.into(),
            base: Pose::identity(),
            rows,
            tool: None,
        }
    }

    /// Sets the pose of the base in the world.
    #[must_use]
    pub fn with_base(mut self, base: Pose) -> Self {
        self.base = base;
        self
    }

    /// Adds a link `tool` at this pose in the last link.
    #[must_use]
    pub fn with_tool(mut self, tool: Pose) -> Self {
        self.tool = Some(tool);
        self
    }

    /// Builds the robot: for each row a link `name_joint` that moves and a link `name` fixed to it, then
    /// `tool`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a row whose parent is itself or a later row, and for invalid numbers.
    pub fn build(&self) -> Result<Robot> {
        let mut robot = RobotBuilder::new(self.name.clone());
        let mut ends: Vec<LinkId> = Vec::with_capacity(self.rows.len());
        let mut drivers = Vec::with_capacity(self.rows.len());
        for (i, row) in self.rows.iter().enumerate() {
            let parent = self.parent(i)?.map(|parent| ends[parent]);
            let (before, axis, after) = row.around_joint(i)?;
            let motion = if row.prismatic {
                LinkMotion::Prismatic(axis)
            } else {
                LinkMotion::Revolute(axis)
            };
            let name = format!("{}_joint", row.name);
            let mut joint = LinkSpec::new(name.clone(), parent, motion);
            joint.placement = if parent.is_none() {
                self.base * before
            } else {
                before
            };
            joint.limits = row.limits;
            joint.initial = row.initial;
            let joint = robot.add_link(joint);
            let mut driver = Driver::new(name, DriverKind::Normal { link: joint });
            driver.servo = row.servo;
            drivers.push(driver);

            let mut link = LinkSpec::new(row.name.clone(), Some(joint), LinkMotion::Fixed);
            link.placement = after;
            link.inertia = row.inertia;
            ends.push(robot.add_link(link));
        }
        if let Some(tool) = self.tool {
            let mut link = LinkSpec::new("tool", ends.last().copied(), LinkMotion::Fixed);
            link.placement = if ends.is_empty() {
                self.base * tool
            } else {
                tool
            };
            robot.add_link(link);
        }
        robot.drivers = Some(drivers);
        robot.build()
    }

    /// The two links of the [built](Self::build) robot that row `i`, counted from 0, becomes; `None` beyond the last row.
    #[must_use]
    pub fn row_links(&self, i: usize) -> Option<RowLinks> {
        (i < self.rows.len()).then(|| RowLinks {
            joint: LinkId::new(2 * i),
            link: LinkId::new(2 * i + 1),
        })
    }

    /// The link `tool` of the [built](Self::build) robot, `None` without one.
    #[must_use]
    pub fn tool_link(&self) -> Option<LinkId> {
        self.tool.map(|_| LinkId::new(2 * self.rows.len()))
    }

    /// Returns whether the parent of each row is the previous one.
    #[must_use]
    pub fn is_serial(&self) -> bool {
        let mut rows = self.rows.iter().enumerate();
        rows.all(|(i, row)| match row.parent {
            DhParent::Previous => true,
            DhParent::Base => i == 0,
            DhParent::Row(parent) => parent + 1 == i,
        })
    }

    /// Parent row of row `i`, `None` for the base.
    pub(super) fn parent(&self, i: usize) -> Result<Option<usize>> {
        let row = &self.rows[i];
        match row.parent {
            DhParent::Base => Ok(None),
            DhParent::Previous => Ok(i.checked_sub(1)),
            DhParent::Row(parent) if parent < i => Ok(Some(parent)),
            DhParent::Row(parent) => {
                let problem = format!("is the child of row {parent}, which is not before it");
                Err(Error::invalid(format!("row {i} (`{}`)", row.name), problem))
            }
        }
    }
}
