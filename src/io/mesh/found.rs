//! Triangles as readers collect them, before they become a mesh.

use std::path::Path;

use nalgebra::Matrix4;

use crate::geometry::{Appearance, Geometry, Mesh, MeshMaterials};
use crate::math::Point;
use crate::{Diagnostic, Error};

/// Triangles of a file as written: vertices in order, none merged.
#[derive(Debug, Default)]
pub(super) struct Triangles {
    pub(super) vertices: Vec<Point>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) materials: MeshMaterials,
}

impl Triangles {
    /// Appends transformed triangles with the points they use, and with the colours of these if there are any.
    pub(super) fn append(
        &mut self,
        points: &[Point],
        colors: &[[f32; 4]],
        triangles: &[[u32; 3]],
        placement: &Matrix4<f64>,
        is_mirrored: bool,
    ) {
        // the new index of each point, once it is used
        let mut numbers = vec![None; points.len()];
        let linear = placement.fixed_view::<3, 3>(0, 0).into_owned();
        let shift = placement.fixed_view::<3, 1>(0, 3).into_owned();
        let vertices = &mut self.vertices;
        let of_vertices = &mut self.materials.vertex_colors;
        const WHITE: [f32; 4] = [1.0; 4];
        if !colors.is_empty() {
            of_vertices.resize(vertices.len(), WHITE);
        }
        let is_colored = !of_vertices.is_empty() || !colors.is_empty();
        let mut number = |i: u32| -> Option<u32> {
            let number = numbers.get_mut(i as usize);
            let number = number.expect("readers check the indices");
            if number.is_none() {
                *number = u32::try_from(vertices.len()).ok();
                let point = points.get(i as usize).expect("one point per number");
                vertices.push(Point::from(linear * point.coords + shift));
                if is_colored {
                    of_vertices.push(colors.get(i as usize).copied().unwrap_or(WHITE));
                }
            }
            *number
        };
        let known = triangles.iter().filter_map(|&[a, b, c]| {
            let [a, b, c] = [number(a)?, number(b)?, number(c)?];
            Some(if is_mirrored { [a, c, b] } else { [a, b, c] })
        });
        self.triangles.extend(known);
    }

    /// Builds the mesh. Errors if there is no triangle.
    pub(super) fn finish(mut self, path: &Path) -> Result<Geometry, Diagnostic> {
        if self.triangles.is_empty() {
            return Err(Diagnostic::error("the mesh has no triangle").in_file(path));
        }
        self.materials.materials.shrink_to_fit();
        let mesh = Mesh::new(self.vertices, self.triangles);
        let mesh = mesh.and_then(|mesh| mesh.with_materials(self.materials));
        Ok(mesh.map_err(|error| refused(error, path))?.into())
    }
}

/// Assigns indices to materials that are only a colour, one per colour.
#[derive(Debug, Default)]
pub(super) struct Colors {
    numbers: std::collections::HashMap<[u64; 4], usize>,
}

impl Colors {
    /// Index of the material of this colour, added if it is new.
    pub(super) fn material(&mut self, color: [f64; 4], materials: &mut MeshMaterials) -> usize {
        *self
            .numbers
            .entry(color.map(f64::to_bits))
            .or_insert_with(|| {
                materials.materials.push(Appearance {
                    color: Some(color),
                    ..Appearance::default()
                });
                materials.materials.len() - 1
            })
    }
}

/// Budget of instances: nested instances let a small file describe a huge scene.
#[derive(Debug)]
pub(super) struct Budget {
    nodes: usize,
    copies: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            nodes: 1_000_000,
            copies: 16_000_000,
        }
    }
}

impl Budget {
    /// Counts one more node.
    pub(super) fn node(&mut self) -> Result<(), String> {
        let left = self.nodes.checked_sub(1);
        self.nodes = left.ok_or("the scene has more than a million nodes")?;
        Ok(())
    }

    /// Counts one more copy of a part with `size` points and triangles.
    pub(super) fn copy(&mut self, size: usize) -> Result<(), String> {
        let left = self.copies.checked_sub(size);
        self.copies =
            left.ok_or("its copies of geometry have more than 16 million points and triangles")?;
        Ok(())
    }
}

/// Turns a geometry error into a diagnostic of the file.
pub(super) fn refused(error: Error, path: &Path) -> Diagnostic {
    match error {
        Error::Invalid { what, problem } => Diagnostic::error(format!("{what}: {problem}")),
        error => Diagnostic::error(error.to_string()),
    }
    .in_file(path)
}
