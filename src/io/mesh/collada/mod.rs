//! COLLADA `.dae`: the triangles of a scene in metres, in the axes of the file.
//!
//! Node trees, instances and all transformation elements are applied, and so is `<unit>`; `<up_axis>` is not, as ROS
//! has it. Skinned geometry stands in its bind shape.

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

/// Reads all geometry that the scene of a file shows, as one mesh.
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
