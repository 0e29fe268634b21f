//! What a workspace remembers of its answers: the next ones come sooner and stay the same.

use crate::math::Vector;

/// Two parts, smaller number first.
type Pair = (usize, usize);

/// What configurations that follow one another have in common, for a few hundred pairs.
///
/// Each pair has one place; pairs that share a place take it from one another.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory(Vec<Kept>);

/// What is kept of a pair.
#[derive(Debug, Clone, Copy)]
struct Kept {
    pair: Pair,
    /// Along which it was apart, from the first part to the second in the world; zero where that is not known.
    parting: Vector,
    /// How often it was asked before something collided, itself included, and how often that was itself; both fade.
    asked: f32,
    hit: f32,
}

const PLACES: usize = 256;

/// Beyond so many questions half of them count.
const LASTING: f32 = 32.0;

/// Hits of a pair that has had none.
const PRIOR: f32 = 0.1;

impl Kept {
    fn nothing(pair: Pair) -> Self {
        Self {
            pair,
            parting: Vector::zeros(),
            asked: 0.0,
            hit: 0.0,
        }
    }
}

impl Memory {
    /// The direction along which a pair was apart, to be used and replaced.
    pub(super) fn parting(&mut self, pair: Pair) -> &mut Vector {
        &mut self.of(pair).parting
    }

    /// About how likely a pair is the first that collides, where something does; of no scale.
    pub(super) fn chance(&self, pair: Pair) -> f64 {
        let kept = self.0.get(place(pair)).filter(|kept| kept.pair == pair);
        let chance = kept.map_or(PRIOR, |kept| (kept.hit + PRIOR) / (kept.asked + 1.0));
        f64::from(chance)
    }

    /// Learns that a pair was asked, and whether it collided, where something did.
    pub(super) fn learn(&mut self, pair: Pair, is_hit: bool) {
        let kept = self.of(pair);
        kept.asked += 1.0;
        kept.hit += f32::from(u8::from(is_hit));
        if kept.asked > LASTING {
            kept.asked *= 0.5;
            kept.hit *= 0.5;
        }
    }

    fn of(&mut self, pair: Pair) -> &mut Kept {
        if self.0.is_empty() {
            // of no pair: nothing meets itself
            self.0.resize(PLACES, Kept::nothing((0, 0)));
        }
        let kept = &mut self.0[place(pair)];
        if kept.pair != pair {
            *kept = Kept::nothing(pair);
        }
        kept
    }
}

fn place((a, b): Pair) -> usize {
    a.wrapping_mul(37).wrapping_add(b) % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_finds_what_was_kept_for_it_and_nothing_else() {
        let mut memory = Memory::default();
        for a in 0..30 {
            for b in a + 1..30 {
                assert_eq!(*memory.parting((a, b)), Vector::zeros());
                let own = Vector::new(a as f64, b as f64, 1.0);
                *memory.parting((a, b)) = own;
                assert_eq!(*memory.parting((a, b)), own);
            }
        }
        for a in 0..30 {
            for b in a + 1..30 {
                let kept = *memory.parting((a, b));
                let own = Vector::new(a as f64, b as f64, 1.0);
                assert!(kept == own || kept == Vector::zeros());
            }
        }
    }

    #[test]
    fn what_collides_becomes_likely_and_what_did_long_ago_less_so() {
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
