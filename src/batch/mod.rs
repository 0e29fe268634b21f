//! Many configurations of one robot at once: poses and Jacobians. Floor 3.
//!
//! Configurations go in one after the other in a slice, `n` numbers each, and answers come out in the same order.
//! Inside, four or eight configurations go through every operation together, with AVX-512, with AVX2 and FMA, or with
//! what every processor has; the processor is asked at run time. With the feature `parallel` the threads of the
//! global pool of `rayon` share large batches.
//!
//! Answers agree with those of [`kinematics`](crate::kinematics) to rounding. On one machine they do not depend on
//! the number of threads, nor on which configurations stand beside which, to the last bit; another set of
//! instructions may round differently. The environment variable `KINWORLD_SIMD` forces one, to compare: `baseline`,
//! `avx2`, `avx512`. Where the processor lacks it, the best below it is taken; other words are ignored.

mod answer;
mod jacobians;
mod poses;

pub use jacobians::{jacobians, jacobians_into};
pub use poses::{poses, poses_into};
