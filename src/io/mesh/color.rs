//! Colours as text formats write them.

/// A colour of three or four numbers as they stand there, without opacity an opaque one; `None` where there is none.
pub(super) fn of_words<'a>(mut words: impl Iterator<Item = &'a str>) -> Option<[f64; 4]> {
    let mut next = || words.next()?.parse().ok().filter(|x: &f64| *x >= 0.0);
    let [r, g, b] = [next()?, next()?, next()?];
    // with three numbers nobody knows the scale yet
    Some([r, g, b, next().unwrap_or(f64::INFINITY)])
}

/// Makes the colours of a file count from 0 to 1: where one of them is above 1, they counted to 255.
pub(super) fn to_unit(colors: &mut [[f64; 4]]) {
    let parts = colors.iter().flatten();
    let is_byte = parts.filter(|x| x.is_finite()).any(|x| *x > 1.0);
    let scale = if is_byte { 255.0 } else { 1.0 };
    for part in colors.iter_mut().flatten() {
        *part = (*part / scale).min(1.0);
    }
}

/// The same colour in single precision.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a colour needs no more digits"
)]
pub(super) fn single(color: [f64; 4]) -> [f32; 4] {
    color.map(|x| x as f32)
}
