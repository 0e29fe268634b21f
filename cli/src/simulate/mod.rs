//! Command `simulate`: simulates a robot and records its sensors.

mod degrees;
mod left_out;
mod page;
mod plot;
mod progress;
mod setup;
mod stepping;

use std::path::PathBuf;

use kinworld::Diagnostic;
use kinworld::Error;
use kinworld::sim::{
    Energy, Evaluation, IntegratorState, Mechanism, Method, Outcome, Recorder, Steps, Table,
    Termination,
};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::args::Simulate;
use crate::export;
use crate::json;
use crate::outfile::OutFile;
use crate::report::Report;
use crate::request::Refusal;
use crate::session::{self, Session};
use crate::table::{Table as Text, numbers as column, real, words};
use plot::PlotFormat;
use progress::Progress;
use setup::Setup;

/// Report of a run.
#[derive(Debug)]
pub(crate) struct Run {
    robot: String,
    /// `None` where the run stopped.
    outcome: Option<Outcome>,
    stopped: Option<String>,
    state: IntegratorState,
    energy: [Energy; 2],
    table: Table,
    /// The table as it is shown: with angles in degrees where these were asked for.
    shown: Table,
    is_written: bool,
    warnings: Vec<Diagnostic>,
    method: Method,
    steps: Steps,
}

impl Simulate {
    /// Runs the simulation.
    pub(crate) fn run(&self, session: &Session) -> Result<Run, Refusal> {
        let files = self.files_to_write(session)?;
        // a suffix of another format is refused before the run
        self.plot.as_deref().map(PlotFormat::of).transpose()?;
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
        let dq = match (&self.dq, &setup.velocity) {
            (Some(dq), _) => dq.resolve(robot.model(), self.posture.degrees)?,
            (None, Some(dq)) => dq.clone(),
            (None, None) => vec![0.0; robot.model().n_dofs()],
        };
        let forces = setup.forces(robot, &q)?;
        let mut warnings = left_out::warnings(&session.world, robot, &forces, &q);
        let state = self.posture.config();
        let state = state.as_ref().and_then(|config| config.states().last());
        warnings.extend(state.and_then(|state| left_out::collision(session, robot, state, &q)));
        if setup.redundant == Some(true) {
            let (mut system, state, left_out) = setup.bodies(robot, &forces, [&q, &dq])?;
            warnings.extend(left_out);
            return self.record(&setup, session, &mut system, state, warnings, files);
        }
        let (mut tree, state) = setup.tree(robot, forces, [&q, &dq])?;
        self.record(&setup, session, &mut tree, state, warnings, files)
    }

    /// Runs a mechanism of a robot.
    fn record(
        &self,
        setup: &Setup,
        session: &Session,
        mechanism: &mut impl Mechanism,
        mut state: IntegratorState,
        mut warnings: Vec<Diagnostic>,
        [table_file, plot_file, page_file]: [Option<OutFile>; 3],
    ) -> Result<Run, Refusal> {
        let robot = session.robot(self.posture.robot.as_ref())?;
        let (mut integrator, unstable) = stepping::integrator(setup, mechanism, &state)?;
        warnings.extend(unstable);
        Report::short().diagnostics(&warnings);
        let duration = setup.duration.unwrap_or(1.0);
        let period = setup.period.unwrap_or(0.01);
        let sensors = setup.sensors(robot)?;
        let mut recorder = Recorder::start(sensors.clone(), period, mechanism, &state)?;
        let before = mechanism.at(state.t, &state.y)?.energy();
        let mut watch = (Progress::until(duration), &mut recorder);
        let start = state.t;
        let ended = integrator.run(mechanism, &mut state, duration, &mut watch);
        drop(watch);
        // what was computed before a stop is an answer in part; a run that never began is refused
        let (outcome, stopped) = match ended {
            Ok(outcome) if outcome.termination == Termination::StepLimit => {
                let problem = stepping::used_up(outcome.steps, state.t, &state.y);
                (None, Some(problem))
            }
            Ok(outcome) => (Some(outcome), None),
            Err(error @ Error::Stopped { .. }) if state.t > start => {
                (None, Some(error.to_string()))
            }
            Err(error) => return Err(error.into()),
        };
        let after = mechanism.at(state.t, &state.y)?.energy();

        let table = recorder.into_table();
        let shown = match self.posture.degrees {
            true => degrees::shown(table.clone(), &sensors, robot.model(), mechanism),
            false => table.clone(),
        };
        // drawn before anything is written: a column may be unknown
        let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let plot = plot_file.map(|file| {
            let picture = PlotFormat::of(file.path())?;
            Ok::<_, Refusal>((picture.plot(&shown, &columns)?, file))
        });
        let plot = plot.transpose()?.map(|(bytes, file)| (file, bytes));
        let page = page_file.map(|file| {
            let page = page::html(session, robot, &table)?;
            Ok::<_, Refusal>((file, page.into_bytes()))
        });
        let page = page.transpose()?;
        let table_file = table_file.map(|file| {
            let suffix = file.path().extension();
            let is_json = suffix.is_some_and(|suffix| suffix == "json");
            let text = match is_json {
                true => table.to_json() + "\n",
                false => shown.to_csv(),
            };
            (file, text.into_bytes())
        });
        OutFile::write_all(table_file.iter().chain(&plot).chain(&page))?;
        Ok(Run {
            robot: robot.name().to_owned(),
            outcome,
            stopped,
            energy: [before, after],
            method: integrator.method(),
            steps: integrator.steps(),
            state,
            table,
            shown,
            is_written: self.output.is_some(),
            warnings,
        })
    }

    /// The files of the table, of the plot and of the page, checked before the run begins.
    fn files_to_write(&self, session: &Session) -> Result<[Option<OutFile>; 3], Refusal> {
        let mut inputs = session.inputs.clone();
        inputs.extend(self.setup.clone());
        if let (Some(table), Some(plot)) = (&self.output, &self.plot)
            && table == plot
        {
            let problem = "cannot hold both the table and the plot: name two files";
            return Err(Refusal(format!("{}: {problem}", table.display())));
        }
        let file = |path: &Option<PathBuf>| {
            let file = path.as_ref().map(|path| OutFile::of(path, &inputs));
            file.transpose()
        };
        let page = export::file(self.page.html.as_ref(), &inputs)?;
        Ok([file(&self.output)?, file(&self.plot)?, page])
    }

    /// Setup with the options of the command line, which take precedence.
    fn overridden(&self, setup: Setup) -> Setup {
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
            "steps": self.outcome.map(|outcome| outcome.steps),
            "rejected": self.outcome.map(|outcome| outcome.rejected),
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
        if let Some(reason) = &self.stopped {
            answer["reason"] = reason.as_str().into();
        }
        if !self.is_written {
            answer["rows"] = self.table.rows().map(json::numbers).collect();
        }
        answer
    }

    fn reason(&self) -> Option<String> {
        self.stopped.clone()
    }

    /// First and last row of the table, and a summary of the run.
    fn text(&self) -> String {
        let mut text = Text::new([words("column"), column("first"), column("last")]);
        let (first, last) = (self.shown.rows().next(), self.shown.rows().next_back());
        for (i, name) in self.shown.columns().iter().enumerate() {
            let cell = |row: Option<&[f64]>| row.map_or(String::new(), |row| real(row[i]));
            text.row([name.clone(), cell(first), cell(last)]);
        }
        let steps = match self.outcome {
            Some(Outcome {
                steps, rejected, ..
            }) => format!(
                "{steps} steps to t = {} s by {}, {rejected} rejected",
                self.state.t,
                setup::name(self.method),
            ),
            None => format!("stopped at t = {} s", self.state.t),
        };
        format!(
            "{text}\n{} rows, {steps}\nenergy {} J, then {} J: drift {:.2e} J\n",
            self.table.len(),
            real(self.energy[0].total()),
            real(self.energy[1].total()),
            self.drift(),
        )
    }
}
