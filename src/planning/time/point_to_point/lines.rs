//! Motions along straight lines that stop at every corner.

use super::PointToPoint;
use crate::Result;
use crate::planning::time::along::Along;
use crate::planning::time::limits::MotionLimits;
use crate::planning::time::path::GeometricPath;
use crate::planning::time::smooth::SmoothTrajectory;

/// The fastest motion within limits of velocity, acceleration and jerk along a path of straight lines with corners between them;
/// `None` for other paths, and without a limit of jerk on each line.
pub(in crate::planning::time) fn along_lines(
    path: &GeometricPath,
    limits: &MotionLimits,
) -> Result<Option<SmoothTrajectory>> {
    let n = path.n_dofs();
    let pieces = path.breaks().len() - 1;
    if path.corners().len() != pieces - 1 || !(0..pieces).all(|piece| is_line(path, piece)) {
        return Ok(None);
    }
    let (mut breaks, mut coefficients) = (vec![0.0], Vec::new());
    for ends in path.breaks().windows(2) {
        let [start, goal] = [0, 1].map(|k| path.at(ends[k]));
        let moving = (0..n).filter(|&i| start[i].total_cmp(&goal[i]).is_ne());
        if moving.clone().all(|i| limits.jerk()[i].is_infinite()) {
            return Ok(None);
        }
        let line = PointToPoint::new(limits).with_straight_line();
        let line = line.solve(&start, &goal)?;
        let since = breaks[breaks.len() - 1];
        breaks.extend(line.knots()[1..].iter().map(|t| since + t));
        coefficients.extend_from_slice(line.path().coefficients());
    }
    let path = GeometricPath::polynomials(n, 3, breaks, coefficients)?;
    Ok(Some(SmoothTrajectory::from_state_to_state(Along::in_time(
        path,
    ))))
}

fn is_line(path: &GeometricPath, piece: usize) -> bool {
    let is_straight = |dof: usize| path.of(piece, dof)[2..].iter().all(|c| *c == 0.0);
    (0..path.n_dofs()).all(is_straight)
}
