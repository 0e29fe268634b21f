//! Configurations as users give them: all values, values of some joints by name, named states.

use std::f64::consts::PI;

use kinworld::robot::LinkMotion;
use kinworld::world::RobotRef;
use kinworld::{DofId, Robot, kinematics};

use crate::request::Refusal;

/// A configuration as it was given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Config {
    given: Given,
    /// True if angles are in degrees.
    degrees: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Given {
    /// One value per dof, or one per driver.
    Values(Vec<f64>),
    /// Changes to a configuration, in order.
    Changes(Vec<Change>),
}

/// A change to a configuration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// A joint, by name, and its value.
    Joint(String, f64),
    /// A named state, as `NAME` or `GROUP/NAME`.
    State(String),
}

impl Config {
    /// The configuration of a word: `0,1,2`, `elbow=1,wrist=2`, or `@home`, also `@home,wrist=2`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let is_list = !text.contains('=') && !text.contains('@');
        let number = |word: &str| match word.trim().parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => Err(format!("`{word}` is not finite")),
            Err(_) => Err(format!("`{word}` is not a number")),
        };
        if is_list {
            let words = text.split(',').filter(|_| !text.trim().is_empty());
            let values = words.map(number).collect::<Result<Vec<_>, _>>();
            return values.map(Self::from);
        }
        let change = |word: &str| {
            let word = word.trim();
            if let Some(name) = word.strip_prefix('@') {
                return Ok(Change::State(name.to_owned()));
            }
            let Some((name, value)) = word.rsplit_once('=') else {
                return Err(format!("`{word}` is neither JOINT=VALUE nor @STATE"));
            };
            Ok(Change::Joint(name.trim().to_owned(), number(value)?))
        };
        let changes = text.split(',').map(change);
        Ok(Self::of_changes(changes.collect::<Result<_, _>>()?))
    }

    /// As [`parse`](Self::parse), and a word that is no number is the name of a state.
    pub(crate) fn parse_state(text: &str) -> Result<Self, String> {
        let is_word = |text: &str| {
            let starts = text.trim().chars().next().is_some_and(char::is_alphabetic);
            starts && !text.contains([',', '=']) && text.trim().parse::<f64>().is_err()
        };
        match is_word(text) {
            true => Ok(Self::of_changes(vec![Change::State(
                text.trim().to_owned(),
            )])),
            false => Self::parse(text),
        }
    }

    /// Changes to the configuration as loaded.
    pub(crate) fn of_changes(changes: Vec<Change>) -> Self {
        Self {
            given: Given::Changes(changes),
            degrees: false,
        }
    }

    /// The named states that it starts from, in order.
    pub(crate) fn states(&self) -> impl Iterator<Item = &str> {
        let changes: &[Change] = match &self.given {
            Given::Values(_) => &[],
            Given::Changes(changes) => changes,
        };
        changes.iter().filter_map(|change| match change {
            Change::State(name) => Some(name.as_str()),
            Change::Joint(..) => None,
        })
    }

    /// The same with angles in degrees, or in radians.
    pub(crate) fn in_degrees(mut self, degrees: bool) -> Self {
        self.degrees = degrees;
        self
    }

    /// One value per dof, in rad and m. Dofs that are not given keep their value in `start`; states of `group` come first.
    pub(crate) fn resolve(
        &self,
        robot: RobotRef<'_>,
        start: &[f64],
        group: Option<&str>,
    ) -> Result<Vec<f64>, Refusal> {
        let model = robot.model();
        match &self.given {
            Given::Values(values) => self.of_values(robot, values, start),
            Given::Changes(changes) => {
                let mut q = start.to_vec();
                for change in changes {
                    match change {
                        Change::Joint(name, value) => {
                            let dof = model.dof_id(name)?;
                            let scale = self.scale(model, dof);
                            q[dof.index()] = scale * value;
                        }
                        Change::State(name) => set_state(model, name, group, &mut q)?,
                    }
                }
                Ok(q)
            }
        }
    }

    fn of_values(
        &self,
        robot: RobotRef<'_>,
        values: &[f64],
        start: &[f64],
    ) -> Result<Vec<f64>, Refusal> {
        let model = robot.model();
        let (n, n_drivers) = (model.n_dofs(), model.drivers().len());
        if values.len() == n {
            let dofs = (0..n).map(DofId::new);
            let scaled = dofs.zip(values).map(|(dof, x)| self.scale(model, dof) * x);
            return Ok(scaled.collect());
        }
        if values.len() == n_drivers {
            let mut q = start.to_vec();
            let scale = |(driver, x): (&kinworld::robot::Driver, &f64)| {
                let links = driver.kind.affected_links();
                let dof = links.first().and_then(|&link| model.link(link).dof());
                x * dof.map_or(1.0, |dof| self.scale(model, dof))
            };
            let values: Vec<f64> = model.drivers().iter().zip(values).map(scale).collect();
            kinematics::config_from_drivers(model, &values, &mut q)?;
            return Ok(q);
        }
        let drivers = if n == n_drivers {
            String::new()
        } else {
            format!(", or {n_drivers} for its drivers")
        };
        Err(Refusal(format!(
            "a configuration of `{}` needs {n} values{drivers}, got {}; name joints to set some, as JOINT=VALUE",
            robot.name(),
            values.len()
        )))
    }

    fn scale(&self, robot: &Robot, dof: DofId) -> f64 {
        if self.degrees {
            unit(robot, dof, true)
        } else {
            1.0
        }
    }
}

impl From<Vec<f64>> for Config {
    fn from(values: Vec<f64>) -> Self {
        Self {
            given: Given::Values(values),
            degrees: false,
        }
    }
}

/// The unit of a dof in rad or m: a degree for an angle, if those are asked for, else 1.
pub(crate) fn unit(robot: &Robot, dof: DofId, degrees: bool) -> f64 {
    let link = robot.dofs()[dof.index()];
    match robot.link(link).motion() {
        LinkMotion::Revolute(_) if degrees => PI / 180.0,
        _ => 1.0,
    }
}

/// The name of that unit.
pub(crate) fn unit_name(robot: &Robot, dof: DofId, degrees: bool) -> &'static str {
    let link = robot.dofs()[dof.index()];
    match robot.link(link).motion() {
        LinkMotion::Revolute(_) if degrees => "deg",
        LinkMotion::Revolute(_) => "rad",
        _ => "m",
    }
}

/// Values of all dofs, converted from degrees where they are given in those.
pub(crate) fn radians(robot: &Robot, values: &[f64], degrees: bool) -> Vec<f64> {
    let units = (0..robot.n_dofs()).map(|i| unit(robot, DofId::new(i), degrees));
    // a wrong number of values is refused by whoever uses them
    let units = units.chain(std::iter::repeat(1.0));
    values.iter().zip(units).map(|(x, unit)| x * unit).collect()
}

/// Writes a named state, of a group if that has it.
fn set_state(robot: &Robot, name: &str, group: Option<&str>, q: &mut [f64]) -> Result<(), Refusal> {
    let has = |group: Option<&str>, name: &str| {
        let states = robot.named_states().iter();
        let of_name = states.filter(|state| state.name == name);
        let mut of_group =
            of_name.filter(|state| group.is_none() || state.group.as_deref() == group);
        of_group.next().is_some()
    };
    if group.is_some() && has(group, name) {
        return Ok(robot.set_named_state(name, group, q)?);
    }
    if !has(None, name)
        && let Some((group, state)) = name.split_once('/')
    {
        return Ok(robot.set_named_state(state, Some(group), q)?);
    }
    if robot.named_states().is_empty() {
        let problem = format!(
            "`{}` has no named states; --srdf {}=FILE reads those of an SRDF",
            robot.name(),
            robot.name()
        );
        return Err(Refusal(problem));
    }
    Ok(robot.set_named_state(name, None, q)?)
}
