//! AVX2 and AVX-512: the only code that runs instructions which the processor may lack.
//!
//! The types that stand for them are private, so that no other code can name them, and are passed on only by the
//! functions of [`OnX86`], which are `unsafe` to call. Of a loop over eight numbers the compiler makes one instruction
//! most of the time, but a value that comes out of two branches or lives through a loop it splits and reassembles: that
//! costs batches up to a factor of two. Every instruction has a safe twin in [`Arithmetic`](super::level::Arithmetic) or
//! [`Plain`](super::quad::Plain), which other processors use.

#![expect(
    unsafe_code,
    reason = "instructions that the processor may lack; loads and stores"
)]

mod lanes;
mod quad;

use self::quad::Avx2Quad;
use super::dispatch::{QuadWork, Work};
use super::level::{Aligned32, Fusing, Level};

/// Functions compiled for AVX2 and AVX-512.
///
/// Provided methods for the sake of codegen units, as in [`OnBaseline`](super::dispatch::OnBaseline).
///
/// # Safety
///
/// Of each: the processor has AVX2 and FMA; of those for AVX-512, also F, DQ and VL of it.
pub(super) trait OnX86: Sized {
    /// [`Work::run`] with AVX2.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn work_avx2(self)
    where
        Self: Work,
    {
        if Self::SINGLE {
            self.run::<8, Avx2>();
        } else {
            self.run::<4, Avx2>();
        }
    }

    /// [`Work::run`] with AVX-512.
    #[cfg(kinworld_avx512)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
    unsafe fn work_avx512(self)
    where
        Self: Work,
    {
        if Self::SINGLE {
            self.run::<16, Avx512>();
        } else {
            self.run::<8, Avx512>();
        }
    }

    /// [`QuadWork::run`] with AVX2.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn quad_work_avx2(self)
    where
        Self: QuadWork,
    {
        self.run::<Avx2Quad>();
    }

    /// [`QuadWork::run`] with the registers of AVX2, of which AVX-512 has 32 instead of 16.
    #[cfg(kinworld_avx512)]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
    unsafe fn quad_work_avx512(self)
    where
        Self: QuadWork,
    {
        self.run::<Avx2Quad>();
    }

    /// Calls a closure with AVX2.
    #[inline(never)]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn outlined_avx2<R>(self) -> R
    where
        Self: FnOnce() -> R,
    {
        self()
    }

    /// Calls a closure with AVX-512.
    #[cfg(kinworld_avx512)]
    #[inline(never)]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
    unsafe fn outlined_avx512<R>(self) -> R
    where
        Self: FnOnce() -> R,
    {
        self()
    }
}

impl<T> OnX86 for T {}

/// AVX2 and FMA: registers of 32 bytes.
#[derive(Debug, Clone, Copy)]
enum Avx2 {}

/// AVX-512: registers of 64 bytes.
#[cfg(kinworld_avx512)]
#[derive(Debug, Clone, Copy)]
enum Avx512 {}

impl Fusing for Avx2 {
    const FUSED: bool = true;
}

#[cfg(kinworld_avx512)]
impl Fusing for Avx512 {
    const FUSED: bool = true;
}

// SAFETY: private, and passed on only by functions whose callers vouch for the processor
unsafe impl Level for Avx2 {
    type Line = Aligned32;

    #[inline(always)]
    fn outlined<R>(part: impl FnOnce() -> R) -> R {
        // SAFETY: who can name this level runs on a processor that has it
        unsafe { part.outlined_avx2() }
    }
}

#[cfg(kinworld_avx512)]
// SAFETY: as above
unsafe impl Level for Avx512 {
    type Line = Aligned64;

    #[inline(always)]
    fn outlined<R>(part: impl FnOnce() -> R) -> R {
        // SAFETY: as above
        unsafe { part.outlined_avx512() }
    }
}

#[cfg(kinworld_avx512)]
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Aligned64;

/// A register as its numbers are in memory: at any address.
///
/// Where debug assertions are on, the loads and stores of the standard library check their pointers, which makes a call of each.
#[repr(C, packed)]
struct Unaligned<R>(R);

/// The numbers in a register.
///
/// # Safety
///
/// They fill it.
#[inline(always)]
unsafe fn load<R: Copy, T>(numbers: &T) -> R {
    // SAFETY: as many bytes as the register has are there, and any bits are numbers
    unsafe { (*std::ptr::from_ref(numbers).cast::<Unaligned<R>>()).0 }
}

/// Overwrites the numbers by those in a register.
///
/// # Safety
///
/// They fill it.
#[inline(always)]
unsafe fn store<R: Copy, T>(numbers: &mut T, register: R) {
    // SAFETY: as above
    unsafe { *std::ptr::from_mut(numbers).cast() = Unaligned(register) };
}
