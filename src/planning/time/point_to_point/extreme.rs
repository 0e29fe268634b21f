//! The farthest motion of one degree of freedom in a given time.
//!
//! In units in which the limits of acceleration and jerk are 1. Forward is the direction in which it gets farthest: the
//! farthest motion backward is that of the [mirrored](Ends::mirrored) ends.

use super::pieces::Pieces;

/// Velocities and accelerations at the two ends of a motion, and the largest velocity between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub(super) v: [f64; 2],
    pub(super) a: [f64; 2],
    /// Smallest and largest velocity.
    pub(super) range: [f64; 2],
}

/// Share of a duration that is rounding.
const ROUNDING: f64 = 1e-12;

impl Ends {
    /// The ends of the motion in the opposite direction.
    pub(super) fn mirrored(&self) -> Self {
        let Self { v, a, range } = *self;
        Self {
            v: v.map(|v| -v),
            a: a.map(|a| -a),
            range: [-range[1], -range[0]],
        }
    }

    /// Change of the velocity where the acceleration changes as quickly as it can, and half the difference of the squared
    /// accelerations.
    fn direct(&self) -> f64 {
        let [a0, a1] = self.a;
        0.5 * (a1 - a0).abs() * (a0 + a1)
    }

    /// The motion that gets farthest in a time T that is [feasible](Self::feasible_times).
    ///
    /// The acceleration rises, stays at its limit, falls, stays at the opposite one, and rises again; where the velocity would get
    /// beyond its limit, it stays there between the two halves.
    pub(super) fn farthest(&self, time: f64) -> Pieces {
        let Self {
            v: [v0, v1],
            a: [a0, a1],
            range: [_, most],
        } = *self;
        // highest and lowest acceleration: their difference follows from the time, that of their squares from the velocities
        let fall = 0.5 * (time + a0 - a1);
        if fall <= ROUNDING * (1.0 + time) {
            return Pieces::new(v0, a0, &[(time, 1.0)]);
        }
        let squares = v1 - v0 + 0.5 * (a0 * a0 - a1 * a1);
        let sum = squares / fall;
        let (mut high, mut low) = (0.5 * (sum + fall), 0.5 * (sum - fall));
        let mut holds = [0.0; 2];
        if high > 1.0 || low < -1.0 {
            holds = [fall - 2.0 + 0.5 * squares, fall - 2.0 - 0.5 * squares];
            if holds[0] >= 0.0 && holds[1] >= 0.0 {
                (high, low) = (1.0, -1.0);
            } else if holds[0] >= holds[1] {
                (high, low) = (1.0, 1.0 - (2.0 * fall - squares).max(0.0).sqrt());
                holds = [2.0 * (fall - 1.0 + low), 0.0];
            } else {
                (high, low) = ((2.0 * fall + squares).max(0.0).sqrt() - 1.0, -1.0);
                holds = [0.0, 2.0 * (fall - 1.0 - high)];
            }
        }
        let peak = v0 + 0.5 * (high * high - a0 * a0) + holds[0] * high + 0.5 * high * high;
        if high > 0.0 && low < 0.0 && peak > most {
            let ([up, up_hold], [down, down_hold]) = (
                change(most - v0 + 0.5 * a0 * a0),
                change(most - v1 + 0.5 * a1 * a1),
            );
            let moving = (2.0 * up - a0 + up_hold) + (2.0 * down + a1 + down_hold);
            let phases = [
                (up - a0, 1.0),
                (up_hold, 0.0),
                (up, -1.0),
                (time - moving, 0.0),
                (down, -1.0),
                (down_hold, 0.0),
                (down + a1, 1.0),
            ];
            return Pieces::new(v0, a0, &phases);
        }
        let phases = [
            (high - a0, 1.0),
            (holds[0], 0.0),
            (high - low, -1.0),
            (holds[1], 0.0),
            (a1 - low, 1.0),
        ];
        Pieces::new(v0, a0, &phases)
    }

    /// The motion that gets farthest backward in a time that is [feasible](Self::feasible_times).
    pub(super) fn farthest_back(&self, time: f64) -> Pieces {
        self.mirrored().farthest(time).negated()
    }

    /// Times T in which the velocity can change so: up to the second number of the first interval, and from the second
    /// interval on, which is empty where nothing is between.
    ///
    /// Where both accelerations have the sign of the change, there are times that are too long to keep accelerating, and
    /// too short to stop it in between.
    pub(super) fn feasible_times(&self) -> [f64; 3] {
        let change_of_velocity = self.v[1] - self.v[0];
        if change_of_velocity < self.direct() {
            return self.mirrored().feasible_times();
        }
        let [a0, a1] = self.a;
        let mean = 0.5 * (a0 * a0 + a1 * a1);
        let [high, hold] = change(change_of_velocity + mean);
        let least = (2.0 * high - a0 - a1 + hold).max((a1 - a0).abs());
        let square = mean - change_of_velocity;
        if square >= 0.0 && a0.min(a1) > 0.0 {
            let low = square.sqrt();
            if low <= a0.min(a1) {
                let stop = a0 + a1;
                return [least, (stop - 2.0 * low).max(least), stop + 2.0 * low];
            }
        }
        [least, f64::INFINITY, f64::INFINITY]
    }
}

/// Highest acceleration of a rise and a fall from 0 to 0 that changes the velocity by this much, and the time for which it
/// stays.
fn change(velocity: f64) -> [f64; 2] {
    if velocity > 1.0 {
        [1.0, velocity - 1.0]
    } else {
        [velocity.max(0.0).sqrt(), 0.0]
    }
}
