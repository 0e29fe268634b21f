//! Links: mass, shapes and frames.

use super::document::{Shape, Weight};
use super::fields::Notes;
use super::parse::WATER;
use super::placed::PlacedLink;
use crate::Diagnostic;
use crate::io::position::Position;
use crate::io::urdf::document::{Form, Inertial, Link, Material, Moment, Origin, Shape as Solid};
use crate::math::{Inertia, Pose, so3};

/// The link of a description, under this name.
pub(super) fn of(placed: &PlacedLink, name: String, notes: &Notes<'_>) -> Result<Link, Diagnostic> {
    let position = placed.link.name.place.position;
    let inertia = inertia(placed, notes)?;
    let com = inertia.com.coords;
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]]: [[f64; 3]; 3] = inertia.moment.into();
    Ok(Link {
        name,
        position,
        inertial: Some(Inertial {
            position,
            origin: Origin {
                xyz: Some(com.into()),
                ..Origin::default()
            },
            mass: Some(inertia.mass),
            moment: Some(Moment {
                xx: Some(xx),
                xy: Some(xy),
                xz: Some(xz),
                yy: Some(yy),
                yz: Some(yz),
                zz: Some(zz),
            }),
        }),
        collision: solids(&placed.link.collision, &placed.collision),
        visual: solids(&placed.link.visual, &placed.visual),
        extras: Vec::new(),
    })
}

/// A link without mass and shape.
pub(super) fn bare(name: String, position: Position) -> Link {
    Link {
        name,
        position,
        inertial: Some(Inertial {
            position,
            origin: Origin::default(),
            mass: Some(0.0),
            moment: Some(Moment {
                xx: Some(0.0),
                xy: Some(0.0),
                xz: Some(0.0),
                yy: Some(0.0),
                yz: Some(0.0),
                zz: Some(0.0),
            }),
        }),
        collision: Vec::new(),
        visual: Vec::new(),
        extras: Vec::new(),
    }
}

/// An origin of URDF.
pub(super) fn origin(pose: &Pose) -> Origin {
    Origin {
        xyz: Some(pose.translation.vector.into()),
        rpy: None,
        quat_xyzw: Some(so3::to_xyzw(&pose.rotation)),
    }
}

fn solids(shapes: &[Shape], poses: &[Pose]) -> Vec<Solid> {
    let shapes = shapes
        .iter()
        .zip(poses)
        .filter(|(shape, _)| !shape.is_empty);
    let solids = shapes.map(|(shape, pose)| Solid {
        name: Some(shape.name.text.clone()).filter(|name| !name.is_empty()),
        origin: origin(pose),
        form: Form::Made(shape.geometry.clone()),
        material: shape.appearance.as_ref().map(|appearance| Material {
            name: None,
            color: appearance.color,
            texture: None,
        }),
        position: shape.name.place.position,
    });
    solids.collect()
}

/// Mass properties of a link in its frame.
pub(super) fn inertia(placed: &PlacedLink, notes: &Notes<'_>) -> Result<Inertia, Diagnostic> {
    let density = match placed.link.inertia {
        Weight::Given(inertia) => return Ok(inertia),
        Weight::Auto(density) => density,
    };
    let mut sum = Inertia::zero();
    for (shape, pose) in placed.link.collision.iter().zip(&placed.collision) {
        let Some(geometry) = &shape.geometry else {
            continue;
        };
        let density = shape
            .density
            .unwrap_or(if density > 0.0 { density } else { WATER });
        let part = geometry.mass_properties(geometry.volume() * density, 0.0);
        let part = part.map_err(|error| {
            let subject = format!("link `{}`", placed.name);
            notes.error(shape.name.place, &subject, error.to_string())
        })?;
        sum = sum.merged(&part.transformed(pose));
    }
    Ok(sum)
}
