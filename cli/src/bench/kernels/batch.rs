//! Many configurations at once, from slices into slices and from lanes into lanes.

use std::hint::black_box;

use kinworld::batch::{self, Lanes, Workspace};
use kinworld::{GRAVITY, LinkId, Point, Pose, Result, Robot};

use super::{Kernel, Subject};
use crate::bench::clock::median_ns;
use crate::bench::motions::COUNT;

pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        key: "fk_batch",
        description: "poses of a link per joint, from a slice into a slice",
        time: |subject| {
            let links = carried(subject.robot);
            let mut out = vec![Pose::identity(); COUNT * links.len()];
            subject.batch(12 * links.len(), |robot, [q, ..], ws| {
                let out = &mut out[..q.len() / robot.n_dofs() * links.len()];
                batch::poses_into(robot, q, &links, ws, out)?;
                black_box(out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "jacobian_batch",
        description: "Jacobians of the last link",
        time: |subject| {
            let mut out = subject.room(6 * subject.n());
            let (link, origin) = (subject.last_link(), Point::origin());
            subject.batch(6 * subject.n(), |robot, [q, ..], ws| {
                batch::jacobians_into(robot, q, link, &origin, ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "rnea_batch",
        description: "inverse dynamics",
        time: |subject| {
            let mut out = subject.room(subject.n());
            subject.batch(subject.n(), |robot, [q, dq, ddq, _], ws| {
                batch::inverse_dynamics_into(robot, q, dq, ddq, &GRAVITY, ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "crba_batch",
        description: "mass matrices",
        time: |subject| {
            let width = subject.n() * subject.n();
            let mut out = subject.room(width);
            subject.batch(width, |robot, [q, ..], ws| {
                batch::mass_matrices_into(robot, q, ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "aba_batch",
        description: "forward dynamics",
        time: |subject| {
            let mut out = subject.room(subject.n());
            subject.batch(subject.n(), |robot, [q, dq, _, tau], ws| {
                batch::forward_dynamics_into(robot, q, dq, tau, &GRAVITY, ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "fk_lanes",
        description: "poses of a link per joint, from lanes into lanes",
        time: |subject| {
            let links = carried(subject.robot);
            subject.lanes(12 * links.len(), |robot, [q, ..], ws, out| {
                batch::poses_lanes(robot, q, &links, ws, out)
            })
        },
    },
    Kernel {
        key: "jacobian_lanes",
        description: "Jacobians of the last link",
        time: |subject| {
            let (link, origin) = (subject.last_link(), Point::origin());
            subject.lanes(6 * subject.n(), |robot, [q, ..], ws, out| {
                batch::jacobians_lanes(robot, q, link, &origin, ws, out)
            })
        },
    },
    Kernel {
        key: "rnea_lanes",
        description: "inverse dynamics",
        time: |subject| {
            subject.lanes(subject.n(), |robot, [q, dq, ddq, _], ws, out| {
                batch::inverse_dynamics_lanes(robot, q, dq, ddq, &GRAVITY, ws, out)
            })
        },
    },
    Kernel {
        key: "crba_lanes",
        description: "mass matrices",
        time: |subject| {
            let width = subject.n() * subject.n();
            subject.lanes(width, |robot, [q, ..], ws, out| {
                batch::mass_matrices_lanes(robot, q, ws, out)
            })
        },
    },
    Kernel {
        key: "aba_lanes",
        description: "forward dynamics",
        time: |subject| {
            subject.lanes(subject.n(), |robot, [q, dq, _, tau], ws, out| {
                batch::forward_dynamics_lanes(robot, q, dq, tau, &GRAVITY, ws, out)
            })
        },
    },
];

/// Child link of each joint; of the six virtual links of a floating base, only the last.
fn carried(robot: &Robot) -> Vec<LinkId> {
    let joints = robot.joints().iter();
    joints
        .filter_map(|joint| joint.links.last().copied())
        .collect()
}

impl Subject<'_> {
    /// Time per configuration of a call with rows of configurations, velocities, accelerations and forces, and `width`
    /// output values each.
    fn batch(
        &self,
        width: usize,
        mut call: impl FnMut(&Robot, [&[f64]; 4], &mut Workspace) -> Result<()>,
    ) -> Result<f64> {
        let count = batch_of(width);
        let mut ws = Workspace::new(self.robot);
        let time = median_ns(|number| call(self.robot, self.motions.rows(number, count), &mut ws))?;
        Ok(time / count as f64)
    }

    /// As above, for a call with input and output lanes.
    fn lanes(
        &self,
        width: usize,
        mut call: impl FnMut(&Robot, [&Lanes; 4], &mut Workspace, &mut Lanes) -> Result<()>,
    ) -> Result<f64> {
        let count = batch_of(width);
        let mut batches = Vec::new();
        for number in 0..COUNT / count {
            let [q, dq, ddq, tau] = self.motions.rows(number, count);
            let lanes = |rows| Lanes::from_rows(self.n(), rows);
            batches.push([lanes(q)?, lanes(dq)?, lanes(ddq)?, lanes(tau)?]);
        }
        let (mut ws, mut out) = (Workspace::new(self.robot), Lanes::default());
        let time = median_ns(|number| {
            let motions = batches[number % batches.len()].each_ref();
            call(self.robot, motions, &mut ws, &mut out)?;
            black_box(&out);
            Ok(())
        })?;
        Ok(time / count as f64)
    }

    /// Output memory of a batch.
    fn room(&self, width: usize) -> Vec<f64> {
        vec![0.0; batch_of(width) * width]
    }
}

/// Number of configurations per batch for a number of output values each: a multiple of the lanes that fits into the L2
/// cache.
fn batch_of(width: usize) -> usize {
    (NUMBERS / width.max(1)).clamp(LANES, COUNT) / LANES * LANES
}

/// Maximum number of output values of a batch.
const NUMBERS: usize = 1 << 16;

/// Configurations per group of lanes.
const LANES: usize = 8;
