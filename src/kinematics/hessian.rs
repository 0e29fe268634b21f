//! Second derivatives of link positions and orientations.

use nalgebra::DMatrix;

use super::State;
use super::transform::world_position;
use crate::kernel;
use crate::math::{Point, Vector};
use crate::robot::{LinkId, Robot};

/// Hessians of the x, y and z position of a point fixed to `link`: three symmetric n × n matrices, world axes.
///
/// `H[k][(i, j)]` is the derivative of row `k` and column `j` of [`position_jacobian`](super::position_jacobian) by
/// degree of freedom `i`.
#[must_use]
#[doc(alias = "getPositionHessian")]
pub fn position_hessian(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
) -> [DMatrix<f64>; 3] {
    let mut out = zeros(robot);
    position_hessian_into(robot, state, link, p_link, &mut out);
    out
}

/// [`position_hessian`] without allocation.
///
/// # Panics
///
/// If a matrix in `out` is not n × n.
pub fn position_hessian_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    out: &mut [DMatrix<f64>; 3],
) {
    let p_w = world_position(robot, state, link, p_link);
    fill(robot, state, link, &p_w, out, |inner, outer| {
        // `inner` rotates the column of `outer`
        let second = inner[0].cross(&outer[1]);
        [second, second]
    });
}

/// The derivatives of the [`orientation_jacobian`](super::orientation_jacobian) of `link`: three n × n matrices.
///
/// `H[k][(i, j)]` is the derivative of its row `k` and column `j` by degree of freedom `i`, in world axes. Not
/// symmetric: an angular velocity is not the derivative of anything, so that the order of two rotations matters.
#[must_use]
#[doc(alias = "getOrientationHessian")]
pub fn orientation_hessian(robot: &Robot, state: &State, link: LinkId) -> [DMatrix<f64>; 3] {
    let mut out = zeros(robot);
    orientation_hessian_into(robot, state, link, &mut out);
    out
}

/// [`orientation_hessian`] without allocation.
///
/// # Panics
///
/// If a matrix in `out` is not n × n.
pub fn orientation_hessian_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    out: &mut [DMatrix<f64>; 3],
) {
    let anywhere = Point::origin();
    fill(robot, state, link, &anywhere, out, |inner, outer| {
        // an axis rotates with its ancestors, not with its descendants
        [inner[0].cross(&outer[0]), Vector::zeros()]
    });
}

/// Writes `H(inner, outer)` and `H(outer, inner)` for all pairs of columns of the chain.
fn fill(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_w: &Point,
    out: &mut [DMatrix<f64>; 3],
    second: impl Fn([Vector; 2], [Vector; 2]) -> [Vector; 2],
) {
    let n = robot.n_dofs();
    for h in out.iter_mut() {
        assert_eq!(
            h.shape(),
            (n, n),
            "one row and one column per degree of freedom"
        );
        h.fill(0.0);
    }
    let (tree, body) = (robot.tree(), robot.attachment(link).body);
    let column =
        |i| kernel::column(tree, state.bodies(robot), i, p_w.coords.into()).map(Vector::from);
    for outer in tree.chain(body) {
        for inner in tree.chain(Some(outer)) {
            let [a, b] = second(column(inner), column(outer));
            for k in 0..3 {
                // where both are the same degree of freedom the first value is right for both
                out[k][(outer, inner)] = b[k];
                out[k][(inner, outer)] = a[k];
            }
        }
    }
}

fn zeros(robot: &Robot) -> [DMatrix<f64>; 3] {
    let n = robot.n_dofs();
    std::array::from_fn(|_| DMatrix::zeros(n, n))
}
