//! Reader of Wavefront OBJ: vertices with their colours, polygons and their materials; texture coordinates, normals and
//! the names of groups are skipped.

mod materials;

use std::collections::HashMap;

use super::color;
use super::companions::Companions;
use super::found::Triangles;
use super::page::Page;
use super::polygon::triangulate;
use crate::Diagnostic;
use crate::geometry::{Appearance, MeshMaterials};
use crate::io::decode::to_text;
use crate::math::Point;

/// Name of the absent material, as Blender and this crate write it.
pub(super) const NO_MATERIAL: &str = "None";

/// Reads all objects and groups of a file as one mesh.
pub(super) fn parse(text: &str, companions: Companions<'_>) -> Result<Triangles, Diagnostic> {
    let page = Page {
        text,
        file: companions.file,
    };
    let mut found = Triangles::default();
    let mut indices = Vec::new();
    let mut skipped = None;
    let mut library = Library::default();
    let mut material = None;
    let mut colors: Vec<[f64; 4]> = Vec::new();
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
                // a single number after the coordinates is a weight
                if let Some(color) = color::of_words(words) {
                    colors.resize(found.vertices.len(), [1.0; 4]);
                    colors.push(color);
                }
                found.vertices.push(vertex);
            }
            "f" => {
                indices.clear();
                for word in words {
                    indices.push(vertex_index(&page, word, found.vertices.len())?);
                }
                if indices.len() < 3 {
                    let message = format!("a face needs 3 vertices, got {}", indices.len());
                    return Err(page.error(keyword, message));
                }
                let start = found.triangles.len();
                triangulate(&found.vertices, &indices, &mut found.triangles);
                if let Some(material) = material {
                    found
                        .materials
                        .extend(start..found.triangles.len(), material);
                }
            }
            "mtllib" => library.read(&page, statement, companions),
            "usemtl" => {
                let name = rest(statement);
                let is_none = name.is_empty() || name == NO_MATERIAL;
                material = (!is_none).then(|| library.number(name, &mut found.materials));
            }
            "p" | "l" | "curv" | "curv2" | "surf" => {
                skipped.get_or_insert(keyword);
            }
            _ => {}
        }
    }
    if !colors.is_empty() {
        colors.resize(found.vertices.len(), [1.0; 4]);
        color::to_unit(&mut colors);
        found.materials.vertex_colors = colors.into_iter().map(color::single).collect();
    }
    if let Some(keyword) = skipped {
        let warning =
            format!("`{keyword}` and similar statements are ignored: only faces are read");
        page.warn(keyword, warning);
    }
    Ok(found)
}

/// Materials read from libraries, and the indices of those in use.
#[derive(Debug, Default)]
struct Library {
    known: HashMap<String, Appearance>,
    numbers: HashMap<String, usize>,
}

impl Library {
    /// Reads the files that a `mtllib` names; if they are missing, the mesh keeps the names of its materials.
    fn read(&mut self, page: &Page<'_>, statement: &str, companions: Companions<'_>) {
        let whole = rest(statement);
        // one name with spaces, or several names
        let mut files = vec![companions.read(whole)];
        if files.iter().all(Result::is_err) {
            let names = whole.split_ascii_whitespace();
            let several: Vec<_> = names.map(|name| companions.read(name)).collect();
            if several.iter().any(Result::is_ok) {
                files = several;
            }
        }
        for file in files {
            let materials = file.and_then(|file| {
                let of_file = page.file.of_file(&file.path);
                let text = to_text(file.bytes, of_file)?;
                materials::parse(&text, of_file)
            });
            match materials {
                Ok(materials) => {
                    let named = materials.into_iter().map(|m| (m.name.clone(), m));
                    self.known.extend(named);
                }
                Err(trouble) => {
                    let reason = match &trouble.path {
                        Some(path) => format!("{}: {}", path.display(), trouble.message),
                        None => trouble.message.clone(),
                    };
                    let message = format!("materials {reason}; their colours are unknown");
                    page.file.add(Diagnostic {
                        help: trouble.help,
                        ..page.warning(whole, message)
                    });
                }
            }
        }
    }

    /// Index of a material, added when it is new.
    fn number(&mut self, name: &str, materials: &mut MeshMaterials) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let nameless = || Appearance {
            name: name.to_owned(),
            ..Appearance::default()
        };
        let material = self.known.get(name).cloned().unwrap_or_else(nameless);
        materials.materials.push(material);
        let number = materials.materials.len() - 1;
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// The rest of a statement after its keyword, trimmed.
fn rest(statement: &str) -> &str {
    let code = statement.split('#').next().unwrap_or("").trim();
    let behind = code.split_once(|c: char| c.is_ascii_whitespace());
    behind.map_or("", |(_, rest)| rest.trim())
}

/// Statements of a text: lines, joined after a backslash, with their comments.
fn statements(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            end += line.len();
            let line = line.trim_end_matches(['\r', '\n']);
            if !line.ends_with('\\') || line.contains('#') {
                break;
            }
        }
        let (statement, after) = rest.split_at(end);
        rest = after;
        Some(statement)
    })
}

/// The words before a comment; a backslash at the end of a line is not a word.
fn words(statement: &str) -> impl Iterator<Item = &str> {
    let code = statement.split('#').next().unwrap_or("");
    code.split_ascii_whitespace()
        .filter(|word| *word != "\\")
        .map(|word| word.strip_suffix('\\').unwrap_or(word))
}

/// The vertex index in `7`, `7/1`, `7//2` or `-1`: counted from 1, or backwards from the last vertex.
fn vertex_index(page: &Page<'_>, word: &str, n: usize) -> Result<u32, Diagnostic> {
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
