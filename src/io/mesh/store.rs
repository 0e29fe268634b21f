//! Geometry files that were read, each once, and what scales made of them.

use std::collections::HashMap;
use std::path::PathBuf;

use nalgebra::Matrix4;

use super::companions::Companions;
use crate::Diagnostic;
use crate::geometry::Geometry;
use crate::io::LoadLimits;
use crate::io::report::{Report, Warnings};
use crate::io::resolve::SearchPath;
use crate::io::source::FilePath;

/// Geometry files that were read, under their one name; shared by everything that a loader loads.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshStore {
    shapes: HashMap<PathBuf, Read>,
    /// What was read before anybody asked for it.
    ahead: HashMap<PathBuf, Result<Read, Diagnostic>>,
    /// Shapes after a map; each beside the one it was made of, which keeps that one's identity taken.
    moved: HashMap<(Identity, [u64; 16]), (Geometry, Geometry)>,
}

/// A shape that was read, and the warnings about its files.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) shape: Geometry,
    pub(crate) warnings: Warnings,
}

type Identity = (usize, u64, bool);

impl MeshStore {
    /// The shape in a file, read at the first call, with what was said when it was read.
    pub(crate) fn load(
        &mut self,
        path: &FilePath,
        search: &SearchPath,
        limits: LoadLimits,
    ) -> Result<Read, Diagnostic> {
        let one_name = search.source().canonical(path);
        if let Some(known) = self.shapes.get(&one_name) {
            return Ok(known.clone());
        }
        let loaded = match self.ahead.remove(&one_name) {
            Some(loaded) => loaded?,
            None => read(path, search, limits)?,
        };
        self.shapes.insert(one_name, loaded.clone());
        Ok(loaded)
    }

    /// Reads files that are going to be asked for, several at a time where there are threads for it.
    ///
    /// What they say comes up when they are asked for, so that it stands in the same order whoever was first.
    pub(crate) fn read_ahead(
        &mut self,
        paths: impl Iterator<Item = FilePath>,
        search: &SearchPath,
        limits: LoadLimits,
    ) {
        let mut todo: Vec<(PathBuf, FilePath)> = Vec::new();
        let mut listed = std::collections::HashSet::new();
        for path in paths {
            let one_name = search.source().canonical(&path);
            let is_known = self.shapes.contains_key(&one_name);
            if !is_known && listed.insert(one_name.clone()) {
                todo.push((one_name, path));
            }
        }
        self.ahead = read_all(todo, search, limits);
    }

    /// A shape after an affine map; the same shape and map give the same one, with all that queries have built for it.
    pub(crate) fn moved(
        &mut self,
        shape: &Geometry,
        map: &Matrix4<f64>,
    ) -> crate::Result<Geometry> {
        let mut bits = [0; 16];
        for (bits, x) in bits.iter_mut().zip(map.iter()) {
            *bits = x.to_bits();
        }
        let key = (shape.identity(), bits);
        if let Some((_, moved)) = self.moved.get(&key) {
            return Ok(moved.clone());
        }
        let moved = shape.transformed(map)?;
        self.moved.insert(key, (shape.clone(), moved.clone()));
        Ok(moved)
    }
}

fn read(path: &FilePath, search: &SearchPath, limits: LoadLimits) -> Result<Read, Diagnostic> {
    let report = Report::default();
    let companions = Companions {
        file: report.of_file(path),
        search,
        limits,
    };
    let shape = super::read(path, companions)?;
    let warnings = report.into_warnings();
    Ok(Read { shape, warnings })
}

/// One file alone is read when it is asked for.
#[cfg(feature = "parallel")]
fn read_all(
    todo: Vec<(PathBuf, FilePath)>,
    search: &SearchPath,
    limits: LoadLimits,
) -> HashMap<PathBuf, Result<Read, Diagnostic>> {
    use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
    if todo.len() < 2 {
        return HashMap::new();
    }
    todo.into_par_iter()
        .map(|(one_name, path)| (one_name, read(&path, search, limits)))
        .collect()
}

#[cfg(not(feature = "parallel"))]
fn read_all(
    _: Vec<(PathBuf, FilePath)>,
    _: &SearchPath,
    _: LoadLimits,
) -> HashMap<PathBuf, Result<Read, Diagnostic>> {
    HashMap::new()
}
