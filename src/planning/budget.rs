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
    /// Most samples that are drawn for shorter paths, once there is one; 0 ends the search with the first. They count beyond
    /// [`max_iterations`](Self::max_iterations), and [`max_time`](Self::max_time) ends them as well.
    pub improve: usize,
    /// Largest distance beyond its bounds at which a dof of the start or of a goal is taken to be at the bound, where the path
    /// then begins or ends: measured configurations lie a little beyond. With 0 such an end is refused.
    pub end_tolerance: f64,
}

impl Default for Budget {
    /// Seed 0, 100,000 samples, no limit of time, a range of 1, 200 shortcuts at most, no search for shorter paths, no tolerance of the ends.
    fn default() -> Self {
        Self {
            seed: 0,
            max_iterations: 100_000,
            max_time: None,
            range: 1.0,
            shortcuts: 200,
            improve: 0,
            end_tolerance: 0.0,
        }
    }
}

impl Budget {
    /// What is left of it after so many samples and so long.
    pub(super) fn left(&self, drawn: usize, spent: Duration) -> Self {
        Self {
            max_iterations: self.max_iterations.saturating_sub(drawn),
            max_time: self.max_time.map(|most| most.saturating_sub(spent)),
            ..*self
        }
    }

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

    /// With a search for shorter paths, of at most this many samples, once there is one: AORRTC (Wilson et al. 2025), which
    /// converges to the shortest path, of several goals to that of the nearest. With a maximum time, `usize::MAX` uses it up.
    #[must_use]
    pub fn improve(mut self, improve: usize) -> Self {
        self.improve = improve;
        self
    }

    /// With a tolerance of the start and the goals, rad or m.
    #[must_use]
    pub fn end_tolerance(mut self, end_tolerance: f64) -> Self {
        self.end_tolerance = end_tolerance;
        self
    }
}
