//! What a reader of triangles finds in a file.

use std::path::Path;

use crate::geometry::{Appearance, Geometry, Mesh, Paint};
use crate::math::Point;
use crate::{Diagnostic, Error, Loaded};

/// The triangles of a file as they are written down: corners in order, nothing merged.
#[derive(Debug, Default)]
pub(super) struct Triangles {
    pub(super) vertices: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) paint: Paint,
    pub(super) remarks: Vec<Diagnostic>,
}

impl Triangles {
    /// The mesh of these, which must have a triangle.
    pub(super) fn finish(mut self, path: &Path) -> Result<Loaded<Geometry>, Diagnostic> {
        if self.triangles.is_empty() {
            return Err(Diagnostic::error("the mesh has no triangle").in_file(path));
        }
        self.paint.materials.shrink_to_fit();
        let mesh = Mesh::new(self.vertices, self.triangles);
        let mesh = mesh.and_then(|mesh| mesh.with_paint(self.paint));
        Ok(Loaded {
            value: mesh.map_err(|error| refused(error, path))?.into(),
            diagnostics: self.remarks,
        })
    }
}

/// Numbers materials that are only a colour, each once.
#[derive(Debug, Default)]
pub(super) struct Colors {
    numbers: std::collections::HashMap<[u64; 4], usize>,
}

impl Colors {
    /// The number of the material of this colour.
    pub(super) fn material(&mut self, color: [f64; 4], paint: &mut Paint) -> usize {
        *self
            .numbers
            .entry(color.map(f64::to_bits))
            .or_insert_with(|| {
                paint.materials.push(Appearance {
                    color: Some(color),
                    ..Appearance::default()
                });
                paint.materials.len() - 1
            })
    }
}

/// An error of the geometry about what a file holds.
pub(super) fn refused(error: Error, path: &Path) -> Diagnostic {
    match error {
        Error::Invalid { problem, .. } => Diagnostic::error(problem),
        error => Diagnostic::error(error.to_string()),
    }
    .in_file(path)
}
