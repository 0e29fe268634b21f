//! Derivatives and Coriolis matrices of Pinocchio: `data/golden/make/pinocchio_derivatives.py`.

use kinworld::{Robot, Vector, dynamics};
use nalgebra::DMatrix;
use serde_json::Value;

use super::state;
use crate::common::files::{data, json};
use crate::common::numbers::{assert_close, list, numbers, rows};

#[test]
fn derivatives_match_pinocchio() {
    let golden = json(&data("golden/derivatives/robots.json"));
    let robots = golden["robots"].as_object().expect("robots by name");
    for (name, cases) in robots {
        let file = data("robots").join(name).with_extension("urdf");
        let robot = Robot::load(file).expect("a robot").value;
        for case in list(cases) {
            check(&robot, name, case);
        }
    }
}

fn check(robot: &Robot, name: &str, case: &Value) {
    let gravity = Vector::new(0.0, 0.0, -9.81);
    let now = state(robot, &numbers(&case["q"]), &numbers(&case["dq"]));
    let (ddq, tau) = (numbers(&case["ddq"]), numbers(&case["tau"]));
    let inverse = dynamics::inverse_dynamics_derivatives(robot, &now, &gravity, &ddq).unwrap();
    let forward = dynamics::forward_dynamics_derivatives(robot, &now, &gravity, &tau).unwrap();
    let coriolis = dynamics::coriolis_matrix(robot, &now);
    let compare = |what: &str, ours: &DMatrix<f64>, tolerance: f64| {
        let theirs = numbers(&case[what]);
        let largest = theirs.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        assert_close(
            format!("{name}, {what}"),
            &rows(ours),
            &theirs,
            tolerance * largest,
        );
    };
    compare("dtau_dq", &inverse.dtau_dq, 1e-12);
    compare("dtau_dv", &inverse.dtau_dv, 1e-12);
    compare("coriolis", &coriolis, 1e-12);
    compare("ddq_dq", &forward.ddq_dq, 1e-9);
    compare("ddq_dv", &forward.ddq_dv, 1e-9);
}
