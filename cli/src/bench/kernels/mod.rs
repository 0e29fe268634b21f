//! Kernels of the benchmark.

mod batch;
mod single;

use kinworld::{LinkId, Result, Robot};

use super::motions::Motions;
use crate::progress::Progress;

/// A kernel to time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernel {
    pub(super) key: &'static str,
    pub(super) description: &'static str,
    time: fn(&Subject<'_>) -> Result<f64>,
}

/// Times all kernels, one after the other.
pub(super) fn time_all(robot: &Robot) -> Vec<(Kernel, Result<f64>)> {
    let mut progress = Progress::new("measuring");
    let n = single::KERNELS.len() + batch::KERNELS.len();
    let subject = Subject {
        robot,
        motions: Motions::of(robot),
    };
    let kernels = single::KERNELS.iter().chain(batch::KERNELS);
    kernels
        .enumerate()
        .map(|(i, &kernel)| {
            progress.show(i as f64 / n as f64, || kernel.key.to_owned());
            (kernel, (kernel.time)(&subject))
        })
        .collect()
}

/// Robot and motions of the benchmark.
struct Subject<'a> {
    robot: &'a Robot,
    motions: Motions,
}

impl Subject<'_> {
    fn n(&self) -> usize {
        self.robot.n_dofs()
    }

    fn last_link(&self) -> LinkId {
        LinkId::new(self.robot.links().len() - 1)
    }
}
