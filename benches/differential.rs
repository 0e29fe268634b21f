//! Steps of differential inverse kinematics of an arm with seven joints: the time of one.
//!
//! ```sh
//! cargo bench -p kinworld-benches --bench differential
//! ```
//!
//! The output is a line of JSON for each problem: median, 99th percentile and least time of a step, in µs, over configurations drawn at random,
//! and the share of the steps with an active limit or constraint.

#![expect(clippy::print_stdout, reason = "a bench reports")]

use std::time::Instant;

use kinworld::kinematics::ik::{
    self, DifferentialOptions, DifferentialSolver, JointVelocityTask, PositionBarrier,
    VelocityProblem, VelocityTask,
};
use kinworld::{Point, Robot, State, Vector, kinematics};
use serde_json::json;

const CONFIGS: u64 = 500;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().find(|arg| arg.ends_with(".urdf"));
    let file =
        file.unwrap_or_else(|| format!("{}/../data/robots/panda.urdf", env!("CARGO_MANIFEST_DIR")));
    let robot = Robot::load(file)?.value;
    let hand = robot.link_id("link7")?;
    let mut states = Vec::new();
    for seed in 0..CONFIGS {
        let mut state = State::new(&robot);
        state.set_config(&robot, &kinematics::sample(&robot, seed, 1.0))?;
        states.push(state);
    }
    let home = vec![0.0; robot.n_dofs()];
    for (name, speed) in [("free", 0.2), ("saturated", 3.0)] {
        let options = DifferentialOptions::default()
            .with_dt(0.01)
            .with_velocity_limits(vec![[-1.0, 1.0]; robot.n_dofs()]);
        let direction = Vector::new(0.6, -0.5, 0.4);
        let task = VelocityTask::point(hand, Point::origin(), direction * speed)
            .with_angular(direction * speed);
        let mut solver = DifferentialSolver::new(&robot, &options)?;
        let kinds = [
            "pose",
            "pose and posture by weight",
            "position before posture",
            "position in a box before posture",
            "all made anew",
        ];
        for (kind, label) in kinds.into_iter().enumerate() {
            let (mut times, mut active) = (Vec::new(), 0);
            let mut problem = VelocityProblem::new(&robot, [task]);
            if kind == 2 || kind == 3 {
                problem = VelocityProblem::new(
                    &robot,
                    [VelocityTask::point(
                        hand,
                        Point::origin(),
                        direction * speed,
                    )],
                );
            }
            if (1..4).contains(&kind) {
                problem.joints =
                    vec![JointVelocityTask::new(home.clone()).with_level(usize::from(kind > 1))];
            }
            for _ in 0..20 {
                active = 0;
                for (state, next) in states.iter().zip(states.iter().cycle().skip(1)) {
                    if (1..4).contains(&kind) {
                        let ends = next.config().iter().zip(state.config());
                        for (dq, (a, b)) in problem.joints[0].dq.iter_mut().zip(ends) {
                            *dq = 0.2 * (a - b);
                        }
                    }
                    let begin = Instant::now();
                    problem.constraints.clear();
                    if kind == 3 {
                        for wall in PositionBarrier::in_box(
                            hand,
                            &Point::new(-0.3, -0.5, 0.1),
                            &Point::new(0.5, 0.5, 0.9),
                        ) {
                            wall.add_to(&robot, state, &mut problem.constraints)?;
                        }
                    }
                    let found = if kind == 4 {
                        &ik::differential(&robot, state, &problem.tasks, &options)?
                    } else {
                        solver.solve(state, &problem)?
                    };
                    let is_active =
                        !found.active_limits.is_empty() || !found.active_constraints.is_empty();
                    active += u32::from(is_active);
                    times.push(begin.elapsed().as_secs_f64() * 1e6);
                }
            }
            times.sort_by(f64::total_cmp);
            let line = json!({
                "problem": format!("{label}, {name}"),
                "median_us": times[times.len() / 2],
                "p99_us": times[times.len() * 99 / 100],
                "least_us": times[0],
                "active": f64::from(active) / CONFIGS as f64,
            });
            println!("{line}");
        }
    }
    Ok(())
}
