//! Joint friction of the drivers.

use crate::kinematics::State;
use crate::robot::{Driver, DriverKind, LinkId, Robot};
use crate::{Error, Result};

/// Generalised forces (n) of driver friction, at the velocity of the state.
///
/// For a driver velocity `u̇`: `−viscous · u̇ − dry · tanh(u̇ / slip)`. With `slip` = 0 the second term is the sign of
/// `u̇`, and 0 at rest; a positive `slip`, in rad/s or m/s, smooths the step so that it can be integrated. This is
/// kinetic friction: static friction balances the applied force up to the dry friction, and needs a contact solver. As
/// with a [`Rotor`](crate::robot::Rotor), the force acts on the first link of an affine driver whose scale is not 0.
///
/// No other function of this module includes friction. For [`forward_dynamics`](super::forward_dynamics), add it to the
/// motor forces; for [`inverse_dynamics`](super::inverse_dynamics), subtract it from the result. Files give it as
/// `<dynamics damping="…" friction="…">` and as `viscousfriction` and `dryfriction`.
///
/// # Errors
///
/// [`Error::Invalid`] where `slip` is negative or not finite.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mut robot = RobotBuilder::new("drawer");
/// let mut drawer = LinkSpec::new("drawer", None, LinkMotion::Prismatic(Vector::x()));
/// drawer.inertia = Inertia { mass: 2.0, ..Inertia::zero() };
/// robot.add_link(drawer);
/// let mut robot = robot.build()?;
/// let mut builder = RobotBuilder::from(&robot);
/// for driver in builder.drivers.iter_mut().flatten() {
///     (driver.servo.dry_friction, driver.servo.viscous_friction) = (6.0, 0.5);
/// }
/// robot = builder.build()?;
/// let mut state = State::new(&robot);
/// state.set_velocity(&robot, &[-4.0])?;
///
/// let friction = dynamics::friction_forces(&robot, &state, 0.0)?;
/// assert_eq!(friction, [8.0]);
/// let ddq = dynamics::forward_dynamics(&robot, &state, &Vector::zeros(), &friction)?;
/// assert_eq!(ddq, [4.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn friction_forces(robot: &Robot, state: &State, slip: f64) -> Result<Vec<f64>> {
    state.check_robot(robot)?;
    let mut out = vec![0.0; robot.n_dofs()];
    friction_forces_into(robot, state, slip, &mut out)?;
    Ok(out)
}

/// [`friction_forces`] without allocation.
///
/// # Errors
///
/// As [`friction_forces`]; nothing is written then.
///
/// # Panics
///
/// If `out` does not have one value per dof.
pub fn friction_forces_into(
    robot: &Robot,
    state: &State,
    slip: f64,
    out: &mut [f64],
) -> Result<()> {
    state.check_robot(robot)?;
    assert_eq!(out.len(), robot.n_dofs(), "one value per dof");
    if !slip.is_finite() || slip < 0.0 {
        let problem = format!("is {slip}, it must be finite and not negative");
        return Err(Error::invalid("slip", problem));
    }
    out.fill(0.0);
    for driver in robot.drivers() {
        let Some((link, scale)) = loaded_link(driver) else {
            continue;
        };
        let Some(dof) = robot.link(link).dof() else {
            continue;
        };
        let rate = state.velocity()[dof.index()] / scale;
        let direction = match slip {
            0.0 if rate == 0.0 => 0.0,
            0.0 => rate.signum(),
            slip => (rate / slip).tanh(),
        };
        let servo = &driver.servo;
        let resistance = servo.viscous_friction * rate + servo.dry_friction * direction;

        // the power −resistance · u̇ is that of a force on the link
        out[dof.index()] = -resistance / scale;
    }
    Ok(())
}

/// The link that the motor acts on, and its scale.
fn loaded_link(driver: &Driver) -> Option<(LinkId, f64)> {
    match &driver.kind {
        DriverKind::Affine { links, scale, .. } => {
            let mut links = links.iter().zip(scale);
            let (&link, &scale) = links.find(|(_, scale)| **scale != 0.0)?;
            Some((link, scale))
        }
        kind => Some((*kind.links().first()?, 1.0)),
    }
}
