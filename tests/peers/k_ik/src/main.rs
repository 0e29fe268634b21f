//! The problems of `benches/ik.rs`, solved by the crate `k`: how many from the one start, and the mean time of a solve, median of
//! three rounds.
//!
//! `k_ik problems.json` prints a line of JSON for each multiplier of its steps, 0.5 (its default) and 1.

use std::error::Error;
use std::time::Instant;

use k::{Chain, InverseKinematicsSolver as _, JacobianIkSolver, SerialChain};
use serde_json::{Value, json};

const TOLERANCE: f64 = 1e-9;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("k_ik problems.json")?;
    let suite: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let word = |key: &str| suite[key].as_str().ok_or(format!("`{key}` is missing"));
    let chain = Chain::<f64>::from_urdf_file(word("urdf")?)?;
    let end = chain.find_link(word("link")?).ok_or("no such link")?;
    let arm = SerialChain::from_end(end);

    // the index of each joint of the arm in a configuration
    let names: Vec<&str> = suite["names"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let mut indices = Vec::new();
    for node in arm.iter().filter(|node| node.joint().is_movable()) {
        let link = node
            .link()
            .as_ref()
            .map(|link| link.name.clone())
            .ok_or("a joint without link")?;
        indices.push(
            names
                .iter()
                .position(|name| *name == link)
                .ok_or(format!("no `{link}`"))?,
        );
    }
    let numbers = |value: &Value| -> Vec<f64> {
        let all: Vec<f64> = value
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_f64)
            .collect();
        indices.iter().map(|&i| all[i]).collect()
    };
    let mut problems = Vec::new();
    for problem in suite["problems"].as_array().ok_or("no problems")? {
        arm.set_joint_positions_clamped(&numbers(&problem["target"]));
        arm.update_transforms();
        problems.push((arm.end_transform(), numbers(&problem["start"])));
    }
    for multiplier in [0.5, 1.0] {
        let solver = JacobianIkSolver::new(TOLERANCE, TOLERANCE, multiplier, 200);
        let (mut solved, mut times) = (0, Vec::new());
        for _ in 0..3 {
            solved = 0;
            let begin = Instant::now();
            for (target, start) in &problems {
                arm.set_joint_positions_clamped(start);
                solved += usize::from(solver.solve(&arm, target).is_ok());
            }
            times.push(begin.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let us_per_solve = times[1] / problems.len() as f64 * 1e6;
        println!(
            "{}",
            json!({ "multiplier": multiplier, "solved": solved, "us_per_solve": us_per_solve })
        );
    }
    Ok(())
}
