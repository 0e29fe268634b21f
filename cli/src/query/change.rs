//! Fields of a change: of `set`, `attach`, `detach`, `remove`, and of `with`.

use kinworld::Rotation;
use kinworld::math::so3;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::fields::{Fields, fault};
use super::ops::CHANGE;
use super::parse::{NUMBERS, POINT, missing};
use crate::answer::checked_rotation;
use crate::change::{Attach, Change, PartialPose};
use crate::request::{Config, Key, Refusal};

impl Fields<'_> {
    /// Change of an operation.
    pub(super) fn change(&self, op: &str) -> Result<Change, Refusal> {
        Ok(match op {
            "attach" => Change {
                attach: vec![self.attach()?],
                ..Change::default()
            },
            "detach" => Change {
                detach: vec![self.key("object")?.ok_or_else(|| missing("object"))?],
                ..Change::default()
            },
            "remove" => Change {
                remove: vec![self.key("element")?.ok_or_else(|| missing("element"))?],
                ..Change::default()
            },
            _ => {
                let change = self.changes()?;
                if change == Change::default() {
                    let known = CHANGE.join(", ");
                    return Err(Refusal(format!(
                        "`set` without a change; it takes: {known}"
                    )));
                }
                change
            }
        })
    }

    /// Change for one answer, of `with` and of `robots`.
    pub(super) fn scratch(&self) -> Result<Option<Change>, Refusal> {
        let mut change = match self.raw("with") {
            None => Change::default(),
            Some(raw) => within("with", || {
                let fields = object(raw)?;
                fields.allow("with", &CHANGE, &[])?;
                fields.changes()
            })?,
        };
        let robots = self.robots()?;
        if !robots.is_empty() && !change.robots.is_empty() {
            let problem = "`robots` is given twice, in `with` and beside it";
            return Err(Refusal(problem.to_owned()));
        }
        change.robots.extend(robots);
        Ok((change != Change::default()).then_some(change))
    }

    fn changes(&self) -> Result<Change, Refusal> {
        const POSES: &str = "an object of poses by name";
        let pose = |(name, raw): (String, &str)| Ok((Key::Name(name), pose(raw)?));
        Ok(Change {
            detach: self.keys("detach")?,
            remove: self.keys("remove")?,
            robots: self.robots()?,
            objects: self.by_name("objects", POSES, pose)?,
            attach: match self.list("attach", "a list of objects with `object` and `link`")? {
                None => Vec::new(),
                Some(list) => each("attach", &list, |raw| {
                    let fields = object(raw)?;
                    fields.allow("attach", &["object", "robot", "link", "touch"], &[])?;
                    fields.attach()
                })?,
            },
        })
    }

    /// Configurations of robots by name.
    fn robots(&self) -> Result<Vec<(Key, Config)>, Refusal> {
        const CONFIGS: &str = "an object of configurations by the name of their robot";
        let config = |(name, raw): (String, &str)| {
            let config = match raw.as_bytes().first() {
                Some(b'{' | b'"') => Fields::of("config", raw).config("config")?,
                _ => None,
            };
            let config = match config {
                Some(config) => config,
                None => Config::from(parsed::<Vec<f64>>(raw, NUMBERS)?),
            };
            Ok((Key::Name(name), config))
        };
        self.by_name("robots", CONFIGS, config)
    }

    fn attach(&self) -> Result<Attach, Refusal> {
        Ok(Attach {
            object: self.key("object")?.ok_or_else(|| missing("object"))?,
            robot: self.key("robot")?,
            link: self.key("link")?.ok_or_else(|| missing("link"))?,
            touch: self.keys("touch")?,
        })
    }

    /// Names or numbers of elements.
    fn keys(&self, name: &str) -> Result<Vec<Key>, Refusal> {
        const EXPECTED: &str = "a list of names or numbers from 0 on";
        let Some(list) = self.list(name, EXPECTED)? else {
            return Ok(Vec::new());
        };
        each(name, &list, |raw| {
            if raw.starts_with('"') {
                parsed(raw, "a name").map(Key::Name)
            } else {
                parsed(raw, "a name or a number from 0 on").map(Key::Index)
            }
        })
    }

    fn list(&self, name: &str, expected: &str) -> Result<Option<Vec<&RawValue>>, Refusal> {
        let list = self.raw(name).map(serde_json::from_str).transpose();
        list.map_err(|error| Refusal(format!("`{name}` must be {expected}: {}", fault(&error))))
    }

    /// Entries of an object in the order of their names.
    fn by_name<T>(
        &self,
        name: &str,
        expected: &str,
        entry: impl Fn((String, &str)) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        let Some(raw) = self.raw(name) else {
            return Ok(Vec::new());
        };
        if !raw.starts_with('{') {
            return Err(Refusal(format!("`{name}` must be {expected}")));
        }
        self.check_range(name)?;
        within(name, || {
            let fields = object(raw)?;
            let names = fields.names();
            names
                .map(|key| {
                    let raw = fields.raw(key).unwrap_or_default();
                    within(key, || entry((key.to_owned(), raw)))
                })
                .collect()
        })
    }
}

/// A pose, of which parts may be left out.
fn pose(raw: &str) -> Result<PartialPose, Refusal> {
    if !raw.starts_with('{') {
        let problem =
            "a pose is an object with `translation`, and `rotation`, `quaternion` or `rpy`";
        return Err(Refusal(problem.to_owned()));
    }
    let fields = object(raw)?;
    fields.allow("a pose", &POSE, &[])?;
    let pose = PartialPose {
        translation: fields.find("translation", POINT)?,
        rotation: fields.rotation()?,
    };
    if pose == PartialPose::default() {
        return Err(Refusal(format!(
            "a pose without any of: {}",
            POSE.join(", ")
        )));
    }
    Ok(pose)
}

impl Fields<'_> {
    /// A rotation, as three rows, as a quaternion or as angles.
    pub(super) fn rotation(&self) -> Result<Option<Rotation>, Refusal> {
        let rows = self.find("rotation", "three rows of three finite numbers")?;
        let quaternion = self.find("quaternion", "four finite numbers: w, x, y, z")?;
        let rpy = self.find("rpy", POINT)?;
        match (rows, quaternion, rpy) {
            (None, None, None) => Ok(None),
            (Some(rows), None, None) => checked_rotation(&rows).map(Some),
            (None, Some(q), None) => of_quaternion(q).map(Some),
            (None, None, Some(rpy)) => Ok(Some(so3::from_rpy(rpy))),
            _ => Err(Refusal(
                "give one of `rotation`, `quaternion` and `rpy`".to_owned(),
            )),
        }
    }
}

/// Rotation of a unit quaternion, scalar first.
fn of_quaternion(q: [f64; 4]) -> Result<Rotation, Refusal> {
    let [w, x, y, z] = q;
    let square = w * w + x * x + y * y + z * z;
    if (square.sqrt() - 1.0).abs() > ROUNDED {
        let problem = "`quaternion` must be of length 1: w, x, y, z";
        return Err(Refusal(problem.to_owned()));
    }
    let s = 2.0 / square;
    checked_rotation(&[
        [
            1.0 - s * (y * y + z * z),
            s * (x * y - w * z),
            s * (x * z + w * y),
        ],
        [
            s * (x * y + w * z),
            1.0 - s * (x * x + z * z),
            s * (y * z - w * x),
        ],
        [
            s * (x * z - w * y),
            s * (y * z + w * x),
            1.0 - s * (x * x + y * y),
        ],
    ])
}

/// Fields of a nested object.
fn object(raw: &str) -> Result<Fields<'_>, Refusal> {
    if !raw.starts_with('{') {
        return Err(Refusal("it must be an object".to_owned()));
    }
    let (fields, well_formed) = Fields::split(raw);
    well_formed.map_err(Refusal)?;
    Ok(fields)
}

fn parsed<T: DeserializeOwned>(raw: &str, expected: &str) -> Result<T, Refusal> {
    serde_json::from_str(raw)
        .map_err(|error| Refusal(format!("it must be {expected}: {}", fault(&error))))
}

/// Reads each entry of a list; an error names its number.
fn each<T>(
    name: &str,
    list: &[&RawValue],
    entry: impl Fn(&str) -> Result<T, Refusal>,
) -> Result<Vec<T>, Refusal> {
    let at = |(i, raw): (usize, &&RawValue)| {
        let said = |Refusal(problem)| Refusal(format!("`{name}` {i}: {problem}"));
        entry(raw.get()).map_err(said)
    };
    list.iter().enumerate().map(at).collect()
}

/// Names the field of an error.
fn within<T>(name: &str, read: impl FnOnce() -> Result<T, Refusal>) -> Result<T, Refusal> {
    read().map_err(|Refusal(problem)| Refusal(format!("`{name}`: {problem}")))
}

/// Fields of a pose.
const POSE: [&str; 4] = ["translation", "rotation", "quaternion", "rpy"];

/// Tolerance for quaternions printed with a few digits.
const ROUNDED: f64 = 1e-3;
