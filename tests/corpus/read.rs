//! Klampt's `robots.json` about the corpus, as [`Expected`]. Rotations and inertias there are column by column.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::numbers::{index, list, number, numbers, word};
use crate::dynamics::ExpectedDynamics;
use crate::golden::expected::{
    Case, Expected, ExpectedBody, ExpectedDriver, ExpectedLimits, ExpectedLink, Step,
};

/// One robot of `robots.json`.
pub(crate) fn read(robot: &Value) -> Expected {
    let links = list(&robot["links"]);
    let cases: Vec<Case> = list(&robot["cases"])
        .iter()
        .map(|value| case(value, robot, links.len()))
        .collect();
    let steps = list(&robot["cases"])
        .iter()
        .zip(&cases)
        .skip(1)
        .zip(&cases)
        .filter_map(|((value, b), a)| {
            Some(Step::read(
                value.get("vs_previous")?,
                &a.q,
                &b.q,
                "interpolateDeriv",
            ))
        })
        .collect();
    // of some robots no shape is told
    let has_shapes = links.iter().any(|link| link.get("geom").is_some());
    let limits = |name: &str| numbers(&robot["limits"][name]);
    Expected {
        ids: Some(index(&robot["numIDs"])),
        links: links.iter().map(|value| link(value, has_shapes)).collect(),
        limits: ExpectedLimits {
            q_min: limits("qmin"),
            q_max: limits("qmax"),
            v_max: limits("vmax"),
            a_max: limits("amax"),
            tau_max: limits("tmax"),
        },
        initial: Some(numbers(&robot["initial_config"])),
        drivers: Some(list(&robot["drivers"]).iter().map(driver).collect()),
        self_collision: Some(pairs(&robot["selfcollision_enabled"])),
        mass: robot["cases"][0].get("total_mass").map(number),
        cases,
        steps,
    }
}

fn link(value: &Value, has_shapes: bool) -> ExpectedLink {
    ExpectedLink {
        name: word(&value["name"]).to_owned(),
        body: Some(ExpectedBody {
            parent: value["parent"]
                .as_i64()
                .and_then(|p| usize::try_from(p).ok()),
            joint: word(&value["jointType"]).to_owned(),
            prismatic: value["prismatic"].as_bool() == Some(true),
            axis: numbers(&value["axis"]),
            placement: row_major(&numbers(&value["T0"])),
            mass: number(&value["mass"]),
            com: numbers(&value["com"]),
            inertia: row_major(&numbers(&value["inertia"])),
            triangles: has_shapes.then(|| triangles(&value["geom"])),
        }),
    }
}

/// No shape at all is `null`.
fn triangles(shape: &Value) -> usize {
    if shape.is_null() {
        0
    } else {
        index(&shape["numElements"])
    }
}

fn driver(value: &Value) -> ExpectedDriver {
    ExpectedDriver {
        name: word(&value["name"]).to_owned(),
        kind: word(&value["type"]).to_owned(),
        links: list(&value["links"]).iter().map(index).collect(),
        scale: value.get("scale").map(numbers),
        offset: value.get("offset").map(numbers),
        position: Some(numbers(&value["q"])),
        velocity: Some(numbers(&value["v"])),
        torque: Some(numbers(&value["t"])),
    }
}

fn case(value: &Value, robot: &Value, n: usize) -> Case {
    let probe = &value["last_link"];
    let mut jacobians = vec![(n - 1, dense(&value["J_last"]))];
    if let Some(middle) = value.get("J_mid") {
        jacobians.push((index(&robot["mid_link"]), dense(middle)));
    }
    Case {
        q: numbers(&value["q"]),
        dq: numbers(&value["dq"]),
        ddq: value.get("ddq").map(numbers),
        poses: list(&value["T"])
            .iter()
            .map(|pose| row_major(&numbers(pose)))
            .collect(),
        point: numbers(&robot["plocal"]),
        jacobians,
        probe: n - 1,
        point_velocity: numbers(&probe["point_velocity"]),
        angular_velocity: numbers(&probe["angular_velocity"]),
        point_acceleration: probe.get("point_acceleration").map(numbers),
        com: numbers(&value["com"]),
        com_jacobian: value.get("com_jacobian").map(dense),
        drivers: Some(numbers(&value["driver_values"])),
        colliding: pairs(&value["self_collision"]["pairs"]),
        doubtful: pairs(&value["self_collision"]["ambiguous_pairs"]),
    }
}

/// Forces and masses of one case of a robot, where the file has them.
pub(crate) fn dynamics(value: &Value, robot: &Value) -> Option<ExpectedDynamics> {
    value.get("coriolis")?;
    let gravity = numbers(&robot["gravity"]);
    assert_eq!(gravity[..2], [0.0, 0.0], "gravity is along z");
    Some(ExpectedDynamics {
        mass_matrix: value.get("mass_matrix").map(symmetric),
        coriolis: numbers(&value["coriolis"]),
        gravity: -gravity[2],
        gravity_forces: numbers(&value["gravity_forces"]),
        torques: numbers(&value["inverse_dynamics"]),
        tau: value.get("tau").map(numbers),
        kinetic_energy: number(&value["kinetic_energy"]),
        linear_momentum: numbers(&value["linear_momentum"]),
        angular_momentum: numbers(&value["angular_momentum_about_com"]),
    })
}

/// A matrix of which only some columns are given, row after row.
fn dense(value: &Value) -> Vec<f64> {
    let (rows, n) = (index(&value["rows"]), index(&value["n"]));
    let mut dense = vec![0.0; rows * n];
    for (column, values) in list(&value["cols"]).iter().zip(list(&value["vals"])) {
        for (row, x) in numbers(values).into_iter().enumerate() {
            dense[row * n + index(column)] = x;
        }
    }
    dense
}

/// A symmetric matrix, given whole or from the diagonal on, row after row.
fn symmetric(value: &Value) -> Vec<f64> {
    let Some(upper) = value.get("upper") else {
        return list(value).iter().flat_map(numbers).collect();
    };
    let rows: Vec<Vec<f64>> = list(upper).iter().map(numbers).collect();
    let at = |i: usize, j: usize| rows[i.min(j)][i.max(j) - i.min(j)];
    let n = rows.len();
    (0..n * n).map(|k| at(k / n, k % n)).collect()
}

/// The first nine numbers transposed, the rest as it is.
pub(crate) fn row_major(column_major: &[f64]) -> Vec<f64> {
    let turned = (0..9).map(|k| column_major[k / 3 + 3 * (k % 3)]);
    turned.chain(column_major[9..].iter().copied()).collect()
}

fn pairs(value: &Value) -> BTreeSet<(usize, usize)> {
    list(value)
        .iter()
        .map(|pair| (index(&pair[0]), index(&pair[1])))
        .map(|(a, b)| (a.min(b), a.max(b)))
        .collect()
}
