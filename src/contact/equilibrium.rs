//! Whether contacts can hold a load.

use super::Contact;
use super::forces::{Friction, Handle, check_load, handles, reach, sums};
use super::program::{Affine, Program};
use crate::Result;
use crate::math::{Point, Vector, Wrench};

/// How near contacts come to holding a load.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// What each contact does, N in world axes; the smallest forces that do it.
    pub forces: Vec<Vector>,
    /// What they leave of the load, about the same point; zero up to the solver's accuracy where they hold it.
    pub rest: Wrench,
    /// The size of the rest as a share of the load's.
    pub error: f64,
}

impl Equilibrium {
    /// Whether the load is held, up to a millionth of it.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.error <= TOLERANCE
    }
}

/// The forces of some contacts on a body that come nearest to holding a load, such as its weight, given about a point.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for numbers that are not finite, or a pyramid with fewer than three edges.
///
/// # Examples
///
/// ```
/// use kinworld::contact::{Contact, Friction, equilibrium};
/// use kinworld::math::Wrench;
/// use kinworld::{Point, Vector};
///
/// // a crate of 10 kg on a ramp of 20°, which needs a friction of tan 20° = 0.364
/// let slope = 20_f64.to_radians();
/// let weight = Wrench::new(Vector::zeros(), Vector::new(0.0, 0.0, -98.1));
/// let holds = |friction| -> kinworld::Result<bool> {
///     let normal = Vector::new(slope.sin(), 0.0, slope.cos());
///     let corners = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)].map(|(x, y)| {
///         let below = Point::from(-0.1 * normal);
///         Contact::new(below + Vector::new(slope.cos(), 0.0, -slope.sin()) * x + Vector::y() * y, normal, friction)
///     });
///     let corners = corners.into_iter().collect::<Result<Vec<_>, _>>()?;
///     Ok(equilibrium(&corners, &weight, &Point::origin(), Friction::Exact)?.holds())
/// };
/// assert!(holds(0.365)? && !holds(0.363)?);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn equilibrium(
    contacts: &[Contact],
    load: &Wrench,
    about: &Point,
    friction: Friction,
) -> Result<Equilibrium> {
    friction.check()?;
    check_load(load, about)?;
    let length = reach(contacts, about);
    let size = load.force.norm().max(load.moment.norm() / length);
    if size <= 0.0 {
        return Ok(Equilibrium {
            forces: vec![Vector::zeros(); contacts.len()],
            rest: *load,
            error: 0.0,
        });
    }

    // the rest as short as can be, in units of the load
    let mut program = Program::default();
    let handles = handles(&mut program, contacts, friction);
    let mut rest = sums(&handles, contacts, about, length);
    let given = load
        .moment
        .iter()
        .map(|x| x / length)
        .chain(load.force.iter().copied());
    for (sum, given) in rest.iter_mut().zip(given) {
        sum.constant = given / size;
    }
    let error = program.variable(1.0);
    program.norm(Affine::of(error, 1.0), rest.clone());
    let nearest = program.solve();

    // and, where nothing is left, forces as small as can be
    let is_held =
        |x: &Vec<f64>| rest.iter().map(|a| a.at(x).powi(2)).sum::<f64>().sqrt() <= TOLERANCE;
    let smallest = nearest.as_ref().filter(|x| is_held(x)).and_then(|_| {
        let mut program = program.clone();
        program.set_cost(error, 0.0);
        let effort = program.variable(1.0);
        let parts = handles.iter().flat_map(|handle| &handle.directions);
        program.norm(
            Affine::of(effort, 1.0),
            parts.map(|(j, _)| Affine::of(*j, 1.0)),
        );
        rest.iter().for_each(|a| program.zero(a.clone()));
        program.solve().filter(is_held)
    });
    let force = |handle: &Handle, x: &[f64]| handle.force(x) * size;
    let forces: Vec<Vector> = match smallest.or(nearest) {
        Some(x) => handles.iter().map(|handle| force(handle, &x)).collect(),
        None => vec![Vector::zeros(); contacts.len()],
    };
    let net = super::net_wrench(contacts, &forces, about);
    let rest = Wrench::new(load.moment + net.moment, load.force + net.force);
    let error = (rest.force.norm_squared() + (rest.moment / length).norm_squared()).sqrt() / size;
    Ok(Equilibrium {
        forces,
        rest,
        error,
    })
}

/// A share of the load: a hundred times what the solver is accurate to.
pub(super) const TOLERANCE: f64 = 1e-6;
