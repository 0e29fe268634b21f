//! Models of MuJoCo: numbers of MuJoCo itself, what they become, and what is reported.

mod hostile;
mod loops;
mod numbers;
mod rules;
mod schema;
mod sensors;
mod worlds;

use kinworld::io::{Loader, Source};
use kinworld::{Loaded, Result, Robot, WorldModel};

/// The world of a text.
fn world(text: &str) -> Result<Loaded<WorldModel>> {
    let source = Source::memory().with_file("model.xml", text.as_bytes().to_vec());
    Loader::new().with_source(source).world("model.xml")
}

/// The robot of a text.
fn robot(text: &str) -> Robot {
    let source = Source::memory().with_file("model.xml", text.as_bytes().to_vec());
    let robot = Loader::new().with_source(source).robot("model.xml");
    robot.unwrap_or_else(|error| panic!("{error}")).value
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
