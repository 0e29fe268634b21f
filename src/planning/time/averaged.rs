//! Motions with a limit of jerk: moving averages.
//!
//! The average of a motion over the last T seconds has the averages of its velocities and accelerations, which are within whatever limits
//! these are, and the jerk (q̈(t) − q̈(t − T)) / T. It takes T longer, and leaves the path by the largest acceleration times
//! T²/24 at most; where the path is straight for all of T, not at all. Biagiotti and Melchiorri, "FIR filters for
//! online trajectory planning with time- and frequency-domain specifications" (2012), make profiles of any order so.

use super::along::Along;
use super::dynamics::SLACK;
use super::limits::MotionLimits;
use super::smooth::Derivatives;

/// A motion averaged over a window that ends at each time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Averaged {
    pub(super) inner: Along,
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

/// Points of each interval at which jerks are checked.
const SAMPLES: usize = 10;

impl Averaged {
    /// The motion with a window that is long enough for the limits of jerk: at most twice the largest ratio of an acceleration to its
    /// limit of jerk.
    pub(super) fn within(inner: Along, limits: &MotionLimits) -> Self {
        let most = inner.largest_ratio(limits);
        let mut integrals = vec![0.0; inner.path.n_dofs()];
        for i in 1..inner.times.len() {
            let mut sum = integrals[integrals.len() - inner.path.n_dofs()..].to_vec();
            inner.integrate(i - 1, inner.times[i] - inner.times[i - 1], &mut sum);
            integrals.append(&mut sum);
        }
        let mut averaged = Self {
            inner,
            window: most,
            integrals,
        };
        // where an acceleration never turns into its opposite at once, half of it is enough
        for _ in 0..TRIES {
            if averaged.window >= 2.0 * most || averaged.holds(limits) {
                break;
            }
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
        knots.sort_unstable_by(f64::total_cmp);
        let least = SAME * (self.inner.duration() + self.window);
        knots.dedup_by(|b, a| *b - *a <= least);
        knots
    }

    fn holds(&self, limits: &MotionLimits) -> bool {
        let mut state = [(); 4].map(|()| vec![0.0; self.inner.path.n_dofs()]);
        self.knots().windows(2).all(|ends| {
            (0..=SAMPLES).all(|k| {
                let since = (ends[1] - ends[0]) * k as f64 / SAMPLES as f64;
                self.state_within([ends[0], ends[1]], since, &mut state);
                let mut jerks = state[3].iter().zip(limits.jerk());
                jerks.all(|(jerk, limit)| jerk.abs() <= limit * (1.0 + SLACK))
            })
        })
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
        let mut now = [(); 4].map(|()| vec![0.0; n]);
        let mut then = now.clone();
        let mut sum = vec![0.0; n];
        self.integral(time, is_before, &mut sum, &mut now);
        q.copy_from_slice(&sum);
        self.integral(time - self.window, is_before, &mut sum, &mut then);
        let each = 1.0 / self.window;
        for i in 0..n {
            q[i] = (q[i] - sum[i]) * each;
            dq[i] = (now[0][i] - then[0][i]) * each;
            ddq[i] = (now[1][i] - then[1][i]) * each;
            jerk[i] = (now[2][i] - then[2][i]) * each;
        }
    }

    /// The integral of the configuration from 0 to a time, before or after the motion too, and the state there.
    fn integral(&self, time: f64, is_before: bool, sum: &mut [f64], state: &mut Derivatives) {
        let (inner, n, end) = (&self.inner, sum.len(), self.inner.duration());
        let (interval, since) = inner.interval(time, is_before);
        inner.state_within(interval, since, state);
        let is_outside =
            time < 0.0 || time > end || (is_before && time <= 0.0) || (!is_before && time >= end);
        if is_outside {
            state[1..].iter_mut().for_each(|rates| rates.fill(0.0));
        }
        sum.copy_from_slice(&self.integrals[interval * n..(interval + 1) * n]);
        inner.integrate(interval, since, sum);
        let beyond = time - time.clamp(0.0, end);
        for (sum, q) in sum.iter_mut().zip(&state[0]) {
            *sum += beyond * q;
        }
    }
}

impl Along {
    /// The largest ratio of an acceleration to the limit of jerk of its dof, s.
    fn largest_ratio(&self, limits: &MotionLimits) -> f64 {
        let mut state = [(); 4].map(|()| vec![0.0; self.path.n_dofs()]);
        let mut most = 0.0;
        for interval in 0..self.times.len() - 1 {
            let length = self.times[interval + 1] - self.times[interval];
            for k in 0..=SAMPLES {
                self.state_within(interval, length * k as f64 / SAMPLES as f64, &mut state);
                for (acceleration, limit) in state[2].iter().zip(limits.jerk()) {
                    most = f64::max(most, acceleration.abs() / limit);
                }
            }
        }
        most
    }

    /// Adds the integral of the configuration over the first part of an interval.
    fn integrate(&self, interval: usize, since: f64, sum: &mut [f64]) {
        let mut q = vec![0.0; sum.len()];
        for [node, weight] in NODES {
            self.configuration_within(interval, node * since, &mut q);
            for (sum, q) in sum.iter_mut().zip(&q) {
                *sum += weight * since * q;
            }
        }
    }
}

/// Knots that are nearer, as a share of the duration, are one.
const SAME: f64 = 1e-13;
