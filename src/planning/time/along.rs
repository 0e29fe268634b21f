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
        (interval, self.since(interval, time))
    }

    /// The interval of a time during the motion; `None` before and after it.
    pub(super) fn moving_at(&self, time: f64) -> Option<usize> {
        let is_moving = time > 0.0 && time < self.duration();
        is_moving.then(|| self.interval(time, false).0)
    }

    /// The time since an interval began, within it.
    pub(super) fn since(&self, interval: usize, time: f64) -> f64 {
        let [from, to] = [self.times[interval], self.times[interval + 1]];
        (time - from).clamp(0.0, to - from)
    }

    /// The piece of the path that an interval lies in, and from its beginning on the distance from the beginning of the piece,
    /// with its speed and half of its acceleration.
    pub(super) fn start_of(&self, interval: usize) -> (usize, [f64; 3]) {
        let Self { grid, profile, .. } = self;
        let piece = grid.pieces[interval];
        let at = self.path.local(piece, grid.s[interval]);
        let (speed, half) = (profile.x[interval].sqrt(), 0.5 * profile.u[interval]);
        (piece, [at, speed, half])
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

    /// The velocity and the acceleration.
    pub(super) fn velocity_and_acceleration(
        &self,
        interval: usize,
        since: f64,
        dq: &mut [f64],
        ddq: &mut [f64],
    ) {
        let [s, speed, u] = self.path_state(interval, since);
        let piece = self.grid.pieces[interval];
        let local = self.path.local(piece, s);
        self.path.evaluate(piece, local, 1, dq);
        self.path.evaluate(piece, local, 2, ddq);
        for (first, second) in dq.iter_mut().zip(ddq) {
            *second = *first * u + *second * speed * speed;
            *first *= speed;
        }
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
