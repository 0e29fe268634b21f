//! Time-optimal motions along paths.

mod motions;
mod optimal;
mod point_to_point;
mod smooth;

use kinworld::Robot;
use kinworld::planning::{MotionLimits, SmoothTrajectory};

use super::{cell, random_free};
use crate::common::random::Random;

fn limits(velocity: &[f64], acceleration: &[f64]) -> MotionLimits {
    let none = MotionLimits::new(velocity.len());
    let limits = none.with_velocity(velocity).unwrap();
    limits.with_acceleration(acceleration).unwrap()
}

fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + 0.5 * (random.unit() + 1.0) * (high - low)
}

/// Waypoints of a random path.
fn waypoints(random: &mut Random, dofs: usize, count: usize) -> Vec<Vec<f64>> {
    let mut row = || (0..dofs).map(|_| between(random, -1.5, 1.5)).collect();
    (0..count).map(|_| row()).collect()
}

/// The largest part of a limit that is used, from differences of configurations: the second road to `utilization`.
fn peaks(motion: &SmoothTrajectory, limits: &MotionLimits) -> [f64; 2] {
    let mut peaks = [0.0; 2];
    for pair in motion.knots().windows(2) {
        let step = (pair[1] - pair[0]) / 10.0;
        for k in 1..10 {
            let time = pair[0] + step * f64::from(k);
            let (before, here, after) = (
                motion.at(time - step),
                motion.at(time),
                motion.at(time + step),
            );
            for dof in 0..motion.n_dofs() {
                let velocity = (after[dof] - before[dof]) / (2.0 * step);
                let acceleration = (after[dof] - 2.0 * here[dof] + before[dof]) / (step * step);
                peaks[0] = f64::max(peaks[0], velocity.abs() / limits.velocity()[dof][1]);
                // differences of short steps are rounding
                if step > 1e-4 {
                    peaks[1] = f64::max(peaks[1], acceleration.abs() / limits.acceleration()[dof]);
                }
            }
        }
    }
    peaks
}

/// Distance of a point to a line between two others.
fn to_line(q: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let (mut along, mut square) = (0.0, 0.0);
    for i in 0..q.len() {
        along += (q[i] - a[i]) * (b[i] - a[i]);
        square += (b[i] - a[i]) * (b[i] - a[i]);
    }
    let u = (along / square).clamp(0.0, 1.0);
    let squares = (0..q.len()).map(|i| (a[i] + u * (b[i] - a[i]) - q[i]).powi(2));
    squares.sum::<f64>().sqrt()
}

fn arm() -> Robot {
    let data = crate::common::files::data("robots/arm6.urdf");
    Robot::load(data).unwrap().value
}
