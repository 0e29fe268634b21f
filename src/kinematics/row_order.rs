//! Jacobians with a choice of row order.

use nalgebra::Matrix6xX;

use super::{State, jacobian};
use crate::math::Point;
use crate::robot::{LinkId, Robot};

/// Order of the angular and linear half of a 6-vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowOrder {
    /// Orientation rows first: kinworld, Featherstone, Klampt and Drake.
    #[default]
    AngularFirst,
    /// Position rows first: Pinocchio and Exudyn's robots.
    LinearFirst,
}

/// The [`jacobian`] of a point fixed to a link, its rows in either order.
///
/// [`local_position`](super::local_position) converts a world point.
#[must_use]
pub fn jacobian_in_order(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    order: RowOrder,
) -> Matrix6xX<f64> {
    let mut out = jacobian(robot, state, link, p_link);
    if order == RowOrder::LinearFirst {
        for mut column in out.column_iter_mut() {
            for k in 0..3 {
                column.swap_rows(k, k + 3);
            }
        }
    }
    out
}
