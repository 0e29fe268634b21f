//! Partial derivatives of forward dynamics in many states.

use super::drive::{Singular, Stage};
use super::forward::accelerate;
use super::inverse_derivatives::{differentiate, partials, width};
use super::motions::{Dynamics, Input, Motions};
use super::workspace::Scratch;
use super::{Lanes, Workspace, kernels};
use crate::Result;
use crate::math::{Lanes as Wide, Level, Vector};
use crate::robot::Robot;

/// The partial derivatives of [`forward_dynamics`](super::forward_dynamics) in each state: `∂q̈/∂q`, then `∂q̈/∂q̇`, then
/// `∂q̈/∂τ = M⁻¹`, as [`dynamics::forward_dynamics_derivatives`](crate::dynamics::forward_dynamics_derivatives) gives them.
///
/// Each is n × n, a row per acceleration and a column per variable of differentiation, stored column after column as in
/// nalgebra: a state has `3 n²` numbers. `configs`, `velocities` and `torques` hold `n` numbers of one state after
/// the other; gravity is the same for all.
///
/// # Errors
///
/// As [`forward_dynamics`](super::forward_dynamics).
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
/// // horizontal, and hanging down: there it swings with ω² = g / l
/// let (q, still) = ([0.0, std::f64::consts::FRAC_PI_2], [0.0, 0.0]);
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let partials = batch::forward_dynamics_derivatives(&pendulum, &q, &still, &still, &gravity)?;
/// let [ddq_dq, ddq_dv, ddq_dtau] = partials[3..] else { panic!("three numbers a state") };
/// assert!((ddq_dq + 10.0 / 1.5).abs() < 1e-12);
/// assert_eq!((ddq_dv, ddq_dtau), (0.0, 1.0 / 4.5));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn forward_dynamics_derivatives(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    torques: &[f64],
    gravity: &Vector,
) -> Result<Vec<f64>> {
    let motions = Motions::new(configs, velocities, Input::Torques(torques), gravity);
    motions.evaluate::<ForwardDynamicsDerivatives>(robot)
}

/// [`forward_dynamics_derivatives`] into memory of the caller, without allocation once the workspace has
/// [memory](Workspace) for them.
///
/// # Errors
///
/// As [`forward_dynamics_derivatives`], and [`Error::Length`](crate::Error::Length) if `out` does not have `3 n²` numbers
/// per state. For a number that is not finite or a singular coordinate, the contents of `out` are unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn forward_dynamics_derivatives_into(
    robot: &Robot,
    configs: &[f64],
    velocities: &[f64],
    torques: &[f64],
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let motions = Motions::new(configs, velocities, Input::Torques(torques), gravity);
    motions.evaluate_into::<ForwardDynamicsDerivatives>(robot, ws, out)
}

/// [`forward_dynamics_derivatives`] from lanes to lanes, without allocation where workspace and `out` have held as much
/// before: rows of `3 n²` numbers.
///
/// # Errors
///
/// As [`forward_dynamics_derivatives`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn forward_dynamics_derivatives_lanes(
    robot: &Robot,
    configs: &Lanes,
    velocities: &Lanes,
    torques: &Lanes,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut Lanes,
) -> Result<()> {
    let motions = Motions::new(configs, velocities, Input::Torques(torques), gravity);
    motions.evaluate_into::<ForwardDynamicsDerivatives>(robot, ws, out)
}

/// Partials under this gravity.
struct ForwardDynamicsDerivatives {
    gravity: [f64; 3],
}

impl Dynamics for ForwardDynamicsDerivatives {
    const ANSWERS: &'static str = "batch of derivatives";
    const MATRICES: bool = true;

    fn under(gravity: [f64; 3]) -> Self {
        Self { gravity }
    }

    fn width(robot: &Robot) -> usize {
        width(robot)
    }
}

impl Stage for ForwardDynamicsDerivatives {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        scratch: &mut Scratch<Wide<N, L>>,
        lanes: usize,
        out: &mut [Wide<N, L>],
    ) -> Result<(), Singular> {
        let n = robot.n_dofs();
        accelerate(robot, &self.gravity, scratch, lanes, &mut out[..n])?;

        // the torques are no longer needed, and the partials need the memory of the result
        scratch.input[..n].copy_from_slice(&out[..n]);
        let out = &mut partials(n, out);
        differentiate(robot, &self.gravity, scratch, out);
        kernels::aba_derivatives(robot.tree(), &mut scratch.derivatives, out);
        Ok(())
    }
}
