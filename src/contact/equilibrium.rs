//! Static equilibrium of a loaded body on contacts.

use super::ContactPoint;
use super::forces::{ContactForce, Friction, bounding_radius, check_load, contact_forces, sums};
use super::program::{Affine, Program};
use crate::Result;
use crate::math::{Point, Vector, Wrench};

/// Result of [`equilibrium`]: contact forces, and the unbalanced part of the load.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Equilibrium {
    /// Contact forces, N in world axes; the smallest ones that balance the load.
    pub forces: Vec<Vector>,
    /// Unbalanced part of the load, about the same point; zero up to the solver's accuracy in equilibrium.
    pub residual: Wrench,
    /// Size of the residual relative to that of the load.
    pub error: f64,
}

impl Equilibrium {
    /// Returns whether the load is balanced, to 1e-6 of its size.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.error <= TOLERANCE
    }
}

/// Contact forces that balance a load on a body, such as its weight, about a point; the nearest ones where none do.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for numbers that are not finite, or a pyramid with fewer than three edges.
///
/// # Examples
///
/// ```
/// use kinworld::contact::{ContactPoint, Friction, equilibrium};
/// use kinworld::math::Wrench;
/// use kinworld::{Point, Vector};
///
/// // a crate of 10 kg on a ramp of 20°, which needs a friction of tan 20° = 0.364
/// let incline = 20_f64.to_radians();
/// let weight = Wrench { moment: Vector::zeros(), force: Vector::new(0.0, 0.0, -98.1) };
/// let holds = |friction| -> kinworld::Result<bool> {
///     let normal = Vector::new(incline.sin(), 0.0, incline.cos());
///     let corners = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)].map(|(x, y)| {
///         let below = Point::from(-0.1 * normal);
///         ContactPoint::new(below + Vector::new(incline.cos(), 0.0, -incline.sin()) * x + Vector::y() * y, normal, friction)
///     });
///     let corners = corners.into_iter().collect::<Result<Vec<_>, _>>()?;
///     Ok(equilibrium(&corners, &weight, &Point::origin(), Friction::Exact)?.holds())
/// };
/// assert!(holds(0.365)? && !holds(0.363)?);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn equilibrium(
    contacts: &[ContactPoint],
    load: &Wrench,
    about: &Point,
    friction: Friction,
) -> Result<Equilibrium> {
    friction.check()?;
    check_load(load, about)?;
    let length = bounding_radius(contacts, about);
    let size = load.force.norm().max(load.moment.norm() / length);
    if size <= 0.0 {
        return Ok(Equilibrium {
            forces: vec![Vector::zeros(); contacts.len()],
            residual: *load,
            error: 0.0,
        });
    }

    // minimise the residual, in units of the load
    let mut program = Program::default();
    let contact_forces = contact_forces(&mut program, contacts, friction);
    let mut residual = sums(&contact_forces, contacts, about, length);
    let scaled = load
        .moment
        .iter()
        .map(|x| x / length)
        .chain(load.force.iter().copied());
    for (sum, x) in residual.iter_mut().zip(scaled) {
        sum.constant = x / size;
    }
    let error = program.variable(1.0);
    program.norm(Affine::of(error, 1.0), residual.clone());
    let nearest = program.solve();

    // then, in equilibrium, minimise the forces
    let is_balanced =
        |x: &Vec<f64>| residual.iter().map(|a| a.at(x).powi(2)).sum::<f64>().sqrt() <= TOLERANCE;
    let smallest = nearest.as_ref().filter(|x| is_balanced(x)).and_then(|_| {
        let mut program = program.clone();
        program.set_cost(error, 0.0);
        let effort = program.variable(1.0);
        let parts = contact_forces
            .iter()
            .flat_map(|contact_force| &contact_force.directions);
        program.norm(
            Affine::of(effort, 1.0),
            parts.map(|(j, _)| Affine::of(*j, 1.0)),
        );
        residual.iter().for_each(|a| program.zero(a.clone()));
        program.solve().filter(is_balanced)
    });
    let force = |contact_force: &ContactForce, x: &[f64]| contact_force.force(x) * size;
    let forces: Vec<Vector> = match smallest.or(nearest) {
        Some(x) => contact_forces
            .iter()
            .map(|contact_force| force(contact_force, &x))
            .collect(),
        None => vec![Vector::zeros(); contacts.len()],
    };
    let net = super::net_wrench(contacts, &forces, about);
    let residual = Wrench {
        moment: load.moment + net.moment,
        force: load.force + net.force,
    };
    let error =
        (residual.force.norm_squared() + (residual.moment / length).norm_squared()).sqrt() / size;
    Ok(Equilibrium {
        forces,
        residual,
        error,
    })
}

/// Relative tolerance of equilibrium: a hundred times the accuracy of the solver.
pub(super) const TOLERANCE: f64 = 1e-6;
