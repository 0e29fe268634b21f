//! Every robot that Klampt was asked about.

use kinworld::Robot;
use serde_json::Value;

use crate::common::numbers::{list, word};
use crate::dynamics::check_dynamics;
use crate::folders::{corpus, refs};
use crate::golden::checks::{Known, Tolerance, check_case, check_description, check_step};
use crate::golden::collisions::check_collisions;
use crate::read::{self, read};

/// Klampt's numbers are rounded to twelve digits, and its mesh vertices to single precision.
const TOLERANCE: Tolerance = Tolerance {
    kinematics: 1e-9,
    mass: 1e-6,
};

pub(crate) fn robots_answer_as_klampt_does() {
    let (corpus, refs) = (corpus(), refs("robots.json"));
    let (mut robots, mut cases, mut with_forces) = (0, 0, 0);
    for robot in list(&refs["robots"]) {
        let file = word(&robot["file"]);
        let ours = Robot::load(corpus.join(file)).unwrap_or_else(|error| panic!("{error}"));
        let text = std::fs::read_to_string(corpus.join(file)).unwrap_or_default();
        let dynamics = if text.contains("automass") {
            TOLERANCE.mass
        } else {
            TOLERANCE.kinematics
        };
        let compared = check(file, &ours.value, robot, dynamics);
        cases += compared[0];
        with_forces += compared[1];
        robots += 1;
    }
    assert_eq!((robots, cases, with_forces), (19, 74, 74));
}

fn check(file: &str, ours: &Robot, theirs: &Value, dynamics: f64) -> [usize; 2] {
    let expected = read(theirs);
    let known = Known::new(file, ours, &expected);
    check_description(&known, &expected, TOLERANCE);
    for case in &expected.cases {
        check_case(&known, case, TOLERANCE);
        check_collisions(&known, case);
    }
    let mut with_forces = 0;
    for (case, value) in expected.cases.iter().zip(list(&theirs["cases"])) {
        if let Some(forces) = read::dynamics(value, theirs) {
            check_dynamics(&known, case, &forces, dynamics);
            with_forces += 1;
        }
    }
    for step in &expected.steps {
        check_step(&known, step, TOLERANCE);
    }
    [expected.cases.len(), with_forces]
}
