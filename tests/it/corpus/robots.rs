//! Every robot that Klampt was asked about.

use kinworld::Robot;
use serde_json::Value;

use super::read::read;
use crate::common::files::{corpus, refs, report};
use crate::common::numbers::{list, word};
use crate::golden::checks::{Known, Tolerance, check_case, check_description, check_step};
use crate::golden::collisions::check_collisions;
use crate::golden::dynamics::check_dynamics;

/// Klampt's numbers are rounded to twelve digits, and its mesh vertices to single precision.
const TOLERANCE: Tolerance = Tolerance {
    kinematics: 1e-9,
    mass: 1e-6,
};

#[test]
fn corpus_robots_answer_as_klampt_does() {
    let (Some(corpus), Some(refs)) = (corpus(), refs("robots.json")) else {
        return;
    };
    let (mut robots, mut cases) = (0, 0);
    for robot in list(&refs["robots"]) {
        let file = word(&robot["file"]);
        let ours = Robot::load(corpus.join(file)).unwrap_or_else(|error| panic!("{error}"));
        let text = std::fs::read_to_string(corpus.join(file)).unwrap_or_default();
        let dynamics = if text.contains("automass") {
            TOLERANCE.mass
        } else {
            TOLERANCE.kinematics
        };
        cases += check(file, &ours.value, robot, dynamics);
        robots += 1;
    }
    report(&format!("corpus: {robots} robots, {cases} cases"));
}

fn check(file: &str, ours: &Robot, theirs: &Value, dynamics: f64) -> usize {
    let expected = read(theirs);
    let known = Known::new(file, ours, &expected);
    check_description(&known, &expected, TOLERANCE);
    for case in &expected.cases {
        check_case(&known, case, TOLERANCE);
        check_collisions(&known, case);
        check_dynamics(&known, case, dynamics);
    }
    for step in &expected.steps {
        check_step(&known, step, TOLERANCE);
    }
    expected.cases.len()
}
