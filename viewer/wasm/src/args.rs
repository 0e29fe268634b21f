//! What the tool has as arguments, without a command line.

use std::path::PathBuf;

/// Whether missing geometry is accepted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Missing {
    pub(crate) allow_missing_geometry: bool,
}

/// Files of a world: none in a page.
#[derive(Debug, Default)]
pub(crate) struct Files {
    pub(crate) paths: Vec<PathBuf>,
}

/// Options of loading: none in a page.
#[derive(Debug, Clone, Default)]
pub(crate) struct Load {
    pub(crate) package: Vec<(String, PathBuf)>,
    pub(crate) root: Vec<PathBuf>,
}
