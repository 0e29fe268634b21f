//! One degree of freedom: the times in which it can reach its goal, and how it moves in one of them.

use super::extreme::Ends;
use super::pieces::Pieces;

/// A motion of one degree of freedom over a distance, in units in which the limits of acceleration and jerk are 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dof {
    pub(super) ends: Ends,
    pub(super) distance: f64,
    /// Unit of time, s.
    pub(super) time: f64,
    /// Unit of length, rad or m.
    pub(super) length: f64,
}

/// Share of a distance that is rounding.
const ROUNDING: f64 = 1e-12;

/// Steps of the search for a time.
const STEPS: usize = 200;

/// The mean of two motions: the share of the first.
pub(super) struct Mean {
    pub(super) motions: [Pieces; 2],
    pub(super) share: f64,
}

impl Dof {
    /// The shortest time from `time` on in which the goal can be reached.
    ///
    /// How far it can get in a time T, forward and backward, is a convex and a concave function of T wherever its
    /// velocities can be reached: so the distance is passed once after where it is not yet reached, and any time between
    /// two that are too short is too short.
    pub(super) fn next_time(&self, time: f64) -> f64 {
        let [least, until, again] = self.ends.feasible_times();
        let mut time = time.max(least);
        loop {
            if time > until && time < again {
                time = again;
            }
            let is_first = time <= until;
            let missing = |t: f64| self.ends.farthest(t).distance() - self.distance;
            let beyond = |t: f64| self.distance - self.ends.farthest_back(t).distance();
            let rounding = ROUNDING * (self.distance.abs() + self.ends.reach(time));
            let last = if is_first { until } else { f64::INFINITY };
            let found = if missing(time) < -rounding {
                first_root(missing, time, last, 1e-3 * rounding)
            } else if beyond(time) < -rounding {
                first_root(beyond, time, last, 1e-3 * rounding)
            } else {
                return time;
            };
            match found {
                Some(time) => return time,
                None => time = again,
            }
        }
    }

    /// The motion in a time in which the goal can be reached: the mean of the two that get farthest, weighted so that it gets there. All
    /// limits are convex, and so it keeps them.
    pub(super) fn motion(&self, time: f64) -> Mean {
        let motions = [self.ends.farthest(time), self.ends.farthest_back(time)];
        let [far, back] = [motions[0].distance(), motions[1].distance()];
        let share = (self.distance - back) / (far - back);
        // both are the same where there is one motion only
        let share = if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            1.0
        };
        Mean { motions, share }
    }
}

/// The first time after `from` at which a function that is negative there is 0, within `rounding` if it can be; `None` where it
/// is still negative at `last`.
fn first_root(f: impl Fn(f64) -> f64, from: f64, last: f64, rounding: f64) -> Option<f64> {
    let (mut low, mut below) = (from, f(from));
    let (mut high, mut above) = (from, below);
    // as far as a jerk of 1 gets
    let mut step = (-below).cbrt();
    while above < 0.0 {
        if high >= last {
            return None;
        }
        (low, below) = (high, above);
        high = (high + step).min(last);
        above = f(high);
        step *= 2.0;
    }
    // the false position; the weight of an end that stays is halved (the Illinois rule)
    let mut best = (high, above);
    let mut stays = 0;
    for _ in 0..STEPS {
        let middle = (low + (high - low) * (below / (below - above))).clamp(low, high);
        let value = f(middle);
        if value.abs() < best.1.abs() {
            best = (middle, value);
        }
        // between neighbouring numbers there is none
        if value.abs() <= rounding || middle <= low || middle >= high {
            break;
        }
        if value < 0.0 {
            (low, below) = (middle, value);
            above *= if stays == 1 { 0.5 } else { 1.0 };
            stays = 1;
        } else {
            (high, above) = (middle, value);
            below *= if stays == -1 { 0.5 } else { 1.0 };
            stays = -1;
        }
    }
    Some(best.0)
}
