//! Forward dynamics in many states.

use super::drive::{Singular, Stage};
use super::motions::{Dynamics, Input, Motions};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::dynamics::resists;
use crate::kernel;
use crate::math::{Lanes as Wide, Level, Scalar, Vector};
use crate::robot::Robot;

/// The accelerations (n) in each state under the generalised forces `torques`: `q̈ = M⁻¹ (τ − C q̇ − G)`, as
/// [`dynamics::forward_dynamics`](crate::dynamics::forward_dynamics) gives them.
///
/// `configs`, `velocities` and `torques` hold `n` numbers of one state after the other; gravity is the same for all.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete, or where there are not as many
/// velocities or torques; [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite, or naming the
/// configuration and the link of a [coordinate that moves no mass](crate::dynamics#singular-dofs).
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
/// // in free fall, and held by the rope
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let ddq = batch::forward_dynamics(&lift, &[0.0, 0.0], &[0.0, 0.0], &[0.0, 5000.0], &gravity)?;
/// assert_eq!(ddq, [-10.0, 0.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn forward_dynamics(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    torques: &[f64],
    gravity: &Vector,
) -> Result<Vec<f64>> {
    let motions = Motions::new(configs, velocities, Input::Torques(torques), gravity);
    motions.evaluate::<ForwardDynamics>(robot)
}

/// [`forward_dynamics`] into memory of the caller, without allocation.
///
/// # Errors
///
/// As [`forward_dynamics`], and [`Error::Length`](crate::Error::Length) if `out` does not have `n` numbers per state. For
/// a number that is not finite or a singular coordinate, the contents of `out` are unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn forward_dynamics_into(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    torques: &[f64],
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let motions = Motions::new(configs, velocities, Input::Torques(torques), gravity);
    motions.evaluate_into::<ForwardDynamics>(robot, ws, out)
}

/// [`forward_dynamics`] from lanes to lanes, without allocation where `out` has held as much before: rows of `n` numbers.
///
/// # Errors
///
/// As [`forward_dynamics`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn forward_dynamics_lanes(
    robot: &Robot,
    configs: &Lanes,
    velocities: &Lanes,
    torques: &Lanes,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let motions = Motions::new(configs, velocities, Input::Torques(torques), gravity);
    motions.evaluate_into::<ForwardDynamics>(robot, ws, out)
}

/// Accelerations under this gravity.
struct ForwardDynamics {
    gravity: [f64; 3],
}

impl Dynamics for ForwardDynamics {
    const ANSWERS: &'static str = "batch of accelerations";

    fn under(gravity: [f64; 3]) -> Self {
        Self { gravity }
    }
}

impl Stage for ForwardDynamics {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L>>,
        lanes: usize,
        out: &mut [Wide<N, L>],
    ) -> Result<(), Singular> {
        accelerate(robot, &self.gravity, scratch, lanes, out)
    }
}

/// Computes poses and accelerations.
#[inline(always)]
pub(super) fn accelerate<const N: usize, L: Level>(
    robot: &Robot,
    gravity: &[f64; 3],
    scratch: &mut Scratch<Wide<N, L>>,
    lanes: usize,
    ddq: &mut [Wide<N, L>],
) -> Result<(), Singular> {
    let tree = robot.tree();
    kernels::forward(tree, &scratch.q, &mut scratch.frames);
    let bodies = scratch.frames.bodies();

    // net wrenches at zero acceleration; the memory of the result holds the zeros
    ddq.fill(Wide::constant(0.0));
    kernels::forward_pass(tree, bodies, &scratch.dq, ddq, gravity, &mut scratch.rnea);
    if !tree.ball_joints().is_empty() {
        return by_mass_matrix(robot, scratch, lanes, ddq);
    }
    let forces = scratch.rnea.forces_mut();
    kernels::aba(tree, bodies, forces, &scratch.input, &mut scratch.aba, ddq);
    check(&scratch.aba.effective_inertias()[..tree.len()], lanes)
}

/// Accelerations by factors of the mass matrix, from net wrenches at zero acceleration; `ddq` holds zeros.
#[inline(always)]
fn by_mass_matrix<const N: usize, L: Level>(
    robot: &Robot,
    scratch: &mut Scratch<Wide<N, L>>,
    lanes: usize,
    ddq: &mut [Wide<N, L>],
) -> Result<(), Singular> {
    let (tree, n) = (robot.tree(), robot.n_dofs());
    let (bodies, rest) = (scratch.frames.bodies(), &mut scratch.forces[..n]);
    kernels::backward_pass(tree, bodies, ddq, &mut scratch.rnea, rest);
    kernel::add_ball_forces(tree, bodies, [&scratch.dq, ddq], rest);
    for (ddq, (tau, held)) in ddq.iter_mut().zip(scratch.input.iter().zip(rest)) {
        *ddq = *tau - *held;
    }
    let rows = &mut scratch.derivatives.factors_mut()[..n * n];
    kernels::crba(tree, bodies, &mut scratch.crba, rows);
    let inertias = &mut scratch.aba.effective_inertias_mut()[..n];
    for (i, inertia) in inertias.iter_mut().enumerate() {
        inertia.locked = rows[i * n + i];
    }
    kernel::factorize(tree, rows);
    for (i, inertia) in inertias.iter_mut().enumerate() {
        inertia.d = rows[i * n + i];
    }
    kernel::solve(tree, rows, 1, ddq);
    check(inertias, lanes)
}

/// Refuses a lane with a coordinate that moves no inertia.
///
/// Not inlined, so that it is compiled without AVX-512: the compiler would make gather instructions of the loop.
#[inline(never)]
fn check<const N: usize, L: Level>(
    inertias: &[kernel::EffectiveInertia<Wide<N, L>>],
    lanes: usize,
) -> Result<(), Singular> {
    let mut all = [true; N];
    for inertia in inertias {
        let (d, locked) = (inertia.d.values(), inertia.locked.values());
        for lane in 0..N {
            all[lane] &= resists(d[lane], locked[lane]);
        }
    }
    match all[..lanes].iter().position(|&all| !all) {
        None => Ok(()),
        Some(lane) => Err(singular_dof(inertias, lane)),
    }
}

/// A coordinate without inertia spoils all its ancestors: the last one is the cause.
#[cold]
#[inline(never)]
fn singular_dof<const N: usize, L: Level>(
    inertias: &[kernel::EffectiveInertia<Wide<N, L>>],
    lane: usize,
) -> Singular {
    let is_bad = |inertia: &kernel::EffectiveInertia<Wide<N, L>>| {
        !resists(inertia.d.values()[lane], inertia.locked.values()[lane])
    };
    let dof = inertias.iter().rposition(is_bad).unwrap_or(0);
    Singular { lane, dof }
}
