//! One line of JSON into a [`Request`].

use std::collections::BTreeMap;

use kinworld::planning::Smoothing;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Fields, fault};
use super::ops;
use crate::request::{
    Change, Config, DofValues, DynamicsRequest, ExternalWrench, FrameRequest, Key, LARGEST,
    NEAREST, PlanRequest, Planner, Posture, Refusal, Request, Shape, Space, Timing, WrenchRequest,
};

/// Request of an operation that does not change the session.
pub(super) fn request(op: &str, fields: &Fields<'_>) -> Result<Request, Refusal> {
    Ok(match op {
        "fk" => Request::Fk(fields.posture()?),
        "jacobian" => Request::Jacobian {
            posture: fields.posture()?,
            link: fields.key("link")?.ok_or_else(|| missing("link"))?,
            point: fields.need("point", POINT)?,
        },
        "frame" => Request::Frame(FrameRequest {
            posture: fields.posture()?,
            dq: fields.dof_values("dq")?,
            link: fields.key("link")?.ok_or_else(|| missing("link"))?,
            point: fields.find("point", POINT)?.unwrap_or_default(),
            reference: fields.key("reference")?,
        }),
        "com" => Request::Com {
            posture: fields.posture()?,
            dq: fields.dof_values("dq")?,
            link: fields.key("link")?,
        },
        "ik" => Request::Ik(fields.target()?),
        "reachable" => Request::Reachable(fields.target()?),
        "dynamics" => Request::Dynamics(DynamicsRequest {
            posture: fields.posture()?,
            dq: fields.dof_values("dq")?,
            ddq: fields.dof_values("ddq")?,
            tau: fields.dof_values("tau")?,
            gravity: fields.find("gravity", POINT)?,
        }),
        "interpolate" => Request::Interpolate {
            robot: fields.key("robot")?,
            a: fields.either("from", "a")?,
            b: fields.either("to", "b")?,
            u: fields.need("u", "a finite number")?,
        },
        "config_distance" => Request::ConfigDistance {
            robot: fields.key("robot")?,
            a: fields.either("from", "a")?,
            b: fields.either("to", "b")?,
        },
        "collide" => Request::Collide(fields.robot_and_q()?),
        "contacts" => Request::Contacts {
            posture: fields.robot_and_q()?,
            max: fields.find("max", COUNT)?,
        },
        "distance" if fields.raw("a").is_none() && fields.raw("b").is_none() => Request::Nearest {
            posture: fields.robot_and_q()?,
            n: fields.find("nearest", COUNT)?.unwrap_or(NEAREST),
        },
        "distance" if fields.raw("nearest").is_some() => {
            let problem = "`nearest` counts pairs of the world: leave out `a` and `b`";
            return Err(Refusal(problem.to_owned()));
        }
        "distance" => Request::Distance {
            posture: fields.robot_and_q()?,
            a: fields.key("a")?.ok_or_else(|| missing("a"))?,
            b: fields.key("b")?.ok_or_else(|| missing("b"))?,
        },
        "ray" => Request::Ray {
            posture: fields.robot_and_q()?,
            origin: fields.need("origin", POINT)?,
            direction: fields.need("direction", POINT)?,
        },
        "wrench" => Request::Wrench(WrenchRequest {
            dynamics: DynamicsRequest {
                posture: fields.posture()?,
                dq: Some(fields.dof_values("dq")?.ok_or_else(|| missing("dq"))?),
                ddq: Some(fields.dof_values("ddq")?.ok_or_else(|| missing("ddq"))?),
                tau: None,
                gravity: fields.find("gravity", POINT)?,
            },
            link: fields.key("link")?.ok_or_else(|| missing("link"))?,
            observer: fields.key("observer")?,
            external: fields.external_wrenches("external")?,
        }),
        "free" => Request::Free {
            space: fields.space()?,
            q: fields.config("q")?,
        },
        "edge" => Request::Edge {
            space: fields.space()?,
            from: fields.config("from")?,
            to: fields.need_config("to")?,
            resolution: fields.find("resolution", "a positive number")?,
        },
        "clearance" => Request::Clearance {
            space: fields.space()?,
            q: fields.config("q")?,
        },
        "plan" => Request::Plan(PlanRequest {
            space: fields.space()?,
            from: fields.state("from")?,
            to: fields.goals()?,
            group: fields.group()?,
            degrees: false,
            seed: fields.find("seed", COUNT)?.unwrap_or_default(),
            max_iterations: fields.find("max_iterations", COUNT)?,
            max_seconds: fields.find("max_seconds", "a number of seconds")?,
            improve: fields.find("improve", COUNT)?.unwrap_or_default(),
            planner: Planner::default(),
            timing: fields.timing()?,
        }),
        "plan_prioritized" => Request::PlanPrioritized(fields.prioritized()?),
        "cartesian" => Request::Cartesian(fields.cartesian()?),
        "state" => Request::State,
        "spheres" => Request::Spheres {
            robot: fields.key("robot")?,
            max: fields.find("max", COUNT)?,
        },
        _ => Request::Info,
    })
}

/// One number, or a list of them.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum OneOrAll {
    One(f64),
    All(Vec<f64>),
}

impl Fields<'_> {
    /// The limits of a motion, where a trajectory is asked for.
    pub(super) fn timing(&self) -> Result<Option<Timing>, Refusal> {
        let limit = |name: &str| -> Result<Option<Vec<f64>>, Refusal> {
            let found = self.find(name, "a number, or a list with one per dof")?;
            Ok(found.map(|found| match found {
                OneOrAll::One(x) => vec![x],
                OneOrAll::All(all) => all,
            }))
        };
        let torque = self.raw("max_torque").map(str::trim);
        let own_torque = torque == Some("true");
        let timing = Timing {
            velocity: limit("max_velocity")?,
            acceleration: limit("max_acceleration")?,
            jerk: limit("max_jerk")?,
            torque: if own_torque {
                None
            } else {
                limit("max_torque")?
            },
            own_torque,
            file: None,
            deviation: self.find("deviation", "a number of rad or m")?,
            smooth: self.smooth()?,
            step: self.find("step", "a number of seconds")?,
        };
        let asked: Option<bool> = self.find("trajectory", "true or false")?;
        Ok((asked.unwrap_or(timing != Timing::default())).then_some(timing))
    }

    /// The margin of a smooth curve, m.
    fn smooth(&self) -> Result<Option<f64>, Refusal> {
        match self.raw("smooth").map(str::trim) {
            Some("true") => Ok(Some(Smoothing::default().margin)),
            Some("false") => Ok(None),
            _ => self.find("smooth", "true, false or a number of m"),
        }
    }

    /// Rejects fields other than those of the operation, and those of every request.
    pub(super) fn allow(&self, op: &str, allowed: &[&str], always: &[&str]) -> Result<(), Refusal> {
        let unknown = |name: &&str| !always.contains(name) && !allowed.contains(name);
        let Some(name) = self.names().find(unknown) else {
            return Ok(());
        };
        let known = [allowed, always].concat();
        let unknown = kinworld::Error::not_found("field", name, known.iter().copied());
        let advice = match (ops::renamed(name, &known), unknown) {
            (Some(now), _) => format!(": it is `{now}`;"),
            (None, kinworld::Error::NotFound { closest, .. }) => closest.map_or_else(
                || ";".to_owned(),
                |name| format!(": did you mean `{name}`?"),
            ),
            _ => ";".to_owned(),
        };
        let list = known.join(", ");
        Err(Refusal(format!(
            "`{op}` has no field `{name}`{advice} there are: {list}"
        )))
    }

    fn posture(&self) -> Result<Posture, Refusal> {
        Ok(Posture {
            robot: self.key("robot")?,
            config: self.config("q")?,
            degrees: false,
        })
    }

    /// A configuration under its name, or under that of protocol 1.
    fn either(&self, name: &str, old: &str) -> Result<Config, Refusal> {
        match (self.raw(name), self.raw(old)) {
            (Some(_), Some(_)) => Err(Refusal(format!("`{old}` is `{name}`: give one of them"))),
            (None, Some(_)) => self.need_config(old),
            _ => self.need_config(name),
        }
    }

    /// As [`posture`](Self::posture), where `robot` has no meaning without `q`.
    fn robot_and_q(&self) -> Result<Posture, Refusal> {
        if self.raw("robot").is_some() && self.raw("q").is_none() {
            let problem = "`robot` names the robot of `q`, and `q` is missing";
            return Err(Refusal(problem.to_owned()));
        }
        self.posture()
    }

    pub(super) fn space(&self) -> Result<Space, Refusal> {
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
    pub(super) fn key(&self, name: &str) -> Result<Option<Key>, Refusal> {
        let is_name = self.raw(name).is_some_and(|raw| raw.starts_with('"'));
        Ok(if is_name {
            self.find(name, "a name")?.map(Key::Name)
        } else {
            self.find(name, "a name or a number from 0 on")?
                .map(Key::Index)
        })
    }

    /// A configuration: a list of values, an object of joints and values, or `"@STATE"`.
    pub(super) fn config(&self, name: &str) -> Result<Option<Config>, Refusal> {
        let Some(raw) = self.raw(name) else {
            return Ok(None);
        };
        match raw.as_bytes().first() {
            Some(b'{') => {
                let changes = self.by_joint(name)?;
                let joint = |(name, value)| Change::Joint(name, value);
                let changes = changes.into_iter().map(joint);
                Ok(Some(Config::of_changes(changes.collect())))
            }
            Some(b'"') => self.word(name, Config::parse).map(Some),
            _ => Ok(self.find::<Vec<f64>>(name, NUMBERS)?.map(Config::from)),
        }
    }

    /// Velocities, accelerations or forces: a list of values, or an object of joints and values.
    fn dof_values(&self, name: &str) -> Result<Option<DofValues>, Refusal> {
        match self.raw(name) {
            Some(raw) if raw.starts_with('{') => {
                let values = self.by_joint(name)?.into_iter();
                Ok(Some(DofValues::Some(values.collect())))
            }
            _ => Ok(self.find(name, NUMBERS)?.map(DofValues::All)),
        }
    }

    fn by_joint(&self, name: &str) -> Result<BTreeMap<String, f64>, Refusal> {
        self.need(name, "an object of joints and finite numbers")
    }

    /// As [`config`](Self::config), where a state may be named without `@`, as by `plan` of the command line.
    pub(super) fn state(&self, name: &str) -> Result<Option<Config>, Refusal> {
        match self.raw(name) {
            Some(raw) if raw.starts_with('"') => self.word(name, Config::parse_state).map(Some),
            _ => self.config(name),
        }
    }

    fn word(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Result<Config, String>,
    ) -> Result<Config, Refusal> {
        let word: String = self.need(name, NUMBERS)?;
        parse(&word).map_err(|problem| Refusal(format!("`{name}`: {problem}")))
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
    pub(super) fn check_range(&self, name: &str) -> Result<(), Refusal> {
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

    pub(super) fn need<T: DeserializeOwned>(
        &self,
        name: &str,
        expected: &str,
    ) -> Result<T, Refusal> {
        self.find(name, expected)?.ok_or_else(|| missing(name))
    }

    pub(super) fn find<T: DeserializeOwned>(
        &self,
        name: &str,
        expected: &str,
    ) -> Result<Option<T>, Refusal> {
        self.check_range(name)?;
        self.raw(name)
            .map(serde_json::from_str)
            .transpose()
            .map_err(|error| Refusal(format!("`{name}` must be {expected}: {}", fault(&error))))
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

pub(super) fn missing(name: &str) -> Refusal {
    Refusal(format!("`{name}` is missing"))
}

pub(super) const COUNT: &str = "a number from 0 on";
pub(super) const NUMBERS: &str = "a list of finite numbers";
pub(super) const POINT: &str = "a list of three finite numbers";
