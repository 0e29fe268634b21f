//! Reader of STL, as text and binary.

use std::path::Path;

use super::bytes::words;
use super::found::Triangles;
use super::page::Page;
use crate::Diagnostic;
use crate::io::report::FileReport;
use crate::math::Point;

/// Bytes of the header (80) and the count.
const HEADER: usize = 84;
/// Bytes of a triangle: a normal, three vertices, two attribute bytes.
const TRIANGLE: usize = 50;

/// Returns whether the bytes are binary STL, which may also begin with `solid`.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let says_solid = bytes.trim_ascii_start().starts_with(b"solid");
    count_fits(bytes) || !says_solid || bytes.iter().take(1024).any(|&b| b == 0)
}

/// Returns whether the number of bytes is exactly that of a binary STL with their count.
pub(super) fn count_fits(bytes: &[u8]) -> bool {
    let wanted = count(bytes).and_then(|n| n.checked_mul(TRIANGLE)?.checked_add(HEADER));
    wanted == Some(bytes.len())
}

fn count(bytes: &[u8]) -> Option<usize> {
    let ([count], _) = words(bytes.get(HEADER - 4..)?)?;
    usize::try_from(count).ok()
}

/// Reads binary STL; normals and attributes are skipped.
pub(super) fn parse_binary(bytes: &[u8], file: FileReport<'_>) -> Result<Triangles, Diagnostic> {
    let mut found = Triangles::default();
    let path = file.path;
    let refuse = |message: String| Err(Diagnostic::error(message).in_file(path));
    let Some(n) = count(bytes) else {
        return refuse("is neither text nor binary STL: it is shorter than a header".to_owned());
    };
    let body = bytes.get(HEADER..).unwrap_or_default();
    let (all, _) = body.as_chunks::<TRIANGLE>();
    let fit = all.len();
    if n > fit {
        return refuse(format!(
            "the file ends at byte {}, after {fit} of {n} triangles, or is not STL",
            bytes.len()
        ));
    }
    if body.len() > n * TRIANGLE {
        let message = format!("the file goes on after its {n} triangles");
        file.add(Diagnostic::warning(message).in_file(path));
    }
    found.vertices.reserve(3 * n);
    for (i, triangle) in all.iter().take(n).enumerate() {
        let Some((numbers, _)) = words::<12>(triangle) else {
            break;
        };
        let numbers = numbers.map(|bits| f64::from(f32::from_bits(bits)));
        let [_, _, _, ax, ay, az, bx, by, bz, cx, cy, cz] = numbers;
        let vertices = [[ax, ay, az], [bx, by, bz], [cx, cy, cz]];
        if !vertices.iter().flatten().all(|x| x.is_finite()) {
            return refuse(format!("triangle {i} has a coordinate that is not finite"));
        }
        found.vertices.extend(vertices.map(Point::from));
    }
    number_vertices(&mut found, path)?;
    Ok(found)
}

/// Reads STL as text, one or more solids as one mesh.
pub(super) fn parse_text(text: &str, file: FileReport<'_>) -> Result<Triangles, Diagnostic> {
    let page = Page { text, file };
    let mut found = Triangles::default();
    for line in text.lines() {
        let mut words = line.split_ascii_whitespace();
        let Some(keyword) = words.next() else {
            continue;
        };
        match keyword.to_ascii_lowercase().as_str() {
            "vertex" => {
                let mut coordinate = || match words.next() {
                    Some(word) => page.number(word),
                    None => Err(page.error(keyword, "a vertex needs 3 coordinates")),
                };
                let vertex = Point::new(coordinate()?, coordinate()?, coordinate()?);
                found.vertices.push(vertex);
            }
            "endloop" if found.vertices.len() % 3 != 0 => {
                return Err(page.error(keyword, "a loop needs 3 vertices"));
            }
            "solid" | "facet" | "outer" | "endloop" | "endfacet" | "endsolid" | "color" => {}
            _ => {
                let message = format!("`{keyword}` is not a keyword of STL");
                return Err(page.error(keyword, message));
            }
        }
    }
    if found.vertices.len() % 3 != 0 {
        return Err(page.ends("the file ends inside a loop"));
    }
    number_vertices(&mut found, file.path)?;
    Ok(found)
}

/// Makes a triangle of every three consecutive vertices.
fn number_vertices(found: &mut Triangles, path: &Path) -> Result<(), Diagnostic> {
    let Ok(n) = u32::try_from(found.vertices.len()) else {
        let message = "has more vertices than a mesh can number";
        return Err(Diagnostic::error(message).in_file(path));
    };
    found.triangles = (0..n / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Ok(())
}
