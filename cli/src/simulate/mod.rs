//! Command `simulate`: simulates a robot and records its sensors.

mod left_out;
mod plot;
mod progress;
mod setup;
mod stepping;

use std::path::Path;

use kinworld::Diagnostic;
use kinworld::sim::{Energy, IntegratorState, Mechanism, Method, Outcome, Recorder, Steps, Table};
use kinworld::world::RobotRef;
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
    method: Method,
    steps: Steps,
}

impl Simulate {
    /// Runs the simulation.
    pub(crate) fn run(&self, session: &Session) -> Result<Run, Refusal> {
        if let Some(path) = &self.plot {
            plot::check(path)?;
        }
        let setup = match &self.setup {
            Some(path) => Setup::read(path)?,
            None => Setup::default(),
        };
        let setup = self.overridden(setup);
        let robot = session.robot(self.posture.robot.as_ref())?;
        let q = match &setup.config {
            Some(values) => session::configuration(robot, values)?,
            None => robot.config().to_vec(),
        };
        let rest = || vec![0.0; robot.model().n_dofs()];
        let dq = setup.velocity.clone().unwrap_or_else(rest);
        let forces = setup.forces(robot, &q)?;
        let mut warnings = left_out::warnings(&session.world, robot, &forces, &q);
        if setup.redundant == Some(true) {
            let (mut system, state, left_out) = setup.bodies(robot, &forces, [&q, &dq])?;
            warnings.extend(left_out);
            return self.record(&setup, robot, &mut system, state, warnings);
        }
        let (mut tree, state) = setup.tree(robot, forces, [&q, &dq])?;
        self.record(&setup, robot, &mut tree, state, warnings)
    }

    /// Runs a mechanism of a robot.
    fn record(
        &self,
        setup: &Setup,
        robot: RobotRef<'_>,
        mechanism: &mut impl Mechanism,
        mut state: IntegratorState,
        mut warnings: Vec<Diagnostic>,
    ) -> Result<Run, Refusal> {
        let (mut integrator, unstable) = stepping::integrator(setup, mechanism, &state)?;
        warnings.extend(unstable);
        Report::short().diagnostics(&warnings);
        let duration = setup.duration.unwrap_or(1.0);
        let period = setup.period.unwrap_or(0.01);
        let mut recorder = Recorder::start(setup.sensors(robot)?, period, mechanism, &state)?;
        let before = mechanism.energy();
        let mut watch = (Progress::until(duration), &mut recorder);
        let outcome = integrator.run(mechanism, &mut state, duration, &mut watch)?;
        drop(watch);
        mechanism.evaluate(state.t, &state.y)?;

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
            energy: [before, mechanism.energy()],
            method: integrator.method(),
            steps: integrator.steps(),
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
            config: values(&self.posture.config).or(setup.config),
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
            "method": setup::name(self.method),
            "steps": self.outcome.steps,
            "rejected": self.outcome.rejected,
            "energy": self.energy.iter().map(energy).collect::<Value>(),
            "energy_drift": json::number(self.drift()),
            "columns": self.table.columns(),
            "warnings": self.warnings.iter().map(|warning| &warning.message).collect::<Vec<_>>(),
        });
        match self.steps {
            Steps::Adaptive(tolerance) => answer["tolerance"] = json::number(tolerance.relative),
            Steps::Length(step) => answer["step"] = json::number(step),
            _ => {}
        }
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
            "{text}\n{} rows, {} steps to t = {} s by {}, {} rejected\nenergy {} J, then {} J: drift {:e} J\n",
            self.table.len(),
            self.outcome.steps,
            self.state.t,
            setup::name(self.method),
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
