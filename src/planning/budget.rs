//! How much a search may cost.

use std::time::Duration;

/// Limits of a search, and the seed of its random numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Budget {
    /// Seed of the random numbers: equal seeds, equal paths.
    pub seed: u64,
    /// Maximum number of samples.
    pub max_iterations: usize,
    /// Maximum duration, `None` for no limit. A search that ends by time may end differently on another machine.
    pub max_time: Option<Duration>,
    /// Longest step of a tree towards a sample, in the metric of the space.
    pub range: f64,
    /// Most shortcuts that are tried on a path that was found; 0 leaves it as it is. Fewer are where twenty of them make it
    /// shorter by less than a hundredth.
    pub shortcuts: usize,
    /// Largest distance beyond its bounds at which a dof of the start or of a goal is taken to be at the bound, where the path
    /// then begins or ends: measured configurations lie a little beyond. With 0 such an end is refused.
    pub end_tolerance: f64,
}

impl Default for Budget {
    /// Seed 0, 100,000 samples, no limit of time, a range of 1, 200 shortcuts at most, no tolerance of the ends.
    fn default() -> Self {
        Self {
            seed: 0,
            max_iterations: 100_000,
            max_time: None,
            range: 1.0,
            shortcuts: 200,
            end_tolerance: 0.0,
        }
    }
}

impl Budget {
    /// With another seed.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// With at most this many samples.
    #[must_use]
    pub fn max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// With at most this time.
    #[must_use]
    pub fn max_time(mut self, max_time: Duration) -> Self {
        self.max_time = Some(max_time);
        self
    }

    /// With steps of another length, in the metric of the space.
    #[must_use]
    pub fn range(mut self, range: f64) -> Self {
        self.range = range;
        self
    }

    /// With another number of shortcuts.
    #[must_use]
    pub fn shortcuts(mut self, shortcuts: usize) -> Self {
        self.shortcuts = shortcuts;
        self
    }

    /// With a tolerance of the start and the goals, rad or m.
    #[must_use]
    pub fn end_tolerance(mut self, end_tolerance: f64) -> Self {
        self.end_tolerance = end_tolerance;
        self
    }
}
