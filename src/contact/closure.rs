//! Force closure of grasps.

use nalgebra::DMatrix;

use super::ContactPoint;
use super::equilibrium::TOLERANCE;
use super::forces::{Friction, bounding_radius, contact_forces, sums};
use super::program::{Affine, Program};
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// Space of loads that a grasp has to resist.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum GraspSpace {
    /// Three forces and three moments.
    Spatial,
    /// Two forces and one moment, in a plane with this normal.
    Planar(Vector),
}

/// Returns whether contacts can resist every load on the grasped body: their forces span all wrenches.
///
/// Two point contacts are never enough in space, where the body can rotate about the line through them. They can be in a
/// plane.
///
/// # Errors
///
/// As [`closure_margin`].
///
/// # Examples
///
/// ```
/// use kinworld::contact::{ContactPoint, GraspSpace, force_closure};
/// use kinworld::{Point, Vector};
///
/// // two fingers, 10° from facing each other: closed from a friction of tan 10° = 0.176 on
/// let plane = GraspSpace::Planar(Vector::z());
/// let tilt = 10_f64.to_radians();
/// let grasp = |friction| -> kinworld::Result<_> {
///     let left = ContactPoint::new(Point::new(-1.0, 0.0, 0.0), Vector::new(tilt.cos(), tilt.sin(), 0.0), friction)?;
///     let right = ContactPoint::new(Point::new(1.0, 0.0, 0.0), -Vector::x(), friction)?;
///     force_closure(&[left, right], &plane)
/// };
/// assert!(grasp(0.18)? && !grasp(0.17)?);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "forceClosure")]
pub fn force_closure(contacts: &[ContactPoint], space: &GraspSpace) -> Result<bool> {
    Ok(closure_margin(contacts, space)? > TOLERANCE)
}

/// Margin of force closure, from 0 (none) to 1.
///
/// Given internal forces with 1 N along the normals on average, the margin is the largest normal force that every contact
/// can lose before one of them slips or opens.
///
/// # Errors
///
/// [`Error::Invalid`] for a plane without a direction, or a contact that does not lie in it.
pub fn closure_margin(contacts: &[ContactPoint], space: &GraspSpace) -> Result<f64> {
    let mut center = Vector::zeros();
    for contact in contacts {
        center += contact.point.coords / contacts.len() as f64;
    }
    let about = Point::from(center);
    let length = bounding_radius(contacts, &about);
    let (columns, axes): (Vec<Vec<Vector>>, _) = match space {
        GraspSpace::Spatial => (Vec::new(), None),
        GraspSpace::Planar(axis) => {
            let axis = super::FrictionCone::new(*axis, 0.0)?;
            let edges = |(k, contact): (usize, &ContactPoint)| in_plane(k, contact, axis.normal());
            let columns = contacts.iter().enumerate().map(edges);
            (columns.collect::<Result<_>>()?, Some(axis))
        }
    };

    // internal forces with the largest margin at all contacts
    let mut program = Program::default();
    let margin = program.variable(-1.0);
    program.not_negative(Affine::of(margin, 1.0));
    let mut internal = Affine {
        terms: Vec::new(),
        constant: -(contacts.len() as f64),
    };
    let mut generators: Vec<Vec<f64>> = Vec::new();
    let rows: Vec<Affine>;
    match axes {
        None => {
            let contact_forces = contact_forces(&mut program, contacts, Friction::Exact);
            rows = sums(&contact_forces, contacts, &about, length).to_vec();
            for (contact_force, contact) in contact_forces.iter().zip(contacts) {
                let (n, _) = contact_force.directions[0];
                internal.terms.push((n, 1.0));
                program.not_negative(Affine::of(n, 1.0).plus(margin, -1.0));
                if let [_, (t, _), (b, _)] = contact_force.directions[..] {
                    let mu = contact.cone.friction();
                    let limit = Affine::of(n, mu).plus(margin, -mu);
                    program.norm(limit, [Affine::of(t, 1.0), Affine::of(b, 1.0)]);
                }
                let arm = (contact.point - about) / length;
                for (_, direction) in &contact_force.directions {
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
                    internal.terms.push((x, 1.0));
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
    program.zero(internal);
    Ok(program.solve().map_or(0.0, |x| x[margin].clamp(0.0, 1.0)))
}

/// The edges of a friction cone in a plane, each with 1 along the normal.
fn in_plane(k: usize, contact: &ContactPoint, axis: &Vector) -> Result<Vec<Vector>> {
    let (normal, friction) = (contact.cone.normal(), contact.cone.friction());
    if normal.dot(axis).abs() > 1e-6 {
        let problem = format!("its normal is {:?}, not in the plane", normal.as_slice());
        return Err(Error::invalid(format!("contact {k}"), problem));
    }
    let across = axis.cross(normal) * friction;
    Ok(if friction > 0.0 {
        vec![normal + across, normal - across]
    } else {
        vec![*normal]
    })
}

/// Rank of a matrix, given by its columns.
fn rank(columns: &[Vec<f64>], rows: usize) -> usize {
    let matrix = DMatrix::from_fn(rows, columns.len(), |i, j| columns[j][i]);
    if matrix.is_empty() {
        return 0;
    }
    let sizes = matrix.singular_values();
    sizes.iter().filter(|size| **size > 1e-9 * sizes[0]).count()
}
