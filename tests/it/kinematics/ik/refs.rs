//! Residuals and their derivatives compared with Klampt.

use kinworld::Robot;
use kinworld::kinematics::ik::{self, Objective};

use super::config;
use crate::common::files::{corpus, refs, report};
use crate::common::numbers::{assert_close, index, list, numbers, word};

#[test]
fn residuals_are_those_of_klampt() {
    let (Some(folder), Some(refs)) = (corpus(), refs("misc.json")) else {
        return;
    };
    let (mut ran, mut left_out) = (0, Vec::new());
    for arm in list(&refs["ik"]) {
        let path = folder.join(word(&arm["file"]));
        if !path.is_file() {
            left_out.push(word(&arm["robot"]));
            continue;
        }
        let robot = Robot::load(&path).unwrap().value;
        let link = robot.link_id(word(&arm["link_name"])).unwrap();
        for case in list(&arm["residuals"]) {
            let target = config(&robot, &numbers(&case["q_target"])).pose(&robot, link);
            let state = config(&robot, &numbers(&case["q"]));
            let goal = [Objective::pose(link, &target)];
            let ours = ik::residual(&robot, &state, &goal).unwrap();
            assert_close("residual", &ours, &numbers(&case["pose_residual"]), 1e-9);

            // Klampt has a column for each active link
            let active: Vec<usize> = list(&case["active_dofs"]).iter().map(index).collect();
            let jacobian = ik::residual_jacobian(&robot, &state, &goal).unwrap();
            for (row, theirs) in list(&case["pose_jacobian"]).iter().enumerate() {
                let ours: Vec<f64> = active.iter().map(|&k| jacobian[(row, k)]).collect();
                assert_close(format!("row {row}"), &ours, &numbers(theirs), 1e-8);
            }
            ran += 1;
        }
    }
    report(&format!(
        "ik: {ran} residuals of Klampt, without {left_out:?}"
    ));
    assert!(ran >= 12);
}
