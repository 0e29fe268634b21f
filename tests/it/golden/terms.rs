//! All terms of the equation of motion, contacts and regressors beside Pinocchio's, on robots with an armature.

use kinworld::dynamics::{self, Contacts};
use kinworld::math::Wrench;
use kinworld::{LinkId, Point, Robot, RobotBuilder, State, Vector};
use nalgebra::{DMatrix, Vector6};
use serde_json::Value;

use crate::common::files::{data, files_below, json};
use crate::common::numbers::{assert_close, list, number, numbers, rows, word};

/// Relative to the largest number of each: both sides round, and Pinocchio does so in another order.
const TOLERANCE: f64 = 1e-11;

#[test]
fn terms_are_those_of_pinocchio() {
    let files = files_below(&data("golden/terms"));
    assert!(!files.is_empty());
    for file in files {
        let golden = json(&file);
        let robot = robot(&golden);
        for (k, case) in list(&golden["cases"]).iter().enumerate() {
            let what = format!("{}, case {k}", word(&golden["file"]));
            check(&what, &golden, case, &robot);
        }
    }
}

fn check(what: &str, golden: &Value, case: &Value, robot: &Robot) {
    let theirs = |name: &str| flat(&case[name]);
    let [dq, ddq, tau] = ["dq", "ddq", "tau"].map(theirs);
    let mut state = State::new(robot);
    state.set_config(robot, &theirs("q")).unwrap();
    state.set_velocity(robot, &dq).unwrap();
    let gravity = Vector::from_vec(numbers(&golden["gravity"]));
    let close = |name: &str, ours: &[f64]| {
        let theirs = theirs(name);
        let largest = theirs.iter().fold(1e-3_f64, |m, x| m.max(x.abs()));
        assert_close(
            format!("{what}: {name}"),
            ours,
            &theirs,
            TOLERANCE * largest,
        );
    };

    let terms = dynamics::all_terms(robot, &state, &gravity).unwrap();
    close("mass_matrix", &rows(&terms.mass_matrix));
    close("bias_forces", &terms.bias_forces);
    close("kinetic_energy", &[terms.kinetic_energy]);
    let forces = dynamics::inverse_dynamics(robot, &state, &gravity, &ddq);
    close("inverse_dynamics", &forces.unwrap());
    let free = dynamics::forward_dynamics(robot, &state, &gravity, &tau);
    close("forward_dynamics", &free.unwrap());
    let Wrench { moment, force } = dynamics::base_wrench(robot, &state, &gravity, &ddq).unwrap();
    let borne = Vector6::new(moment.x, moment.y, moment.z, force.x, force.y, force.z);
    close("base_wrench", borne.as_slice());

    // Pinocchio's bodies are the links that move; what is fixed to them counts as theirs
    let moved = list(&golden["moved"]).iter();
    let moved: Vec<LinkId> = moved
        .map(|name| robot.link_id(word(name)).unwrap())
        .collect();
    let of_moved = |row: &[f64]| -> Vec<f64> {
        let ten = |link: &LinkId| row[10 * link.index()..][..10].to_vec();
        moved.iter().flat_map(ten).collect()
    };
    let y = dynamics::inertial_regressor(robot, &state, &gravity, &ddq).unwrap();
    let y: Vec<f64> = y
        .row_iter()
        .flat_map(|row| of_moved(row.transpose().as_slice()))
        .collect();
    close("inertial_regressor", &y);
    let kinetic = dynamics::kinetic_energy_regressor(robot, &state);
    close("kinetic_energy_regressor", &of_moved(&kinetic));
    let potential = dynamics::potential_energy_regressor(robot, &state, &gravity);
    close("potential_energy_regressor", &of_moved(&potential));

    let mut contacts = Contacts::new(robot);
    let held = robot.link_id(word(&golden["held"])).unwrap();
    let point = Point::from(Vector::from_vec(numbers(&golden["point"])));
    contacts.hold_point(robot, &state, held, &point);
    let task = contacts.task().with_damping(number(&case["damping"]));
    let motion = dynamics::constrained_dynamics(robot, &state, &gravity, &tau, &task).unwrap();
    close("held", &motion.ddq);
    close("held_by", &motion.forces);
    let restitution = number(&golden["restitution"]);
    let blow = dynamics::impulse_dynamics(robot, &state, &task, restitution).unwrap();
    close("after", &blow.dq);
    close("blow", &blow.impulses);

    // Λ of a matrix that Pinocchio has inverted: what holds the point is Λ times what it lacks
    if task.damping == 0.0 {
        let felt = dynamics::operational_space_inertia(robot, &state, &task).unwrap();
        let came = task.jacobian * DMatrix::from_column_slice(dq.len(), 1, &dq);
        close("blow", (felt * came * -(1.0 + restitution)).as_slice());
    }
}

/// The robot of the file, with the armature that the numbers were made with.
fn robot(golden: &Value) -> Robot {
    let robot = Robot::load(data(word(&golden["file"]))).unwrap().value;
    let mut builder = RobotBuilder::from(&robot);
    for (link, armature) in robot.dofs().iter().zip(numbers(&golden["armature"])) {
        builder.links[link.index()].armature = armature;
    }
    builder.build().unwrap()
}

/// A number, a list of numbers or a list of such lists, one number after the other.
fn flat(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(flat).collect(),
        value => vec![number(value)],
    }
}
