//! How values are written down: with every digit that it takes to read them back, and no more.

/// A number that reads back as the same number: the shortest one, `inf` and `-inf` for infinities.
pub(super) fn number(x: f64) -> String {
    let size = x.abs();
    if x.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) {
        return format!("{x:e}");
    }
    // an integer is written without its `.0`
    format!("{x}")
}

/// Numbers with blanks between them.
pub(super) fn numbers<'a>(all: impl IntoIterator<Item = &'a f64>) -> String {
    let words: Vec<String> = all.into_iter().map(|x| number(*x)).collect();
    words.join(" ")
}
