//! A recorded motion as a table: a row per instant, a column per degree of freedom.

use std::collections::HashMap;
use std::f64::consts::PI;
use std::path::Path;

use super::context::Context;
use super::csv::{Cell, Table};
use super::loader::Loader;
use super::report::FileReport;
use super::source::FilePath;
use super::words::{closest, counted};
use crate::kinematics::{Recording, Samples};
use crate::robot::{JointKind, LinkId, LinkMotion, Robot};
use crate::{Diagnostic, LoadError, Loaded, Result};

impl Recording {
    /// The motion of a robot in a `.csv` file; see the rules in the [guide](crate::guide::formats#motions).
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load), with its position in the file.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Robot;
    /// use kinworld::kinematics::Recording;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let arm = Robot::load(format!("{data}/robots/planar3R.rob"))?.value;
    /// let path = std::env::temp_dir().join("kinworld_doc.csv");
    /// std::fs::write(&path, "time,link0,link1,link2\n0,0,0,0\n0.5,0.1,0,0\n1,0.2,0,0\n").expect("it is written");
    ///
    /// let motion = Recording::load(&arm, &path)?.value;
    /// assert!((motion.instants().nth(1).expect("there are three").dq[0] - 0.2).abs() < 1e-12);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn load(robot: &Robot, path: impl AsRef<Path>) -> Result<Loaded<Self>> {
        Loader::new().recording(robot, path)
    }
}

/// See [`Recording::load`].
pub(super) fn load(
    ctx: &mut Context<'_>,
    robot: &Robot,
    path: &FilePath,
) -> Result<Recording, LoadError> {
    let text = ctx.read_text(path)?;
    let file = ctx.report().of_file(path);
    let degrees = ctx.options().degrees;
    let recording = samples(robot, &Table::parse(&text), degrees, file).and_then(|samples| {
        Recording::new(robot, samples).map_err(|error| (None, error.to_string()))
    });
    recording.map_err(|(cell, problem)| {
        about(file, cell, Diagnostic::error(problem))
            .help("a motion is a table: time, then all joint positions, then, if known, their velocities and accelerations")
            .into()
    })
}

/// A diagnostic about a cell, or about the file.
fn about(file: FileReport<'_>, cell: Option<Cell<'_>>, diagnostic: Diagnostic) -> Diagnostic {
    match cell {
        Some(cell) => file.at(cell.position, diagnostic),
        None => diagnostic.in_file(file.path),
    }
}

/// A message about a cell, or about the file.
type Message<'a> = (Option<Cell<'a>>, String);

fn samples<'a>(
    robot: &Robot,
    table: &Table<'a>,
    degrees: bool,
    file: FileReport<'_>,
) -> Result<Samples, Message<'a>> {
    let Some(first) = table.head.as_ref().or(table.rows.first()) else {
        return Err((None, "is empty".to_owned()));
    };
    let (start, width) = (first.first().copied(), first.len());
    let in_order = || Columns::in_order(robot, width).map_err(|message| (start, message));
    let columns = match &table.head {
        Some(head) => match Columns::named(robot, head, file)? {
            Some(columns) => columns,
            None => {
                let columns = in_order()?;
                let message =
                    "no column is named after a degree of freedom: they are taken in order";
                file.add(about(file, start, Diagnostic::warning(message)));
                columns
            }
        },
        None => in_order()?,
    };

    let mut samples = Samples {
        dq: columns.dq.as_ref().map(|_| Vec::new()),
        ddq: columns.ddq.as_ref().map(|_| Vec::new()),
        ..Samples::default()
    };
    let is_used = columns.used(width);
    let head = table.head.as_deref().unwrap_or_default();
    let units = columns.units(robot, head, degrees, width)?;
    let mut values = Vec::with_capacity(width);
    for row in &table.rows {
        if row.len() != width {
            let found = counted(row.len(), "value", "values");
            let line = start.map_or(1, |cell| cell.position.line);
            let problem = format!("{found}, where line {line} has {width}");
            return Err((row.first().copied().or(start), problem));
        }
        values.clear();
        for ((cell, is_used), unit) in row.iter().zip(&is_used).zip(&units) {
            match cell.number() {
                Some(x) => values.push(x * unit),
                None if *is_used => {
                    let shown: String = cell.text.chars().take(40).collect();
                    return Err((Some(*cell), format!("`{shown}` is not a finite number")));
                }
                None => values.push(0.0),
            }
        }
        let at = |column: &Option<usize>, still: f64| {
            column.map_or(still, |i| values.get(i).copied().unwrap_or(still))
        };
        let time = at(&Some(columns.time), 0.0);
        if samples.times.last().is_some_and(|before| *before >= time) {
            let problem = format!("the time {time} is not after the one before");
            return Err((row.get(columns.time).copied(), problem));
        }
        let q = columns.q.iter().zip(robot.initial_config());
        let q = q.map(|(column, still)| at(column, *still));
        samples.times.push(time);
        samples.q.push(q.collect());
        for (rows, columns) in [
            (&mut samples.dq, &columns.dq),
            (&mut samples.ddq, &columns.ddq),
        ] {
            if let (Some(rows), Some(columns)) = (rows, columns) {
                rows.push(columns.iter().map(|column| at(column, 0.0)).collect());
            }
        }
    }
    if samples.times.is_empty() {
        return Err((None, "has no instant".to_owned()));
    }
    Ok(samples)
}

/// The columns of all values.
#[derive(Debug)]
struct Columns {
    time: usize,
    /// Of each degree of freedom; none for a weld that keeps its position.
    q: Vec<Option<usize>>,
    dq: Option<Vec<Option<usize>>>,
    ddq: Option<Vec<Option<usize>>>,
}

impl Columns {
    /// Columns in the order of time, positions, velocities and accelerations; the last two may be missing.
    fn in_order(robot: &Robot, width: usize) -> Result<Self, String> {
        let n = robot.n_dofs();
        let group = |k: usize| (1 + k * n..=(k + 1) * n).map(Some).collect::<Vec<_>>();
        let groups = (1..=3).find(|groups| width == 1 + groups * n);
        let Some(groups) = groups else {
            return Err(format!(
                "{}, where `{}` needs {}: the time and {n} joint positions, or {} with velocities, or {} with accelerations",
                counted(width, "column", "columns"),
                robot.name(),
                1 + n,
                1 + 2 * n,
                1 + 3 * n,
            ));
        };
        Ok(Self {
            time: 0,
            q: group(0),
            dq: (groups > 1).then(|| group(1)),
            ddq: (groups > 2).then(|| group(2)),
        })
    }

    /// The columns of a head; `None` if it names no degree of freedom.
    fn named<'a>(
        robot: &Robot,
        head: &[Cell<'a>],
        file: FileReport<'_>,
    ) -> Result<Option<Self>, Message<'a>> {
        let names = Names::new(robot);
        let time = head.iter().position(|cell| is_time(cell.text)).unwrap_or(0);
        let found = |(i, cell): (usize, &Cell<'a>)| (i != time).then(|| names.column(cell.text))?;
        let all: Vec<_> = head.iter().enumerate().map(found).collect();
        if all.iter().all(Option::is_none) {
            return Ok(None);
        }

        // numbers count from 0, or from 1 if the last one implies it
        let numbers = || all.iter().flatten().filter_map(|(_, key)| key.number());
        let n = robot.n_dofs();
        let from = usize::from(n > 0 && numbers().all(|k| k > 0) && numbers().any(|k| k == n));
        let mut columns: [Vec<Option<usize>>; 3] = [(); 3].map(|()| vec![None; n]);
        let mut n_unknown = 0;
        for (i, (cell, column)) in head.iter().zip(&all).enumerate() {
            let Some((order, key)) = column else {
                if i != time {
                    // suggestions for the first few only: each costs a search
                    let like = (n_unknown < 10).then(|| names.closest(cell.text));
                    let like = like.flatten();
                    let like = like.map_or(String::new(), |name| format!(", like `{name}`"));
                    let name = cell.text;
                    let message = format!(
                        "`{name}` names no degree of freedom{like}: the column is left out"
                    );
                    n_unknown += 1;
                    file.add(about(file, Some(*cell), Diagnostic::warning(message)));
                }
                continue;
            };
            let k = match *key {
                Key::Name(k) => k,
                Key::Number(k) => k - from,
            };
            let columns = columns.get_mut(*order).expect("of order 0, 1 or 2");
            let Some(slot) = columns.get_mut(k) else {
                let problem = format!("there is no degree of freedom {}; there are {n}", k + from);
                return Err((Some(*cell), problem));
            };
            if slot.replace(i).is_some() {
                let problem = format!("`{}` is there already", cell.text);
                return Err((Some(*cell), problem));
            }
        }

        let [q, dq, ddq] = columns;
        let is_weld = |link: LinkId| {
            let joint = robot.joint_of(link);
            joint.is_some_and(|joint| joint.kind == JointKind::Weld)
        };
        let complete = |what: &str, columns: Vec<Option<usize>>| {
            let mut missing = columns.iter().zip(robot.dofs());
            let missing = missing.find(|(column, link)| column.is_none() && !is_weld(**link));
            match missing {
                Some((_, link)) => {
                    let name = robot.link(*link).name();
                    let problem = format!("no column has the {what} of `{name}`");
                    Err((head.first().copied(), problem))
                }
                None => Ok(columns),
            }
        };
        let given = |what: &str, columns: Vec<Option<usize>>| {
            let is_given = columns.iter().any(Option::is_some);
            is_given.then(|| complete(what, columns)).transpose()
        };
        Ok(Some(Self {
            time,
            q: complete("position", q)?,
            dq: given("velocity", dq)?,
            ddq: given("acceleration", ddq)?,
        }))
    }

    /// For each column of a table, true if it is one of these.
    fn used(&self, width: usize) -> Vec<bool> {
        let groups = [Some(&self.q), self.dq.as_ref(), self.ddq.as_ref()];
        let mut used = vec![false; width];
        for i in groups.into_iter().flatten().flatten().flatten() {
            *used.get_mut(*i).expect("the column is one of the head") = true;
        }
        // a table without columns has no time either
        if let Some(time) = used.get_mut(self.time) {
            *time = true;
        }
        used
    }
}

impl Columns {
    /// For each column of a table, its unit in rad or m.
    fn units<'a>(
        &self,
        robot: &Robot,
        head: &[Cell<'a>],
        degrees: bool,
        width: usize,
    ) -> Result<Vec<f64>, Message<'a>> {
        let mut units = vec![1.0; width];
        let groups = [Some(&self.q), self.dq.as_ref(), self.ddq.as_ref()];
        for columns in groups.into_iter().flatten() {
            for (column, link) in columns.iter().zip(robot.dofs()) {
                let is_angle = matches!(robot.link(*link).motion(), LinkMotion::Revolute(_));
                let Some(column) = *column else {
                    continue;
                };
                let cell = head.get(column);
                let named = cell.and_then(|cell| is_in_degrees(cell.text));
                if !is_angle {
                    if named == Some(true) {
                        let problem = format!(
                            "`{}` is prismatic, its column cannot be in degrees: give metres, without a unit or as `[m]`",
                            robot.link(*link).name()
                        );
                        return Err((cell.copied(), problem));
                    }
                    continue;
                }
                if named.unwrap_or(degrees)
                    && let Some(unit) = units.get_mut(column)
                {
                    *unit = PI / 180.0;
                }
            }
        }
        Ok(units)
    }
}

/// Degrees of freedom of a robot by the names of their links, and of the joints that move them.
struct Names<'a>(HashMap<&'a str, usize>);

/// Reference of a column to a degree of freedom.
#[derive(Debug, Clone, Copy)]
enum Key {
    Name(usize),
    Number(usize),
}

impl Key {
    fn number(self) -> Option<usize> {
        match self {
            Self::Name(_) => None,
            Self::Number(k) => Some(k),
        }
    }
}

impl<'a> Names<'a> {
    fn new(robot: &'a Robot) -> Self {
        let mut names = HashMap::new();
        for (k, link) in robot.dofs().iter().enumerate() {
            // the first of several with one name
            names.entry(robot.link(*link).name()).or_insert(k);
        }
        for (k, link) in robot.dofs().iter().enumerate() {
            if let Some(joint) = robot.link(*link).joint_name() {
                names.entry(joint).or_insert(k);
            }
        }
        Self(names)
    }

    /// Order of the derivative and degree of freedom of a column: `elbow`, `q_elbow [rad]`, `dq[3]`, `ddq.elbow`, `q3`.
    fn column(&self, text: &str) -> Option<(usize, Key)> {
        let of = |text: &str| {
            let rate = |(order, prefix)| Some((order, self.position(text.strip_prefix(prefix)?)?));
            let position = self.position(text).map(|key| (0, key));
            position.or_else(|| [(2, "dd"), (1, "d")].into_iter().find_map(rate))
        };
        of(text).or_else(|| of(without_unit(text)))
    }

    fn position(&self, text: &str) -> Option<Key> {
        let name = |text: &str| self.0.get(text).copied().map(Key::Name);
        let number = |text: &str| text.parse().ok().map(Key::Number);
        let rest = || {
            text.strip_prefix('q')
                .map(|rest| rest.trim_matches(is_sign))
        };
        let or_rest = || rest().and_then(|rest| name(rest).or_else(|| number(rest)));
        name(text).or_else(or_rest).or_else(|| number(text))
    }

    /// The known name closest to a word.
    fn closest(&self, text: &str) -> Option<&'a str> {
        let mut names: Vec<&str> = self.0.keys().copied().collect();
        names.sort_unstable();
        closest(without_unit(text), names)
    }
}

fn is_time(text: &str) -> bool {
    let text = without_unit(text).to_ascii_lowercase();
    ["t", "time", "times", "timestamp"].contains(&text.as_str())
}

/// A name without its unit in brackets, as in `elbow [rad]` and `time(s)`; a number in brackets stays.
fn without_unit(text: &str) -> &str {
    name_and_unit(text).map_or(text, |(name, _)| name.trim_end())
}

/// Whether a name has a unit that says so: `elbow [deg]`, `dq_elbow (rad/s)`.
fn is_in_degrees(text: &str) -> Option<bool> {
    let (_, unit) = name_and_unit(text)?;
    let starts = |words: &[&str]| words.iter().any(|word| unit.starts_with(word));
    match (starts(&["deg", "°"]), starts(&["rad"])) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

fn name_and_unit(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_suffix([']', ')'])?;
    let (name, unit) = inside.rsplit_once(['[', '('])?;
    unit.parse::<usize>().is_err().then_some((name, unit))
}

fn is_sign(c: char) -> bool {
    "_.:[] ".contains(c)
}
