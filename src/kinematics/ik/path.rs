//! Along a path of poses, without a jump.

use super::{Anchor, Objective, Options, Solver, Stop};
use crate::kinematics::{State, check};
use crate::math::{Pose, se3};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// A path of a link, and how finely it is followed.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Path {
    /// The link.
    pub link: LinkId,
    /// The poses of the link in the world that it goes to, one after the other: straight on, its axes turning evenly.
    pub waypoints: Vec<Pose>,
    /// The longest piece, m.
    pub max_distance: f64,
    /// The largest turn of a piece, rad.
    pub max_angle: f64,
    /// The fewest pieces between two waypoints.
    pub min_steps: usize,
    /// How far a coordinate may go in one piece, rad or m: more would be a jump to another branch.
    pub max_change: f64,
    /// How often a piece that cannot be followed is halved before the path ends there.
    pub halvings: u32,
}

impl Path {
    /// Pieces of at most 5 cm and π/16, halved up to eight times, in which no coordinate goes further than half a radian.
    #[must_use]
    pub fn new(link: LinkId, waypoints: impl Into<Vec<Pose>>) -> Self {
        Self {
            link,
            waypoints: waypoints.into(),
            max_distance: 0.05,
            max_angle: std::f64::consts::PI / 16.0,
            min_steps: 1,
            max_change: 0.5,
            halvings: 8,
        }
    }
}

/// How far along a path a robot came.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Along {
    /// The configurations (n each), one behind each piece that was followed; the start is not among them.
    pub configs: Vec<Vec<f64>>,
    /// Where the link is in each of them.
    pub poses: Vec<Pose>,
    /// How many waypoints were reached.
    pub waypoints: usize,
    /// Why it ended: [`Stop::Reached`] at the last waypoint.
    pub stop: Stop,
}

/// Follows a path from a configuration, each piece from where the one before ended.
///
/// Pieces that cannot be followed are halved; where halving does not help, because of a limit, a singularity or the end
/// of the arm, the answer has what was reached until then.
///
/// # Errors
///
/// As [`solve`](super::solve), and for lengths and angles of pieces that are not above 0.
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
/// let way = ik::solve_along(&arm, &Path::new(hand, [target]), &q0, &Options::default())?;
/// assert_eq!((way.waypoints, way.configs.len()), (1, 2));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn solve_along(robot: &Robot, path: &Path, q0: &[f64], options: &Options) -> Result<Along> {
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
    let mut along = Along {
        configs: Vec::new(),
        poses: Vec::new(),
        waypoints: 0,
        stop: Stop::Reached,
    };
    let mut state = State::new(robot);
    state.set_config(robot, q0)?;
    let (mut q, mut here) = (q0.to_vec(), state.pose(robot, path.link));
    let options = Options {
        restarts: 0,
        ..options.clone()
    };
    let mut solver = Solver::new(robot, &[goal(&here)], &options)?.within(path.max_change)?;
    for waypoint in &path.waypoints {
        // the pieces that are left, the next one last
        let mut left = steps(&here, waypoint, path.max_angle, path.max_distance);
        if left.len() < path.min_steps {
            left = even(&here, waypoint, path.min_steps);
        }
        left.reverse();
        let mut halvings = 0_u32;
        while let Some(target) = left.last() {
            solver.set_goal(0, &goal(target))?;
            let found = solver.solve(&q)?;
            if found.is_success() {
                here = *target;
                q.clone_from(&found.q);
                along.configs.push(found.q);
                along.poses.push(here);
                left.pop();
                halvings = halvings.saturating_sub(1);
            } else if halvings < path.halvings {
                let half = se3::interpolate(&here, target, 0.5);
                left.push(half);
                halvings += 1;
            } else {
                along.stop = found.stop;
                return Ok(along);
            }
        }
        along.waypoints += 1;
    }
    Ok(along)
}

/// The poses of equal pieces from `a` to `b`, each at most so long and turned at most so far: without `a`, with `b`.
///
/// At least one; no more than a million, however small a piece may be.
#[must_use]
pub fn steps(a: &Pose, b: &Pose, max_angle: f64, max_distance: f64) -> Vec<Pose> {
    let way = se3::error(b, a);
    let pieces = (way.angular.norm() / max_angle).max(way.linear.norm() / max_distance);

    // rounding must not make two pieces of one; a number that is none counts as one
    let pieces = (pieces - 1e-9).ceil().clamp(1.0, 1e6);
    even(a, b, if pieces.is_nan() { 1 } else { pieces as usize })
}

fn even(a: &Pose, b: &Pose, n: usize) -> Vec<Pose> {
    let at = |i: usize| {
        if i == n {
            *b
        } else {
            se3::interpolate(a, b, i as f64 / n as f64)
        }
    };
    (1..=n.min(1_000_000)).map(at).collect()
}
