//! IK along a path of poses, without joint jumps.

use super::{Anchor, Objective, Options, Solver, Termination};
use crate::kinematics::{State, check};
use crate::math::{Pose, se3};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// A path of a link through waypoints, and its step sizes.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Path {
    /// The link.
    pub link: LinkId,
    /// World poses of the link to pass through in order: straight lines between them, with uniform rotation.
    pub waypoints: Vec<Pose>,
    /// Largest distance between two poses of the path, m.
    pub max_distance: f64,
    /// Largest rotation between two poses of the path, rad.
    pub max_angle: f64,
    /// Smallest number of steps between two waypoints.
    pub min_steps: usize,
    /// Largest change of a degree of freedom in one step, rad or m: more would be a jump to another branch of
    /// solutions.
    pub max_change: f64,
    /// How often a step that fails is halved before the path ends there.
    pub max_halvings: u32,
}

impl Path {
    /// A path with steps of at most 5 cm and π/16, halved up to eight times, in which no degree of freedom
    /// changes by more than half a radian.
    #[must_use]
    pub fn new(link: LinkId, waypoints: impl Into<Vec<Pose>>) -> Self {
        Self {
            link,
            waypoints: waypoints.into(),
            max_distance: 0.05,
            max_angle: std::f64::consts::PI / 16.0,
            min_steps: 1,
            max_change: 0.5,
            max_halvings: 8,
        }
    }

    /// Sets the largest distance between two poses, m.
    #[must_use]
    pub fn with_max_distance(mut self, max_distance: f64) -> Self {
        self.max_distance = max_distance;
        self
    }

    /// Sets the largest rotation between two poses, rad.
    #[must_use]
    pub fn with_max_angle(mut self, max_angle: f64) -> Self {
        self.max_angle = max_angle;
        self
    }

    /// Sets the smallest number of steps between two waypoints.
    #[must_use]
    pub fn with_min_steps(mut self, min_steps: usize) -> Self {
        self.min_steps = min_steps;
        self
    }

    /// Sets the largest change of a degree of freedom in one step, rad or m.
    #[must_use]
    pub fn with_max_change(mut self, max_change: f64) -> Self {
        self.max_change = max_change;
        self
    }

    /// Sets how often a step that fails is halved.
    #[must_use]
    pub fn with_max_halvings(mut self, max_halvings: u32) -> Self {
        self.max_halvings = max_halvings;
        self
    }
}

/// Configurations along a path, as far as it could be followed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PathSolution {
    /// The configurations (n each) after each step; the start is not among them.
    pub configs: Vec<Vec<f64>>,
    /// World pose of the link in each of them.
    pub poses: Vec<Pose>,
    /// Number of waypoints that were reached.
    pub waypoints: usize,
    /// Reason why it ended: [`Termination::Reached`] at the last waypoint.
    pub termination: Termination,
}

/// Follows a path of poses from a configuration, each step from the solution of the one before.
///
/// Steps that fail are halved. Where halving does not help, because of a limit, a singularity or the end of the
/// workspace, the result holds the configurations up to there.
///
/// # Errors
///
/// As [`solve`](super::solve), and [`Error::Invalid`] for step sizes that are not positive.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{self, Options, Path};
/// use kinworld::{Robot, State, Vector};
///
/// let arm = Robot::load("data/robots/arm6.rob")?.value;
/// let hand = arm.link_id("flange")?;
/// let q0 = [0.4, -0.3, 0.8, 0.2, 0.6, -0.1];
/// let mut state = State::new(&arm);
/// state.set_config(&arm, &q0)?;
///
/// // 10 cm down, straight
/// let mut target = state.pose(&arm, hand);
/// target.translation.vector -= Vector::z() * 0.1;
/// let solution = ik::solve_path(&arm, &Path::new(hand, [target]), &q0, &Options::default())?;
/// assert_eq!((solution.waypoints, solution.configs.len()), (1, 2));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn solve_path(
    robot: &Robot,
    path: &Path,
    q0: &[f64],
    options: &Options,
) -> Result<PathSolution> {
    check("configuration", robot, q0)?;
    for (what, x) in [
        ("max_distance", path.max_distance),
        ("max_angle", path.max_angle),
        ("max_change", path.max_change),
    ] {
        if x.is_nan() || x <= 0.0 {
            return Err(Error::invalid(what, format!("is {x}, it must be above 0")));
        }
    }
    let goal = |pose: &Pose| Objective::pose(path.link, pose).relative_to(Anchor::World);
    path.waypoints
        .iter()
        .try_for_each(|pose| goal(pose).check(robot))?;
    let mut solution = PathSolution {
        configs: Vec::new(),
        poses: Vec::new(),
        waypoints: 0,
        termination: Termination::Reached,
    };
    let mut state = State::new(robot);
    state.set_config(robot, q0)?;
    let (mut q, mut here) = (q0.to_vec(), state.pose(robot, path.link));
    let options = Options {
        restarts: 0,
        ..options.clone()
    };
    let mut solver =
        Solver::new(robot, &[goal(&here)], &options)?.with_max_deviation(path.max_change)?;
    for waypoint in &path.waypoints {
        // the poses that are left, the next one last
        let mut left = subdivide(&here, waypoint, path.max_angle, path.max_distance);
        if left.len() < path.min_steps {
            left = equal_steps(&here, waypoint, path.min_steps);
        }
        left.reverse();
        let mut halvings = 0_u32;
        while let Some(target) = left.last() {
            solver.set_goal(0, &goal(target))?;
            let found = solver.solve(&q)?;
            if found.is_success() {
                here = *target;
                q.clone_from(&found.q);
                solution.configs.push(found.q);
                solution.poses.push(here);
                left.pop();
                halvings = halvings.saturating_sub(1);
            } else if halvings < path.max_halvings {
                let half = se3::interpolate(&here, target, 0.5);
                left.push(half);
                halvings += 1;
            } else {
                solution.termination = found.termination;
                return Ok(solution);
            }
        }
        solution.waypoints += 1;
    }
    Ok(solution)
}

/// Poses that divide the motion from `a` to `b` into equal steps, each at most `max_distance` (m) long and
/// `max_angle` (rad) wide; without `a`, with `b`.
///
/// At least one pose and at most a million.
#[must_use]
pub fn subdivide(a: &Pose, b: &Pose, max_angle: f64, max_distance: f64) -> Vec<Pose> {
    let motion = se3::error(b, a);
    let pieces = (motion.angular.norm() / max_angle).max(motion.linear.norm() / max_distance);

    // rounding must not make two steps of one; NaN counts as one
    let pieces = (pieces - 1e-9).ceil().clamp(1.0, 1e6);
    equal_steps(a, b, if pieces.is_nan() { 1 } else { pieces as usize })
}

fn equal_steps(a: &Pose, b: &Pose, n: usize) -> Vec<Pose> {
    let at = |i: usize| {
        if i == n {
            *b
        } else {
            se3::interpolate(a, b, i as f64 / n as f64)
        }
    };
    (1..=n.min(1_000_000)).map(at).collect()
}
