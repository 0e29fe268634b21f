//! What all batches share: checks, lanes in, and who computes which part.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

use crate::kernel::{self, Frame, Frames};
use crate::kinematics::check_length;
use crate::math::{Lanes, Level, Scalar, Simd, Work};
use crate::robot::Robot;
use crate::{Error, Result};

/// What a batch answers of each configuration.
pub(super) trait Answer: Sync {
    /// A piece of the answer; every configuration has equally many.
    type Piece: Send;

    /// Writes the answers to the configurations whose bodies are at `bodies`: those of the first lanes, one after the
    /// other, until `out` is full.
    fn write<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        bodies: &[Frame<Lanes<N, L>>],
        out: &mut [Self::Piece],
    );
}

/// How many configurations there are in `configs`.
///
/// # Errors
///
/// [`Error::Length`] where the last one is not complete; a robot without coordinates has none.
pub(super) fn count(robot: &Robot, configs: &[f64]) -> Result<usize> {
    let n = robot.n_dofs();
    let count = configs.len().div_ceil(n.max(1));
    check_length("batch of configurations", count * n, configs)?;
    Ok(count)
}

/// Fills `out` with an answer of `width` pieces to each configuration.
///
/// # Errors
///
/// [`Error::Invalid`] for a number that is not finite; then nothing is written.
pub(super) fn fill<A: Answer>(
    robot: &Robot,
    configs: &[f64],
    answer: &A,
    width: usize,
    out: &mut [A::Piece],
) -> Result<()> {
    let n = robot.n_dofs();
    check_finite(n, configs)?;
    if n == 0 || width == 0 {
        return Ok(());
    }

    let simd = Simd::chosen();
    let fill = |configs: &[f64], out: &mut [A::Piece]| {
        simd.run(Part {
            robot,
            configs,
            answer,
            width,
            out,
        });
    };
    #[cfg(feature = "parallel")]
    if configs.len() > PART * n {
        let parts = configs.par_chunks(PART * n);
        let outs = out.par_chunks_mut(PART * width);
        parts.zip(outs).for_each(|(part, out)| fill(part, out));
        return Ok(());
    }
    fill(configs, out);
    Ok(())
}

/// A part of a batch, for one thread.
struct Part<'a, A: Answer> {
    robot: &'a Robot,
    configs: &'a [f64],
    answer: &'a A,
    width: usize,
    out: &'a mut [A::Piece],
}

impl<A: Answer> Work for Part<'_, A> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let tree = self.robot.tree();
        let n = tree.len();
        let mut q = vec![Lanes::<N, L>::constant(0.0); n];
        let mut frames = Frames::new(tree);
        let configs = self.configs.chunks(N * n);
        for (configs, out) in configs.zip(self.out.chunks_mut(N * self.width)) {
            pack(configs, &mut q);
            kernel::forward(tree, &q, &mut frames);
            self.answer.write(self.robot, frames.bodies(), out);
        }
    }
}

/// Puts one configuration into each lane; lanes that are left over keep what was in them, and nobody reads their
/// answers.
///
/// Not inlined, so that it is compiled without AVX-512: the compiler would make scatter instructions of the loop.
#[inline(never)]
fn pack<const N: usize, L: Level>(configs: &[f64], q: &mut [Lanes<N, L>]) {
    for (lane, config) in configs.chunks_exact(q.len()).take(N).enumerate() {
        for (q, &x) in q.iter_mut().zip(config) {
            q.values_mut()[lane] = x;
        }
    }
}

fn check_finite(n: usize, configs: &[f64]) -> Result<()> {
    let Some(k) = configs.iter().position(|x| !x.is_finite()) else {
        return Ok(());
    };
    let (config, value, x) = (k / n, k % n, configs[k]);
    let problem = format!("value {value} is {x}, it must be finite");
    Err(Error::invalid(format!("configuration {config}"), problem))
}

/// Configurations that one thread computes in a row: some microseconds of work, more than it costs to hand them over.
#[cfg(feature = "parallel")]
const PART: usize = 256;
