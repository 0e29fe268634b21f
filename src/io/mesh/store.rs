//! Geometry files that were read: each once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::companions::Companions;
use crate::geometry::Geometry;
use crate::io::LoadLimits;
use crate::io::resolve::SearchPath;
use crate::io::source;
use crate::{Diagnostic, Loaded};

/// Geometry files that were read, under their one name; shared by everything that a loader loads.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshStore {
    shapes: HashMap<PathBuf, Loaded<Geometry>>,
}

impl MeshStore {
    /// The shape in a file, read at the first call, with what was said when it was read.
    pub(crate) fn load(
        &mut self,
        path: &Path,
        search: &SearchPath,
        limits: LoadLimits,
    ) -> Result<Loaded<Geometry>, Diagnostic> {
        let one_name = source::canonical(path);
        if let Some(known) = self.shapes.get(&one_name) {
            return Ok(known.clone());
        }
        let loaded = super::read(Companions {
            file: path,
            search,
            limits,
        })?;
        self.shapes.insert(one_name, loaded.clone());
        Ok(loaded)
    }
}
