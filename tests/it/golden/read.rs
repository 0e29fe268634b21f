//! The files under `data/golden/`, as [`Expected`].

use std::collections::BTreeSet;

use serde_json::Value;

use super::expected::{
    Case, Expected, ExpectedBody, ExpectedDriver, ExpectedLimits, ExpectedLink, Step,
};
use crate::common::numbers::{index, list, number, numbers, word};

/// A file of `klampt_robots.py` or `pinocchio_robots.py`.
pub(crate) fn read(file: &Value) -> Expected {
    let links: Vec<ExpectedLink> = list(&file["links"]).iter().map(link).collect();
    let names: Vec<&str> = links.iter().map(|link| link.name.as_str()).collect();
    let cases: Vec<Case> = list(&file["cases"])
        .iter()
        .map(|value| case(value, &file["point"], &names))
        .collect();
    let steps = list(&file["between"])
        .iter()
        .zip(cases.windows(2))
        .map(|(value, pair)| Step::read(value, &pair[0].q, &pair[1].q, "interpolate_deriv"))
        .collect();
    Expected {
        ids: file.get("ids").map(|ids| index(&ids["count"])),
        limits: limits(&file["limits"]),
        initial: file.get("initial").map(numbers),
        drivers: file
            .get("drivers")
            .map(|drivers| list(drivers).iter().map(driver).collect()),
        self_collision: file.get("self_collision").map(|value| pairs(value, &names)),
        mass: Some(number(&file["mass"])),
        cases,
        steps,
        links,
    }
}

fn link(value: &Value) -> ExpectedLink {
    let body = value.get("parent").map(|parent| ExpectedBody {
        parent: parent.as_i64().and_then(|p| usize::try_from(p).ok()),
        joint: word(&value["joint"]).to_owned(),
        prismatic: value["prismatic"].as_bool() == Some(true),
        axis: numbers(&value["axis"]),
        placement: numbers(&value["placement"]),
        mass: number(&value["mass"]),
        com: numbers(&value["com"]),
        inertia: numbers(&value["inertia"]),
        triangles: value.get("triangles").map(index),
    });
    ExpectedLink {
        name: word(&value["name"]).to_owned(),
        body,
    }
}

fn limits(value: &Value) -> ExpectedLimits {
    let one = |name: &str| value.get(name).map(numbers).unwrap_or_default();
    ExpectedLimits {
        q_min: one("q_min"),
        q_max: one("q_max"),
        v_max: one("v_max"),
        a_max: one("a_max"),
        tau_max: one("tau_max"),
    }
}

fn driver(value: &Value) -> ExpectedDriver {
    let one = |name: &str| value.get(name).map(numbers);
    ExpectedDriver {
        name: word(&value["name"]).to_owned(),
        kind: word(&value["type"]).to_owned(),
        links: list(&value["links"]).iter().map(index).collect(),
        scale: one("scale"),
        offset: one("offset"),
        position: one("position"),
        velocity: one("velocity"),
        torque: one("torque"),
    }
}

fn case(value: &Value, point: &Value, names: &[&str]) -> Case {
    let jacobians = value["jacobians"].as_object().expect("jacobians by link");
    Case {
        q: numbers(&value["q"]),
        dq: numbers(&value["dq"]),
        ddq: value.get("ddq").map(numbers),
        poses: list(&value["poses"]).iter().map(numbers).collect(),
        point: numbers(point),
        jacobians: jacobians
            .iter()
            .map(|(name, rows)| (position(name, names), flat(rows)))
            .collect(),
        probe: names.len() - 1,
        point_velocity: numbers(&value["point_velocity"]),
        angular_velocity: numbers(&value["angular_velocity"]),
        point_acceleration: value.get("point_acceleration").map(numbers),
        com: numbers(&value["com"]),
        com_jacobian: value.get("com_jacobian").map(flat),
        drivers: value.get("drivers").map(numbers),
        colliding: pairs(&value["colliding"], names),
        doubtful: pairs(&value["doubtful"], names),
    }
}

/// Pairs of links, given by position or by name, the smaller position first.
fn pairs(value: &Value, names: &[&str]) -> BTreeSet<(usize, usize)> {
    let one = |item: &Value| match item {
        Value::String(name) => position(name, names),
        item => index(item),
    };
    list(value)
        .iter()
        .map(|pair| (one(&pair[0]), one(&pair[1])))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect()
}

fn position(name: &str, names: &[&str]) -> usize {
    names
        .iter()
        .position(|known| *known == name)
        .unwrap_or_else(|| panic!("{name} is one of {names:?}"))
}

fn flat(rows: &Value) -> Vec<f64> {
    list(rows).iter().flat_map(numbers).collect()
}
