//! Numbers from JSON, and comparisons.

use std::fmt::Display;

use kinworld::Pose;
use serde_json::Value;

/// A number; infinities are words.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::String(word) => word.parse().expect("a number as a word"),
        value => value
            .as_f64()
            .unwrap_or_else(|| panic!("a number, not {value}")),
    }
}

/// A list of numbers.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

/// A list of anything.
pub(crate) fn list(value: &Value) -> &[Value] {
    value
        .as_array()
        .unwrap_or_else(|| panic!("a list, not {value}"))
}

/// A position in a list.
pub(crate) fn index(value: &Value) -> usize {
    let index = value
        .as_u64()
        .unwrap_or_else(|| panic!("an index, not {value}"));
    usize::try_from(index).expect("a small index")
}

/// A string.
pub(crate) fn word(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("a string, not {value}"))
}

/// Nine numbers of a rotation row by row, then three of the translation.
pub(crate) fn pose_rows(pose: &Pose) -> Vec<f64> {
    let rotation = pose.rotation.matrix().transpose();
    let translation = pose.translation.vector;
    rotation.iter().chain(translation.iter()).copied().collect()
}

/// Entries of a matrix, row by row.
pub(crate) fn rows<R, C, S>(matrix: &nalgebra::Matrix<f64, R, C, S>) -> Vec<f64>
where
    R: nalgebra::Dim,
    C: nalgebra::Dim,
    S: nalgebra::RawStorage<f64, R, C>,
{
    matrix
        .row_iter()
        .flat_map(|row| row.iter().copied().collect::<Vec<_>>())
        .collect()
}

/// Asserts that two lists agree within a tolerance, infinities exactly.
#[track_caller]
pub(crate) fn assert_close(what: impl Display, ours: &[f64], theirs: &[f64], tolerance: f64) {
    assert_eq!(ours.len(), theirs.len(), "{what}: length");
    for (k, (a, b)) in ours.iter().zip(theirs).enumerate() {
        let same_infinity = a.is_infinite() && a.to_bits() == b.to_bits();
        assert!(
            same_infinity || (a - b).abs() <= tolerance,
            "{what}, number {k}: ours {a:?}, theirs {b:?}"
        );
    }
}
