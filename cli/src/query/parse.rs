//! One line of JSON into a [`Request`].

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Fields, fault};
use crate::args::LARGEST;
use crate::request::{
    Change, Config, DynamicsRequest, ExternalWrench, Goal, IkRequest, Key, NEAREST, PlanRequest,
    Planner, Posture, Refusal, Request, Shape, Space, WrenchRequest,
};

/// Request of the fields.
pub(super) fn request(fields: &Fields<'_>) -> Result<Request, Refusal> {
    let op: String = fields.need("op", "the name of an operation, a string")?;
    let Some((_, allowed)) = OPS.iter().find(|(name, _)| *name == op) else {
        let names = OPS.iter().map(|(name, _)| *name);
        return Err(kinworld::Error::not_found("op", op, names).into());
    };
    fields.allow(&op, allowed, &["op", "id"])?;

    Ok(match op.as_str() {
        "fk" => Request::Fk(fields.posture()?.given()?),
        "jacobian" => Request::Jacobian {
            posture: fields.posture()?.given()?,
            link: fields.key("link")?.ok_or_else(|| missing("link"))?,
            point: fields.need("point", POINT)?,
        },
        "com" => Request::Com(fields.posture()?.given()?),
        "ik" => Request::Ik(IkRequest {
            start: Posture {
                robot: fields.key("robot")?,
                config: fields.config("q0")?,
                degrees: false,
            },
            group: None,
            link: fields.key("link")?.ok_or_else(|| missing("link"))?,
            point: fields.find("point", POINT)?.unwrap_or_default(),
            position: fields.need("position", POINT)?,
            rotation: fields.find("rotation", "three rows of three finite numbers")?,
            seed: fields.find("seed", "a whole number from 0 on")?,
            tolerance: fields.find("tolerance", "a finite number")?,
            avoid_collisions: false,
        }),
        "dynamics" => Request::Dynamics(DynamicsRequest {
            posture: fields.posture()?.given()?,
            dq: fields.find("dq", NUMBERS)?,
            ddq: fields.find("ddq", NUMBERS)?,
            tau: fields.find("tau", NUMBERS)?,
            gravity: fields.find("gravity", POINT)?,
        }),
        "interpolate" => Request::Interpolate {
            robot: fields.key("robot")?,
            a: fields.need_config("a")?,
            b: fields.need_config("b")?,
            u: fields.need("u", "a finite number")?,
        },
        "config_distance" => Request::ConfigDistance {
            robot: fields.key("robot")?,
            a: fields.need_config("a")?,
            b: fields.need_config("b")?,
        },
        "collide" => Request::Collide(fields.posture()?),
        "distance" if fields.raw("a").is_none() && fields.raw("b").is_none() => Request::Nearest {
            posture: fields.posture()?,
            n: fields.find("nearest", COUNT)?.unwrap_or(NEAREST),
        },
        "distance" if fields.raw("nearest").is_some() => {
            let problem = "`nearest` counts pairs of the world: leave out `a` and `b`";
            return Err(Refusal(problem.to_owned()));
        }
        "distance" => Request::Distance {
            posture: fields.posture()?,
            a: fields.key("a")?.ok_or_else(|| missing("a"))?,
            b: fields.key("b")?.ok_or_else(|| missing("b"))?,
        },
        "ray" => Request::Ray {
            posture: fields.posture()?,
            origin: fields.need("origin", POINT)?,
            direction: fields.need("direction", POINT)?,
        },
        "wrench" => Request::Wrench(WrenchRequest {
            dynamics: DynamicsRequest {
                posture: fields.posture()?.given()?,
                dq: Some(fields.need("dq", NUMBERS)?),
                ddq: Some(fields.need("ddq", NUMBERS)?),
                tau: None,
                gravity: fields.find("gravity", POINT)?,
            },
            link: fields.key("link")?.ok_or_else(|| missing("link"))?,
            observer: fields.key("observer")?,
            external: fields.external_wrenches("external")?,
        }),
        "free" => Request::Free {
            space: fields.space()?,
            q: fields.need_config("q")?,
        },
        "edge" => Request::Edge {
            space: fields.space()?,
            from: fields.need_config("from")?,
            to: fields.need_config("to")?,
            resolution: fields.find("resolution", "a positive number")?,
        },
        "clearance" => Request::Clearance {
            space: fields.space()?,
            q: fields.need_config("q")?,
        },
        "plan" => Request::Plan(PlanRequest {
            space: fields.space()?,
            from: Some(fields.need_config("from")?),
            to: vec![Goal::Config {
                config: fields.need_config("to")?,
                label: String::new(),
            }],
            group: None,
            degrees: false,
            seed: fields.find("seed", COUNT)?.unwrap_or_default(),
            max_iterations: fields.find("max_iterations", COUNT)?,
            max_seconds: fields.find("max_seconds", "a number of seconds")?,
            planner: Planner::default(),
        }),
        _ => Request::Info,
    })
}

impl Fields<'_> {
    /// Rejects fields other than those of the operation, and those of every request.
    fn allow(&self, op: &str, allowed: &[&str], always: &[&str]) -> Result<(), Refusal> {
        match self
            .names()
            .find(|name| !always.contains(name) && !allowed.contains(name))
        {
            None => Ok(()),
            Some(name) if allowed.is_empty() => Err(Refusal(format!(
                "`{op}` has no field `{name}`; it takes none"
            ))),
            Some(name) => Err(Refusal(format!(
                "`{op}` has no field `{name}`; there are: {}",
                allowed.join(", ")
            ))),
        }
    }

    fn posture(&self) -> Result<Posture, Refusal> {
        Ok(Posture {
            robot: self.key("robot")?,
            config: self.config("q")?,
            degrees: false,
        })
    }

    fn space(&self) -> Result<Space, Refusal> {
        const SHAPES: &str = "\"mesh\", \"hull\" or \"spheres\"";
        let shape = match self.find::<String>("shape", SHAPES)?.as_deref() {
            None | Some("mesh") => Shape::Mesh,
            Some("hull") => Shape::Hull,
            Some("spheres") => Shape::Spheres,
            Some(_) => return Err(Refusal(format!("`shape` must be {SHAPES}"))),
        };
        Ok(Space {
            robot: self.key("robot")?,
            shape,
        })
    }

    /// A name or an index.
    fn key(&self, name: &str) -> Result<Option<Key>, Refusal> {
        let is_name = self.raw(name).is_some_and(|raw| raw.starts_with('"'));
        Ok(if is_name {
            self.find(name, "a name")?.map(Key::Name)
        } else {
            self.find(name, "a name or a number from 0 on")?
                .map(Key::Index)
        })
    }

    /// A configuration: a list of values, an object of joints and values, or `"@STATE"`.
    fn config(&self, name: &str) -> Result<Option<Config>, Refusal> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        match raw.as_bytes().first() {
            Some(b'{') => {
                let expected = "an object of joints and finite numbers";
                let changes: BTreeMap<String, f64> = self.need(name, expected)?;
                let joint = |(name, value)| Change::Joint(name, value);
                let changes = changes.into_iter().map(joint);
                Ok(Some(Config::of_changes(changes.collect())))
            }
            Some(b'"') => {
                let word: String = self.need(name, NUMBERS)?;
                let wrong = |problem| Refusal(format!("`{name}`: {problem}"));
                Config::parse(&word).map(Some).map_err(wrong)
            }
            _ => Ok(self.find::<Vec<f64>>(name, NUMBERS)?.map(Config::from)),
        }
    }

    fn need_config(&self, name: &str) -> Result<Config, Refusal> {
        self.config(name)?.ok_or_else(|| missing(name))
    }

    /// External wrenches on links; none where the field is absent.
    fn external_wrenches(&self, name: &str) -> Result<Vec<ExternalWrench>, Refusal> {
        const EXPECTED: &str = "a list of objects with `link`, `point` and `wrench`";
        let Some(raw) = self.raw(name) else {
            return Ok(Vec::new());
        };
        let list: Vec<&RawValue> = serde_json::from_str(raw)
            .map_err(|error| Refusal(format!("`{name}` must be {EXPECTED}: {}", fault(&error))))?;
        let wrench = |raw: &RawValue| {
            if !raw.get().starts_with('{') {
                return Err(Refusal("it must be an object".to_owned()));
            }
            let (fields, well_formed) = Fields::split(raw.get());
            well_formed.map_err(Refusal)?;
            fields.allow(name, &["link", "point", "wrench"], &[])?;
            Ok(ExternalWrench {
                link: fields.key("link")?.ok_or_else(|| missing("link"))?,
                point: fields.need("point", POINT)?,
                wrench: fields.need("wrench", "a list of six finite numbers, moment first")?,
            })
        };
        let at = |(i, raw)| {
            let said = |Refusal(problem)| Refusal(format!("`{name}` {i}: {problem}"));
            wrench(raw).map_err(said)
        };
        list.into_iter().enumerate().map(at).collect()
    }

    /// Rejects numbers whose squares are not finite.
    fn check_range(&self, name: &str) -> Result<(), Refusal> {
        let Some(raw) = self.raw(name) else {
            return Ok(());
        };
        // so large a number has an exponent or a hundred digits
        let may_be_large = raw.contains(['e', 'E']) || raw.len() > 100;
        if raw.starts_with('"') || !may_be_large {
            return Ok(());
        }
        match serde_json::from_str::<Value>(raw) {
            Ok(value) if is_beyond(&value) => Err(Refusal(format!(
                "`{name}` must be made of numbers from {:?} to {LARGEST:?}",
                -LARGEST
            ))),
            _ => Ok(()),
        }
    }

    fn need<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<T, Refusal> {
        self.find(name, expected)?.ok_or_else(|| missing(name))
    }

    fn find<T: DeserializeOwned>(&self, name: &str, expected: &str) -> Result<Option<T>, Refusal> {
        self.check_range(name)?;
        self.raw(name)
            .map(serde_json::from_str)
            .transpose()
            .map_err(|error| Refusal(format!("`{name}` must be {expected}: {}", fault(&error))))
    }
}

impl Posture {
    /// The same, refused where no configuration is given.
    fn given(self) -> Result<Self, Refusal> {
        match self.config {
            Some(_) => Ok(self),
            None => Err(missing("q")),
        }
    }
}

/// Returns whether a number in a value is larger than any that is accepted.
fn is_beyond(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|x| x.abs() > LARGEST),
        Value::Array(values) => values.iter().any(is_beyond),
        Value::Object(fields) => fields.values().any(is_beyond),
        _ => false,
    }
}

fn missing(name: &str) -> Refusal {
    Refusal(format!("`{name}` is missing"))
}

/// Each operation with the fields that it takes beside `op` and `id`.
const OPS: [(&str, &[&str]); 16] = [
    ("info", &[]),
    ("fk", &["robot", "q"]),
    ("jacobian", &["robot", "q", "link", "point"]),
    ("com", &["robot", "q"]),
    (
        "ik",
        &[
            "robot",
            "link",
            "point",
            "position",
            "rotation",
            "q0",
            "seed",
            "tolerance",
        ],
    ),
    ("dynamics", &["robot", "q", "dq", "ddq", "tau", "gravity"]),
    ("interpolate", &["robot", "a", "b", "u"]),
    ("config_distance", &["robot", "a", "b"]),
    ("collide", &["robot", "q"]),
    ("distance", &["robot", "q", "a", "b", "nearest"]),
    ("ray", &["robot", "q", "origin", "direction"]),
    ("free", &["robot", "q", "shape"]),
    ("edge", &["robot", "from", "to", "resolution", "shape"]),
    ("clearance", &["robot", "q", "shape"]),
    (
        "plan",
        &[
            "robot",
            "from",
            "to",
            "seed",
            "max_iterations",
            "max_seconds",
            "shape",
        ],
    ),
    (
        "wrench",
        &[
            "robot", "q", "dq", "ddq", "link", "observer", "gravity", "external",
        ],
    ),
];

const COUNT: &str = "a number from 0 on";
const NUMBERS: &str = "a list of finite numbers";
const POINT: &str = "a list of three finite numbers";
