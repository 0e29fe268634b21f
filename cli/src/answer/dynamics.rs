//! Mass matrix and forces of a robot: `dynamics`.

use kinworld::{DofId, GRAVITY, Robot, Vector, dynamics};
use serde_json::{Value, json};

use super::Answer;
use crate::config::unit;
use crate::json::numbers;
use crate::request::{DofValues, DynamicsRequest, Refusal};
use crate::session::Session;
use crate::table::{self, Table, real};

/// Mass matrix and forces of a robot, with inverse or forward dynamics.
#[derive(Debug)]
pub(crate) struct Dynamics<'a> {
    robot: &'a Robot,
    /// True if the table shows accelerations in degrees.
    degrees: bool,
    mass_matrix: Vec<Vec<f64>>,
    coriolis: Vec<f64>,
    gravity_forces: Vec<f64>,
    tau: Option<Vec<f64>>,
    ddq: Option<Vec<f64>>,
}

impl<'a> Dynamics<'a> {
    pub(crate) fn of(session: &'a Session, request: &DynamicsRequest) -> Result<Self, Refusal> {
        let (robot, mut state) = session.posed(&request.posture)?;
        let robot = robot.model();
        let degrees = request.posture.degrees;
        if let Some(dq) = &request.dq {
            state.set_velocity(robot, &dq.resolve(robot, degrees)?)?;
        }
        let gravity = request.gravity.map_or(GRAVITY, Vector::from);
        let tau = |ddq: &DofValues| {
            let ddq = ddq.resolve(robot, degrees)?;
            let tau = dynamics::inverse_dynamics(robot, &state, &gravity, &ddq);
            Ok::<_, Refusal>(tau?)
        };
        let ddq = |tau: &DofValues| {
            let tau = tau.resolve(robot, false)?;
            let ddq = dynamics::forward_dynamics(robot, &state, &gravity, &tau);
            Ok::<_, Refusal>(ddq?)
        };
        let mass_matrix = dynamics::mass_matrix(robot, &state);
        let rows = mass_matrix.row_iter();
        Ok(Self {
            tau: request.ddq.as_ref().map(tau).transpose()?,
            ddq: request.tau.as_ref().map(ddq).transpose()?,
            mass_matrix: rows.map(|row| row.iter().copied().collect()).collect(),
            coriolis: dynamics::coriolis_forces(robot, &state),
            gravity_forces: dynamics::gravity_forces(robot, &state, &gravity),
            robot,
            degrees,
        })
    }

    /// Columns of the table beside the names, by header.
    fn columns(&self) -> impl Iterator<Item = (&'static str, &Vec<f64>)> {
        let always = [
            ("coriolis", Some(&self.coriolis)),
            ("gravity", Some(&self.gravity_forces)),
            ("tau", self.tau.as_ref()),
            ("ddq", self.ddq.as_ref()),
        ];
        let given = |(head, column): (_, Option<_>)| Some((head, column?));
        always.into_iter().filter_map(given)
    }
}

impl Answer for Dynamics<'_> {
    fn json(&self) -> Value {
        let mut answer = json!({
            "mass_matrix": self.mass_matrix.iter().map(numbers).collect::<Value>(),
            "coriolis": numbers(&self.coriolis),
            "gravity_forces": numbers(&self.gravity_forces),
        });
        for (name, column) in [("tau", &self.tau), ("ddq", &self.ddq)] {
            if let Some(column) = column {
                answer[name] = numbers(column);
            }
        }
        answer
    }

    /// A row per dof: the forces, then the row of the mass matrix.
    fn text(&self) -> String {
        let dofs = || (0..self.robot.n_dofs()).map(DofId::new);
        let names: Vec<&str> = dofs().map(|dof| self.robot.dof_name(dof)).collect();
        let heads = self.columns().map(|(head, _)| match head {
            "ddq" if self.degrees => table::numbers("ddq [deg/s²]"),
            head => table::numbers(head),
        });
        let matrix = names.iter().map(|name| table::numbers(format!("M {name}")));
        let first = std::iter::once(table::words("joint"));
        let mut table = Table::new(first.chain(heads).chain(matrix));
        for (i, name) in names.iter().enumerate() {
            let unit = unit(self.robot, DofId::new(i), self.degrees);
            let forces = self.columns().map(|(head, column)| match head {
                "ddq" => real(column[i] / unit),
                _ => real(column[i]),
            });
            let masses = self.mass_matrix[i].iter().map(|&x| real(x));
            let first = std::iter::once((*name).to_owned());
            table.row(first.chain(forces).chain(masses).collect::<Vec<_>>());
        }
        table.to_string()
    }
}
