//! Files of test data.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of the repository.
pub(crate) fn root() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the package of tests lies in the repository")
}

/// A file or folder under `data/`.
pub(crate) fn data(path: &str) -> PathBuf {
    root().join("data").join(path)
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
