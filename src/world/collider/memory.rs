//! Caches of a workspace that speed up later queries without changing their results.

use crate::math::Vector;

/// Two parts, smaller number first.
type Pair = (usize, usize);

/// Direct-mapped cache of separating directions and collision statistics, for a few hundred pairs.
///
/// Each pair has one slot; pairs that share a slot evict one another.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory(Vec<Entry>);

/// Cached data of a pair.
#[derive(Debug, Clone, Copy)]
struct Entry {
    pair: Pair,
    /// Last separating direction from the first part to the second, in the world; zero where unknown.
    separating_direction: Vector,
    /// Number of checks up to and including the first collision, and how many of those this pair decided; both decay.
    queries: f32,
    hits: f32,
}

const SLOTS: usize = 256;

/// Counts are halved beyond this many checks.
const HISTORY: f32 = 32.0;

/// Prior number of hits of a pair.
const PRIOR: f32 = 0.1;

impl Entry {
    fn new(pair: Pair) -> Self {
        Self {
            pair,
            separating_direction: Vector::zeros(),
            queries: 0.0,
            hits: 0.0,
        }
    }
}

impl Memory {
    /// Separating direction of a pair, to use and to update.
    #[inline]
    pub(super) fn separating_direction(&mut self, pair: Pair) -> &mut Vector {
        &mut self.of(pair).separating_direction
    }

    /// Relative probability that a pair is the first to collide, given that something does.
    #[inline]
    pub(super) fn chance(&self, pair: Pair) -> f64 {
        let entry = self.0.get(slot(pair)).filter(|entry| entry.pair == pair);
        let chance = entry.map_or(PRIOR, |entry| (entry.hits + PRIOR) / (entry.queries + 1.0));
        f64::from(chance)
    }

    /// Records that a pair was checked in a query that found a collision, and whether it was this pair.
    #[inline]
    pub(super) fn learn(&mut self, pair: Pair, is_hit: bool) {
        let entry = self.of(pair);
        entry.queries += 1.0;
        entry.hits += f32::from(u8::from(is_hit));
        if entry.queries > HISTORY {
            entry.queries *= 0.5;
            entry.hits *= 0.5;
        }
    }

    #[inline]
    fn of(&mut self, pair: Pair) -> &mut Entry {
        if self.0.is_empty() {
            // matches no pair: no part is paired with itself
            self.0.resize(SLOTS, Entry::new((0, 0)));
        }
        let entry = &mut self.0[slot(pair)];
        if entry.pair != pair {
            *entry = Entry::new(pair);
        }
        entry
    }
}

#[inline]
fn slot((a, b): Pair) -> usize {
    a.wrapping_mul(37).wrapping_add(b) % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_finds_its_own_entry_and_no_other() {
        let mut memory = Memory::default();
        for a in 0..30 {
            for b in a + 1..30 {
                assert_eq!(*memory.separating_direction((a, b)), Vector::zeros());
                let own = Vector::new(a as f64, b as f64, 1.0);
                *memory.separating_direction((a, b)) = own;
                assert_eq!(*memory.separating_direction((a, b)), own);
            }
        }
        for a in 0..30 {
            for b in a + 1..30 {
                let entry = *memory.separating_direction((a, b));
                let own = Vector::new(a as f64, b as f64, 1.0);
                assert!(entry == own || entry == Vector::zeros());
            }
        }
    }

    #[test]
    fn pairs_that_collide_become_likely_and_old_hits_decay() {
        let mut memory = Memory::default();
        let (a, b) = ((0, 1), (0, 2));
        let unknown = memory.chance(a);
        for _ in 0..1000 {
            memory.learn(a, true);
            memory.learn(b, false);
        }
        assert!(memory.chance(b) < unknown && unknown < memory.chance(a));
        assert!(memory.chance(a) > 0.9);
        for _ in 0..100 {
            memory.learn(a, false);
            memory.learn(b, true);
        }
        assert!(memory.chance(a) < memory.chance(b));
    }
}
