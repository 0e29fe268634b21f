//! Kinds of errors.

/// Returns whether a call failed because of a wrong length.
pub(crate) fn is_length<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Length { .. }))
}

/// Returns whether a call failed because of an invalid value.
pub(crate) fn is_invalid<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Invalid { .. }))
}

/// Asserts that a call failed with a message that contains `part`, which says something.
#[track_caller]
pub(crate) fn assert_refused<T, E: std::fmt::Display>(result: Result<T, E>, part: &str) {
    assert!(
        !part.is_empty(),
        "every message has a part that says what is wrong"
    );
    let Err(error) = result else {
        panic!("not refused");
    };
    assert!(error.to_string().contains(part), "{error}");
}
