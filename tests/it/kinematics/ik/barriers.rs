//! Inequalities on velocities, and half-spaces in which points stay.

use kinworld::kinematics::ik::{
    DifferentialOptions, DifferentialSolver, JointVelocityTask, PositionBarrier,
    VelocityConstraints, VelocityProblem, VelocityTask,
};
use kinworld::{LinkId, Point, Robot, State, Vector};

use super::{config, somewhere};
use crate::common::files::data;
use crate::common::random::Random;

fn panda() -> Robot {
    Robot::load(data("robots/panda.urdf")).unwrap().value
}

#[test]
fn what_cannot_be_met_is_violated_least() {
    let arm = panda();
    let hand = arm.link_id("link7").unwrap();
    let mut random = Random::new(5);
    let (lower, upper) = (-0.4, 0.5);
    let options = DifferentialOptions::default()
        .with_dt(f64::INFINITY)
        .with_velocity_limits([[lower, upper]; 7]);
    let mut solver = DifferentialSolver::new(&arm, &options).unwrap();
    let (mut impossible, mut at_limit, mut met) = (0, 0, 0);
    for seed in 0..300 {
        let state = somewhere(&arm, seed);
        let mut problem = VelocityProblem::new(
            &arm,
            [VelocityTask::point(hand, Point::origin(), random.vector())],
        );
        for _ in 0..2 + seed % 8 {
            let row: Vec<f64> = (0..7).map(|_| random.unit()).collect();
            problem.constraints.add(&row, random.unit() - 0.6).unwrap();
        }
        let found = solver.solve(&state, &problem).unwrap();
        assert!(found.is_optimal);
        let excess = problem.constraints.excess(&found.dq).unwrap();
        let is_met = excess.iter().all(|excess| *excess < 1e-9);
        assert_eq!(found.is_feasible(), is_met);
        if is_met {
            met += 1;
            continue;
        }
        impossible += 1;
        let largest = excess.iter().copied().fold(0.0, f64::max);
        assert!((found.violation - largest).abs() < 1e-15);

        // the gradient of the squares of the excesses is zero, or points out of the limits
        for k in 0..7 {
            let rows = problem.constraints.rows().zip(&excess);
            let gradient: f64 = rows
                .map(|((row, _), excess)| row[k] * excess.max(0.0))
                .sum();
            let dq = found.dq[k];
            assert!(lower <= dq && dq <= upper);
            let is_least = gradient.abs() < 1e-8
                || (dq <= lower && gradient > 0.0)
                || (dq >= upper && gradient < 0.0);
            assert!(is_least, "seed {seed}: {gradient} at {dq}");
            at_limit += usize::from(dq <= lower || dq >= upper);
        }
    }
    assert!(
        impossible > 30 && at_limit > 30 && met > 30,
        "{impossible} {at_limit} {met}"
    );
}

#[test]
fn a_row_that_nothing_can_move_is_named() {
    let arm = panda();
    let state = somewhere(&arm, 1);
    let mut problem = VelocityProblem::new(&arm, []);
    problem.constraints.add(&[0.0; 7], 1.0).unwrap();
    problem.constraints.add(&[0.0; 7], -0.25).unwrap();
    problem
        .constraints
        .add(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], -0.1)
        .unwrap();
    let mut solver = DifferentialSolver::new(&arm, &DifferentialOptions::default()).unwrap();
    let found = solver.solve(&state, &problem).unwrap();
    assert_eq!(
        (&found.violated_constraints[..], found.violation),
        (&[1][..], 0.25)
    );
    assert_eq!(found.active_constraints, [2]);
    assert!((found.dq[0] + 0.1).abs() < 1e-12 && found.dq[1..].iter().all(|dq| *dq == 0.0));
}

#[test]
fn a_point_stays_in_its_box() {
    let arm = panda();
    let hand = arm.link_id("link7").unwrap();
    let point = Point::new(0.02, 0.0, 0.1);
    let mut state = config(&arm, &[0.1, -0.5, 0.2, -1.8, 0.1, 1.6, 0.3]);
    let start = state.pose(&arm, hand) * point;
    let half = Vector::new(0.15, 0.1, 0.2);
    let walls = PositionBarrier::in_box(hand, &(start - half), &(start + half));
    let options = DifferentialOptions::default()
        .with_dt(0.005)
        .with_velocity_limits([[-2.0, 2.0]; 7]);
    let mut solver = DifferentialSolver::new(&arm, &options).unwrap();
    let (mut nearest, mut held, mut farthest) = (f64::INFINITY, 0, 0.0_f64);
    for step in 0..2000 {
        // a goal that wanders through the box and beyond it
        let t = f64::from(step) * 0.005;
        let goal = start + Vector::new((1.3 * t).sin(), (1.9 * t).cos(), (2.3 * t).sin()) * 0.3;
        let now = state.pose(&arm, hand) * point;
        let mut problem =
            VelocityProblem::new(&arm, [VelocityTask::point(hand, point, (goal - now) * 5.0)])
                .with_joints([JointVelocityTask::new(vec![0.0; 7]).with_level(1)]);
        for wall in &walls {
            let wall = wall.with_point(point).with_gain(20.0);
            wall.add_to(&arm, &state, &mut problem.constraints).unwrap();
        }
        let found = solver.solve(&state, &problem).unwrap();
        assert!(found.is_feasible() && found.is_optimal);
        held += usize::from(!found.active_constraints.is_empty());
        let q: Vec<f64> = state
            .config()
            .iter()
            .zip(&found.dq)
            .map(|(q, dq)| q + 0.005 * dq)
            .collect();
        state.set_config(&arm, &q).unwrap();
        let way = state.pose(&arm, hand) * point - start;
        let inside = (half - way.abs()).min();
        nearest = nearest.min(inside);
        farthest = farthest.max(way.norm());
    }
    assert!(nearest > -1e-3, "{nearest}");
    assert!(
        nearest < 5e-3 && held > 300 && farthest > 0.1,
        "{nearest} {held} {farthest}"
    );
}

#[test]
fn a_point_beyond_its_plane_returns_at_the_rate_of_the_gain() {
    let arm = panda();
    let hand = arm.link_id("link7").unwrap();
    let mut state = config(&arm, &[0.1, -0.5, 0.2, -1.8, 0.1, 1.6, 0.3]);
    let height = state.pose(&arm, hand).translation.z;
    let floor = PositionBarrier::new(hand, Vector::z() * 2.0, 2.0 * (height + 0.05)).with_gain(4.0);
    let mut solver = DifferentialSolver::new(&arm, &DifferentialOptions::default()).unwrap();
    for step in 1..=200 {
        let mut problem = VelocityProblem::new(&arm, []);
        floor
            .add_to(&arm, &state, &mut problem.constraints)
            .unwrap();
        let found = solver.solve(&state, &problem).unwrap();
        assert!(found.is_feasible());
        let q: Vec<f64> = state
            .config()
            .iter()
            .zip(&found.dq)
            .map(|(q, dq)| q + 0.005 * dq)
            .collect();
        state.set_config(&arm, &q).unwrap();
        let below = height + 0.05 - state.pose(&arm, hand).translation.z;
        let expected = 0.05 * (1.0_f64 - 0.02).powi(step);
        assert!(
            (below - expected).abs() < 1e-4,
            "step {step}: {below} {expected}"
        );
    }
}

#[test]
fn what_says_nothing_is_refused_by_name() {
    let arm = panda();
    let state = somewhere(&arm, 1);
    let mut constraints = VelocityConstraints::new(7);
    let hand = arm.link_id("link7").unwrap();
    let refused = |result: kinworld::Result<()>| result.unwrap_err().to_string();
    let short = refused(constraints.add(&[1.0; 6], 0.0));
    assert_eq!(short, "row of velocity constraints needs 7 values, got 6");
    let nan = refused(constraints.add(&[f64::NAN; 7], 0.0));
    assert_eq!(
        nan,
        "velocity constraints: row 0 has a number that is not finite"
    );
    let infinite = refused(constraints.add(&[1.0; 7], f64::INFINITY));
    assert_eq!(infinite, nan);
    let mut barrier =
        |barrier: PositionBarrier| refused(barrier.add_to(&arm, &state, &mut constraints));
    let up = PositionBarrier::new(hand, Vector::z(), 0.0);
    assert!(barrier(up.with_gain(0.0)).contains("its gain is 0, it must be finite and above 0"));
    assert!(
        barrier(PositionBarrier::new(hand, Vector::zeros(), 0.0))
            .contains("its normal has length 0")
    );
    assert!(barrier(PositionBarrier::new(hand, Vector::z(), f64::NAN)).contains("must be finite"));
    assert!(
        barrier(PositionBarrier::new(LinkId::new(99), Vector::z(), 0.0))
            .contains("there is no link 99")
    );
    assert!(
        barrier(up.with_gain(f64::MAX).with_point(Point::new(9.0, 0.0, 1e9))).contains("too large")
    );
    assert!(constraints.is_empty());

    let mut solver = DifferentialSolver::new(&arm, &DifferentialOptions::default()).unwrap();
    let mut of = |problem: VelocityProblem| solver.solve(&state, &problem).unwrap_err().to_string();
    let base = || VelocityProblem::new(&arm, []);
    let other = of(base().with_constraints(VelocityConstraints::new(3)));
    assert_eq!(other, "rows of velocity constraints needs 7 values, got 3");
    let joints = of(base().with_joints([JointVelocityTask::new([f64::NAN; 7])]));
    assert_eq!(
        joints,
        "joint velocity task: value 0 is NaN, it must be finite"
    );
    let weights =
        of(base().with_joints([JointVelocityTask::new([0.0; 7]).with_weights([-1.0; 7])]));
    assert!(weights.contains("finite and not negative"), "{weights}");
    let huge = VelocityTask::point(hand, Point::origin(), Vector::x() * f64::MAX).with_weight(2.0);
    assert!(of(VelocityProblem::new(&arm, [huge])).contains("too large"));
    let swapped = DifferentialOptions::default().with_velocity_limits([[1.0, -1.0]; 7]);
    let swapped = DifferentialSolver::new(&arm, &swapped)
        .unwrap_err()
        .to_string();
    assert_eq!(
        swapped,
        "velocity limits: the lower one of degree of freedom 0, 1, is above the upper one, -1"
    );
}

#[test]
fn a_step_that_fails_leaves_the_last_solution() {
    let arm = panda();
    let state = somewhere(&arm, 1);
    let mut solver = DifferentialSolver::new(&arm, &DifferentialOptions::default()).unwrap();
    let hand = arm.link_id("link7").unwrap();
    let task = VelocityTask::point(hand, Point::origin(), Vector::x() * 0.1);
    let problem = VelocityProblem::new(&arm, [task]);
    let before = solver.solve(&state, &problem).unwrap().clone();

    let other = panda();
    let foreign = solver.solve(&State::new(&other), &problem).unwrap_err();
    assert!(foreign.to_string().contains("another robot"), "{foreign}");
    let large = VelocityTask::point(hand, Point::origin(), Vector::x() * 1e300).with_weight(1e300);
    let large = solver.solve(&state, &VelocityProblem::new(&arm, [large]));
    assert!(large.unwrap_err().to_string().contains("too large"));
    assert_eq!(*solver.solution(), before);
}

#[cfg(feature = "serde")]
#[test]
fn constraints_from_files_have_the_lengths_that_they_say() {
    let mut constraints = VelocityConstraints::new(2);
    constraints.add(&[1.0, -0.5], 0.25).unwrap();
    let text = serde_json::to_string(&constraints).unwrap();
    assert_eq!(text, r#"{"n_dofs":2,"rows":[[1.0,-0.5]],"bounds":[0.25]}"#);
    let read = |text: &str| serde_json::from_str::<VelocityConstraints>(text);
    assert_eq!(read(&text).unwrap(), constraints);
    for (wrong, problem) in [
        (
            r#"{"n_dofs":3,"rows":[[1.0,-0.5]],"bounds":[0.25]}"#,
            "row of velocity constraints needs 3 values",
        ),
        (
            r#"{"n_dofs":2,"rows":[[1.0,-0.5]],"bounds":[]}"#,
            "bounds of velocity constraints needs 1 values",
        ),
    ] {
        let refused = read(wrong).unwrap_err().to_string();
        assert!(refused.contains(problem), "{refused}");
    }
}
