//! Command `simulate`: simulates a robot and records its sensors.

mod left_out;
mod plot;
mod progress;
mod setup;

use std::path::Path;

use kinworld::Diagnostic;
use kinworld::sim::{
    Energy, Integrator, IntegratorState, KinematicTree, Mechanism, Outcome, Recorder, Table,
};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::args::{Numbers, Simulate};
use crate::json;
use crate::report::Report;
use crate::request::Refusal;
use crate::session::{self, Session};
use crate::table::{Table as Text, numbers as column, real, words};
use progress::Progress;
use setup::Setup;

/// Report of a run.
#[derive(Debug)]
pub(crate) struct Run {
    robot: String,
    outcome: Outcome,
    state: IntegratorState,
    energy: [Energy; 2],
    table: Table,
    is_written: bool,
    warnings: Vec<Diagnostic>,
}

impl Simulate {
    /// Runs the simulation.
    pub(crate) fn run(&self, session: &Session) -> Result<Run, Refusal> {
        let setup = match &self.setup {
            Some(path) => Setup::read(path)?,
            None => Setup::default(),
        };
        let setup = self.overridden(setup);
        let robot = session.robot(self.posture.robot.as_ref())?;
        let q = match (self.posture.config(), &setup.config) {
            (Some(config), _) => session::configured(robot, &config)?,
            (None, Some(values)) => session::configuration(robot, values)?,
            (None, None) => robot.config().to_vec(),
        };
        let rest = || vec![0.0; robot.model().n_dofs()];
        let dq = setup.velocity.clone().unwrap_or_else(rest);
        let mut tree = KinematicTree::new(robot.model().clone()).with_base(setup.base());
        tree.forces = setup.forces(robot, &q)?;
        if let Some(values) = &setup.reference {
            tree = tree.with_reference(&session::configuration(robot, values)?)?;
        }
        let warnings = left_out::warnings(&session.world, robot, &tree.forces, &q);
        Report::short().diagnostics(&warnings);
        let mut state = tree.initial_state(0.0, &q, &dq)?;
        let (method, steps) = setup.method()?;
        let mut integrator = Integrator::new(method, steps)?;
        let duration = setup.duration.unwrap_or(1.0);
        let period = setup.period.unwrap_or(0.01);
        let mut recorder = Recorder::start(setup.sensors(robot)?, period, &mut tree, &state)?;
        let before = tree.energy();
        let mut watch = (Progress::until(duration), &mut recorder);
        let outcome = integrator.run(&mut tree, &mut state, duration, &mut watch)?;
        drop(watch);
        tree.evaluate(state.t, &state.y)?;

        let table = recorder.into_table();
        if let Some(path) = &self.output {
            let is_json = path.extension().is_some_and(|suffix| suffix == "json");
            let text = if is_json {
                table.to_json() + "\n"
            } else {
                table.to_csv()
            };
            write(path, &text)?;
        }
        if let Some(path) = &self.plot {
            let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
            write(path, &plot::svg(&table, &columns)?)?;
        }
        Ok(Run {
            robot: robot.name().to_owned(),
            outcome,
            energy: [before, tree.energy()],
            state,
            table,
            is_written: self.output.is_some(),
            warnings,
        })
    }

    /// Setup with the options of the command line, which take precedence.
    fn overridden(&self, setup: Setup) -> Setup {
        let values =
            |numbers: &Option<Numbers>| numbers.as_ref().map(|Numbers(values)| values.clone());
        let (step, tolerance) = match (self.step, self.tolerance) {
            (None, None) => (setup.step, setup.tolerance),
            given => given,
        };
        Setup {
            duration: self.duration.or(setup.duration),
            method: self.method.clone().or(setup.method),
            step,
            tolerance,
            period: self.period.or(setup.period),
            gravity: self.gravity.or(setup.gravity),
            velocity: values(&self.velocity).or(setup.velocity),
            ideal: self.ideal.then_some(true).or(setup.ideal),
            friction: setup.friction.filter(|_| !self.ideal),
            stops: setup.stops.filter(|_| !self.ideal),
            ..setup
        }
    }
}

impl Run {
    /// Change of the total energy, J.
    fn drift(&self) -> f64 {
        self.energy[1].total() - self.energy[0].total()
    }
}

impl Answer for Run {
    fn json(&self) -> Value {
        let energy = |energy: &Energy| {
            json!({
                "kinetic": json::number(energy.kinetic),
                "potential": json::number(energy.potential),
                "total": json::number(energy.total()),
            })
        };
        let mut answer = json!({
            "robot": self.robot,
            "t": json::number(self.state.t),
            "steps": self.outcome.steps,
            "rejected": self.outcome.rejected,
            "energy": self.energy.iter().map(energy).collect::<Value>(),
            "energy_drift": json::number(self.drift()),
            "columns": self.table.columns(),
            "warnings": self.warnings.iter().map(|warning| &warning.message).collect::<Vec<_>>(),
        });
        if !self.is_written {
            answer["rows"] = self.table.rows().map(json::numbers).collect();
        }
        answer
    }

    /// First and last row of the table, and a summary of the run.
    fn text(&self) -> String {
        let mut text = Text::new([words("column"), column("first"), column("last")]);
        let (first, last) = (self.table.rows().next(), self.table.rows().next_back());
        for (i, name) in self.table.columns().iter().enumerate() {
            let cell = |row: Option<&[f64]>| row.map_or(String::new(), |row| real(row[i]));
            text.row([name.clone(), cell(first), cell(last)]);
        }
        format!(
            "{text}\n{} rows, {} steps to t = {} s, {} rejected\nenergy {} J, then {} J: drift {:e} J\n",
            self.table.len(),
            self.outcome.steps,
            self.state.t,
            self.outcome.rejected,
            real(self.energy[0].total()),
            real(self.energy[1].total()),
            self.drift(),
        )
    }
}

/// Writes a text file.
fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let written = std::fs::write(path, text);
    written.map_err(|error| Refusal(format!("{}: {error}", path.display())))
}
