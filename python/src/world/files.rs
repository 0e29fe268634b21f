//! Worlds from files.

use std::path::PathBuf;

use pyo3::prelude::*;

use super::World;
use crate::error::warn;
use crate::interrupt::in_background;
use crate::load::LoadOptions;

/// Loads a world from files of any kind: worlds, robots, rigid objects, terrains, meshes.
///
/// Warnings of the loaders are given by the module ``warnings`` and listed in ``diagnostics`` of the world.
#[pyfunction]
#[pyo3(signature = (*paths: "str | PathLike[str]", options=None))]
pub(crate) fn load(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    options: Option<&LoadOptions>,
) -> PyResult<World> {
    let mut loader = LoadOptions::loader(options);
    let world = in_background(py, None, move |_| {
        let mut world = World::default();
        for path in paths {
            let loaded = loader.add_file(&mut world.model, path)?;
            world.problems.extend(loaded.diagnostics);
        }
        Ok(world)
    })?;
    warn(py, &world.problems)?;
    Ok(world)
}
