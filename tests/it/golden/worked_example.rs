//! The worked example of Klampt's manual on our file, and the same on Klampt's own file, which turns the other way.

use std::f64::consts::FRAC_PI_4;
use std::path::Path;

use kinworld::{LinkId, Point, Robot, State, kinematics};

use crate::common::files::data;
use crate::common::numbers::{assert_close, rows};

/// A digit of the printed numbers may round the other way.
pub(crate) const DIGIT: f64 = 4e-16;

const X: f64 = 1.707_106_781_186_547_5;

#[test]
fn the_manuals_numbers_hold_on_our_planar_arm() {
    let (tip, jacobian) = worked_example(&data("robots/planar3R.rob"));
    assert_close("tip", &tip, &[1.707_106_781_186_547_7, 0.0, X], DIGIT);
    let row_x = [-X, -X, -1.0];
    let row_z = [1.707_106_781_186_547_7, 0.707_106_781_186_547_7];
    assert_close("row of x", &jacobian[..3], &row_x, DIGIT);
    assert_close("row of y", &jacobian[3..6], &[0.0; 3], 0.0);
    assert_close("row of z", &jacobian[6..8], &row_z, DIGIT);
    assert_close("last of z", &jacobian[8..], &[0.0], 1e-15);
}

/// Where the point (1, 0, 0) of the last link is at (0, π/4, π/4), and its position Jacobian row by row.
pub(crate) fn worked_example(path: &Path) -> (Vec<f64>, Vec<f64>) {
    let robot = Robot::load(path)
        .unwrap_or_else(|error| panic!("{error}"))
        .value;
    let mut state = State::new(&robot);
    let q = [0.0, FRAC_PI_4, FRAC_PI_4];
    state.set_config(&robot, &q).expect("three coordinates");
    let (link, point) = (LinkId::new(2), Point::new(1.0, 0.0, 0.0));
    let tip = kinematics::world_position(&robot, &state, link, &point);
    let jacobian = kinematics::position_jacobian(&robot, &state, link, &point);
    (tip.coords.as_slice().to_vec(), rows(&jacobian))
}
