//! Files of test data.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A file or folder under `data/`.
pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(path)
}

/// Numbers of the other sources, from a file such as `exudyn/refs.json`, `None` where `KINWORLD_REFS` is not set.
pub(crate) fn other_refs(file: &str) -> Option<Value> {
    let (folder_name, file) = file.split_once('/').expect("a folder and a file");
    Some(json(&folder("KINWORLD_REFS", folder_name)?.join(file)))
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

/// Prints a line: the only function of the tests that does.
#[expect(clippy::print_stdout, reason = "a seed that is drawn has to be shown")]
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
