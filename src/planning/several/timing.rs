//! When a robot goes along its path while others move: velocity tuning with waits.
//!
//! Kant and Zucker, "Toward efficient trajectory planning: the path-velocity decomposition" (1986): the path is given, and
//! its timing avoids what moves. The robot may stop at a few points of its path, and wait there. At each of them it is safe within
//! intervals of time, and each is reached as early as possible (safe interval path planning: Phillips and Likhachev 2011).

use std::ops::Range;

use super::motion::{Piece, Track};
use super::options::PrioritizedOptions;
use crate::planning::edge::coarse_to_fine;
use crate::planning::time::sample_times;
use crate::planning::{CSpace, MotionLimits, PathMotion, RobotCSpace, SmoothTrajectory, Workspace};
use crate::{Error, Result};

/// The timing of one robot along a path.
pub(super) struct Timing<'a> {
    /// The space of all robots, at the resolution of the checks.
    space: &'a RobotCSpace,
    /// That of the robot alone, and its place among all.
    own: &'a RobotCSpace,
    member: usize,
    range: Range<usize>,
    limits: &'a MotionLimits,
    options: &'a PrioritizedOptions,
    earlier: &'a [Track],
    /// The configuration of all robots, of which those that have been planned and this one are written over.
    rest: &'a [f64],
    /// Points of the path, and the indices of those at which the robot may stop.
    points: Vec<Point>,
    stops: Vec<usize>,
    /// Times at which the earlier robots are checked, s: until the last one arrives.
    grid: Vec<f64>,
    /// The motions between two stops that are known, and the safe intervals of stops.
    motions: Vec<Option<Option<PathMotion>>>,
    safe: Vec<Option<Vec<[f64; 2]>>>,
}

/// A point of a path: a waypoint, or one on an edge.
struct Point {
    q: Vec<f64>,
    is_corner: bool,
}

/// The robot at a stop, and how it came there.
struct Arrival {
    stop: usize,
    interval: usize,
    time: f64,
    from: Option<(usize, f64)>,
    is_done: bool,
}

/// What a timing depends on.
pub(super) struct Others<'a> {
    pub(super) space: &'a RobotCSpace,
    pub(super) member: usize,
    pub(super) earlier: &'a [Track],
    pub(super) rest: &'a [f64],
}

impl<'a> Timing<'a> {
    /// The timing along a path of at least two points, which is free in the robot's own space.
    pub(super) fn new(
        others: &Others<'a>,
        own: &'a RobotCSpace,
        path: &[Vec<f64>],
        limits: &'a MotionLimits,
        options: &'a PrioritizedOptions,
    ) -> Result<Self> {
        let (mut points, stops) = with_stops(own, path);
        // so that no spin joint jumps by a turn where one piece follows another
        let all: Vec<&[f64]> = points.iter().map(|point| &point.q[..]).collect();
        let unrolled = own.unrolled(&all)?;
        for (point, q) in points.iter_mut().zip(unrolled) {
            point.q = q;
        }
        let mut grid = vec![0.0];
        for track in others.earlier {
            grid.extend(track.sample_times(others.space.resolution())?);
        }
        grid.sort_unstable_by(f64::total_cmp);
        grid.dedup_by(|b, a| *b <= *a);
        Ok(Self {
            space: others.space,
            own,
            member: others.member,
            range: others.space.members()[others.member].range.clone(),
            limits,
            options,
            earlier: others.earlier,
            rest: others.rest,
            motions: vec![None; stops.len() * stops.len()],
            safe: vec![None; stops.len()],
            points,
            stops,
            grid,
        })
    }

    /// The pieces of the motion that arrives first and stays; `None` where there is none. `more` returns whether to go on.
    pub(super) fn solve(&mut self, more: &mut dyn FnMut() -> bool) -> Result<Option<Vec<Piece>>> {
        let goal = self.stops.len() - 1;
        let mut arrivals = vec![Arrival {
            stop: 0,
            interval: 0,
            time: 0.0,
            from: None,
            is_done: false,
        }];
        if self.safe_intervals(0)?.first().is_none_or(|s| s[0] > 0.0) {
            return Ok(None);
        }
        let space = self.space;
        space.with_workspace(|ws| {
            while more() {
                let mut next: Option<(f64, usize)> = None;
                for i in (0..arrivals.len()).filter(|&i| !arrivals[i].is_done) {
                    let bound = arrivals[i].time + self.remaining(arrivals[i].stop)?;
                    if next.is_none_or(|(least, _)| bound < least) {
                        next = Some((bound, i));
                    }
                }
                let Some((_, i)) = next else {
                    return Ok(None);
                };
                arrivals[i].is_done = true;
                let (stop, time) = (arrivals[i].stop, arrivals[i].time);
                let [_, until] = self.safe_intervals(stop)?[arrivals[i].interval];
                if stop == goal && until.is_infinite() {
                    return self.pieces(&arrivals, i).map(Some);
                }
                for to in stop + 1..=goal {
                    for interval in 0..self.safe_intervals(to)?.len() {
                        let same = |a: &Arrival| a.stop == to && a.interval == interval;
                        let known = arrivals.iter().position(same);
                        let before = known.map_or(f64::INFINITY, |k| arrivals[k].time);
                        let departs =
                            self.departure((stop, to), [time, until], (interval, before), ws)?;
                        let Some((departs, arrives)) = departs else {
                            continue;
                        };
                        let arrival = Arrival {
                            stop: to,
                            interval,
                            time: arrives,
                            from: Some((i, departs)),
                            is_done: false,
                        };
                        match known {
                            Some(k) => arrivals[k] = arrival,
                            None => arrivals.push(arrival),
                        }
                    }
                }
            }
            Ok(None)
        })
    }

    /// The first departure, from one stop while it is safe, that leads to another in one of its safe intervals, before a time; with
    /// the arrival.
    fn departure(
        &mut self,
        (from, to): (usize, usize),
        [earliest, until]: [f64; 2],
        (interval, before): (usize, f64),
        ws: &mut Workspace,
    ) -> Result<Option<(f64, f64)>> {
        let [opens, closes] = self.safe_intervals(to)?[interval];
        let horizon = self.horizon();
        let Some(PathMotion { motion, .. }) = self.motion(from, to)?.cloned() else {
            return Ok(None);
        };
        let duration = motion.duration();
        let times = sample_times(motion.knots(), |t| motion.at(t), self.space.resolution())?;
        let own: Vec<(f64, Vec<f64>)> = times.into_iter().map(|t| (t, motion.at(t))).collect();
        let mut departs = earliest.max(opens - duration);
        loop {
            let arrives = departs + duration;
            if departs > until || arrives > closes || arrives >= before {
                return Ok(None);
            }
            if self.is_free(&motion, &own, departs, ws)? {
                return Ok(Some((departs, arrives)));
            }
            // nothing changes any more
            if departs >= horizon {
                return Ok(None);
            }
            departs = (departs + (horizon / DEPARTURES).max(SHORTEST)).min(horizon);
        }
    }

    /// Returns whether the robot meets no other on a motion that begins at a time.
    fn is_free(
        &self,
        motion: &SmoothTrajectory,
        own: &[(f64, Vec<f64>)],
        begins: f64,
        ws: &mut Workspace,
    ) -> Result<bool> {
        let within = |t: &&f64| **t > begins && **t < begins + motion.duration();
        let others = self.grid.iter().filter(within).map(|t| (*t, None));
        let own = own.iter().map(|(t, q)| (begins + t, Some(q)));
        let all: Vec<(f64, Option<&Vec<f64>>)> = own.chain(others).collect();
        let mut rows = Vec::new();
        let mut free = [false; BLOCK];
        let mut size = FIRST_BLOCK;
        let order: Vec<usize> = coarse_to_fine(all.len() - 1).collect();
        let mut order = &order[..];
        while !order.is_empty() {
            let (now, later) = order.split_at(size.min(order.len()));
            rows.clear();
            for &i in now {
                let (time, q) = all[i];
                match q {
                    Some(q) => self.push_row(time, q, &mut rows),
                    None => self.push_row(time, &motion.at(time - begins), &mut rows),
                }
            }
            let free = &mut free[..now.len()];
            self.space.are_free_for(self.member, &rows, free, ws)?;
            if free.iter().any(|free| !free) {
                return Ok(false);
            }
            (order, size) = (later, BLOCK);
        }
        Ok(true)
    }

    /// Appends the configuration of all robots at a time.
    fn push_row(&self, time: f64, q: &[f64], rows: &mut Vec<f64>) {
        let first = rows.len();
        rows.extend_from_slice(self.rest);
        let row = &mut rows[first..];
        for track in self.earlier {
            let [q, ..] = track.state_at(time);
            row[track.range.clone()].copy_from_slice(&q);
        }
        row[self.range.clone()].copy_from_slice(q);
    }

    /// The intervals of time in which the robot may rest at a stop, from sample to sample; the last one may be without end.
    fn safe_intervals(&mut self, stop: usize) -> Result<&[[f64; 2]]> {
        if self.safe[stop].is_none() {
            let mut free = vec![false; self.grid.len()];
            self.space.with_workspace(|ws| {
                let mut rows = Vec::new();
                for (times, free) in self.grid.chunks(BLOCK).zip(free.chunks_mut(BLOCK)) {
                    rows.clear();
                    for &time in times {
                        self.push_row(time, &self.points[self.stops[stop]].q, &mut rows);
                    }
                    self.space.are_free_for(self.member, &rows, free, ws)?;
                }
                Ok::<(), Error>(())
            })?;
            let mut intervals: Vec<[f64; 2]> = Vec::new();
            for (i, &time) in self.grid.iter().enumerate().filter(|(i, _)| free[*i]) {
                let end = if i + 1 == self.grid.len() {
                    f64::INFINITY
                } else {
                    time
                };
                match intervals.last_mut() {
                    Some(last) if i > 0 && free[i - 1] => last[1] = end,
                    _ => intervals.push([time, end]),
                }
            }
            self.safe[stop] = Some(intervals);
        }
        Ok(self.safe[stop].as_deref().unwrap_or_default())
    }

    /// The motion between two stops, if it is free of what does not move.
    fn motion(&mut self, from: usize, to: usize) -> Result<Option<&PathMotion>> {
        let at = from * self.stops.len() + to;
        if self.motions[at].is_none() {
            let ends = [self.stops[from], self.stops[to]];
            let is_waypoint = |i: &usize| ends.contains(i) || self.points[*i].is_corner;
            let waypoints = (ends[0]..=ends[1]).filter(is_waypoint);
            let waypoints: Vec<Vec<f64>> = waypoints.map(|i| self.points[i].q.clone()).collect();
            let motion = self
                .options
                .motion_along(self.own, &waypoints, self.limits)?;
            self.motions[at] = Some(motion.ok());
        }
        Ok(self.motions[at].as_ref().and_then(Option::as_ref))
    }

    /// Least time from a stop to the goal, s.
    fn remaining(&mut self, stop: usize) -> Result<f64> {
        let goal = self.stops.len() - 1;
        if stop == goal {
            return Ok(0.0);
        }
        let motion = self.motion(stop, goal)?;
        Ok(motion.map_or(0.0, |along| along.motion.duration()))
    }

    /// The time from which on nothing else moves, s.
    fn horizon(&self) -> f64 {
        self.grid[self.grid.len() - 1]
    }

    /// The pieces that lead to an arrival.
    fn pieces(&mut self, arrivals: &[Arrival], last: usize) -> Result<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut at = &arrivals[last];
        while let Some((from, begins)) = at.from {
            let before = &arrivals[from];
            if let Some(along) = self.motion(before.stop, at.stop)?.cloned() {
                pieces.push(Piece { begins, along });
            }
            at = before;
        }
        pieces.reverse();
        Ok(pieces)
    }
}

/// A path with more points, at which the robot may stop, and their indices.
fn with_stops(own: &RobotCSpace, path: &[Vec<f64>]) -> (Vec<Point>, Vec<usize>) {
    let mut along = vec![0.0];
    for pair in path.windows(2) {
        along.push(along[along.len() - 1] + own.distance(&pair[0], &pair[1]));
    }
    let length = along[along.len() - 1];
    let parts = (length / STRIDE).ceil().clamp(1.0, MOST_PARTS) as usize;
    let corner = |q: &Vec<f64>| Point {
        q: q.clone(),
        is_corner: true,
    };
    // no stop is as near to a corner as rounding
    let near = SAME * length;
    let mut points = vec![corner(&path[0])];
    let mut stops = vec![0];
    let mut at = (1..parts)
        .map(|k| length * k as f64 / parts as f64)
        .peekable();
    for i in 1..path.len() {
        while let Some(at) = at.next_if(|at| *at < along[i] - near) {
            let mut q = path[i].clone();
            let u = (at - along[i - 1]) / (along[i] - along[i - 1]);
            own.interpolate_into(&path[i - 1], &path[i], u, &mut q);
            stops.push(points.len());
            points.push(Point {
                q,
                is_corner: false,
            });
        }
        if at.next_if(|at| *at <= along[i] + near).is_some() {
            stops.push(points.len());
        }
        points.push(corner(&path[i]));
    }
    stops.push(points.len() - 1);
    (points, stops)
}

/// Length of a path between two stops, in the metric of its space, and the most parts of a path.
const STRIDE: f64 = 0.25;
const MOST_PARTS: f64 = 8.0;

/// Part of the length of a path within which two points of it are the same.
const SAME: f64 = 1e-6;

/// Departures that are tried until all others have arrived, and the shortest time between two, s.
const DEPARTURES: f64 = 64.0;
const SHORTEST: f64 = 1e-3;

/// Configurations that are checked at once: at first, and then.
const FIRST_BLOCK: usize = 8;
const BLOCK: usize = 32;
