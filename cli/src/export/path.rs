//! Times for the waypoints of a path.

use kinworld::Robot;
use kinworld::kinematics::Samples;
use kinworld::planning::{RobotTrajectory, Trajectory};
use kinworld::robot::LinkMotion;
use kinworld::world::RobotRef;

use crate::request::Refusal;

/// Samples of a path along which each joint keeps its speed limit, and at most 1 rad/s or 0.5 m/s: 30 per second, but no more than
/// [`MOST`].
pub(crate) fn timed(robot: RobotRef<'_>, waypoints: &[Vec<f64>]) -> Result<Samples, Refusal> {
    let model = robot.model();
    let mut times = vec![0.0];
    for pair in waypoints.windows(2) {
        let last = times.last().copied().unwrap_or_default();
        times.push(last + duration(model, &pair[0], &pair[1]));
    }
    sampled(robot, &Trajectory::new(times, waypoints.to_vec())?)
}

/// Samples of a trajectory.
pub(super) fn sampled(robot: RobotRef<'_>, trajectory: &Trajectory) -> Result<Samples, Refusal> {
    let of_robot = RobotTrajectory::new(robot.model(), trajectory)?;
    let fine = match trajectory.duration() > 0.0 {
        true => of_robot.discretized((1.0 / 30.0_f64).max(trajectory.duration() / MOST))?,
        false => trajectory.clone(),
    };
    // the last step may be shorter than the digits of its time
    let (mut times, mut q) = (Vec::new(), Vec::new());
    for (time, row) in fine.times().iter().zip(fine.milestones()) {
        if times.last().is_none_or(|last| time > last) {
            times.push(*time);
            q.push(row.clone());
        }
    }
    Ok(Samples::new(times, q))
}

/// The time from one waypoint to the next, s.
fn duration(robot: &Robot, from: &[f64], to: &[f64]) -> f64 {
    let links = robot.dofs().iter();
    let of_each = links.zip(robot.limits()).zip(from.iter().zip(to));
    let times = of_each.map(|((link, limits), (a, b))| {
        // a speed that eyes can follow
        let calm: f64 = match robot.link(*link).motion() {
            LinkMotion::Prismatic(_) => 0.5,
            _ => 1.0,
        };
        let fastest = match limits.v_max > 0.0 {
            true => calm.min(limits.v_max),
            false => calm,
        };
        (b - a).abs() / fastest
    });
    times.fold(SHORTEST, f64::max)
}

/// Most samples of a page.
const MOST: f64 = 5000.0;
/// Shortest time between two waypoints, s.
const SHORTEST: f64 = 1e-3;
