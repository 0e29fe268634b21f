//! Angles that are equal modulo 2π.

use std::f64::consts::{PI, TAU};

/// The same angle in `[0, 2π)`.
///
/// An angle that is not finite gives NaN.
#[must_use]
pub fn normalize(angle: f64) -> f64 {
    let turned = angle.rem_euclid(TAU);
    // -1e-20 would round up to a full turn
    if turned >= TAU { 0.0 } else { turned }
}

/// How far to turn, and which way, to come from `b` to `a` the short way round: in `(-π, π]`.
///
/// ```
/// use kinworld::math::so2;
///
/// assert!((so2::difference(0.1, 6.2) - (0.1 + std::f64::consts::TAU - 6.2)).abs() < 1e-15);
/// ```
#[must_use]
pub fn difference(a: f64, b: f64) -> f64 {
    let turned = normalize(a) - normalize(b);
    if turned > PI {
        turned - TAU
    } else if turned <= -PI {
        turned + TAU
    } else {
        turned
    }
}

/// The angle on the short way from `a` (`u = 0`) to `b` (`u = 1`): `a + u · difference(b, a)`, not normalised.
#[must_use]
pub fn interpolate(a: f64, b: f64, u: f64) -> f64 {
    a + u * difference(b, a)
}
