//! Motions along a path.

use super::path::GeometricPath;
use super::profile::{Grid, Profile};
use super::smooth::Derivatives;

/// A path with a profile of its speed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Along {
    pub(super) path: GeometricPath,
    grid: Grid,
    profile: Profile,
    /// Times at the points of the grid, s.
    pub(super) times: Vec<f64>,
}

impl Along {
    pub(super) fn new(path: GeometricPath, grid: Grid, profile: Profile) -> Self {
        Self {
            times: profile.times(&grid),
            path,
            grid,
            profile,
        }
    }

    /// The motion whose path has the time from 0 on as its parameter.
    pub(super) fn in_time(path: GeometricPath) -> Self {
        let times = path.breaks().to_vec();
        let count = times.len() - 1;
        let grid = Grid {
            s: times.clone(),
            pieces: (0..count).collect(),
            stops: vec![false; count + 1],
        };
        let profile = Profile {
            x: vec![1.0; count + 1],
            u: vec![0.0; count],
        };
        Self {
            path,
            grid,
            profile,
            times,
        }
    }

    /// Duration, s.
    pub(super) fn duration(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// The interval of a time, and the time since it began; at a knot, the later one, or the earlier one on request.
    pub(super) fn interval(&self, time: f64, is_before: bool) -> (usize, f64) {
        let after = if is_before {
            self.times.partition_point(|t| *t < time)
        } else {
            self.times.partition_point(|t| *t <= time)
        };
        let interval = after.clamp(1, self.times.len() - 1) - 1;
        let most = self.times[interval + 1] - self.times[interval];
        (interval, (time - self.times[interval]).clamp(0.0, most))
    }

    /// Parameter of the path, its speed and its acceleration.
    fn path_state(&self, interval: usize, since: f64) -> [f64; 3] {
        let Self { grid, profile, .. } = self;
        let (x, u) = (profile.x[interval], profile.u[interval]);
        let speed = x.sqrt();
        let s = (speed + 0.5 * u * since).mul_add(since, grid.s[interval]);
        let s = s.clamp(grid.s[interval], grid.s[interval + 1]);
        [s, u.mul_add(since, speed).max(0.0), u]
    }

    /// The configuration alone.
    pub(super) fn configuration_within(&self, interval: usize, since: f64, q: &mut [f64]) {
        let [s, ..] = self.path_state(interval, since);
        let piece = self.grid.pieces[interval];
        self.path.evaluate(piece, self.path.local(piece, s), 0, q);
    }

    pub(super) fn state_within(
        &self,
        interval: usize,
        since: f64,
        [q, dq, ddq, jerk]: &mut Derivatives,
    ) {
        let [s, speed, u] = self.path_state(interval, since);
        let piece = self.grid.pieces[interval];
        let local = self.path.local(piece, s);
        for (derivative, out) in [&mut *q, &mut *dq, &mut *ddq, &mut *jerk]
            .into_iter()
            .enumerate()
        {
            self.path.evaluate(piece, local, derivative, out);
        }
        let square = speed * speed;
        for i in 0..q.len() {
            let (first, second) = (dq[i], ddq[i]);
            jerk[i] = jerk[i] * square * speed + 3.0 * second * speed * u;
            ddq[i] = first * u + second * square;
            dq[i] = first * speed;
        }
    }
}
