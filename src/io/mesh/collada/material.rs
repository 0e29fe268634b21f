//! Appearance of the materials of a file: the diffuse colour or texture of their effects.

use super::document::{Document, child, children, descend};
use crate::Diagnostic;
use crate::geometry::Appearance;
use crate::io::xml::Element;

/// Appearance of a `<material>`.
pub(super) fn appearance(
    document: &Document<'_>,
    material: &Element,
) -> Result<Appearance, Diagnostic> {
    let called = |name: &str| material.attribute(name).map(|a| a.value.clone());
    let mut appearance = Appearance {
        name: called("name").or_else(|| called("id")).unwrap_or_default(),
        ..Appearance::default()
    };
    let Some(instance) = child(material, "instance_effect") else {
        return Ok(appearance);
    };
    let effect = document.target(instance, "url", "effect")?;
    let Some(profile) = child(effect, "profile_COMMON") else {
        return Ok(appearance);
    };
    let models = [
        ("phong", "diffuse"),
        ("lambert", "diffuse"),
        ("blinn", "diffuse"),
        ("constant", "emission"),
    ];
    let shades = models.map(|(model, shade)| descend(profile, &["technique", model, shade]));
    let Some(shade) = shades.into_iter().flatten().next() else {
        return Ok(appearance);
    };
    if let Some(color) = child(shade, "color") {
        match document.numbers(color)?[..] {
            [r, g, b] => appearance.color = Some([r, g, b, 1.0]),
            [r, g, b, a] => appearance.color = Some([r, g, b, a]),
            ref other => {
                let message = format!("<color> needs 4 numbers, got {}", other.len());
                return Err(document.error(color, message));
            }
        }
    }
    appearance.texture = child(shade, "texture")
        .and_then(|texture| texture.attribute("texture"))
        .and_then(|sampler| image(document, profile, &sampler.value));
    Ok(appearance)
}

/// The file of a texture, found through sampler, surface and image, or through the image alone.
fn image(document: &Document<'_>, profile: &Element, sampler: &str) -> Option<String> {
    let parameter = |sid: &str| {
        children(profile, "newparam")
            .find(|param| param.attribute("sid").is_some_and(|s| s.value == sid))
    };
    let text = |element: &Element| element.text.trim().to_owned();
    let surface = parameter(sampler)
        .and_then(|param| descend(param, &["sampler2D", "source"]))
        .and_then(|source| parameter(source.text.trim()))
        .and_then(|param| descend(param, &["surface", "init_from"]));
    let id = surface.map_or_else(|| sampler.to_owned(), text);
    let image = document.by_id("image", &id)?;
    let file = child(image, "init_from")?;
    // version 1.5 nests the name one level deeper
    let name = text(child(file, "ref").unwrap_or(file));
    (!name.is_empty()).then_some(name)
}
