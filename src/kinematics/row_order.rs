//! Jacobians with their rows as others have them.

use nalgebra::Matrix6xX;

use super::{State, jacobian};
use crate::math::Point;
use crate::robot::{LinkId, Robot};

/// Which half of a six-vector stands above.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RowOrder {
    /// Orientation rows first, position rows below: ours, Featherstone's, Klampt's and Drake's.
    #[default]
    AngularFirst,
    /// Position rows first: that of Pinocchio and of Exudyn's robots.
    LinearFirst,
}

/// The [`jacobian`] of a point fixed to any link, its rows in either order.
///
/// A point of the world is brought to the link by [`local_position`](super::local_position).
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
