//! Limits of motions: a `joint_limits.yaml` of MoveIt.

use std::path::Path;

use super::context::Context;
use super::loader::Loader;
use super::position::Position;
use super::report::FileReport;
use super::source::FilePath;
use super::words::closest;
use super::yaml::{self, Content, Node};
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

fn limits(robot: &Robot, text: &str, file: FileReport<'_>) -> Result<MotionLimits, Diagnostic> {
    let error = |at: Position, message: String| file.at(at, Diagnostic::error(message));
    let document = yaml::parse(text).map_err(|(at, problem)| error(at, problem))?;
    let mut limits = MotionLimits::of(robot);
    let Some(document) = document else {
        return Ok(limits);
    };
    for field in fields(&document, "the file", document.position, file)? {
        if field.name == "joint_limits" {
            joints(&mut limits, robot, &field, file)?;
        } else {
            let message = format!("`{}` is not read: only `joint_limits` is", field.name);
            file.add(file.at(field.position, Diagnostic::warning(message)));
        }
    }
    Ok(limits)
}

/// Sets the limits of all joints.
fn joints(
    limits: &mut MotionLimits,
    robot: &Robot,
    all: &Field<'_>,
    file: FileReport<'_>,
) -> Result<(), Diagnostic> {
    let names: Vec<&str> = (0..robot.n_dofs())
        .map(|i| robot.dof_name(DofId::new(i)))
        .collect();
    for field in fields(all.node, "`joint_limits`", all.position, file)? {
        let found = joint(&field, file)?;
        let name = field.name;
        let Some(dof) = names.iter().position(|known| *known == name) else {
            let robot = robot.name();
            let message = format!("robot `{robot}` has no joint `{name}`; its limits are left out");
            let warning = file.at(field.position, Diagnostic::warning(message));
            file.add(advised(warning, closest(name, names.iter().copied())));
            continue;
        };
        for (kind, value) in found {
            limits.set(dof, kind, value);
        }
    }
    Ok(())
}

/// The limits of one joint.
fn joint(joint: &Field<'_>, file: FileReport<'_>) -> Result<Vec<(LimitKind, f64)>, Diagnostic> {
    let of = format!("`{}`", joint.name);
    let fields = fields(joint.node, &of, joint.position, file)?;
    let known = || NUMBERS.iter().flat_map(|(value, has, _)| [*value, *has]);
    for Field { name, position, .. } in &fields {
        if !known().chain(OTHERS).any(|known| known == *name) {
            let message = format!("`{name}` is not a field of `joint_limits`");
            let warning = file.at(*position, Diagnostic::warning(message));
            file.add(advised(warning, closest(name, known())));
        }
    }
    let field = |name: &str| fields.iter().rev().find(|field| field.name == name);
    let mut found = Vec::new();
    for (name, has, kind) in NUMBERS {
        let is_limited = match field(has) {
            Some(field) => truth(field, file)?,
            None => true,
        };
        let Some(field) = field(name) else {
            continue;
        };
        let value = number(field, file)?;
        if !is_limited {
            continue;
        }
        if value <= 0.0 {
            let message = format!("`{name}` is {value}, and must be above 0");
            let error = file.at(field.position, Diagnostic::error(message));
            return Err(error.help(format!("for no limit write `{has}: false`")));
        }
        found.push((kind, value));
    }
    Ok(found)
}

/// Advice on the form of the file.
const FORM: &str = "write `joint_limits:`, below it each joint with a colon, and below that fields such as `max_acceleration: 3.75`";

/// A field of a map.
struct Field<'n> {
    name: &'n str,
    /// Position of the name.
    position: Position,
    node: &'n Node,
}

/// The fields of a map; `of` is what it belongs to, with its position.
fn fields<'n>(
    node: &'n Node,
    of: &str,
    position: Position,
    file: FileReport<'_>,
) -> Result<Vec<Field<'n>>, Diagnostic> {
    let error = |at: Position, message: String| {
        let error = file.at(at, Diagnostic::error(message));
        error.help(FORM)
    };
    match &node.content {
        Content::Map(pairs) => {
            let fields = pairs.iter().map(|(key, node)| match &key.content {
                Content::Scalar { text, .. } => Ok(Field {
                    name: text,
                    position: key.position,
                    node,
                }),
                _ => Err(error(key.position, "a name is expected here".to_owned())),
            });
            fields.collect()
        }
        // a key without a value
        Content::Scalar { text, .. } if text.is_empty() => Ok(Vec::new()),
        _ => Err(error(
            position,
            format!("{of} is {}, not a map of `key: value`", shown(node)),
        )),
    }
}

fn number(field: &Field<'_>, file: FileReport<'_>) -> Result<f64, Diagnostic> {
    let number = plain(field.node).and_then(|text| text.parse::<f64>().ok());
    let number = number.filter(|x| x.is_finite());
    number.ok_or_else(|| wrong(field, "a finite number", file))
}

fn truth(field: &Field<'_>, file: FileReport<'_>) -> Result<bool, Diagnostic> {
    match plain(field.node) {
        Some("true" | "True" | "TRUE" | "yes" | "on") => Ok(true),
        Some("false" | "False" | "FALSE" | "no" | "off") => Ok(false),
        _ => Err(wrong(field, "`true` or `false`", file)),
    }
}

fn wrong(field: &Field<'_>, expected: &str, file: FileReport<'_>) -> Diagnostic {
    let (name, found) = (field.name, shown(field.node));
    let message = format!("`{name}` is {found}, which is not {expected}");
    file.at(field.position, Diagnostic::error(message))
}

/// The text of a scalar without quotes and without a tag, which would give it a meaning of its own.
fn plain(node: &Node) -> Option<&str> {
    match &node.content {
        Content::Scalar {
            text,
            is_plain: true,
        } if node.tag.is_none() => Some(text),
        _ => None,
    }
}

fn shown(node: &Node) -> String {
    match (&node.content, &node.tag) {
        (Content::Scalar { text, .. }, None) => format!("`{text}`"),
        (Content::Scalar { text, .. }, Some(tag)) => format!("`{tag} {text}`"),
        (Content::List(values), _) if values.len() == 1 => "a list of one value".to_owned(),
        (Content::List(values), _) => format!("a list of {} values", values.len()),
        (Content::Map(_), _) => "a map".to_owned(),
    }
}

fn advised(warning: Diagnostic, close: Option<&str>) -> Diagnostic {
    match close {
        Some(name) => warning.help(format!("did you mean `{name}`?")),
        None => warning,
    }
}
