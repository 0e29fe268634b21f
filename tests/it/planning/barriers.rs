//! Distances that arms keep in a control loop.

use kinworld::State;
use kinworld::kinematics::ik::{
    DifferentialOptions, DifferentialSolver, JointVelocityTask, VelocityProblem, VelocityTask,
};
use kinworld::planning::{CSpace, DistanceBarrier, NearPairs};
use kinworld::world::{EntityId, PairFilter, WorldCollider};

use super::{cell, random};

#[test]
fn every_near_pair_has_a_row_with_its_distance_and_gradient() {
    let space = cell();
    let arm = space.robots().next().unwrap();
    let collider = WorldCollider::new(space.world(), &PairFilter::default()).unwrap();
    let (mut ws, mut of_world) = (space.workspace(), collider.workspace());
    let (mut pairs, mut near) = (NearPairs::default(), 0);
    let barrier = DistanceBarrier::new(0.05).with_gain(4.0).with_within(0.5);
    for seed in 0..20 {
        let q = random(&space, seed);
        let mut problem = VelocityProblem::new(space.world().robot(arm).unwrap().model(), []);
        space
            .distance_barrier_with(&q, &barrier, &mut ws, &mut problem.constraints, &mut pairs)
            .unwrap();
        assert_eq!(pairs.pairs.len(), problem.constraints.len());

        // all pairs by themselves
        of_world.set_config(arm, &q).unwrap();
        let mut expected = Vec::new();
        for (a, b) in collider.pairs() {
            let found = collider.distance_with(a, b, &mut of_world).unwrap();
            let is_link = |id| matches!(id, EntityId::Link(..));
            if found.distance < 0.5 && (is_link(a) || is_link(b)) {
                expected.push((a, b, found.distance));
            }
        }
        let all = pairs.pairs.iter().chain(&pairs.overlapping);
        let mut found: Vec<_> = all.map(|pair| (pair.a, pair.b, pair.distance)).collect();
        let by_ids = |x: &(_, _, f64), y: &(_, _, f64)| (x.0, x.1).cmp(&(y.0, y.1));
        expected.sort_by(by_ids);
        found.sort_by(by_ids);
        // of elements of several shapes each near pair of shapes counts
        found.dedup_by(|next, first| {
            let is_same = (next.0, next.1) == (first.0, first.1);
            if is_same {
                first.2 = first.2.min(next.2);
            }
            is_same
        });
        assert_eq!(found, expected, "seed {seed}");

        // the nearest one is that of the clearance
        let clearance = space.clearance(&q).unwrap().unwrap();
        let rows: Vec<_> = problem.constraints.rows().collect();
        for (pair, (row, bound)) in pairs.pairs.iter().zip(&rows) {
            assert!((bound - 4.0 * (pair.distance - 0.05)).abs() < 1e-15);
            if *pair == clearance.nearest {
                let gradient: Vec<f64> = row.iter().map(|a| -a).collect();
                assert_eq!(gradient, clearance.gradient);
                near += 1;
            }
        }
    }
    assert!(near > 10, "{near}");
}

#[test]
fn an_arm_that_is_driven_into_things_keeps_its_distance() {
    let space = cell();
    let arm = space.robots().next().unwrap();
    let view = space.world().robot(arm).unwrap();
    let robot = view.model();
    let n = robot.n_dofs();
    let options = DifferentialOptions::default()
        .with_dt(0.02)
        .with_velocity_limits(vec![[-1.0, 1.0]; n]);
    let barrier = DistanceBarrier::new(0.03);
    let (mut ws, mut pairs) = (space.workspace(), NearPairs::default());
    let mut solver = DifferentialSolver::new(robot, &options).unwrap();
    let hand = kinworld::LinkId::new(robot.links().len() - 1);
    let (mut stopped, mut runs, mut blind) = (0, 0, 0);
    for seed in 0..30 {
        let q0 = random(&space, seed);
        let goal = random(&space, seed + 1000);
        let distance = |q: &[f64]| space.clearance(q).unwrap().unwrap().nearest.distance;
        if distance(&q0) < 0.04 {
            continue;
        }
        runs += 1;
        let mut state = State::new(robot);
        state.set_config(robot, &q0).unwrap();
        let mut least = f64::INFINITY;
        for _ in 0..100 {
            let q = state.config().to_vec();
            let home = JointVelocityTask::towards(&q, &goal, 5.0);
            let still = VelocityTask::twist(hand, &Default::default()).with_level(1);
            let mut problem = VelocityProblem::new(robot, [still]).with_joints([home]);
            space
                .distance_barrier_with(&q, &barrier, &mut ws, &mut problem.constraints, &mut pairs)
                .unwrap();
            let found = solver.solve(&state, &problem).unwrap();
            assert!(found.is_optimal);
            let q: Vec<f64> = q
                .iter()
                .zip(&found.dq)
                .map(|(q, dq)| q + 0.02 * dq)
                .collect();
            state.set_config(robot, &q).unwrap();
            least = least.min(distance(&q));
            stopped += usize::from(!found.active_constraints.is_empty());
        }
        assert!(least > 0.02, "seed {seed}: {least}");
        blind += usize::from(distance(&goal) < 0.02);
    }
    assert!(
        runs > 8 && stopped > 20 && blind > 0,
        "{runs} {stopped} {blind}"
    );
}

#[test]
fn barriers_that_say_nothing_are_refused() {
    let space = cell();
    let q = space.current();
    let (mut ws, mut pairs) = (space.workspace(), NearPairs::default());
    let mut problem = VelocityProblem::default();
    let mut refused = |barrier: DistanceBarrier, n: usize| {
        problem.constraints = kinworld::kinematics::ik::VelocityConstraints::new(n);
        let result = space.distance_barrier_with(
            &q,
            &barrier,
            &mut ws,
            &mut problem.constraints,
            &mut pairs,
        );
        result.unwrap_err().to_string()
    };
    let base = DistanceBarrier::new(0.1);
    assert!(refused(base.with_gain(-1.0), q.len()).contains("its gain is -1"));
    assert!(refused(base.with_within(0.1), q.len()).contains("must be above its margin of 0.1 m"));
    assert!(refused(DistanceBarrier::new(f64::NAN), q.len()).contains("its margin is NaN"));
    assert!(refused(base, q.len() + 1).starts_with("rows of velocity constraints needs"));
}
