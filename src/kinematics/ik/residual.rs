//! How far a robot is from its goals, and which way that changes.

use nalgebra::DMatrix;

use super::Objective;
use super::term::Term;
use crate::Result;
use crate::kinematics::State;
use crate::robot::Robot;

/// The residual of some objectives, one after the other: rows of the position first, then those of the rotation, each times
/// its weight, in the axes of the anchor.
///
/// | goal | rows |
/// |---|---|
/// | point | what is minus what should be |
/// | line | the same along two directions across the line |
/// | plane | the distance on the side of the normal |
/// | rotation | the rotation vector of `R · R_goal⁻¹` |
/// | axis | the rotation vector of the shortest turn from the target to the axis, along two directions across the target |
///
/// A rotation vector changes its sign where it is half a turn long; all else is continuous.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) for an objective that cannot be used.
///
/// # Panics
///
/// If the state belongs to a smaller robot.
pub fn residual(robot: &Robot, state: &State, goals: &[Objective]) -> Result<Vec<f64>> {
    let mut out = Vec::new();
    for goal in goals {
        goal.check(robot)?;
        let first = out.len();
        out.resize(first + goal.rows(), 0.0);
        Term::new(robot, goal).residual(state.bodies(), &mut out[first..]);
    }
    Ok(out)
}

/// The derivative of the [`residual`] by all coordinates: a row for each of its rows, n columns.
///
/// Drivers play no part: each coordinate moves on its own.
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
    let rows: usize = goals.iter().map(Objective::rows).sum();
    let mut out = DMatrix::zeros(rows, robot.n_dofs());
    let (tree, bodies) = (robot.tree(), state.bodies());
    let mut scratch = vec![0.0; rows];
    let mut first = 0;
    for goal in goals {
        goal.check(robot)?;
        let mut term = Term::new(robot, goal);
        term.connect_all(tree);
        let end = first + goal.rows();
        term.residual(bodies, &mut scratch[first..end]);
        term.jacobian(tree, bodies, out.as_mut_slice(), (rows, first));

        // where a rotation vector is long, it does not change like the angular velocity
        let turning = term.turning(bodies);
        let of_rotation = end - goal.rotation.rows();
        for (body, w) in term.spins(tree, bodies) {
            let rate = turning * w;
            for row in of_rotation..end {
                out[(row, body)] = rate[row - of_rotation];
            }
        }
        first = end;
    }
    Ok(out)
}
