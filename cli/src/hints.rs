//! Hints beside answers: configurations beyond limits, joints named as links.

use kinworld::world::RobotRef;
use kinworld::{Diagnostic, DofId, kinematics};
use serde_json::{Value, json};

use crate::config::unit;
use crate::json::number;

/// Largest excess that counts as rounding, rad or m: tables have six decimals.
const ROUNDING: f64 = 1e-6;

/// Hints about an answer.
#[derive(Debug, Default)]
pub(crate) struct Hints {
    /// Warnings: of joints beyond limits, and of files that the request names.
    pub(crate) warnings: Vec<Diagnostic>,
    /// Sentences.
    pub(crate) sentences: Vec<String>,
    /// Joints beyond their limits.
    beyond: Vec<Value>,
}

impl Hints {
    /// Notes the joints of a configuration that are beyond their limits.
    pub(crate) fn check_limits(&mut self, robot: RobotRef<'_>, q: &[f64], degrees: bool) {
        let model = robot.model();
        let Ok(dofs) = kinematics::beyond_limits(model, q, ROUNDING) else {
            return;
        };
        if dofs.is_empty() {
            return;
        }
        let limits = |dof: DofId| &model.limits()[dof.index()];
        let of_dof = |&dof: &DofId| {
            json!({
                "robot": robot.name(),
                "joint": model.dof_name(dof),
                "q": number(q[dof.index()]),
                "q_min": number(limits(dof).q_min),
                "q_max": number(limits(dof).q_max),
            })
        };
        let found: Vec<Value> = dofs.iter().map(of_dof).collect();
        if found.iter().all(|joint| self.beyond.contains(joint)) {
            return;
        }
        self.beyond.extend(found);
        let words = |&dof: &DofId| {
            let is_angle = unit(model, dof, true) < 1.0;
            let (unit, name) = match (is_angle, degrees) {
                (true, true) => (unit(model, dof, true), "°"),
                (true, false) => (1.0, " rad"),
                (false, _) => (1.0, " m"),
            };
            let [x, min, max] =
                [q[dof.index()], limits(dof).q_min, limits(dof).q_max].map(|x| short(x / unit));
            format!("`{}` at {x} ({min} to {max}{name})", model.dof_name(dof))
        };
        let list: Vec<String> = dofs.iter().map(words).collect();
        let are = match dofs.len() {
            1 => "a joint is beyond its limits".to_owned(),
            n => format!("{n} joints are beyond their limits"),
        };
        let warning = format!("{are}: {}", list.join(", "));

        // angles that were meant in degrees
        let in_degrees = || {
            let mut q = q.to_vec();
            for &dof in &dofs {
                q[dof.index()] *= unit(model, dof, true);
            }
            kinematics::beyond_limits(model, &q, ROUNDING).is_ok_and(|dofs| dofs.is_empty())
        };
        let is_slip = !degrees && dofs.iter().any(|&dof| unit(model, dof, true) < 1.0);
        let mut warning = Diagnostic::warning(warning);
        if is_slip && in_degrees() {
            warning =
                warning.help("angles are in radians; as degrees all are within limits: --degrees");
        }
        self.warnings.push(warning);
    }

    /// Adds a sentence, once.
    pub(crate) fn add(&mut self, sentence: String) {
        if !self.sentences.contains(&sentence) {
            self.sentences.push(sentence);
        }
    }

    /// Adds what programs need to an answer.
    pub(crate) fn add_to(&self, answer: &mut Value) {
        if !self.beyond.is_empty() {
            answer["beyond_limits"] = self.beyond.clone().into();
        }
    }
}

/// A number with at most five decimals.
fn short(x: f64) -> String {
    let text = format!("{x:.5}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
