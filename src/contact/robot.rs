//! Static equilibrium of a robot on contacts.

use super::ContactPoint;
use super::equilibrium::TOLERANCE;
use super::forces::{Friction, contact_forces};
use super::program::{Affine, Program};
use crate::dynamics;
use crate::kinematics::{self, DriverDof, DriverSpace, State};
use crate::math::Vector;
use crate::robot::{Driver, LinkId, Robot};
use crate::{Error, Result};

/// Result of [`robot_equilibrium`]: contact forces, driver forces, and the unbalanced part of gravity.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RobotEquilibrium {
    /// Contact forces on the robot, N in world axes.
    pub forces: Vec<Vector>,
    /// Driver forces, N·m or N, in the order of [`Robot::drivers`]; the smallest ones.
    pub drivers: Vec<f64>,
    /// Unbalanced forces on the dofs of [`DriverSpace`], N·m or N.
    pub residual: Vec<f64>,
    /// Size of the residual relative to the gravity forces.
    pub error: f64,
}

impl RobotEquilibrium {
    /// Returns whether the robot is in equilibrium, to 1e-6 of its gravity forces.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.error <= TOLERANCE
    }

    /// Largest ratio of a driver force to its limit: infinite where a driver with limit 0 is needed.
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

/// Driver forces within their limits and contact forces that hold a robot at rest, `g = u + Σ Jᵀ f`, or come nearest to it.
///
/// `gravity` is in world axes, m/s². Dofs without a driver, such as those of a floating base, have no motor force; welds take
/// any force. Contact forces on links that one driver moves add to the force on that driver.
///
/// # Errors
///
/// [`Error::Invalid`] for gravity that is not finite, a link that does not exist, or a pyramid with fewer than three edges.
///
/// # Panics
///
/// If the state belongs to a robot of another size.
pub fn robot_equilibrium(
    robot: &Robot,
    state: &State,
    contacts: &[(LinkId, ContactPoint)],
    gravity: &Vector,
    friction: Friction,
) -> Result<RobotEquilibrium> {
    state.check_robot(robot)?;
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
    // without gravity all forces are zero
    let size = needed.norm();
    if size <= 0.0 {
        return Ok(RobotEquilibrium {
            forces: vec![Vector::zeros(); contacts.len()],
            drivers: vec![0.0; robot.drivers().len()],
            residual: vec![0.0; space.len()],
            error: 0.0,
        });
    }

    let mut program = Program::default();
    let points: Vec<ContactPoint> = contacts.iter().map(|(_, contact)| *contact).collect();
    let contact_forces = contact_forces(&mut program, &points, friction);
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
                    let mut slack = Affine::of(u, sign);
                    slack.constant = limit.max(0.0) / size;
                    program.not_negative(slack);
                }
            }
            Some((d, u))
        })
        .collect();

    // residual of each dof of the drivers, in units of the gravity forces
    let mut residual: Vec<Affine> = (0..space.len())
        .map(|y| {
            let mut row = motors[y].map_or_else(Affine::default, |(_, u)| Affine::of(u, -1.0));
            row.constant = needed[y] / size;
            row
        })
        .collect();
    for (contact_force, (link, contact)) in contact_forces.iter().zip(contacts) {
        let p_link = state
            .pose(robot, *link)
            .inverse_transform_point(&contact.point);
        let jacobian = kinematics::position_jacobian(robot, state, *link, &p_link) * &s;
        for (x, direction) in &contact_force.directions {
            let along = jacobian.tr_mul(direction);
            for (row, c) in residual.iter_mut().zip(along.iter()) {
                if c.abs() > 0.0 {
                    row.terms.push((*x, -c));
                }
            }
        }
    }
    let residual_norm = |x: &[f64]| {
        residual
            .iter()
            .map(|row| row.at(x).powi(2))
            .sum::<f64>()
            .sqrt()
    };
    let error = program.variable(1.0);
    program.norm(Affine::of(error, 1.0), residual.clone());
    let nearest = program.solve();

    // then, in equilibrium, minimise the forces, mainly those of motors
    let smallest = nearest
        .as_ref()
        .filter(|x| residual_norm(x) <= TOLERANCE)
        .and_then(|_| {
            let mut program = program.clone();
            program.set_cost(error, 0.0);
            let effort = program.variable(1.0);
            let motors = motors.iter().flatten().map(|(_, u)| Affine::of(*u, 1.0));
            let contact_parts = contact_forces
                .iter()
                .flat_map(|contact_force| &contact_force.directions);
            let contact_parts = contact_parts.map(|(x, _)| Affine::of(*x, CONTACT_WEIGHT));
            program.norm(Affine::of(effort, 1.0), motors.chain(contact_parts));
            residual.iter().for_each(|row| program.zero(row.clone()));
            program.solve().filter(|x| residual_norm(x) <= TOLERANCE)
        });
    let Some(x) = smallest.or(nearest) else {
        return Ok(RobotEquilibrium {
            forces: vec![Vector::zeros(); contacts.len()],
            drivers: vec![0.0; robot.drivers().len()],
            residual: needed.as_slice().to_vec(),
            error: 1.0,
        });
    };
    let mut drivers = vec![0.0; robot.drivers().len()];
    for (d, u) in motors.into_iter().flatten() {
        drivers[d] = x[u] * size;
    }
    Ok(RobotEquilibrium {
        forces: contact_forces
            .iter()
            .map(|contact_force| contact_force.force(&x) * size)
            .collect(),
        drivers,
        residual: residual.iter().map(|row| row.at(&x) * size).collect(),
        error: residual_norm(&x),
    })
}

/// Weight of contact forces relative to motor forces in the minimisation.
const CONTACT_WEIGHT: f64 = 1e-2;
