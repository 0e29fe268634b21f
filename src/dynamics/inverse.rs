//! Inverse dynamics, and its parts: bias, Coriolis and gravity forces.

use super::{Loads, Workspace};
use crate::Result;
use crate::kernel::add_ball_forces;
use crate::kernel::single::Rnea;
use crate::kinematics::{State, check, check_length};
use crate::math::Vector;
use crate::robot::Robot;

/// Generalised forces (n) for the accelerations `ddq`: `τ = M q̈ + C q̇ + G − Σ Jᵀ f`.
///
/// Recursive Newton–Euler algorithm, O(n): Featherstone (2008), table 5.1.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length); [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite
/// or a wrench on a link that does not exist.
#[doc(alias = "rnea")]
#[doc(alias = "mj_rne")]
#[doc(alias = "torquesFromAccel")]
pub fn inverse_dynamics<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
) -> Result<Vec<f64>> {
    state.check_robot(robot)?;
    let mut out = vec![0.0; robot.n_dofs()];
    inverse_dynamics_into(
        robot,
        state,
        loads,
        ddq,
        &mut Workspace::new(robot),
        &mut out,
    )?;
    Ok(out)
}

/// [`inverse_dynamics`] without allocation.
///
/// # Errors
///
/// As [`inverse_dynamics`], also where `out` does not have one value per dof; nothing is written then.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn inverse_dynamics_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    state.check_robot(robot)?;
    let loads = loads.into();
    loads.check(robot)?;
    check("acceleration", robot, ddq)?;
    check_length("output", robot.n_dofs(), out)?;
    generalised_forces(
        robot,
        state,
        [state.velocity(), ddq],
        &loads,
        &mut ws.rnea,
        out,
    );
    Ok(())
}

/// Generalised forces (n) for zero acceleration: `C q̇ + G`.
#[must_use]
#[doc(alias = "nonLinearEffects")]
#[doc(alias = "nle")]
#[doc(alias = "qfrc_bias")]
pub fn bias_forces(robot: &Robot, state: &State, gravity: &Vector) -> Vec<f64> {
    let mut out = vec![0.0; robot.n_dofs()];
    bias_forces_into(robot, state, gravity, &mut Workspace::new(robot), &mut out);
    out
}

/// [`bias_forces`] without allocation.
///
/// # Panics
///
/// If `out` does not have one value per dof, or the workspace was made for a smaller robot.
pub fn bias_forces_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut [f64],
) {
    assert_eq!(out.len(), robot.n_dofs(), "one value per dof");
    let loads = Loads::from(gravity);
    let Workspace { rnea, rest, .. } = ws;
    generalised_forces(robot, state, [state.velocity(), rest], &loads, rnea, out);
}

/// Centrifugal and Coriolis forces (n): `C(q, q̇) q̇`.
#[must_use]
#[doc(alias = "getCoriolisForces")]
pub fn coriolis_forces(robot: &Robot, state: &State) -> Vec<f64> {
    bias_forces(robot, state, &Vector::zeros())
}

/// [`coriolis_forces`] without allocation.
///
/// # Panics
///
/// As [`bias_forces_into`].
pub fn coriolis_forces_into(robot: &Robot, state: &State, ws: &mut Workspace, out: &mut [f64]) {
    bias_forces_into(robot, state, &Vector::zeros(), ws, out);
}

/// Generalised forces (n) that hold the robot against gravity: `G = +∂U/∂q`, `U` the
/// [`potential_energy`](super::potential_energy).
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mut cabin = LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z()));
/// cabin.inertia = Inertia { mass: 500.0, ..Inertia::zero() };
/// let mut lift = RobotBuilder::new("lift");
/// lift.add_link(cabin);
/// let lift = lift.build()?;
///
/// let up = dynamics::gravity_forces(&lift, &State::new(&lift), &Vector::new(0.0, 0.0, -9.81));
/// assert_eq!(up, [4905.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
#[doc(alias = "computeGeneralizedGravity")]
#[doc(alias = "getGravityForces")]
pub fn gravity_forces(robot: &Robot, state: &State, gravity: &Vector) -> Vec<f64> {
    let mut out = vec![0.0; robot.n_dofs()];
    gravity_forces_into(robot, state, gravity, &mut Workspace::new(robot), &mut out);
    out
}

/// [`gravity_forces`] without allocation.
///
/// # Panics
///
/// As [`bias_forces_into`].
pub fn gravity_forces_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut [f64],
) {
    assert_eq!(out.len(), robot.n_dofs(), "one value per dof");
    let loads = Loads::from(gravity);
    let Workspace { rnea, rest, .. } = ws;
    generalised_forces(robot, state, [rest, rest], &loads, rnea, out);
}

/// Inverse dynamics under the loads; leaves the transmitted wrenches of the joints in `rnea`.
pub(super) fn generalised_forces(
    robot: &Robot,
    state: &State,
    [dq, ddq]: [&[f64]; 2],
    loads: &Loads<'_>,
    rnea: &mut Rnea,
    out: &mut [f64],
) {
    net_forces(robot, state, [dq, ddq], loads, rnea);
    let tree = robot.tree();
    rnea.backward_pass(tree, ddq, out);
    add_ball_forces(tree, state.bodies(robot), [dq, ddq], out);
}

/// Forward pass: the net force of each body, less the external wrenches, in `rnea`.
pub(super) fn net_forces(
    robot: &Robot,
    state: &State,
    [dq, ddq]: [&[f64]; 2],
    loads: &Loads<'_>,
    rnea: &mut Rnea,
) {
    rnea.forward_pass(
        robot.tree(),
        state.bodies(robot),
        dq,
        ddq,
        loads.gravity.into(),
    );
    loads.subtract(robot, state, rnea);
}
