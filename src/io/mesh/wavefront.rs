//! Wavefront OBJ: vertices and polygons; texture, normals, groups and materials are passed over.

use std::path::Path;

use super::polygon::triangulate;
use super::{Page, Triangles};
use crate::Diagnostic;
use crate::math::Point;

/// Reads all objects and groups of a file as one mesh.
pub(super) fn parse(text: &str, path: &Path) -> Result<Triangles, Diagnostic> {
    let page = Page { text, path };
    let mut found = Triangles::default();
    let mut corners = Vec::new();
    let mut skipped = None;
    for statement in statements(text) {
        let mut words = words(statement);
        let Some(keyword) = words.next() else {
            continue;
        };
        match keyword {
            "v" => {
                let mut coordinate = || match words.next() {
                    Some(word) => page.number(word),
                    None => Err(page.error(keyword, "a vertex needs 3 coordinates")),
                };
                let vertex = Point::new(coordinate()?, coordinate()?, coordinate()?);
                found.vertices.push(vertex);
            }
            "f" => {
                corners.clear();
                for word in words {
                    corners.push(corner(&page, word, found.vertices.len())?);
                }
                if corners.len() < 3 {
                    let message = format!("a face needs 3 corners, got {}", corners.len());
                    return Err(page.error(keyword, message));
                }
                triangulate(&found.vertices, &corners, &mut found.triangles);
            }
            "p" | "l" | "curv" | "curv2" | "surf" => {
                skipped.get_or_insert(keyword);
            }
            _ => {}
        }
    }
    if let Some(keyword) = skipped {
        let remark = format!("`{keyword}` and its like are passed over: only faces are read");
        found.remarks.push(page.warning(keyword, remark));
    }
    Ok(found)
}

/// Lines, joined where one ends with a backslash, comments still in them.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        loop {
            let line = &rest[end..];
            let length = line.find('\n').map_or(line.len(), |i| i + 1);
            end += length;
            let line = line[..length].trim_end_matches(['\r', '\n']);
            if !line.ends_with('\\') || line.contains('#') || end == rest.len() {
                break;
            }
        }
        let (statement, after) = rest.split_at(end);
        rest = after;
        Some(statement)
    })
}

/// The words before a comment; a backslash at the end of a line is none.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    let code = statement.split('#').next().unwrap_or("");
    code.split_ascii_whitespace()
        .filter(|word| *word != "\\")
        .map(|word| word.strip_suffix('\\').unwrap_or(word))
}

/// The index in `7`, `7/1`, `7//2` or `-1`: from 1, or from the last vertex backwards.
fn corner(page: &Page<'_>, word: &str, n: usize) -> Result<u32, Diagnostic> {
    let number = word.split('/').next().unwrap_or("");
    let index = match number.parse::<i64>() {
        Ok(i) if i > 0 => usize::try_from(i - 1).ok(),
        Ok(i) if i < 0 => usize::try_from(i.unsigned_abs())
            .ok()
            .and_then(|back| n.checked_sub(back)),
        _ => None,
    };
    let index = index.filter(|&i| i < n).and_then(|i| u32::try_from(i).ok());
    index.ok_or_else(|| {
        let message = format!("`{word}` is not one of the {n} vertices so far");
        page.error(word, message)
    })
}
