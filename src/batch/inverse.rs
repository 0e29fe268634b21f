//! Inverse dynamics and bias forces of many motions.

use super::drive::{Singular, Stage};
use super::motions::{Dynamics, Input, Motions};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::kernel::add_ball_forces;
use crate::math::{Lanes as Wide, Level, Vector};
use crate::robot::Robot;

/// The generalised forces (n) of each motion, `τ = M q̈ + C q̇ + G`, as
/// [`dynamics::inverse_dynamics`](crate::dynamics::inverse_dynamics) gives them.
///
/// `configs`, `velocities` and `accelerations` hold `n` numbers of one motion after the other; gravity is the same for
/// all.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete, or where there are not as many
/// velocities or accelerations; [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Vector, batch};
///
/// let mut cabin = LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z()));
/// cabin.inertia = Inertia { mass: 500.0, ..Inertia::zero() };
/// let mut lift = RobotBuilder::new("lift");
/// lift.add_link(cabin);
/// let lift = lift.build()?;
///
/// // at rest, and accelerated upwards with 1 m/s²
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let tau = batch::inverse_dynamics(&lift, &[0.0, 0.0], &[0.0, 0.0], &[0.0, 1.0], &gravity)?;
/// assert_eq!(tau, [5000.0, 5500.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn inverse_dynamics(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    accelerations: &[f64],
    gravity: &Vector,
) -> Result<Vec<f64>> {
    let motions = Motions::new(
        configs,
        velocities,
        Input::Accelerations(accelerations),
        gravity,
    );
    motions.evaluate::<InverseDynamics>(robot)
}

/// [`inverse_dynamics`] into memory of the caller, without allocation.
///
/// # Errors
///
/// As [`inverse_dynamics`], and [`Error::Length`](crate::Error::Length) if `out` does not have `n` numbers per motion. For
/// a number that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn inverse_dynamics_into(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    accelerations: &[f64],
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let motions = Motions::new(
        configs,
        velocities,
        Input::Accelerations(accelerations),
        gravity,
    );
    motions.evaluate_into::<InverseDynamics>(robot, ws, out)
}

/// [`inverse_dynamics`] from lanes to lanes, without allocation where `out` has held as much before: rows of `n` numbers.
///
/// # Errors
///
/// As [`inverse_dynamics`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn inverse_dynamics_lanes(
    robot: &Robot,
    configs: &Lanes,
    velocities: &Lanes,
    accelerations: &Lanes,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let motions = Motions::new(
        configs,
        velocities,
        Input::Accelerations(accelerations),
        gravity,
    );
    motions.evaluate_into::<InverseDynamics>(robot, ws, out)
}

/// The bias forces `C q̇ + G` (n) in each state, as [`dynamics::bias_forces`](crate::dynamics::bias_forces) gives them.
///
/// # Errors
///
/// As [`inverse_dynamics`].
pub fn bias_forces(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    gravity: &Vector,
) -> Result<Vec<f64>> {
    let motions = Motions::new(configs, velocities, Input::Nothing, gravity);
    motions.evaluate::<InverseDynamics>(robot)
}

/// [`bias_forces`] into memory of the caller, without allocation.
///
/// # Errors
///
/// As [`inverse_dynamics_into`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn bias_forces_into(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let motions = Motions::new(configs, velocities, Input::Nothing, gravity);
    motions.evaluate_into::<InverseDynamics>(robot, ws, out)
}

/// [`bias_forces`] from lanes to lanes, without allocation where `out` has held as much before: rows of `n` numbers.
///
/// # Errors
///
/// As [`inverse_dynamics`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn bias_forces_lanes(
    robot: &Robot,
    configs: &Lanes,
    velocities: &Lanes,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let motions = Motions::new(configs, velocities, Input::Nothing, gravity);
    motions.evaluate_into::<InverseDynamics>(robot, ws, out)
}

/// Forces under this gravity.
struct InverseDynamics {
    gravity: [f64; 3],
}

impl Dynamics for InverseDynamics {
    const ANSWERS: &'static str = "batch of torques";

    fn under(gravity: [f64; 3]) -> Self {
        Self { gravity }
    }
}

impl Stage for InverseDynamics {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L>>,
        _: usize,
        out: &mut [Wide<N, L>],
    ) -> Result<(), Singular> {
        let (tree, gravity) = (robot.tree(), &self.gravity);
        kernels::forward(tree, &scratch.q, &mut scratch.frames);
        let bodies = scratch.frames.bodies();
        kernels::forward_pass(
            tree,
            bodies,
            &scratch.dq,
            &scratch.input,
            gravity,
            &mut scratch.rnea,
        );
        kernels::backward_pass(tree, bodies, &scratch.input, &mut scratch.rnea, out);
        add_ball_forces(tree, bodies, [&scratch.dq, &scratch.input], out);
        Ok(())
    }
}
