//! Residual of IK goals and its derivative.

use nalgebra::DMatrix;

use super::Objective;
use super::residual_term::Term;
use crate::Result;
use crate::kinematics::State;
use crate::robot::Robot;

/// Residual of objectives, one after the other: rows of the position, then rows of the rotation, each times its
/// weight, in the axes of the anchor.
///
/// | goal | rows |
/// |---|---|
/// | point | position − target |
/// | line | the same along two directions perpendicular to the line |
/// | plane | signed distance, positive along the normal |
/// | rotation | the rotation vector of `R · R_goal⁻¹` |
/// | axis | the rotation vector of the shortest rotation from the target to the axis, along two directions
/// perpendicular to the target |
///
/// A rotation vector changes its sign at half a turn; all else is continuous.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for an invalid objective.
///
/// # Panics
///
/// If the state belongs to a smaller robot.
pub fn residual(robot: &Robot, state: &State, goals: &[Objective]) -> Result<Vec<f64>> {
    state.check_robot(robot)?;
    let mut out = Vec::new();
    for goal in goals {
        goal.check(robot)?;
        let first = out.len();
        out.resize(first + goal.rows(), 0.0);
        Term::new(robot, goal).residual(state.bodies(robot), &mut out[first..]);
    }
    Ok(out)
}

/// Derivative of the [`residual`] by all degrees of freedom: a row for each of its rows, n columns.
///
/// Drivers are ignored: each degree of freedom moves on its own.
///
/// # Errors
///
/// As [`residual`].
///
/// # Panics
///
/// As [`residual`].
pub fn residual_jacobian(
    robot: &Robot,
    state: &State,
    goals: &[Objective],
) -> Result<DMatrix<f64>> {
    state.check_robot(robot)?;
    let rows: usize = goals.iter().map(Objective::rows).sum();
    let mut out = DMatrix::zeros(rows, robot.n_dofs());
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    let mut scratch = vec![0.0; rows];
    let mut first = 0;
    for goal in goals {
        goal.check(robot)?;
        let mut term = Term::new(robot, goal);
        term.connect_all(tree);
        let end = first + goal.rows();
        term.residual(bodies, &mut scratch[first..end]);
        term.jacobian(tree, bodies, out.as_mut_slice(), (rows, first));

        // a large rotation vector does not change at the rate of the angular velocity
        let derivative = term.rotation_derivative(bodies);
        let rotation_first = end - goal.rotation.rows();
        for (body, w) in term.angular_velocities(tree, bodies) {
            let rate = derivative * w;
            for row in rotation_first..end {
                out[(row, body)] = rate[row - rotation_first];
            }
        }
        first = end;
    }
    Ok(out)
}
