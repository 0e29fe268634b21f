//! Choice of the vector instructions at run time, once per call.
//!
//! A function compiled for instructions that the processor may lack can be called only through a [`Simd`], and a `Simd`
//! exists only where the processor has been asked.

use std::sync::OnceLock;

use super::level::{Baseline, Fusing, Level};
use super::quad::{Plain, Quad};
#[cfg(kinworld_vectors)]
use super::x86::OnX86;

/// Work on [`Lanes`](super::Lanes) that is written once and compiled for every set of instructions.
pub(crate) trait Work: Sized {
    /// Whether its numbers have four bytes, so that twice as many go at once.
    const SINGLE: bool = false;

    /// Does the work with `N` lanes.
    ///
    /// It has to be `#[inline(always)]`, and so has everything hot that it calls: what is not inlined is
    /// compiled without the instructions.
    fn run<const N: usize, L: Level>(self);
}

/// Work of one configuration on registers of four numbers, compiled for the baseline and for AVX2.
pub(crate) trait QuadWork: Sized {
    /// Does the work; inlined as in [`Work::run`].
    fn run<Q: Quad>(self);
}

/// Functions of their own for the baseline.
///
/// Provided methods, here and in `x86`, because the compiler puts an instance of one into the codegen unit of its `Self`:
/// instances of free functions would all land in that of this module, which took half of the code of the crate.
pub(super) trait OnBaseline: Sized {
    /// [`Work::run`].
    #[inline(never)]
    fn work(self)
    where
        Self: Work,
    {
        if Self::SINGLE {
            self.run::<8, Baseline>();
        } else {
            self.run::<4, Baseline>();
        }
    }

    /// [`QuadWork::run`].
    #[inline(never)]
    fn quad_work(self)
    where
        Self: QuadWork,
    {
        self.run::<Plain<{ <Baseline as Fusing>::FUSED }>>();
    }

    /// Calls a closure.
    #[inline(never)]
    fn outlined<R>(self) -> R
    where
        Self: FnOnce() -> R,
    {
        self()
    }
}

impl<T> OnBaseline for T {}

/// A set of vector instructions that this processor has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Simd(Set);

/// In ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    Baseline,
    #[cfg(kinworld_vectors)]
    Avx2,
    #[cfg(kinworld_avx512)]
    Avx512,
}

impl Simd {
    /// The best available set, or the one in the environment variable `KINWORLD_SIMD`: `baseline`, `avx2`, `avx512`.
    ///
    /// Where the processor lacks the requested set, the best below it is taken; other values are ignored. The variable
    /// is read once.
    #[inline]
    pub(crate) fn chosen() -> Self {
        static CHOSEN: OnceLock<Simd> = OnceLock::new();
        *CHOSEN.get_or_init(|| {
            let request = std::env::var("KINWORLD_SIMD").unwrap_or_default();
            Self(choose(&request, best()))
        })
    }

    /// All sets that this processor has.
    #[cfg(test)]
    pub(crate) fn available() -> impl Iterator<Item = Self> {
        SETS.iter()
            .map(|&(_, set)| set)
            .filter(|&set| set <= best())
            .map(Self)
    }

    /// Number of `f64` lanes.
    #[inline]
    pub(crate) fn lanes(self) -> usize {
        match self.0 {
            #[cfg(kinworld_avx512)]
            Set::Avx512 => 8,
            _ => 4,
        }
    }

    /// Does the work with these instructions.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) {
        match self.0 {
            Set::Baseline => OnBaseline::work(work),
            #[cfg(kinworld_vectors)]
            #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
            // SAFETY: `best` returns `Set::Avx2` or more only where `is_x86_feature_detected` has found AVX2 and FMA
            Set::Avx2 => unsafe { work.work_avx2() },
            #[cfg(kinworld_avx512)]
            #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
            // SAFETY: `best` returns `Set::Avx512` only where `is_x86_feature_detected` has found AVX-512 F, DQ and VL,
            // AVX2 and FMA
            Set::Avx512 => unsafe { work.work_avx512() },
        }
    }

    /// [`run_quad`](Self::run_quad) for a kernel that gains from the 32 registers of AVX-512, and so has a copy for them.
    ///
    /// On 30 links forward kinematics take 0.93 of the time, the mass matrix 0.91, its inverse 0.9; inverse and forward
    /// dynamics do not change.
    #[inline]
    pub(crate) fn run_quad_wide<W: QuadWork>(self, work: W) {
        match self.0 {
            #[cfg(kinworld_avx512)]
            #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
            // SAFETY: as in `run`
            Set::Avx512 => unsafe { work.quad_work_avx512() },
            _ => self.run_quad(work),
        }
    }

    /// Does the work of one configuration with these instructions.
    #[inline]
    pub(crate) fn run_quad<W: QuadWork>(self, work: W) {
        match self.0 {
            Set::Baseline => OnBaseline::quad_work(work),
            #[cfg(kinworld_vectors)]
            #[expect(unsafe_code, reason = "the compiler cannot know what `best` has found")]
            // SAFETY: as in `run`
            _ => unsafe { work.quad_work_avx2() },
        }
    }
}

/// The values of `KINWORLD_SIMD`.
const SETS: &[(&str, Set)] = &[
    ("baseline", Set::Baseline),
    #[cfg(kinworld_vectors)]
    ("avx2", Set::Avx2),
    #[cfg(kinworld_avx512)]
    ("avx512", Set::Avx512),
];

fn choose(request: &str, best: Set) -> Set {
    let named = SETS.iter().find(|(name, _)| *name == request);
    named.map_or(best, |&(_, set)| set.min(best))
}

/// The best set that the processor has.
#[cfg(kinworld_vectors)]
fn best() -> Set {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        return Set::Baseline;
    }
    #[cfg(kinworld_avx512)]
    if is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
    {
        return Set::Avx512;
    }
    Set::Avx2
}

/// Elsewhere there is only the baseline.
#[cfg(not(kinworld_vectors))]
fn best() -> Set {
    Set::Baseline
}

/// Does a part of [`Work`] in a function of its own, with the instructions of the work.
///
/// The part has to be `#[inline(always)]`, as the work has to be.
#[inline(always)]
pub(crate) fn outlined<L: Level, R>(part: impl FnOnce() -> R) -> R {
    L::outlined(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_that_is_missing_becomes_the_best_below_and_an_unknown_name_changes_nothing() {
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
