//! Whether contacts hold against everything.

use nalgebra::DMatrix;

use super::Contact;
use super::equilibrium::TOLERANCE;
use super::forces::{Friction, handles, reach, sums};
use super::program::{Affine, Program};
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// In which directions contacts have to hold.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Grip {
    /// In space: against three forces and three moments.
    Spatial,
    /// In a plane across this direction: against two forces and one moment.
    Planar(Vector),
}

/// Whether contacts can resist every load on the body that they hold: their forces span all wrenches.
///
/// Two contacts without a twist never do so in space: the body turns about the line through them. They can in a plane.
///
/// # Errors
///
/// As [`closure_margin`].
///
/// # Examples
///
/// ```
/// use kinworld::contact::{Contact, Grip, force_closure};
/// use kinworld::{Point, Vector};
///
/// // two fingers, 10° beside facing each other: enough for a friction of tan 10° = 0.176
/// let plane = Grip::Planar(Vector::z());
/// let lean = 10_f64.to_radians();
/// let grasp = |friction| -> kinworld::Result<_> {
///     let left = Contact::new(Point::new(-1.0, 0.0, 0.0), Vector::new(lean.cos(), lean.sin(), 0.0), friction)?;
///     let right = Contact::new(Point::new(1.0, 0.0, 0.0), -Vector::x(), friction)?;
///     force_closure(&[left, right], &plane)
/// };
/// assert!(grasp(0.18)? && !grasp(0.17)?);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn force_closure(contacts: &[Contact], grip: &Grip) -> Result<bool> {
    Ok(closure_margin(contacts, grip)? > TOLERANCE)
}

/// How safely contacts resist every load: 0 where they do not, up to 1.
///
/// They squeeze the body without moving it, with 1 N along the normals on average. The margin is the force, the same at every
/// contact, that the weakest of them can do without along its normal before it slides or lets go.
///
/// # Errors
///
/// [`Error::Invalid`] for a plane without a direction, or a contact that does not lie in it.
pub fn closure_margin(contacts: &[Contact], grip: &Grip) -> Result<f64> {
    let mut center = Vector::zeros();
    for contact in contacts {
        center += contact.point.coords / contacts.len() as f64;
    }
    let about = Point::from(center);
    let length = reach(contacts, &about);
    let (columns, axes): (Vec<Vec<Vector>>, _) = match grip {
        Grip::Spatial => (Vec::new(), None),
        Grip::Planar(axis) => {
            let axis = super::FrictionCone::new(*axis, 0.0)?;
            let edges = |(k, contact): (usize, &Contact)| in_plane(k, contact, axis.normal());
            let columns = contacts.iter().enumerate().map(edges);
            (columns.collect::<Result<_>>()?, Some(axis))
        }
    };

    // a squeeze that leaves a margin everywhere, as large as can be
    let mut program = Program::default();
    let margin = program.variable(-1.0);
    program.not_negative(Affine::of(margin, 1.0));
    let mut squeeze = Affine {
        terms: Vec::new(),
        constant: -(contacts.len() as f64),
    };
    let mut generators: Vec<Vec<f64>> = Vec::new();
    let rows: Vec<Affine>;
    match axes {
        None => {
            let handles = handles(&mut program, contacts, Friction::Exact);
            rows = sums(&handles, contacts, &about, length).to_vec();
            for (handle, contact) in handles.iter().zip(contacts) {
                let (n, _) = handle.directions[0];
                squeeze.terms.push((n, 1.0));
                program.not_negative(Affine::of(n, 1.0).plus(margin, -1.0));
                if let [_, (t, _), (b, _)] = handle.directions[..] {
                    let mu = contact.cone.friction();
                    let most = Affine::of(n, mu).plus(margin, -mu);
                    program.norm(most, [Affine::of(t, 1.0), Affine::of(b, 1.0)]);
                }
                let arm = (contact.point - about) / length;
                for (_, direction) in &handle.directions {
                    generators.push(
                        arm.cross(direction)
                            .iter()
                            .chain(direction)
                            .copied()
                            .collect(),
                    );
                }
            }
        }
        Some(axis) => {
            let (axis, tangents) = (axis.normal(), axis.tangents());
            let mut sums = vec![Affine::default(); 3];
            for (contact, edges) in contacts.iter().zip(&columns) {
                let arm = (contact.point - about) / length;
                for edge in edges {
                    let x = program.variable(0.0);
                    program
                        .not_negative(Affine::of(x, 1.0).plus(margin, -1.0 / edges.len() as f64));
                    squeeze.terms.push((x, 1.0));
                    let column = [
                        axis.dot(&arm.cross(edge)),
                        tangents[0].dot(edge),
                        tangents[1].dot(edge),
                    ];
                    for (sum, c) in sums.iter_mut().zip(column) {
                        sum.terms.push((x, c));
                    }
                    generators.push(column.to_vec());
                }
            }
            rows = sums;
        }
    }
    if rank(&generators, rows.len()) < rows.len() {
        return Ok(0.0);
    }
    rows.into_iter().for_each(|row| program.zero(row));
    program.zero(squeeze);
    Ok(program.solve().map_or(0.0, |x| x[margin].clamp(0.0, 1.0)))
}

/// The edges of a friction cone in a plane, each with 1 along the normal.
fn in_plane(k: usize, contact: &Contact, axis: &Vector) -> Result<Vec<Vector>> {
    let (normal, friction) = (contact.cone.normal(), contact.cone.friction());
    if normal.dot(axis).abs() > 1e-6 {
        let problem = format!("points along {:?}, out of the plane", normal.as_slice());
        return Err(Error::invalid(format!("contact {k}"), problem));
    }
    let across = axis.cross(normal) * friction;
    Ok(if friction > 0.0 {
        vec![normal + across, normal - across]
    } else {
        vec![*normal]
    })
}

/// In how many directions columns lead.
fn rank(columns: &[Vec<f64>], rows: usize) -> usize {
    let matrix = DMatrix::from_fn(rows, columns.len(), |i, j| columns[j][i]);
    if matrix.is_empty() {
        return 0;
    }
    let sizes = matrix.singular_values();
    sizes.iter().filter(|size| **size > 1e-9 * sizes[0]).count()
}
