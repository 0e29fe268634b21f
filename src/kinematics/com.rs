//! Mass, centre of mass and inertia of the whole robot, fixed links included.

use nalgebra::{DVectorView, Matrix3, Matrix3xX};

use super::State;
use crate::kernel;
use crate::math::{Point, Vector};
use crate::robot::{Link, LinkId, Robot};

/// Total mass of the links, kg.
#[must_use]
#[doc(alias = "computeTotalMass")]
pub fn total_mass(robot: &Robot) -> f64 {
    robot.links().iter().map(|link| link.inertia().mass).sum()
}

/// Centre of mass of the robot in the world; the origin for a robot without mass.
#[must_use]
#[doc(alias = "getCom")]
#[doc(alias = "centerOfMass")]
pub fn com(robot: &Robot, state: &State) -> Point {
    let mass = total_mass(robot);
    if mass <= 0.0 {
        return Point::origin();
    }
    let moving = Vector::from(kernel::first_moment(robot.tree(), state.bodies(robot)));
    let fixed = fixed_links(robot)
        .map(|(id, link)| state.pose(robot, id) * link.inertia().com * link.inertia().mass)
        .fold(Vector::zeros(), |sum, moment| sum + moment.coords);
    Point::from((moving + fixed) / mass)
}

/// Jacobian of the centre of mass, 3 × n in world axes; zero for a robot without mass.
#[must_use]
#[doc(alias = "getComJacobian")]
#[doc(alias = "jacobianCenterOfMass")]
#[doc(alias = "mj_jacSubtreeCom")]
pub fn com_jacobian(robot: &Robot, state: &State) -> Matrix3xX<f64> {
    let mut out = Matrix3xX::zeros(robot.n_dofs());
    com_jacobian_into(robot, state, &mut out);
    out
}

/// [`com_jacobian`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per degree of freedom.
pub fn com_jacobian_into(robot: &Robot, state: &State, out: &mut Matrix3xX<f64>) {
    assert_eq!(
        out.ncols(),
        robot.n_dofs(),
        "one column per degree of freedom"
    );
    let mass = total_mass(robot);
    if mass <= 0.0 {
        out.fill(0.0);
        return;
    }
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<3>();
    kernel::first_moment_jacobian(robot.tree(), state.bodies(robot), columns);
    *out /= mass;
}

/// Velocity of the centre of mass, m/s in world axes.
#[must_use]
#[doc(alias = "getComVelocity")]
pub fn com_velocity(robot: &Robot, state: &State) -> Vector {
    let dq = state.velocity();
    com_jacobian(robot, state) * DVectorView::from_slice(dq, dq.len())
}

/// Moment of inertia of the whole robot, taken as rigid, about its centre of mass in world axes, kg·m².
#[must_use]
#[doc(alias = "getTotalInertia")]
pub fn total_inertia(robot: &Robot, state: &State) -> Matrix3<f64> {
    let com = com(robot, state);
    let moving = kernel::moment_about(robot.tree(), state.bodies(robot), com.coords.into());
    let fixed = fixed_links(robot).map(|(id, link)| {
        let inertia = link.inertia().transformed(&state.pose(robot, id));
        inertia.moment_about(&com)
    });
    fixed.fold(Matrix3::from_column_slice(&moving), |sum, link| sum + link)
}

/// The links that no degree of freedom moves.
fn fixed_links(robot: &Robot) -> impl Iterator<Item = (LinkId, &Link)> {
    let links = robot.links().iter().enumerate();
    let links = links.map(|(i, link)| (LinkId::new(i), link));
    links.filter(|&(id, _)| robot.attachment(id).body.is_none())
}
