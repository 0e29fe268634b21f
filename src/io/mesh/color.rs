//! Colours of text formats.

/// A colour of three or four numbers in the file's scale, opaque if there are three; `None` if there are fewer.
pub(super) fn of_words<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<[f64; 4]> {
    let mut next = || words.next()?.parse().ok().filter(|x: &f64| *x >= 0.0);
    let [r, g, b] = [next()?, next()?, next()?];
    // infinity stands for opaque until `to_unit` knows the scale
    Some([r, g, b, next().unwrap_or(f64::INFINITY)])
}

/// Scales the colours of a file to [0, 1]; if any number exceeds 1, they range to 255.
pub(super) fn to_unit(colors: &mut [[f64; 4]]) {
    let parts = colors.iter().flatten();
    let is_byte = parts.filter(|x| x.is_finite()).any(|x| *x > 1.0);
    let scale = if is_byte { 255.0 } else { 1.0 };
    for part in colors.iter_mut().flatten() {
        *part = (*part / scale).min(1.0);
    }
}

/// Converts a colour to single precision.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a colour needs no more digits"
)]
pub(super) fn single(color: [f64; 4]) -> [f32; 4] {
    color.map(|x| x as f32)
}

/// A channel of a colour as a screen shows it, from light: those of glTF are linear.
pub(super) fn of_light(c: f64) -> f64 {
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

/// [`of_light`] for the red, green and blue of a colour with opacity.
pub(super) fn of_lights([r, g, b, a]: [f64; 4]) -> [f64; 4] {
    [of_light(r), of_light(g), of_light(b), a]
}
