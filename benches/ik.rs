//! Inverse kinematics of the problems in a file: how many are solved, and the time per solve.
//!
//! `tests/peers/ik.py` writes the problems, has other programs solve the same ones, and runs this:
//!
//! ```sh
//! cargo bench -p kinworld-benches --bench ik -- problems.json
//! ```
//!
//! A file is `{"file", "link", "problems": [{"target", "start"}]}`, both configurations; the goal is the pose of the link in
//! the first. The output is a line of JSON for one start and one for restarts, with the mean time of
//! a solve, median of three rounds.

#![expect(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use kinworld::kinematics::ik::{Objective, Options, Solver};
use kinworld::{Robot, State};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args()
        .skip(1)
        .filter(|arg| arg.ends_with(".json"))
    {
        let suite: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
        let word = |key: &str| suite[key].as_str().ok_or(format!("`{key}` is missing"));
        let robot = Robot::load(word("file")?)?.value;
        let link = robot.link_id(word("link")?)?;
        let problems = suite["problems"].as_array().ok_or("no problems")?;
        let numbers = |value: &Value| -> Vec<f64> {
            let list = value.as_array().into_iter().flatten();
            list.filter_map(Value::as_f64).collect()
        };
        let mut state = State::new(&robot);
        let mut goals = Vec::new();
        for problem in problems {
            state.set_config(&robot, &numbers(&problem["target"]))?;
            let goal = Objective::pose(link, &state.pose(&robot, link));
            goals.push((goal, numbers(&problem["start"])));
        }
        for restarts in [0, 100] {
            let options = Options::default().with_restarts(restarts);
            let Some((first, _)) = goals.first() else {
                break;
            };
            let mut solver = Solver::new(&robot, std::slice::from_ref(first), &options)?;
            let (mut solved, mut worst, mut times) = (0, 0.0_f64, Vec::new());
            for _ in 0..3 {
                (solved, worst) = (0, 0.0);
                let begin = Instant::now();
                for (goal, start) in &goals {
                    solver.set_goal(0, goal)?;
                    let found = solver.solve(start)?;
                    if found.is_success() {
                        solved += 1;
                        worst = worst.max(found.error());
                    }
                }
                times.push(begin.elapsed().as_secs_f64());
            }
            times.sort_by(f64::total_cmp);
            let line = json!({
                "restarts": restarts,
                "problems": goals.len(),
                "solved": solved,
                "worst": worst,
                "us_per_solve": times[1] / goals.len() as f64 * 1e6,
            });
            println!("{line}");
        }
    }
    Ok(())
}
