//! Wrenches transmitted by joints.

use super::inverse::generalised_forces;
use super::{Loads, Workspace};
use crate::Result;
use crate::kinematics::{State, check, check_length};
use crate::math::Wrench;
use crate::robot::Robot;

/// Wrenches transmitted by the joints to their child links for the acceleration `ddq`: one per dof (n), N·m and N in
/// world axes, about the origin of the link.
///
/// The component along the joint axis is the motor force, see [`inverse_dynamics`](super::inverse_dynamics), less that
/// which accelerates the [armature](super#armature); the bearing takes the rest. Links that are fixed to another count as
/// part of it.
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
/// let mut leaf = LinkSpec::new("leaf", None, LinkMotion::Revolute(Vector::z()));
/// leaf.inertia = Inertia { mass: 30.0, com: Point::new(0.5, 0.0, 1.0), ..Inertia::zero() };
/// let mut door = RobotBuilder::new("door");
/// door.add_link(leaf);
/// let door = door.build()?;
///
/// // no motor is needed; the hinges carry the weight and its moment
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let hinges = dynamics::joint_wrenches(&door, &State::new(&door), &gravity, &[0.0])?;
/// assert_eq!(hinges[0].force, Vector::new(0.0, 0.0, 300.0));
/// assert_eq!(hinges[0].moment, Vector::new(0.0, -150.0, 0.0));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "cfrc_int")]
pub fn joint_wrenches<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
) -> Result<Vec<Wrench>> {
    state.check_robot(robot)?;
    let mut out = vec![Wrench::default(); robot.n_dofs()];
    joint_wrenches_into(
        robot,
        state,
        loads,
        ddq,
        &mut Workspace::new(robot),
        &mut out,
    )?;
    Ok(out)
}

/// [`joint_wrenches`] without allocation.
///
/// # Errors
///
/// As [`joint_wrenches`], also where `out` does not have one wrench per dof; nothing is written then.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn joint_wrenches_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
    ws: &mut Workspace,
    out: &mut [Wrench],
) -> Result<()> {
    state.check_robot(robot)?;
    let loads = loads.into();
    loads.check(robot)?;
    check("acceleration", robot, ddq)?;
    check_length("output", robot.n_dofs(), out)?;
    let Workspace { rnea, column, .. } = ws;
    let tau = &mut column[..robot.n_dofs()];
    generalised_forces(robot, state, [state.velocity(), ddq], &loads, rnea, tau);
    for (out, [moment, force]) in out.iter_mut().zip(rnea.transmitted()) {
        *out = Wrench {
            moment: moment.into(),
            force: force.into(),
        };
    }
    Ok(())
}
