//! Clock for the time limits of planners.

use std::time::Duration;

/// A moment, on targets with a clock. A bare WebAssembly module has none, and `std::time::Instant::now` traps there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instant(Option<std::time::Instant>);

impl Instant {
    /// The present moment.
    pub(super) fn now() -> Self {
        let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
        Self(has_clock.then(std::time::Instant::now))
    }

    /// Time since this moment; zero without a clock, so that a search ends by its number of iterations only.
    pub(super) fn elapsed(self) -> Duration {
        self.0.map_or(Duration::ZERO, |moment| moment.elapsed())
    }
}
