//! Forces at contacts as variables of a program.

use super::Contact;
use super::program::{Affine, Program};
use crate::math::{Point, Vector, Wrench};
use crate::{Error, Result};

/// How friction is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Friction {
    /// As the cone that it is.
    #[default]
    Exact,
    /// As a pyramid with this many edges inside the cone, at least three: less friction, and polygons with few corners.
    Pyramid(u32),
}

impl Friction {
    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::Pyramid(n) if !(3..=MOST_EDGES).contains(&n) => {
                let problem = format!("{n} edges: there must be 3 to {MOST_EDGES}");
                Err(Error::invalid("pyramid of friction", problem))
            }
            _ => Ok(()),
        }
    }
}

/// What one contact can do: a force is the sum of its directions times their variables.
#[derive(Debug)]
pub(super) struct Handle {
    pub(super) directions: Vec<(usize, Vector)>,
}

/// Adds the variables of each contact, in its cone.
pub(super) fn handles(
    program: &mut Program,
    contacts: &[Contact],
    friction: Friction,
) -> Vec<Handle> {
    let handle = |contact: &Contact| {
        let cone = &contact.cone;
        let directions = match friction {
            Friction::Exact if cone.friction() > 0.0 => {
                let [t, b] = cone.tangents();
                let all =
                    [*cone.normal(), t, b].map(|direction| (program.variable(0.0), direction));
                let [n, t, b] = [0, 1, 2].map(|k| Affine::of(all[k].0, 1.0));
                let most = Affine::of(all[0].0, cone.friction());
                // the normal force is not negative, which the cone alone says only where there is friction
                program.not_negative(n);
                program.norm(most, [t, b]);
                all.to_vec()
            }
            Friction::Exact => edges(program, cone.edges(3)),
            Friction::Pyramid(n) => edges(program, cone.edges(n as usize)),
        };
        Handle { directions }
    };
    contacts.iter().map(handle).collect()
}

fn edges(program: &mut Program, edges: Vec<Vector>) -> Vec<(usize, Vector)> {
    let edge = |direction: Vector| {
        let x = program.variable(0.0);
        program.not_negative(Affine::of(x, 1.0));
        (x, direction)
    };
    edges.into_iter().map(edge).collect()
}

impl Handle {
    /// The force for values of the variables.
    pub(super) fn force(&self, x: &[f64]) -> Vector {
        let parts = self
            .directions
            .iter()
            .map(|(j, direction)| direction * x[*j]);
        parts.sum()
    }
}

/// Moment and force of all contacts about a point, with lengths in units of `length`: six sums, moment first.
pub(super) fn sums(
    handles: &[Handle],
    contacts: &[Contact],
    about: &Point,
    length: f64,
) -> [Affine; 6] {
    let mut sums: [Affine; 6] = Default::default();
    for (handle, contact) in handles.iter().zip(contacts) {
        let arm = (contact.point - about) / length;
        for (j, direction) in &handle.directions {
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

/// How far contacts are from a point, m: a length to measure moments with.
pub(super) fn reach(contacts: &[Contact], about: &Point) -> f64 {
    let arms = contacts
        .iter()
        .map(|contact| (contact.point - about).norm());
    let reach = arms.fold(0.0, f64::max);
    if reach > 0.0 { reach } else { 1.0 }
}

/// Refuses a load that is not finite.
pub(super) fn check_load(load: &Wrench, about: &Point) -> Result<()> {
    let numbers = load.force.iter().chain(&load.moment).chain(about.iter());
    if numbers.clone().all(|x| x.is_finite()) {
        return Ok(());
    }
    Err(Error::invalid("load on contacts", "must be finite"))
}

const MOST_EDGES: u32 = 1000;
