//! Several links on paths at the same time.

use super::CartesianPath;
use crate::kinematics::State;
use crate::kinematics::ik::{Anchor, Objective};
use crate::math::{Pose, se3};
use crate::robot::Robot;
use crate::{Error, Result};

/// Paths of links that begin and end together.
pub(super) struct Together<'a> {
    paths: &'a [CartesianPath],
    /// Length of the longest, m.
    pub(super) length: f64,
}

impl<'a> Together<'a> {
    pub(super) fn new(robot: &Robot, paths: &'a [CartesianPath]) -> Result<Self> {
        for (i, path) in paths.iter().enumerate() {
            // a link that the robot does not have has no name, and is refused with the first goals
            let is_there = path.link().index() < robot.links().len();
            if is_there && paths[..i].iter().any(|other| other.link() == path.link()) {
                let problem = format!("two are of `{}`", robot.link(path.link()).name());
                return Err(Error::invalid("Cartesian paths", problem));
            }
        }
        let length = paths.iter().map(CartesianPath::length).fold(0.0, f64::max);
        if length == 0.0 {
            return Err(Error::invalid("a Cartesian path", "has no piece"));
        }
        Ok(Self { paths, length })
    }

    /// Pose of a link at a parameter of the longest path.
    fn pose(&self, path: &CartesianPath, s: f64) -> Pose {
        path.at(s * (path.length() / self.length))
    }

    /// Poses of all links at a parameter of the longest path.
    pub(super) fn goals(&self, s: f64) -> Vec<Objective> {
        let goal = |path: &CartesianPath| {
            Objective::pose(path.link(), &self.pose(path, s)).relative_to(Anchor::World)
        };
        self.paths.iter().map(goal).collect()
    }

    /// Largest distance of a link from its path.
    pub(super) fn deviation(&self, robot: &Robot, state: &State, s: f64) -> f64 {
        let of = |path: &CartesianPath| {
            se3::distance(&state.pose(robot, path.link()), &self.pose(path, s))
        };
        self.paths.iter().map(of).fold(0.0, f64::max)
    }

    /// Parameters of the longest path at which a link stops, ascending, its end the last.
    pub(super) fn stops(&self) -> Vec<f64> {
        let moving = self.paths.iter().filter(|path| path.length() > 0.0);
        let scaled = |path: &'a CartesianPath| {
            let factor = self.length / path.length();
            path.stops().iter().map(move |stop| stop * factor)
        };
        let mut stops: Vec<f64> = moving.flat_map(scaled).collect();
        stops.sort_by(f64::total_cmp);
        // those of several links that differ by rounding are one
        stops.dedup_by(|later, kept| *later - *kept <= 1e-12 * self.length);
        if let Some(last) = stops.last_mut() {
            *last = self.length;
        }
        stops
    }
}
