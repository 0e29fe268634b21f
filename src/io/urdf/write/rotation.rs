//! Conversion of rotations to roll, pitch and yaw that restore the same matrix, bit by bit if such numbers exist.

use crate::math::{Rotation, so3};

/// Roll, pitch, yaw, and the error of their rotation, rad.
///
/// Files give angles in few digits, so the shortest numbers that restore the matrix are most likely the original ones.
pub(super) fn rpy(rotation: &Rotation) -> ([f64; 3], f64) {
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
