//! Appearance of the materials of a file: base colour and its image.

use crate::Diagnostic;
use crate::geometry::Appearance;
use crate::io::json::Node;
use crate::io::mesh::color::of_lights;

/// Appearance of a material.
pub(super) fn appearance(root: &Node<'_>, material: &Node<'_>) -> Result<Appearance, Diagnostic> {
    let name = material
        .member("name")
        .map(|name| name.text())
        .transpose()?;
    let mut appearance = Appearance {
        name: name.unwrap_or_default().to_owned(),
        ..Appearance::default()
    };
    let Some(base) = material.member("pbrMetallicRoughness") else {
        return Ok(appearance);
    };
    if let Some(color) = base.member("baseColorFactor") {
        appearance.color = Some(of_lights(color.numbers()?));
    }
    if let Some(texture) = base.member("baseColorTexture") {
        let texture = texture.needed("index")?.in_list(root, "textures")?;
        if let Some(source) = texture.member("source") {
            let image = source.in_list(root, "images")?;
            // an image embedded in the file has no name to keep
            let uri = image.member("uri").map(|uri| uri.text()).transpose()?;
            let is_file = |uri: &&str| !uri.starts_with("data:");
            appearance.texture = uri.filter(is_file).map(str::to_owned);
        }
    }
    Ok(appearance)
}
