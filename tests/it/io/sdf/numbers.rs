//! The models in `data/sdf` have Drake's numbers: poses, mass matrices, gravity forces.

use kinworld::dynamics;
use kinworld::{Pose, Robot, State, Vector, WorldModel};
use serde_json::Value;

use crate::common::files::data;

fn golden(name: &str) -> Value {
    let text = std::fs::read_to_string(data(&format!("golden/sdf/{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    let all = value.as_array().expect("an array");
    all.iter().map(|x| x.as_f64().expect("a number")).collect()
}

/// The dof of a joint; of one of several degrees of freedom the last.
fn dof(robot: &Robot, joint: &str) -> usize {
    let link = robot.links().iter().find(|link| {
        // of a nested model
        let name = link.joint_name().unwrap_or_default();
        let short = name.rsplit("::").next().unwrap_or_default();
        short == joint && link.dof().is_some()
    });
    let link = link.unwrap_or_else(|| panic!("no joint {joint}"));
    link.dof().expect("it moves").index()
}

/// Values of our degrees of freedom for Drake's of one joint.
fn values(robot: &Robot, joint: &str, theirs: &[f64]) -> Vec<(usize, f64)> {
    let at = dof(robot, joint);
    match (joint, theirs) {
        // turned about x, y and z of the joint, in the other order
        ("socket", &[roll, pitch, yaw]) => vec![(at - 2, yaw), (at - 1, pitch), (at, roll)],
        ("gimbal", &[first, second]) => vec![(at, first), (dof(robot, "gimbal_2"), second)],
        ("spindle", &[turn]) => {
            let travel = turn * 0.05 / std::f64::consts::TAU;
            vec![(at, turn), (dof(robot, "spindle_travel"), travel)]
        }
        (_, &[value]) => vec![(at, value)],
        _ => panic!("{joint} has {} values", theirs.len()),
    }
}

#[test]
fn poses_and_dynamics_are_those_of_drake() {
    for (name, at_least) in [("frames", 4), ("old", 3), ("joints", 7), ("yard", 2)] {
        let golden = golden(name);
        let mut world = WorldModel::load(data(golden["model"].as_str().unwrap()))
            .unwrap()
            .value;
        let states = golden["states"].as_array().unwrap();
        assert!(states.len() > 1);
        for state in states {
            let robot = world.robot(0).unwrap();
            let model = robot.model().clone();
            let mut q = robot.config().to_vec();
            for (joint, theirs) in state["positions"].as_object().unwrap() {
                for (at, value) in values(&model, joint, &numbers(theirs)) {
                    q[at] = value;
                }
            }
            world.robot_mut(0).unwrap().set_config(&q).unwrap();
            let robot = world.robot(0).unwrap();
            let mut n = 0;
            for (body, pose) in state["poses"].as_object().unwrap() {
                // the name of the model is left out, as links of one model have it all
                let short = body.split_once("::").unwrap().1;
                let Some(link) = robot.links().find(|link| link.name() == short) else {
                    continue;
                };
                let rows: Vec<Vec<f64>> = pose.as_array().unwrap().iter().map(numbers).collect();
                let ours: Pose = link.pose();
                for (i, row) in rows.iter().enumerate() {
                    for k in 0..3 {
                        let found = ours.rotation.matrix()[(i, k)];
                        assert!((found - row[k]).abs() < 1e-12, "{name}: {body}");
                    }
                    let found = ours.translation.vector[i];
                    assert!(
                        (found - row[3]).abs() < 1e-12,
                        "{name}: {body}: {found} {row:?}"
                    );
                }
                n += 1;
            }
            assert!(n >= at_least, "{name}: {n} bodies");

            // followers move with their leaders here, and freely in Drake
            if name == "joints" {
                continue;
            }
            let joints = state["joints"].as_array().unwrap();
            let at: Vec<usize> = joints
                .iter()
                .map(|joint| dof(&model, joint.as_str().unwrap()))
                .collect();
            let mut at_q = State::new(&model);
            at_q.set_config(&model, &q).unwrap();
            let mass = dynamics::mass_matrix(&model, &at_q);
            let gravity = dynamics::gravity_forces(&model, &at_q, &Vector::new(0.0, 0.0, -9.81));
            for (i, row) in state["mass_matrix"].as_array().unwrap().iter().enumerate() {
                for (k, theirs) in numbers(row).into_iter().enumerate() {
                    let ours = mass[(at[i], at[k])];
                    assert!((ours - theirs).abs() < 1e-12, "{name}: {ours} {theirs}");
                }
            }
            for (i, theirs) in numbers(&state["gravity_forces"]).into_iter().enumerate() {
                let ours = gravity[at[i]];
                assert!((ours - theirs).abs() < 1e-11, "{name}: {ours} {theirs}");
            }
        }
    }
}
