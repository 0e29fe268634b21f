//! Jacobian columns of chosen degrees of freedom.

use nalgebra::{Matrix3xX, Matrix6xX};

use super::State;
use super::transform::world_position;
use crate::kernel;
use crate::math::Point;
use crate::robot::{DofId, LinkId, Robot};

/// The columns of [`jacobian`](super::jacobian) that belong to `dofs`, in that order: 6 × `dofs.len()`.
///
/// # Panics
///
/// If a degree of freedom belongs to a larger robot.
#[must_use]
pub fn jacobian_columns(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    dofs: &[DofId],
) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(dofs.len());
    jacobian_columns_into(robot, state, link, p_link, dofs, &mut out);
    out
}

/// [`jacobian_columns`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per chosen degree of freedom, or a degree of freedom belongs to a larger robot.
pub fn jacobian_columns_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    dofs: &[DofId],
    out: &mut Matrix6xX<f64>,
) {
    assert_eq!(out.ncols(), dofs.len(), "one column per chosen dof");
    let p_w = world_position(robot, state, link, p_link);
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<6>();
    for (column, &dof) in columns.iter_mut().zip(dofs) {
        let [w, v] = column_of(robot, state, link, &p_w, dof);
        *column = [w[0], w[1], w[2], v[0], v[1], v[2]];
    }
}

/// The columns of [`position_jacobian`](super::position_jacobian) that belong to `dofs`, in that order.
///
/// # Panics
///
/// If a degree of freedom belongs to a larger robot.
#[must_use]
pub fn position_jacobian_columns(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    dofs: &[DofId],
) -> Matrix3xX<f64> {
    let mut out = Matrix3xX::zeros(dofs.len());
    position_jacobian_columns_into(robot, state, link, p_link, dofs, &mut out);
    out
}

/// [`position_jacobian_columns`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per chosen degree of freedom, or a degree of freedom belongs to a larger robot.
pub fn position_jacobian_columns_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    dofs: &[DofId],
    out: &mut Matrix3xX<f64>,
) {
    assert_eq!(out.ncols(), dofs.len(), "one column per chosen dof");
    let p_w = world_position(robot, state, link, p_link);
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<3>();
    for (column, &dof) in columns.iter_mut().zip(dofs) {
        *column = column_of(robot, state, link, &p_w, dof)[1];
    }
}

/// The columns of [`orientation_jacobian`](super::orientation_jacobian) that belong to `dofs`, in that order.
///
/// # Panics
///
/// If a degree of freedom belongs to a larger robot.
#[must_use]
pub fn orientation_jacobian_columns(
    robot: &Robot,
    state: &State,
    link: LinkId,
    dofs: &[DofId],
) -> Matrix3xX<f64> {
    let mut out = Matrix3xX::zeros(dofs.len());
    orientation_jacobian_columns_into(robot, state, link, dofs, &mut out);
    out
}

/// [`orientation_jacobian_columns`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per chosen degree of freedom, or a degree of freedom belongs to a larger robot.
pub fn orientation_jacobian_columns_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    dofs: &[DofId],
    out: &mut Matrix3xX<f64>,
) {
    assert_eq!(out.ncols(), dofs.len(), "one column per chosen dof");
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<3>();
    for (column, &dof) in columns.iter_mut().zip(dofs) {
        *column = column_of(robot, state, link, &Point::origin(), dof)[0];
    }
}

/// Angular and linear half of one column; zero where the degree of freedom does not move the link.
#[inline]
fn column_of(robot: &Robot, state: &State, link: LinkId, p_w: &Point, dof: DofId) -> [[f64; 3]; 2] {
    if !robot.is_ancestor_or_self(robot.dofs()[dof.index()], link) {
        return [[0.0; 3]; 2];
    }
    kernel::column(
        robot.tree(),
        state.bodies(robot),
        dof.index(),
        p_w.coords.into(),
    )
}
