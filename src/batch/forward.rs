//! How a robot accelerates in many states.

use super::drive::{self, Inputs, Singular, Stage};
use super::layout::{RowReader, RowWriter};
use super::workspace::Room;
use super::{Lanes, Workspace};
use crate::Result;
use crate::dynamics::resists;
use crate::kernel;
use crate::kinematics::check_length;
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
/// configuration and the link of a [coordinate that moves no mass](crate::dynamics#singular-coordinates).
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
/// // the rope breaks, and holds
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
    let mut out = vec![0.0; configs.len()];
    forward_dynamics_into(
        robot,
        configs,
        velocities,
        torques,
        gravity,
        &mut Workspace::new(robot),
        &mut out,
    )?;
    Ok(out)
}

/// [`forward_dynamics`] into memory of the caller, without allocation.
///
/// # Errors
///
/// As [`forward_dynamics`], and [`Error::Length`](crate::Error::Length) if `out` does not have `n` numbers per state. For
/// a number that is not finite or a singular coordinate, what `out` holds then means nothing.
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
    let count = drive::count(robot, configs)?;
    check_length("batch of velocities", configs.len(), velocities)?;
    check_length("batch of torques", configs.len(), torques)?;
    check_length("batch of accelerations", configs.len(), out)?;
    let stage = ForwardDynamics::new(gravity)?;
    let inputs = Inputs {
        q: RowReader::new(robot, configs),
        dq: Some(RowReader::new(robot, velocities)),
        rest: Some(("torque", RowReader::new(robot, torques))),
    };
    let out = RowWriter::new(robot, out);
    drive::drive(robot, &stage, inputs, count, robot.n_dofs(), ws, out)
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
    let count = drive::count_lanes(robot, configs)?;
    drive::check_lanes("velocities in lanes", robot, count, velocities)?;
    drive::check_lanes("torques in lanes", robot, count, torques)?;
    let stage = ForwardDynamics::new(gravity)?;
    out.reset(count, robot.n_dofs());
    let inputs = Inputs {
        q: configs.reader(),
        dq: Some(velocities.reader()),
        rest: Some(("torque", torques.reader())),
    };
    drive::drive(
        robot,
        &stage,
        inputs,
        count,
        robot.n_dofs(),
        ws,
        out.writer(),
    )
}

/// Accelerations under this gravity.
struct ForwardDynamics {
    gravity: [f64; 3],
}

impl ForwardDynamics {
    fn new(gravity: &Vector) -> Result<Self> {
        drive::check_vector("gravity", gravity.as_slice())?;
        let gravity = (*gravity).into();
        Ok(Self { gravity })
    }
}

impl Stage for ForwardDynamics {
    #[inline(always)]
    fn compute<const N: usize, L: Level>(
        &self,
        robot: &Robot,
        room: &mut Room<Wide<N, L>>,
        lanes: usize,
    ) -> Result<(), Singular> {
        let (tree, gravity) = (robot.tree(), kernel::constant3(&self.gravity));
        let Room {
            q,
            dq,
            rest: tau,
            frames,
            rnea,
            aba,
            out,
            ..
        } = room;
        kernel::forward(tree, q, frames);
        let bodies = frames.bodies();

        // without an acceleration: the answer is not there yet, and holds the zeros
        out[..tree.len()].fill(Wide::constant(0.0));
        kernel::outwards(tree, bodies, dq, out, gravity, rnea);
        kernel::aba(tree, bodies, rnea.forces_mut(), tau, aba, out);
        check(&aba.resisted()[..tree.len()], lanes)
    }
}

/// Refuses a lane with a coordinate that nothing resists.
///
/// Not inlined, so that it is compiled without AVX-512: the compiler would make gather instructions of the loop.
#[inline(never)]
pub(super) fn check<const N: usize, L: Level>(
    inertias: &[kernel::Resisted<Wide<N, L>>],
    lanes: usize,
) -> Result<(), Singular> {
    let mut all = [true; N];
    for inertia in inertias {
        let (d, stiff) = (inertia.d.values(), inertia.stiff.values());
        for lane in 0..N {
            all[lane] &= resists(d[lane], stiff[lane]);
        }
    }
    match all[..lanes].iter().position(|&all| !all) {
        None => Ok(()),
        Some(lane) => Err(culprit(inertias, lane)),
    }
}

/// What is wrong at a link spoils all that carry it: the last is the culprit.
#[cold]
#[inline(never)]
fn culprit<const N: usize, L: Level>(
    inertias: &[kernel::Resisted<Wide<N, L>>],
    lane: usize,
) -> Singular {
    let is_bad = |inertia: &kernel::Resisted<Wide<N, L>>| {
        !resists(inertia.d.values()[lane], inertia.stiff.values()[lane])
    };
    let dof = inertias.iter().rposition(is_bad).unwrap_or(0);
    Singular { lane, dof }
}
