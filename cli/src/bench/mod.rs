//! Times of the kernels for a robot: `bench`.

mod clock;
mod kernels;
mod motions;

use kinworld::Robot;
use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::json::number;
use crate::request::{Key, Refusal};
use crate::session::Session;
use crate::table::{self, Table, count};
use kernels::Kernel;

/// Median time of each kernel, through the library's public functions, on one core.
#[derive(Debug)]
pub(crate) struct Bench<'a> {
    robot: &'a Robot,
    // nanoseconds per configuration, or the error
    times: Vec<(Kernel, kinworld::Result<f64>)>,
}

impl<'a> Bench<'a> {
    /// Takes a second or two.
    pub(crate) fn of(session: &'a Session, robot: Option<&Key>) -> Result<Self, Refusal> {
        let robot = session.robot(robot)?.model();
        if robot.n_dofs() == 0 {
            let name = robot.name();
            let problem = format!("`{name}` has no degrees of freedom");
            return Err(Refusal(problem));
        }
        let times = kernels::time_all(robot);
        Ok(Self { robot, times })
    }
}

impl Answer for Bench<'_> {
    fn json(&self) -> Value {
        let mut answer = json!({
            "robot": self.robot.name(),
            "n_dofs": self.robot.n_dofs(),
        });
        let mut unavailable = Map::new();
        for (kernel, time) in &self.times {
            answer[kernel.key] = match time {
                Ok(ns) => number((ns * 100.0).round() / 100.0),
                Err(error) => {
                    unavailable.insert(kernel.key.to_owned(), Value::from(error.to_string()));
                    Value::Null
                }
            };
        }
        answer["unavailable"] = Value::Object(unavailable);
        answer
    }

    fn text(&self) -> String {
        let mut table = Table::new([
            table::words("kernel"),
            table::numbers("time"),
            table::words("description"),
        ]);
        for (kernel, time) in &self.times {
            let (time, description) = match time {
                Ok(ns) => (clock::readable(*ns), kernel.description.to_owned()),
                Err(error) => ("-".to_owned(), format!("unavailable: {error}")),
            };
            table.row([kernel.key.to_owned(), time, description]);
        }
        let dofs = count(self.robot.n_dofs(), "dof");
        let name = table::printable(self.robot.name());
        format!("robot {name}: {dofs}, median time per configuration on one core\n{table}")
    }
}
