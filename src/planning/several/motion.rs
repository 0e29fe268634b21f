//! Motions of several robots on one clock.

use std::ops::Range;

use crate::planning::{MotionLimits, PathMotion, RobotCSpace, Trajectory, Violation};
use crate::world::RobotId;
use crate::{Error, Result};

/// A motion of several robots on one clock, from 0 to its [`duration`](Self::duration).
///
/// Each robot moves in pieces, from rest to rest, and waits where it is before, between and after them. Configurations list
/// the degrees of freedom of the robots one after the other, as those of their [space](RobotCSpace).
#[derive(Debug, Clone, PartialEq)]
pub struct JointMotion {
    tracks: Vec<Track>,
    n_dofs: usize,
}

/// What the robots of a range of degrees of freedom do.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Track {
    pub(super) robots: Vec<RobotId>,
    pub(super) range: Range<usize>,
    /// The configuration before the first piece.
    pub(super) start: Vec<f64>,
    /// In order of time.
    pub(super) pieces: Vec<Piece>,
}

/// A part of a motion.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// Time at which it begins, s.
    pub(super) begins: f64,
    pub(super) along: PathMotion,
}

/// Most milestones.
const MOST: f64 = 1e7;

/// A wait that is shorter is none, s.
const SHORTEST_WAIT: f64 = 1e-9;

impl JointMotion {
    /// The motion of these tracks, whose ranges follow one another.
    pub(super) fn new(tracks: Vec<Track>) -> Self {
        let n_dofs = tracks.iter().map(|track| track.range.end).max();
        Self {
            n_dofs: n_dofs.unwrap_or(0),
            tracks,
        }
    }

    /// The motion of all robots of a space at once.
    pub(super) fn of_all(space: &RobotCSpace, along: PathMotion) -> Result<Self> {
        let start = along.motion.at(0.0);
        space.check_values(&start)?;
        Ok(Self::new(vec![Track {
            robots: space.ids(),
            range: 0..start.len(),
            start,
            pieces: vec![Piece { begins: 0.0, along }],
        }]))
    }

    /// Number of degrees of freedom of all robots, n.
    #[must_use]
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// Duration until the last robot arrives, s; 0 where none moves.
    #[must_use]
    pub fn duration(&self) -> f64 {
        let ends = self.tracks.iter().map(Track::end);
        ends.fold(0.0, f64::max)
    }

    /// Time at which a robot arrives, s: 0 for one that never moves, `None` for one that is not there.
    #[must_use]
    pub fn arrival(&self, robot: RobotId) -> Option<f64> {
        self.of(robot).map(Track::end)
    }

    /// The waits of a robot before it arrives, from and to, s; none for a robot that is not there.
    #[must_use]
    pub fn waits(&self, robot: RobotId) -> Vec<[f64; 2]> {
        let mut waits = Vec::new();
        let mut from = 0.0;
        for piece in self.of(robot).map_or(&[][..], |track| &track.pieces) {
            if piece.begins - from > SHORTEST_WAIT {
                waits.push([from, piece.begins]);
            }
            from = piece.end();
        }
        waits
    }

    /// Times between which the motion is smooth, sorted, s.
    #[must_use]
    pub fn knots(&self) -> Vec<f64> {
        let mut knots = vec![0.0];
        for piece in self.tracks.iter().flat_map(|track| &track.pieces) {
            knots.extend(piece.along.motion.knots().iter().map(|t| piece.begins + t));
        }
        knots.sort_unstable_by(f64::total_cmp);
        knots.dedup_by(|b, a| *b <= *a);
        knots
    }

    /// Configuration of all robots at a time (n).
    #[must_use]
    pub fn at(&self, time: f64) -> Vec<f64> {
        let [q, ..] = self.state_at(time);
        q
    }

    /// Velocity of all robots at a time (n).
    #[must_use]
    pub fn velocity_at(&self, time: f64) -> Vec<f64> {
        let [_, velocity, _] = self.state_at(time);
        velocity
    }

    /// Configuration, velocity and acceleration of all robots at a time (n each).
    #[must_use]
    pub fn state_at(&self, time: f64) -> [Vec<f64>; 3] {
        let mut state = [(); 3].map(|()| vec![0.0; self.n_dofs]);
        for track in &self.tracks {
            let of_track = track.state_at(time);
            for (out, values) in state.iter_mut().zip(of_track) {
                out[track.range.clone()].copy_from_slice(&values);
            }
        }
        state
    }

    /// A trajectory of all robots with a milestone every `step` seconds, and at the end: for programs that interpolate.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a step that is not positive or makes more than ten million milestones.
    pub fn discretized(&self, step: f64) -> Result<Trajectory> {
        let count = (self.duration() / step * (1.0 - ROUNDING)).ceil();
        if !(step > 0.0 && count <= MOST) {
            let problem = format!("{step} s is not positive, or too short for this motion");
            return Err(Error::invalid("the step of a trajectory", problem));
        }
        let ticks = (0..count as usize).map(|i| i as f64 * step);
        let times: Vec<f64> = ticks.chain([self.duration()]).collect();
        let milestones = times.iter().map(|&t| self.at(t)).collect();
        Trajectory::new(times, milestones)
    }

    /// The first violation of a limit of velocity, acceleration or jerk, as [`SmoothTrajectory::check`](crate::planning::SmoothTrajectory::check) finds it; limits are those of
    /// all robots, [one after the other](MotionLimits::joined).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where limits have another number of degrees of freedom.
    pub fn check(&self, limits: &MotionLimits) -> Result<Option<Violation>> {
        crate::kinematics::check_length("limits of a motion", self.n_dofs, limits.velocity())?;
        let mut first: Option<Violation> = None;
        for track in &self.tracks {
            let own = limits.part(track.range.clone());
            for Piece { begins, along } in &track.pieces {
                let Some(mut found) = along.motion.check(&own, None)? else {
                    continue;
                };
                found.time += begins;
                found.dof += track.range.start;
                if first.as_ref().is_none_or(|first| found.time < first.time) {
                    first = Some(found);
                }
                break;
            }
        }
        Ok(first)
    }

    /// The robots that go along lines with rounded corners, not along a smooth curve, in a piece at least.
    pub(super) fn rounded(&self) -> Vec<RobotId> {
        let is_rounded = |track: &&Track| track.pieces.iter().any(|p| !p.along.is_smooth);
        let tracks = self.tracks.iter().filter(is_rounded);
        tracks.flat_map(|track| track.robots.clone()).collect()
    }

    fn of(&self, robot: RobotId) -> Option<&Track> {
        self.tracks.iter().find(|t| t.robots.contains(&robot))
    }
}

impl Track {
    /// Time of arrival, s.
    pub(super) fn end(&self) -> f64 {
        self.pieces.last().map_or(0.0, Piece::end)
    }

    /// Configuration, velocity and acceleration at a time.
    pub(super) fn state_at(&self, time: f64) -> [Vec<f64>; 3] {
        let begun = self.pieces.partition_point(|piece| piece.begins <= time);
        match begun.checked_sub(1).map(|i| &self.pieces[i]) {
            Some(piece) => piece.along.motion.state_at(time - piece.begins),
            None => {
                let rest = || vec![0.0; self.start.len()];
                [self.start.clone(), rest(), rest()]
            }
        }
    }
}

impl Piece {
    /// Time at which it ends, s.
    fn end(&self) -> f64 {
        self.begins + self.along.motion.duration()
    }
}

/// Part of a duration that is rounding.
const ROUNDING: f64 = 1e-12;
