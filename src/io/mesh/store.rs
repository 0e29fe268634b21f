//! Cache of geometry files, each read once, and of their scaled shapes.

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
use crate::threads;

/// Geometry files by canonical path; shared by everything that a loader loads.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshStore {
    shapes: HashMap<PathBuf, Read>,
    /// Files read in advance.
    ahead: HashMap<PathBuf, Result<Read, Diagnostic>>,
    /// Shapes after an affine map, each with its original, which keeps the original's identity in use.
    moved: HashMap<(Identity, [u64; 16]), (Geometry, Geometry)>,
}

/// A shape and the warnings about its files.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) shape: Geometry,
    pub(crate) warnings: Warnings,
}

type Identity = (usize, u64, bool);

impl MeshStore {
    /// Returns the shape in a file, read at the first call, with the warnings of that reading.
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

    /// Reads files in advance, in parallel if threads are available.
    ///
    /// Their warnings are reported when each file is requested, so that the order does not depend on timing.
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

    /// A shape after an affine map; the same shape and map give the same result, with all that queries have cached for it.
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

/// Bytes of files that are read in less time than threads take to wake up.
const FEW: u64 = 64 << 10;

/// Reads several files in parallel; a single file, and files of few bytes, are left for their request.
fn read_all(
    todo: Vec<(PathBuf, FilePath)>,
    search: &SearchPath,
    limits: LoadLimits,
) -> HashMap<PathBuf, Result<Read, Diagnostic>> {
    let sizes = todo
        .iter()
        .map(|(_, path)| search.source().size(path).unwrap_or(FEW));
    if todo.len() < 2 || threads::count() < 2 || sizes.sum::<u64>() < FEW {
        return HashMap::new();
    }
    let read = threads::map(&todo, &|_, (_, path)| read(path, search, limits));
    let names = todo.into_iter().map(|(one_name, _)| one_name);
    names.zip(read).collect()
}
