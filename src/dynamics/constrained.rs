//! How a robot moves that touches something.

use super::inverse::generalised_forces;
use super::task::{Task, project};
use super::{Loads, Workspace};
use crate::kernel;
use crate::kinematics::{State, check};
use crate::robot::Robot;
use crate::{Error, Result};

/// How a robot accelerates while contacts hold it, and what they do to that end.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Constrained {
    /// `q̈` (n).
    pub ddq: Vec<f64>,
    /// `f` (k): one force or moment per row, as it acts on the robot.
    pub forces: Vec<f64>,
}

/// How a robot moves after a blow, and the blow.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Impact {
    /// `q̇⁺` (n).
    pub dq: Vec<f64>,
    /// `Λ` (k): one impulse per row, N·s or N·m·s, as it acts on the robot.
    pub impulses: Vec<f64>,
}

/// The acceleration under the generalised forces `tau` while rigid contacts hold `J q̈ + J̇ q̇ = 0`, and their forces.
///
/// ```text
/// ⎡ M  −Jᵀ ⎤ ⎡ q̈ ⎤   ⎡ τ + Σ Jᵢᵀ fᵢ − C q̇ − G ⎤
/// ⎣ J   μ  ⎦ ⎣ f ⎦ = ⎣ −J̇ q̇                   ⎦
/// ```
///
/// with the damping `μ` of the task. `f` comes from the Cholesky factor of `J M⁻¹ Jᵀ + μ 1`; Featherstone (2008),
/// section 8.3. Contacts here pull as well as push, and do not slip: what they may do is for the caller to judge.
///
/// Where rows depend on each other and nothing damps them, `q̈` is what it is, but the forces share out in many ways:
/// these are the ones with the smallest `Σ (J M⁻¹ Jᵀ)ᵢᵢ fᵢ²`, which treats equal contacts equally, whatever the units
/// are. Rows that contradict each other are followed as well as can be, in the same measure.
///
/// # Errors
///
/// As [`forward_dynamics`](super::forward_dynamics), and of the task: [`Error::Length`] where a row does not have one
/// number per coordinate or the drift not one per row, [`Error::Invalid`] for a number that is not finite or a damping
/// that is negative.
///
/// # Examples
///
/// ```
/// use kinworld::dynamics::{self, Contacts};
/// use kinworld::math::Inertia;
/// use kinworld::robot::{JointKind, LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{Point, State, Vector};
/// use nalgebra::Matrix3;
///
/// // a table of 20 kg that floats, but for its four feet
/// let mut table = RobotBuilder::new("table").with_base(JointKind::Floating)?;
/// let top = table.find_link("base").expect("the base that was just added");
/// table.links[top.index()].inertia = Inertia { mass: 20.0, com: Point::origin(), moment: Matrix3::identity() };
/// let table = table.build()?;
/// let state = State::new(&table);
///
/// let mut feet = Contacts::new(&table);
/// for (x, y) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
///     feet.hold_point(&table, &state, top, &Point::new(x, y, -0.7));
/// }
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let held = dynamics::constrained_dynamics(&table, &state, &gravity, &[0.0; 6], &feet.task())?;
/// assert!(held.ddq.iter().all(|x| x.abs() < 1e-12));
/// for foot in held.forces.chunks(3) {
///     assert!((foot[2] - 50.0).abs() < 1e-12);
/// }
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn constrained_dynamics<'l>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'l>>,
    tau: &[f64],
    contacts: &Task<'_>,
) -> Result<Constrained> {
    let (mut ws, mut out) = (Workspace::new(robot), Constrained::default());
    constrained_dynamics_into(robot, state, loads, tau, contacts, &mut ws, &mut out)?;
    Ok(out)
}

/// [`constrained_dynamics`] without allocation, once `ws` and `out` have seen as many rows.
///
/// # Errors
///
/// As [`constrained_dynamics`]; what `out` holds then means nothing.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn constrained_dynamics_into<'l>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'l>>,
    tau: &[f64],
    contacts: &Task<'_>,
    ws: &mut Workspace,
    out: &mut Constrained,
) -> Result<()> {
    let loads = loads.into();
    loads.check(robot)?;
    check("torque", robot, tau)?;
    project(robot, state, contacts, ws)?;
    let (n, Constrained { ddq, forces }) = (robot.n_dofs(), out);

    // left to itself: M⁻¹ (τ − what it takes to stand still)
    ddq.resize(n, 0.0);
    let Workspace { rnea, rest, .. } = ws;
    generalised_forces(robot, state, [state.velocity(), rest], &loads, rnea, ddq);
    for (ddq, tau) in ddq.iter_mut().zip(tau) {
        *ddq = tau - *ddq;
    }
    kernel::solve(robot.tree(), &ws.matrix[..n * n], 1, ddq);

    forces.resize(contacts.len(), 0.0);
    contacts.times(ddq, forces);
    for (force, drift) in forces.iter_mut().zip(contacts.drift) {
        *force = -(*force + drift);
    }
    ws.gram.solve(forces);
    add_response(&ws.solved, forces, ddq);
    Ok(())
}

/// The velocity after rigid contacts are made, `J q̇⁺ = −e J q̇⁻`, and the impulses that it takes:
/// `M (q̇⁺ − q̇⁻) = Jᵀ Λ`.
///
/// The robot comes with the velocity of its state; `restitution` is `e`, 0 for contacts that stick and 1 for those that
/// lose no energy. The drift plays no part. What holds for rows that depend on each other in
/// [`constrained_dynamics`] holds here. Featherstone (2008), section 11.7.
///
/// # Errors
///
/// As [`constrained_dynamics`], and [`Error::Invalid`] where the restitution is not between 0 and 1.
///
/// # Examples
///
/// ```
/// use kinworld::dynamics::{self, Task};
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector};
/// use nalgebra::dmatrix;
///
/// let mut ball = LinkSpec::new("ball", None, LinkMotion::Prismatic(Vector::z()));
/// ball.inertia = Inertia { mass: 0.5, ..Inertia::zero() };
/// let mut robot = RobotBuilder::new("ball");
/// robot.add_link(ball);
/// let robot = robot.build()?;
/// let mut state = State::new(&robot);
/// state.set_velocity(&robot, &[-4.0])?;
///
/// let floor = dmatrix![1.0];
/// let bounce = dynamics::impulse_dynamics(&robot, &state, &Task::new(&floor, &[0.0]), 0.75)?;
/// assert!((bounce.dq[0] - 3.0).abs() < 1e-12);
/// assert!((bounce.impulses[0] - 3.5).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn impulse_dynamics(
    robot: &Robot,
    state: &State,
    contacts: &Task<'_>,
    restitution: f64,
) -> Result<Impact> {
    let (mut ws, mut out) = (Workspace::new(robot), Impact::default());
    impulse_dynamics_into(robot, state, contacts, restitution, &mut ws, &mut out)?;
    Ok(out)
}

/// [`impulse_dynamics`] without allocation, once `ws` and `out` have seen as many rows.
///
/// # Errors
///
/// As [`impulse_dynamics`]; what `out` holds then means nothing.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn impulse_dynamics_into(
    robot: &Robot,
    state: &State,
    contacts: &Task<'_>,
    restitution: f64,
    ws: &mut Workspace,
    out: &mut Impact,
) -> Result<()> {
    if !(0.0..=1.0).contains(&restitution) {
        let problem = format!("is {restitution}, it must be between 0 and 1");
        return Err(Error::invalid("restitution", problem));
    }
    project(robot, state, contacts, ws)?;
    let Impact { dq, impulses } = out;
    dq.clear();
    dq.extend_from_slice(state.velocity());
    impulses.resize(contacts.len(), 0.0);
    contacts.times(dq, impulses);
    for impulse in &mut *impulses {
        *impulse *= -(1.0 + restitution);
    }
    ws.gram.solve(impulses);
    add_response(&ws.solved, impulses, dq);
    Ok(())
}

/// `x + M⁻¹ Jᵀ f` into `x`, with `J M⁻¹` (k × n, column-major).
fn add_response(solved: &[f64], f: &[f64], x: &mut [f64]) {
    for (x, column) in x.iter_mut().zip(solved.chunks_exact(f.len().max(1))) {
        *x += column.iter().zip(f).map(|(s, f)| s * f).sum::<f64>();
    }
}
