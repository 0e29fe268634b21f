//! The primitives of a `<mesh>` as triangles.

use std::rc::Rc;

use super::document::{Document, child, children};
use super::source;
use crate::Diagnostic;
use crate::io::mesh::polygon::{fan, strip, triangulate, triples};
use crate::io::xml::Element;
use crate::math::Point;

/// Triangles of one material.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// The symbol to which an instance binds a material.
    pub(super) material: Option<&'a str>,
    pub(super) points: Rc<[Point]>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// The parts of a `<mesh>`.
pub(super) fn parts<'a>(
    document: &Document<'a>,
    mesh: &'a Element,
) -> Result<Vec<Part<'a>>, Diagnostic> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    // most meshes have one source that all primitives share
    let mut read: Vec<(usize, Rc<[Point]>)> = Vec::new();
    for element in &mesh.children {
        match element.name.as_str() {
            "triangles" | "polylist" | "polygons" | "tristrips" | "trifans" => {}
            "lines" | "linestrips" => {
                let warning = format!("<{}> is ignored: only faces are read", element.name);
                document.warn(element, warning);
                continue;
            }
            _ => continue,
        }
        let Some(inputs) = Inputs::of(document, element)? else {
            // an empty primitive may leave them out
            if children(element, "p").any(|p| !p.text.trim().is_empty()) {
                let message = format!("<{}> has no input for its vertices", element.name);
                return Err(document.error(element, message));
            }
            continue;
        };
        let key = inputs.positions.span.start;
        let points = match read.iter().find(|(known, _)| *known == key) {
            Some((_, points)) => Rc::clone(points),
            None => {
                let points = source::points(document, inputs.positions)?;
                read.push((key, Rc::clone(&points)));
                points
            }
        };
        let mut part = Part {
            material: element.attribute("material").map(|m| m.value.as_str()),
            points,
            triangles: Vec::new(),
        };
        let mut reader = Reader {
            document,
            inputs,
            part: &mut part,
        };
        reader.read(element)?;
        parts.push(part);
    }
    Ok(parts)
}

/// Layout of the numbers of a `<p>`.
#[derive(Debug, Clone, Copy)]
struct Inputs<'a> {
    positions: &'a Element,
    /// Index of the vertex number among the numbers of a polygon vertex.
    offset: usize,
    /// Number of numbers per polygon vertex.
    stride: usize,
}

impl<'a> Inputs<'a> {
    fn of(document: &Document<'a>, primitive: &Element) -> Result<Option<Self>, Diagnostic> {
        let mut found = None;
        let mut stride = 1;
        for input in children(primitive, "input") {
            let offset = document.count(input, "offset")?.unwrap_or(0);
            stride = stride.max(offset.saturating_add(1));
            match input.attribute("semantic").map(|s| s.value.as_str()) {
                Some("VERTEX") => {
                    let vertices = document.target(input, "source", "vertices")?;
                    let is_position = |input: &&Element| {
                        input
                            .attribute("semantic")
                            .is_some_and(|s| s.value == "POSITION")
                    };
                    let Some(input) = children(vertices, "input").find(is_position) else {
                        return Err(document.error(vertices, "<vertices> has no POSITION input"));
                    };
                    found = Some((document.target(input, "source", "source")?, offset));
                }
                Some("POSITION") if found.is_none() => {
                    found = Some((document.target(input, "source", "source")?, offset));
                }
                _ => {}
            }
        }
        Ok(found.map(|(positions, offset)| Self {
            positions,
            offset,
            stride,
        }))
    }
}

/// Converts a primitive to triangles.
struct Reader<'a, 'r> {
    document: &'r Document<'a>,
    inputs: Inputs<'a>,
    part: &'r mut Part<'a>,
}

impl Reader<'_, '_> {
    fn read(&mut self, element: &Element) -> Result<(), Diagnostic> {
        match element.name.as_str() {
            "polylist" => self.polylist(element),
            "polygons" => self.polygons(element),
            _ => {
                for p in children(element, "p") {
                    let indices = self.indices(p)?;
                    self.runs(element, &indices);
                }
                Ok(())
            }
        }
    }

    /// Appends triangles, strips or fans, which need no counts.
    fn runs(&mut self, element: &Element, indices: &[u32]) {
        let triangles = &mut self.part.triangles;
        match element.name.as_str() {
            "tristrips" => triangles.extend(strip(indices)),
            "trifans" => triangles.extend(fan(indices)),
            _ => {
                if !indices.len().is_multiple_of(3) {
                    let warning = "the indices of <triangles> end inside a triangle";
                    self.document.warn(element, warning);
                }
                triangles.extend(triples(indices));
            }
        }
    }

    fn polylist(&mut self, element: &Element) -> Result<(), Diagnostic> {
        let Some(counts) = child(element, "vcount") else {
            // counts may be missing only if there are no polygons
            return match child(element, "p") {
                Some(p) if !p.text.trim().is_empty() => {
                    Err(self.document.error(element, "<polylist> has no <vcount>"))
                }
                _ => Ok(()),
            };
        };
        let mut indices = Vec::new();
        for p in children(element, "p") {
            indices.extend(self.indices(p)?);
        }
        let mut rest = indices.as_slice();
        for (i, word) in counts.text.split_ascii_whitespace().enumerate() {
            let Ok(n) = word.parse::<usize>() else {
                let problem = "is not a number of vertices";
                return Err(self.document.error_in(counts, word, problem));
            };
            let Some((polygon, behind)) = rest.split_at_checked(n) else {
                let message = format!("the indices of <polylist> end in polygon {i}");
                return Err(self.document.error(element, message));
            };
            triangulate(&self.part.points, polygon, &mut self.part.triangles);
            rest = behind;
        }
        if !rest.is_empty() {
            let n = rest.len();
            let warning = format!("<polylist> has {n} vertices more than <vcount> says");
            self.document.warn(element, warning);
        }
        Ok(())
    }

    fn polygons(&mut self, element: &Element) -> Result<(), Diagnostic> {
        for item in &element.children {
            let outline = match item.name.as_str() {
                "p" => item,
                "ph" => {
                    let warning = "the holes of a polygon are filled";
                    self.document.warn(item, warning);
                    let Some(p) = child(item, "p") else {
                        continue;
                    };
                    p
                }
                _ => continue,
            };
            let indices = self.indices(outline)?;
            triangulate(&self.part.points, &indices, &mut self.part.triangles);
        }
        Ok(())
    }

    /// The vertex indices in a `<p>`; its other numbers (normals, texture coordinates) are skipped.
    fn indices(&self, p: &Element) -> Result<Vec<u32>, Diagnostic> {
        let Inputs { offset, stride, .. } = self.inputs;
        let n = self.part.points.len();
        let mut indices = Vec::new();
        let words = p.text.split_ascii_whitespace().skip(offset);
        for word in words.step_by(stride) {
            let index = word.parse::<u32>().ok();
            let Some(index) = index.filter(|&i| (i as usize) < n) else {
                let problem = format!("is not the index of one of {n} vertices");
                return Err(self.document.error_in(p, word, &problem));
            };
            indices.push(index);
        }
        Ok(indices)
    }
}
