//! Scalars, lanes and registers of the kernels, and the choice of vector instructions.
//!
//! Soundness rests on names: the types that stand for AVX2 and AVX-512 are private to `x86`, so that other code can only
//! be generic over a [`Level`] or a [`Quad`], and gets one from [`Simd`], which has asked the processor.

mod block;
mod dispatch;
mod lanes;
mod level;
mod number;
mod quad;
mod scalar;
mod trig;
mod trig_single;
#[cfg(kinworld_vectors)]
mod x86;

pub(crate) use block::Block;
pub(crate) use dispatch::{QuadWork, Simd, Work, outlined};
pub(crate) use lanes::Lanes;
pub(crate) use level::Level;
pub(crate) use number::Number;
pub(crate) use quad::{Mask, Quad, Row};
pub(crate) use scalar::{Ring, Scalar};
pub(crate) use trig::sin_cos;
