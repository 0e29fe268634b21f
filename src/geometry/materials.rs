//! Materials and colours of meshes.

use std::ops::Range;

use super::appearance::Appearance;
use crate::{Error, Result};

/// Materials of the triangles and colours of the vertices of a [`Mesh`](super::Mesh), kept as data: no query reads
/// them.
#[doc(alias = "appearance")]
#[doc(alias = "texture")]
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshMaterials {
    /// The materials, each once.
    pub materials: Vec<Appearance>,
    /// Materials of ranges of triangles, in order of the triangles; a triangle in no range has none.
    pub ranges: Vec<MaterialRange>,
    /// Red, green, blue, opacity from 0 to 1 of each vertex; empty where vertices have no colours.
    pub vertex_colors: Vec<[f32; 4]>,
}

/// A range of triangles with one material.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MaterialRange {
    /// The indices of the triangles.
    pub triangles: Range<usize>,
    /// The index of the material.
    pub material: usize,
}

impl MeshMaterials {
    /// Returns whether there are neither ranges nor vertex colours.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.vertex_colors.is_empty()
    }

    /// The material of a triangle, `None` where it has none.
    #[must_use]
    pub fn material_of(&self, triangle: usize) -> Option<&Appearance> {
        let behind = self
            .ranges
            .partition_point(|range| range.triangles.start <= triangle);
        let range = self.ranges.get(behind.checked_sub(1)?)?;
        let is_inside = range.triangles.contains(&triangle);
        is_inside.then(|| self.materials.get(range.material))?
    }

    /// Rejects materials that do not fit a mesh.
    pub(super) fn check(&self, n_vertices: usize, n_triangles: usize) -> Result<()> {
        let refuse = |problem: String| Err(Error::invalid("materials of a mesh", problem));
        let n_colors = self.vertex_colors.len();
        if n_colors > 0 && n_colors != n_vertices {
            return refuse(format!("{n_colors} colours for {n_vertices} vertices"));
        }
        let mut end = 0;
        for MaterialRange {
            triangles,
            material,
        } in &self.ranges
        {
            if triangles.start < end || triangles.end <= triangles.start {
                return refuse("ranges of triangles must be in order and not empty".to_owned());
            }
            end = triangles.end;
            if *material >= self.materials.len() {
                let n = self.materials.len();
                return refuse(format!("names material {material} of {n}"));
            }
        }
        if end > n_triangles {
            return refuse(format!("names triangle {} of {n_triangles}", end - 1));
        }
        Ok(())
    }

    /// Gives a range of triangles at the end of a mesh under construction a material.
    pub(crate) fn extend(&mut self, triangles: Range<usize>, material: usize) {
        if triangles.is_empty() {
            return;
        }
        match self.ranges.last_mut() {
            Some(range) if range.triangles.end == triangles.start && range.material == material => {
                range.triangles.end = triangles.end;
            }
            _ => self.ranges.push(MaterialRange {
                triangles,
                material,
            }),
        }
    }

    /// Appends the materials of a mesh that is merged behind others; `before` counts the vertices and triangles before
    /// it, `n_vertices` its own vertices.
    pub(super) fn append(&mut self, other: Option<&Self>, before: [usize; 2], n_vertices: usize) {
        const WHITE: [f32; 4] = [1.0; 4];
        let [vertices, triangles] = before;
        let colors = other.map_or(&[][..], |other| &other.vertex_colors);
        if !colors.is_empty() || !self.vertex_colors.is_empty() {
            self.vertex_colors.resize(vertices, WHITE);
            self.vertex_colors.extend(colors);
            self.vertex_colors.resize(vertices + n_vertices, WHITE);
        }
        let Some(other) = other else {
            return;
        };
        let mut numbers = Vec::with_capacity(other.materials.len());
        for material in &other.materials {
            let known = self.materials.iter().position(|known| known == material);
            numbers.push(known.unwrap_or_else(|| {
                self.materials.push(material.clone());
                self.materials.len() - 1
            }));
        }
        for range in &other.ranges {
            let Range { start, end } = range.triangles;
            self.extend(triangles + start..triangles + end, numbers[range.material]);
        }
    }
}
