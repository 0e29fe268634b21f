//! Paths of links: of `cartesian`.

use super::fields::Fields;
use super::parse::{POINT, missing};
use crate::request::{CartesianRequest, Key, PIECES, Piece, Refusal, SPACING};

/// What a number of a piece must be.
const NUMBER: &str = "a finite number";

impl Fields<'_> {
    /// A link and the pieces of its path.
    pub(super) fn cartesian(&self) -> Result<CartesianRequest, Refusal> {
        if self.raw("pieces").is_none() {
            return Err(missing("pieces"));
        }
        let speed = self.find("speed", "a number of m/s")?;
        let timing = self.timing()?;
        Ok(CartesianRequest {
            space: self.space()?,
            link: self.key("link")?.ok_or_else(|| missing("link"))?,
            from: self.state("from")?,
            pieces: self.each("pieces", piece)?,
            also: self.entries("also", of_link)?,
            group: self.group()?,
            blend: self.find("blend", "a number of m")?.unwrap_or_default(),
            spacing: self.find("spacing", "a number of m")?.unwrap_or(SPACING),
            degrees: false,
            timing: match speed {
                Some(_) => Some(timing.unwrap_or_default()),
                None => timing,
            },
            speed,
        })
    }
}

/// A link, and the pieces of its path; where there are none it stays where it is.
fn of_link(raw: &str) -> Result<(Key, Vec<Piece>), Refusal> {
    let fields = object(raw, "also", &["link", "pieces"])?;
    let link = fields.key("link")?.ok_or_else(|| missing("link"))?;
    Ok((link, fields.entries("pieces", piece)?))
}

fn piece(raw: &str) -> Result<Piece, Refusal> {
    let fields = object(raw, "a piece", &PIECES)?;
    let given = PIECES.iter().filter(|kind| fields.raw(kind).is_some());
    let &[kind] = &given.copied().collect::<Vec<_>>()[..] else {
        let problem = format!(
            "it must have one of {}",
            PIECES.map(|k| format!("`{k}`")).join(", ")
        );
        return Err(Refusal(problem));
    };
    let inner = fields.raw(kind).unwrap_or_default();
    Ok(match kind {
        "move" => Piece::Move(fields.need(kind, POINT)?),
        "move_local" => Piece::MoveLocal(fields.need(kind, POINT)?),
        "line" => {
            let fields = object(inner, kind, &["position", "rotation", "quaternion", "rpy"])?;
            Piece::Line {
                position: fields.need("position", POINT)?,
                rotation: fields.rotation()?,
            }
        }
        "arc" => {
            let fields = object(inner, kind, &["center", "axis", "angle"])?;
            Piece::Arc {
                center: fields.need("center", POINT)?,
                axis: fields.need("axis", POINT)?,
                angle: fields.need("angle", NUMBER)?,
            }
        }
        _ => {
            let fields = object(inner, kind, &["through", "axis", "angle", "shift"])?;
            Piece::Screw {
                through: fields.need("through", POINT)?,
                axis: fields.need("axis", POINT)?,
                angle: fields.find("angle", NUMBER)?.unwrap_or_default(),
                shift: fields.find("shift", NUMBER)?.unwrap_or_default(),
            }
        }
    })
}

/// The fields of an object, which are all known.
fn object<'a>(raw: &'a str, name: &str, known: &[&str]) -> Result<Fields<'a>, Refusal> {
    if !raw.trim_start().starts_with('{') {
        let names = known.iter().map(|name| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(", ");
        return Err(Refusal(format!("`{name}` must be an object with {names}")));
    }
    let (fields, well_formed) = Fields::split(raw);
    well_formed.map_err(Refusal)?;
    fields.allow(name, known, &[])?;
    Ok(fields)
}
