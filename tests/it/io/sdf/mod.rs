//! SDF: numbers of Drake, what models become, and what is reported.

mod loops;
mod numbers;
mod rules;

use kinworld::io::{Loader, Source};
use kinworld::{Loaded, Result, WorldModel};

/// The world of a text.
fn world(text: &str) -> Result<Loaded<WorldModel>> {
    let source = Source::memory().with_file("model.sdf", text.as_bytes().to_vec());
    Loader::new().with_source(source).world("model.sdf")
}

/// The messages of the warnings about a text.
fn warnings(text: &str) -> Vec<String> {
    let loaded = world(text).unwrap_or_else(|error| panic!("{error}"));
    loaded.diagnostics.iter().map(ToString::to_string).collect()
}

/// The displayed error about a text.
fn refusal(text: &str) -> String {
    world(text).map(drop).unwrap_err().to_string()
}
