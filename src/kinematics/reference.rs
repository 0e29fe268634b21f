//! Reference point and axes of a link velocity.

use nalgebra::{Matrix6xX, Vector6};

use super::{State, jacobian_into};
use crate::math::{Motion, Point, Pose};
use crate::robot::{LinkId, Robot};

/// Reference point and axes of a link's velocity, as in Pinocchio (but angular first).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ReferenceFrame")]
pub enum Reference {
    /// The origin and the axes of the link.
    Local,
    /// The origin of the link, the axes of the world: the usual meaning of a link's velocity.
    #[default]
    LocalWorldAligned,
    /// The origin and the axes of the world: the velocity of the point of the link that is at the world origin.
    World,
}

impl Reference {
    /// Re-expresses a motion given about the origin of a link with pose `x_wl`, in world axes.
    pub(super) fn express(self, x_wl: &Pose, motion: Motion) -> Motion {
        match self {
            Self::Local => {
                let r = &x_wl.rotation;
                Motion {
                    angular: r.inverse_transform_vector(&motion.angular),
                    linear: r.inverse_transform_vector(&motion.linear),
                }
            }
            Self::LocalWorldAligned => motion,
            Self::World => {
                let moved = x_wl.translation.vector.cross(&motion.angular);
                Motion {
                    angular: motion.angular,
                    linear: motion.linear + moved,
                }
            }
        }
    }
}

/// The 6 × n Jacobian of the frame of `link`, orientation rows first, about the point and in the axes that
/// `reference` names.
///
/// With [`Reference::LocalWorldAligned`] it is [`jacobian`](super::jacobian) at the link's origin.
#[must_use]
#[doc(alias = "computeFrameJacobian")]
#[doc(alias = "getFrameJacobian")]
pub fn frame_jacobian(
    robot: &Robot,
    state: &State,
    link: LinkId,
    reference: Reference,
) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(robot.n_dofs());
    frame_jacobian_into(robot, state, link, reference, &mut out);
    out
}

/// [`frame_jacobian`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per degree of freedom.
pub fn frame_jacobian_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    reference: Reference,
    out: &mut Matrix6xX<f64>,
) {
    jacobian_into(robot, state, link, &Point::origin(), out);
    let x_wl = state.pose(robot, link);
    for i in robot.tree().chain(robot.attachment(link).body) {
        let aligned = Motion::from(Vector6::from(out.column(i)));
        let column = Vector6::from(reference.express(&x_wl, aligned));
        out.set_column(i, &column);
    }
}
