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

use std::path::Path;

use super::found::Triangles;
use super::page::Page;
use crate::Diagnostic;
use crate::io::LoadLimits;
use crate::io::remarks::Remarks;
use crate::io::xml;
use document::Document;
use scene::Scene;

/// Reads all geometry that the scene of a file shows, as one mesh.
pub(super) fn parse(text: &str, path: &Path, limits: &LoadLimits) -> Result<Triangles, Diagnostic> {
    let mut first = Vec::new();
    let root = xml::parse(text, path, limits, &mut first)?;
    let document = Document::new(&root, Page { text, path });
    if root.name != "COLLADA" {
        let message = format!("its root element is <{}>, not <COLLADA>", root.name);
        return Err(document.error(&root, message));
    }
    let mut remarks = Remarks::default();
    first.into_iter().for_each(|remark| remarks.push(remark));
    let mut scene = Scene::new(&document, remarks);
    scene.walk()?;
    Ok(scene.finish())
}
