//! The motion in a file: a table, a path of `plan`, or a trajectory of Klampt.

use std::path::Path;

use kinworld::io::{LoadOptions, Loader};
use kinworld::kinematics::{Recording, Samples};
use kinworld::viewer::Plot;
use kinworld::world::RobotRef;
use kinworld::{Diagnostic, Loaded};
use serde_json::Value;

use super::{columns, path, refused};
use crate::Failure;
use crate::args::Load;
use crate::report::Report;
use crate::request::Refusal;

/// A motion, and the other columns of its table.
#[derive(Debug)]
pub(super) struct Motion {
    pub(super) samples: Samples,
    pub(super) plots: Vec<Plot>,
}

pub(super) fn read(
    robot: RobotRef<'_>,
    file: &Path,
    degrees: bool,
    load: Load,
) -> Result<Motion, Failure> {
    let alone = |samples| Motion {
        samples,
        plots: Vec::new(),
    };
    let mut report = Report::short();
    let mut loader = Loader::with_options(LoadOptions::from(load).with_degrees(degrees));
    let suffix = file.extension().and_then(|suffix| suffix.to_str());
    match suffix.map(str::to_ascii_lowercase).as_deref() {
        Some("json") => {
            let waypoints = of_json(file).map_err(refused)?;
            path::timed(robot, &waypoints).map(alone).map_err(refused)
        }
        Some("path") => {
            let trajectory = reported(&mut report, loader.trajectory(file))?;
            path::sampled(robot, &trajectory)
                .map(alone)
                .map_err(refused)
        }
        _ => {
            let loaded = loader.recording(robot.model(), file);
            let Loaded {
                value, diagnostics, ..
            } = match loaded {
                Ok(loaded) => loaded,
                Err(error) => {
                    report.error(&error);
                    return Err(Failure::Refused);
                }
            };
            // other columns are plotted
            let is_other = |said: &Diagnostic| said.message.ends_with("the column is left out");
            let (others, said): (Vec<_>, Vec<_>) = diagnostics.into_iter().partition(is_other);
            report.diagnostics(&said);
            let others = others.iter().filter_map(|said| said.column);
            let plots = columns::of_file(file, &others.collect::<Vec<_>>()).map_err(refused)?;
            Ok(Motion {
                samples: samples(&value),
                plots,
            })
        }
    }
}

/// The samples of a recording, velocities and accelerations included.
pub(super) fn samples(motion: &Recording) -> Samples {
    let (mut times, mut q, mut dq, mut ddq) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for instant in motion.instants() {
        times.push(instant.time);
        q.push(instant.q.to_vec());
        dq.push(instant.dq.to_vec());
        ddq.push(instant.ddq.to_vec());
    }
    let samples = Samples::new(times, q);
    samples.with_velocities(dq).with_accelerations(ddq)
}

fn reported<T>(report: &mut Report, loaded: kinworld::Result<Loaded<T>>) -> Result<T, Failure> {
    match loaded {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            Ok(loaded.value)
        }
        Err(error) => {
            report.error(&error);
            Err(Failure::Refused)
        }
    }
}

/// The waypoints that `plan` wrote.
fn of_json(file: &Path) -> Result<Vec<Vec<f64>>, Refusal> {
    let refuse = |problem: &str| Refusal(format!("{}: {problem}", file.display()));
    let text = std::fs::read_to_string(file);
    let text = text.map_err(|error| refuse(&format!("cannot be read: {error}")))?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| refuse(&format!("is not JSON: {error}")))?;
    let none = || refuse("holds no `path`: a list of configurations, as `plan --output` writes it");
    let path = value.get("path").and_then(Value::as_array);
    let row =
        |row: &Value| -> Option<Vec<f64>> { row.as_array()?.iter().map(Value::as_f64).collect() };
    let rows: Option<Vec<_>> = path.ok_or_else(none)?.iter().map(row).collect();
    rows.filter(|rows| !rows.is_empty()).ok_or_else(none)
}
