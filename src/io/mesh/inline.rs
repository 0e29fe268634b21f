//! Geometry written out in a string: `{`, a `.geom` or an OFF behind the word `TriangleMesh`, and `}`.

use std::path::Path;

use super::{geom, off};
use crate::geometry::Geometry;
use crate::io::words::unescaped;
use crate::{Diagnostic, Loaded};

/// Whether a name is no file's but the shape itself.
pub(crate) fn is_inline(name: &str) -> bool {
    name.starts_with('{')
}

/// The shape in the text of a quoted string; what is said of it has no place.
pub(crate) fn parse_inline(quoted: &str) -> Result<Loaded<Geometry>, Diagnostic> {
    let text = unescaped(quoted);
    let inside = text.strip_prefix('{').unwrap_or(&text).trim();
    let Some(inside) = inside.strip_suffix('}') else {
        let error = Diagnostic::error("the geometry that begins with `{` does not end with `}`");
        return Err(error.help(FORM));
    };
    let loaded = parse(inside, Path::new("")).map_err(|error| {
        let help = error.help.clone().unwrap_or_else(|| FORM.to_owned());
        unplaced(error).help(help)
    })?;
    Ok(Loaded {
        value: loaded.value,
        diagnostics: loaded.diagnostics.into_iter().map(unplaced).collect(),
    })
}

fn parse(text: &str, path: &Path) -> Result<Loaded<Geometry>, Diagnostic> {
    let mesh = text.trim_start().strip_prefix("TriangleMesh");
    match mesh.map(str::trim_start) {
        Some(mesh) if mesh.starts_with("OFF") || mesh.starts_with("COFF") => {
            off::parse(mesh, path)?.finish(path)
        }
        _ => geom::parse(text, path),
    }
}

/// A remark with its line of the string in words, since the string stands on one line of the file.
fn unplaced(remark: Diagnostic) -> Diagnostic {
    let message = match remark.line {
        Some(line) => format!("geometry in quotes, line {line}: {}", remark.message),
        None => format!("geometry in quotes: {}", remark.message),
    };
    Diagnostic {
        message,
        path: None,
        line: None,
        column: None,
        ..remark
    }
}

const FORM: &str =
    "write `\"{Primitive\\nSphere 0 0 0 1}\"` or the like, or the name of a mesh file";
