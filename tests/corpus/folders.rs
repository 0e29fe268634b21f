//! The folders that the environment names.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common::files::json;

pub(crate) const CORPUS: &str = "KINWORLD_CORPUS";
pub(crate) const REFS: &str = "KINWORLD_REFS";

/// The folder of Klampt's example files.
pub(crate) fn corpus() -> PathBuf {
    folder(CORPUS, "klampt")
}

/// The folder of the Panda as MotionBenchMaker and VAMP have it.
pub(crate) fn motion_bench() -> PathBuf {
    folder(CORPUS, "motion_bench")
}

/// Klampt's answers about the corpus, from a file such as `robots.json`.
pub(crate) fn refs(file: &str) -> Value {
    json(&folder(REFS, "klampt").join(file))
}

fn folder(variable: &str, name: &str) -> PathBuf {
    let root = std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set"));
    let folder = Path::new(&root).join(name);
    assert!(
        folder.is_dir(),
        "{variable} is set, but {} is missing",
        folder.display()
    );
    folder
}
