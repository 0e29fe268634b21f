//! Reader of glTF 2, as text (`.gltf`) and binary (`.glb`): the triangles of a scene, rotated from y up to z up.

mod accessor;
mod container;
mod material;
mod primitive;
mod scene;

use super::companions::Companions;
use super::found::Triangles;
use crate::Diagnostic;
use crate::io::json::{self, Node};
use accessor::Buffers;
use scene::Scene;

/// Compression extensions: a file that requires one of these is refused.
const PACKED: [&str; 3] = [
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
];

/// Reads all geometry of the scene of a file as one mesh.
pub(super) fn parse(bytes: &[u8], companions: Companions<'_>) -> Result<Triangles, Diagnostic> {
    let path = companions.file.path;
    let (text, binary) = container::split(bytes, path)?;
    let value = json::parse(text, path)?;
    let root = Node::root(&value, path);
    let version = root.needed("asset")?.needed("version")?;
    if !version.text()?.starts_with("2.") {
        let message = format!("is glTF {}; only version 2 is read", version.text()?);
        return Err(root.error(&message));
    }
    for extension in root.list("extensionsRequired")? {
        let name = extension.text()?;
        if PACKED.contains(&name) {
            let error = root.error(&format!("its meshes are packed with {name}"));
            return Err(
                error.help("unpack it first, for instance with `gltf-transform copy IN OUT`")
            );
        }
    }
    let mut buffers = Buffers::new(root.clone(), binary, companions);
    let mut scene = Scene::new(root, &mut buffers);
    scene.walk()?;
    Ok(scene.finish())
}
