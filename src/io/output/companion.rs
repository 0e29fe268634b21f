//! The materials of a mesh: an `.mtl` beside an `.obj`.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use super::keep;
use super::options::SaveOptions;
use super::part::Part;
use super::target::Target;
use crate::Diagnostic;

/// First line of the materials that are written: such a file goes with its `.obj`.
pub(crate) const MARK: &str = "# kinworld: materials of an .obj, replaced with it";

/// Start of the first line of an `.obj` that has materials.
pub(crate) const LIBRARY: &str = "mtllib ";

/// Writes an `.obj` and its materials, whole or not at all, and no file of anyone else.
///
/// `mesh` begins with the line that names the materials. They get another name if theirs is taken.
pub(crate) fn write(
    path: &Path,
    options: &SaveOptions,
    materials: &[u8],
    mesh: &[u8],
) -> Result<(), Diagnostic> {
    let target = Target::of(path, options)?;
    let old = old_materials(path);
    let place = place(path, materials, options.force);
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    let end = mesh.iter().position(|byte| *byte == b'\n');
    let rest = end.and_then(|end| mesh.get(end..)).unwrap_or_default();
    let text = [LIBRARY.as_bytes(), name.as_bytes(), rest].concat();

    let failed = |error: std::io::Error| super::cannot_write(&place, &error);
    let is_there = fs::read(&place).is_ok_and(|bytes| bytes == materials);
    if is_there {
        target.write(&text)?;
    } else {
        let new = Part::write(&place, materials, None).map_err(failed)?;
        let part = target.part(&text)?;
        let is_new = !place.exists();
        new.place(&place).map_err(failed)?;
        if let Some(part) = part
            && let Err(error) = target.place(part)
        {
            if is_new {
                let _ = fs::remove_file(&place);
            }
            return Err(error);
        }
    }
    if let Some(old) = old.filter(|old| *old != place) {
        let is_input = options
            .inputs
            .iter()
            .any(|input| keep::is_same(input, &old));
        let name = old.file_name().unwrap_or_default().to_string_lossy();
        if !is_input && !keep::is_named_beside(path, &name) {
            let _ = fs::remove_file(old);
        }
    }
    Ok(())
}

/// The first name that is free, or has these materials already.
fn place(path: &Path, materials: &[u8], force: bool) -> PathBuf {
    let stem = crate::io::name(path);
    let mut k = 1;
    loop {
        let place = match k {
            1 => path.with_extension("mtl"),
            k => path.with_file_name(format!("{stem}_{k}.mtl")),
        };
        let is_free = place.symlink_metadata().is_err();
        let is_same = || fs::read(&place).is_ok_and(|bytes| bytes == materials);
        if is_free || (force && place.is_file()) || is_same() {
            return place;
        }
        k += 1;
    }
}

/// The materials that the old `.obj` was written with.
fn old_materials(path: &Path) -> Option<PathBuf> {
    let line = first_line(path)?;
    let name = line.strip_prefix(LIBRARY)?.trim_end();
    let old = path.with_file_name(name);
    let is_beside = old.parent() == path.parent();
    (is_beside && first_line(&old)?.trim_end() == MARK).then_some(old)
}

fn first_line(path: &Path) -> Option<String> {
    const LONGEST: u64 = 1000;
    let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
    let file = File::open(path).ok()?;
    let mut line = Vec::new();
    let mut start = BufReader::new(file.take(metadata.len().min(LONGEST)));
    start.read_until(b'\n', &mut line).ok()?;
    String::from_utf8(line).ok()
}
