//! Shapes, and queries about one or two of them.

mod brute;
mod clouds;
mod contacts;
mod degenerate;
mod groups;
mod hard;
mod hulls;
mod inside;
#[cfg(feature = "parry")]
mod interop;
mod many;
mod maps;
mod mass;
mod octree;
mod pairs;
mod parts;
mod prepared;
mod properties;
mod shapes;
mod spheres;
mod strays;

/// Message of an [`Error::Invalid`](kinworld::Error::Invalid); panics on success and on any other error.
fn invalid<T: std::fmt::Debug>(result: kinworld::Result<T>) -> String {
    match result {
        Err(error @ kinworld::Error::Invalid { .. }) => error.to_string(),
        other => panic!("expected an invalid value, got {other:?}"),
    }
}
