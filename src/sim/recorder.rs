//! Recorder of sensor values, and the table that it fills.

use std::fmt::Write as _;

use super::integrator::{Action, IntegratorState, Observer, Step};
use super::sensor::{Mechanism, Sensor};
use crate::{Error, Result};

/// Observer of a run that samples sensors at a period.
///
/// [`start`](Self::start) takes the first row. Values within a step are those of [`Step::interpolate`]. A recorder may
/// be used for several runs, one after another.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::sim::{Integrator, KinematicTree, Method, Probe, Quantity, Recorder, Sensor, Steps};
/// use kinworld::{Point, Vector};
///
/// let mut stone = LinkSpec::new("stone", None, LinkMotion::Prismatic(Vector::z()));
/// stone.inertia = Inertia { mass: 2.0, ..Inertia::zero() };
/// let mut robot = RobotBuilder::new("stone");
/// let link = robot.add_link(stone);
/// let mut tree = KinematicTree::new(robot.build()?);
/// tree.forces.gravity = Vector::new(0.0, 0.0, -10.0);
///
/// let mut state = tree.initial_state(0.0, &[0.0], &[0.0])?;
/// let sensors = vec![
///     Sensor::at("stone", link, Point::origin(), Quantity::Position),
///     Sensor::new("energy", Probe::Energy),
/// ];
/// let mut recorder = Recorder::start(sensors, 0.5, &mut tree, &state)?;
/// Integrator::new(Method::Rk44, Steps::Length(0.01))?.run(&mut tree, &mut state, 1.0, &mut recorder)?;
///
/// let table = recorder.table();
/// let z = table.column("stone_z").unwrap();
/// let times: Vec<f64> = table.rows().map(|row| row[0]).collect();
/// assert_eq!(times, [0.0, 0.5, 1.0]);
/// assert!(table.rows().all(|row| (row[z] + 5.0 * row[0] * row[0]).abs() < 1e-12));
/// assert!(table.to_csv().starts_with("time,stone_x,stone_y,stone_z,energy_kinetic,"));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Recorder {
    sensors: Vec<Sensor>,
    start: f64,
    period: f64,
    // index of the next sample
    number: usize,
    y: Vec<f64>,
    table: Table,
}

/// Table of numbers with named columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    columns: Vec<String>,
    // by rows
    values: Vec<f64>,
}

impl Recorder {
    /// Recorder that has taken its first row. A period of 0 records every step.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a period that is negative or not finite, or a sensor on an unknown link; errors of the
    /// mechanism.
    pub fn start<M: Mechanism + ?Sized>(
        sensors: Vec<Sensor>,
        period: f64,
        mechanism: &mut M,
        state: &IntegratorState,
    ) -> Result<Self> {
        if !(period >= 0.0 && period.is_finite()) {
            let problem = format!("is {period} s, it must be finite and not negative");
            return Err(Error::invalid("period of the sensors", problem));
        }
        let of_sensors = sensors.iter().flat_map(|sensor| sensor.columns(mechanism));
        let mut recorder = Self {
            table: Table {
                columns: std::iter::once("time".to_owned())
                    .chain(of_sensors)
                    .collect(),
                values: Vec::new(),
            },
            start: state.t,
            period,
            number: 1,
            y: state.y.clone(),
            sensors,
        };
        recorder.sample(mechanism, state.t)?;
        Ok(recorder)
    }

    /// Table recorded so far.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Recorded table, by value.
    #[must_use]
    pub fn into_table(self) -> Table {
        self.table
    }

    /// Appends a row for the values in `y`.
    fn sample<M: Mechanism + ?Sized>(&mut self, mechanism: &mut M, t: f64) -> Result<()> {
        let now = mechanism.at(t, &self.y)?;
        let before = self.table.values.len();
        self.table.values.push(t);
        for sensor in &self.sensors {
            if let Err(error) = sensor.measure(&now, &mut self.table.values) {
                self.table.values.truncate(before);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Time of the next sample, if it is in this step; a sample just after its end is taken there.
    fn due(&self, step: &Step<'_>) -> Option<f64> {
        let t = self.start + self.period * self.number as f64;
        let rounding = ROUNDING * (step.t_end() - step.t_start());
        if t > step.t_end() + rounding {
            return None;
        }
        let is_at_end = (t - step.t_end()).abs() <= rounding;
        Some(if is_at_end {
            step.t_end()
        } else {
            t.max(step.t_start())
        })
    }
}

impl<M: Mechanism + ?Sized> Observer<M> for Recorder {
    fn after_step(&mut self, mechanism: &mut M, step: &mut Step<'_>) -> Result<Action> {
        if self.period == 0.0 {
            self.y.copy_from_slice(step.y_end());
            self.sample(mechanism, step.t_end())?;
            return Ok(Action::Continue);
        }
        let length = step.t_end() - step.t_start();
        if length > MOST_ROWS * self.period {
            let problem = format!(
                "is {:e} s, which is more than {MOST_ROWS:e} rows in a step of {length} s",
                self.period
            );
            return Err(Error::invalid("period of the sensors", problem));
        }
        while let Some(t) = self.due(step) {
            let mut y = std::mem::take(&mut self.y);
            let found = step.interpolate(mechanism, t, &mut y);
            self.y = y;
            found?;
            self.sample(mechanism, t)?;
            self.number += 1;
        }
        Ok(Action::Continue)
    }
}

impl Table {
    /// Names of the columns, `time` first.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Index of a column, `None` for an unknown name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// Table with a column in another unit: its values times `factor`, under a new name.
    ///
    /// Without that column the table is unchanged.
    #[must_use]
    pub fn with_unit(mut self, column: usize, name: impl Into<String>, factor: f64) -> Self {
        let width = self.columns.len();
        if let Some(old) = self.columns.get_mut(column) {
            *old = name.into();
            let values = self.values.iter_mut().skip(column).step_by(width);
            values.for_each(|x| *x *= factor);
        }
        self
    }

    /// Rows, one number per column.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = &[f64]> + ExactSizeIterator + '_ {
        self.values.chunks_exact(self.columns.len().max(1))
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows().len()
    }

    /// Returns whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Table as comma-separated values: a line of names, then a line per row; numbers read back exactly.
    #[must_use]
    pub fn to_csv(&self) -> String {
        let quoted = |name: &String| {
            if name.contains(['"', ',', '\n', '\r']) {
                format!("\"{}\"", name.replace('"', "\"\""))
            } else {
                name.clone()
            }
        };
        let mut out = self
            .columns
            .iter()
            .map(quoted)
            .collect::<Vec<_>>()
            .join(",");
        out.push('\n');
        for row in self.rows() {
            for (i, x) in row.iter().enumerate() {
                let comma = if i > 0 { "," } else { "" };
                write!(out, "{comma}{x}").expect("a string takes everything");
            }
            out.push('\n');
        }
        out
    }

    /// Table as JSON: `{"columns": [...], "rows": [[...], ...]}`; numbers read back exactly.
    #[must_use]
    pub fn to_json(&self) -> String {
        let rows: Vec<&[f64]> = self.rows().collect();
        serde_json::json!({ "columns": self.columns, "rows": rows }).to_string()
    }
}

/// A sample within this fraction of a step of its end is taken there.
const ROUNDING: f64 = 1e-9;
/// Largest number of rows per step; more are taken for a mistake.
const MOST_ROWS: f64 = 1e6;
