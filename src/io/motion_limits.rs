//! Limits of motions: a `joint_limits.yaml` of MoveIt.

use std::path::Path;

use super::context::Context;
use super::loader::Loader;
use super::position::Position;
use super::report::FileReport;
use super::source::FilePath;
use super::words::closest;
use crate::planning::{LimitKind, MotionLimits};
use crate::robot::{DofId, Robot};
use crate::{Diagnostic, LoadError, Loaded, Result};

impl MotionLimits {
    /// The limits of a robot with those of a `joint_limits.yaml` in MoveIt's form; see [`Loader::motion_limits`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Robot;
    /// use kinworld::planning::MotionLimits;
    ///
    /// let arm = Robot::load("data/robots/arm6.urdf")?.value;
    /// let limits = MotionLimits::load(&arm, "data/limits/arm6_joint_limits.yaml")?.value;
    /// assert_eq!((limits.velocity()[0], limits.acceleration()[0]), ([-2.0, 2.0], 6.0));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn load(robot: &Robot, path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().motion_limits(robot, path)
    }
}

/// See [`MotionLimits::load`].
pub(super) fn load(
    ctx: &Context<'_>,
    robot: &Robot,
    path: &FilePath,
) -> Result<MotionLimits, LoadError> {
    let text = ctx.read_text(path)?;
    let file = ctx.report().of_file(path);
    Ok(limits(robot, &text, file)?)
}

/// Fields with a number, each with the field that switches it on and what it limits.
const NUMBERS: [(&str, &str, LimitKind); 4] = [
    ("max_velocity", "has_velocity_limits", LimitKind::Velocity),
    (
        "max_acceleration",
        "has_acceleration_limits",
        LimitKind::Acceleration,
    ),
    ("max_jerk", "has_jerk_limits", LimitKind::Jerk),
    ("max_effort", "has_effort_limits", LimitKind::Torque),
];

/// Fields of MoveIt that are not limits of a motion.
const OTHERS: [&str; 7] = [
    "angle_wraparound",
    "has_deceleration_limits",
    "has_position_limits",
    "max_deceleration",
    "max_position",
    "min_position",
    "soft_limits",
];

/// The limits of one joint, as its lines come.
#[derive(Default)]
struct Joint {
    dof: Option<usize>,
    has: [Option<bool>; 4],
    values: [Option<(f64, Position)>; 4],
}

fn limits(robot: &Robot, text: &str, file: FileReport<'_>) -> Result<MotionLimits, Diagnostic> {
    let names: Vec<&str> = (0..robot.n_dofs())
        .map(|i| robot.dof_name(DofId::new(i)))
        .collect();
    let mut limits = MotionLimits::of(robot);
    let mut is_inside = false;
    let mut joint: Option<(usize, Joint)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let plain = before_comment(line).trim_end();
        let said = plain.trim_start();
        if said.is_empty() || said == "---" {
            continue;
        }
        let indent = plain.len() - said.len();
        let position = Position {
            line: number,
            column: indent as u32 + 1,
        };
        let error = |message: String| file.at(position, Diagnostic::error(message));
        if plain
            .chars()
            .take_while(|c| c.is_whitespace())
            .any(|c| c == '\t')
        {
            return Err(error("YAML is indented with spaces, not tabs".to_owned()));
        }
        let Some((key, value)) = said.split_once(':') else {
            return Err(error(format!("`{said}` is not `key: value`")).help(FORM));
        };
        let (key, value) = (unquoted(key.trim()), value.trim());
        if indent == 0 {
            end(&mut limits, joint.take(), file)?;
            is_inside = key == "joint_limits";
            if is_inside && !value.is_empty() {
                return Err(
                    error("the joints of `joint_limits` are not below it".to_owned()).help(FORM),
                );
            }
            if !is_inside {
                let message = format!("`{key}` is not read: only `joint_limits` is");
                file.add(file.at(position, Diagnostic::warning(message)));
            }
            continue;
        }
        if !is_inside {
            continue;
        }
        match &mut joint {
            Some((of_joint, joint)) if indent > *of_joint => {
                field(joint, [key, value], position, file)?;
            }
            _ => {
                end(&mut limits, joint.take(), file)?;
                if !value.is_empty() {
                    return Err(error(format!("the limits of `{key}` are not below it")).help(FORM));
                }
                let dof = names.iter().position(|name| *name == key);
                if dof.is_none() {
                    let message = format!(
                        "robot `{}` has no joint `{key}`; its limits are left out",
                        robot.name()
                    );
                    let warning = file.at(position, Diagnostic::warning(message));
                    let close = closest(key, names.iter().copied());
                    let help = close.map(|name| format!("did you mean `{name}`?"));
                    file.add(help.into_iter().fold(warning, Diagnostic::help));
                }
                let new = Joint {
                    dof,
                    ..Joint::default()
                };
                joint = Some((indent, new));
            }
        }
    }
    end(&mut limits, joint.take(), file)?;
    Ok(limits)
}

/// Advice on the form of the file.
const FORM: &str = "write `joint_limits:`, below it each joint with a colon, and below that fields such as `max_acceleration: 3.75`";

/// One field of a joint.
fn field(
    joint: &mut Joint,
    [key, value]: [&str; 2],
    position: Position,
    file: FileReport<'_>,
) -> Result<(), Diagnostic> {
    let error = |message: String| file.at(position, Diagnostic::error(message));
    if let Some(i) = NUMBERS.iter().position(|(name, ..)| *name == key) {
        let number = value.parse::<f64>().ok().filter(|x| x.is_finite());
        let Some(number) = number else {
            return Err(error(format!(
                "`{key}` is `{value}`, which is not a finite number"
            )));
        };
        if let Some(slot) = joint.values.get_mut(i) {
            *slot = Some((number, position));
        }
        return Ok(());
    }
    if let Some(i) = NUMBERS.iter().position(|(_, name, _)| *name == key) {
        let has = match value {
            "true" | "True" | "TRUE" | "yes" | "on" => Some(true),
            "false" | "False" | "FALSE" | "no" | "off" => Some(false),
            _ => {
                return Err(error(format!(
                    "`{key}` is `{value}`, which is not `true` or `false`"
                )));
            }
        };
        if let Some(slot) = joint.has.get_mut(i) {
            *slot = has;
        }
        return Ok(());
    }
    if !OTHERS.contains(&key) {
        let known = NUMBERS.iter().flat_map(|(value, has, _)| [*value, *has]);
        let message = format!("`{key}` is not a field of `joint_limits`");
        let warning = file.at(position, Diagnostic::warning(message));
        let help = closest(key, known).map(|name| format!("did you mean `{name}`?"));
        file.add(help.into_iter().fold(warning, Diagnostic::help));
    }
    Ok(())
}

/// Sets the limits of a joint whose lines are over.
fn end(
    limits: &mut MotionLimits,
    joint: Option<(usize, Joint)>,
    file: FileReport<'_>,
) -> Result<(), Diagnostic> {
    let Some((_, joint)) = joint else {
        return Ok(());
    };
    let Some(dof) = joint.dof else {
        return Ok(());
    };
    let fields = NUMBERS
        .into_iter()
        .zip(joint.values.into_iter().zip(joint.has));
    for ((name, has, kind), (value, is_limited)) in fields {
        let Some((value, position)) = value else {
            continue;
        };
        if is_limited == Some(false) {
            continue;
        }
        if value <= 0.0 {
            let message = format!("`{name}` is {value}, and must be above 0");
            let error = file.at(position, Diagnostic::error(message));
            return Err(error.help(format!("for no limit write `{has}: false`")));
        }
        limits.set(dof, kind, value);
    }
    Ok(())
}

/// A line without its comment, which begins with `#` at its start or after a blank.
fn before_comment(line: &str) -> &str {
    let mut before = line.match_indices('#').filter_map(|(i, _)| line.get(..i));
    let is_apart = |before: &&str| before.is_empty() || before.ends_with([' ', '\t']);
    before.find(is_apart).unwrap_or(line)
}

fn unquoted(text: &str) -> &str {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}
