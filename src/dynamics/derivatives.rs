//! How forces and accelerations change with the motion.

use nalgebra::DMatrix;

use super::singular::check_resistance;
use super::{Loads, Workspace};
use crate::Result;
use crate::kernel::{DerivativeQuery, ForwardDerivatives, InverseDerivatives, Partials};
use crate::kinematics::{State, check};
use crate::math::Simd;
use crate::robot::Robot;

/// The partial derivatives of [`inverse_dynamics`](super::inverse_dynamics): n × n each, a row per force and a column
/// per coordinate by which is derived.
#[derive(Debug, Clone, PartialEq)]
pub struct InverseDynamicsDerivatives {
    /// `∂τ/∂q`.
    pub by_config: DMatrix<f64>,
    /// `∂τ/∂q̇`.
    pub by_velocity: DMatrix<f64>,
    /// `∂τ/∂q̈`, the [`mass_matrix`](super::mass_matrix).
    pub by_acceleration: DMatrix<f64>,
}

impl InverseDynamicsDerivatives {
    /// Room for those of a robot, all zero.
    #[must_use]
    pub fn zeros(robot: &Robot) -> Self {
        let [by_config, by_velocity, by_acceleration] = zeros(robot);
        Self {
            by_config,
            by_velocity,
            by_acceleration,
        }
    }
}

/// The partial derivatives of [`forward_dynamics`](super::forward_dynamics): n × n each, a row per acceleration and a
/// column per number by which is derived.
#[derive(Debug, Clone, PartialEq)]
pub struct ForwardDynamicsDerivatives {
    /// `∂q̈/∂q`.
    pub by_config: DMatrix<f64>,
    /// `∂q̈/∂q̇`.
    pub by_velocity: DMatrix<f64>,
    /// `∂q̈/∂τ`, the [`mass_matrix_inverse`](super::mass_matrix_inverse).
    pub by_torque: DMatrix<f64>,
}

impl ForwardDynamicsDerivatives {
    /// Room for those of a robot, all zero.
    #[must_use]
    pub fn zeros(robot: &Robot) -> Self {
        let [by_config, by_velocity, by_torque] = zeros(robot);
        Self {
            by_config,
            by_velocity,
            by_torque,
        }
    }
}

/// How the forces that a motion takes change with configuration, velocity and acceleration: the exact partial
/// derivatives of [`inverse_dynamics`](super::inverse_dynamics).
///
/// Whichever of `q`, `q̇`, `q̈` is derived by, the other two stay as they are, and so do gravity and the loads: a push keeps
/// its force and its moment *in world axes*, and goes on pushing at the origin of its link, which moves. A push that
/// should turn with its link has a derivative of its own, to be added by the caller.
///
/// In closed form, O(n d) with the depth d of the tree: Singh, Russell, Wensing (2022), after Carpentier, Mansard (2018).
/// Entries of two coordinates on different branches are zero.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length); [`Error::Invalid`](crate::Error::Invalid) for a number that is not finite
/// or a wrench on a link that is not there.
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
/// // hanging down, gravity is a spring of m g l
/// state.set_config(&pendulum, &[std::f64::consts::FRAC_PI_2])?;
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let slopes = dynamics::inverse_dynamics_derivatives(&pendulum, &state, &gravity, &[0.0])?;
/// assert!((slopes.by_config[(0, 0)] - 30.0).abs() < 1e-12);
/// assert_eq!(slopes.by_acceleration[(0, 0)], 4.5);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn inverse_dynamics_derivatives<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
) -> Result<InverseDynamicsDerivatives> {
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
    let out = [
        &mut out.by_config,
        &mut out.by_velocity,
        &mut out.by_acceleration,
    ];
    let asked = asked(robot, state, &loads.into(), ("acceleration", ddq), ws, out)?;
    Simd::chosen().run(InverseDerivatives(asked));
    Ok(())
}

/// How the accelerations of a robot change with configuration, velocity and the forces of its motors: the exact partial
/// derivatives of [`forward_dynamics`](super::forward_dynamics).
///
/// `∂q̈/∂q = −M⁻¹ ∂τ/∂q`, `∂q̈/∂q̇ = −M⁻¹ ∂τ/∂q̇` and `∂q̈/∂τ = M⁻¹`, with the slopes of inverse dynamics at the acceleration
/// that `tau` makes: Carpentier, Mansard (2018). The other inputs, gravity and the loads stay as they are, as in
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
/// // a cart goes on as it was pushed, wherever it is
/// let gravity = Vector::new(0.0, 0.0, -9.81);
/// let slopes = dynamics::forward_dynamics_derivatives(&robot, &State::new(&robot), &gravity, &[8.0])?;
/// assert_eq!(slopes.by_torque[(0, 0)], 0.25);
/// assert_eq!(slopes.by_config[(0, 0)], 0.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn forward_dynamics_derivatives<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    tau: &[f64],
) -> Result<ForwardDynamicsDerivatives> {
    let mut out = ForwardDynamicsDerivatives::zeros(robot);
    let ws = &mut Workspace::new(robot);
    forward_dynamics_derivatives_into(robot, state, loads, tau, ws, &mut out)?;
    Ok(out)
}

/// [`forward_dynamics_derivatives`] without allocation.
///
/// # Errors
///
/// As [`forward_dynamics_derivatives`]; what `out` holds then means nothing.
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
    let out = [&mut out.by_config, &mut out.by_velocity, &mut out.by_torque];
    let asked = asked(robot, state, &loads.into(), ("torque", tau), ws, out)?;
    Simd::chosen().run(ForwardDerivatives(asked));
    let resisted = &ws.derivatives.effective_inertias()[..robot.n_dofs()];
    check_resistance(robot, resisted.iter().copied())
}

/// What the kernel is asked, with matrices of the caller; the rest of the motion has a name.
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
    loads.pushes(robot, state, &mut ws.pushes);
    let n = robot.n_dofs();
    for matrix in [&*by_config, by_velocity, by_input] {
        assert_eq!(matrix.shape(), (n, n), "a row and a column per coordinate");
    }
    Ok(DerivativeQuery {
        tree: robot.tree(),
        bodies: state.bodies(),
        dq: state.velocity(),
        input: rest,
        gravity: loads.gravity.into(),
        external: &ws.pushes,
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
