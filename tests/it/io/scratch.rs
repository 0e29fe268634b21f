//! Temporary files of tests.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use kinworld::io::{LoadOptions, Loader};
use kinworld::{Error, LoadError, Loaded, Result, Robot};

use crate::common::files::data;

/// A fresh folder.
pub(super) fn folder() -> PathBuf {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("io{number}"));
    // an earlier run may have left one
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A file of this name in a fresh folder.
pub(super) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, content).unwrap();
    path
}

/// The robot in a `.rob` of this text, and its warnings without path and severity.
#[track_caller]
pub(super) fn rob(text: &str) -> (Robot, Vec<String>) {
    let Loaded {
        value, diagnostics, ..
    } = loader_of_data().robot(file("x.rob", text)).unwrap();
    let said = diagnostics.iter().map(|d| {
        let (line, column) = (d.line.unwrap_or(0), d.column.unwrap_or(0));
        format!("{line}:{column}: {}", d.message)
    });
    (value, said.collect())
}

/// The error with which a file was refused.
#[track_caller]
pub(super) fn refusal<T: std::fmt::Debug>(result: Result<T>) -> LoadError {
    match result {
        Err(Error::Load(error)) => error,
        other => panic!("it should be refused: {other:?}"),
    }
}

/// A loader whose files may name those of the repository's data.
pub(super) fn loader_of_data() -> Loader {
    let options = LoadOptions::default().with_roots(vec![data("")]);
    Loader::with_options(options)
}
