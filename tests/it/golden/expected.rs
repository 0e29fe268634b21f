//! What another program says about a robot, in one form whatever file it comes from.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::numbers::{number, numbers};

/// A robot, and answers about it at some configurations.
///
/// Links are positions in `links`; poses are nine numbers of the rotation row by row and three of the translation.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    /// How many ids a world with this robot alone has.
    pub(crate) ids: Option<usize>,
    pub(crate) links: Vec<ExpectedLink>,
    pub(crate) limits: ExpectedLimits,
    /// The configuration as loaded.
    pub(crate) initial: Option<Vec<f64>>,
    pub(crate) drivers: Option<Vec<ExpectedDriver>>,
    /// The pairs that are tested at all; `None` where the program has no such list.
    pub(crate) self_collision: Option<BTreeSet<(usize, usize)>>,
    pub(crate) mass: Option<f64>,
    pub(crate) cases: Vec<Case>,
    pub(crate) steps: Vec<Step>,
}

#[derive(Debug)]
pub(crate) struct ExpectedLink {
    pub(crate) name: String,
    /// What a program says that gives every link a coordinate.
    pub(crate) body: Option<ExpectedBody>,
}

#[derive(Debug)]
pub(crate) struct ExpectedBody {
    pub(crate) parent: Option<usize>,
    pub(crate) joint: String,
    pub(crate) prismatic: bool,
    pub(crate) axis: Vec<f64>,
    pub(crate) placement: Vec<f64>,
    pub(crate) mass: f64,
    pub(crate) com: Vec<f64>,
    /// About the COM, row by row.
    pub(crate) inertia: Vec<f64>,
    /// How many triangles collide; `None` where the tool does not say.
    pub(crate) triangles: Option<usize>,
}

/// One number per coordinate; empty where the program does not know such a limit.
#[derive(Debug, Default)]
pub(crate) struct ExpectedLimits {
    pub(crate) q_min: Vec<f64>,
    pub(crate) q_max: Vec<f64>,
    pub(crate) v_max: Vec<f64>,
    pub(crate) a_max: Vec<f64>,
    pub(crate) tau_max: Vec<f64>,
}

#[derive(Debug)]
pub(crate) struct ExpectedDriver {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) links: Vec<usize>,
    pub(crate) scale: Option<Vec<f64>>,
    pub(crate) offset: Option<Vec<f64>>,
    pub(crate) position: Option<Vec<f64>>,
    pub(crate) velocity: Option<Vec<f64>>,
    pub(crate) torque: Option<Vec<f64>>,
}

/// The answers at one configuration.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) q: Vec<f64>,
    pub(crate) dq: Vec<f64>,
    pub(crate) ddq: Option<Vec<f64>>,
    pub(crate) poses: Vec<Vec<f64>>,
    /// The point of links at which Jacobians, velocities and accelerations are taken, in the link's frame.
    pub(crate) point: Vec<f64>,
    /// Six rows one after the other, orientation first, by link.
    pub(crate) jacobians: Vec<(usize, Vec<f64>)>,
    /// The link whose point the next three are about.
    pub(crate) probe: usize,
    pub(crate) point_velocity: Vec<f64>,
    pub(crate) angular_velocity: Vec<f64>,
    pub(crate) point_acceleration: Option<Vec<f64>>,
    pub(crate) com: Vec<f64>,
    pub(crate) com_jacobian: Option<Vec<f64>>,
    pub(crate) drivers: Option<Vec<f64>>,
    pub(crate) colliding: BTreeSet<(usize, usize)>,
    /// Pairs whose answer changes under a tiny shift.
    pub(crate) doubtful: BTreeSet<(usize, usize)>,
}

/// What lies between two configurations.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    /// Positions on the way from 0 to 1, and the configurations there.
    pub(crate) on_the_way: Vec<(f64, Vec<f64>)>,
    pub(crate) derivative: Vec<f64>,
    pub(crate) distance: Option<f64>,
}

impl Step {
    /// What a file says about the way from `a` to `b`; `derivative` is its name for the rate at `a`.
    pub(crate) fn read(value: &Value, a: &[f64], b: &[f64], derivative: &str) -> Self {
        let on_the_way = value["interpolate"]
            .as_object()
            .expect("configurations by position");
        Self {
            a: a.to_vec(),
            b: b.to_vec(),
            on_the_way: on_the_way
                .iter()
                .map(|(u, q)| (u.parse().expect("a number"), numbers(q)))
                .collect(),
            derivative: numbers(&value[derivative]),
            distance: value.get("distance").map(number),
        }
    }
}
