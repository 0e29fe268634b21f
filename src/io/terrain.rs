//! Klampt's terrain `.env`, and geometry files as terrains.

use std::path::Path;

use super::context::Context;
use super::key_value::KeyValues;
use super::kind::FileKind;
use super::resolve::Referrer;
use super::source::FilePath;
use crate::world::Terrain;
use crate::{Diagnostic, LoadError, MissingGeometry};

/// The terrain in a file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<Terrain, LoadError> {
    match ctx.kind_of(path)? {
        FileKind::Terrain => {
            let text = ctx.read_text(path)?;
            let lines = KeyValues::parse(&text, ctx.report().of_file(path))?;
            Ok(build(ctx, path, &lines)?)
        }
        FileKind::Geometry => {
            let is_wanted = ctx.options().load_geometry;
            let geometry = is_wanted.then(|| ctx.geometry_file(path)).transpose()?;
            let mut terrain = Terrain::new(super::name(path), geometry);
            terrain.missing_geometry = (!is_wanted).then_some(MissingGeometry::NotLoaded);
            Ok(terrain)
        }
        kind => {
            let message = format!("is {}, where a terrain was expected", kind.name());
            Err(Diagnostic::error(message).in_file(path).into())
        }
    }
}

/// What an element with a shape in the file of this name lacks.
pub(super) fn not_loaded(ctx: &Context<'_>, name: &str) -> Option<MissingGeometry> {
    let is_missing = !name.is_empty() && !ctx.options().load_geometry;
    is_missing.then_some(MissingGeometry::NotLoaded)
}

fn build(ctx: &mut Context<'_>, path: &Path, lines: &KeyValues<'_>) -> Result<Terrain, Diagnostic> {
    let Some(mesh) = lines.text("mesh")? else {
        let error = Diagnostic::error("`mesh` is missing").in_file(path);
        return Err(error.help("a terrain needs a line such as `mesh \"plane.off\"`"));
    };
    let geometry = ctx.geometry(Referrer::new(path), mesh.text);
    let position = mesh.position;
    let geometry =
        geometry.map_err(|error| error.named_at(path, position.line, position.column))?;
    for line in lines.lines() {
        if !["mesh", "kFriction", "friction"].contains(&line.key.text) {
            let message = format!(
                "`{}` is ignored: it is not a key of terrains",
                line.key.text
            );
            let warning = lines.warning(line.key.position, message);
            ctx.warn(warning.help("known are mesh and kFriction"));
        }
    }

    let n_triangles = geometry.as_ref().map(|geometry| geometry.n_triangles());
    let mut terrain = Terrain::new(super::name(path), geometry);
    terrain.missing_geometry = not_loaded(ctx, mesh.text);
    // Klampt reads the first and writes the second
    let key = ["kFriction", "friction"]
        .into_iter()
        .find(|key| lines.get(key).is_some());
    if let Some(key) = key
        && let Some(friction) = lines.numbers(key)?
    {
        let fits = friction.len() == 1 || n_triangles.is_none_or(|n| n == friction.len());
        if !fits || friction.is_empty() {
            let n = n_triangles.unwrap_or(0);
            let message = format!(
                "`{key}` needs 1 number, or one per triangle ({n}), got {}",
                friction.len()
            );
            return Err(lines.error(lines.position(key), message));
        }
        lines.all_finite(key, &friction)?;
        if friction.iter().any(|x| *x < 0.0) {
            return Err(lines.error(lines.position(key), "friction cannot be negative"));
        }
        terrain.friction = friction;
    }
    Ok(terrain)
}
