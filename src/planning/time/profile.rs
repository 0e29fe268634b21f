//! Grids over a path, and profiles of its speed.

use super::path::GeometricPath;

/// Points of a path between which the path acceleration is constant. Each interval lies in one piece of the path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Grid {
    /// Parameters (N + 1).
    pub(super) s: Vec<f64>,
    /// The piece of the path that holds each interval (N).
    pub(super) pieces: Vec<usize>,
    /// True where a motion has to stop (N + 1).
    pub(super) stops: Vec<bool>,
}

/// Fewest intervals of a piece.
const FEWEST: usize = 4;

/// Smallest ratio of intervals whose ends count as one point.
const ROUNDING: f64 = 1e-12;

impl Grid {
    /// About this many intervals, shared by the pieces as they are long.
    pub(super) fn uniform(path: &GeometricPath, intervals: usize) -> Self {
        let share = intervals as f64 / path.length();
        let mut points = Vec::with_capacity(intervals + FEWEST * path.breaks().len());
        for pair in path.breaks().windows(2) {
            let length = pair[1] - pair[0];
            let count = ((share * length).ceil() as usize).max(FEWEST);
            let step = length / count as f64;
            points.extend((0..count).map(|k| pair[0] + k as f64 * step));
        }
        points.push(path.breaks()[path.breaks().len() - 1]);
        Self::of_points(path, points)
    }

    /// These points, which increase, and the breaks of the path.
    pub(super) fn with_points(path: &GeometricPath, points: &[f64]) -> Self {
        let mut all = [points, path.breaks()].concat();
        all.sort_unstable_by(f64::total_cmp);
        let least = ROUNDING * path.length();
        let (first, last) = (path.breaks()[0], path.breaks()[path.breaks().len() - 1]);
        // of two that are the same, a break
        let is_break = |s: &f64| path.breaks().binary_search_by(|b| b.total_cmp(s)).is_ok();
        let mut kept: Vec<f64> = Vec::with_capacity(all.len());
        for s in all {
            if s < first || s > last {
                continue;
            }
            match kept.last_mut() {
                Some(before) if s - *before <= least => {
                    if is_break(&s) {
                        *before = s;
                    }
                }
                _ => kept.push(s),
            }
        }
        Self::of_points(path, kept)
    }

    /// The grid with intervals split into this many.
    pub(super) fn split(&self, path: &GeometricPath, into: impl Fn(usize) -> usize) -> Self {
        let mut points = Vec::with_capacity(2 * self.s.len());
        for i in 0..self.len() {
            let (from, count) = (self.s[i], into(i).max(1));
            let step = (self.s[i + 1] - from) / count as f64;
            points.extend((0..count).map(|k| from + k as f64 * step));
        }
        points.push(self.s[self.len()]);
        Self::of_points(path, points)
    }

    fn of_points(path: &GeometricPath, s: Vec<f64>) -> Self {
        let pieces: Vec<usize> = s
            .windows(2)
            .map(|pair| path.piece(0.5 * (pair[0] + pair[1])))
            .collect();
        let mut stops = vec![false; s.len()];
        for i in 1..pieces.len() {
            stops[i] = pieces[i] != pieces[i - 1] && path.is_corner(pieces[i]);
        }
        Self { s, pieces, stops }
    }

    /// The intervals from one point of the grid to another.
    pub(super) fn between(&self, from: usize, to: usize) -> Self {
        Self {
            s: self.s[from..=to].to_vec(),
            pieces: self.pieces[from..to].to_vec(),
            stops: self.stops[from..=to].to_vec(),
        }
    }

    /// Number of intervals, N.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Length of an interval.
    pub(super) fn step(&self, i: usize) -> f64 {
        self.s[i + 1] - self.s[i]
    }

    /// The distances of the ends of an interval from the beginning of its piece.
    pub(super) fn local(&self, path: &GeometricPath, i: usize) -> [f64; 2] {
        [self.s[i], self.s[i + 1]].map(|s| path.local(self.pieces[i], s))
    }
}

/// The squares of the path speed at the points of a grid, x (N + 1), and the path accelerations between them, u (N).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Profile {
    pub(super) x: Vec<f64>,
    pub(super) u: Vec<f64>,
}

impl Profile {
    /// Times at which the points of the grid are passed, s.
    pub(super) fn times(&self, grid: &Grid) -> Vec<f64> {
        let mut times = vec![0.0];
        for i in 0..grid.len() {
            let speeds = self.x[i].sqrt() + self.x[i + 1].sqrt();
            times.push(times[i] + 2.0 * grid.step(i) / speeds);
        }
        times
    }

    /// That from one point of the grid to another.
    pub(super) fn between(&self, from: usize, to: usize) -> Self {
        Self {
            x: self.x[from..=to].to_vec(),
            u: self.u[from..to].to_vec(),
        }
    }

    /// The same with all speeds divided by a factor.
    pub(super) fn slowed(&mut self, factor: f64) {
        let square = factor * factor;
        self.x.iter_mut().for_each(|x| *x /= square);
        self.u.iter_mut().for_each(|u| *u /= square);
    }
}
