//! IK along paths, and velocities for control loops.

use kinworld::kinematics::ik::{
    self, DifferentialOptions, Options, Path, Termination, VelocityTask,
};
use kinworld::math::{Motion, se3, so3};
use kinworld::{DofId, Point, Pose, Robot, Vector, kinematics};
use nalgebra::{DMatrix, DVector};

use super::{Lcg, config, somewhere};
use crate::common::files::data;

fn load(file: &str) -> Robot {
    Robot::load(data("robots").join(file)).unwrap().value
}

#[test]
fn a_path_is_followed_straight_and_without_a_jump() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let q0 = [0.1, -0.5, 0.2, -1.8, 0.1, 1.6, 0.3];
    let start = config(&arm, &q0).pose(&arm, hand);
    let mut target = start;
    target.translation.vector += Vector::new(0.1, -0.15, -0.1);
    target.rotation = so3::from_rotation_vector(&Vector::new(0.2, 0.3, -0.1)) * target.rotation;
    let path = Path::new(hand, [target, start]);
    let solution = ik::solve_path(&arm, &path, &q0, &Options::default()).unwrap();
    assert_eq!(
        (solution.termination, solution.waypoints),
        (Termination::Reached, 2)
    );
    assert!(solution.configs.len() >= 8);
    let mut before = q0.to_vec();
    for (q, pose) in solution.configs.iter().zip(&solution.poses) {
        let here = config(&arm, q).pose(&arm, hand);
        assert!((here.to_homogeneous() - pose.to_homogeneous()).amax() < 3e-9);
        assert!(
            q.iter()
                .zip(&before)
                .all(|(a, b)| (a - b).abs() <= 0.5 + 1e-12)
        );
        before.clone_from(q);

        // on the line between the waypoints
        let (a, b) = (start.translation.vector, target.translation.vector);
        let error = (here.translation.vector - a)
            .cross(&(b - a).normalize())
            .norm();
        assert!(error < 1e-8, "{error:e}");
    }
}

#[test]
fn a_path_that_leaves_the_workspace_ends_at_its_boundary() {
    let arm = load("arm6.rob");
    let hand = arm.link_id("flange").unwrap();
    let q0 = [0.4, -0.3, 0.8, 0.2, 0.6, -0.1];
    let mut target = config(&arm, &q0).pose(&arm, hand);
    target.translation.vector += Vector::x() * 10.0;
    let path = Path::new(hand, [target]);
    let solution = ik::solve_path(&arm, &path, &q0, &Options::default()).unwrap();
    assert_eq!(solution.waypoints, 0);
    assert_ne!(solution.termination, Termination::Reached);
    assert!(!solution.configs.is_empty());
}

#[test]
fn a_motion_is_divided_into_enough_steps() {
    let a = Pose::identity();
    let b = Pose::new(Vector::new(0.3, 0.0, 0.0), Vector::new(0.0, 0.0, 1.0));
    let pieces = ik::subdivide(&a, &b, 0.25, 1.0);
    assert_eq!(pieces.len(), 4);
    assert_eq!(ik::subdivide(&a, &b, 10.0, 0.1).len(), 3);
    assert_eq!(ik::subdivide(&a, &b, 10.0, 10.0), [b]);
    assert_eq!(pieces[3], b);
    let mut before = a;
    for pose in pieces {
        let piece = se3::error(&pose, &before);
        assert!((piece.angular.norm() - 0.25).abs() < 1e-12);
        assert!((piece.linear.norm() - 0.075).abs() < 1e-12);
        before = pose;
    }
}

#[test]
fn invalid_paths_are_refused() {
    let arm = load("planar3R.rob");
    let hand = arm.link_id("link2").unwrap();
    let message = |path: &Path| {
        let refused = ik::solve_path(&arm, path, &[0.0; 3], &Options::default());
        refused.unwrap_err().to_string()
    };
    let mut path = Path::new(hand, [Pose::identity()]);
    path.max_angle = 0.0;
    assert_eq!(message(&path), "max_angle: is 0, it must be above 0");
    path.max_angle = 1.0;
    path.waypoints[0].translation.x = f64::NAN;
    assert!(message(&path).contains("not finite"));
}

/// The minimum over all 3ⁿ active sets.
fn by_brute_force(h: &DMatrix<f64>, g: &DVector<f64>, lower: &[f64], upper: &[f64]) -> f64 {
    let n = g.len();
    let cost = |d: &DVector<f64>| 0.5 * d.dot(&(h * d)) + g.dot(d);
    let mut best = f64::INFINITY;
    for code in 0..3_usize.pow(u32::try_from(n).unwrap()) {
        let kind = |k: usize| code / 3_usize.pow(u32::try_from(k).unwrap()) % 3;
        let mut d = DVector::from_fn(n, |k, _| match kind(k) {
            0 => 0.0,
            1 => lower[k],
            _ => upper[k],
        });
        let free: Vec<usize> = (0..n).filter(|&k| kind(k) == 0).collect();
        if !free.is_empty() {
            let right = -(g + h * &d);
            let part = DMatrix::from_fn(free.len(), free.len(), |i, j| h[(free[i], free[j])]);
            let right = DVector::from_fn(free.len(), |i, _| right[free[i]]);
            let solved = part.cholesky().unwrap().solve(&right);
            for (i, &k) in free.iter().enumerate() {
                d[k] = solved[i];
            }
        }
        if (0..n).all(|k| lower[k] - 1e-12 <= d[k] && d[k] <= upper[k] + 1e-12) {
            best = best.min(cost(&d));
        }
    }
    best
}

#[test]
fn velocities_are_optimal_within_limits() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let mut random = Lcg(9);
    let mut at_limit = 0;
    for seed in 0..40 {
        let state = somewhere(&arm, seed);
        let mut vector = |size: f64| {
            let mut x = || (2.0 * random.unit() - 1.0) * size;
            Vector::new(x(), x(), x())
        };
        let twist = Motion {
            angular: vector(2.0),
            linear: vector(1.0),
        };
        let options = DifferentialOptions::default()
            .with_velocity_limits([[-0.8, 1.0]; 7])
            .with_damping(1e-3)
            .with_dt(0.1);
        let found =
            ik::differential(&arm, &state, &[VelocityTask::twist(hand, &twist)], &options).unwrap();
        at_limit += found.active_limits.len();

        let (mut lower, mut upper) = (vec![0.0; 7], vec![0.0; 7]);
        for (k, limits) in arm.limits().iter().enumerate() {
            let q = state.config()[k];
            lower[k] = ((limits.q_min - q) / 0.1).max(-0.8);
            upper[k] = ((limits.q_max - q) / 0.1).min(1.0);
            assert!(lower[k] <= found.dq[k] && found.dq[k] <= upper[k]);
        }
        let jacobian = kinematics::jacobian(&arm, &state, hand, &Point::origin());
        let wanted = DVector::from_iterator(6, twist.angular.iter().chain(&twist.linear).copied());
        let h = jacobian.transpose() * &jacobian + DMatrix::identity(7, 7) * 1e-3;
        let g = -(jacobian.transpose() * &wanted);
        let dq = DVector::from_column_slice(&found.dq);
        let ours = 0.5 * dq.dot(&(&h * &dq)) + g.dot(&dq);
        let best = by_brute_force(&h, &g, &lower, &upper);
        assert!(
            (ours - best).abs() < 1e-9 * (1.0 + best.abs()),
            "{ours} against {best}"
        );

        // the residual is achieved minus target velocity, linear rows first
        let missing = jacobian * dq - wanted;
        for k in 0..3 {
            assert!((found.residual[k] - missing[3 + k]).abs() < 1e-12);
            assert!((found.residual[3 + k] - missing[k]).abs() < 1e-12);
        }
    }
    assert!(at_limit > 20);
}

#[test]
fn a_joint_beyond_its_limit_returns() {
    let arm = load("panda.urdf");
    let hand = arm.link_id("link7").unwrap();
    let state = config(&arm, &[3.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0]);
    let at_rest = VelocityTask::twist(
        hand,
        &Motion {
            angular: Vector::zeros(),
            linear: Vector::zeros(),
        },
    );
    let options = DifferentialOptions::default().with_velocity_limits([[-0.5, 0.5]; 7]);
    let found = ik::differential(&arm, &state, &[at_rest], &options).unwrap();
    assert!((found.dq[0] + 0.5).abs() < 1e-15, "{:?}", found.dq);

    let chosen = DifferentialOptions::default().with_active([DofId::new(2)]);
    let task = VelocityTask::point(hand, Point::origin(), Vector::x());
    let found = ik::differential(&arm, &state, &[task], &chosen).unwrap();
    assert!(
        found
            .dq
            .iter()
            .enumerate()
            .all(|(k, v)| k == 2 || v.abs() < 1e-300)
    );
}

#[test]
fn invalid_velocity_tasks_are_refused() {
    let arm = load("planar3R.rob");
    let state = config(&arm, &[0.1; 3]);
    let task = VelocityTask::point(arm.link_id("link2").unwrap(), Point::origin(), Vector::x());
    let message = |task: VelocityTask, options: &DifferentialOptions| {
        let refused = ik::differential(&arm, &state, &[task], options);
        refused.unwrap_err().to_string()
    };
    let base = DifferentialOptions::default;
    assert!(message(task.with_weight(0.0), &base()).contains("above zero"));
    assert!(message(task, &base().with_dt(0.0)).contains("dt: is 0"));
    assert!(message(task, &base().with_damping(0.0)).contains("damping: is 0"));
    let short = base().with_velocity_limits([]);
    assert_eq!(
        message(task, &short),
        "velocity limits needs 3 values, got 0"
    );
}
