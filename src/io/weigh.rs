//! Inertia from shapes (`automass`).

use crate::Result;
use crate::geometry::Geometry;
use crate::math::{Inertia, Point};

/// The mass properties of a shape; the moment is taken about `com` if given, else about the centre of mass.
pub(crate) fn weigh(
    shape: &Geometry,
    mass: f64,
    surface_fraction: f64,
    com: Option<Point>,
) -> Result<Inertia> {
    let mut inertia = shape.mass_properties(mass, surface_fraction)?;
    if let Some(com) = com {
        inertia.moment = inertia.moment_about(&com);
        inertia.com = com;
    }
    Ok(inertia)
}
