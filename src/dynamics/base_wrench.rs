//! The wrench that the world exerts on a robot through its base.

use super::inverse::generalised_forces;
use super::{Loads, Workspace};
use crate::Result;
use crate::kinematics::{State, check};
use crate::math::{Vector, Wrench};
use crate::robot::{LinkId, Robot};

/// Wrench of the world on the robot for the acceleration `ddq`: N·m and N in world axes, about the world's origin.
///
/// The sum over all base joints, plus the weight of links that are fixed to the world and the external wrenches on them.
/// For a floating base it is the generalised force of the six base dofs as one wrench.
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
/// use kinworld::{State, Vector, dynamics};
///
/// let mut cabin = LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z()));
/// cabin.inertia = Inertia { mass: 500.0, ..Inertia::zero() };
/// cabin.placement.translation.vector.x = 2.0;
/// let mut lift = RobotBuilder::new("lift");
/// lift.add_link(cabin);
/// let lift = lift.build()?;
///
/// // accelerating upwards, it weighs more than at rest
/// let gravity = Vector::new(0.0, 0.0, -10.0);
/// let base = dynamics::base_wrench(&lift, &State::new(&lift), &gravity, &[1.0])?;
/// assert_eq!(base.force, Vector::new(0.0, 0.0, 5500.0));
/// assert_eq!(base.moment, Vector::new(0.0, -11000.0, 0.0));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn base_wrench<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
) -> Result<Wrench> {
    state.check_robot(robot)?;
    base_wrench_with(robot, state, loads, ddq, &mut Workspace::new(robot))
}

/// [`base_wrench`] without allocation.
///
/// # Errors
///
/// As [`base_wrench`].
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn base_wrench_with<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    ddq: &[f64],
    ws: &mut Workspace,
) -> Result<Wrench> {
    state.check_robot(robot)?;
    let loads = loads.into();
    loads.check(robot)?;
    check("acceleration", robot, ddq)?;
    let Workspace { rnea, column, .. } = ws;
    let tau = &mut column[..robot.n_dofs()];
    generalised_forces(robot, state, [state.velocity(), ddq], &loads, rnea, tau);

    let mut sum = Wrench::default();
    for (body, [moment, force]) in rnea.transmitted().take(robot.n_dofs()).enumerate() {
        let is_root = robot.tree().chain(Some(body)).nth(1).is_none();
        if is_root {
            let origin = Vector::from(state.bodies(robot)[body].origin());
            let transmitted = Wrench {
                moment: moment.into(),
                force: force.into(),
            };
            sum += about_world(&transmitted, &origin);
        }
    }
    for (i, link) in robot.links().iter().enumerate() {
        let id = LinkId::new(i);
        if robot.attachment(id).body.is_none() {
            let com = state.pose(robot, id) * link.inertia().com;
            let support = Wrench {
                moment: Vector::zeros(),
                force: loads.gravity * -link.inertia().mass,
            };
            sum += about_world(&support, &com.coords);
        }
    }
    for (id, external) in loads.wrenches {
        if robot.attachment(*id).body.is_none() {
            sum -= about_world(external, &state.pose(robot, *id).translation.vector);
        }
    }
    Ok(sum)
}

/// A wrench about `p`, moved to the world's origin.
pub(super) fn about_world(f: &Wrench, p: &Vector) -> Wrench {
    Wrench {
        moment: f.moment + p.cross(&f.force),
        force: f.force,
    }
}
