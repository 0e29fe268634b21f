//! One configuration at a time.

use std::hint::black_box;

use kinworld::dynamics::{self, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Workspace};
use kinworld::{GRAVITY, Point, Result, Robot, State, kinematics};

use super::{Kernel, Subject};
use crate::bench::clock::median_ns;
use crate::bench::motions::Motion;

pub(super) const KERNELS: &[Kernel] = &[
    Kernel {
        key: "fk",
        description: "poses of all bodies",
        time: |subject| {
            subject.at_rest(|_, state| {
                black_box(state);
                Ok(())
            })
        },
    },
    Kernel {
        key: "jacobian",
        description: "fk and the 6 × n Jacobian of the last link, in world axes",
        time: |subject| {
            let (link, origin) = (subject.last_link(), Point::origin());
            let here = State::new(subject.robot);
            let mut out = kinematics::jacobian(subject.robot, &here, link, &origin);
            subject.at_rest(|robot, state| {
                kinematics::jacobian_into(robot, state, link, &origin, &mut out);
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "rnea",
        description: "inverse dynamics, fk included, as in all below",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = vec![0.0; subject.n()];
            subject.moving(|robot, state, Motion { ddq, .. }| {
                dynamics::inverse_dynamics_into(robot, state, &GRAVITY, ddq, &mut ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "crba",
        description: "mass matrix",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = dynamics::mass_matrix(subject.robot, &State::new(subject.robot));
            subject.at_rest(|robot, state| {
                dynamics::mass_matrix_into(robot, state, &mut ws, &mut out);
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "aba",
        description: "forward dynamics",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = vec![0.0; subject.n()];
            subject.moving(|robot, state, Motion { tau, .. }| {
                dynamics::forward_dynamics_into(robot, state, &GRAVITY, tau, &mut ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "rnea_derivatives",
        description: "∂τ/∂q, ∂τ/∂q̇ and ∂τ/∂q̈",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = InverseDynamicsDerivatives::zeros(subject.robot);
            subject.moving(|robot, state, Motion { ddq, .. }| {
                dynamics::inverse_dynamics_derivatives_into(
                    robot, state, &GRAVITY, ddq, &mut ws, &mut out,
                )?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "aba_derivatives",
        description: "∂q̈/∂q, ∂q̈/∂q̇ and ∂q̈/∂τ",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = ForwardDynamicsDerivatives::zeros(subject.robot);
            subject.moving(|robot, state, Motion { tau, .. }| {
                dynamics::forward_dynamics_derivatives_into(
                    robot, state, &GRAVITY, tau, &mut ws, &mut out,
                )?;
                black_box(&out);
                Ok(())
            })
        },
    },
    Kernel {
        key: "minverse",
        description: "inverse of the mass matrix",
        time: |subject| {
            let mut ws = Workspace::new(subject.robot);
            let mut out = dynamics::mass_matrix(subject.robot, &State::new(subject.robot));
            subject.at_rest(|robot, state| {
                dynamics::mass_matrix_inverse_into(robot, state, &mut ws, &mut out)?;
                black_box(&out);
                Ok(())
            })
        },
    },
];

impl Subject<'_> {
    /// Time of setting a new configuration and of a call with that state.
    fn at_rest(&self, mut call: impl FnMut(&Robot, &State) -> Result<()>) -> Result<f64> {
        let mut state = State::new(self.robot);
        median_ns(|number| {
            state.set_config(self.robot, self.motions.at(number).q)?;
            call(self.robot, &state)
        })
    }

    /// As above, with a new velocity, and the rest of the motion as argument.
    fn moving(
        &self,
        mut call: impl FnMut(&Robot, &State, Motion<'_>) -> Result<()>,
    ) -> Result<f64> {
        let mut state = State::new(self.robot);
        median_ns(|number| {
            let motion = self.motions.at(number);
            state.set_config(self.robot, motion.q)?;
            state.set_velocity(self.robot, motion.dq)?;
            call(self.robot, &state, motion)
        })
    }
}
