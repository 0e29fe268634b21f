//! Many configurations at once.

use std::hint::black_box;

use kinworld::batch;
use kinworld::{LinkId, Point, Pose, Result, Robot};

use super::{Kernel, Subject};
use crate::bench::clock::median_ns;
use crate::bench::motions::COUNT;

pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        key: "fk_batch",
        what: "poses of a link per joint, from a slice into a slice",
        time: |subject| {
            let links = carried(subject.robot);
            let mut ws = batch::Workspace::new(subject.robot);
            let mut out = vec![Pose::identity(); COUNT * links.len()];
            subject.batch(12 * links.len(), |robot, [q, ..]| {
                let out = &mut out[..q.len() / robot.n_dofs() * links.len()];
                batch::poses_into(robot, q, &links, &mut ws, out)?;
                black_box(out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "jacobian_batch",
        what: "Jacobians of the last link",
        time: |subject| {
            let mut ws = batch::Workspace::new(subject.robot);
            let mut out = subject.room(6 * subject.n());
            let (link, origin) = (subject.last_link(), Point::origin());
            subject.batch(6 * subject.n(), |robot, [q, ..]| {
                batch::jacobians_into(robot, q, link, &origin, &mut ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
];

/// The link that each joint carries: a floating base has six virtual links, and one that matters.
fn carried(robot: &Robot) -> Vec<LinkId> {
    let joints = robot.joints().iter();
    joints
        .filter_map(|joint| joint.links.last().copied())
        .collect()
}

impl Subject<'_> {
    /// The time per configuration of a call that gets rows of configurations, velocities, accelerations and forces,
    /// and answers each with `width` numbers.
    fn batch(
        &self,
        width: usize,
        mut call: impl FnMut(&Robot, [&[f64]; 4]) -> Result<()>,
    ) -> Result<f64> {
        let count = batch_of(width);
        let time = median_ns(|number| call(self.robot, self.motions.rows(number, count)))?;
        Ok(time / count as f64)
    }

    /// Memory for the answers of a batch.
    fn room(&self, width: usize) -> Vec<f64> {
        vec![0.0; batch_of(width) * width]
    }
}

/// How many configurations make a batch whose answers have so many numbers each: whole lanes, and not more than stay in
/// a processor's second cache.
fn batch_of(width: usize) -> usize {
    (NUMBERS / width.max(1)).clamp(LANES, COUNT) / LANES * LANES
}

/// Numbers that the answers to one batch may have.
const NUMBERS: usize = 1 << 16;

/// Configurations side by side.
const LANES: usize = 8;
