//! Partial derivatives of inverse and forward dynamics.

use nalgebra::DMatrix;

use super::singular::check_resistance;
use super::{Loads, Workspace, forward};
use crate::Result;
use crate::kernel::{
    self, DerivativeQuery, InverseDerivatives, Partials,
    forward_dynamics_derivatives as differentiate,
};
use crate::kinematics::{State, check};
use crate::math::Simd;
use crate::robot::Robot;

/// Partial derivatives of [`inverse_dynamics`](super::inverse_dynamics): n × n each, a row per force and a column per
/// dof of `q`, `q̇` or `q̈`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct InverseDynamicsDerivatives {
    /// `∂τ/∂q`.
    pub dtau_dq: DMatrix<f64>,
    /// `∂τ/∂q̇`.
    pub dtau_dv: DMatrix<f64>,
    /// `∂τ/∂q̈`, the [`mass_matrix`](super::mass_matrix).
    pub dtau_da: DMatrix<f64>,
}

impl InverseDynamicsDerivatives {
    /// Zero matrices of the robot's size.
    #[must_use]
    pub fn zeros(robot: &Robot) -> Self {
        let [dtau_dq, dtau_dv, dtau_da] = zeros(robot);
        Self {
            dtau_dq,
            dtau_dv,
            dtau_da,
        }
    }
}

/// Partial derivatives of [`forward_dynamics`](super::forward_dynamics): n × n each, a row per acceleration and a
/// column per dof of `q`, `q̇` or `τ`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ForwardDynamicsDerivatives {
    /// `∂q̈/∂q`.
    pub ddq_dq: DMatrix<f64>,
    /// `∂q̈/∂q̇`.
    pub ddq_dv: DMatrix<f64>,
    /// `∂q̈/∂τ`, the [`mass_matrix_inverse`](super::mass_matrix_inverse).
    pub ddq_dtau: DMatrix<f64>,
}

impl ForwardDynamicsDerivatives {
    /// Zero matrices of the robot's size.
    #[must_use]
    pub fn zeros(robot: &Robot) -> Self {
        let [ddq_dq, ddq_dv, ddq_dtau] = zeros(robot);
        Self {
            ddq_dq,
            ddq_dv,
            ddq_dtau,
        }
    }
}

/// Exact partial derivatives of [`inverse_dynamics`](super::inverse_dynamics) with respect to `q`, `q̇` and `q̈`.
///
/// Each is taken with the other two, gravity and the loads constant: an external wrench keeps its force and its moment
/// *in world axes*, and its point of application moves with the origin of its link. A wrench that rotates with its link
/// has a derivative of its own, to be added by the caller.
///
/// In closed form, O(n d) with the depth d of the tree: Singh, Russell, Wensing (2022), after Carpentier, Mansard (2018).
/// Entries of two dofs on different branches are zero.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length); [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite
/// or a wrench on a link that does not exist.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{Point, State, Vector, dynamics};
///
/// let mut bob = LinkSpec::new("bob", None, LinkMotion::Revolute(Vector::y()));
/// bob.inertia = Inertia { mass: 2.0, com: Point::new(1.5, 0.0, 0.0), ..Inertia::zero() };
/// let mut pendulum = RobotBuilder::new("pendulum");
/// pendulum.add_link(bob);
/// let pendulum = pendulum.build()?;
/// let mut state = State::new(&pendulum);
///
/// // hanging down, gravity acts as a spring of stiffness m g l
/// state.set_config(&pendulum, &[std::f64::consts::FRAC_PI_2])?;
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let partials = dynamics::inverse_dynamics_derivatives(&pendulum, &state, &gravity, &[0.0])?;
/// assert!((partials.dtau_dq[(0, 0)] - 30.0).abs() < 1e-12);
/// assert_eq!(partials.dtau_da[(0, 0)], 4.5);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "computeRNEADerivatives")]
#[doc(alias = "rnea_derivatives")]
pub fn inverse_dynamics_derivatives<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
) -> Result<InverseDynamicsDerivatives> {
    state.check_robot(robot)?;
    let mut out = InverseDynamicsDerivatives::zeros(robot);
    let ws = &mut Workspace::new(robot);
    inverse_dynamics_derivatives_into(robot, state, loads, ddq, ws, &mut out)?;
    Ok(out)
}

/// [`inverse_dynamics_derivatives`] without allocation.
///
/// # Errors
///
/// As [`inverse_dynamics_derivatives`]; nothing is written then.
///
/// # Panics
///
/// If a matrix in `out` is not n × n, or the workspace was made for a smaller robot.
pub fn inverse_dynamics_derivatives_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
    ws: &mut Workspace,
    out: &mut InverseDynamicsDerivatives,
) -> Result<()> {
    of_inverse(robot, state, &loads.into(), ddq, ws, out)
}

/// [`inverse_dynamics_derivatives_into`]. It has no type parameters, so that its kernel is compiled with this library, and optimised
/// as it is.
#[track_caller]
fn of_inverse(
    robot: &Robot,
    state: &State,
    loads: &Loads<'_>,
    ddq: &[f64],
    ws: &mut Workspace,
    out: &mut InverseDynamicsDerivatives,
) -> Result<()> {
    state.check_robot(robot)?;
    let out = [&mut out.dtau_dq, &mut out.dtau_dv, &mut out.dtau_da];
    let asked = asked(robot, state, loads, ("acceleration", ddq), ws, out)?;
    Simd::chosen().run(InverseDerivatives(asked));
    Ok(())
}

/// Exact partial derivatives of [`forward_dynamics`](super::forward_dynamics) with respect to `q`, `q̇` and `τ`.
///
/// `∂q̈/∂q = −M⁻¹ ∂τ/∂q`, `∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇` and `∂q̈/∂τ = M⁻¹`, with the derivatives of inverse dynamics at the
/// acceleration under `tau`: Carpentier, Mansard (2018). The other inputs, gravity and the loads are constant, as in
/// [`inverse_dynamics_derivatives`].
///
/// # Errors
///
/// As [`forward_dynamics`](super::forward_dynamics).
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mut cart = LinkSpec::new("cart", None, LinkMotion::Prismatic(Vector::x()));
/// cart.inertia = Inertia { mass: 4.0, ..Inertia::zero() };
/// let mut robot = RobotBuilder::new("cart");
/// robot.add_link(cart);
/// let robot = robot.build()?;
///
/// // the acceleration of a cart does not depend on its position
/// let gravity = Vector::new(0.0, 0.0, -9.81);
/// let partials = dynamics::forward_dynamics_derivatives(&robot, &State::new(&robot), &gravity, &[8.0])?;
/// assert_eq!(partials.ddq_dtau[(0, 0)], 0.25);
/// assert_eq!(partials.ddq_dq[(0, 0)], 0.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "computeABADerivatives")]
#[doc(alias = "aba_derivatives")]
pub fn forward_dynamics_derivatives<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    tau: &[f64],
) -> Result<ForwardDynamicsDerivatives> {
    state.check_robot(robot)?;
    let mut out = ForwardDynamicsDerivatives::zeros(robot);
    let ws = &mut Workspace::new(robot);
    forward_dynamics_derivatives_into(robot, state, loads, tau, ws, &mut out)?;
    Ok(out)
}

/// [`forward_dynamics_derivatives`] without allocation.
///
/// # Errors
///
/// As [`forward_dynamics_derivatives`]; the contents of `out` are then unspecified.
///
/// # Panics
///
/// If a matrix in `out` is not n × n, or the workspace was made for a smaller robot.
pub fn forward_dynamics_derivatives_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    tau: &[f64],
    ws: &mut Workspace,
    out: &mut ForwardDynamicsDerivatives,
) -> Result<()> {
    of_forward(robot, state, &loads.into(), tau, ws, out)
}

/// [`forward_dynamics_derivatives_into`], without type parameters as [`of_inverse`].
#[track_caller]
fn of_forward(
    robot: &Robot,
    state: &State,
    loads: &Loads<'_>,
    tau: &[f64],
    ws: &mut Workspace,
    out: &mut ForwardDynamicsDerivatives,
) -> Result<()> {
    state.check_robot(robot)?;
    if !robot.tree().ball_joints().is_empty() {
        return by_mass_matrix(robot, state, loads, tau, ws, out);
    }
    let out = [&mut out.ddq_dq, &mut out.ddq_dv, &mut out.ddq_dtau];
    let asked = asked(robot, state, loads, ("torque", tau), ws, out)?;
    differentiate(Simd::chosen(), asked);
    check_resistance(robot, ws.derivatives.effective_inertias(robot.tree()))
}

/// Input of the kernel, with output matrices of the caller; `rest` is the acceleration or the torque, with its name.
/// From the partials of inverse dynamics at the acceleration under `tau`, with factors of the mass matrix.
fn by_mass_matrix(
    robot: &Robot,
    state: &State,
    loads: &Loads<'_>,
    tau: &[f64],
    ws: &mut Workspace,
    out: &mut ForwardDynamicsDerivatives,
) -> Result<()> {
    loads.check(robot)?;
    check("torque", robot, tau)?;
    let mut ddq = std::mem::take(&mut ws.solved);
    ddq.resize(robot.n_dofs(), 0.0);
    let done = forward::by_mass_matrix(robot, state, loads, tau, ws, &mut ddq);
    let partials = [&mut out.ddq_dq, &mut out.ddq_dv, &mut out.ddq_dtau];
    let done = done.and_then(|()| asked(robot, state, loads, ("acceleration", &ddq), ws, partials));
    let done = done.map(|asked| Simd::chosen().run(InverseDerivatives(asked)));
    ws.solved = ddq;
    done?;

    let (tree, n) = (robot.tree(), robot.n_dofs());
    let rows = &ws.matrix[..n * n];
    for partials in [&mut out.ddq_dq, &mut out.ddq_dv] {
        partials.neg_mut();
        for column in partials.as_mut_slice().chunks_exact_mut(n.max(1)) {
            kernel::solve(tree, rows, 1, column);
        }
    }
    kernel::invert(tree, rows, out.ddq_dtau.as_mut_slice());
    Ok(())
}

#[track_caller]
fn asked<'a>(
    robot: &'a Robot,
    state: &'a State,
    loads: &Loads<'_>,
    (what, rest): (&'static str, &'a [f64]),
    ws: &'a mut Workspace,
    [by_config, by_velocity, by_input]: [&'a mut DMatrix<f64>; 3],
) -> Result<DerivativeQuery<'a>> {
    loads.check(robot)?;
    check(what, robot, rest)?;
    loads.applied(robot, state, &mut ws.external);
    let n = robot.n_dofs();
    for matrix in [&*by_config, by_velocity, by_input] {
        assert_eq!(matrix.shape(), (n, n), "a row and a column per dof");
    }
    Ok(DerivativeQuery {
        tree: robot.tree(),
        bodies: state.bodies(robot),
        dq: state.velocity(),
        input: rest,
        gravity: loads.gravity.into(),
        external: &ws.external,
        scratch: &mut ws.derivatives,
        out: Partials {
            wrt_q: by_config.as_mut_slice(),
            wrt_v: by_velocity.as_mut_slice(),
            wrt_input: by_input.as_mut_slice(),
        },
    })
}

fn zeros(robot: &Robot) -> [DMatrix<f64>; 3] {
    std::array::from_fn(|_| DMatrix::zeros(robot.n_dofs(), robot.n_dofs()))
}
