//! Springs of joints.

use crate::Result;
use crate::kinematics::State;
use crate::robot::Robot;

/// Generalised forces (n) of the joints' springs, `−stiffness · (q − rest)`, at the configuration of the state.
///
/// No other function of this module includes springs. For [`forward_dynamics`](super::forward_dynamics), add them to the
/// motor forces; for [`inverse_dynamics`](super::inverse_dynamics), subtract them from the result. Files give them as
/// `stiffness` and `springref` in MJCF and as `<spring_stiffness>` and `<spring_reference>` in SDF.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for a state of another robot.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{JointSpring, LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mut lid = LinkSpec::new("lid", None, LinkMotion::Revolute(Vector::y()));
/// lid.spring = Some(JointSpring::new(3.0, 0.5));
/// let mut robot = RobotBuilder::new("box");
/// robot.add_link(lid);
/// let robot = robot.build()?;
/// let mut state = State::new(&robot);
/// state.set_config(&robot, &[1.5])?;
/// assert_eq!(dynamics::spring_forces(&robot, &state)?, [-3.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn spring_forces(robot: &Robot, state: &State) -> Result<Vec<f64>> {
    let mut out = vec![0.0; robot.n_dofs()];
    spring_forces_into(robot, state, &mut out)?;
    Ok(out)
}

/// [`spring_forces`] without allocation.
///
/// # Errors
///
/// As [`spring_forces`]; nothing is written then.
///
/// # Panics
///
/// If `out` does not have one value per dof.
pub fn spring_forces_into(robot: &Robot, state: &State, out: &mut [f64]) -> Result<()> {
    state.check_robot(robot)?;
    assert_eq!(out.len(), robot.n_dofs(), "one value per dof");
    out.fill(0.0);
    add_spring_forces(robot, state.config(), out);
    Ok(())
}

/// Adds the forces of the springs at `q`.
pub(crate) fn add_spring_forces(robot: &Robot, q: &[f64], out: &mut [f64]) {
    for ((link, q), out) in robot.dofs().iter().zip(q).zip(out) {
        if let Some(spring) = robot.link(*link).spring() {
            *out -= spring.stiffness * (q - spring.rest);
        }
    }
}
