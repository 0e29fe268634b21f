//! The URDFs under `data/`, against what Klampt and Pinocchio said about them.

use kinworld::{Loaded, Point, Robot, State, kinematics};
use serde_json::Value;

use crate::common::files;
use crate::common::numbers::{assert_close, list, number, numbers, pose_rows, rows, word};

/// The numbers were printed in full.
const TOLERANCE: f64 = 1e-12;

#[test]
fn our_urdfs_move_as_in_klampt_and_pinocchio() {
    let golden = [
        "klampt/drone",
        "klampt/scara",
        "pinocchio/arm6",
        "pinocchio/ferry",
        "pinocchio/gripper",
        "pinocchio/snake30",
    ];
    for name in golden {
        let golden = files::json(&files::data(&format!("golden/{name}.urdf.json")));
        let path = files::data(word(&golden["file"]));
        let Loaded { value, diagnostics } = Robot::load(&path).unwrap();
        assert_eq!(super::messages(&diagnostics), [""; 0], "{name}");
        for case in list(&golden["cases"]) {
            compare(name, &golden, case, &value);
        }
        compare_limits(name, &golden["limits"], &value);
    }
}

fn compare(name: &str, golden: &Value, case: &Value, robot: &Robot) {
    let mut state = State::new(robot);
    state.set_config(robot, &numbers(&case["q"])).unwrap();
    for (link, theirs) in list(&golden["links"]).iter().zip(list(&case["poses"])) {
        let link = word(&link["name"]);
        let ours = pose_rows(&state.pose(robot, robot.link_id(link).unwrap()));
        assert_close(
            format!("{name}: {link}"),
            &ours,
            &numbers(theirs),
            TOLERANCE,
        );
    }
    let point = Point::from_slice(&numbers(&golden["point"]));
    for (link, theirs) in case["jacobians"].as_object().unwrap() {
        let id = robot.link_id(link).unwrap();
        let ours = rows(&kinematics::jacobian(robot, &state, id, &point));
        let theirs: Vec<f64> = list(theirs).iter().flat_map(numbers).collect();
        assert_close(
            format!("{name}: Jacobian of {link}"),
            &ours,
            &theirs,
            TOLERANCE,
        );
    }
    let com = kinematics::com(robot, &state);
    assert_close(
        name,
        com.coords.as_slice(),
        &numbers(&case["com"]),
        TOLERANCE,
    );
    let mass = kinematics::total_mass(robot);
    assert_close(name, &[mass], &[number(&golden["mass"])], TOLERANCE);
}

fn compare_limits(name: &str, theirs: &Value, robot: &Robot) {
    let limits = robot.limits();
    type Limit = fn(&kinworld::robot::Limits) -> f64;
    let all: [(&str, Limit); 5] = [
        ("q_min", |l| l.q_min),
        ("q_max", |l| l.q_max),
        ("v_max", |l| l.v_max),
        ("a_max", |l| l.a_max),
        ("tau_max", |l| l.tau_max),
    ];
    for (what, of) in all {
        let Some(theirs) = theirs.get(what) else {
            continue;
        };
        let ours: Vec<f64> = limits.iter().map(of).collect();
        assert_close(
            format!("{name}: {what}"),
            &ours,
            &numbers(theirs),
            TOLERANCE,
        );
    }
}
