//! Velocities by levels of priority, against an enumeration of all active sets.

use kinworld::kinematics::ik::{
    self, DifferentialOptions, DifferentialSolver, JointVelocityTask, VelocityConstraints,
    VelocityProblem, VelocitySolution, VelocityTask,
};
use kinworld::{DofId, LinkId, Point, Robot, State, kinematics};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;

use super::{config, somewhere};
use crate::common::files::data;
use crate::common::random::Random;
use random_robots::{any_robot, cases};

const DAMPING: f64 = 1e-4;

fn load(file: &str) -> Robot {
    Robot::load(data("robots").join(file)).unwrap().value
}

fn solve(
    robot: &Robot,
    state: &State,
    problem: &VelocityProblem,
    options: &DifferentialOptions,
) -> VelocitySolution {
    let mut solver = DifferentialSolver::new(robot, options).unwrap();
    solver.solve(state, problem).unwrap().clone()
}

/// Rows and targets of a task, from the Jacobian.
fn rows(
    robot: &Robot,
    state: &State,
    task: &VelocityTask,
    dofs: &[usize],
) -> (DMatrix<f64>, DVector<f64>) {
    let jacobian = kinematics::jacobian(robot, state, task.link, &task.p_link);
    let (mut picked, mut target) = (Vec::new(), Vec::new());
    for (top, part) in [(3, task.linear), (0, task.angular)] {
        for (k, v) in part.iter().flat_map(|v| v.iter()).enumerate() {
            picked.push(jacobian.row(top + k).select_columns(dofs) * task.weight);
            target.push(v * task.weight);
        }
    }
    let rows = DMatrix::from_fn(picked.len(), dofs.len(), |i, j| picked[i][j]);
    (rows, DVector::from_vec(target))
}

/// The minimum of `½ |A x − b|² + ½ DAMPING |x|²` with `E x = e` and `C x ≤ c`, by trying every set of constraints as
/// equalities: the best of those points that are within all of them.
fn by_enumeration(
    (a, b): (&DMatrix<f64>, &DVector<f64>),
    (e, e_right): (&DMatrix<f64>, &DVector<f64>),
    (c, c_right): (&DMatrix<f64>, &DVector<f64>),
) -> (f64, DVector<f64>) {
    let m = a.ncols();
    let cost =
        |x: &DVector<f64>| 0.5 * (a * x - b).norm_squared() + 0.5 * DAMPING * x.norm_squared();
    let mut best = (f64::INFINITY, DVector::zeros(m));
    for set in 0..1_usize << c.nrows() {
        let chosen: Vec<usize> = (0..c.nrows()).filter(|i| set >> i & 1 == 1).collect();
        if chosen.len() > m {
            continue;
        }
        let n = e.nrows() + chosen.len();
        let mut equal = DMatrix::zeros(n, m);
        let mut right = DVector::zeros(n);
        for i in 0..e.nrows() {
            equal.set_row(i, &e.row(i));
            right[i] = e_right[i];
        }
        for (i, &k) in chosen.iter().enumerate() {
            equal.set_row(e.nrows() + i, &c.row(k));
            right[e.nrows() + i] = c_right[k];
        }

        // a point on the equalities, and an orthonormal basis along them
        let square = DMatrix::from_fn(m.max(n), m, |i, j| if i < n { equal[(i, j)] } else { 0.0 });
        let svd = square.svd(false, true);
        let v = svd.v_t.unwrap().transpose();
        let rank = svd.singular_values.iter().filter(|s| **s > 1e-9).count();
        let x = if n == 0 {
            DVector::zeros(m)
        } else {
            equal.clone().svd(true, true).solve(&right, 1e-9).unwrap()
        };
        if (&equal * &x - &right).amax() > 1e-8 {
            continue;
        }
        let z = v.columns(rank, m - rank).into_owned();
        let mut end = x.clone();
        if z.ncols() > 0 {
            let h = z.transpose() * (a.transpose() * a + DMatrix::identity(m, m) * DAMPING) * &z;
            let g = z.transpose() * (a.transpose() * (a * &x - b) + &x * DAMPING);
            end -= &z * h.cholesky().unwrap().solve(&g);
        }
        if (c * &end - c_right).iter().all(|excess| *excess < 1e-8) && cost(&end) < best.0 {
            best = (cost(&end), end);
        }
    }
    best
}

#[test]
fn every_level_is_at_its_minimum_and_disturbs_none_before() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let elbow = arm.link_id("link4").unwrap();
    let dofs = [0, 1, 3, 5];
    let mut random = Random::new(11);
    let options = DifferentialOptions::default()
        .with_damping(DAMPING)
        .with_dt(f64::INFINITY)
        .with_velocity_limits([[-0.6, 0.9]; 7])
        .with_active(dofs.map(DofId::new));
    let (mut at_limits, mut rows_held, mut moved) = (0, 0, 0);
    for seed in 0..12 {
        let state = somewhere(&arm, seed);
        let first = VelocityTask::point(hand, Point::new(0.0, 0.0, 0.1), random.vector() * 0.4);
        let mut flat = first;
        if seed % 2 == 0 {
            flat = VelocityTask::point(elbow, Point::origin(), random.vector() * 0.3);
        }
        let second = VelocityTask::point(hand, Point::origin(), random.vector())
            .with_angular(random.vector())
            .with_weight(1.5)
            .with_level(3);
        let home: Vec<f64> = (0..7).map(|_| random.unit()).collect();
        let third = JointVelocityTask::new(home.clone()).with_level(usize::MAX);
        let mut constraints = VelocityConstraints::new(7);
        for _ in 0..2 {
            let row: Vec<f64> = (0..7).map(|_| random.unit()).collect();
            constraints.add(&row, 0.1 + 0.1 * random.unit()).unwrap();
        }
        let stages = [
            VelocityProblem::new(&arm, [flat]),
            VelocityProblem::new(&arm, [second, flat]),
            VelocityProblem::new(&arm, [second, flat]).with_joints([third]),
        ];
        let mut limits = DMatrix::zeros(10, 4);
        let mut limits_right = DVector::zeros(10);
        for k in 0..4 {
            (limits[(k, k)], limits_right[k]) = (1.0, 0.9);
            (limits[(4 + k, k)], limits_right[4 + k]) = (-1.0, 0.6);
        }
        for (i, (row, bound)) in constraints.rows().enumerate() {
            dofs.iter()
                .enumerate()
                .for_each(|(j, &dof)| limits[(8 + i, j)] = row[dof]);
            limits_right[8 + i] = bound;
        }

        let mut equal = DMatrix::zeros(0, 4);
        let mut right = DVector::zeros(0);
        let mut before: Option<DVector<f64>> = None;
        for (stage, problem) in stages.into_iter().enumerate() {
            let found = solve(
                &arm,
                &state,
                &problem.with_constraints(constraints.clone()),
                &options,
            );
            assert!(found.is_optimal && found.is_feasible());
            let x = DVector::from_iterator(4, dofs.iter().map(|&dof| found.dq[dof]));
            let (a, b) = match stage {
                0 => rows(&arm, &state, &flat, &dofs),
                1 => rows(&arm, &state, &second, &dofs),
                _ => (
                    DMatrix::identity(4, 4),
                    DVector::from_iterator(4, dofs.iter().map(|&dof| home[dof])),
                ),
            };
            assert!(
                (&equal * &x - &right).amax() < 1e-9 || equal.nrows() == 0,
                "level {stage} disturbs"
            );
            assert!((&limits * &x - &limits_right).max() < 1e-12);
            let (best, there) =
                by_enumeration((&a, &b), (&equal, &right), (&limits, &limits_right));
            let ours = 0.5 * (&a * &x - &b).norm_squared() + 0.5 * DAMPING * x.norm_squared();
            assert!(
                (ours - best).abs() < 1e-9 * (1.0 + best),
                "seed {seed}, level {stage}: {ours} against {best}"
            );
            assert!((&x - there).amax() < 1e-4, "seed {seed}, level {stage}");
            moved += usize::from(before.is_some_and(|before| (before - &x).amax() > 1e-3));
            before = Some(x.clone());
            at_limits += found.active_limits.len();
            rows_held += found.active_constraints.len();

            // from now on as achieved
            let done = &a * &x;
            let n = equal.nrows();
            equal = DMatrix::from_fn(n + a.nrows(), 4, |i, j| {
                if i < n { equal[(i, j)] } else { a[(i - n, j)] }
            });
            right = DVector::from_fn(
                n + a.nrows(),
                |i, _| if i < n { right[i] } else { done[i - n] },
            );
        }
    }
    assert!(
        at_limits > 10 && rows_held > 5 && moved > 3,
        "{at_limits} {rows_held} {moved}"
    );
}

#[test]
fn levels_are_what_weights_tend_to() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let mut random = Random::new(4);
    let options = DifferentialOptions::default()
        .with_dt(0.1)
        .with_velocity_limits([[-0.5, 0.5]; 7])
        .with_damping(1e-9);
    let mut limited = 0;
    for seed in 0..40 {
        let state = somewhere(&arm, seed);
        let first = VelocityTask::point(hand, Point::origin(), random.vector() * 0.4);
        let home = JointVelocityTask::new((0..7).map(|_| random.unit()).collect::<Vec<f64>>());
        let strict = VelocityProblem::new(&arm, [first]).with_joints([home.clone().with_level(1)]);
        let strict = solve(&arm, &state, &strict, &options);
        limited += strict.active_limits.len();
        let missed = |found: &VelocitySolution| {
            let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
            [square(&found.residual[..3]), square(&found.residual[3..])]
        };
        let [of_hand, of_home] = missed(&strict);
        for weight in [1e1, 1e2, 1e3] {
            let tasks = [first.with_weight(weight)];
            let heavy = VelocityProblem::new(&arm, tasks).with_joints([home.clone()]);
            let [hand, home] = missed(&solve(&arm, &state, &heavy, &options));

            // the first level is met no better with any weight, the second no worse, and what the first gives away is the
            // second's gain over the square of the weight at most
            assert!(
                hand > of_hand - 1e-9 && home < of_home + 1e-6,
                "seed {seed}"
            );
            let bound = (of_home - home) / (weight * weight) + 1e-9;
            assert!(
                hand - of_hand <= bound,
                "seed {seed}: {hand} {of_hand} {bound}"
            );
        }
    }
    assert!(limited > 40, "{limited}");
}

#[test]
fn a_level_that_cannot_move_changes_nothing() {
    let arm = load("arm6.urdf");
    let hand = LinkId::new(arm.links().len() - 1);
    let state = somewhere(&arm, 3);
    let full = VelocityTask::point(hand, Point::origin(), kinworld::Vector::new(0.1, -0.2, 0.1))
        .with_angular(kinworld::Vector::new(0.3, 0.1, -0.2));
    let options = DifferentialOptions::default();
    let alone = solve(&arm, &state, &VelocityProblem::new(&arm, [full]), &options);
    let home = JointVelocityTask::new(vec![1.0; 6]).with_level(1);
    let both = VelocityProblem::new(&arm, [full]).with_joints([home]);
    assert_eq!(solve(&arm, &state, &both, &options).dq, alone.dq);
    let of_list = ik::differential(&arm, &state, &[full], &options).unwrap();
    assert_eq!(of_list.dq, alone.dq);
}

/// Any problem: singular, over-determined, with huge and with tiny numbers.
#[derive(Debug, Clone)]
struct Anything {
    seed: u64,
    size: f64,
    damping: f64,
    gap: f64,
}

fn anything() -> impl Strategy<Value = Anything> {
    let sizes = prop_oneof![Just(0.0), Just(1e-12), 0.1..3.0_f64, Just(1e6), Just(1e40)];
    let damping = prop_oneof![Just(1e-12), Just(1e-6), Just(1.0)];
    (
        any::<u64>(),
        sizes,
        damping,
        prop_oneof![Just(0.0), 0.0..1.0_f64, Just(100.0)],
    )
        .prop_map(|(seed, size, damping, gap)| Anything {
            seed,
            size,
            damping,
            gap,
        })
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn velocities_are_finite_and_within_limits_whatever_is_asked(robot in any_robot(), what in anything()) {
        let n = robot.n_dofs();
        prop_assume!(n > 0);
        let mut random = Random::new(what.seed);
        // zero is singular for most, and some start beyond their limits
        let q: Vec<f64> = robot.limits().iter().map(|l| {
            let middle = if l.q_min.is_finite() && l.q_max.is_finite() { 0.5 * (l.q_min + l.q_max) } else { 0.0 };
            middle + random.unit() * what.gap
        }).collect();
        let state = config(&robot, &q);
        let mut problem = VelocityProblem::new(&robot, []);
        for _ in 0..random.below(4) {
            let link = LinkId::new(random.below(robot.links().len()));
            let mut task = VelocityTask::point(link, Point::from(random.vector()), random.vector() * what.size);
            if random.unit() > 0.0 {
                task = task.with_angular(random.vector() * what.size);
            }
            problem.tasks.push(task.with_level(random.below(3)).with_weight(random.unit().abs() + 1e-3));
        }
        if random.unit() > 0.0 {
            let weights = (0..n).map(|_| random.unit().max(0.0)).collect::<Vec<f64>>();
            let dq = (0..n).map(|_| random.unit() * what.size).collect::<Vec<f64>>();
            problem.joints.push(JointVelocityTask::new(dq).with_weights(weights).with_level(random.below(3)));
        }
        for _ in 0..random.below(6) {
            let scale = if random.unit() > 0.8 { 1e-9 } else { 1.0 };
            let row: Vec<f64> = (0..n).map(|_| if random.unit() > 0.3 { 0.0 } else { scale * random.unit() }).collect();
            let bound = scale * (random.unit() + 0.5);
            problem.constraints.add(&row, bound).unwrap();
            if random.unit() > 0.7 {
                // and against it
                let back: Vec<f64> = row.iter().map(|a| -a).collect();
                problem.constraints.add(&back, -bound + 0.5 * scale * random.unit()).unwrap();
            }
        }
        let velocity: Vec<[f64; 2]> = (0..n).map(|_| [-random.unit().abs(), random.unit().abs()]).collect();
        let options = DifferentialOptions::default().with_damping(what.damping).with_dt(0.1).with_velocity_limits(velocity.clone());
        let mut solver = DifferentialSolver::new(&robot, &options).unwrap();
        let found = match solver.solve(&state, &problem) {
            Ok(found) => found.clone(),
            Err(error) => {
                prop_assert!(what.size > 1e30, "{error}");
                return Ok(());
            }
        };
        prop_assert!(found.is_optimal, "{found:?}");
        prop_assert!(found.dq.iter().chain(&found.residual).all(|x| x.is_finite()));
        for (dof, dq) in found.dq.iter().enumerate() {
            let coupled = robot.drivers().iter().any(|driver| driver.kind.links().len() > 1);
            if coupled {
                continue;
            }
            let [min, max] = velocity[dof];
            prop_assert!(min <= *dq && *dq <= max, "velocity {dof}: {dq} beyond {min} … {max}");
            let (limits, end) = (&robot.limits()[dof], q[dof] + 0.1 * dq);
            let nearest = |x: f64| x.max(limits.q_min).min(limits.q_max);
            let excess = (end - nearest(end)).abs();
            prop_assert!(excess <= (q[dof] - nearest(q[dof])).abs() + 1e-12 * (1.0 + end.abs()), "position {dof}");
        }
        let excess = problem.constraints.excess(&found.dq).unwrap();
        for (i, excess) in excess.iter().enumerate() {
            prop_assert!(*excess < 1e-8 || found.violated_constraints.contains(&i), "row {i} by {excess}");
        }
        // the same again, whatever was asked in between
        let other = VelocityProblem::new(&robot, []);
        solver.solve(&state, &other).unwrap();
        prop_assert_eq!(solver.solve(&state, &problem).unwrap(), &found);
    }
}
