//! Where test data lies.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A file or folder under `data/`.
pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(path)
}

/// The folder of Klampt's example files, `None` where `KINWORLD_CORPUS` is not set.
pub(crate) fn corpus() -> Option<PathBuf> {
    folder("KINWORLD_CORPUS", "klampt")
}

/// The folder of the Panda as MotionBenchMaker and VAMP have it, `None` where `KINWORLD_CORPUS` is not set.
pub(crate) fn motion_bench() -> Option<PathBuf> {
    folder("KINWORLD_CORPUS", "motion_bench")
}

/// Klampt's answers about the corpus from a file such as `robots.json`, `None` where `KINWORLD_REFS` is not set.
pub(crate) fn refs(file: &str) -> Option<Value> {
    Some(json(&folder("KINWORLD_REFS", "klampt")?.join(file)))
}

/// Exudyn's reference numbers: `data/golden/exudyn_refs.json`.
pub(crate) fn exudyn_refs() -> Value {
    json(&data("golden/exudyn_refs.json"))
}

/// The files in a folder and in the folders in it, sorted.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder);
    let mut files = Vec::new();
    for entry in entries.unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A JSON file.
pub(crate) fn json(path: &Path) -> Value {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Says how many corpus cases ran, or why none did: the one place where a test prints.
#[expect(
    clippy::print_stdout,
    reason = "continuous integration shows how many corpus cases ran"
)]
pub(crate) fn report(line: &str) {
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
