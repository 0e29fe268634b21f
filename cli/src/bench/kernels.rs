//! What is timed.

use std::hint::black_box;

use kinworld::dynamics::{self, Workspace};
use kinworld::{LinkId, Point, Pose, Result, Robot, State, Vector, batch, kinematics};

use super::clock::median_ns;
use super::motions::{COUNT, Motions};
use crate::answer::ON_EARTH;

/// Something that is timed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kernel {
    pub(super) key: &'static str,
    pub(super) what: &'static str,
    time: fn(&Subject<'_>) -> Result<f64>,
}

/// All of them, one after the other.
pub(super) fn time_all(robot: &Robot) -> Vec<(Kernel, Result<f64>)> {
    let subject = Subject {
        robot,
        motions: Motions::of(robot),
    };
    let time = |&kernel: &Kernel| (kernel, (kernel.time)(&subject));
    KERNELS.iter().map(time).collect()
}

/// The robot whose kernels are timed, and what it does.
struct Subject<'a> {
    robot: &'a Robot,
    motions: Motions,
}

impl Subject<'_> {
    /// The time of `call` and of the new configuration that it gets, with its number.
    fn at_rest(&self, mut call: impl FnMut(&State, usize) -> Result<()>) -> Result<f64> {
        let mut state = State::new(self.robot);
        median_ns(|number| {
            state.set_config(self.robot, self.motions.row(&self.motions.q, number))?;
            call(&state, number)
        })
    }

    /// The same, with a new velocity.
    fn moving(&self, mut call: impl FnMut(&State, usize) -> Result<()>) -> Result<f64> {
        let mut state = State::new(self.robot);
        median_ns(|number| {
            state.set_config(self.robot, self.motions.row(&self.motions.q, number))?;
            state.set_velocity(self.robot, self.motions.row(&self.motions.dq, number))?;
            call(&state, number)
        })
    }

    /// The time per configuration of `call`, which answers many with `width` numbers each.
    fn batch(
        &self,
        width: usize,
        mut call: impl FnMut(&[f64], usize) -> Result<()>,
    ) -> Result<f64> {
        let count = batch_of(width);
        let q = self.motions.rows(&self.motions.q, count);
        Ok(median_ns(|_| call(q, count))? / count as f64)
    }

    fn n(&self) -> usize {
        self.robot.n_dofs()
    }

    fn last_link(&self) -> LinkId {
        LinkId::new(self.robot.links().len() - 1)
    }
}

const KERNELS: &[Kernel] = &[
    Kernel {
        key: "fk",
        what: "poses of all bodies",
        time: |subject| {
            subject.at_rest(|state, _| {
                black_box(state);
                Ok(())
            })
        },
    },
    Kernel {
        key: "jacobian",
        what: "fk and the 6 × n Jacobian of the last link, in world axes",
        time: |subject| {
            let (link, origin) = (subject.last_link(), Point::origin());
            let here = State::new(subject.robot);
            let mut out = kinematics::jacobian(subject.robot, &here, link, &origin);
            subject.at_rest(|state, _| {
                kinematics::jacobian_into(subject.robot, state, link, &origin, &mut out);
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "rnea",
        what: "inverse dynamics, fk included, as in all below",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = vec![0.0; subject.n()];
            subject.moving(|state, number| {
                let ddq = subject.motions.row(&subject.motions.ddq, number);
                dynamics::inverse_dynamics_into(
                    subject.robot,
                    state,
                    &GRAVITY,
                    ddq,
                    &mut ws,
                    &mut out,
                )?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "crba",
        what: "mass matrix",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = dynamics::mass_matrix(subject.robot, &State::new(subject.robot));
            subject.at_rest(|state, _| {
                dynamics::mass_matrix_into(subject.robot, state, &mut ws, &mut out);
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "aba",
        what: "forward dynamics",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = vec![0.0; subject.n()];
            subject.moving(|state, number| {
                let tau = subject.motions.row(&subject.motions.tau, number);
                dynamics::forward_dynamics_into(
                    subject.robot,
                    state,
                    &GRAVITY,
                    tau,
                    &mut ws,
                    &mut out,
                )?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "minverse",
        what: "inverse of the mass matrix",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = dynamics::mass_matrix(subject.robot, &State::new(subject.robot));
            subject.at_rest(|state, _| {
                dynamics::mass_matrix_inverse_into(subject.robot, state, &mut ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "fk_batch",
        what: "poses of the links that joints carry, from a slice into a slice",
        time: |subject| {
            let joints = subject.robot.joints().iter();
            let links: Vec<LinkId> = joints.filter_map(|j| j.links.last().copied()).collect();
            let mut out = vec![Pose::identity(); COUNT * links.len()];
            subject.batch(12 * links.len(), |q, count| {
                let out = &mut out[..count * links.len()];
                batch::poses_into(subject.robot, q, &links, out)?;
                black_box(out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "jacobian_batch",
        what: "Jacobians of the last link, from a slice into a slice",
        time: |subject| {
            let width = 6 * subject.n();
            let mut out = vec![0.0; batch_of(width) * width];
            let (link, origin) = (subject.last_link(), Point::origin());
            subject.batch(width, |q, _| {
                batch::jacobians_into(subject.robot, q, link, &origin, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
];

/// How many configurations make a batch whose answers have so many numbers each: not more than fit into memory.
fn batch_of(width: usize) -> usize {
    (NUMBERS / width.max(1)).clamp(1, COUNT)
}

/// Numbers that the answers to one batch may have.
const NUMBERS: usize = 1 << 23;

const GRAVITY: Vector = Vector::new(ON_EARTH[0], ON_EARTH[1], ON_EARTH[2]);
