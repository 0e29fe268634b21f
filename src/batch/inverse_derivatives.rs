//! Partial derivatives of inverse dynamics for many motions.

use super::drive::{Singular, Stage};
use super::motions::{Dynamics, Input, Motions};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::kernel::Partials;
use crate::math::{Lanes as Wide, Level, Vector};
use crate::robot::Robot;

/// The partial derivatives of [`inverse_dynamics`](super::inverse_dynamics) for each motion: `∂τ/∂q`, then `∂τ/∂q̇`, then
/// `∂τ/∂q̈ = M`, as [`dynamics::inverse_dynamics_derivatives`](crate::dynamics::inverse_dynamics_derivatives) gives them.
///
/// Each is n × n, a row per force and a column per variable of differentiation, stored column after column as in
/// nalgebra: a motion has `3 n²` numbers. `configs`, `velocities` and `accelerations` hold `n` numbers of one
/// motion after the other; gravity is the same for all.
///
/// # Errors
///
/// As [`inverse_dynamics`](super::inverse_dynamics).
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Point, Vector, batch};
///
/// let mut bob = LinkSpec::new("bob", None, LinkMotion::Revolute(Vector::y()));
/// bob.inertia = Inertia { mass: 2.0, com: Point::new(1.5, 0.0, 0.0), ..Inertia::zero() };
/// let mut pendulum = RobotBuilder::new("pendulum");
/// pendulum.add_link(bob);
/// let pendulum = pendulum.build()?;
///
/// // horizontal, and hanging down: there gravity is a spring of m g l
/// let (q, still) = ([0.0, std::f64::consts::FRAC_PI_2], [0.0, 0.0]);
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let partials = batch::inverse_dynamics_derivatives(&pendulum, &q, &still, &still, &gravity)?;
/// let [dtau_dq, dtau_dv, dtau_da] = partials[3..] else { panic!("three numbers a motion") };
/// assert!((dtau_dq - 30.0).abs() < 1e-12);
/// assert_eq!((dtau_dv, dtau_da), (0.0, 4.5));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn inverse_dynamics_derivatives(
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
    motions.evaluate::<InverseDynamicsDerivatives>(robot)
}

/// [`inverse_dynamics_derivatives`] into memory of the caller, without allocation once the workspace has
/// [memory](Workspace) for them.
///
/// # Errors
///
/// As [`inverse_dynamics_derivatives`], and [`Error::Length`](crate::Error::Length) if `out` does not have `3 n²` numbers
/// per motion. For a number that is not finite, the contents of `out` are unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn inverse_dynamics_derivatives_into(
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
    motions.evaluate_into::<InverseDynamicsDerivatives>(robot, ws, out)
}

/// [`inverse_dynamics_derivatives`] from lanes to lanes, without allocation where workspace and `out` have held as much
/// before: rows of `3 n²` numbers.
///
/// # Errors
///
/// As [`inverse_dynamics_derivatives`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn inverse_dynamics_derivatives_lanes(
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
    motions.evaluate_into::<InverseDynamicsDerivatives>(robot, ws, out)
}

/// Size of the three matrices together.
pub(super) fn width(robot: &Robot) -> usize {
    3 * robot.n_dofs() * robot.n_dofs()
}

/// The three n × n matrices in the numbers of a result.
#[inline(always)]
pub(super) fn partials<T>(n: usize, out: &mut [T]) -> Partials<'_, T> {
    let (wrt_q, out) = out.split_at_mut(n * n);
    let (wrt_v, wrt_input) = out.split_at_mut(n * n);
    Partials {
        wrt_q,
        wrt_v,
        wrt_input,
    }
}

/// Partials under this gravity.
struct InverseDynamicsDerivatives {
    gravity: [f64; 3],
}

impl Dynamics for InverseDynamicsDerivatives {
    const ANSWERS: &'static str = "batch of derivatives";
    const MATRICES: bool = true;

    fn under(gravity: [f64; 3]) -> Self {
        Self { gravity }
    }

    fn width(robot: &Robot) -> usize {
        width(robot)
    }
}

impl Stage for InverseDynamicsDerivatives {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L>>,
        _: usize,
        out: &mut [Wide<N, L>],
    ) -> Result<(), Singular> {
        kernels::forward(robot.tree(), &scratch.q, &mut scratch.frames);
        let out = &mut partials(robot.n_dofs(), out);
        differentiate(robot, &self.gravity, scratch, out);
        Ok(())
    }
}

/// Writes the partials of inverse dynamics, after forward kinematics.
#[inline(always)]
pub(super) fn differentiate<const N: usize, L: Level>(
    robot: &Robot,
    gravity: &[f64; 3],
    scratch: &mut Scratch<Wide<N, L>>,
    out: &mut Partials<'_, Wide<N, L>>,
) {
    kernels::rnea_derivatives(
        robot.tree(),
        scratch.frames.bodies(),
        &scratch.dq,
        &scratch.input,
        gravity,
        &mut scratch.derivatives,
        out,
    );
}
