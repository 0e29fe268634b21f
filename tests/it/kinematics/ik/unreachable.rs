//! Unreachable poses: the solution is as near as possible.

use kinworld::kinematics::ik::{Objective, Options, Solver, Termination};
use kinworld::kinematics::{in_limits, sample};
use kinworld::math::so3;
use kinworld::{LinkId, Pose, Robot};

use super::{Lcg, config, somewhere};
use crate::common::files::data;

const ARMS: [&str; 4] = ["arm6.rob", "ur5.urdf", "panda.urdf", "puma560.urdf"];

/// Number of targets per arm; a thousand in all where `KINWORLD_FULL` is set.
fn count() -> u64 {
    if std::env::var_os("KINWORLD_FULL").is_some() {
        250
    } else {
        2
    }
}

fn load(file: &str) -> Robot {
    Robot::load(data("robots").join(file)).unwrap().value
}

fn end(robot: &Robot) -> LinkId {
    LinkId::new(robot.links().len() - 1)
}

/// A pose beyond the farthest sampled position of the hand, with a random orientation.
fn beyond(robot: &Robot, seed: u64) -> Pose {
    let hand = end(robot);
    let place = |seed| somewhere(robot, seed).pose(robot, hand).translation.vector;
    let reach = (0..200).map(|seed| place(seed).norm()).fold(0.0, f64::max);
    let mut random = Lcg(seed);
    let _ = random.unit();
    let far = reach * (1.1 + 2.0 * random.unit());
    let mut target = somewhere(robot, seed).pose(robot, hand);
    target.translation.vector = target.translation.vector.normalize() * far;
    if seed.is_multiple_of(3) {
        target.rotation = so3::from_uniform([random.unit(), random.unit(), random.unit()]);
    }
    target
}

fn size(rows: &[f64]) -> f64 {
    rows.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn unreachable_poses_are_approached_as_near_as_by_a_long_search() {
    let long = Options::default()
        .with_restarts(400)
        .with_seed(99)
        .with_max_iterations(3000);
    for file in ARMS {
        let arm = load(file);
        let goal = |seed| [Objective::pose(end(&arm), &beyond(&arm, seed))];
        let mut short = Solver::new(&arm, &goal(0), &Options::default()).unwrap();
        let mut long = Solver::new(&arm, &goal(0), &long).unwrap();
        for seed in 0..count() {
            let [goal] = goal(seed);
            let start = sample(&arm, seed + 5000, 1.0);
            short.set_goal(0, &goal).unwrap();
            long.set_goal(0, &goal).unwrap();
            let (short, long) = (short.solve(&start).unwrap(), long.solve(&start).unwrap());
            assert_eq!(
                short.termination,
                Termination::NoProgress,
                "{file}, seed {seed}"
            );
            assert!(in_limits(&arm, &short.q));
            let (short, long) = (size(&short.residual), size(&long.residual));
            assert!(long > 0.01, "{file}, seed {seed}: it is in reach");
            assert!(
                short <= long * 1.01,
                "{file}, seed {seed}: {short} against {long}"
            );
        }
    }
}

/// Compass search, one degree of freedom at a time with shrinking steps: no derivatives, only poses of the library.
fn compass(robot: &Robot, target: &Pose, start: &[f64]) -> f64 {
    let missing = |q: &[f64]| {
        let pose = config(robot, q).pose(robot, end(robot));
        let off = pose.translation.vector - target.translation.vector;
        off.norm()
            .hypot(so3::distance(&pose.rotation, &target.rotation))
    };
    let (mut q, mut step) = (start.to_vec(), 0.5);
    let mut best = missing(&q);
    while step > 1e-4 {
        let mut is_better = false;
        for i in 0..q.len() {
            for sign in [1.0, -1.0] {
                let before = q[i];
                let limits = &robot.limits()[i];
                q[i] = (before + sign * step).min(limits.q_max).max(limits.q_min);
                let now = missing(&q);
                if now < best {
                    (best, is_better) = (now, true);
                } else {
                    q[i] = before;
                }
            }
        }
        if !is_better {
            step *= 0.5;
        }
    }
    best
}

#[test]
fn a_compass_search_comes_no_nearer() {
    for file in ["arm6.rob", "puma560.urdf"] {
        let arm = load(file);
        for seed in 0..count() {
            let target = beyond(&arm, seed);
            let goal = [Objective::pose(end(&arm), &target)];
            let mut solver = Solver::new(&arm, &goal, &Options::default()).unwrap();
            let found = solver.solve(&sample(&arm, seed, 1.0)).unwrap();
            let starts = (0..40).map(|start| sample(&arm, 7000 + start, 1.0));
            let other = starts.map(|start| compass(&arm, &target, &start));
            let other = other.fold(f64::INFINITY, f64::min);
            let ours = size(&found.residual);
            assert!(
                ours <= other * 1.000_001,
                "{file}, seed {seed}: {ours} against {other}"
            );

            // the compass search itself converges
            assert!(
                other <= ours * 1.1,
                "{file}, seed {seed}: {other} for {ours}"
            );
        }
    }
}
