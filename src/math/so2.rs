//! Angles that are equal modulo 2π.

use std::f64::consts::{PI, TAU};

/// The same angle in `[0, 2π)`.
///
/// An angle that is not finite gives NaN.
#[must_use]
#[inline]
pub fn normalize(angle: f64) -> f64 {
    let wrapped = angle.rem_euclid(TAU);
    // -1e-20 would round up to 2π
    if wrapped >= TAU { 0.0 } else { wrapped }
}

/// Signed angle from `b` to `a` along the shorter arc, in `(-π, π]`.
///
/// ```
/// use kinworld::math::so2;
///
/// assert!((so2::difference(0.1, 6.2) - (0.1 + std::f64::consts::TAU - 6.2)).abs() < 1e-15);
/// ```
#[must_use]
#[inline]
pub fn difference(a: f64, b: f64) -> f64 {
    let angle = normalize(a) - normalize(b);
    if angle > PI {
        angle - TAU
    } else if angle <= -PI {
        angle + TAU
    } else {
        angle
    }
}

/// Angle on the shorter arc from `a` (`u = 0`) to `b` (`u = 1`): `a + u · difference(b, a)`, not normalised.
#[must_use]
#[inline]
pub fn interpolate(a: f64, b: f64, u: f64) -> f64 {
    a + u * difference(b, a)
}
