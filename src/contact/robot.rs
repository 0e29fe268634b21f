//! Whether a robot can stand, and what its motors do.

use super::Contact;
use super::equilibrium::TOLERANCE;
use super::forces::{Friction, handles};
use super::program::{Affine, Program};
use crate::dynamics;
use crate::kinematics::{self, DriverDof, DriverSpace, State};
use crate::math::Vector;
use crate::robot::{Driver, LinkId, Robot};
use crate::{Error, Result};

/// How near motors and contacts come to holding a robot where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotEquilibrium {
    /// What each contact does to the robot, N in world axes.
    pub forces: Vec<Vector>,
    /// What each driver does, N·m or N, in the order of [`Robot::drivers`]; as small as can be.
    pub drivers: Vec<f64>,
    /// What is missing along each free coordinate, those of [`DriverSpace`], N·m or N.
    pub rest: Vec<f64>,
    /// The size of the rest as a share of what gravity does.
    pub error: f64,
}

impl RobotEquilibrium {
    /// Whether the robot is held, up to a millionth of its gravity forces.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.error <= TOLERANCE
    }

    /// The largest share of its limit that a driver needs: infinite where one without any strength is asked.
    #[must_use]
    pub fn effort(&self, robot: &Robot) -> f64 {
        let share = |(driver, u): (&Driver, &f64)| {
            let [low, high] = robot.driver_limits(driver).torque;
            let limit = if *u < 0.0 { -low } else { high };
            if u.abs() > 0.0 {
                u.abs() / limit.max(0.0)
            } else {
                0.0
            }
        };
        let drivers = robot.drivers().iter().zip(&self.drivers);
        drivers.map(share).fold(0.0, f64::max)
    }
}

/// What motors within their limits and contacts do that comes nearest to holding a robot at rest: `g = u + Σ Jᵀ f`.
///
/// `gravity` is in world axes, m/s². Coordinates without a driver, such as those of a floating base, hold nothing; welds hold
/// everything. Contacts of links that a driver holds together count for that driver.
///
/// # Errors
///
/// [`Error::Invalid`] for gravity that is not finite, a link that is not there, or a pyramid with fewer than three edges.
///
/// # Panics
///
/// If the state belongs to a robot of another size.
pub fn robot_equilibrium(
    robot: &Robot,
    state: &State,
    contacts: &[(LinkId, Contact)],
    gravity: &Vector,
    friction: Friction,
) -> Result<RobotEquilibrium> {
    friction.check()?;
    if !gravity.iter().all(|x| x.is_finite()) {
        let problem = format!("{:?} must be finite", gravity.as_slice());
        return Err(Error::invalid("gravity", problem));
    }
    let n_links = robot.links().len();
    if let Some((link, _)) = contacts.iter().find(|(link, _)| link.index() >= n_links) {
        let problem = format!("there is no link {}; there are {n_links}", link.index());
        return Err(Error::invalid("contact", problem));
    }

    let space = DriverSpace::new(robot);
    let s = space.matrix();
    let needed = dynamics::gravity_forces(robot, state, gravity);
    let needed = s.tr_mul(&nalgebra::DVector::from_vec(needed));
    // without weight there is nothing to hold
    let size = needed.norm();
    if size <= 0.0 {
        return Ok(RobotEquilibrium {
            forces: vec![Vector::zeros(); contacts.len()],
            drivers: vec![0.0; robot.drivers().len()],
            rest: vec![0.0; space.len()],
            error: 0.0,
        });
    }

    let mut program = Program::default();
    let only: Vec<Contact> = contacts.iter().map(|(_, contact)| *contact).collect();
    let handles = handles(&mut program, &only, friction);
    let motor = |y: usize| match space.dofs()[y] {
        DriverDof::Driver(d) => Some(d),
        DriverDof::Dof(_) => None,
    };
    let motors: Vec<Option<(usize, usize)>> = (0..space.len())
        .map(|y| {
            let d = motor(y)?;
            let u = program.variable(0.0);
            let [low, high] = robot.driver_limits(&robot.drivers()[d]).torque;
            for (sign, limit) in [(1.0, -low), (-1.0, high)] {
                if limit.is_finite() {
                    let mut room = Affine::of(u, sign);
                    room.constant = limit.max(0.0) / size;
                    program.not_negative(room);
                }
            }
            Some((d, u))
        })
        .collect();

    // what is missing along each free coordinate, in units of the gravity forces
    let mut rest: Vec<Affine> = (0..space.len())
        .map(|y| {
            let mut row = motors[y].map_or_else(Affine::default, |(_, u)| Affine::of(u, -1.0));
            row.constant = needed[y] / size;
            row
        })
        .collect();
    for (handle, (link, contact)) in handles.iter().zip(contacts) {
        let p_link = state
            .pose(robot, *link)
            .inverse_transform_point(&contact.point);
        let jacobian = kinematics::position_jacobian(robot, state, *link, &p_link) * &s;
        for (x, direction) in &handle.directions {
            let along = jacobian.tr_mul(direction);
            for (row, c) in rest.iter_mut().zip(along.iter()) {
                if c.abs() > 0.0 {
                    row.terms.push((*x, -c));
                }
            }
        }
    }
    let missing = |x: &[f64]| rest.iter().map(|row| row.at(x).powi(2)).sum::<f64>().sqrt();
    let error = program.variable(1.0);
    program.norm(Affine::of(error, 1.0), rest.clone());
    let nearest = program.solve();

    // and, where nothing is missing, with as little as can be, of motors first
    let smallest = nearest
        .as_ref()
        .filter(|x| missing(x) <= TOLERANCE)
        .and_then(|_| {
            let mut program = program.clone();
            program.set_cost(error, 0.0);
            let effort = program.variable(1.0);
            let motors = motors.iter().flatten().map(|(_, u)| Affine::of(*u, 1.0));
            let pushes = handles.iter().flat_map(|handle| &handle.directions);
            let pushes = pushes.map(|(x, _)| Affine::of(*x, LESS));
            program.norm(Affine::of(effort, 1.0), motors.chain(pushes));
            rest.iter().for_each(|row| program.zero(row.clone()));
            program.solve().filter(|x| missing(x) <= TOLERANCE)
        });
    let Some(x) = smallest.or(nearest) else {
        return Ok(RobotEquilibrium {
            forces: vec![Vector::zeros(); contacts.len()],
            drivers: vec![0.0; robot.drivers().len()],
            rest: needed.as_slice().to_vec(),
            error: 1.0,
        });
    };
    let mut drivers = vec![0.0; robot.drivers().len()];
    for (d, u) in motors.into_iter().flatten() {
        drivers[d] = x[u] * size;
    }
    Ok(RobotEquilibrium {
        forces: handles
            .iter()
            .map(|handle| handle.force(&x) * size)
            .collect(),
        drivers,
        rest: rest.iter().map(|row| row.at(&x) * size).collect(),
        error: missing(&x),
    })
}

/// How much less a newton at a contact counts than one of a motor.
const LESS: f64 = 1e-2;
