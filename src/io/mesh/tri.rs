//! Reader of KrisLibrary's TRI: blocks of a number of vertices, the vertices, a number of triangles, the triangles.

use super::found::Triangles;
use super::page::Page;
use super::tokens::Tokens;
use crate::Diagnostic;
use crate::io::report::FileReport;

/// Reads all blocks of a file as one mesh.
pub(super) fn parse(text: &str, file: FileReport<'_>) -> Result<Triangles, Diagnostic> {
    let page = Page { text, file };
    let mut tokens = Tokens::new(page);
    let mut found = Triangles::default();
    if tokens.peek().is_none() {
        return Err(page.ends("the file is empty"));
    }
    while tokens.peek().is_some() {
        block(&mut tokens, &mut found)?;
    }
    Ok(found)
}

/// Reads one block and appends it to those before.
pub(super) fn block(tokens: &mut Tokens<'_>, found: &mut Triangles) -> Result<(), Diagnostic> {
    let base = found.vertices.len();
    let first = tokens.peek().unwrap_or("");
    for _ in 0..tokens.count("vertices")? {
        found.vertices.push(tokens.point("its last vertex does")?);
    }
    let n = found.vertices.len() - base;
    let shift = u32::try_from(base).ok();
    let shift = shift.filter(|_| u32::try_from(found.vertices.len()).is_ok());
    let Some(shift) = shift else {
        return Err(tokens.error(first, "more vertices than a mesh can number"));
    };
    for _ in 0..tokens.count("triangles")? {
        let triangle = [tokens.index(n)?, tokens.index(n)?, tokens.index(n)?];
        found.triangles.push(triangle.map(|i| i + shift));
    }
    Ok(())
}
