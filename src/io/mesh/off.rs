//! Reader of Geomview's OFF: a header, counts, one vertex per line, one polygon per line.

use super::color;
use super::found::{Colors, Triangles};
use super::page::Page;
use super::polygon::triangulate;
use crate::Diagnostic;
use crate::io::report::FileReport;
use crate::math::Point;

/// Reads OFF, COFF, NOFF and STOFF: vertices, polygons and the colours of both; normals and texture coordinates are
/// skipped.
pub(super) fn parse(text: &str, file: FileReport<'_>) -> Result<Triangles, Diagnostic> {
    let page = Page { text, file };
    let mut found = Triangles::default();
    let mut lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""))
        .filter(|line| !line.trim().is_empty());

    // the header may share its line with the counts
    let mut line = lines.next().ok_or_else(|| page.ends("the file is empty"))?;
    let header = line.split_ascii_whitespace().next().unwrap_or("");
    if header.ends_with("OFF") {
        if header.contains(['4', 'n']) {
            return Err(page.error(header, format!("`{header}` is not three-dimensional")));
        }
        let (_, rest) = line.split_once(header).unwrap_or(("", line));
        if rest.trim() == "BINARY" {
            return Err(page.error(rest.trim(), "binary OFF is not supported"));
        }
        line = if rest.trim().is_empty() {
            let counts = lines.next();
            counts.ok_or_else(|| page.ends("the counts are missing"))?
        } else {
            rest
        };
    } else if header.parse::<usize>().is_ok() {
        page.warn(header, "the first word is not `OFF`; counts are read");
    } else {
        let message = format!("expected `OFF`, got `{header}`");
        return Err(page.error(header, message));
    }

    let mut counts = line.split_ascii_whitespace();
    let mut count = |what: &str| -> Result<usize, Diagnostic> {
        let word = counts.next().ok_or_else(|| {
            let message = format!("the number of {what} is missing");
            page.error(line, message)
        })?;
        let wrong = |_| page.error(word, format!("`{word}` is not a number of {what}"));
        word.parse::<usize>().map_err(wrong)
    };
    let (n_vertices, n_faces) = (count("vertices")?, count("faces")?);

    let extra = Extra::of(header);
    let mut vertex_colors = Vec::new();
    for i in 0..n_vertices {
        let line = lines.next().ok_or_else(|| {
            page.ends(format!("the file ends after {i} of {n_vertices} vertices"))
        })?;
        let mut words = line.split_ascii_whitespace();
        let mut coordinate = || match words.next() {
            Some(word) => page.number(word),
            None => Err(page.error(line.trim(), "a vertex needs 3 coordinates")),
        };
        let vertex = Point::new(coordinate()?, coordinate()?, coordinate()?);
        found.vertices.push(vertex);
        if extra.has_colors {
            let color = extra.color(words);
            vertex_colors.push(color.ok_or_else(|| {
                let message = "a vertex of a COFF needs a colour of 3 or 4 numbers";
                page.error(line.trim(), message)
            })?);
        }
    }
    color::to_unit(&mut vertex_colors);
    found.materials.vertex_colors = vertex_colors.into_iter().map(color::single).collect();

    let mut colored = Vec::new();
    let mut indices = Vec::new();
    let mut skipped = None;
    for i in 0..n_faces {
        let line = lines
            .next()
            .ok_or_else(|| page.ends(format!("the file ends after {i} of {n_faces} faces")))?;
        let mut words = line.split_ascii_whitespace();
        let word = words.next().unwrap_or("");
        let wrong = |_| page.error(word, format!("`{word}` is not a number of vertices"));
        let n: usize = word.parse().map_err(wrong)?;
        indices.clear();
        for word in words.by_ref().take(n) {
            let index = word.parse::<u32>().ok();
            let index = index
                .filter(|&i| (i as usize) < n_vertices)
                .ok_or_else(|| {
                    let message =
                        format!("`{word}` is not the index of one of {n_vertices} vertices");
                    page.error(word, message)
                })?;
            indices.push(index);
        }
        if indices.len() < n {
            let message = format!("a face of {n} vertices has only {} indices", indices.len());
            return Err(page.error(line.trim(), message));
        }
        if n < 3 {
            skipped.get_or_insert(word);
        }
        let start = found.triangles.len();
        triangulate(&found.vertices, &indices, &mut found.triangles);
        if let Some(color) = color::of_words(words) {
            colored.push((start..found.triangles.len(), color));
        }
    }
    let mut face_colors: Vec<_> = colored.iter().map(|(_, color)| *color).collect();
    color::to_unit(&mut face_colors);
    let mut colors = Colors::default();
    for ((triangles, _), color) in colored.into_iter().zip(face_colors) {
        let material = colors.material(color, &mut found.materials);
        found.materials.extend(triangles, material);
    }
    if let Some(word) = skipped {
        let warning = "points and lines are ignored: a face has at least 3 vertices";
        page.warn(word, warning);
    }
    if let Some(rest) = lines.next() {
        let warning = format!("the file goes on after its {n_faces} faces");
        page.warn(rest.trim(), warning);
    }
    Ok(found)
}

/// Data after the coordinates of a vertex, from the letters before `OFF`.
#[derive(Debug, Clone, Copy)]
struct Extra {
    has_colors: bool,
    normals: usize,
    texture: usize,
}

impl Extra {
    fn of(header: &str) -> Self {
        let letters = header.strip_suffix("OFF").unwrap_or("");
        Self {
            has_colors: letters.contains('C'),
            normals: if letters.contains('N') { 3 } else { 0 },
            texture: if letters.contains("ST") { 2 } else { 0 },
        }
    }

    fn color<'a>(self, words: impl Iterator<Item = &'a str>) -> Option<[f64; 4]> {
        let words: Vec<&str> = words.skip(self.normals).take(4 + self.texture).collect();
        let n = words.len().checked_sub(self.texture)?;
        color::of_words(words.into_iter().take(n))
    }
}
