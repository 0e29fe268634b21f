//! Motions with a limit of jerk: moving averages.
//!
//! The average of a motion over the last T seconds has the averages of its velocities and accelerations, which are within whatever limits
//! these are, and the jerk (q̈(t) − q̈(t − T)) / T. It takes T longer, and leaves the path by the largest acceleration times
//! T²/24 at most; where the path is straight for all of T, not at all. Biagiotti and Melchiorri, "FIR filters for
//! online trajectory planning with time- and frequency-domain specifications" (2012), make profiles of any order so.

use super::along::Along;
use super::dynamics::SLACK;
use super::limits::MotionLimits;
use super::pieces::Pieces;
use super::smooth::Derivatives;

/// A motion averaged over a window that ends at each time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Averaged {
    pub(super) inner: Along,
    /// The motion as polynomials of time, where it is one.
    pieces: Option<Pieces>,
    /// T, s.
    window: f64,
    /// Integrals of the configuration up to the times of the motion (one row of n for each).
    integrals: Vec<f64>,
}

/// Nodes and weights of Gauss and Legendre on [0, 1], exact for polynomials of degree 11: of a piece of degree 5 at constant
/// acceleration that is 10.
const NODES: [[f64; 2]; 6] = [
    [0.033_765_242_898_423_975, 0.085_662_246_189_585_17],
    [0.169_395_306_766_867_76, 0.180_380_786_524_069_3],
    [0.380_690_406_958_401_56, 0.233_956_967_286_345_52],
    [0.619_309_593_041_598_4, 0.233_956_967_286_345_52],
    [0.830_604_693_233_132_3, 0.180_380_786_524_069_3],
    [0.966_234_757_101_576, 0.085_662_246_189_585_17],
];

/// Ratio of one window that is tried to the next, and the most that are.
const WIDER: f64 = 1.05;
const TRIES: usize = 20;

impl Averaged {
    /// The motion with a window that is long enough for the limits of jerk: at most twice the largest ratio of an acceleration to its
    /// limit of jerk.
    pub(super) fn within(inner: Along, limits: &MotionLimits) -> Self {
        let n = inner.path.n_dofs();
        let mut averaged = Self {
            pieces: Pieces::new(&inner),
            window: 0.0,
            integrals: vec![0.0; n],
            inner,
        };
        let most = averaged.largest_ratio(limits);
        averaged.window = most;
        let mut node = vec![0.0; n];
        for i in 1..averaged.inner.times.len() {
            let mut sum = averaged.integrals[(i - 1) * n..].to_vec();
            let length = averaged.inner.times[i] - averaged.inner.times[i - 1];
            averaged.integrate(i - 1, length, &mut sum, &mut node);
            averaged.integrals.append(&mut sum);
        }
        // where an acceleration never turns into its opposite at once, half of it is enough
        let mut first = 0;
        for _ in 0..TRIES {
            if averaged.window >= 2.0 * most {
                break;
            }
            let Some(beyond) = averaged.interval_beyond(limits, first) else {
                break;
            };
            // what was too much is likely to be so again
            first = beyond;
            averaged.window *= WIDER;
        }
        averaged.window = averaged.window.min(2.0 * most);
        averaged
    }

    /// Times at which the jerk jumps.
    pub(super) fn knots(&self) -> Vec<f64> {
        let times = &self.inner.times;
        let mut knots = times.clone();
        knots.extend(times.iter().map(|t| t + self.window));
        // two runs that are sorted
        knots.sort_by(f64::total_cmp);
        let least = SAME * (self.inner.duration() + self.window);
        knots.dedup_by(|b, a| *b - *a <= least);
        knots
    }

    /// An interval of the knots in which a jerk is beyond its limit, with those from `first` on asked before the others.
    fn interval_beyond(&self, limits: &MotionLimits, first: usize) -> Option<usize> {
        let knots = self.knots();
        let count = knots.len() - 1;
        let n = self.inner.path.n_dofs();
        let [mut then, mut scratch] = [(); 2].map(|()| vec![0.0; n]);
        let mut acceleration = |interval: Option<usize>, time: f64, out: &mut [f64]| match interval
        {
            Some(interval) => {
                let since = self.inner.since(interval, time);
                self.acceleration(interval, since, &mut scratch, out);
            }
            None => out.fill(0.0),
        };
        let samples = self.samples();
        let mut changes = vec![0.0; samples.len() * n];
        let first = first.min(count);
        (first..count).chain(0..first).find(|&i| {
            let (from, to) = (knots[i], knots[i + 1]);
            // neither time leaves its interval of the motion between two knots
            let middle = 0.5 * (from + to);
            let [interval, earlier] =
                [middle, middle - self.window].map(|time| self.inner.moving_at(time));
            for (part, changes) in samples.iter().zip(changes.chunks_exact_mut(n)) {
                let time = from + (to - from) * part;
                acceleration(interval, time, changes);
                acceleration(earlier, time - self.window, &mut then);
                for (change, then) in changes.iter_mut().zip(&then) {
                    *change -= then;
                }
            }
            let most = |limit: &f64| self.window * limit * (1.0 + SLACK);
            let mut limited = limits.jerk().iter().enumerate();
            limited.any(|(dof, limit)| largest(&changes, n, dof) > most(limit))
        })
    }

    /// Parts of an interval whose accelerations tell the largest one in it: of paths of degree 2 it is a parabola in time.
    fn samples(&self) -> &'static [f64] {
        match &self.pieces {
            Some(Pieces::Quartic(_)) => &[0.0, 0.5, 1.0],
            _ => &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
        }
    }

    /// The state in an interval of its knots.
    pub(super) fn state_within(
        &self,
        [from, to]: [f64; 2],
        since: f64,
        [q, dq, ddq, jerk]: &mut Derivatives,
    ) {
        let n = self.inner.path.n_dofs();
        let time = from + since;
        // at the end of an interval, the side from which it is reached
        let is_before = time >= to;
        let mut scratch = vec![0.0; 5 * n];
        let (then, node) = scratch.split_at_mut(4 * n);
        let mut parts = then.chunks_exact_mut(n);
        let mut now = [q, dq, ddq, jerk].map(Vec::as_mut_slice);
        let mut then = [(); 4].map(|()| parts.next().expect("there are four parts"));
        for (time, parts) in [(time, &mut now), (time - self.window, &mut then)] {
            let [sum, rates @ ..] = parts;
            let place = self.inner.interval(time, is_before);
            self.integral(time, place, sum, node);
            self.state(time, is_before, place, rates);
        }
        let each = 1.0 / self.window;
        for (now, then) in now.into_iter().zip(then) {
            for (now, then) in now.iter_mut().zip(then) {
                *now = (*now - *then) * each;
            }
        }
    }

    /// The configuration in an interval of its knots.
    pub(super) fn configuration_within(&self, [from, to]: [f64; 2], since: f64, q: &mut [f64]) {
        let n = q.len();
        let time = from + since;
        let mut scratch = vec![0.0; 2 * n];
        let (then, node) = scratch.split_at_mut(n);
        for (time, sum) in [(time, &mut *q), (time - self.window, &mut *then)] {
            let place = self.inner.interval(time, from + since >= to);
            self.integral(time, place, sum, node);
        }
        let each = 1.0 / self.window;
        for (now, then) in q.iter_mut().zip(then) {
            *now = (*now - *then) * each;
        }
    }

    /// The integral of the configuration from 0 to a time, before or after the motion too; `node` is scratch. The time is in an
    /// interval, this long since it began.
    fn integral(
        &self,
        time: f64,
        (interval, since): (usize, f64),
        sum: &mut [f64],
        node: &mut [f64],
    ) {
        let (n, end) = (sum.len(), self.inner.duration());
        sum.copy_from_slice(&self.integrals[interval * n..(interval + 1) * n]);
        self.integrate(interval, since, sum, node);
        let beyond = time - time.clamp(0.0, end);
        if beyond != 0.0 {
            self.configuration(interval, since, node);
            for (sum, q) in sum.iter_mut().zip(node) {
                *sum += beyond * *q;
            }
        }
    }

    /// Configuration, velocity and acceleration before the average at a time, before or after the motion too.
    fn state(
        &self,
        time: f64,
        is_before: bool,
        (interval, since): (usize, f64),
        [q, dq, ddq]: &mut [&mut [f64]; 3],
    ) {
        let end = self.inner.duration();
        self.configuration(interval, since, q);
        let is_outside =
            time < 0.0 || time > end || (is_before && time <= 0.0) || (!is_before && time >= end);
        if is_outside {
            [dq, ddq].into_iter().for_each(|rates| rates.fill(0.0));
        } else {
            self.rates(interval, since, dq, ddq);
        }
    }
}

impl Averaged {
    /// The largest ratio of an acceleration to the limit of jerk of its dof, s.
    fn largest_ratio(&self, limits: &MotionLimits) -> f64 {
        let n = self.inner.path.n_dofs();
        let samples = self.samples();
        let (mut all, mut scratch) = (vec![0.0; samples.len() * n], vec![0.0; n]);
        let mut most = 0.0;
        for (interval, ends) in self.inner.times.windows(2).enumerate() {
            for (part, acceleration) in samples.iter().zip(all.chunks_exact_mut(n)) {
                let since = (ends[1] - ends[0]) * part;
                self.acceleration(interval, since, &mut scratch, acceleration);
            }
            for (dof, limit) in limits.jerk().iter().enumerate() {
                most = f64::max(most, largest(&all, n, dof) / limit);
            }
        }
        most
    }

    /// The configuration before the average, in an interval of its times.
    fn configuration(&self, interval: usize, since: f64, q: &mut [f64]) {
        match &self.pieces {
            Some(pieces) => pieces.configuration(interval, since, q),
            None => self.inner.configuration_within(interval, since, q),
        }
    }

    /// Velocity and acceleration before the average, in an interval of its times.
    fn rates(&self, interval: usize, since: f64, dq: &mut [f64], ddq: &mut [f64]) {
        match &self.pieces {
            Some(pieces) => {
                pieces.velocity(interval, since, dq);
                pieces.acceleration(interval, since, ddq);
            }
            None => self
                .inner
                .velocity_and_acceleration(interval, since, dq, ddq),
        }
    }

    /// The acceleration alone; `scratch` holds anything then.
    fn acceleration(&self, interval: usize, since: f64, scratch: &mut [f64], out: &mut [f64]) {
        match &self.pieces {
            Some(pieces) => pieces.acceleration(interval, since, out),
            None => (self.inner).velocity_and_acceleration(interval, since, scratch, out),
        }
    }

    /// Adds the integral of the configuration over the first part of an interval; `q` is scratch.
    fn integrate(&self, interval: usize, since: f64, sum: &mut [f64], q: &mut [f64]) {
        if let Some(pieces) = &self.pieces {
            return pieces.integrate(interval, since, sum);
        }
        for [node, weight] in NODES {
            self.inner.configuration_within(interval, node * since, q);
            for (sum, q) in sum.iter_mut().zip(q.iter()) {
                *sum += weight * since * q;
            }
        }
    }
}

/// The largest absolute value of a dof in rows of n numbers at equal steps: of three, on the parabola through them.
fn largest(rows: &[f64], n: usize, dof: usize) -> f64 {
    let values = rows.iter().skip(dof).step_by(n);
    let most = values.fold(0.0, |most: f64, x| most.max(x.abs()));
    if rows.len() != 3 * n {
        return most;
    }
    let [from, middle, to] = [0, 1, 2].map(|row| rows[row * n + dof]);
    // from + linear t + square t² for t from 0 to 1
    let linear = 4.0 * middle - 3.0 * from - to;
    let square = 2.0 * (from + to) - 4.0 * middle;
    // its vertex is between them
    if linear * square < 0.0 && linear.abs() < 2.0 * square.abs() {
        return most.max((from - linear * linear / (4.0 * square)).abs());
    }
    most
}

/// Knots that are nearer, as a share of the duration, are one.
const SAME: f64 = 1e-13;

#[cfg(test)]
mod tests {
    use super::largest;
    use crate::math::SplitMix;

    #[test]
    fn the_largest_of_a_parabola_is_at_an_end_or_its_vertex() {
        let mut random = SplitMix::new(8);
        for _ in 0..200 {
            let [c, b, a] = [(); 3].map(|()| 2.0 * random.uniform() - 1.0);
            let at = |t: f64| c + t * (b + t * a);
            // the second of two dofs
            let rows = [9.0, at(0.0), 9.0, at(0.5), 9.0, at(1.0)];
            let sampled = (0..=1000).map(|i| at(f64::from(i) / 1000.0).abs());
            let most = largest(&rows, 2, 1);
            assert!((most - sampled.fold(0.0, f64::max)).abs() < 1e-6);
            // where there are others, these alone
            let most = largest(&[at(0.0), at(0.3)], 1, 0);
            assert!(most <= at(0.0).abs().max(at(0.3).abs()));
        }
    }
}
