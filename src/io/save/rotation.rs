//! Conversion of rotations to numbers that restore the same matrix, bit by bit if such numbers exist.

use crate::math::{Rotation, so3};

/// Roll, pitch, yaw, and the error of their rotation, rad.
///
/// Files give angles in few digits, so the shortest numbers that restore the matrix are most likely the original ones.
pub(crate) fn rpy(rotation: &Rotation) -> ([f64; 3], f64) {
    // adding zero removes the sign of a zero
    let angles = so3::to_rpy(rotation).map(|angle| angle + 0.0);
    let is_same = |angles: [f64; 3]| so3::from_rpy(angles) == *rotation;
    for digits in 0..=17 {
        let rounded = angles.map(|angle| round(angle, digits));
        if is_same(rounded) {
            return (rounded, 0.0);
        }
    }

    // else search the neighbours in the last bits
    let [roll, pitch, yaw] = angles;
    for step in STEPS {
        for other in STEPS {
            for third in STEPS {
                let near = [
                    shifted(roll, step),
                    shifted(pitch, other),
                    shifted(yaw, third),
                ];
                if is_same(near) {
                    return (near, 0.0);
                }
            }
        }
    }
    let off = so3::from_rpy(angles).matrix() - rotation.matrix();
    (angles, off.amax())
}

/// Quaternion `[w, x, y, z]`, and the error of its rotation, rad; the shortest numbers that restore the matrix.
pub(crate) fn wxyz(rotation: &Rotation) -> ([f64; 4], f64) {
    let unit = so3::to_wxyz(rotation).map(|x| x + 0.0);
    let error = |quaternion: [f64; 4]| match so3::from_wxyz(quaternion) {
        Ok(again) => (again.matrix() - rotation.matrix()).amax(),
        Err(_) => f64::INFINITY,
    };
    for digits in 0..=17 {
        let rounded = unit.map(|x| round(x, digits));
        if error(rounded) == 0.0 {
            return (rounded, 0.0);
        }
    }
    (unit, error(unit))
}

const STEPS: [i64; 5] = [0, 1, -1, 2, -2];

/// A number rounded to `digits` decimals.
fn round(x: f64, digits: usize) -> f64 {
    format!("{x:.digits$}").parse().unwrap_or(x) + 0.0
}

/// The representable number `steps` away.
fn shifted(x: f64, steps: i64) -> f64 {
    if x == 0.0 {
        return x;
    }
    f64::from_bits(x.to_bits().wrapping_add_signed(steps))
}
