//! Kinds of errors.

/// Returns whether a call failed because of a wrong length.
pub(crate) fn is_length<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Length { .. }))
}

/// Returns whether a call failed because of an invalid value.
pub(crate) fn is_invalid<T>(result: &kinworld::Result<T>) -> bool {
    matches!(result, Err(kinworld::Error::Invalid { .. }))
}
