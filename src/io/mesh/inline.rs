//! Geometry inside a quoted string: `{`, then a `.geom` or an OFF after the word `TriangleMesh`, then `}`.

use std::path::Path;

use super::{geom, off};
use crate::Diagnostic;
use crate::geometry::Geometry;
use crate::io::report::{FileReport, Report};
use crate::io::words::unescaped;

/// Returns whether a name is a shape itself, not that of a file.
pub(crate) fn is_inline(name: &str) -> bool {
    name.starts_with('{')
}

/// Reads the shape in a quoted string; diagnostics about it carry no position.
pub(crate) fn parse_inline(quoted: &str, report: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    let text = unescaped(quoted);
    let inside = text.strip_prefix('{').unwrap_or(&text).trim();
    let Some(inside) = inside.strip_suffix('}') else {
        let error = Diagnostic::error("the geometry that begins with `{` does not end with `}`");
        return Err(error.help(FORM));
    };
    let inner = Report::default();
    let shape = parse(inside, inner.of_file(Path::new(""))).map_err(|error| {
        let help = error.help.clone().unwrap_or_else(|| FORM.to_owned());
        unplaced(error).help(help)
    })?;
    let warnings = inner.into_warnings();
    report.append(warnings.map(|warning| unplaced(warning).in_file(report.path)));
    Ok(shape)
}

fn parse(text: &str, file: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    let mesh = text.trim_start().strip_prefix("TriangleMesh");
    match mesh.map(str::trim_start) {
        Some(mesh) if mesh.starts_with("OFF") || mesh.starts_with("COFF") => {
            off::parse(mesh, file)?.finish(file.path)
        }
        _ => geom::parse(text, file),
    }
}

/// Moves the line of a diagnostic into its message, since the string is on one line of the file.
fn unplaced(diagnostic: Diagnostic) -> Diagnostic {
    let message = match diagnostic.line {
        Some(line) => format!("geometry in quotes, line {line}: {}", diagnostic.message),
        None => format!("geometry in quotes: {}", diagnostic.message),
    };
    Diagnostic {
        message,
        path: None,
        line: None,
        column: None,
        ..diagnostic
    }
}

const FORM: &str =
    "write `\"{Primitive\\nSphere 0 0 0 1}\"` or the like, or the name of a mesh file";
