//! Driver of all batches: checks, distribution over threads, and the flow of numbers through the lanes.

use std::marker::PhantomData;
use std::ops::Range;

use super::layout::{Sink, Source};
use super::workspace::{AnyScratch, Precision, Scratch, Slot};
use super::{Lanes, Workspace};
use crate::dynamics::no_acceleration;
use crate::kinematics::check_length;
use crate::math::{Block, Lanes as Wide, Level, Number, Scalar, Simd, Work};
use crate::robot::Robot;
use crate::{Error, Result, threads};

/// Computation of a batch on the configurations in the lanes.
pub(super) trait Stage<T = f64>: Sync {
    /// Computes the results for the configurations in the lanes of `scratch`, of which the first `lanes` count.
    ///
    /// It has to be `#[inline(always)]`, like the [`Work`] that it is a part of.
    ///
    /// # Errors
    ///
    /// If a lane that counts has a singular coordinate.
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L, T>>,
        lanes: usize,
        out: &mut [Wide<N, L, T>],
    ) -> Result<(), Singular>;
}

/// A coordinate that moves no inertia, and its lane.
pub(super) struct Singular {
    pub(super) lane: usize,
    pub(super) dof: usize,
}

/// Inputs of a batch.
#[derive(Clone, Copy)]
pub(super) struct Inputs<S> {
    pub(super) q: S,
    pub(super) dq: Option<S>,
    /// Accelerations or torques, with their name.
    pub(super) input: Option<(&'static str, S)>,
}

impl<S> Inputs<S> {
    /// Configurations only.
    pub(super) fn of_configs(q: S) -> Self {
        Self {
            q,
            dq: None,
            input: None,
        }
    }
}

/// Number of configurations in a slice.
///
/// # Errors
///
/// [`Error::Length`] where the last one is not complete; a robot without degrees of freedom has none.
pub(super) fn count<T>(robot: &Robot, configs: &[T]) -> Result<usize> {
    let n = robot.n_dofs();
    let count = configs.len().div_ceil(n.max(1));
    check_length("batch of configurations", count * n, configs)?;
    Ok(count)
}

/// Number of configurations in lanes.
///
/// # Errors
///
/// As [`check_lanes`].
pub(super) fn count_lanes(robot: &Robot, configs: &Lanes) -> Result<usize> {
    check_lanes("configurations in lanes", robot, configs.len(), configs)?;
    Ok(if robot.n_dofs() == 0 {
        0
    } else {
        configs.len()
    })
}

/// Refuses lanes that are not `count` rows of one number per coordinate.
pub(super) fn check_lanes(
    what: &'static str,
    robot: &Robot,
    count: usize,
    lanes: &Lanes,
) -> Result<()> {
    let n = robot.n_dofs();
    if lanes.width() == n && lanes.len() == count {
        return Ok(());
    }
    Err(Error::Length {
        what,
        expected: count * n,
        found: lanes.len() * lanes.width(),
    })
}

/// Refuses a vector that is not finite.
pub(super) fn check_vector(what: &'static str, v: &[f64]) -> Result<()> {
    if v.iter().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Error::invalid(what, format!("{v:?} must be finite")))
}

/// Computes `width` numbers for each of `count` configurations.
///
/// # Errors
///
/// [`Error::Invalid`] for a number that is not finite, or a coordinate that moves no inertia, in the first configuration
/// that has one. The contents of `out` are then unspecified.
pub(super) fn drive<T: Precision, G: Stage<T>, S: Source<T>, K: Sink<T>>(
    robot: &Robot,
    stage: &G,
    inputs: Inputs<S>,
    count: usize,
    width: usize,
    ws: &mut Workspace,
    out: K,
) -> Result<()> {
    let batch = Batch {
        robot,
        stage,
        inputs,
        width,
        count,
        simd: Simd::chosen(),
        _numbers: PhantomData,
    };
    if count == 0 || width == 0 {
        return batch.check(0..count);
    }
    batch.share(0..count, ws.slots(n_threads(count), width), out)
}

/// The constants of a batch.
struct Batch<'a, T, G, S> {
    robot: &'a Robot,
    stage: &'a G,
    inputs: Inputs<S>,
    count: usize,
    width: usize,
    simd: Simd,
    _numbers: PhantomData<T>,
}

impl<T: Number, G: Stage<T>, S: Source<T>> Batch<'_, T, G, S> {
    /// Halves the configurations until each slot has its part, in whole [`PART`]s of the batch, so that the first failure
    /// does not depend on the number of slots.
    fn share<K: Sink<T>>(
        &self,
        configs: Range<usize>,
        slots: &mut [Slot<T>],
        out: K,
    ) -> Result<()> {
        if slots.len() > 1 {
            let parts = configs.len().div_ceil(PART) * (slots.len() / 2) / slots.len();
            let (first, rest) = out.split(parts * PART);
            let (left, right) = slots.split_at_mut(slots.len() / 2);
            let middle = configs.start + parts * PART;
            let (a, b) = threads::both(
                || self.share(configs.start..middle, left, first),
                || self.share(middle..configs.end, right, rest),
            );
            return a.and(b);
        }
        let mut result = Ok(());
        if let Some(slot) = slots.first_mut() {
            self.simd.run(Share {
                batch: self,
                configs,
                slot,
                out,
                result: &mut result,
            });
        }
        result
    }

    /// Refuses a number that is not finite.
    fn check(&self, configs: Range<usize>) -> Result<()> {
        let Inputs { q, dq, input } = self.inputs;
        let inputs = [
            Some(("configuration", q)),
            dq.map(|dq| ("velocity", dq)),
            input,
        ];
        for (what, input) in inputs.into_iter().flatten() {
            if let Some((k, value)) = input.bad_value(configs.clone()) {
                let x = input.value(k, value);
                let problem = format!("value {value} is {x}, it must be finite");
                return Err(Error::invalid(format!("{what} {k}"), problem));
            }
        }
        Ok(())
    }

    /// Loads as many configurations as there are lanes, from index `first` on.
    #[inline(always)]
    fn load<const N: usize, L: Level>(&self, first: usize, scratch: &mut Scratch<Wide<N, L, T>>) {
        let (n, count) = (self.robot.n_dofs(), self.count);
        let Inputs { q, dq, input } = self.inputs;
        q.load(first, count, &mut scratch.q[..n]);
        if let Some(dq) = dq {
            dq.load(first, count, &mut scratch.dq[..n]);
        }
        match input {
            Some((_, input)) => input.load(first, count, &mut scratch.input[..n]),
            None if dq.is_some() => scratch.input[..n].fill(Wide::constant(0.0)),
            None => {}
        }
    }

    /// Computes the results for the first `lanes` configurations in `scratch`, which start at index `first`.
    fn compute(
        &self,
        first: usize,
        lanes: usize,
        scratch: &mut dyn AnyScratch<T>,
        out: (&mut [Block], usize),
    ) -> Result<()> {
        let mut result = Ok(());
        self.simd.run(Compute {
            robot: self.robot,
            stage: self.stage,
            scratch,
            lanes,
            width: self.width,
            out,
            result: &mut result,
        });
        result.map_err(|Singular { lane, dof }| {
            let link = self.robot.link(self.robot.dofs()[dof]).name();
            no_acceleration(format!("configuration {}, link `{link}`", first + lane))
        })
    }
}

/// The computation alone, independent of sources and sinks, so that it is compiled once for all of them.
struct Compute<'a, T, G> {
    robot: &'a Robot,
    stage: &'a G,
    scratch: &'a mut dyn AnyScratch<T>,
    lanes: usize,
    width: usize,
    // blocks, and the index of the result in them
    out: (&'a mut [Block], usize),
    result: &'a mut Result<(), Singular>,
}

impl<T: Number, G: Stage<T>> Work for Compute<'_, T, G> {
    const SINGLE: bool = T::SINGLE;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let (scratch, (blocks, index)) = (self.scratch.downcast::<N, L>(), self.out);
        let out = &mut Block::as_lanes_mut(blocks)[index * self.width..][..self.width];
        *self.result = self.stage.compute(self.robot, scratch, self.lanes, out);
    }
}

/// A share of a batch, for one thread.
struct Share<'a, T, G, S, K> {
    batch: &'a Batch<'a, T, G, S>,
    configs: Range<usize>,
    slot: &'a mut Slot<T>,
    out: K,
    result: &'a mut Result<()>,
}

impl<T: Number, G: Stage<T>, S: Source<T>, K: Sink<T>> Work for Share<'_, T, G, S, K> {
    const SINGLE: bool = T::SINGLE;

    #[inline(always)]
    fn run<const N: usize, L: Level>(mut self) {
        let (batch, configs) = (self.batch, self.configs);
        let Slot { scratch, output } = self.slot;
        for part in configs.clone().step_by(PART) {
            let end = configs.end.min(part + PART);
            *self.result = batch.check(part..end);
            for first in (part..end).step_by(N) {
                if self.result.is_err() {
                    return;
                }
                batch.load(first, scratch.downcast::<N, L>());
                let (at, lanes) = (first - configs.start, N.min(batch.count - first));
                if let Some(out) = self.out.lanes::<N, L>(at) {
                    *self.result = batch.compute(first, lanes, &mut **scratch, out);
                    continue;
                }
                *self.result = batch.compute(first, lanes, &mut **scratch, (output, 0));
                if self.result.is_ok() {
                    let from = &Block::as_lanes::<N, L, T>(output)[..batch.width];
                    self.out.store(at, lanes, from);
                }
            }
        }
    }
}

/// Number of threads that share a batch.
fn n_threads(count: usize) -> usize {
    if count > PART {
        threads::count().min(count.div_ceil(PART))
    } else {
        1
    }
}

/// Number of configurations that one thread computes in a row: some microseconds of work, more than scheduling costs.
/// A multiple of every number of lanes.
const PART: usize = 256;
