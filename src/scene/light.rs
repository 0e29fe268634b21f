//! Colours as screens show them, and the light that they stand for (sRGB).

/// A channel as a screen shows it, from light.
pub(crate) fn of_light(c: f64) -> f64 {
    if c <= 0.003_130_8 {
        c * 12.92
    } else {
        1.055 * c.powf(1.0 / 2.4) - 0.055
    }
}

/// The light of a channel: the inverse of [`of_light`].
pub(crate) fn to_light(c: f64) -> f64 {
    if c <= 0.040_45 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}
