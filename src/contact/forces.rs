//! Contact forces as variables of a cone program.

use super::ContactPoint;
use super::program::{Affine, Program};
use crate::math::{Point, Vector, Wrench};
use crate::{Error, Result};

/// Model of the friction cones in the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Friction {
    /// Second-order cones.
    #[default]
    Exact,
    /// Pyramids with this many edges inside the cones, at least three: less friction, and polygons with few vertices.
    Pyramid(u32),
}

impl Friction {
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::Pyramid(n) if !(3..=MAX_EDGES).contains(&n) => {
                let problem = format!("{n} edges: there must be 3 to {MAX_EDGES}");
                Err(Error::invalid("pyramid of friction", problem))
            }
            _ => Ok(()),
        }
    }
}

/// Force of one contact: the sum of its directions times their variables.
#[derive(Debug)]
pub(super) struct ContactForce {
    pub(super) directions: Vec<(usize, Vector)>,
}

/// Adds the variables of each contact to the program, with the constraints of its cone.
pub(super) fn contact_forces(
    program: &mut Program,
    contacts: &[ContactPoint],
    friction: Friction,
) -> Vec<ContactForce> {
    let contact_force = |contact: &ContactPoint| {
        let cone = &contact.cone;
        let directions = match friction {
            Friction::Exact if cone.friction() > 0.0 => {
                let [t, b] = cone.tangents();
                let all =
                    [*cone.normal(), t, b].map(|direction| (program.variable(0.0), direction));
                let [n, t, b] = [0, 1, 2].map(|k| Affine::of(all[k].0, 1.0));
                let limit = Affine::of(all[0].0, cone.friction());
                // f_n ≥ 0: the cone implies it only where μ > 0
                program.not_negative(n);
                program.norm(limit, [t, b]);
                all.to_vec()
            }
            Friction::Exact => edges(program, cone.edges(3)),
            Friction::Pyramid(n) => edges(program, cone.edges(n as usize)),
        };
        ContactForce { directions }
    };
    contacts.iter().map(contact_force).collect()
}

fn edges(program: &mut Program, edges: Vec<Vector>) -> Vec<(usize, Vector)> {
    let edge = |direction: Vector| {
        let x = program.variable(0.0);
        program.not_negative(Affine::of(x, 1.0));
        (x, direction)
    };
    edges.into_iter().map(edge).collect()
}

impl ContactForce {
    /// The force at values of the variables.
    pub(super) fn force(&self, x: &[f64]) -> Vector {
        let parts = self
            .directions
            .iter()
            .map(|(j, direction)| direction * x[*j]);
        parts.sum()
    }
}

/// Net wrench of all contacts about a point, with lengths in units of `length`: six sums, moment first.
pub(super) fn sums(
    contact_forces: &[ContactForce],
    contacts: &[ContactPoint],
    about: &Point,
    length: f64,
) -> [Affine; 6] {
    let mut sums: [Affine; 6] = Default::default();
    for (contact_force, contact) in contact_forces.iter().zip(contacts) {
        let arm = (contact.point - about) / length;
        for (j, direction) in &contact_force.directions {
            let moment = arm.cross(direction);
            for (sum, c) in sums.iter_mut().zip(moment.iter().chain(direction)) {
                if c.abs() > 0.0 {
                    sum.terms.push((*j, *c));
                }
            }
        }
    }
    sums
}

/// Largest distance of contacts from a point, m; the unit of length for moments.
pub(super) fn bounding_radius(contacts: &[ContactPoint], about: &Point) -> f64 {
    let arms = contacts
        .iter()
        .map(|contact| (contact.point - about).norm());
    let radius = arms.fold(0.0, f64::max);
    if radius > 0.0 { radius } else { 1.0 }
}

/// Rejects a load that is not finite.
pub(super) fn check_load(load: &Wrench, about: &Point) -> Result<()> {
    let numbers = load.force.iter().chain(&load.moment).chain(about.iter());
    if numbers.clone().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Error::invalid("load on contacts", "must be finite"))
}

const MAX_EDGES: u32 = 1000;
