//! Models as bytes: data, not paths, so that another machine needs no files.

use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::error;

/// Number of the format, before the data.
const VERSION: u8 = 2;

/// A value as bytes.
pub(crate) fn to_bytes<T: Serialize>(value: &T) -> PyResult<Vec<u8>> {
    let mut bytes = vec![VERSION];
    let mut writer = rmp_serde::Serializer::new(&mut bytes).with_struct_map();
    value
        .serialize(&mut writer)
        .map_err(|problem| error(format!("cannot be pickled: {problem}")))?;
    Ok(bytes)
}

/// A value from its bytes.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> PyResult<T> {
    match bytes.split_first() {
        Some((&VERSION, data)) => rmp_serde::from_slice(data)
            .map_err(|problem| error(format!("the pickle cannot be read: {problem}"))),
        _ => Err(error("the pickle is of another version of kinworld")),
    }
}
