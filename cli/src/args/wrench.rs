//! The arguments of `wrench`.

use std::path::PathBuf;

use clap::Args;

use super::values::numbers;
use super::{Files, Html, Load, key, point};
use crate::request::{ExternalWrench, Key};

/// A world, a motion of one of its robots, and an observer.
#[derive(Debug, Args)]
pub(crate) struct Wrench {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Motion: a table of times, configurations and, optionally, velocities and accelerations
    ///
    /// Comma-separated, in s, rad and m. The first line may name the columns: `time`, then a joint or its link, `q0` or `q_JOINT`,
    /// `dq_JOINT`, `ddq_JOINT`, with a unit such as `[deg]` after it. Without names: time, all positions, all velocities, all accelerations. Missing velocities and accelerations
    /// are derived from a quintic spline.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) motion: PathBuf,
    /// Observer: `world`, or a link, by name or index, at its origin
    #[arg(long, value_name = "LINK", default_value = "world", allow_hyphen_values = true, value_parser = key)]
    pub(crate) observer: Key,
    /// Link to print, by name or index [default: all]
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    pub(crate) link: Option<Key>,
    /// Robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    pub(crate) robot: Option<Key>,
    /// Gravity in world axes, in m/s² [default: 0,0,-9.81]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) gravity: Option<[f64; 3]>,
    /// External wrench on a link: a moment in N m and a force in N, or a force alone, in world axes; may be given several times
    ///
    /// At the origin of the link, or at a point X,Y,Z of its frame, in metres.
    #[arg(long, value_name = "LINK[:X,Y,Z]:[MX,MY,MZ,]FX,FY,FZ", allow_hyphen_values = true, value_parser = external_wrench)]
    pub(crate) external: Vec<ExternalWrench>,
    /// Angles in degrees: in the motion, where its first line names no unit, and in poses of FILE
    #[arg(long)]
    pub(crate) degrees: bool,
    /// Print tables instead of comma-separated values
    #[arg(long, conflicts_with = "json")]
    pub(crate) table: bool,
    /// Print one line of JSON instead of comma-separated values
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) page: Html,
    #[command(flatten)]
    pub(crate) load: Load,
}

fn external_wrench(text: &str) -> Result<ExternalWrench, String> {
    let shape =
        "expected LINK:FX,FY,FZ or LINK:X,Y,Z:FX,FY,FZ, with or without MX,MY,MZ before the force";
    let (before, wrench) = text.rsplit_once(':').ok_or(shape)?;
    let wrench = match *numbers(wrench)?.0 {
        [fx, fy, fz] => [0.0, 0.0, 0.0, fx, fy, fz],
        [mx, my, mz, fx, fy, fz] => [mx, my, mz, fx, fy, fz],
        ref values => {
            return Err(format!(
                "an external wrench has 3 or 6 values, got {}",
                values.len()
            ));
        }
    };
    // a name may contain a colon, but is not a list of numbers
    let with_point = before
        .rsplit_once(':')
        .and_then(|(link, at)| Some((link, point(at).ok()?)));
    let (link, point) = with_point.unwrap_or((before, [0.0; 3]));
    if link.is_empty() {
        return Err(shape.to_owned());
    }
    let link = Key::Word(link.to_owned());
    Ok(ExternalWrench {
        link,
        point,
        wrench,
    })
}
