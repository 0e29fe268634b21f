//! `<heightmap>`: an image of elevations.

use super::fields::Fields;
use super::include::Reader;
use super::shapes::{DEPTH, warn_of_file};
use crate::Diagnostic;
use crate::geometry::{Geometry, Mesh};
use crate::io::heights::Heights;
use crate::io::resolve::Referrer;
use crate::io::xml::Element;
use crate::math::Vector;

/// The solid under the elevations of an image, of which the brightest pixel is at the top, as in Gazebo; one that cannot be loaded is
/// a warning, and missing.
pub(super) fn read(
    reader: &Reader<'_, '_, '_>,
    fields: Fields<'_, '_>,
    form: &Element,
    size: &Vector,
    subject: &str,
) -> Result<Option<Geometry>, Diagnostic> {
    let Some(uri) = fields.text(form, "uri") else {
        return Err(fields.error(form, subject, "<heightmap> needs a <uri>"));
    };
    let at = fields.numbers::<3>(form, "pos", subject)?;
    let at = Vector::from(at.unwrap_or_default());
    if let Some(texture) = fields.child(form, "texture") {
        let what = "the <texture> of a <heightmap> is not drawn";
        fields.notes.leave_out(what, fields.place(texture));
    }
    if !reader.context.options().load_geometry {
        return Ok(None);
    }
    let path = fields.notes.path(fields.file);
    let file = reader.context.find(Referrer::new(&path), &uri.text);
    let image = file.and_then(|file| reader.context.gray_image(&file));
    let image = match image {
        Ok(Some(image)) if image.0 >= 2 && image.1 >= 2 => image,
        Ok(found) => {
            let problem = match found {
                Some(_) => "needs at least two rows and two columns of pixels",
                None => "is read only by builds with the feature `heightmap`",
            };
            let problem = format!("the image `{}` {problem}; it is left out", uri.text);
            fields.notes.warn(uri.place, subject, problem);
            return Ok(None);
        }
        Err(trouble) => {
            warn_of_file(fields, &uri, subject, "height map", trouble);
            return Ok(None);
        }
    };
    let mut grid = Heights::of_image(image);
    let brightest = grid.heights.iter().copied().fold(0.0, f64::max);
    for height in &mut grid.heights {
        let share = if brightest > 0.0 {
            *height / brightest
        } else {
            0.0
        };
        *height = size.z * share;
    }
    let solid = grid.solid([0.5 * size.x, 0.5 * size.y], -DEPTH);
    let solid = solid.and_then(|mesh| {
        let vertices = mesh.vertices().iter().map(|vertex| vertex + at);
        Mesh::new(vertices.collect(), mesh.triangles().to_vec())
    });
    let solid = solid.map_err(|error| fields.error(form, subject, error.to_string()))?;
    Ok(Some(Geometry::from(solid).with_solid(true)))
}
