//! Forward dynamics.

use super::inverse::{generalised_forces, net_forces};
use super::mass_matrix::factors;
use super::singular::check_resistance;
use super::{Loads, Workspace};
use crate::Result;
use crate::kernel;
use crate::kinematics::{State, check, check_length};
use crate::robot::Robot;

/// Accelerations (n) of the robot under the generalised forces `tau`: `q̈ = M⁻¹ (τ + Σ Jᵀ f − C q̇ − G)`.
///
/// Articulated-body algorithm, O(n): Featherstone (2008), table 7.1.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length); [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite,
/// a wrench on a link that does not exist, or naming the link of a [singular dof](super#singular-dofs).
#[doc(alias = "aba")]
#[doc(alias = "accelFromTorques")]
#[doc(alias = "ForwardDynamicsCRB")]
#[doc(alias = "mj_forward")]
pub fn forward_dynamics<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    tau: &[f64],
) -> Result<Vec<f64>> {
    state.check_robot(robot)?;
    let mut out = vec![0.0; robot.n_dofs()];
    forward_dynamics_into(
        robot,
        state,
        loads,
        tau,
        &mut Workspace::new(robot),
        &mut out,
    )?;
    Ok(out)
}

/// [`forward_dynamics`] without allocation.
///
/// # Errors
///
/// As [`forward_dynamics`], also where `out` does not have one value per dof; the contents of `out` are then unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn forward_dynamics_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    tau: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    accelerations(robot, state, &loads.into(), tau, ws, out)
}

/// [`forward_dynamics_into`]. It has no type parameters, so that its kernel is compiled with this library, and optimised as it is.
fn accelerations(
    robot: &Robot,
    state: &State,
    loads: &Loads<'_>,
    tau: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    state.check_robot(robot)?;
    loads.check(robot)?;
    check("torque", robot, tau)?;
    check_length("output", robot.n_dofs(), out)?;
    if !robot.tree().ball_joints().is_empty() {
        return by_mass_matrix(robot, state, loads, tau, ws, out);
    }
    let Workspace {
        rnea, aba, rest, ..
    } = ws;
    net_forces(robot, state, [state.velocity(), rest], loads, rnea);
    aba.accelerations(robot.tree(), state.bodies(robot), rnea, tau, out);
    check_resistance(robot, aba.effective_inertias(robot.tree()))
}

/// `M⁻¹ (τ − C q̇ − G + Σ Jᵀ f)` with factors of the mass matrix, which are left in the workspace.
pub(super) fn by_mass_matrix(
    robot: &Robot,
    state: &State,
    loads: &Loads<'_>,
    tau: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    let Workspace { rnea, rest, .. } = ws;
    generalised_forces(robot, state, [state.velocity(), rest], loads, rnea, out);
    for (out, tau) in out.iter_mut().zip(tau) {
        *out = tau - *out;
    }
    let rows = factors(robot, state, ws)?;
    kernel::solve(robot.tree(), rows, 1, out);
    Ok(())
}
