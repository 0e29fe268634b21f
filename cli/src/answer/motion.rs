//! Kinematics: `fk`, `jacobian`.

use std::f64::consts::PI;

use kinworld::math::so3;
use kinworld::world::{LinkRef, RobotRef};
use kinworld::{DofId, LinkId, Point, Robot, State, kinematics};
use serde_json::{Value, json};

use super::Answer;
use crate::json::{numbers, rotation};
use crate::request::{Key, Posture, Refusal};
use crate::session::Session;
use crate::table::{self, Table, real};

/// The poses of all links of a robot.
#[derive(Debug)]
pub(crate) struct Fk<'a> {
    robot: RobotRef<'a>,
    state: State,

    // what is shown
    only: Option<LinkId>,
    point: Point,
    with_quaternions: bool,
    degrees: bool,
}

impl<'a> Fk<'a> {
    pub(crate) fn of(session: &'a Session, posture: &Posture) -> Result<Self, Refusal> {
        let (robot, state) = session.posed(posture)?;
        Ok(Self {
            robot,
            state,
            only: None,
            point: Point::origin(),
            with_quaternions: false,
            degrees: posture.degrees,
        })
    }

    /// Selects one link and a point in its frame.
    pub(crate) fn showing(
        mut self,
        session: &Session,
        link: Option<&Key>,
        point: [f64; 3],
    ) -> Result<Self, Refusal> {
        let link = link.map(|key| session.link(self.robot, key)).transpose()?;
        self.only = link.map(|link| link.id());
        self.point = point.into();
        Ok(self)
    }

    /// Shows orientations as quaternions in the table.
    pub(crate) fn with_quaternions(self) -> Self {
        Self {
            with_quaternions: true,
            ..self
        }
    }
}

impl Answer for Fk<'_> {
    fn json(&self) -> Value {
        let is_shown = |link: &LinkRef<'_>| self.only.is_none_or(|only| only == link.id());
        let links = self.robot.links().filter(is_shown).map(|link| {
            let pose = self.state.pose(self.robot.model(), link.id());
            json!({
                "name": link.name(),
                "joint_name": link.model().joint_name(),
                "rotation": rotation(&pose.rotation),
                "translation": numbers(&(pose * self.point).coords),
                "quaternion": numbers(&so3::to_wxyz(&pose.rotation)),
            })
        });
        json!({ "links": links.collect::<Value>() })
    }

    fn text(&self) -> String {
        let (unit, scale) = match self.degrees {
            true => ("deg", 180.0 / PI),
            false => ("rad", 1.0),
        };
        let position = ["x [m]", "y [m]", "z [m]"].map(str::to_owned);
        let orientation = match self.with_quaternions {
            true => ["qw", "qx", "qy", "qz"].map(str::to_owned).to_vec(),
            false => ["roll", "pitch", "yaw"]
                .map(|angle| format!("{angle} [{unit}]"))
                .to_vec(),
        };
        let values = position.into_iter().chain(orientation);
        let columns = [table::numbers("#"), table::words("link")]
            .into_iter()
            .chain(values.map(table::numbers))
            .chain([table::words("joint")]);
        let mut table = Table::new(columns);
        for link in self.robot.links() {
            if self.only.is_some_and(|only| only != link.id()) {
                continue;
            }
            let pose = self.state.pose(self.robot.model(), link.id());
            let p_w = pose * self.point;
            let orientation = match self.with_quaternions {
                true => so3::to_wxyz(&pose.rotation).to_vec(),
                false => so3::to_rpy(&pose.rotation)
                    .map(|angle| angle * scale)
                    .to_vec(),
            };
            let pose = p_w.iter().chain(&orientation).map(|&x| real(x));
            let joint = link.model().joint_name().unwrap_or("-");
            let words = [link.id().index().to_string(), link.name().to_owned()];
            let cells = words.into_iter().chain(pose);
            table.row(cells.chain([joint.to_owned()]));
        }
        table.to_string()
    }
}

/// The Jacobian of a point of a link.
#[derive(Debug)]
pub(crate) struct Jacobian<'a> {
    robot: &'a Robot,
    rows: Vec<Vec<f64>>,
}

impl<'a> Jacobian<'a> {
    /// Jacobian of a point in the frame of a link; the last link where none is given.
    pub(crate) fn of(
        session: &'a Session,
        posture: &Posture,
        link: Option<&Key>,
        point: [f64; 3],
    ) -> Result<Self, Refusal> {
        let (robot, state) = session.posed(posture)?;
        let last = Key::Index(robot.n_links().saturating_sub(1));
        let link = session.link(robot, link.unwrap_or(&last))?;
        let robot = robot.model();
        let matrix = kinematics::jacobian(robot, &state, link.id(), &point.into());
        let rows = matrix.row_iter().map(|row| row.iter().copied().collect());
        Ok(Self {
            robot,
            rows: rows.collect(),
        })
    }
}

impl Answer for Jacobian<'_> {
    fn json(&self) -> Value {
        json!({ "jacobian": self.rows.iter().map(numbers).collect::<Value>() })
    }

    fn text(&self) -> String {
        const ROWS: [&str; 6] = ["wx", "wy", "wz", "vx", "vy", "vz"];
        let dofs = (0..self.robot.n_dofs()).map(DofId::new);
        let columns = dofs.map(|dof| table::numbers(self.robot.dof_name(dof)));
        let mut table = Table::new(std::iter::once(table::words("")).chain(columns));
        for (name, row) in ROWS.iter().zip(&self.rows) {
            let cells = row.iter().map(|&x| real(x));
            table.row(std::iter::once((*name).to_owned()).chain(cells));
        }
        table.to_string()
    }
}
