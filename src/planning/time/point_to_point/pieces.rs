//! Motions of one degree of freedom whose jerk is constant in each piece.

/// Most pieces.
const MOST: usize = 7;

/// Position, velocity and acceleration at the beginning of each piece, and its jerk; the position begins at 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces {
    len: usize,
    /// Times at which pieces begin, and the end.
    times: [f64; MOST + 1],
    states: [[f64; 3]; MOST + 1],
    jerks: [f64; MOST],
}

impl Pieces {
    /// Pieces of these durations and jerks, after a velocity and an acceleration. What is negative by rounding counts as 0.
    pub(super) fn new(velocity: f64, acceleration: f64, phases: &[(f64, f64)]) -> Self {
        let mut all = Self {
            len: 0,
            times: [0.0; MOST + 1],
            states: [[0.0, velocity, acceleration]; MOST + 1],
            jerks: [0.0; MOST],
        };
        for &(duration, jerk) in phases {
            let i = all.len;
            let duration = duration.max(0.0);
            all.jerks[i] = jerk;
            all.times[i + 1] = all.times[i] + duration;
            all.states[i + 1] = later(all.states[i], jerk, duration);
            all.len += 1;
        }
        all
    }

    /// The same in the opposite direction.
    pub(super) fn negated(mut self) -> Self {
        self.states = self.states.map(|state| state.map(|x| -x));
        self.jerks = self.jerks.map(|jerk| -jerk);
        self
    }

    /// How far it gets.
    pub(super) fn distance(&self) -> f64 {
        self.states[self.len][0]
    }

    /// Times at which pieces begin, and the end.
    pub(super) fn times(&self) -> &[f64] {
        &self.times[..=self.len]
    }

    /// Position, velocity, acceleration and jerk at the time `at`, in the piece that holds the time `within`: the piece `i` or a later
    /// one, which `i` becomes.
    pub(super) fn state(&self, at: f64, within: f64, i: &mut usize) -> [f64; 4] {
        while *i + 1 < self.len && self.times[*i + 1] <= within {
            *i += 1;
        }
        let jerk = self.jerks[*i];
        let since = at - self.times[*i];
        let [position, velocity, acceleration] = later(self.states[*i], jerk, since);
        [position, velocity, acceleration, jerk]
    }
}

/// Position, velocity and acceleration after a time of constant jerk.
fn later([p, v, a]: [f64; 3], jerk: f64, t: f64) -> [f64; 3] {
    [
        p + t * (v + t * (0.5 * a + t * jerk / 6.0)),
        v + t * (a + 0.5 * t * jerk),
        a + t * jerk,
    ]
}
