//! COLLADA `.dae`: the triangles of a scene in metres, in the axes of the file.
//!
//! Node trees, instances, all transformation elements and `<unit>` are applied; `<up_axis>` is ignored, as in ROS.
//! Skinned geometry keeps its bind shape.

mod document;
mod material;
mod primitive;
mod scene;
mod source;
mod transform;

use super::found::Triangles;
use super::page::Page;
use crate::Diagnostic;
use crate::io::LoadLimits;
use crate::io::report::FileReport;
use crate::io::xml;
use document::Document;
use scene::Scene;

/// Reads all geometry of the scene of a file as one mesh.
pub(super) fn parse(
    text: &str,
    file: FileReport<'_>,
    limits: &LoadLimits,
) -> Result<Triangles, Diagnostic> {
    let root = xml::parse(text, file, limits)?;
    let document = Document::new(&root, Page { text, file });
    if root.name != "COLLADA" {
        let message = format!("its root element is <{}>, not <COLLADA>", root.name);
        return Err(document.error(&root, message));
    }
    let mut scene = Scene::new(&document);
    scene.walk()?;
    Ok(scene.finish())
}
