//! Numbers, vectors and rotations as JSON.

use kinworld::Rotation;
use serde_json::{Number, Value};

/// A number that reads back exactly; `"inf"`, `"-inf"` or `"nan"` where JSON has no number.
pub(crate) fn number(x: f64) -> Value {
    match Number::from_f64(x) {
        Some(number) => Value::Number(number),
        None if x.is_nan() => Value::from("nan"),
        None if x > 0.0 => Value::from("inf"),
        None => Value::from("-inf"),
    }
}

/// A list of numbers.
pub(crate) fn numbers<'a>(values: impl IntoIterator<Item = &'a f64>) -> Value {
    values.into_iter().map(|&x| number(x)).collect()
}

/// The three rows of a rotation.
pub(crate) fn rotation(rotation: &Rotation) -> Value {
    rows(|i, j| rotation[(i, j)])
}

/// Three rows of a 3 × 3 matrix, given by its entries in row `i` and column `j`.
pub(crate) fn rows(entry: impl Fn(usize, usize) -> f64) -> Value {
    let row = |i| numbers(&[entry(i, 0), entry(i, 1), entry(i, 2)]);
    (0..3).map(row).collect()
}
