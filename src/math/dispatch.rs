//! Which vector instructions a computation runs with: asked of the processor at run time, once per call.
//!
//! Beside the instructions themselves (`quad.rs`) the only file with `unsafe`. A function compiled for instructions that
//! the processor may lack can be called only through a [`Simd`], and a `Simd` exists only where the processor has been
//! asked.

use std::sync::OnceLock;

#[cfg(target_arch = "x86_64")]
use super::level::{Avx2, Avx512};
use super::level::{Baseline, Level};

/// Work on [`Lanes`](super::Lanes) that is written once and compiled for every set of instructions.
pub(crate) trait Work {
    /// Whether its numbers have four bytes, so that twice as many go at once.
    const SINGLE: bool = false;

    /// Does the work with `N` lanes.
    ///
    /// It has to be `#[inline(always)]`, and so has everything hot that it calls: what is not inlined is
    /// compiled without the instructions.
    fn run<const N: usize, L: Level>(self);
}

/// A set of vector instructions that this processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Simd(Set);

/// From the plainest to the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Set {
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Simd {
    /// The best there is, or what the environment variable `KINWORLD_SIMD` says: `baseline`, `avx2`, `avx512`.
    ///
    /// Where the processor lacks what is asked for, the best below it is taken; any other word counts for
    /// nothing. The variable is read once.
    pub(crate) fn chosen() -> Self {
        static CHOSEN: OnceLock<Simd> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let wish = std::env::var("KINWORLD_SIMD").unwrap_or_default();
            Self(choose(&wish, best()))
        })
    }

    /// All that this processor has.
    #[cfg(test)]
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        SETS.iter()
            .map(|&(_, set)| set)
            .filter(|&set| set <= best())
            .map(Self)
    }

    /// How many numbers of eight bytes go at once.
    pub(crate) fn lanes(self) -> usize {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => 8,
            _ => 4,
        }
    }

    /// Does the work with these instructions.
    pub(crate) fn run<W: Work>(self, work: W) {
        match self.0 {
            Set::Baseline if W::SINGLE => work.run::<8, Baseline>(),
            Set::Baseline => work.run::<4, Baseline>(),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
            // SAFETY: `best` returns `Set::Avx2` or more only where `is_x86_feature_detected` has found AVX2 and FMA
            Set::Avx2 => unsafe { avx2(work) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
            // SAFETY: `best` returns `Set::Avx512` only where `is_x86_feature_detected` has found AVX-512 F, DQ and VL,
            // AVX2 and FMA
            Set::Avx512 => unsafe { avx512(work) },
        }
    }
}

/// The words of `KINWORLD_SIMD`.
const SETS: &[(&str, Set)] = &[
    ("baseline", Set::Baseline),
    #[cfg(target_arch = "x86_64")]
    ("avx2", Set::Avx2),
    #[cfg(target_arch = "x86_64")]
    ("avx512", Set::Avx512),
];

fn choose(wish: &str, best: Set) -> Set {
    let named = SETS.iter().find(|(name, _)| *name == wish);
    named.map_or(best, |&(_, set)| set.min(best))
}

/// The best set of instructions that the processor has.
#[cfg(target_arch = "x86_64")]
fn best() -> Set {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        return Set::Baseline;
    }
    let has_avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    if has_avx512 { Set::Avx512 } else { Set::Avx2 }
}

/// Elsewhere the baseline is all there is.
#[cfg(not(target_arch = "x86_64"))]
fn best() -> Set {
    Set::Baseline
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<W: Work>(work: W) {
    if W::SINGLE {
        work.run::<8, Avx2>();
    } else {
        work.run::<4, Avx2>();
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
fn avx512<W: Work>(work: W) {
    if W::SINGLE {
        work.run::<16, Avx512>();
    } else {
        work.run::<8, Avx512>();
    }
}

/// Does a part of [`Work`] in a function of its own, with the instructions of the whole.
///
/// The part has to be `#[inline(always)]`, as the work has to be.
pub(crate) fn outlined<L: Level, R>(part: impl FnOnce() -> R) -> R {
    L::outlined(part)
}

/// A set of instructions that can start a function of its own.
///
/// A method of each set, and no branch on a constant: every branch would be compiled for every set.
pub(crate) trait Outline {
    /// [`outlined`].
    fn outlined<R>(part: impl FnOnce() -> R) -> R;
}

impl Outline for Baseline {
    fn outlined<R>(part: impl FnOnce() -> R) -> R {
        baseline_outlined(part)
    }
}

#[cfg(target_arch = "x86_64")]
impl Outline for Avx2 {
    fn outlined<R>(part: impl FnOnce() -> R) -> R {
        #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
        // SAFETY: lanes of a level are made in `Work` for that level, which `Simd` has started
        unsafe {
            avx2_outlined(part)
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Outline for Avx512 {
    fn outlined<R>(part: impl FnOnce() -> R) -> R {
        #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
        // SAFETY: as above
        unsafe {
            avx512_outlined(part)
        }
    }
}

#[inline(never)]
fn baseline_outlined<R>(part: impl FnOnce() -> R) -> R {
    part()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx2,fma")]
fn avx2_outlined<R>(part: impl FnOnce() -> R) -> R {
    part()
}

#[cfg(target_arch = "x86_64")]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
fn avx512_outlined<R>(part: impl FnOnce() -> R) -> R {
    part()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_for_more_than_there_is_gets_the_best_and_an_unknown_one_changes_nothing() {
        for &(_, best) in SETS {
            for &(name, set) in SETS {
                assert_eq!(choose(name, best), set.min(best), "{name}");
            }
            for name in ["", "AVX2", "neon"] {
                assert_eq!(choose(name, best), best, "{name}");
            }
        }
    }
}
