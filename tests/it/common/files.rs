//! Where test data lies.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A file or folder under `data/`.
pub fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(path)
}

/// The folder of Klampt's example files, `None` where `KINWORLD_CORPUS` is not set.
pub fn corpus() -> Option<PathBuf> {
    folder("KINWORLD_CORPUS", "klampt")
}

/// Klampt's answers about the corpus from a file such as `robots.json`, `None` where `KINWORLD_REFS` is not set.
pub fn refs(file: &str) -> Option<Value> {
    Some(json(&folder("KINWORLD_REFS", "klampt")?.join(file)))
}

/// A JSON file.
pub fn json(path: &Path) -> Value {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Says how many corpus cases ran, or why none did: the one place where a test prints.
#[expect(
    clippy::print_stdout,
    reason = "continuous integration shows how many corpus cases ran"
)]
pub fn report(line: &str) {
    // the test harness may have left a line unfinished
    println!("\n{line}");
}

fn folder(variable: &str, name: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os(variable) else {
        report(&format!("corpus: skipped, {variable} is not set"));
        return None;
    };
    let folder = Path::new(&root).join(name);
    assert!(
        folder.is_dir(),
        "{variable} is set, but {} is not there",
        folder.display()
    );
    Some(folder)
}
