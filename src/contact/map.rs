//! Net wrenches and joint forces of contact forces.

use nalgebra::Matrix6xX;

use super::ContactPoint;
use crate::kinematics::{self, State};
use crate::math::{Point, Vector, Wrench};
use crate::robot::{LinkId, Robot};

/// Net wrench about a point of contact forces, one per contact, in world axes.
///
/// # Panics
///
/// If there is not one force per contact.
#[must_use]
pub fn net_wrench(contacts: &[ContactPoint], forces: &[Vector], about: &Point) -> Wrench {
    assert_eq!(contacts.len(), forces.len(), "one force per contact");
    let mut net = Wrench {
        moment: Vector::zeros(),
        force: Vector::zeros(),
    };
    for (contact, force) in contacts.iter().zip(forces) {
        net.moment += (contact.point - about).cross(force);
        net.force += force;
    }
    net
}

/// Grasp matrix `G` (6 × 3k) about a point: `G f` is the net wrench, moment first, of the stacked forces; in world axes.
#[must_use]
pub fn grasp_matrix(contacts: &[ContactPoint], about: &Point) -> Matrix6xX<f64> {
    let mut g = Matrix6xX::zeros(3 * contacts.len());
    for (k, contact) in contacts.iter().enumerate() {
        let arm = (contact.point - about).cross_matrix();
        g.fixed_view_mut::<3, 3>(0, 3 * k).copy_from(&arm);
        g.fixed_view_mut::<3, 3>(3, 3 * k).fill_with_identity();
    }
    g
}

/// Generalised forces (n) of contact forces on links: `Σ Jᵀ f`, N·m or N. Motors that balance them have the opposite sign.
///
/// # Panics
///
/// If there is not one force per contact, or a link or the state belongs to a larger robot.
#[must_use]
pub fn joint_forces(
    robot: &Robot,
    state: &State,
    contacts: &[(LinkId, ContactPoint)],
    forces: &[Vector],
) -> Vec<f64> {
    assert_eq!(contacts.len(), forces.len(), "one force per contact");
    let mut tau = nalgebra::DVector::zeros(robot.n_dofs());
    for ((link, contact), force) in contacts.iter().zip(forces) {
        let p_link = state
            .pose(robot, *link)
            .inverse_transform_point(&contact.point);
        let jacobian = kinematics::position_jacobian(robot, state, *link, &p_link);
        tau += jacobian.tr_mul(force);
    }
    tau.as_slice().to_vec()
}
