//! Inverse kinematics of arms of the corpus, and Klampt's residuals.

#[expect(dead_code, unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/kinematics/ik/analytic.rs"]
mod analytic;
#[expect(dead_code, unused_imports, reason = "its tests run elsewhere")]
#[path = "../it/kinematics/ik/arms.rs"]
mod arms;

use kinworld::Robot;
use kinworld::kinematics::ik::{self, Objective};

use crate::common::numbers::{assert_close, index, list, numbers, word};
use crate::common::states::{config, somewhere};
use crate::folders::{corpus, refs};

pub(crate) fn residuals_are_those_of_klampt() {
    let (folder, refs) = (corpus(), refs("misc.json"));
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

            // theirs has a column for each active link
            let active: Vec<usize> = list(&case["active_dofs"]).iter().map(index).collect();
            let jacobian = ik::residual_jacobian(&robot, &state, &goal).unwrap();
            for (row, theirs) in list(&case["pose_jacobian"]).iter().enumerate() {
                let ours: Vec<f64> = active.iter().map(|&k| jacobian[(row, k)]).collect();
                assert_close(format!("row {row}"), &ours, &numbers(theirs), 1e-8);
            }
            ran += 1;
        }
    }
    assert!(ran >= 12);
}

pub(crate) fn arms_reach_the_poses_they_can_reach() {
    let folder = corpus();
    let cases = [
        ("ur5.rob", "ee_link"),
        ("tx90ball.rob", "Link_6"),
        ("puma760.rob", "Link_6"),
        ("kinova_gen3_7dof.urdf", "Bracelet_Link"),
    ];
    for (file, link) in cases {
        let robot = Robot::load(folder.join("robots").join(file)).unwrap().value;
        let link = robot.link_id(link).unwrap();
        let failed = arms::failures(&robot, link, 100);
        assert!(failed * 1000 <= arms::targets(), "{file}: {failed} misses");
        let single = arms::failures(&robot, link, 0);

        // Klampt solves 40, 24, 22 and 84 of 100
        assert!(
            single * 2 < arms::targets(),
            "{file}: {single} misses from one start"
        );
    }
}

pub(crate) fn arms_have_all_their_postures() {
    // axes of the TX90's file pass each other at 0.8 mm, those of Mirobot at 0.1 mm: the formulas end that much earlier
    let folder = corpus();
    for (file, link) in [
        ("tx90ball.rob", "Link_6"),
        ("puma760.rob", "Link_6"),
        ("tx90l.rob", "Link_6"),
        ("mirobot.urdf", "Link6"),
    ] {
        let robot = Robot::load(folder.join("robots").join(file)).unwrap().value;
        let link = robot.link_id(link).unwrap();
        let postures = analytic::check_postures(&robot, link, 2e-2);
        assert!(postures > 1, "{file}: {postures} postures");
    }
}
